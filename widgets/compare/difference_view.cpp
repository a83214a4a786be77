#include "widgets/compare/difference_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/archive/reopen.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/agent_letters.h"
#include "widgets/common/name_box.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/selection.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/difference_field.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

using SolutionPointer = std::shared_ptr<const Solution>;

constexpr int kWidthForValues = 520;
constexpr int kLeastHeight = 200;
constexpr int kLeastCanvas = 140;     // of the colour bar with its words
constexpr int kHeightForStack = 290;  // with two lines of the list
constexpr int kRowHeight = 24, kLowRow = 19;

/// A line is current as a whole, without a frame around one of its cells.
class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
    }
};

struct Pair {
    SolutionPointer a, b;
};

SolutionPointer reopened(const std::filesystem::path& folder, const QString& id,
                         const std::stop_token& stop) {
    const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
    auto run = reopenSolution(*workspace, id.toStdString(), stop);
    return run ? run->solution : nullptr;
}

}  // namespace

DifferenceView::DifferenceView(Selection* selection, PlanSession* session, BackgroundWorker* worker,
                               QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_session(session),
      m_worker(worker),
      m_boxA(new NameBox(this)),
      m_boxB(new NameBox(this)),
      m_quantity(new QComboBox(this)),
      m_remark(makeLabel({}, "hint", this)),
      m_empty(makeLabel({}, "hint", this)),
      m_canvas(new DifferenceCanvas(this)),
      m_list(new QTableView(this)),
      m_body(new QHBoxLayout) {
    setObjectName(QStringLiteral("differenceView"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(makeLabel(tr("Where they differ"), "section", this));
    head->addWidget(m_quantity, 1);
    layout->addLayout(head);
    auto* runs = new QHBoxLayout;
    runs->setSpacing(6);
    runs->addWidget(m_boxA, 1);
    runs->addWidget(makeLabel(tr("minus"), "label", this));
    runs->addWidget(m_boxB, 1);
    layout->addLayout(runs);
    m_body->addWidget(m_canvas, 3);
    m_body->addWidget(m_list, 2);
    layout->addLayout(m_body, 1);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_remark);
    nameParts();
    for (QComboBox* box : {m_boxA, m_boxB})
        connect(box, &QComboBox::activated, this, [this] { m_areRunsChosen = true; });
    connect(m_boxA, &QComboBox::activated, this, &DifferenceView::reopen);
    connect(m_boxB, &QComboBox::activated, this, &DifferenceView::reopen);
    connect(m_quantity, &QComboBox::activated, this, &DifferenceView::refreshAll);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid()) pickRow(index.row());
            });
    connect(session, &PlanSession::stateChanged, this, &DifferenceView::followSession);
    connect(session, &PlanSession::worldChanged, this, &DifferenceView::followSession);
    showText(tr("Check two runs of the same world to see where their values differ."));
}

/// Names, sizes and looks of the boxes and the list.
void DifferenceView::nameParts() {
    m_empty->setObjectName(QStringLiteral("differenceText"));
    m_quantity->setObjectName(QStringLiteral("differenceQuantity"));
    m_quantity->setAccessibleName(tr("Quantity"));
    m_boxA->setObjectName(QStringLiteral("differenceA"));
    m_boxA->setAccessibleName(tr("Run A"));
    m_boxB->setObjectName(QStringLiteral("differenceB"));
    m_boxB->setAccessibleName(tr("Run B"));
    for (QComboBox* box : {m_boxA, m_boxB, m_quantity}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    m_list->setObjectName(QStringLiteral("differenceStates"));
    m_list->setAccessibleName(tr("States that differ most"));
    m_list->setHorizontalHeader(new SymbolHeader(m_list));
    m_list->setModel(&m_model);
    m_list->horizontalHeader()->setSortIndicatorShown(false);
    m_list->setItemDelegate(new LineDelegate(m_list));
    m_list->setShowGrid(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setMinimumSectionSize(kLowRow);
    m_list->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (int c = 0; c < DifferenceModel::kNumColumns; ++c)
        m_list->setColumnWidth(c, c == DifferenceModel::Level ? 44 : 68);
    m_list->horizontalHeader()->setStretchLastSection(true);
}

void DifferenceView::showText(const QString& text) {
    m_empty->setText(text);
    const bool isEmpty = !text.isEmpty();
    m_empty->setVisible(isEmpty);
    m_canvas->setVisible(!isEmpty);
    m_list->setVisible(!isEmpty);
    arrange();
}

void DifferenceView::show(const CompareSet& set, const std::filesystem::path& folder) {
    m_set = set;
    m_folder = folder;
    refreshRuns();
}

/// The runs by what tells their names apart; tips have the whole names.
void DifferenceView::listRuns() {
    QStringList ids, names;
    for (const Setting& setting : m_set.settings)
        for (const int row : setting.rows) {
            ids << m_set.idOf(row);
            names << plainSymbol(m_set.nameOf(row));
        }
    const QStringList shown = withoutCommonBegin(names);
    for (QComboBox* box : {m_boxA, m_boxB}) {
        box->clear();
        for (qsizetype i = 0; i < names.size(); ++i) {
            box->addItem(shown[i], ids[i]);
            box->setItemData(static_cast<int>(i), names[i], Qt::ToolTipRole);
        }
    }
}

void DifferenceView::refreshRuns() {
    const QString a = m_boxA->currentData().toString(), b = m_boxB->currentData().toString();
    listRuns();
    const int count = m_boxA->count();
    // Until somebody chooses, the first runs of two settings.
    m_areRunsChosen = m_areRunsChosen && m_boxA->findData(a) >= 0 && m_boxB->findData(b) >= 0;
    m_boxA->setCurrentIndex(m_areRunsChosen ? m_boxA->findData(a) : 0);
    int second = m_areRunsChosen ? m_boxB->findData(b) : -1;
    if (second < 0 || second == m_boxA->currentIndex())
        second = m_set.settings.size() > 1 ? static_cast<int>(m_set.settings[0].rows.size())
                                           : std::min(1, count - 1);
    if (second == m_boxA->currentIndex()) second = 0;
    m_boxB->setCurrentIndex(count > 0 ? second : -1);
    reopen();
}

void DifferenceView::reopen() {
    const int generation = ++m_generation;
    ++m_fieldGeneration;
    ++m_listGeneration;
    m_hasPair = false;
    for (QComboBox* box : {m_boxA, m_boxB})
        box->setToolTip(box->currentData(Qt::ToolTipRole).toString());
    const QString a = m_boxA->currentData().toString(), b = m_boxB->currentData().toString();
    if (a.isEmpty() || b.isEmpty() || a == b) {
        showText(tr("Check two runs of the same world to see where their values differ."));
        return;
    }
    const auto hashOf = [&](const QString& id) {
        return m_set.sheet->runs[static_cast<std::size_t>(m_set.sheet->rowOf(id))].worldHash;
    };
    if (hashOf(a) != hashOf(b)) {
        showText(tr("These two runs solved different worlds. Choose two of the same world."));
        return;
    }
    const auto hasLearned = [&](const QString& id) {
        const auto row = static_cast<std::size_t>(m_set.sheet->rowOf(id));
        return isTraining(m_set.sheet->runs[row]);
    };
    if (hasLearned(a) && hasLearned(b)) return compareLearned(a, b);
    if (m_a.id == a && m_b.id == b && m_a.solution && m_b.solution) {
        refreshQuantities();
        return;
    }
    ++m_numWorking;
    const QPointer<DifferenceView> self(this);
    m_worker->append<Pair>(
        [folder = m_folder, a, b, first = m_a, second = m_b](std::stop_token stop) {
            return Pair{
                first.id == a && first.solution ? first.solution : reopened(folder, a, stop),
                second.id == b && second.solution ? second.solution : reopened(folder, b, stop)};
        },
        [self, generation, a, b](Pair pair) {
            if (!self) return;
            --self->m_numWorking;
            if (generation != self->m_generation || !pair.a || !pair.b) return;
            self->m_a = {a, std::move(pair.a)};
            self->m_b = {b, std::move(pair.b)};
            self->m_picked = std::exchange(self->m_wanted, {});
            self->refreshQuantities();
        },
        [self, generation](const QString& text) {
            if (!self) return;
            --self->m_numWorking;
            if (generation == self->m_generation) self->showText(text);
        });
}

void DifferenceView::refreshQuantities() {
    m_hasPair = true;
    const QString former = m_quantity->count() > 0 ? m_quantity->currentText() : m_wantedQuantity;
    m_quantity->clear();
    m_offered.clear();
    for (const auto& [text, quantity] : quantitiesOf(*m_a.solution, *m_b.solution)) {
        m_quantity->addItem(plainSymbol(text));
        m_offered.push_back(quantity);
    }
    m_quantity->setCurrentIndex(std::max(0, m_quantity->findText(former)));
    refreshAll();
}

ValueOf DifferenceView::quantity() const {
    const int at = m_quantity->currentIndex();
    return at < 0 ? ValueOf{} : m_offered[static_cast<std::size_t>(at)];
}

void DifferenceView::refreshAll() {
    if (!m_hasPair) return;
    computeField();
    computeList();
}

bool DifferenceView::isSessionsWorld() const {
    return m_a.solution && m_session->isOpen(m_a.solution->world());
}

State DifferenceView::stateNow() const {
    if (m_picked) return *m_picked;
    if (!isSessionsWorld()) return {};
    const StateItem& item = m_session->state();
    const StateGraph& graph = m_a.solution->graph();
    const auto config = graph.find(item.words);
    if (!config || item.step >= graph.numLevels() || !graph.inLevel(item.step, *config)) return {};
    return {item.step, *config};
}

void DifferenceView::followSession() {
    m_picked.reset();
    if (m_hasPair) computeField();
}

void DifferenceView::computeField() {
    const int generation = ++m_fieldGeneration;
    ++m_numWorking;
    const State state = stateNow();
    using Field = std::shared_ptr<const HeatField>;
    const QPointer<DifferenceView> self(this);
    m_worker->append<Field>(
        [a = m_a.solution, b = m_b.solution, quantity = quantity(), state](std::stop_token stop) {
            return differenceField(*a, *b, quantity, state, stop);
        },
        [self, generation, state](Field field) {
            if (!self) return;
            --self->m_numWorking;
            if (generation != self->m_fieldGeneration || !field) return;
            self->m_heat = field;
            const Solution& solution = *self->m_a.solution;
            WorldScene scene =
                sceneOf(solution.world(), solution.graph().configuration(state.config));
            scene.heat = std::move(field);
            self->m_canvas->setScene(std::move(scene));
            self->showText({});
        },
        [self, generation](const QString& text) {
            if (!self) return;
            --self->m_numWorking;
            if (generation == self->m_fieldGeneration) self->showText(text);
        });
}

void DifferenceView::computeList() {
    ++m_numWorking;
    const int generation = ++m_listGeneration;
    using List = std::optional<LargestDifferences>;
    const QPointer<DifferenceView> self(this);
    m_worker->append<List>(
        [a = m_a.solution, b = m_b.solution, quantity = quantity()](std::stop_token stop) {
            return largestDifferences(*a, *b, quantity, kMostRows, stop);
        },
        [self, generation](List list) {
            if (!self) return;
            --self->m_numWorking;
            if (generation != self->m_listGeneration || !list) return;
            self->m_remark->setText(
                list->unequal == 0
                    ? tr("All %1 states have the same value.").arg(countText(list->states))
                    : tr("%1 of %2 states differ; the %3 that differ most")
                          .arg(countText(list->unequal), countText(list->states),
                               countText(static_cast<std::int64_t>(list->rows.size()))));
            self->m_model.setRows(std::move(list->rows));
        },
        [self, generation](const QString& text) {
            if (!self) return;
            --self->m_numWorking;
            if (generation == self->m_listGeneration) self->showText(text);
        });
}

void DifferenceView::pickRow(int row) {
    const State state = m_model.rows()[static_cast<std::size_t>(row)].state;
    const StateGraph& graph = m_a.solution->graph();
    m_picked = state;
    if (isSessionsWorld()) {
        const auto words = graph.configuration(state.config);
        m_selection->setCurrent(
            {StateItem{
                 state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)},
             StepItem{state.step}, LevelItem{state.step}});
        m_picked.reset();
        return;  // the session tells that the state changed
    }
    computeField();
}

QString DifferenceView::heading() const {
    return tr("%1, %2 minus %3")
        .arg(m_quantity->currentText(), m_boxA->currentText(), m_boxB->currentText());
}

QString DifferenceView::remark() const {
    return m_remark->text();
}

QSize DifferenceView::minimumSizeHint() const {
    return QSize(QWidget::minimumSizeHint().width(), kLeastHeight);
}

void DifferenceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

/// The list stands beside the world where there is room, else below it. Both values stand beside
/// their difference where there is room; tips have them everywhere.
void DifferenceView::arrange() {
    const bool isWide = width() >= kWidthForValues;
    const bool isStack = !isWide && height() >= kHeightForStack;
    m_body->setDirection(isStack ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_body->setSpacing(isStack ? 4 : 6);
    m_list->verticalHeader()->setDefaultSectionSize(isStack ? kLowRow : kRowHeight);
    m_canvas->setMinimumHeight(isStack ? kLeastCanvas : 0);
    m_list->setMinimumSize(isWide ? 262 : 124, isStack ? 28 + 2 * kLowRow : 0);
    m_list->setMaximumWidth(isWide ? 320 : isStack ? QWIDGETSIZE_MAX : 132);
    for (const int column : {DifferenceModel::ValueA, DifferenceModel::ValueB})
        m_list->setColumnHidden(column, !isWide && !isStack);
    const bool hasRemark = !isStack || height() >= kHeightForStack + 20;
    m_remark->setVisible(hasRemark && m_empty->isHidden());
}

QImage DifferenceView::picture(const QSize& size) const {
    const auto& scene = m_canvas->scene();
    if (!scene || m_canvas->isHidden()) return {};
    return worldImage(*scene, size, lightTokens(), 2);
}

QJsonObject DifferenceView::saveState() const {
    return {{QStringLiteral("quantity"), m_quantity->currentText()}};
}

void DifferenceView::restoreState(const QJsonObject& state) {
    m_wantedQuantity = state[QLatin1String("quantity")].toString();
}

}  // namespace orrery
