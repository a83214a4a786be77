#include "widgets/dag/level_bands.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "core/base/thread_team.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/dag/selected_marks.h"

namespace orrery {

namespace {

constexpr std::int64_t kSample = 200'000;  ///< states that the first picture looks at
constexpr int kSkeletonMs = 200;

/// How many of the marked states fall into each bin. Nothing if stopped.
std::vector<std::vector<std::uint32_t>> binned(const LevelDensity& density, const StateMarks& marks,
                                               const std::stop_token& stop) {
    std::vector<std::vector<std::uint32_t>> counts(density.levels.size(),
                                                   std::vector<std::uint32_t>(LevelDensity::kBins));
    for (int step = 0; step < density.numLevels(); ++step) {
        const std::vector<float>& value = density.levels[static_cast<std::size_t>(step)].value;
        if (value.empty() || marks.count(step) == 0) continue;
        for (auto config = marks.next(step, 0); config; config = marks.next(step, *config + 1)) {
            if (*config % 4096 == 0 && stop.stop_requested()) return {};
            const float v = value[*config - marks.begin(step)];
            if (!std::isnan(v))
                ++counts[static_cast<std::size_t>(step)]
                        [static_cast<std::size_t>(density.binOf(static_cast<double>(v)))];
        }
    }
    return counts;
}

}  // namespace

LevelBands::LevelBands(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_tintWorker(new BackgroundWorker(this)),
      m_canvas(new BandsCanvas(session, this)),
      m_quantities(new QComboBox(this)),
      m_remark(makeRemark({}, "label", this)),
      m_chip(makeLabel({}, "chip", this)),
      m_message(new MessageStrip(this)),
      m_skeleton(new QTimer(this)) {
    setObjectName(QStringLiteral("levelBands"));
    setAccessibleName(tr("Level bands"));
    m_quantities->setObjectName(QStringLiteral("bandQuantity"));
    m_quantities->setAccessibleName(tr("Quantity of the level bands"));
    m_quantities->setToolTip(tr("What the height in a column means"));
    m_chip->setObjectName(QStringLiteral("bandsChip"));
    m_message->setObjectName(QStringLiteral("bandsMessage"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 6, 16, 0);
    head->setSpacing(8);
    head->addWidget(m_remark);
    head->addStretch(1);
    head->addWidget(m_chip);
    head->addWidget(m_quantities);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_message->floatOver(this);
    layout->addLayout(head);
    layout->addWidget(m_canvas, 1);
    m_skeleton->setSingleShot(true);
    connect(m_skeleton, &QTimer::timeout, this, [this] { m_canvas->setLoading(true); });
    connect(m_quantities, &QComboBox::activated, this, [this](int row) {
        const auto list = bandQuantities(m_solution.get());
        if (row >= 0 && row < std::ssize(list)) setQuantity(list[static_cast<std::size_t>(row)]);
    });
    connect(session, &PlanSession::solutionChanged, this, &LevelBands::refreshSolution);
    connect(session, &PlanSession::stateChanged, this, &LevelBands::refreshState);
    connect(&session->selection(), &Selection::hoverChanged, m_canvas,
            qOverload<>(&QWidget::update));
    connect(&session->selection(), &Selection::setChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::State) refreshSet();
    });
    refreshSolution();
}

LevelBands::~LevelBands() {
    delete m_worker;  // before what their jobs touch
    delete m_tintWorker;
}

bool LevelBands::isWorking() const {
    return m_worker->numOpenJobs() > 0 || m_tintWorker->numOpenJobs() > 0;
}

void LevelBands::showGraph(std::shared_ptr<const StateGraph> graph) {
    m_solution.reset();
    m_graph = std::move(graph);
    m_quantity = {};
    requestDensity();
}

void LevelBands::refreshSolution() {
    m_solution = m_session->solution();
    m_graph = m_solution ? m_solution->graphPointer() : nullptr;
    const auto list = bandQuantities(m_solution.get());
    if (!m_quantity || std::ranges::find(list, m_quantity) == list.end()) m_quantity = list.front();
    const QSignalBlocker blocker(m_quantities);
    m_quantities->clear();
    for (const BandQuantity& quantity : list)
        m_quantities->addItem(m_session->isOpen()
                                  ? nameOf(quantity, m_session->world(), m_session->letters())
                                  : tr("Number of states"));
    m_quantities->setVisible(list.size() > 1);
    setQuantity(m_quantity);
}

void LevelBands::setQuantity(const BandQuantity& quantity) {
    const auto list = bandQuantities(m_solution.get());
    const auto known = std::ranges::find(list, quantity);
    if (known == list.end()) return;
    m_quantity = quantity;
    const QSignalBlocker blocker(m_quantities);
    m_quantities->setCurrentIndex(static_cast<int>(known - list.begin()));
    requestDensity();
    refreshState();
}

void LevelBands::setKin(Kin kin) {
    if (kin == m_kin) return;
    m_kin = kin;
    requestTint();
}

void LevelBands::requestDensity() {
    m_worker->stopAll();
    m_tintWorker->stopAll();
    m_message->clear();
    m_skeleton->stop();
    m_canvas->setLoading(false);
    m_canvas->setTint({});
    m_chip->setVisible(m_graph != nullptr);
    if (!m_graph) {
        m_remark->clear();
        m_canvas->setDensity(nullptr, nullptr);
        m_table.setDensity(nullptr, {});
        return;
    }
    m_chip->setText(tr("counting"));
    m_skeleton->start(kSkeletonMs);
    const auto done = [this](const Density& density) { take(density); };
    const auto failed = [this](const QString& text) { fail(text); };
    if (!m_solution || !m_quantity) {
        m_worker->append<Density>([graph = m_graph](std::stop_token) { return levelSizes(*graph); },
                                  done, failed);
        return;
    }
    const auto job = [solution = m_solution, quantity = m_quantity](bool isSample) {
        return [solution, quantity, isSample](std::stop_token stop) -> Density {
            const StateGraph& graph = solution->graph();
            std::int64_t states = 0;
            for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
            const std::int64_t stride = isSample ? (states + kSample - 1) / kSample : 1;
            if (isSample && stride == 1) return nullptr;
            return computeLevelDensity(*solution, quantity, stride, processorCount(), stop);
        };
    };
    m_worker->append<Density>(job(true), done, failed);
    m_worker->append<Density>(job(false), done, failed);
}

void LevelBands::take(const Density& density) {
    if (!density) return;  // a small graph needs no sample
    m_skeleton->stop();
    m_canvas->setLoading(false);
    m_canvas->setDensity(m_graph, density);
    m_table.setDensity(density, symbolOf(density->quantity));
    const bool isComplete = density->stride == 1;
    if (isComplete && density->quantity == m_quantity && !m_wantedZoom.isEmpty())
        m_canvas->restoreZoom(std::exchange(m_wantedZoom, {}));
    const bool hasValues = density->quantity.has_value();
    QString remark = !hasValues ? tr("how many states each level has")
                                : tr("every state, by level and %1; shade = how many")
                                      .arg(symbolHtml(symbolOf(density->quantity)));
    if (density->numAtEdge > 0)
        remark += tr("; %1 beyond all scales lie at the edge").arg(countText(density->numAtEdge));
    m_remark->setText(remark);
    m_chip->setText(isComplete ? tr("all %1 states").arg(countText(density->total()))
                               : tr("1 of %1 looked at").arg(countText(density->stride)));
    m_chip->setToolTip(isComplete
                           ? tr("Every state is counted; the values are exact.")
                           : tr("A first picture; every state will be counted in a moment."));
    if (isComplete) refreshSet();
    Q_EMIT shown(isComplete);
}

void LevelBands::fail(const QString& text) {
    m_skeleton->stop();
    m_canvas->setLoading(false);
    m_message->show(MessageKind::Error, text);
}

void LevelBands::refreshState() {
    std::optional<double> value;
    if (const auto state = m_session->graphState(); state && m_solution) {
        const double v =
            m_quantity ? storedValueOf(*m_solution, *state, *m_quantity) : std::nan("");
        if (!std::isnan(v)) value = v;
        m_canvas->setAccessibleDescription(
            tr("Current: level %1, state %2%3")
                .arg(state->step)
                .arg(state->config)
                .arg(value ? QStringLiteral(", ") + symbolOf(m_quantity) + QStringLiteral(" ") +
                                 valueText(*value)
                           : QString()));
    }
    m_canvas->setCurrentValue(value);
    if (m_kin != Kin::None) requestTint();
}

void LevelBands::refreshSet() {
    m_marks = m_graph ? selectedMarks(m_session->selection(), *m_graph)
                      : m_session->selection().stateMarks();
    m_canvas->setMarks(m_marks);
    m_table.setMarks(m_marks);
    if (m_kin == Kin::None) requestTint();
}

void LevelBands::requestTint() {
    m_tintWorker->stopAll();
    const Density density = m_canvas->density();
    const auto state = m_session->graphState();
    const bool isKin = m_kin != Kin::None && state;
    if (!density || density->stride > 1 || (!isKin && !m_marks)) return m_canvas->setTint({});
    using Tint = std::vector<std::vector<std::uint32_t>>;
    m_tintWorker->append<Tint>(
        [density, graph = m_graph, marks = m_marks, kin = m_kin, state,
         isKin](std::stop_token stop) -> Tint {
            auto shown = marks;
            if (isKin)
                shown = kin == Kin::Descendants
                            ? markDescendants(*graph, *state, processorCount(), stop)
                            : markAncestors(*graph, *state, processorCount(), stop);
            return shown ? binned(*density, *shown, stop) : Tint{};
        },
        [this](Tint tint) { m_canvas->setTint(std::move(tint)); },
        [this](const QString& text) { fail(text); });
}

}  // namespace orrery
