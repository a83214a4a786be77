#include "widgets/explore/outcome_heat.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/painted_view.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/explore/outcome_heat_paint.h"

namespace orrery {

namespace {

constexpr int kLeastCellWide = 50, kLeastCellHigh = 28;

/// Cells without the style's own selection: the current one and the hovered one have outlines.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        painter->save();
        const QRectF cell = QRectF(option.rect).adjusted(0, 0, -1, -1);
        paintOutcomeCell(*painter, index, cell, t);
        painter->setBrush(Qt::NoBrush);
        const auto outline = [&](const QColor& color, double inset) {
            painter->setPen(QPen(color, 2));
            painter->drawRect(cell.adjusted(inset, inset, -inset, -inset));
        };
        const bool isCurrent = option.state & QStyle::State_Selected;
        const bool isHovered = option.state & QStyle::State_MouseOver;
        if (isCurrent || isHovered) outline(t.underHeat, 3);
        if (isCurrent)
            outline(t.accent, 1);
        else if (isHovered)
            outline(t.hover, 1);
        painter->restore();
    }
};

/// The colour bar beside the table.
class OutcomeBar : public PaintedWidget {
public:
    OutcomeBar(const OutcomeHeatModel* model, QWidget* parent)
        : PaintedWidget(parent), m_model(model) {
        setObjectName(QStringLiteral("outcomeHeatBar"));
        setAccessibleName(tr("Colours of the heat table"));
        setFixedWidth(static_cast<int>(kOutcomeBarWidth));
        setToolTip(tr("From the least to the largest value in the table"));
    }
    std::vector<NamedSpot> namedSpots() const override {
        return {
            {QStringLiteral("color bar"),
             outcomeBarColors(QRectF(rect())).toAlignedRect(),
             {{QStringLiteral("low"), m_model->low()}, {QStringLiteral("high"), m_model->high()}}}};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (m_model->rowCount() > 0)
            paintOutcomeBar(painter, *m_model, QRectF(rect()), currentTokens());
    }

private:
    const OutcomeHeatModel* m_model;
};

}  // namespace

OutcomeHeatTable::OutcomeHeatTable(OutcomeHeatModel* model, QWidget* parent) : QTableView(parent) {
    setObjectName(QStringLiteral("outcomeHeatTable"));
    setAccessibleName(tr("Outcome by two parameters"));
    setModel(model);
    setItemDelegate(new CellDelegate(this));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    horizontalHeader()->setMinimumSectionSize(kLeastCellWide);
    verticalHeader()->setMinimumSectionSize(kLeastCellHigh);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionResizeMode(QHeaderView::Stretch);
        header->setHighlightSections(false);
        header->setSectionsClickable(false);
        header->setDefaultAlignment(Qt::AlignCenter);
    }
    connect(this, &QTableView::entered, this,
            [this](const QModelIndex& index) { Q_EMIT hovered(runAt(index)); });
    connect(this, &QTableView::viewportEntered, this, [this] { Q_EMIT hovered({}); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const QString run = runAt(index); !run.isEmpty()) Q_EMIT opened(run);
    });
}

const OutcomeHeatModel* OutcomeHeatTable::heatModel() const {
    return static_cast<const OutcomeHeatModel*>(model());
}

QString OutcomeHeatTable::runAt(const QModelIndex& index) const {
    return index.data(OutcomeHeatModel::RunRole).toString();
}

void OutcomeHeatTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (const QString run = runAt(current); !run.isEmpty()) Q_EMIT picked(run);
}

void OutcomeHeatTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(heatModel()->tsv());
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (const QString run = runAt(currentIndex()); !run.isEmpty()) Q_EMIT opened(run);
    } else {
        QTableView::keyPressEvent(event);
    }
}

void OutcomeHeatTable::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    Q_EMIT hovered({});
}

OutcomeHeat::OutcomeHeat(QWidget* parent)
    : QWidget(parent),
      m_nothing(tr("A sweep over two parameters shows its results here.")),
      m_results(new QComboBox(this)),
      m_turn(new QPushButton(tr("Swap"), this)),
      m_remark(makeLabel({}, "label", this)),
      m_empty(makeLabel({}, "hint", this)),
      m_view(new OutcomeHeatTable(&m_model, this)),
      m_bar(new OutcomeBar(&m_model, this)) {
    setObjectName(QStringLiteral("outcomeHeat"));
    m_results->setObjectName(QStringLiteral("outcomeHeatResult"));
    m_results->setAccessibleName(tr("Result"));
    m_results->setToolTip(tr("The result that the cells show"));
    m_turn->setObjectName(QStringLiteral("outcomeHeatSwap"));
    m_turn->setToolTip(tr("Swaps rows and columns"));
    m_view->setToolTip(
        tr("A cell is a run, or the mean of some; Enter or a double click opens it, Ctrl+C copies "
           "all"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->setSpacing(8);
    head->addWidget(m_remark, 1);
    head->addWidget(m_results);
    head->addWidget(m_turn);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 0, 6);
    row->setSpacing(0);
    row->addWidget(m_view, 1);
    row->addWidget(m_bar);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(head);
    column->addLayout(row, 1);
    column->addWidget(m_empty, 1);
    connect(m_results, &QComboBox::activated, this, &OutcomeHeat::refresh);
    connect(m_turn, &QPushButton::clicked, this, [this] { setTurned(!m_isTurned); });
    refresh();
}

void OutcomeHeat::setTable(const OutcomeTable& table) {
    if (table == m_table && !table.runs.empty()) return;
    m_table = table;
    refreshBoxes();
    refresh();
}

void OutcomeHeat::setNothing(const QString& why) {
    m_nothing = why;
    m_table = {};
    refresh();
}

void OutcomeHeat::setCurrentRun(const QString& runId) {
    m_currentRun = runId;
    const QSignalBlocker quiet(m_view);
    const QModelIndex index = m_model.indexOf(runId);
    // The cell that stands for several runs stays where one of the others is meant.
    if (index == m_view->currentIndex()) return;
    m_view->setCurrentIndex(index);
}

QString OutcomeHeat::resultKey() const {
    return m_results->currentData().toString();
}

void OutcomeHeat::setResultKey(const QString& key) {
    m_wantedResult = key;
    if (const int at = m_results->findData(key); at >= 0) m_results->setCurrentIndex(at);
    refresh();
}

void OutcomeHeat::setTurned(bool isTurned) {
    m_isTurned = isTurned;
    refresh();
}

void OutcomeHeat::refreshBoxes() {
    if (m_table.results.empty()) return;  // the choice stays
    const QString former = m_results->count() > 0 ? resultKey() : m_wantedResult;
    const QSignalBlocker quiet(m_results);
    m_results->clear();
    for (const OutcomeTable::Result& each : m_table.results)
        m_results->addItem(plainSymbol(each.title), each.key);
    m_results->setCurrentIndex(std::max(0, m_results->findData(former)));
}

void OutcomeHeat::refresh() {
    {
        const QSignalBlocker quiet(m_view);
        m_model.setContent(m_table, resultKey(), m_isTurned);
        m_view->setCurrentIndex(m_model.indexOf(m_currentRun));
    }
    const bool isEmpty = m_model.rowCount() == 0;
    m_empty->setText(m_table.axes.size() == 1
                         ? tr("The runs differ in %1 alone; a heat table takes two parameters. "
                              "The outcome chart shows one.")
                               .arg(m_table.axes.front())
                         : m_nothing);
    m_empty->setVisible(isEmpty);
    for (QWidget* part : {static_cast<QWidget*>(m_view), m_bar, static_cast<QWidget*>(m_results),
                          static_cast<QWidget*>(m_turn)})
        part->setVisible(!isEmpty);
    m_remark->setText(isEmpty ? QString()
                              : QStringLiteral("%1 × %2").arg(symbolHtml(m_model.rowAxis()),
                                                              symbolHtml(m_model.columnAxis())));
    m_remark->setToolTip(isEmpty ? QString()
                                 : tr("Rows are the values of %1, columns those of %2")
                                       .arg(m_model.rowAxis(), m_model.columnAxis()));
    m_bar->update();
}

QString OutcomeHeat::figureTitle() const {
    return hasFigure() ? tr("%1 by %2 and %3")
                             .arg(m_model.resultTitle(), m_model.rowAxis(), m_model.columnAxis())
                       : QString();
}

QSizeF OutcomeHeat::figureSize() const {
    return QSizeF(64 + kOutcomeBarWidth + 72 * std::max(1, m_model.columnCount()),
                  std::max(170, 42 + 36 * m_model.rowCount()));
}

QJsonObject OutcomeHeat::figureState() const {
    return {{QStringLiteral("result"), resultKey()}, {QStringLiteral("turned"), m_isTurned}};
}

void OutcomeHeat::restoreFigure(const QJsonObject& state) {
    m_isTurned = state[QLatin1String("turned")].toBool(m_isTurned);
    setResultKey(state[QLatin1String("result")].toString(resultKey()));
}

void OutcomeHeat::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    paintOutcomeTable(painter, m_model,
                      QRectF(QPointF(8, 4), QSizeF(page.size.width() - 12, page.size.height() - 8)),
                      page.hasLegend, *page.tokens);
}

}  // namespace orrery
