#include "widgets/world/world_part.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <algorithm>
#include <utility>

#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/frame/centre_area.h"
#include "widgets/part/crumbs.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/scope_part.h"
#include "widgets/world/agents_panel.h"
#include "widgets/world/edit_panel.h"
#include "widgets/world/episode_strip.h"
#include "widgets/world/timeline.h"
#include "widgets/world/world_commands.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

const QString kView = kWorldPerspective;  // and its perspective
constexpr int kMostRecent = 10;

}  // namespace

WorldPart::WorldPart(Workbench& bench, ScopePart* scopes)
    : WindowPart(bench),
      m_scopes(scopes),
      m_timeline(new Timeline(&session(), &frame())),
      m_editor(new WorldEditor(&session(), &undoStack(), &frame())) {
    connect(m_editor, &WorldEditor::said, &frame(),
            qOverload<MessageKind, const QString&>(&Frame::say));
    connect(m_editor, &WorldEditor::specChanged, this, [this] { this->bench().refresh(); });
    connect(m_editor, &WorldEditor::modeChanged, this, [this] {
        if (m_editor->isOn()) frame().setFrozen(kView, false);
    });
    connect(&frame(), &Frame::scopeChanged, this, [this](const QString& id) {
        // What is edited is the open world, not one that is kept.
        const ViewScope* changed = frame().scope(id);
        if (id == kView && changed && changed->isFrozen() && m_editor->isOn())
            m_editor->setOn(false);
    });
    connect(&session(), &PlanSession::worldChanged, this, [this] {
        // Another document; its changes and those of the former one are not undone together.
        if (std::exchange(m_document, m_editor->document()) != m_document) undoStack().clear();
    });
}

void WorldPart::addViews() {
    frame().addView(
        {.id = kView,
         .title = tr("World"),
         .icon = QStringLiteral("world"),
         .tip = tr("The world in the current state"),
         .makeScope = m_scopes->ofState(),
         .makeScoped = [this](ViewScope& scope, int number,
                              QWidget* parent) { return makeWorld(scope, number, parent); },
         .table = [](QWidget* view) { return static_cast<WorldPanel*>(view)->tableModel(); },
         .help = QStringLiteral("world")});
    frame().addView({.id = QStringLiteral("agents"),
                     .title = tr("Agents and goals"),
                     .icon = QStringLiteral("world"),
                     .tip = tr("The agents of the world and the goals of its humans"),
                     .place = ViewPlace::Left,
                     .make = [this](QWidget* parent) { return makeAgents(parent); },
                     .help = QStringLiteral("world#agents")});
    frame().setTimeline(m_timeline);
}

std::vector<PerspectiveSpec> WorldPart::perspectives() {
    return {{.id = kView,
             .name = tr("World"),
             .icon = QStringLiteral("world"),
             .tip = tr("Play, look into and edit the world"),
             .number = 2,
             .centre = R"({"tabs": ["world"]})",
             .panels = {QStringLiteral("agents"), QStringLiteral("inspector")},
             .widths = {240, 332},
             .smallPanels = {QStringLiteral("agents")},
             .smallWidths = {250, 280},
             .smallHasTimeline = false}};
}

QWidget* WorldPart::makeWorld(ViewScope& scope, int number, QWidget* parent) {
    // One view edits; the others look and play.
    auto* panel = new WorldPanel(sessionOf(scope), number == 1 ? m_editor : nullptr, parent);
    connect(panel, &WorldPanel::solveRequested, commands().action(QStringLiteral("run.solve")),
            &QAction::trigger);
    const auto scene = [shown = sessionOf(scope)](std::span<const std::uint64_t> configuration) {
        return sceneOf(shown->world(), configuration);
    };
    panel->addBelow(new EpisodeStrip(sessionOf(scope), scene, panel));
    commands().addPlainKeys(panel->view());
    return panel;
}

QWidget* WorldPart::makeAgents(QWidget* parent) {
    auto* panel = new AgentsPanel(&session(), parent);
    panel->addBelow(new EditPanel(&session(), m_editor, panel));
    const auto place = [this, panel] { panel->setPartFirst(m_editor->isOn()); };
    connect(m_editor, &WorldEditor::modeChanged, panel, place);
    place();
    return panel;
}

WorldPanel& WorldPart::panel() {
    if (auto* current = frame().view<WorldPanel>(frame().centre().currentView())) return *current;
    return *frame().view<WorldPanel>(kView);
}

void WorldPart::bindCommands() {
    Commands& c = commands();
    c.bind("file.open", [this] { chooseFile(); });
    c.bind("view.fit", [this] { panel().zoomToFit(); });
    c.bind("view.zoomIn", [this] { panel().zoomBy(1.25); });
    c.bind("view.zoomOut", [this] { panel().zoomBy(0.8); });
    c.bind("world.follow", [this] { session().followPolicy(); });
    c.bind("world.restart", [this] { session().restart(); });
    c.bind("world.rules", [this] {
        showPerspective(kView);
        showView(QStringLiteral("agents"));
        showRules();
    });
    const auto panelInFront = [this] {
        leaveHome(kView);
        showView(kView);
        return frame().view<WorldPanel>(kView);
    };
    const auto showEditing = [this] {
        if (!frame().isViewShown(QStringLiteral("agents"))) showPerspective(kView);
        showView(kView);
    };
    bindWorldCommands(c, {.session = &session(),
                          .editor = m_editor,
                          .timeline = m_timeline,
                          .panel = panelInFront,
                          .showEditing = showEditing,
                          .window = &frame()});
}

void WorldPart::refreshCommands() {
    const bool isOpen = session().isOpen();
    const QString noWorld = tr("No world is open: pick one on Home");
    for (const char* id : {"world.restart", "view.fit", "view.zoomIn", "view.zoomOut"})
        commands().setEnabled(id, isOpen, noWorld);
    const bool canStep = isOpen && !session().isTerminal();
    commands().setEnabled("world.follow", canStep && session().values(),
                          canStep ? tr("Solve the world first (F5)") : stepKeys()->whyNotForward);
}

std::optional<StepKeys> WorldPart::stepKeys() {
    const bool isOpen = session().isOpen();
    const bool atEnd = isOpen && session().isTerminal();
    return StepKeys{
        .forwardText = tr("&Step"),
        .backText = tr("Step &back"),
        .canForward = isOpen && !atEnd,
        .canBack = isOpen && session().walkIndex() > 0,
        .whyNotForward = atEnd ? tr("This is the last step of the world") : tr("No world is open"),
        .whyNotBack = tr("This is the first state of the walk"),
        .forward = [this] { stepOnce(); },
        .back = [this] { session().stepBack(); }};
}

void WorldPart::stepOnce() {
    if (const PlanScope* scope = scopeAround(frame(), &panel()); scope && scope->isFrozen())
        session().step();  // that view only looks on
    else
        panel().step();
}

std::vector<LocatorSource> WorldPart::locatorSources() {
    return {{QStringLiteral("w"), tr("worlds"), [this](const QString&) { return items(); }, true,
             true}};
}

std::vector<LocatorItem> WorldPart::items() {
    std::vector<LocatorItem> items;
    for (const LoadedWorld& world : m_examples)
        items.push_back({world.title, world.sentence, {}, true, [this, name = world.name] {
                             openFromHome(QString::fromStdString(name));
                         }});
    return items;
}

bool WorldPart::isSettled() const {
    return std::ranges::none_of(frame().findChildren<WorldView*>(), &WorldView::isComputingHeat);
}

QString WorldPart::windowTitle() const {
    if (!session().isOpen()) return {};
    const QString& title = session().loaded().title;
    return m_editor->isModified() ? tr("%1, not saved").arg(title) : title;
}

QStringList WorldPart::crumbs() const {
    return crumbsOfWorld(session(), archive().runs());
}

void WorldPart::open(const WorldRef& world, const std::function<void()>& opened) {
    if (!mayLeave()) return;
    worker().append<LoadedWorld>(
        [world](std::stop_token) {
            return world.name.empty() ? loadWorld(firstExample()) : loadWorld(world);
        },
        [this, opened](const LoadedWorld& loaded) {
            if (!loaded.world) return say(MessageKind::Error, loaded.problems.join(u'\n'));
            takeOpened(loaded);
            if (opened) opened();
        },
        sayError());
}

void WorldPart::takeOpened(const LoadedWorld& loaded) {
    // What was said while the program started stays.
    if (session().isOpen()) strip().clear();
    session().open(loaded);
    noteRecent(QString::fromStdString(loaded.name));
    restoreDraft();
    Q_EMIT opened();
}

void WorldPart::openFromHome(const QString& world) {
    open({.name = world.toStdString()});
    leaveHome(kView);
}

void WorldPart::openFirst(const QString& wanted) {
    WorldRef first{.name = (wanted.isEmpty() ? m_keptWorld : wanted).toStdString()};
    if (const QJsonValue draft = m_kept.value(u"draft"); draft.isObject())
        first.text = draft[u"text"].toString().toStdString();
    open(first);
    readExamples();
}

void WorldPart::readExamples() {
    using Examples = std::vector<LoadedWorld>;
    worker().append<Examples>([](std::stop_token stop) { return loadExamples(stop); },
                              [this](Examples examples) {
                                  m_examples = std::move(examples);
                                  Q_EMIT examplesRead();
                              },
                              sayError());
}

bool WorldPart::show(const LoadedWorld& world) {
    if (!mayLeave()) return false;
    session().open(world);
    return true;
}

void WorldPart::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(
        &frame(), tr("Open a world"), {}, tr("World files (*.yaml *.yml *.json);;All files (*)"));
    if (!file.isEmpty()) openFromHome(file);
}

void WorldPart::noteRecent(const QString& name) {
    if (!QFileInfo(name).isFile()) return;  // an example, or drawn and in no file yet
    const QString file = QFileInfo(name).absoluteFilePath();
    m_recent.removeAll(file);
    m_recent.prepend(file);
    while (m_recent.size() > kMostRecent) m_recent.removeLast();
}

QString WorldPart::draftError() const {
    const QString error = m_editor->error();
    return error.isEmpty() ? QString()
                           : tr("The draft of %1 has an error, mend it or undo it first: %2")
                                 .arg(session().loaded().title, error);
}

void WorldPart::showRules() {
    m_editor->askForRules();
}

bool WorldPart::isModified() const {
    return m_editor->isModified();
}

bool WorldPart::mayLeave() {
    if (!m_editor->isModified()) return true;
    QMessageBox box(QMessageBox::Warning, tr("The world is not saved"),
                    tr("Save the changes of %1 first?").arg(session().loaded().title),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &frame());
    box.setObjectName(QStringLiteral("unsavedBox"));
    box.setInformativeText(tr("Without saving they are lost."));
    box.setDefaultButton(QMessageBox::Save);
    box.exec();
    const auto answer = box.standardButton(box.clickedButton());
    if (answer == QMessageBox::Save) saveWorld(*m_editor, session(), &frame());
    return answer == QMessageBox::Discard || !m_editor->isModified();
}

}  // namespace orrery
