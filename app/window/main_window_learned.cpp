#include <QBoxLayout>
#include <algorithm>

#include "app/window/figure_part.h"
#include "app/window/main_window.h"
#include "core/empo/snapshot.h"
#include "core/run/jobs/train_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/dag/inspector_header.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/learned_state.h"
#include "widgets/learned/learned_view.h"
#include "widgets/learned/profile_view.h"
#include "widgets/train/train_session.h"

// Exact against learned, and profiles of trainings: the views beside the curves of Train.

namespace orrery {

void MainWindow::makeLearnedViews() {
    m_learnedDesk = new LearnedDesk(&archive(), this);
    addView(
        {.id = QStringLiteral("learned"),
         .title = tr("Exact against learned"),
         .icon = QStringLiteral("compare"),
         .tip = tr("How far what was learned is from the exact solution, state by state"),
         .make =
             [this](QWidget* parent) {
                 m_learned = new LearnedView(m_learnedDesk, &session(), parent);
                 connect(m_learned, &LearnedView::stateChosen, this, &MainWindow::showLearnedState);
                 connect(m_learned, &LearnedView::planRequested, this,
                         [this] { showPerspective(QStringLiteral("plan")); });
                 connect(m_learned, &LearnedView::trainRequested, this,
                         [this] { openTrainForm(); });
                 connect(m_learned, &LearnedView::figureRequested, m_figures, &FigurePart::open);
                 if (!m_learnedRun.isEmpty()) m_learned->showTraining(m_learnedRun);
                 return m_learned;
             },
         .table = [](QWidget* view) { return static_cast<LearnedView*>(view)->tableModel(); },
         .isLate = true,
         .help = QStringLiteral("learned")});
    addView({.id = QStringLiteral("profile"),
             .title = tr("Profile"),
             .icon = QStringLiteral("compare"),
             .tip = tr("Where the time of a training step goes, of one training or of two"),
             .make =
                 [this](QWidget* parent) {
                     m_profile = new ProfileView(m_learnedDesk, parent);
                     followTrainingValues();
                     return m_profile;
                 },
             .table = [](QWidget* view) { return static_cast<ProfileView*>(view)->tableModel(); },
             .isLate = true,
             .help = QStringLiteral("learned#profile")});
    connect(m_training, &TrainSession::changed, this, &MainWindow::followTrainingValues);
    connect(m_learnedDesk, &LearnedDesk::trainingsChanged, this, &MainWindow::followTrainingValues);
}

/// Shows the training of Train, and each newer checkpoint of it.
void MainWindow::followTrainingValues() {
    const TrainSnapshot* training = m_training->training();
    const QString id = m_training->runId();
    if (training == nullptr || id.isEmpty() || &m_training->kind() != &trainKind()) return;
    m_learnedDesk->takeLive({id, m_training->title(), m_training->isLive()}, *training);
    if (const EmpoSnapshot* now = empoOf(m_training->numbers()); m_profile && now != nullptr)
        m_profile->setLive(id, QString::fromStdString(m_training->spec().name), *now);
    const bool isListed = std::ranges::any_of(
        archive().runs(), [&](const RunRecord& run) { return run.id == id.toStdString(); });
    const std::int64_t newest =
        training->checkpoints.empty() || !isListed ? -1 : training->checkpoints.back().step;
    if (m_learnedRun == id && m_learnedStep == newest) return;
    const bool isOther = m_learnedRun != id;
    m_learnedRun = id;
    m_learnedStep = newest;
    // Another training is shown at once, with or without a checkpoint; of the same one a person may
    // be looking at another run meanwhile.
    if (m_learned && (isOther || m_learned->runId() == id)) m_learned->showTraining(id);
}

/// What was learned about the inspected state, under the header of an inspector.
void MainWindow::addLearnedPart(QWidget* inspector, PlanSession* session) {
    auto* column = qobject_cast<QBoxLayout*>(inspector->layout());
    auto* header = inspector->findChild<InspectorHeader*>();
    if (column == nullptr) return;
    auto* part = new LearnedState(session, inspector);
    column->insertWidget(column->indexOf(header) + 1, part);
    connect(m_learnedDesk, &LearnedDesk::evaluated, part,
            [this, part] { part->setErrors(m_learnedDesk->errors()); });
    part->setErrors(m_learnedDesk->errors());
}

/// Makes a state of the compared world the current one everywhere; its values stand beside.
void MainWindow::showLearnedState(std::int64_t state) {
    const auto errors = m_learnedDesk->errors();
    if (!errors || state < 0) return;
    if (!session().isOpen() || session().world().contentHash() != errors->world->contentHash()) {
        if (!mayLeaveWorld()) return;
        session().open(errors->loaded);
    }
    if (!session().solution()) session().attach(errors->exact, QString());
    const State& at = errors->error.byState[static_cast<std::size_t>(state)].state;
    const auto words = errors->graph().configuration(at.config);
    StateItem item{at.step, std::vector(words.begin(), words.end())};
    if (const auto found = session().solution()->graph().find(item.words, item.step))
        item.index = *found;
    selection().setCurrent({item, StepItem{at.step}, LevelItem{at.step}});
    showView(QStringLiteral("inspector"));
}

}  // namespace orrery
