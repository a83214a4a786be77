#include "widgets/compare/runs_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <numeric>
#include <utility>

#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/chip_row.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/run_row_delegate.h"

namespace orrery {

namespace {

constexpr int kProblemPause = 600;  // ms
constexpr int kNumPaletteColors = 8;

int widthOf(const QString& key) {
    if (key == QLatin1String("state")) return 92;
    if (key == QLatin1String("world") || key == QLatin1String("note")) return 130;
    if (key == QLatin1String("created") || key == QLatin1String("v_r")) return 80;
    if (key == QLatin1String("x_h")) return 60;
    return std::clamp(24 + 7 * static_cast<int>(key.size()), 60, 120);
}

}  // namespace

RunsTable::RunsTable(QWidget* parent)
    : QWidget(parent),
      m_bar(new QWidget(this)),
      m_filter(new QLineEdit(m_bar)),
      m_problem(makeLabel({}, "problem", m_bar)),
      m_chips(new ChipRow(m_bar)),
      m_group(new QComboBox(m_bar)),
      m_columnButton(new QPushButton(tr("Columns"), m_bar)),
      m_trashButton(new QPushButton(tr("Trash"), m_bar)),
      m_view(new QTableView(this)),
      m_header(new SymbolHeader(m_view)),
      m_strip(new MessageStrip(this)),
      m_empty(makeLabel(tr("Reading the runs of the workspace ..."), "hint", this)),
      m_pause(new QTimer(this)) {
    buildBar();
    buildTable();
    connect(&m_model, &RunTableModel::checkedByPerson, this, &RunsTable::checkedByPerson);
    connect(&m_model, &RunTableModel::edited, this, &RunsTable::edited);
    connect(&m_model, &RunTableModel::sortChanged, this, [this] {
        refreshHeader();
        Q_EMIT shownChanged();
    });
    m_pause->setSingleShot(true);
    m_pause->setInterval(kProblemPause);
    connect(m_pause, &QTimer::timeout, this, &RunsTable::showProblem);
}

void RunsTable::buildBar() {
    m_bar->setObjectName(QStringLiteral("runsBar"));
    auto* layout = new QVBoxLayout(m_bar);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_filter->setObjectName(QStringLiteral("runsFilter"));
    m_filter->setAccessibleName(tr("Filter of runs"));
    m_filter->setPlaceholderText(tr("beta_r >= 5 and state: done"));
    m_filter->setToolTip(
        tr("Fields and = != < <= > >= ~ : joined by and, or, not; Enter turns "
           "“tag: paper” into a chip"));
    m_funnel = m_filter->addAction(themedIcon(QStringLiteral("view-filter"), currentTokens()),
                                   QLineEdit::LeadingPosition);
    m_filter->setMinimumWidth(120);
    m_filter->installEventFilter(this);
    m_group->setObjectName(QStringLiteral("runsGroup"));
    m_group->setAccessibleName(tr("Group runs by"));
    m_group->setMinimumWidth(96);
    m_columnButton->setObjectName(QStringLiteral("runsColumns"));
    m_columnButton->setToolTip(tr("Choose the columns of the table"));
    m_trashButton->setObjectName(QStringLiteral("runsTrash"));
    m_trashButton->setCheckable(true);
    m_trashButton->setToolTip(tr("Show what is in the trash; runs stay there for 30 days"));
    row->addWidget(m_filter, 3);
    row->addWidget(m_chips);
    row->addWidget(makeLabel(tr("Group by"), "label", m_bar));
    row->addWidget(m_group);
    row->addWidget(m_columnButton);
    row->addWidget(m_trashButton);
    layout->addLayout(row);
    m_problem->setObjectName(QStringLiteral("runsFilterProblem"));
    m_problem->hide();
    layout->addWidget(m_problem);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        m_pause->start();
        refilter();
    });
    connect(m_chips, &ChipRow::removed, this, [this](int chip) {
        QStringList left = m_chips->chips();
        left.removeAt(chip);
        setChips(left);
    });
    connect(m_group, &QComboBox::activated, this,
            [this](int index) { setGroup(m_group->itemData(index).toString()); });
    connect(m_columnButton, &QPushButton::clicked, this, &RunsTable::showColumnMenu);
    connect(m_trashButton, &QPushButton::toggled, this, &RunsTable::setTrashShown);
}

void RunsTable::buildTable() {
    m_view->setObjectName(QStringLiteral("runsTable"));
    m_view->setAccessibleName(tr("Runs"));
    m_view->setHorizontalHeader(m_header);
    m_view->setModel(&m_model);
    auto* delegate = new RunRowDelegate(m_view);
    m_view->setItemDelegate(delegate);
    m_view->setShowGrid(false);
    m_view->setMouseTracking(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(28);
    m_header->setSortIndicator(-1, Qt::AscendingOrder);  // newest first until a header is pressed
    m_view->setSortingEnabled(true);
    m_view->installEventFilter(this);
    m_strip->setObjectName(QStringLiteral("runsStrip"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(kEmptyRoom);
    m_empty->setObjectName(QStringLiteral("runsTableEmpty"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_strip);
    connect(delegate, &RunRowDelegate::openToggled, &m_model, &RunTableModel::toggleOpen);
    connect(m_strip, &MessageStrip::acted, this, &RunsTable::showFound);
    connect(m_view, &QWidget::customContextMenuRequested, this, &RunsTable::showContextMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunsTable::selectionMoved);
    connect(m_view, &QTableView::entered, this, [this](const QModelIndex& index) {
        const int row = m_model.rowOf(index.row());
        Q_EMIT hovered(row < 0 ? QString()
                               : QString::fromStdString(
                                     m_model.sheet()->runs[static_cast<std::size_t>(row)].id));
    });
    connect(m_view, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const int row = m_model.rowOf(index.row()); row >= 0)
            Q_EMIT opened(
                QString::fromStdString(m_model.sheet()->runs[static_cast<std::size_t>(row)].id));
    });
}

void RunsTable::selectionMoved() {
    const QModelIndex index = m_view->currentIndex();
    if (m_isMoving || !index.isValid()) return;
    if (const int row = m_model.rowOf(index.row()); row >= 0)
        Q_EMIT picked(
            QString::fromStdString(m_model.sheet()->runs[static_cast<std::size_t>(row)].id));
}

void RunsTable::setSheet(std::shared_ptr<const RunSheet> sheet) {
    m_isMoving = true;
    m_model.setSheet(std::move(sheet));
    m_isMoving = false;
    refreshGroups();
    refilter();
}

void RunsTable::setCurrent(const QString& runId) {
    m_model.setCurrent(runId);
    if (!m_model.sheet()) return;
    const int line = m_model.lineOf(m_model.sheet()->rowOf(runId));
    if (line < 0 || m_view->currentIndex().row() == line) return;
    m_isMoving = true;
    m_view->setCurrentIndex(m_model.index(line, 0));
    m_isMoving = false;
}

void RunsTable::setFilter(const QString& text) {
    m_filter->setText(text);
}

const QStringList& RunsTable::chips() const {
    return m_chips->chips();
}

void RunsTable::setChips(const QStringList& chips) {
    if (chips == m_chips->chips()) return;
    m_chips->setChips(chips);
    refilter();
}

QString RunsTable::problemText() const {
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void RunsTable::setTrashShown(bool isShown) {
    if (isShown == m_isTrash) return;
    m_isTrash = isShown;
    m_trashButton->setChecked(isShown);
    refilter();
}

void RunsTable::setGroup(const QString& key) {
    m_wantedGroup = key;
    const int at = m_group->findData(key);
    if (at >= 0) m_group->setCurrentIndex(at);
    m_model.setGroup(at >= 0 ? key : QString());
    m_header->setSortIndicatorShown(true);
    Q_EMIT shownChanged();
}

void RunsTable::refreshGroups() {
    QStringList keys{QString(), QStringLiteral("world"), QStringLiteral("tag"),
                     QStringLiteral("state")};
    const auto& sheet = m_model.sheet();
    if (sheet) {
        std::vector<int> all(static_cast<std::size_t>(sheet->size()));
        std::iota(all.begin(), all.end(), 0);
        for (const QString& key : differingKeys(*sheet, all))
            if (!keys.contains(key)) keys << key;
        keys << QStringLiteral("seed");
    }
    m_group->clear();
    for (const QString& key : keys) {
        const SheetColumn* column = sheet ? sheet->column(key) : nullptr;
        m_group->addItem(key.isEmpty() ? tr("nothing")
                         : column      ? column->title.toLower()
                                       : key,
                         key);
    }
    setGroup(m_wantedGroup);
}

QStringList RunsTable::automaticColumns() const {
    const auto& sheet = m_model.sheet();
    return sheet ? tellingColumns(*sheet, m_model.shown()) : QStringList{QStringLiteral("state")};
}

void RunsTable::refreshColumns() {
    QStringList keys = m_chosenColumns.isEmpty() ? automaticColumns() : m_chosenColumns;
    keys.removeIf([&](const QString& key) { return m_model.sheet()->column(key) == nullptr; });
    const bool isNew = keys != m_model.columns();
    m_model.setColumns(keys);
    if (isNew) refreshHeader();
}

void RunsTable::refreshHeader() {
    const QStringList& keys = m_model.columns();
    m_header->setSectionResizeMode(0, QHeaderView::Interactive);
    m_header->resizeSection(0, 210);
    for (int i = 0; i < keys.size(); ++i) m_header->resizeSection(i + 1, widthOf(keys[i]));
    const int sorted = m_model.sortKey() == QLatin1String("name")
                           ? 0
                           : static_cast<int>(keys.indexOf(m_model.sortKey())) + 1;
    const QSignalBlocker quiet(m_header);
    const bool isShown =
        !m_model.sortKey().isEmpty() && (sorted > 0 || m_model.sortKey() == QLatin1String("name"));
    m_header->setSortIndicator(isShown ? sorted : -1, m_model.sortOrder());
}

void RunsTable::showColumnMenu() {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("runsColumnMenu"));
    QAction* own = menu.addAction(tr("Those that differ"));
    own->setCheckable(true);
    own->setChecked(m_chosenColumns.isEmpty());
    SheetPart part = SheetPart::Identity;
    menu.addSeparator();
    for (const SheetColumn& column :
         m_model.sheet() ? m_model.sheet()->columns : std::vector<SheetColumn>()) {
        if (column.key == QLatin1String("name")) continue;
        if (column.part != part) menu.addSeparator();
        part = column.part;
        QAction* action = menu.addAction(column.title);
        action->setCheckable(true);
        action->setChecked(m_model.columns().contains(column.key));
        action->setData(column.key);
    }
    const QAction* chosen =
        menu.exec(m_columnButton->mapToGlobal(QPoint(0, m_columnButton->height())));
    if (chosen == nullptr) return;
    if (chosen == own) {
        m_chosenColumns.clear();
    } else {
        const QString key = chosen->data().toString();
        m_chosenColumns = m_model.columns();
        if (!m_chosenColumns.removeOne(key)) m_chosenColumns << key;
    }
    refreshColumns();
    Q_EMIT shownChanged();
}

QStringList RunsTable::selectedRuns() const {
    QStringList ids;
    const auto add = [&](const QModelIndex& index) {
        for (const int row : m_model.rowsOf(index.row())) {
            const QString id =
                QString::fromStdString(m_model.sheet()->runs[static_cast<std::size_t>(row)].id);
            if (!ids.contains(id)) ids << id;
        }
    };
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) add(index);
    if (ids.isEmpty() && m_view->currentIndex().isValid()) add(m_view->currentIndex());
    return ids;
}

void RunsTable::showContextMenu(const QPoint& at) {
    const QStringList runs = selectedRuns();
    if (runs.isEmpty()) return;
    QMenu menu(this);
    const QString& first = runs.front();
    if (m_isTrash) {
        menu.addAction(tr("Take out of the trash"), this,
                       [this, runs] { Q_EMIT restoreRequested(runs); });
        menu.addAction(tr("Delete for good..."), this,
                       [this, runs] { Q_EMIT deleteRequested(runs); });
    } else {
        menu.addAction(tr("Open"), this, [this, first] { Q_EMIT opened(first); });
        menu.addAction(tr("Export..."), this, [this, first] { Q_EMIT exportRequested(first); });
        for (const auto& [key, text] :
             {std::pair("name", tr("Rename")), std::pair("tag", tr("Edit tags")),
              std::pair("note", tr("Edit note"))})
            menu.addAction(text, this, [this, key = QLatin1String(key)] { editCurrent(key); });
        QMenu* colors = menu.addMenu(tr("Colour"));
        for (int color = 0; color < kNumPaletteColors; ++color)
            colors->addAction(lineSampleIcon(color, devicePixelRatioF()),
                              tr("Colour %1").arg(color + 1), this,
                              [this, first, color] { Q_EMIT colorChosen(first, color); });
        menu.addSeparator();
        menu.addAction(tr("Put into the trash"), this,
                       [this, runs] { Q_EMIT trashRequested(runs); });
    }
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

void RunsTable::editCurrent(const QString& key) {
    const int row = m_model.rowOf(m_view->currentIndex().row());
    if (row < 0) return;
    int column = 0;
    if (key != QLatin1String("name")) {
        if (!m_model.columns().contains(key)) {
            m_chosenColumns = m_model.columns() + QStringList{key};
            refreshColumns();
            Q_EMIT shownChanged();
        }
        column = static_cast<int>(m_model.columns().indexOf(key)) + 1;
    }
    const QModelIndex index = m_model.index(m_model.lineOf(row), column);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    m_view->edit(index);
}

void RunsTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_funnel->setIcon(themedIcon(QStringLiteral("view-filter"), currentTokens()));
}

bool RunsTable::eventFilter(QObject* object, QEvent* event) {
    if (object == m_view && event->type() == QEvent::Leave) Q_EMIT hovered({});
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (object == m_filter && isReturn) {
        acceptFilter();
        return true;
    }
    if (object != m_view || !m_view->currentIndex().isValid())
        return QWidget::eventFilter(object, event);
    const int line = m_view->currentIndex().row();
    const bool isGroup = m_model.rowOf(line) < 0;
    if (isGroup && (isReturn || key == Qt::Key_Left || key == Qt::Key_Right)) {
        m_model.toggleOpen(line);
        m_view->setCurrentIndex(m_model.index(line, 0));
        return true;
    }
    if (isReturn) {
        Q_EMIT opened(selectedRuns().front());
        return true;
    }
    if (key != Qt::Key_Delete) return QWidget::eventFilter(object, event);
    if (m_isTrash)
        Q_EMIT deleteRequested(selectedRuns());
    else
        Q_EMIT trashRequested(selectedRuns());
    return true;
}

QJsonObject RunsTable::saveState() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("chips"), QJsonArray::fromStringList(m_chips->chips())},
            {QStringLiteral("group"), m_wantedGroup},
            {QStringLiteral("columns"), QJsonArray::fromStringList(m_chosenColumns)},
            {QStringLiteral("sort"), m_model.sortKey()},
            {QStringLiteral("descending"), m_model.sortOrder() == Qt::DescendingOrder}};
}

void RunsTable::restoreState(const QJsonObject& state) {
    const auto list = [&](const char* key) {
        QStringList texts;
        for (const auto& value : state[QLatin1String(key)].toArray()) texts << value.toString();
        return texts;
    };
    m_chosenColumns = list("columns");
    m_chips->setChips(list("chips"));
    m_filter->setText(state[QLatin1String("filter")].toString());
    m_model.setSort(
        state[QLatin1String("sort")].toString(),
        state[QLatin1String("descending")].toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    setGroup(state[QLatin1String("group")].toString());
    refilter();
}

}  // namespace orrery
