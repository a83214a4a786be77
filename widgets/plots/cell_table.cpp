#include "widgets/plots/cell_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPixmap>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 20;
constexpr int kMostShownRows = 12;  // before it scrolls
constexpr int kLeastNameWidth = 72;

QPixmap lineSample(int color) {
    static constexpr int kScale = 2;
    QPixmap sample(18 * kScale, 12 * kScale);
    sample.setDevicePixelRatio(kScale);
    sample.fill(Qt::transparent);
    QPainter painter(&sample);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(seriesPen(currentTokens(), color));
    painter.drawLine(QLineF(0, 6, 18, 6));
    return sample;
}

QString elidedWords(double pixels, QString text, double width) {
    if (wordsWidth(pixels, text, 400) <= width) return text;
    while (!text.isEmpty() && wordsWidth(pixels, text + u'…', 400) > width) text.chop(1);
    return text + u'…';
}

/// Names with their symbols set as such; the other columns as usual.
class NameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem blank = option;
        initStyleOption(&blank, index);
        const QString text = blank.text;
        const bool hasSample = !blank.icon.isNull();
        blank.text.clear();
        const QStyle* style = blank.widget->style();
        style->drawControl(QStyle::CE_ItemViewItem, &blank, painter, blank.widget);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(currentTokens().text);
        const double left = option.rect.left() + (hasSample ? kNameLeft : 4.0);
        paintWords(*painter, {left, option.rect.center().y() + 4.5}, kNameSize,
                   elidedWords(kNameSize, text, option.rect.right() - 2 - left), 400);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QString text = index.data().toString();
        const bool hasSample = index.data(Qt::DecorationRole).isValid();
        return QSize(static_cast<int>(std::ceil(wordsWidth(kNameSize, text, 400) + 8 +
                                                (hasSample ? kNameLeft : 4))),
                     kRowHeight);
    }

private:
    static constexpr double kNameLeft = 30, kNameSize = 11;
};

}  // namespace

CellModel::Cell CellModel::value(double value) {
    if (std::isnan(value)) return {QString(), value, true};
    return {significantText(value), value, true};
}

CellModel::Cell CellModel::count(double count) {
    if (!std::isfinite(count) || count != std::trunc(count) || std::abs(count) > 1e15)
        return value(count);
    return {countText(static_cast<std::int64_t>(count)), count, true};
}

void CellModel::setTable(const QStringList& headers, std::vector<Row> rows) {
    std::vector<TableColumn> columns;
    for (const QString& header : headers)
        columns.push_back({header, columns.empty() ? CellFace::Text : CellFace::Number});
    const bool isSameShape = columns == this->columns() && rows.size() == m_rows.size();
    if (!isSameShape) {
        beginResetModel();
        setColumns(std::move(columns));
    }
    m_rows = std::move(rows);
    if (m_sortColumn >= headers.size()) m_sortColumn = -1;
    sortRows();
    isSameShape ? tellCells() : endResetModel();
}

QString CellModel::tsv() const {
    QStringList headings;
    for (const TableColumn& column : columns()) headings << column.heading;
    QStringList lines{headings.join(QLatin1Char('\t'))};
    for (const Row& row : m_rows) {
        QStringList cells;
        for (const Cell& cell : row.cells)
            cells << (!cell.isNumber            ? cell.text
                      : std::isnan(cell.number) ? QString()
                                                : QString::number(cell.number, 'g', 17));
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QVariant CellModel::extra(int row, int column, int role) const {
    const bool isNumber = cellAt(row, column).isNumber;
    const auto& [color, cells, tip] = m_rows[static_cast<std::size_t>(row)];
    switch (role) {
        case Qt::TextAlignmentRole:
            return static_cast<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::FontRole:
            return isNumber ? numberFont(11, column == 1 ? QFont::DemiBold : QFont::Normal)
                            : interfaceFont(11);
        case Qt::ForegroundRole:
            return column <= 1 ? currentTokens().text : currentTokens().text2;
        case Qt::DecorationRole:
            return column == 0 && color >= 0 ? lineSample(color) : QVariant();
        case Qt::ToolTipRole:
            return tip.isEmpty() ? QVariant() : tip;
        default:
            return {};
    }
}

void CellModel::sort(int column, Qt::SortOrder order) {
    Q_EMIT layoutAboutToBeChanged();
    m_sortColumn = column;
    m_sortOrder = order;
    sortRows();
    Q_EMIT layoutChanged();
}

void CellModel::sortRows() {
    if (m_sortColumn < 0) return;
    const auto column = static_cast<std::size_t>(m_sortColumn);
    std::ranges::stable_sort(m_rows, [&](const Row& a, const Row& b) {
        const Cell& left = a.cells[column];
        const Cell& right = b.cells[column];
        const bool isDown = m_sortOrder == Qt::DescendingOrder;
        if (!left.isNumber || !right.isNumber)
            return isDown ? right.text < left.text : left.text < right.text;
        if (std::isnan(left.number) || std::isnan(right.number))  // the missing ones last
            return !std::isnan(left.number) && std::isnan(right.number);
        return isDown ? right.number < left.number : left.number < right.number;
    });
}

CellTable::CellTable(const QString& name, QWidget* parent) : QTableView(parent) {
    setObjectName(name);
    setModel(&m_model);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setTabKeyNavigation(false);
    setIconSize(QSize(18, 12));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    horizontalHeader()->setFixedHeight(kRowHeight);
    horizontalHeader()->setHighlightSections(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setWordWrap(false);
    setItemDelegateForColumn(0, new NameDelegate(this));
    // Sorting starts with the first click on a header; until then rows keep their own order.
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
}

void CellTable::setTable(const QStringList& headers, std::vector<CellModel::Row> rows) {
    m_model.setTable(headers, std::move(rows));
    resizeColumnsToContents();
    updateGeometry();
}

void CellTable::elideNames(int mostWidth) {
    const int excess = sizeHint().width() - mostWidth;
    if (excess <= 0 || m_model.columnCount() == 0) return;
    const int width = columnWidth(0);
    setColumnWidth(0, std::min(width, std::max(kLeastNameWidth, width - excess)));
}

void CellTable::copy() const {
    QGuiApplication::clipboard()->setText(m_model.tsv());
}

void CellTable::setHeaderShown(bool isShown) {
    horizontalHeader()->setVisible(isShown);
}

QSize CellTable::sizeHint() const {
    const int rows = std::min(m_model.rowCount(), kMostShownRows);
    const int header = horizontalHeader()->isHidden() ? 0 : kRowHeight;
    const int bar = m_model.rowCount() > kMostShownRows ? 12 : 0;
    return QSize(horizontalHeader()->length() + bar + 2, rows * kRowHeight + header + 2);
}

void CellTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableView::keyPressEvent(event);
}

}  // namespace orrery
