#include "widgets/help/help_window.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/help/help_browser.h"
#include "widgets/help/help_manual.h"

namespace orrery {

namespace {

constexpr int kHitHeight = 44;
constexpr char kIconProperty[] = "iconName";
const QString kFirstPage = QStringLiteral("index");

}  // namespace

HelpWindow::HelpWindow(const HelpManual* manual, QWidget* parent)
    : QWidget(parent, Qt::Window), m_manual(manual), m_browser(new HelpBrowser(manual, this)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Orrery help"));
    setProperty("look", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    resize(1080, 740);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeContents());
    auto* right = new QWidget(splitter);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    rightColumn->addWidget(m_browser, 1);
    rightColumn->addWidget(makeFindBar());
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({220, 860});
    column->addWidget(splitter, 1);
    // The source itself changes only after sourceChanged.
    connect(m_browser, &QTextBrowser::historyChanged, this, &HelpWindow::markPage);
    const auto key = [this](const QKeySequence& keys, auto what) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, what);
    };
    key(QKeySequence(QStringLiteral("Alt+Left")), [this] { m_browser->backward(); });
    key(QKeySequence(QStringLiteral("Alt+Right")), [this] { m_browser->forward(); });
    key(QKeySequence(QStringLiteral("Ctrl+F")), [this] { openFind(); });
    key(QKeySequence(QStringLiteral("F3")), [this] { find(false); });
    key(QKeySequence(QStringLiteral("Shift+F3")), [this] { find(true); });
    key(QKeySequence(QStringLiteral("Ctrl+K")), [this] { m_search->setFocus(); });
    key(QKeySequence(QStringLiteral("Ctrl+W")), [this] { close(); });
    refreshIcons();
}

QToolButton* HelpWindow::makeButton(const char* name, const char* icon, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setProperty("look", QStringLiteral("plain"));
    button->setProperty(kIconProperty, QLatin1String(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QWidget* HelpWindow::makeBar() {
    auto* bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(4);
    QToolButton* back = makeButton("helpBack", "go-previous", tr("Back (Alt+Left)"));
    QToolButton* forward = makeButton("helpForward", "go-next", tr("Forward (Alt+Right)"));
    QToolButton* first = makeButton("helpFirst", "go-home", tr("First page"));
    QToolButton* findInPage = makeButton("helpFind", "edit-find", tr("Find in this page (Ctrl+F)"));
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    connect(back, &QToolButton::clicked, m_browser, &QTextBrowser::backward);
    connect(forward, &QToolButton::clicked, m_browser, &QTextBrowser::forward);
    connect(first, &QToolButton::clicked, this, [this] { open(kFirstPage); });
    connect(findInPage, &QToolButton::clicked, this, &HelpWindow::openFind);
    m_search = new QLineEdit(bar);
    m_search->setObjectName(QStringLiteral("helpSearch"));
    m_search->setPlaceholderText(tr("Search the manual (Ctrl+K)"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(280);
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::search);
    for (QWidget* widget : {back, forward, first, findInPage}) row->addWidget(widget);
    row->addStretch(1);
    row->addWidget(m_search);
    return bar;
}

QWidget* HelpWindow::makeContents() {
    m_left = new QStackedWidget(this);
    m_contents = new QTreeWidget(m_left);
    m_contents->setObjectName(QStringLiteral("helpContents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    m_contents->setRootIsDecorated(false);
    m_contents->setIndentation(14);
    m_contents->setStyleSheet(
        QStringLiteral("QTreeView { padding-left: 8px; } QTreeView::item { padding: 4px 6px; }"));
    QTreeWidgetItem* group = nullptr;
    for (const HelpPage& page : m_manual->pages()) {
        if (!group || group->text(0) != page.group) {
            group = new QTreeWidgetItem(m_contents, {page.group});
            group->setFlags(Qt::ItemIsEnabled);
            QFont font = group->font(0);
            font.setBold(true);
            group->setFont(0, font);
        }
        auto* item = new QTreeWidgetItem(group, {page.title});
        item->setData(0, Qt::UserRole, page.name);
    }
    m_contents->expandAll();
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        const QString name = item ? item->data(0, Qt::UserRole).toString() : QString();
        if (!name.isEmpty() && name != page()) open(name);
    });
    auto* results = new QWidget(m_left);
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(0, 0, 0, 0);
    m_nothing = makeLabel({}, "name", results);
    m_nothing->setObjectName(QStringLiteral("helpNothing"));
    m_nothing->setWordWrap(true);
    m_nothing->setContentsMargins(12, 12, 12, 12);
    m_hits = new RowList(QStringLiteral("helpHits"), kHitHeight, 0, results);
    m_hits->setAccessibleName(tr("Found in the manual"));
    column->addWidget(m_nothing);
    column->addWidget(m_hits, 1);
    connect(m_hits, &RowList::picked, this, [this](int row) {
        if (row >= 0 && row < m_addresses.size()) open(m_addresses[row]);
    });
    m_left->addWidget(m_contents);
    m_left->addWidget(results);
    return m_left;
}

QWidget* HelpWindow::makeFindBar() {
    m_findBar = new QFrame(this);
    m_findBar->setProperty("look", QStringLiteral("foot"));
    auto* row = new QHBoxLayout(m_findBar);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    m_find = new QLineEdit(m_findBar);
    m_find->setObjectName(QStringLiteral("helpFindText"));
    m_find->setPlaceholderText(tr("Find in this page"));
    m_find->setAccessibleName(m_find->placeholderText());
    m_find->setFixedWidth(240);
    m_findResult = makeLabel({}, "hint", m_findBar);
    m_findResult->setObjectName(QStringLiteral("helpFindResult"));
    row->addWidget(m_find);
    row->addWidget(m_findResult);
    row->addStretch(1);
    connect(m_find, &QLineEdit::textChanged, this, [this] {
        QTextCursor cursor = m_browser->textCursor();
        cursor.setPosition(cursor.selectionStart());
        m_browser->setTextCursor(cursor);
        find(false);
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { find(false); });
    m_findBar->hide();
    return m_findBar;
}

void HelpWindow::open(const QString& address) {
    if (!m_browser->open(address)) m_browser->open(kFirstPage);
    show();
    raise();
    activateWindow();
}

QString HelpWindow::page() const {
    return m_browser->page();
}

void HelpWindow::markPage() {
    for (QTreeWidgetItemIterator it(m_contents); *it; ++it)
        if ((*it)->data(0, Qt::UserRole).toString() == page()) m_contents->setCurrentItem(*it);
    m_findResult->clear();
}

void HelpWindow::search(const QString& words) {
    const QString wanted = words.simplified();
    m_left->setCurrentIndex(wanted.isEmpty() ? 0 : 1);
    if (wanted.isEmpty()) return;
    std::vector<Row> rows;
    m_addresses.clear();
    for (const HelpHit& hit : m_manual->search(wanted)) {
        Row row;
        row.title = hit.title;
        row.subtitle = row.tip = hit.excerpt;
        rows.push_back(std::move(row));
        m_addresses << hit.address;
    }
    m_nothing->setText(
        tr("No page has all of these words. Try fewer, or clear the search for the "
           "contents."));
    m_nothing->setVisible(rows.empty());
    m_hits->setVisible(!rows.empty());
    m_hits->setRows(std::move(rows));
}

void HelpWindow::find(bool isBackward) {
    const QString text = m_find->text();
    if (text.isEmpty()) return m_findResult->clear();
    QTextDocument::FindFlags flags;
    if (isBackward) flags |= QTextDocument::FindBackward;
    if (m_browser->find(text, flags)) return m_findResult->clear();
    m_browser->moveCursor(isBackward ? QTextCursor::End : QTextCursor::Start);
    m_findResult->setText(m_browser->find(text, flags) ? tr("from the other end")
                                                       : tr("not in this page"));
}

void HelpWindow::openFind() {
    m_findBar->show();
    m_find->setFocus();
    m_find->selectAll();
}

void HelpWindow::closeFind() {
    m_findBar->hide();
    m_browser->setFocus();
}

void HelpWindow::refreshIcons() {
    for (QToolButton* button : findChildren<QToolButton*>()) {
        const QString icon = button->property(kIconProperty).toString();
        if (!icon.isEmpty()) button->setIcon(themedIcon(icon, currentTokens()));
    }
}

void HelpWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
    if (m_findBar->isVisible())
        closeFind();
    else if (!m_search->text().isEmpty())
        m_search->clear();
    else
        close();
}

void HelpWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QWidget::changeEvent(event);
}

}  // namespace orrery
