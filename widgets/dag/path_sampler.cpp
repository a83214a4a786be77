#include "widgets/dag/path_sampler.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/wrap_layout.h"

namespace orrery {

namespace {

constexpr int kMostPaths = 1'000'000, kWatchMs = 100;

constexpr int kFromHere = 0;

/// Where one path goes: each state with the one it began in.
std::vector<State> uniformPath(const Solution& solution, State from, Rng& rng) {
    const World& world = solution.world();
    std::vector<State> path{from};
    while (path.back().step < world.maxSteps()) {
        const auto profile = static_cast<ActionProfileIndex>(
            std::min(world.profileCount() - 1, rng.uniform() * world.profileCount()));
        const auto rows = solution.successors(path.back(), profile);
        if (rows.empty()) break;
        double rest = rng.uniform();
        std::size_t chosen = 0;
        while (chosen + 1 < rows.size() && (rest -= rows[chosen].probability) >= 0) ++chosen;
        path.push_back(rows[chosen].state);
    }
    return path;
}

}  // namespace

std::shared_ptr<const PathSample> samplePaths(const Solution& solution, State from,
                                              SamplePolicy policy, int numPaths, std::uint64_t seed,
                                              const std::stop_token& stop) {
    std::map<std::pair<int, ConfigIndex>, std::int64_t> visits;
    for (int path = 0; path < numPaths; ++path) {
        if (stop.stop_requested()) return nullptr;
        Rng rng(seed, static_cast<std::uint64_t>(path));
        if (policy == SamplePolicy::Uniform) {
            for (const State& state : uniformPath(solution, from, rng))
                ++visits[{state.step, state.config}];
        } else {
            const std::vector<int> anyGoal(solution.world().goals().size(), -1);
            for (const RolloutStep& step : solution.rollout(from, anyGoal, rng))
                ++visits[{step.state.step, step.state.config}];
        }
    }
    auto sample = std::make_shared<PathSample>();
    sample->numPaths = numPaths;
    for (const auto& [place, count] : visits)
        sample->states.push_back({{place.first, place.second}, count});
    std::ranges::stable_sort(sample->states, std::ranges::greater{}, &StateVisits::visits);
    return sample;
}

PathSampler::PathSampler(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_policy(new QComboBox(this)),
      m_from(new QComboBox(this)),
      m_paths(new QSpinBox(this)),
      m_seed(new QSpinBox(this)),
      m_run(new QPushButton(this)),
      m_remark(makeLabel({}, "hint", this)),
      m_nothing(makeLabel({}, "hint", this)),
      m_table(new QTableView(this)),
      m_message(new MessageStrip(this)),
      m_watch(new QTimer(this)) {
    setObjectName(QStringLiteral("pathSampler"));
    setAccessibleName(tr("Simulated paths"));
    m_policy->setObjectName(QStringLiteral("samplePolicy"));
    m_policy->setAccessibleName(tr("Who acts"));
    m_policy->setToolTip(
        tr("Who acts: everyone by the solved policies, each human for a goal that "
           "it draws; or every joint action alike"));
    m_policy->addItems({tr("Solved policies"), tr("Every action alike")});
    m_from->setObjectName(QStringLiteral("sampleFrom"));
    m_from->setAccessibleName(tr("Where paths begin"));
    m_from->setToolTip(tr("The state in which every path begins"));
    m_from->addItems({tr("from here"), tr("from the start")});
    m_paths->setObjectName(QStringLiteral("samplePaths"));
    m_paths->setAccessibleName(tr("Number of paths"));
    m_paths->setToolTip(tr("How many paths are sampled"));
    m_paths->setRange(1, kMostPaths);
    m_paths->setValue(1000);
    m_paths->setSuffix(tr(" paths"));
    m_seed->setObjectName(QStringLiteral("sampleSeed"));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The same seed gives the same paths"));
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setPrefix(tr("seed "));
    m_run->setObjectName(QStringLiteral("sampleRun"));
    m_remark->setObjectName(QStringLiteral("sampleRemark"));
    m_remark->setWordWrap(true);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_table->setObjectName(QStringLiteral("sampleTable"));
    m_table->setAccessibleName(tr("Visited states"));
    m_table->setToolTip(tr("Enter or a click goes to the state"));
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    auto* head = new WrapLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->setSpacing(8);
    for (QWidget* control : {static_cast<QWidget*>(m_paths), static_cast<QWidget*>(m_policy),
                             static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_seed),
                             static_cast<QWidget*>(m_run)})
        head->addWidget(control);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_message->floatOver(this);
    column->addLayout(head);
    m_remark->setContentsMargins(16, 0, 16, 0);
    column->addWidget(m_remark);
    column->addWidget(m_nothing, 1);
    column->addWidget(m_table, 1);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (!isWorking()) return start();
        m_worker->stopAll();
        m_isStopping = true;
        refresh();
    });
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { goTo(index.row()); });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { goTo(index.row()); });
    connect(session, &PlanSession::solutionChanged, this, [this] {
        if (m_sample && m_sample->solution != m_session->solution()) take(nullptr);
        refresh();
    });
    m_watch->setInterval(kWatchMs);
    connect(m_watch, &QTimer::timeout, this, &PathSampler::refresh);
    refresh();
}

PathSampler::~PathSampler() {
    delete m_worker;  // before what its jobs touch
}

bool PathSampler::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

void PathSampler::start() {
    const auto solution = m_session->solution();
    const auto here = m_session->graphState();
    if (!solution || solution->spec().phase1Only) return refresh();
    const State from = m_from->currentIndex() == kFromHere && here
                           ? *here
                           : State{0, solution->graph().levelMember(0, 0)};
    const auto policy = static_cast<SamplePolicy>(m_policy->currentIndex());
    m_message->clear();
    m_isStopping = false;
    using Sample = std::shared_ptr<const PathSample>;
    m_worker->replace<Sample>(
        [solution, from, policy, paths = m_paths->value(),
         seed = static_cast<std::uint64_t>(m_seed->value())](std::stop_token stop) -> Sample {
            const Sample sample = samplePaths(*solution, from, policy, paths, seed, stop);
            if (!sample) return nullptr;
            auto named = std::make_shared<PathSample>(*sample);
            named->solution = solution;
            return named;
        },
        [this](const Sample& sample) { take(sample); },
        [this](const QString& text) { m_message->show(MessageKind::Error, text); });
    refresh();
}

void PathSampler::take(const std::shared_ptr<const PathSample>& sample) {
    m_sample = sample;
    m_model.setSample(sample);
    if (sample) {
        auto marks = std::make_shared<StateMarks>(sample->solution->graph());
        for (const StateVisits& each : sample->states) marks->insert(each.state);
        marks->recount();
        m_session->selection().setStateMarks(std::move(marks), {}, {});
    }
    refresh();
}

void PathSampler::refresh() {
    const auto solution = m_session->solution();
    const bool canRun = solution && !solution->spec().phase1Only;
    const bool works = isWorking();
    if (works && !m_watch->isActive()) m_watch->start();
    if (!works) m_watch->stop();
    m_run->setText(works ? tr("Cancel") : tr("&Simulate"));
    m_run->setToolTip(works ? tr("Ends the simulation") : tr("Samples the paths"));
    m_run->setEnabled(canRun && !(works && m_isStopping));
    for (QWidget* control : {static_cast<QWidget*>(m_paths), static_cast<QWidget*>(m_policy),
                             static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_seed)})
        control->setEnabled(canRun && !works);
    m_table->setVisible(m_sample != nullptr);
    m_nothing->setVisible(!m_sample);
    m_nothing->setText(!solution ? tr("Solve the world (F5), then simulate paths through it.")
                       : !canRun ? tr("This run solved phase 1 alone: the robots have no policy.")
                       : works   ? tr("Simulating...")
                                 : tr("Simulate paths to see which states they visit, and how "
                                        "often."));
    if (!m_sample) return m_remark->clear();
    std::int64_t states = 0;
    const StateGraph& graph = m_sample->solution->graph();
    for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
    m_remark->setText(tr("%1 paths visit %2 of %3 states; they are the set that every view tints.")
                          .arg(countText(m_sample->numPaths),
                               countText(std::ssize(m_sample->states)), countText(states)));
}

void PathSampler::goTo(int row) {
    if (!m_sample || row < 0 || row >= std::ssize(m_sample->states)) return;
    const State state = m_sample->states[static_cast<std::size_t>(row)].state;
    const auto words = m_sample->solution->graph().configuration(state.config);
    m_session->selection().setCurrent(
        {StateItem{
             state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)},
         StepItem{state.step}, LevelItem{state.step}});
}

}  // namespace orrery
