#include "widgets/dag/level_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_ground.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 22;

/// Draws a level's number, its bar on a track and its count; the current row with the accent bar.
class LevelRowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        const QRectF box(option.rect);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool isCurrent = paintRowGround(painter, option);
        if (isCurrent && index.column() == LevelModel::Level)
            painter->fillRect(QRectF(box.left(), box.top(), 3, box.height()), t.accent);
        painter->setFont(numberFont(12, isCurrent ? QFont::DemiBold : QFont::Normal));
        painter->setPen(index.column() == LevelModel::Level && !isCurrent ? t.text2 : t.text);
        if (index.column() == LevelModel::InSet && !isCurrent) painter->setPen(t.text2);
        const QRectF cell = box.adjusted(4, 0, -8, 0);
        if (index.column() == LevelModel::States) {
            const double numberWidth = 76;
            const QRectF track(cell.left() + 4, box.center().y() - 4,
                               std::max(16.0, cell.width() - numberWidth - 8), 8);
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.border);
            painter->drawRoundedRect(track, 2, 2);
            const double share = index.data(LevelModel::kShareRole).toDouble();
            painter->setBrush(isCurrent ? t.accent : t.data[0]);
            painter->drawRoundedRect(
                QRectF(track.topLeft(), QSizeF(std::max(2.0, share * track.width()), 8)), 2, 2);
            painter->setPen(t.text);
        }
        painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return QSize(40, kRowHeight);
    }
};

}  // namespace

LevelTable::LevelTable(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_table(new QTableView(this)),
      m_empty(makeLabel(tr("Solve the world (F5) to see its levels."), "hint", this)) {
    setObjectName(QStringLiteral("levelTable"));
    setAccessibleName(tr("Levels"));
    m_table->setObjectName(QStringLiteral("levelTableRows"));
    m_table->setAccessibleName(tr("Levels and numbers of states"));
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new LevelRowDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setMouseTracking(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->hide();
    for (int column = LevelModel::InSet; column < LevelModel::NumColumns; ++column)
        m_table->hideColumn(column);
    m_table->horizontalHeader()->setSectionResizeMode(LevelModel::Level, QHeaderView::Fixed);
    m_table->horizontalHeader()->resizeSection(LevelModel::Level, 44);
    m_table->horizontalHeader()->setSectionResizeMode(LevelModel::States, QHeaderView::Stretch);
    m_table->viewport()->installEventFilter(this);
    m_empty->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(4);
    m_empty->setContentsMargins(16, 4, 12, 4);
    layout->addWidget(m_empty, 1, Qt::AlignTop);
    layout->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!m_isShowing && now.isValid()) m_session->showLevel(m_model.stepOf(now.row()));
            });
    connect(session, &PlanSession::solutionChanged, this, &LevelTable::refreshGraph);
    connect(session, &PlanSession::stateChanged, this, &LevelTable::refreshCurrent);
    refreshGraph();
}

LevelTable::~LevelTable() {
    delete m_worker;  // before what its jobs touch
}

void LevelTable::refreshGraph() {
    const auto solution = m_session->solution();
    m_worker->stopAll();
    if (!solution) {
        m_model.setDensity(nullptr, {});
    } else {
        using Sizes = std::shared_ptr<const LevelDensity>;
        m_worker->append<Sizes>(
            [solution](std::stop_token) { return levelSizes(solution->graph()); },
            [this](const Sizes& sizes) {
                m_isShowing = true;
                m_model.setDensity(sizes, {});
                m_isShowing = false;
                refreshCurrent();
            },
            [](const QString&) {});
    }
    m_empty->setVisible(!solution);
    m_table->setVisible(solution != nullptr);
}

void LevelTable::refreshCurrent() {
    if (!m_session->isOpen() || m_model.rowCount() == 0) return;
    const int row = m_model.rowOf(m_session->state().step);
    if (row >= m_model.rowCount()) return;
    m_isShowing = true;
    m_table->setCurrentIndex(m_model.index(row, 0));
    m_isShowing = false;
    m_table->scrollTo(m_model.index(row, 0));
}

bool LevelTable::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto at = m_table->indexAt(static_cast<QMouseEvent*>(event)->pos());
        m_session->selection().setHover(
            at.isValid() ? std::optional<SelectionItem>(LevelItem{m_model.stepOf(at.row())})
                         : std::nullopt);
    } else if (event->type() == QEvent::Leave) {
        m_session->selection().setHover(std::nullopt);
    } else if (event->type() == QEvent::MouseButtonPress) {
        // The current row again: back to the first state of the level.
        const auto at = m_table->indexAt(static_cast<QMouseEvent*>(event)->pos());
        if (at.isValid() && at.row() == m_table->currentIndex().row())
            m_session->showLevel(m_model.stepOf(at.row()));
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace orrery
