// What the replay browser is made of.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_ground.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/state_thumbs.h"
#include "widgets/replay/transition_panel.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 42, kErrorBar = 56, kCellMargin = 16;  ///< pixels

/// Draws rows: pictures in Before and After, texts elsewhere, the accent bar at the picked one.
class ReplayRowDelegate : public QStyledItemDelegate {
public:
    ReplayRowDelegate(StateThumbs* thumbs, QObject* parent)
        : QStyledItemDelegate(parent), m_thumbs(thumbs) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        const QRectF box(option.rect);
        painter->save();
        const bool isCurrent = paintRowGround(painter, option);
        painter->setPen(t.border);
        painter->drawLine(box.bottomLeft(), box.bottomRight());
        if (isCurrent && index.column() == 0)
            painter->fillRect(QRectF(box.left(), box.top(), 3, box.height()), t.accent);
        if (index.data(ReplayModel::StateRole).isValid())
            paintState(*painter, box, index, t);
        else
            paintTexts(*painter, option, index, t);
        painter->restore();
    }

private:
    void paintState(QPainter& painter, const QRectF& box, const QModelIndex& index,
                    const Tokens& t) const {
        const QSizeF size = m_thumbs->size();
        const QRectF place(QPointF(box.left() + 4, box.center().y() - size.height() / 2), size);
        const QImage* image = m_thumbs->picture(
            index.data(ReplayModel::StateRole).toUInt(),
            static_cast<std::uint16_t>(index.data(ReplayModel::LayoutRole).toInt()));
        if (image != nullptr)
            painter.drawImage(place, *image);
        else
            painter.fillRect(place, t.raised);
    }

    static void paintTexts(QPainter& painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index, const Tokens& t) {
        QRectF cell = QRectF(option.rect).adjusted(6, 0, -8, 0);
        if (index.column() == ReplayModel::TdError) {
            const double share = index.data(ReplayModel::ErrorShareRole).toDouble();
            painter.fillRect(QRectF(cell.left(), cell.center().y() - 6, kErrorBar * share, 12),
                             t.warning);
            cell.setLeft(cell.left() + kErrorBar);
        }
        const bool isAction = index.column() == ReplayModel::RobotAction;
        painter.setFont(index.data(Qt::FontRole).isValid()
                            ? numberFont(12)
                            : interfaceFont(12, isAction ? QFont::DemiBold : QFont::Normal));
        painter.setPen(index.column() == ReplayModel::Ends ? t.warning : t.text);
        const auto* table = qobject_cast<const QTableView*>(option.widget);
        if (isAction && table != nullptr && table->isColumnHidden(ReplayModel::HumanActions)) {
            const QRectF lower = cell.adjusted(0, cell.height() / 2, 0, -3);
            cell.adjust(0, 3, 0, -cell.height() / 2);
            paintText(painter, cell, index);
            painter.setFont(interfaceFont(11));
            painter.setPen(t.text2);
            paintText(painter, lower, index.siblingAtColumn(ReplayModel::HumanActions));
        } else {
            paintText(painter, cell, index);
        }
    }

    static void paintText(QPainter& painter, const QRectF& cell, const QModelIndex& index) {
        painter.drawText(cell, index.data(Qt::TextAlignmentRole).toInt(),
                         painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                          static_cast<int>(cell.width())));
    }

    StateThumbs* m_thumbs;
};

}  // namespace

void ReplayBrowser::layOut() {
    auto* left = new QWidget(m_split);
    left->setProperty("look", "panel");
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    leftColumn->addWidget(m_health);
    leftColumn->addWidget(makeLine(left));
    leftColumn->addWidget(makeBar());
    leftColumn->addWidget(m_problem);
    leftColumn->addWidget(m_table, 1);
    m_split->setObjectName(QStringLiteral("replaySplit"));
    m_split->addWidget(left);
    m_split->addWidget(m_transition);
    m_split->setSizes({720, 440});
    m_split->setStretchFactor(0, 5);
    m_split->setStretchFactor(1, 3);
    m_split->setChildrenCollapsible(false);
    makeEmpty();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_split, 1);
    column->addWidget(m_empty, 1);
    setFocusProxy(m_table);
}

void ReplayBrowser::makeTable() {
    m_table->setObjectName(QStringLiteral("replayTable"));
    m_table->setAccessibleName(tr("Transitions, the newest first"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ReplayRowDelegate(m_thumbs, m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setMouseTracking(true);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(kRowHeight);
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    QHeaderView* header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(m_order.column, m_order.order);
    header->moveSection(header->visualIndex(ReplayModel::TdError),
                        header->visualIndex(ReplayModel::Goals));
    fitColumns();
    connect(header, &QHeaderView::geometriesChanged, this, &ReplayBrowser::chooseColumns);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_order = {column, order};
                m_isOrderNew = true;
                chooseColumns();
                applyFilter();
            });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { pick(now.isValid() ? now.row() : -1); });
}

/// Numbers are shown whole: each column has room for the largest one that can stand in it.
void ReplayBrowser::fitColumns() {
    int widths[ReplayModel::NumColumns] = {0, 74, 92, 112, 74, 84, 0, 0, 0, 0, 58, 0, 0, 60};
    const auto& source = m_model->source();
    const auto size = static_cast<std::int64_t>(source ? source->size() : 0);
    const std::int64_t episode = size > 0 ? source->at(source->size() - 1).episode : 0;
    const std::int64_t step = source ? source->step : 0;
    const QFontMetrics numbers(numberFont(12));
    const auto give = [&](int column, const QString& text) {
        widths[column] = numbers.horizontalAdvance(text) + kCellMargin;
    };
    give(ReplayModel::Number, countText(size));
    give(ReplayModel::Actor, QStringLiteral("888"));
    give(ReplayModel::Episode, countText(10 * episode));  // of an actor that is ahead, too
    give(ReplayModel::Step, QStringLiteral("8 888"));
    give(ReplayModel::Age, countText(step));
    give(ReplayModel::Alike, countText(size));
    give(ReplayModel::TdError, QStringLiteral("-8.888e-88"));
    widths[ReplayModel::TdError] += kErrorBar;
    const QHeaderView* header = m_table->horizontalHeader();
    m_allColumns = 0;
    for (int column = 0; column < ReplayModel::NumColumns; ++column) {
        m_table->showColumn(column);  // a hidden one has no hint
        const int width = std::max(widths[column], header->sectionSizeHint(column));
        m_table->setColumnWidth(column, width);
        m_allColumns += width;
    }
    chooseColumns();
}

/// Where not all have room, those that a transition tells anyway are left out, so that its TD
/// error is in sight; what the humans did then stands below what the robots did.
void ReplayBrowser::chooseColumns() {
    const int bar = m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_table);
    const bool hasRoom = m_allColumns + bar <= m_table->width();
    for (const int column :
         {ReplayModel::HumanActions, ReplayModel::Actor, ReplayModel::Episode, ReplayModel::Step})
        m_table->setColumnHidden(column, !hasRoom && column != m_order.column);
}

QWidget* ReplayBrowser::makeBar() {
    auto* bar = new QFrame(this);
    bar->setProperty("look", "bar");
    m_filter = new QLineEdit(bar);
    m_filter->setObjectName(QStringLiteral("replayFilter"));
    m_filter->setAccessibleName(tr("Filter of transitions"));
    m_filter->setPlaceholderText(tr("actor=1 step>3 robot=forward goal=2 touches:current"));
    m_filter->setToolTip(
        tr("Which transitions are shown. Fields: %1. Numbers take = != < <= > >=; robot and human "
           "take the name of an action, stage that of a stage of the training; from:current, "
           "to:current and touches:current name the "
           "selected state; and, or, not and parentheses")
            .arg(QString::fromStdString(ReplayFilter::fields().names())));
    m_filter->setClearButtonEnabled(true);
    m_count = makeLabel(QString(), "label", bar);
    m_count->setObjectName(QStringLiteral("replayCount"));
    m_asOf = makeRemark(QString(), "label", bar);
    m_asOf->setObjectName(QStringLiteral("replayAsOf"));
    m_stop = new QPushButton(tr("Cancel"), bar);
    m_stop->setObjectName(QStringLiteral("replayCancel"));
    m_stop->setToolTip(tr("Stops looking; the rows that were shown before stay"));
    m_stop->hide();
    m_refresh = new QPushButton(tr("Refresh"), bar);
    m_refresh->setObjectName(QStringLiteral("replayRefresh"));
    m_refresh->setToolTip(
        tr("Fetches the buffer as it is now; until then its rows stay as they are"));
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(12, 4, 12, 4);
    line->setSpacing(8);
    line->addWidget(m_filter, 1);
    line->addWidget(m_count);
    line->addWidget(m_stop);
    line->addWidget(m_asOf);
    line->addWidget(m_refresh);
    m_problem = makeLabel(QString(), "problem", this);
    m_problem->setObjectName(QStringLiteral("replayProblem"));
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(14, 4, 12, 4);
    m_problem->hide();
    connect(m_filter, &QLineEdit::textEdited, this, [this] { m_typing->start(); });
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        m_typing->stop();
        applyFilter();
    });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_worker->stopAll();
        m_isFiltering = false;
        m_ticking->stop();
        refreshState();
    });
    connect(m_refresh, &QPushButton::clicked, m_feed, &ReplayFeed::refresh);
    return bar;
}

void ReplayBrowser::makeEmpty() {
    m_empty = new QWidget(this);
    m_empty->setObjectName(QStringLiteral("replayEmpty"));
    auto* column = new QVBoxLayout(m_empty);
    column->addStretch(1);
    m_emptyText = makeLabel(QString(), "label", m_empty);
    m_emptyText->setObjectName(QStringLiteral("replayEmptyText"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    column->addWidget(m_emptyText);
    m_emptyButton = new QPushButton(tr("Show the buffer"), m_empty);
    m_emptyButton->setObjectName(QStringLiteral("replayShow"));
    m_emptyButton->setToolTip(tr("Fetches the replay buffer of the training as it is now"));
    column->addWidget(m_emptyButton, 0, Qt::AlignCenter);
    column->addStretch(1);
    connect(m_emptyButton, &QPushButton::clicked, m_feed, &ReplayFeed::refresh);
}

}  // namespace orrery
