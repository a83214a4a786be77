#include "widgets/entity/entity_part.h"

#include <QJsonObject>

#include "core/base/error.h"
#include "core/run/jobs/environments.h"
#include "widgets/common/commands.h"
#include "widgets/entity/choice_panel.h"
#include "widgets/entity/entity_session.h"
#include "widgets/entity/gallery_panel.h"
#include "widgets/entity/game_view.h"
#include "widgets/entity/thing_table.h"
#include "widgets/train/train_part.h"

namespace orrery {

namespace {

const QString kPerspective = QStringLiteral("entities"), kGallery = QStringLiteral("entityGallery"),
              kGame = QStringLiteral("entityGame"), kChoices = QStringLiteral("entityChoices"),
              kThings = QStringLiteral("entityThings");

}  // namespace

EntityPart::EntityPart(Workbench& bench, TrainPart* train)
    : WindowPart(bench), m_train(train), m_session(new EntitySession(&frame())) {
    connect(m_session, &EntitySession::changed, &this->bench(), &Workbench::refresh);
}

void EntityPart::addViews() {
    const QString help = QStringLiteral("entities");
    frame().addView({.id = kGame,
                     .title = tr("Episode"),
                     .icon = QStringLiteral("entities"),
                     .tip = tr("The episode that is played by hand"),
                     .make = [this](QWidget* parent) { return new GameView(m_session, parent); },
                     .help = help});
    frame().addView({.id = kThings,
                     .title = tr("Things"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("All things by their indices, with their features"),
                     .make = [this](QWidget* parent) { return new ThingTable(m_session, parent); },
                     .help = help + QStringLiteral("#things")});
    frame().addView({.id = kGallery,
                     .title = tr("Environments"),
                     .icon = QStringLiteral("view-list"),
                     .tip = tr("Environments to play and to learn in"),
                     .place = ViewPlace::Left,
                     .make =
                         [this](QWidget* parent) {
                             auto* panel = new GalleryPanel(m_session, parent);
                             connect(panel, &GalleryPanel::trainRequested, this,
                                     &EntityPart::train);
                             return panel;
                         },
                     .help = help});
    frame().addView({.id = kChoices,
                     .title = tr("Choices"),
                     .icon = QStringLiteral("view-list"),
                     .tip = tr("Who decides now, and among what"),
                     .place = ViewPlace::Right,
                     .make = [this](QWidget* parent) { return new ChoicePanel(m_session, parent); },
                     .help = help + QStringLiteral("#playing")});
}

std::vector<PerspectiveSpec> EntityPart::perspectives() {
    return {{.id = kPerspective,
             .name = tr("Entities"),
             .icon = QStringLiteral("entities"),
             .tip = tr("Environments of many kinds of things: play, watch and learn in them"),
             .number = 6,
             .centre = R"({"split": "vertical", "sizes": [560, 240],
                           "parts": [{"tabs": ["entityGame"]}, {"tabs": ["entityThings"]}]})",
             .panels = {kGallery, kChoices},
             .widths = {300, 280},
             .hasTimeline = false,
             .smallPanels = {kChoices},
             .smallWidths = {250, 250},
             .smallHasTimeline = false}};
}

void EntityPart::bindCommands() {
    commands().bind("entities.again", [this] {
        showPerspective(kPerspective);
        m_session->again();
    });
    commands().bind("entities.train", [this] { train(); });
}

void EntityPart::refreshCommands() {
    const bool canPlay = m_session->play() != nullptr;
    const QString why = tr("The environment does not take these options");
    commands().setEnabled("entities.again", canPlay, why);
    commands().setEnabled("entities.train", canPlay, why);
}

std::vector<LocatorSource> EntityPart::locatorSources() {
    return {{QStringLiteral("e"), tr("environments"), [this](const QString&) {
                 std::vector<LocatorItem> items;
                 for (const EnvironmentEntry& entry : knownEnvironments()) {
                     const QString id = QString::fromStdString(entry.id);
                     items.push_back({QString::fromStdString(entry.title),
                                      QString::fromStdString(entry.summary),
                                      {},
                                      true,
                                      [this, id] {
                                          showPerspective(kPerspective);
                                          m_session->open(id, QStringLiteral("{}"), 1);
                                      }});
                 }
                 return items;
             }}};
}

void EntityPart::train() {
    try {
        if (const auto spec = m_session->training()) m_train->start({*spec}, {});
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void EntityPart::saveSession(QJsonObject& session) const {
    session.insert(kPerspective,
                   QJsonObject{{QStringLiteral("environment"), m_session->id()},
                               {QStringLiteral("options"), m_session->options()},
                               {QStringLiteral("seed"), static_cast<qint64>(m_session->seed())}});
}

void EntityPart::restoreSession(const QJsonObject& session, bool /*hasOtherWorld*/) {
    const QJsonObject kept = session.value(kPerspective).toObject();
    const QString id = kept.value(u"environment").toString();
    if (findEnvironment(knownEnvironments(), id.toStdString()) == nullptr) return;
    const auto seed = static_cast<std::uint64_t>(
        std::clamp<qint64>(kept.value(u"seed").toInteger(1), 0, 1'000'000'000));
    m_session->open(id, kept.value(u"options").toString(QStringLiteral("{}")), seed);
}

std::optional<StatusText> EntityPart::status() const {
    if (perspective() != kPerspective) return {};
    const HandPlay* play = m_session->play();
    if (play == nullptr) return StatusText{StatusKind::Idle, tr("Nothing to play"), {}};
    return StatusText{
        play->isOver() ? StatusKind::Done : StatusKind::Idle,
        play->isOver() ? tr("The episode is over") : tr("Your turn"),
        tr("step %1, reward %2").arg(play->steps()).arg(QString::number(play->total(), 'g', 5))};
}

std::optional<StepKeys> EntityPart::stepKeys() {
    if (perspective() != kPerspective) return {};
    const HandPlay* play = m_session->play();
    return StepKeys{.forwardText = tr("Step"),
                    .backText = tr("Step back"),
                    .canForward = false,
                    .canBack = play != nullptr && play->canGoBack(),
                    .whyNotForward = tr("Choose what is done: the step follows the last decision"),
                    .whyNotBack = tr("Nothing was done yet"),
                    .forward = [] {},
                    .back = [this] { m_session->goBack(); }};
}

}  // namespace orrery
