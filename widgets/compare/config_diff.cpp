#include "widgets/compare/config_diff.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "core/run/archive/stored_facts.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr std::size_t kMostSettings = 8;

/// The first value of a setting, or every one that occurs.
QString valuesOf(const ConfigRow& row, const std::vector<std::size_t>& places) {
    QStringList values;
    for (const std::size_t place : places) {
        const QString value = QString::fromStdString(row.values[place]);
        if (!values.contains(value)) values << value;
    }
    std::ranges::sort(values, [](const QString& a, const QString& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);  // whole numbers ascend
    });
    return values.size() <= 6 ? values.join(QStringLiteral(", "))
                              : QObject::tr("%1 values").arg(values.size());
}

/// Fields and values in the number face; what differs is bold.
class DiffDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        const bool isLast = index.column() + 1 == index.model()->columnCount();
        const bool differs = index.data(ConfigDiffModel::DiffersRole).toBool();
        painter->save();
        const QRectF cell(option.rect);
        if ((option.state & QStyle::State_Selected) != 0) painter->fillRect(cell, t.currentRow);
        painter->fillRect(QRectF(cell.left(), cell.bottom() - 1, cell.width(), 1), t.border);
        painter->setPen(isLast ? t.text2 : t.text);
        if (isLast)
            painter->setFont(interfaceFont(11));
        else
            painter->setFont(
                numberFont(12, differs && index.column() > 0 ? QFont::DemiBold : QFont::Normal));
        const QString text = painter->fontMetrics().elidedText(
            index.data().toString(), Qt::ElideRight, static_cast<int>(cell.width()) - 16);
        painter->drawText(cell.adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return QSize(80, 28);
    }
};

/// Heads a setting's column with its line sample.
class SettingHeader : public QHeaderView {
public:
    explicit SettingHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setFixedHeight(28);
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Tokens& t = currentTokens();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setClipRect(rect);
        painter->fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), t.border);
        const QVariant color =
            model()->headerData(section, orientation(), ConfigDiffModel::ColorRole);
        double x = rect.left() + 8;
        if (color.isValid()) {
            paintLineSample(*painter, QPointF(x, rect.center().y() + 0.5), color.toInt());
            x += 26;
        }
        painter->setPen(t.text2);
        const QString words = model()->headerData(section, orientation()).toString();
        const QFontMetrics metrics(interfaceFont(11));
        paintWords(
            *painter, QPointF(x, rect.center().y() + 4), 11,
            metrics.elidedText(words, Qt::ElideMiddle, static_cast<int>(rect.right() - 8 - x)),
            QFont::Normal);
        painter->restore();
    }
};

}  // namespace

void ConfigDiffModel::setContent(const CompareSet& set, bool showsEqual,
                                 const QStringList& ignored) {
    m_differs.clear();
    m_colors.clear();
    m_numFields = m_numDiffering = 0;
    if (set.settings.empty()) return ReadyTable::setContent({}, {});
    std::vector<TableColumn> columns{{tr("Field")}};
    std::vector<RunRecord> runs;
    std::vector<RunFacts> facts;
    std::vector<std::vector<std::size_t>> places;
    for (const Setting& setting : set.settings) {
        if (m_colors.size() == kMostSettings) break;
        m_colors.push_back(setting.color);
        columns.push_back({setting.label});
        places.emplace_back();
        for (const int row : setting.rows) {
            places.back().push_back(runs.size());
            runs.push_back(set.sheet->runs[static_cast<std::size_t>(row)]);
            facts.push_back(set.sheet->facts[static_cast<std::size_t>(row)]);
        }
    }
    columns.push_back({tr("What it is")});
    std::vector<QStringList> rows;
    for (const ConfigRow& row : configRows(runs, facts)) {
        ++m_numFields;
        const QString field = QString::fromStdString(row.field);
        if (ignored.contains(field)) continue;
        m_numDiffering += row.differs;
        if (!row.differs && !showsEqual) continue;
        QStringList& shown = rows.emplace_back(QStringList{field});
        for (const auto& own : places) shown << valuesOf(row, own);
        shown << QString::fromStdString(row.meaning);
        m_differs.push_back(row.differs);
    }
    ReadyTable::setContent(std::move(columns), std::move(rows));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);  // colours
}

QVariant ConfigDiffModel::extra(int row, int column, int role) const {
    if (role == DiffersRole) return m_differs[static_cast<std::size_t>(row)];
    return ReadyTable::extra(row, column == 0 ? columnCount() - 1 : column, role);
}

QVariant ConfigDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == ColorRole && section > 0 && section <= std::ssize(m_colors))
        return m_colors[static_cast<std::size_t>(section - 1)];
    return ReadyTable::headerData(section, orientation, role);
}

ConfigDiff::ConfigDiff(QWidget* parent)
    : QWidget(parent),
      m_equal(new QPushButton(tr("Show equal"), this)),
      m_all(new QPushButton(this)),
      m_view(new QTableView(this)),
      m_empty(makeLabel({}, "hint", this)) {
    setObjectName(QStringLiteral("configDiff"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Config diff"), "section", this));
    m_remark = makeRemark({}, "hint", this);
    head->addWidget(m_remark);
    head->addStretch(1);
    m_all->setObjectName(QStringLiteral("configDiffAll"));
    m_equal->setObjectName(QStringLiteral("configDiffEqual"));
    m_equal->setCheckable(true);
    m_equal->setToolTip(tr("Show fields too in which the runs agree"));
    head->addWidget(m_all);
    head->addWidget(m_equal);
    layout->addLayout(head);
    m_view->setObjectName(QStringLiteral("configDiffRows"));
    m_view->setAccessibleName(tr("Fields in which the runs differ"));
    m_view->setHorizontalHeader(new SettingHeader(m_view));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new DiffDelegate(m_view));
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(28);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->installEventFilter(this);
    layout->addWidget(m_view, 1);
    m_empty->setWordWrap(true);
    layout->addWidget(m_empty, 1, Qt::AlignTop);
    connect(m_equal, &QPushButton::toggled, this, [this] {
        refresh();
        Q_EMIT viewChanged();
    });
    connect(m_all, &QPushButton::clicked, this, [this] { setIgnored({}); });
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (!m_view->indexAt(at).isValid()) return;
        QMenu menu(this);
        menu.addAction(tr("Ignore this field"), this, &ConfigDiff::ignoreCurrent);
        menu.exec(m_view->viewport()->mapToGlobal(at));
    });
    refresh();
}

void ConfigDiff::setCompareSet(const CompareSet& set) {
    m_set = set;
    refresh();
}

void ConfigDiff::setIgnored(const QStringList& fields) {
    m_ignored = fields;
    refresh();
    Q_EMIT viewChanged();
}

bool ConfigDiff::showsEqual() const {
    return m_equal->isChecked();
}

void ConfigDiff::setShowsEqual(bool shows) {
    m_equal->setChecked(shows);
}

void ConfigDiff::ignoreCurrent() {
    if (!m_view->currentIndex().isValid()) return;
    setIgnored(m_ignored + QStringList{m_model.fieldOf(m_view->currentIndex().row())});
}

void ConfigDiff::refresh() {
    m_model.setContent(m_set, showsEqual(), m_ignored);
    const int hidden = static_cast<int>(m_ignored.size());
    m_all->setVisible(hidden > 0 && !m_set.isEmpty());
    m_all->setText(tr("%1 ignored").arg(hidden));
    m_all->setToolTip(tr("Look at %1 again").arg(m_ignored.join(QStringLiteral(", "))));
    m_remark->setText(
        m_set.isEmpty()
            ? QString()
            : tr("%1 of %2 fields differ").arg(m_model.numDiffering()).arg(m_model.numFields()));
    const bool hasRows = m_model.rowCount() > 0;
    m_view->setVisible(hasRows);
    m_empty->setVisible(!hasRows);
    m_empty->setText(m_set.rows.size() < 2
                         ? tr("Check two runs or more to see in what they differ.")
                         : tr("The %1 runs have the same configuration.").arg(m_set.rows.size()));
    for (int c = 0; c < m_model.columnCount(); ++c)
        m_view->setColumnWidth(c, c + 1 == m_model.columnCount() ? 100 : 116);
    m_view->horizontalHeader()->setStretchLastSection(true);
}

QString ConfigDiff::tsv() const {
    QStringList lines;
    for (int row = -1; row < m_model.rowCount(); ++row) {
        QStringList cells;
        for (int c = 0; c < m_model.columnCount(); ++c)
            cells << (row < 0 ? m_model.headerData(c, Qt::Horizontal, Qt::DisplayRole)
                              : m_model.index(row, c).data())
                         .toString();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

bool ConfigDiff::eventFilter(QObject* object, QEvent* event) {
    if (object == m_view && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        ignoreCurrent();
        return true;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace orrery
