#include "widgets/entity/entity_part.h"

#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/environments.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"
#include "widgets/common/written_file.h"
#include "widgets/entity/actor_grid.h"
#include "widgets/entity/agent_panel.h"
#include "widgets/entity/attention_view.h"
#include "widgets/entity/batch_view.h"
#include "widgets/entity/choice_panel.h"
#include "widgets/entity/entity_film.h"
#include "widgets/entity/entity_session.h"
#include "widgets/entity/episode_bar.h"
#include "widgets/entity/example_boards.h"
#include "widgets/entity/gallery_panel.h"
#include "widgets/entity/rollout_frames.h"
#include "widgets/entity/rollout_view.h"
#include "widgets/entity/thing_table.h"
#include "widgets/entity/value_view.h"
#include "widgets/export/export_form.h"
#include "widgets/part/crumbs.h"
#include "widgets/train/train_part.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

const QString kPerspective = QStringLiteral("entities"), kGallery = QStringLiteral("entityGallery"),
              kGame = QStringLiteral("entityGame"), kChoices = QStringLiteral("entityChoices"),
              kThings = QStringLiteral("entityThings"),
              kAttention = QStringLiteral("entityAttention"),
              kBatch = QStringLiteral("entityBatch"), kValue = QStringLiteral("entityValue"),
              kRollout = QStringLiteral("rollout"), kAgent = QStringLiteral("entityAgent"),
              kHelp = QStringLiteral("entities");

ExportFormatSpec filmFormat(const char* id, const QString& title) {
    return {.id = QLatin1String(id), .title = title, .ending = QLatin1String(id), .isFilm = true};
}

}  // namespace

EntityPart::EntityPart(Workbench& bench, TrainPart* train)
    : WindowPart(bench), m_train(train), m_session(new EntitySession(&selection(), &frame())) {
    for (const auto signal : {&EntitySession::changed, &EntitySession::advised})
        connect(m_session, signal, &this->bench(), &Workbench::refresh);
    connect(&archive(), &Archive::left, m_session, [this] { m_session->agent().leave(); });
    connect(&archive(), &Archive::runsChanged, this, &EntityPart::loadKeptAgent);
    for (const auto signal : {&TrainSession::begun, &TrainSession::changed, &TrainSession::ended})
        connect(&m_train->training(), signal, this, &EntityPart::followTraining);
}

void EntityPart::addViews() {
    frame().addView(
        {.id = kGame,
         .title = tr("Episode"),
         .icon = QStringLiteral("entities"),
         .tip = tr("The episode that is played, by hand or by an agent"),
         .make = [this](QWidget* parent) { return makeEpisodePanel(m_session, parent); },
         .help = kHelp});
    frame().addView({.id = kThings,
                     .title = tr("Things"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("All things by their indices, with their features"),
                     .make = [this](QWidget* parent) { return new ThingTable(m_session, parent); },
                     .help = kHelp + QStringLiteral("#things")});
    frame().addView(
        {.id = kAttention,
         .title = tr("Attention"),
         .icon = QStringLiteral("view-grid"),
         .tip = tr("How much each thing looks at each other one in the agent's network"),
         .make = [this](QWidget* parent) { return new AttentionView(m_session, parent); },
         .table = [](QWidget* view) { return static_cast<AttentionView*>(view)->tableModel(); },
         .isLate = true,
         .help = kHelp + QStringLiteral("#attention")});
    frame().addView(
        {.id = kBatch,
         .title = tr("Batch"),
         .icon = QStringLiteral("view-grid"),
         .tip = tr("Frames as one batch: padded against packed, and the indices between"),
         .make = [this](QWidget* parent) { return new BatchView(m_session, parent); },
         .table = [](QWidget* view) { return static_cast<BatchView*>(view)->tableModel(); },
         .isLate = true,
         .help = kHelp + QStringLiteral("#batch")});
    frame().addView(
        {.id = kValue,
         .title = tr("Value"),
         .icon = QStringLiteral("train"),
         .tip = tr("Value, reward and advantage over the steps of the episode"),
         .make = [this](QWidget* parent) { return new ValueView(m_session, parent); },
         .table = [](QWidget* view) { return static_cast<ValueView*>(view)->tableModel(); },
         .isLate = true,
         .help = kHelp + QStringLiteral("#value")});
    frame().addView({.id = kRollout,
                     .title = tr("Rollout"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("The frames that a training learns from, one line each"),
                     .make = [this](QWidget* parent) { return makeRollout(parent); },
                     .isLate = true,
                     .help = kHelp + QStringLiteral("#rollout")});
    addPanels();
}

QWidget* EntityPart::makeRollout(QWidget* parent) {
    m_rollout = new RolloutView(parent);
    connect(m_rollout, &RolloutView::opened, this, &EntityPart::openRow);
    followTraining();
    return m_rollout;
}

/// The training that Train shows.
void EntityPart::followTraining() {
    if (!m_rollout) return;
    const TrainRecord& record = m_train->record();
    RolloutView::Source source;
    if (const TrainingSnapshot* now = record.numbers()) {
        source.desk = rolloutDeskOf(*now);
        source.run = record.title();
        source.isLive = record.isLive();
        const auto memory = now->memoryByName();
        if (const auto held = memory.find("rollout"); held != memory.end())
            source.bytes = held->second;
    }
    m_rollout->setSource(std::move(source));
}

void EntityPart::openRow(const std::shared_ptr<const RolloutCopy>& rollout, std::uint32_t row) {
    const auto* job = m_train->record().job().find<EntityJob>();
    if (job == nullptr) return;
    OpenedFrames opened = framesAround(*rollout, row, EntitySession::kMostEpisodes);
    showPerspective(kPerspective);
    m_session->openFrames(QString::fromStdString(job->entity.env.id),
                          QString::fromStdString(job->entity.env.optionsJson()),
                          rollout->frames->spaces(), std::move(opened.episodes), opened.shown);
    showView(kGame);
}

void EntityPart::addPanels() {
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
                     .help = kHelp});
    frame().addView({.id = kAgent,
                     .title = tr("Agent"),
                     .icon = QStringLiteral("train"),
                     .tip = tr("Whose choices are shown: a run that learned here"),
                     .place = ViewPlace::Left,
                     .make =
                         [this](QWidget* parent) {
                             auto* panel = new AgentPanel(m_session, &archive(), parent);
                             connect(panel, &AgentPanel::filmRequested, this,
                                     &EntityPart::askForFilm);
                             return panel;
                         },
                     .help = kHelp + QStringLiteral("#agent")});
    frame().addView(
        {.id = kChoices,
         .title = tr("Choices"),
         .icon = QStringLiteral("view-list"),
         .tip = tr("Who decides now, and among what"),
         .place = ViewPlace::Right,
         .make = [this](QWidget* parent) { return new ChoicePanel(m_session, parent); },
         .table =
             [](QWidget* view) { return static_cast<ChoicePanel*>(view)->grid()->tableModel(); },
         .help = kHelp + QStringLiteral("#playing")});
}

std::vector<PerspectiveSpec> EntityPart::perspectives() {
    return {{.id = kPerspective,
             .name = tr("Entities"),
             .icon = QStringLiteral("entities"),
             .tip = tr("Environments of many kinds of things: play, watch and learn in them"),
             .number = 6,
             .centre = R"({"split": "vertical", "sizes": [560, 240],
                           "parts": [{"tabs": ["entityGame"]},
                                     {"tabs": ["entityThings", "entityAttention", "entityBatch",
                                               "entityValue", "rollout"]}]})",
             .panels = {kGallery, kAgent, kChoices},
             .widths = {300, 300},
             .heights = {520, 180},
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
    commands().bind("entities.play", [this] {
        showPerspective(kPerspective);
        m_session->setPlaying(!m_session->isPlaying());
    });
    commands().bind("entities.film", [this] { askForFilm(); });
    commands().bind("entities.example", [this] { openExample(); });
}

void EntityPart::refreshCommands() {
    const bool canPlay = m_session->episode() != nullptr;
    const QString why = tr("The environment does not take these options");
    commands().setEnabled("entities.again", canPlay, why);
    commands().setEnabled("entities.train", canPlay, why);
    commands().setEnabled("entities.film", canPlay, why);
    commands().setEnabled("entities.play", m_session->canPlay(),
                          tr("There is one frame, and no agent that could play on"));
}

void EntityPart::openExample() {
    showPerspective(kPerspective);
    const ExampleBoards& boards = exampleBoards();
    m_session->openStates(QString::fromStdString(boards.environment),
                          QString::fromStdString(boards.options), boards.states);
    showView(kBatch);
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
    QJsonArray states;
    for (const std::string& state : m_session->states())
        states.append(QString::fromStdString(state));
    const QString& agent = m_session->agent().run();
    session.insert(kPerspective,
                   QJsonObject{{QStringLiteral("environment"), m_session->id()},
                               {QStringLiteral("options"), m_session->options()},
                               {QStringLiteral("seed"), static_cast<qint64>(m_session->seed())},
                               {QStringLiteral("count"), m_session->count()},
                               {QStringLiteral("states"), states},
                               {QStringLiteral("agent"), agent.isEmpty() ? m_keptAgent : agent}});
}

void EntityPart::restoreSession(const QJsonObject& session, bool /*hasOtherWorld*/) {
    const QJsonObject kept = session.value(kPerspective).toObject();
    const QString id = kept.value(u"environment").toString();
    if (findEnvironment(knownEnvironments(), id.toStdString()) == nullptr) return;
    const auto seed = static_cast<std::uint64_t>(
        std::clamp<qint64>(kept.value(u"seed").toInteger(1), 0, 1'000'000'000));
    const QString options = kept.value(u"options").toString(QStringLiteral("{}"));
    std::vector<std::string> states;
    for (const auto& state : kept.value(u"states").toArray())
        states.push_back(state.toString().toStdString());
    m_keptAgent = kept.value(u"agent").toString();
    if (states.empty())
        m_session->open(id, options, seed, kept.value(u"count").toInt(1));
    else
        m_session->openStates(id, options, states);
}

/// The agent of the last session, if its run is still there.
void EntityPart::loadKeptAgent() {
    if (m_keptAgent.isEmpty() || !archive().isListed()) return;
    const QString kept = std::exchange(m_keptAgent, QString());
    const auto isKept = [&](const RunRecord& run) { return run.id == kept.toStdString(); };
    if (std::ranges::any_of(archive().runs(), isKept))
        m_session->agent().load(archive().sharedWorkspace(), kept);
}

std::optional<StatusText> EntityPart::status() const {
    if (perspective() != kPerspective) return {};
    if (m_session->episode() == nullptr)
        return StatusText{StatusKind::Idle, tr("Nothing to play"), {}};
    const bool isOver = m_session->frame()->end != EpisodeEnd::None;
    return StatusText{m_session->isPlaying() ? StatusKind::Working
                      : isOver               ? StatusKind::Done
                                             : StatusKind::Idle,
                      m_session->isPlaying()             ? tr("The agent plays")
                      : isOver                           ? tr("The episode is over")
                      : m_session->play() == nullptr     ? tr("A frame of a training")
                      : m_session->decision() == nullptr ? tr("Looking back")
                                                         : tr("Your turn"),
                      tr("step %1, reward %2")
                          .arg(m_session->step())
                          .arg(QString::number(m_session->total(), 'g', 5))};
}

QString EntityPart::title() const {
    const EnvironmentEntry* entry =
        findEnvironment(knownEnvironments(), m_session->id().toStdString());
    return entry != nullptr ? QString::fromStdString(entry->title) : m_session->id();
}

/// The world that is open beside it, the environment, the agent, which of several, and the frame.
QStringList EntityPart::crumbs() const {
    if (perspective() != kPerspective) return {};
    QStringList parts = crumbsOfWorld(session(), archive().runs());
    if (!parts.isEmpty()) parts = parts.mid(0, session().runId().isEmpty() ? 1 : 2);
    parts << title().toHtmlEscaped();
    if (const QString& run = m_session->agent().run(); !run.isEmpty()) parts << run.toHtmlEscaped();
    if (const EntityEpisode* episode = m_session->episode())
        parts << episode->name.toHtmlEscaped() << tr("<b>step %1</b>").arg(m_session->step());
    return parts;
}

QString EntityPart::windowTitle() const {
    if (perspective() != kPerspective) return {};
    return session().isOpen() ? tr("%1 · %2").arg(title(), session().loaded().title) : title();
}

std::optional<StepKeys> EntityPart::stepKeys() {
    if (perspective() != kPerspective) return {};
    const EntityEpisode* episode = m_session->episode();
    const bool isPast = episode != nullptr && !episode->isAtEnd();
    const bool canBack =
        episode != nullptr &&
        (episode->shown > 0 || (episode->play != nullptr && episode->play->canGoBack()));
    return StepKeys{.forwardText = tr("Step"),
                    .backText = tr("Step back"),
                    .canForward = isPast || m_session->agentsChoice().has_value(),
                    .canBack = canBack,
                    .whyNotForward = tr("Choose what is done: the step follows the last decision. "
                                        "An agent would do it by itself"),
                    .whyNotBack = tr("Nothing was done yet"),
                    .forward =
                        [this, isPast] {
                            if (isPast)
                                m_session->showFrame(m_session->episode()->shown + 1);
                            else
                                m_session->stepByAgent();
                        },
                    .back = [this] { m_session->goBack(); }};
}

void EntityPart::askForFilm() {
    const EntityEpisode* episode = m_session->episode();
    if (episode == nullptr) return;
    if (m_film == nullptr) {
        m_film = new ExportForm(&frame());
        connect(m_film, &ExportForm::requested, this, &EntityPart::writeFilmOf);
    }
    const auto frames = static_cast<int>(episode->frames.size());
    m_film->offer(
        {{.id = QStringLiteral("entityEpisode"),
          .title = tr("Episode, %1 frames").arg(frames),
          .stem = title(),
          .formats = {filmFormat("gif", tr("GIF animation")), filmFormat("mp4", tr("MP4 video")),
                      filmFormat("webm", tr("WebM video"))},
          .remark =
              frames == 1 ? tr("1 frame: play some steps for more") : tr("%1 frames").arg(frames),
          .frames = frames}},
        QStringLiteral("entityEpisode"), QStringLiteral("gif"));
    m_film->show();
    m_film->raise();
    m_film->activateWindow();
}

void EntityPart::writeFilmOf(const ExportRequest& request) {
    const EntityEpisode* episode = m_session->episode();
    if (episode == nullptr) return;
    std::vector<EntityFilmFrame> frames;
    double total = 0;
    for (const EntityFrame& frame : episode->frames) {
        total += frame.reward;
        frames.push_back({frame.picture, tr("Step %1 · reward %2 · %3 so far")
                                             .arg(episode->firstStep + std::ssize(frames))
                                             .arg(QString::number(frame.reward, 'g', 5),
                                                  QString::number(total, 'g', 5))});
    }
    const FilmSpec spec{.kind = request.format == QLatin1String("mp4")    ? FilmKind::Mp4
                                : request.format == QLatin1String("webm") ? FilmKind::WebM
                                                                          : FilmKind::Gif,
                        .target = request.target.toStdString(),
                        .framesPerSecond = static_cast<double>(request.framesPerSecond),
                        .cellSize = request.cellSize,
                        .isDark = request.isDark};
    worker().append<bool>([frames = std::move(frames), spec](
                              std::stop_token stop) { return writeEntityFilm(frames, spec, stop); },
                          [this, target = request.target](bool isWhole) {
                              if (isWhole)
                                  say(MessageKind::Ok, tr("Written: %1").arg(target),
                                      tr("Open folder"), [target] { openFolderOf(target); });
                          },
                          sayError());
}

}  // namespace orrery
