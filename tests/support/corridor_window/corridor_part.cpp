#include "tests/support/corridor_window/corridor_part.h"

#include <QJsonObject>
#include <QLayout>
#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/corridor/corridor_spec.h"
#include "tests/support/corridor_window/corridor_walk.h"
#include "widgets/common/commands.h"
#include "widgets/spec/spec_form.h"

namespace orrery::test {

namespace {

const QString kPerspective = QStringLiteral("corridor"), kWalk = QStringLiteral("corridorWalk"),
              kForm = QStringLiteral("corridorForm");

}  // namespace

std::vector<CommandSpec> commandsWithCorridor() {
    std::vector<CommandSpec> commands = ownCommands();
    const auto last = std::ranges::find_if(
        commands, [](const CommandSpec& spec) { return std::string_view(spec.id) == "view.fit"; });
    commands.insert(last, {.id = "view.corridor",
                           .menu = "View",
                           .text = "C&orridor",
                           .icon = "world",
                           .keys = "Ctrl+9",
                           .tip = "Walk a corridor by hand"});
    commands.push_back({.id = "corridor.start",
                        .menu = "Tools",
                        .text = "Back to the corridor's start",
                        .keys = "Ctrl+Alt+Home",
                        .tip = "Walks back to the first cell of the corridor",
                        .startsGroup = true});
    return commands;
}

CorridorPart::CorridorPart(Workbench& bench) : WindowPart(bench) {
    m_spec.job = corridorKind().fresh();
}

void CorridorPart::addViews() {
    frame().addView({.id = kWalk,
                     .title = tr("Corridor"),
                     .icon = QStringLiteral("world"),
                     .tip = tr("A corridor to walk by hand: a click or an arrow key takes a step"),
                     .make = [this](QWidget* parent) { return new CorridorWalk(this, parent); }});
    frame().addView({.id = kForm,
                     .title = tr("Corridor's rules"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("How long the corridor is"),
                     .place = ViewPlace::Left,
                     .make = [this](QWidget* parent) { return makeForm(parent); }});
}

std::vector<PerspectiveSpec> CorridorPart::perspectives() {
    return {{.id = kPerspective,
             .name = tr("Corridor"),
             .icon = QStringLiteral("world"),
             .tip = tr("Walk a corridor by hand"),
             .number = 9,
             .centre = R"({"tabs": ["corridorWalk"]})",
             .panels = {kForm},
             .widths = {260}}};
}

QWidget* CorridorPart::makeForm(QWidget* parent) {
    auto* form =
        new SpecForm(m_spec, {.fields = QStringLiteral("corridor_"), .parts = kForm}, parent);
    form->setObjectName(kForm);
    form->widget()->layout()->setContentsMargins(16, 4, 16, 12);
    form->addFirstFields();
    connect(form, &SpecForm::changed, this, [this, form] {
        form->refresh();
        goTo(std::min(m_cell, length() - 1));
    });
    form->refresh();
    return form;
}

void CorridorPart::bindCommands() {
    commands().bind("corridor.start", [this] {
        showPerspective(kPerspective);
        goTo(0);
    });
}

void CorridorPart::refreshCommands() {
    commands().setEnabled("corridor.start", m_cell > 0, tr("Nobody has left the first cell"));
}

int CorridorPart::length() const {
    return m_spec.job.as<CorridorJob>().spec.length;
}

void CorridorPart::walk(int cells) {
    goTo(std::clamp(m_cell + cells, 0, length() - 1));
}

void CorridorPart::goTo(int cell) {
    m_cell = cell;
    Q_EMIT changed();
    bench().refresh();
}

std::optional<StatusText> CorridorPart::status() const {
    if (perspective() != kPerspective) return {};
    return StatusText{m_cell + 1 == length() ? StatusKind::Done : StatusKind::Idle,
                      tr("Cell %1 of %2").arg(m_cell).arg(length()), QString()};
}

void CorridorPart::saveSession(QJsonObject& session) const {
    session.insert(kPerspective,
                   QJsonObject{{QStringLiteral("cell"), m_cell},
                               {QStringLiteral("form"), QString::fromStdString(toJson(m_spec))}});
}

void CorridorPart::restoreSession(const QJsonObject& session, bool) {
    const QJsonObject kept = session.value(kPerspective).toObject();
    try {
        const std::string form = kept.value(u"form").toString().toStdString();
        const RunSpec spec = form.empty() ? m_spec : runSpecFromJson(form, "session");
        if (spec.job.kind().name == corridorKind().name) m_spec = spec;
    } catch (const Error&) {
        // Of another version: the form keeps what it has.
    }
    goTo(std::clamp(kept.value(u"cell").toInt(), 0, length() - 1));
}

}  // namespace orrery::test
