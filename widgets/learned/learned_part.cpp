#include "widgets/learned/learned_part.h"

#include <QAction>
#include <QBoxLayout>
#include <QTimer>
#include <algorithm>

#include "core/run/jobs/train_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/dag/inspector_header.h"
#include "widgets/dag/plan_part.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/learned_state.h"
#include "widgets/learned/learned_view.h"
#include "widgets/learned/profile_view.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/train/train_part.h"
#include "widgets/train/train_session.h"
#include "widgets/world/world_part.h"

namespace orrery {

LearnedPart::LearnedPart(Workbench& bench, WorldPart* world, PlanPart* plan, const TrainPart* train)
    : WindowPart(bench),
      m_world(world),
      m_train(train),
      m_desk(new LearnedDesk(&archive(), &frame())) {
    connect(plan, &PlanPart::inspectorMade, this, &LearnedPart::addToInspector);
    connect(&m_train->training(), &TrainSession::changed, this, &LearnedPart::followTraining);
    connect(m_desk, &LearnedDesk::trainingsChanged, this, &LearnedPart::followTraining);
}

void LearnedPart::addViews() {
    frame().addView(
        {.id = QStringLiteral("learned"),
         .title = tr("Exact against learned"),
         .icon = QStringLiteral("compare"),
         .tip = tr("How far what was learned is from the exact solution, state by state"),
         .make = [this](QWidget* parent) { return makeLearned(parent); },
         .table = [](QWidget* view) { return static_cast<LearnedView*>(view)->tableModel(); },
         .isLate = true,
         .help = QStringLiteral("learned")});
    frame().addView(
        {.id = QStringLiteral("profile"),
         .title = tr("Profile"),
         .icon = QStringLiteral("compare"),
         .tip = tr("Where the time of a training step goes, of one training or of two"),
         .make = [this](QWidget* parent) { return makeProfile(parent); },
         .table = [](QWidget* view) { return static_cast<ProfileView*>(view)->tableModel(); },
         .isLate = true,
         .help = QStringLiteral("learned#profile")});
}

QWidget* LearnedPart::makeLearned(QWidget* parent) {
    m_learned = new LearnedView(m_desk, &session(), parent);
    connect(m_learned, &LearnedView::stateChosen, this, &LearnedPart::showState);
    connect(m_learned, &LearnedView::planRequested, this,
            [this] { showPerspective(kPlanPerspective); });
    connect(m_learned, &LearnedView::trainRequested, commands().action(QStringLiteral("run.train")),
            &QAction::trigger);
    connect(m_learned, &LearnedView::figureRequested, &bench(), &Workbench::offerFigure);
    if (!m_run.isEmpty()) m_learned->showTraining(m_run);
    return m_learned;
}

QWidget* LearnedPart::makeProfile(QWidget* parent) {
    m_profile = new ProfileView(m_desk, parent);
    followTraining();
    return m_profile;
}

/// Shows the training of Train, and each newer checkpoint of it.
void LearnedPart::followTraining() {
    const TrainRecord& record = m_train->training().record();
    const TrainSnapshot* training = record.training();
    const QString id = record.runId();
    if (training == nullptr || id.isEmpty()) return;
    const bool plans = &record.kind() == &trainKind();
    m_desk->takeLive({id, record.title(), record.isLive(), plans}, *training);
    if (const TrainingSnapshot* now = record.numbers(); m_profile && now != nullptr)
        m_profile->setLive({.id = id,
                            .name = QString::fromStdString(record.spec().name),
                            .words = record.display().spans,
                            .timeline = now->timeline,
                            .memory = now->memoryByName()});
    if (!plans) return;
    const bool isListed = std::ranges::any_of(
        archive().runs(), [&](const RunRecord& run) { return run.id == id.toStdString(); });
    const std::int64_t newest =
        training->checkpoints.empty() || !isListed ? -1 : training->checkpoints.back().step;
    if (m_run == id && m_step == newest) return;
    const bool isOther = m_run != id;
    m_run = id;
    m_step = newest;
    // Another training is shown at once, with or without a checkpoint; of the same one a person may
    // be looking at another run meanwhile.
    if (m_learned && (isOther || m_learned->runId() == id)) m_learned->showTraining(id);
}

/// What was learned about the inspected state, under the header of an inspector.
void LearnedPart::addToInspector(QWidget* inspector, PlanSession* session) {
    auto* column = qobject_cast<QBoxLayout*>(inspector->layout());
    auto* header = inspector->findChild<InspectorHeader*>();
    if (column == nullptr) return;
    auto* part = new LearnedState(session, inspector);
    column->insertWidget(column->indexOf(header) + 1, part);
    connect(m_desk, &LearnedDesk::evaluated, part,
            [this, part] { part->setErrors(m_desk->errors()); });
    part->setErrors(m_desk->errors());
}

/// Makes a state of the compared world the current one everywhere; its values stand beside.
/// In turns of the event loop: another world, what follows the state, and an inspector that is made
/// take 20 ms each.
void LearnedPart::showState(std::int64_t state) {
    const auto errors = m_desk->errors();
    if (!errors || state < 0) return;
    if (session().isOpen(*errors->world)) return select(*errors, state);
    if (!m_world->show(errors->loaded)) return;
    QTimer::singleShot(0, this, [this, errors, state] {
        if (session().isOpen(*errors->world)) select(*errors, state);
    });
}

void LearnedPart::select(const LearnedErrors& errors, std::int64_t state) {
    if (!session().solution()) session().attach(errors.exact, QString());
    const State& at = errors.error.byState[static_cast<std::size_t>(state)].state;
    const auto words = errors.graph().configuration(at.config);
    StateItem item{at.step, std::vector(words.begin(), words.end())};
    if (const auto found = session().solution()->graph().find(item.words, item.step))
        item.index = *found;
    selection().setCurrent({item, StepItem{at.step}, LevelItem{at.step}});
    QTimer::singleShot(0, this, [this] { showView(QStringLiteral("inspector")); });
}

}  // namespace orrery
