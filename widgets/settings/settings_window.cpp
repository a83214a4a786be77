#include "widgets/settings/settings_window.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/common/open_outside.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/words.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/settings/shortcut_page.h"

namespace orrery {

namespace {

constexpr QLatin1String kShortcuts("Shortcuts");
constexpr int kLabelWidth = 290, kEditorWidth = 200;

QString plainKey(const SettingSpec& spec) {
    return QString::fromLatin1(spec.key).replace(u'/', u'_');
}

}  // namespace

SettingsWindow::SettingsWindow(Preferences* preferences, Commands* commands, QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_preferences(preferences),
      m_commands(commands),
      m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_stack(new QStackedWidget(this)),
      m_nothing(makeLabel({}, "name", this)) {
    setObjectName(QStringLiteral("settingsWindow"));
    setWindowTitle(tr("Settings"));
    setProperty("look", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    resize(880, 600);
    m_search->setObjectName(QStringLiteral("settingsSearch"));
    m_search->setPlaceholderText(tr("Search settings"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("settingsPages"));
    m_list->setAccessibleName(tr("Pages"));
    m_list->setFixedWidth(160);
    m_nothing->setWordWrap(true);
    m_nothing->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 12);
    column->setSpacing(12);
    column->addWidget(m_search);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(m_list);
    auto* right = new QVBoxLayout;
    right->addWidget(m_nothing);
    right->addWidget(m_stack, 1);
    row->addLayout(right, 1);
    column->addLayout(row, 1);
    column->addLayout(makeFoot());
    makePages();
    connect(m_search, &QLineEdit::textChanged, this, &SettingsWindow::search);
    connect(preferences, &Preferences::changed, this, &SettingsWindow::refresh);
    connect(m_list, &QListWidget::currentRowChanged, this, &SettingsWindow::turnTo);
    m_list->setCurrentRow(0);
    QTimer::singleShot(0, this, &SettingsWindow::fillNext);
}

QHBoxLayout* SettingsWindow::makeFoot() {
    auto* foot = new QHBoxLayout;
    const QString folder = QFileInfo(m_preferences->fileName()).absolutePath();
    m_where =
        tr("Kept in <a href=\"%1\">%2</a>")
            .arg(QUrl::fromLocalFile(folder).toString(), m_preferences->fileName().toHtmlEscaped());
    QLabel* where = makeLabel(m_where, "hint", this);
    where->setObjectName(QStringLiteral("settingsPlace"));
    where->setTextInteractionFlags(Qt::TextBrowserInteraction);
    where->setToolTip(tr("Opens the folder"));
    connect(where, &QLabel::linkActivated, this,
            [](const QString& link) { openOutside(QUrl(link)); });
    foot->addWidget(where);
    foot->addStretch(1);
    auto* help = new QPushButton(tr("Help"), this);
    help->setObjectName(QStringLiteral("settingsHelp"));
    connect(help, &QPushButton::clicked, this, &SettingsWindow::helpRequested);
    foot->addWidget(help);
    return foot;
}

void SettingsWindow::makePages() {
    for (const QString& name : settingPages()) {
        m_pages << makePage(name);
        m_list->addItem(name);
    }
}

/// A page that is left takes no part in a change of the theme until it is shown again.
void SettingsWindow::turnTo(int row) {
    if (row < 0) return;
    Page& page = m_pages[row];
    fill(page);
    if (page.name == kShortcuts) shortcuts();
    setPutBy(m_pages[m_stack->currentIndex()].widget, true);
    setPutBy(page.widget, false);
    page.widget->show();
    m_stack->setCurrentIndex(row);
    Q_EMIT pageShown(page.name);
}

void SettingsWindow::fill(Page& page) {
    if (std::exchange(page.isFilled, true)) return;
    for (const SettingSpec& spec : settingTable())
        if (page.name == QLatin1String(spec.page)) addLine(page, spec);
    page.column->addWidget(page.facts);
    page.column->addStretch(1);
}

void SettingsWindow::fillNext() {
    const auto next = std::ranges::find(m_pages, false, &Page::isFilled);
    if (next == m_pages.end()) return;
    fill(*next);
    QTimer::singleShot(0, this, &SettingsWindow::fillNext);
}

/// Has a line for each command, and is made when it is needed.
ShortcutPage& SettingsWindow::shortcuts() {
    if (!m_shortcuts) {
        const auto page = std::ranges::find(m_pages, kShortcuts, &Page::name);
        m_shortcuts = new ShortcutPage(m_commands, m_preferences, page->widget);
        page->column->insertWidget(1, m_shortcuts);
        m_shortcuts->filter(m_search->text());
    }
    return *m_shortcuts;
}

SettingsWindow::Page SettingsWindow::makePage(const QString& name) {
    Page page;
    page.name = name;
    auto* area = new QScrollArea(m_stack);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    page.widget = new QWidget(area);
    page.column = new QVBoxLayout(page.widget);
    page.column->setContentsMargins(0, 0, 12, 0);
    page.column->setSpacing(16);
    page.column->addWidget(makeLabel(name, "title", page.widget));
    page.facts = makeLabel({}, "name", page.widget);
    page.facts->setObjectName(QStringLiteral("facts_") + name);
    page.facts->setWordWrap(true);
    page.facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    page.facts->hide();
    area->setWidget(page.widget);
    m_stack->addWidget(area);
    return page;
}

void SettingsWindow::addLine(Page& page, const SettingSpec& spec) {
    Line line{.spec = &spec};
    line.row = new QWidget(page.widget);
    auto* column = new QVBoxLayout(line.row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    line.label = makeLabel(tr(spec.label), "", line.row);
    line.label->setFixedWidth(kLabelWidth);  // so that all editors begin at one place
    line.label->setWordWrap(true);
    line.editor = makeEditor(spec, line.row);
    line.editor->setAccessibleName(tr(spec.label));
    line.editor->setAccessibleDescription(tr(spec.meaning));
    line.editor->setToolTip(tr(spec.meaning));
    line.label->setBuddy(line.editor);
    row->addWidget(line.label);
    row->addWidget(line.editor);
    line.reset = new QToolButton(line.row);
    line.reset->setObjectName(QStringLiteral("reset_") + plainKey(spec));
    line.reset->setText(tr("Reset"));
    line.reset->setAccessibleName(tr("Reset %1").arg(tr(spec.label)));
    const QVariant standard = settingDefault(spec);
    line.reset->setToolTip(tr("Back to the default: %1")
                               .arg(settingText(standard).isEmpty() ? tr("the standard place")
                                                                    : settingText(standard)));
    QSizePolicy resetSize(QSizePolicy::Fixed, QSizePolicy::Ignored);
    resetSize.setRetainSizeWhenHidden(true);  // or the row would move
    line.reset->setSizePolicy(resetSize);
    connect(line.reset, &QToolButton::clicked, this,
            [this, key = QString::fromLatin1(spec.key)] { m_preferences->reset(key); });
    row->addWidget(line.reset);
    row->addStretch(1);
    column->addLayout(row);
    QLabel* meaning = makeLabel(tr(spec.meaning), "name", line.row);
    meaning->setWordWrap(true);
    column->addWidget(meaning);
    line.remark = makeLabel({}, "name", line.row);
    line.remark->setObjectName(QStringLiteral("remark_") + plainKey(spec));
    line.remark->setWordWrap(true);
    line.remark->hide();
    column->addWidget(line.remark);
    page.column->addWidget(line.row);
    const QString key = QString::fromLatin1(spec.key);
    m_lines.insert(key, line);
    refresh(key);
}

QWidget* SettingsWindow::makeEditor(const SettingSpec& spec, QWidget* parent) {
    const QString key = QString::fromLatin1(spec.key);
    QWidget* editor = nullptr;
    if (spec.type == SettingType::Flag) {
        auto* box = new QCheckBox(parent);
        connect(box, &QCheckBox::toggled, this, [this, key](bool on) {
            if (!m_isRefreshing) m_preferences->setValue(key, on);
        });
        editor = box;
    } else if (spec.type == SettingType::Choice) {
        auto* box = new QComboBox(parent);
        const QStringList values = QString::fromLatin1(spec.choices).split(u'|');
        const QStringList names = tr(spec.choiceNames).split(u'|');
        for (int i = 0; i < values.size(); ++i) box->addItem(names.value(i), values[i]);
        connect(box, &QComboBox::currentIndexChanged, this, [this, key, box] {
            if (!m_isRefreshing) m_preferences->setValue(key, box->currentData());
        });
        editor = box;
    } else if (spec.type == SettingType::Folder) {
        return makeFolderEditor(spec, parent);
    } else {
        editor = makeNumberEditor(spec, parent);
    }
    editor->setObjectName(QStringLiteral("setting_") + plainKey(spec));
    if (spec.type != SettingType::Flag) editor->setFixedWidth(kEditorWidth);
    return editor;
}

QWidget* SettingsWindow::makeNumberEditor(const SettingSpec& spec, QWidget* parent) {
    const QString key = QString::fromLatin1(spec.key);
    const QString suffix = *spec.unit ? QStringLiteral(" %1").arg(tr(spec.unit)) : QString();
    if (spec.type == SettingType::Integer) {
        auto* box = new QSpinBox(parent);
        box->setRange(static_cast<int>(spec.low), static_cast<int>(spec.high));
        box->setSuffix(suffix);
        if (*spec.zeroText) box->setSpecialValueText(tr(spec.zeroText));
        box->setKeyboardTracking(false);
        connect(box, &QSpinBox::valueChanged, this, [this, key](int value) {
            if (!m_isRefreshing) m_preferences->setValue(key, value);
        });
        return box;
    }
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(spec.low, spec.high);
    box->setDecimals(1);
    box->setSuffix(suffix);
    box->setKeyboardTracking(false);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, key](double value) {
        if (!m_isRefreshing) m_preferences->setValue(key, value);
    });
    return box;
}

QWidget* SettingsWindow::makeFolderEditor(const SettingSpec& spec, QWidget* parent) {
    const QString key = QString::fromLatin1(spec.key);
    auto* both = new QWidget(parent);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    auto* line = new QLineEdit(both);
    line->setObjectName(QStringLiteral("setting_") + plainKey(spec));
    line->setMinimumWidth(kEditorWidth);
    line->setPlaceholderText(tr("The standard place"));
    line->setAccessibleName(tr(spec.label));
    auto* choose = new QPushButton(tr("Choose..."), both);
    choose->setObjectName(QStringLiteral("choose_") + plainKey(spec));
    row->addWidget(line);
    row->addWidget(choose);
    both->setFocusProxy(line);
    connect(line, &QLineEdit::editingFinished, this,
            [this, key, line] { m_preferences->setValue(key, line->text().trimmed()); });
    connect(choose, &QPushButton::clicked, this, [this, key, line] {
        const QString folder =
            QFileDialog::getExistingDirectory(this, tr("Choose a workspace"), line->text());
        if (!folder.isEmpty()) m_preferences->setValue(key, folder);
    });
    return both;
}

void SettingsWindow::refresh(const QString& key) {
    if (!m_lines.contains(key)) return;
    const Line& line = m_lines[key];
    const QVariant value = m_preferences->value(key);
    m_isRefreshing = true;
    if (auto* flag = qobject_cast<QCheckBox*>(line.editor))
        flag->setChecked(value.toBool());
    else if (auto* choice = qobject_cast<QComboBox*>(line.editor))
        choice->setCurrentIndex(choice->findData(value));
    else if (auto* whole = qobject_cast<QSpinBox*>(line.editor))
        whole->setValue(value.toInt());
    else if (auto* number = qobject_cast<QDoubleSpinBox*>(line.editor))
        number->setValue(value.toDouble());
    else if (auto* text = qobject_cast<QLineEdit*>(line.editor->focusProxy()))
        text->setText(value.toString());
    m_isRefreshing = false;
    const bool isChanged = m_preferences->isChanged(key);
    line.reset->setVisible(isChanged);
    QFont font = line.label->font();
    font.setBold(isChanged);
    line.label->setFont(font);
}

void SettingsWindow::showPage(const QString& page) {
    m_search->clear();
    for (int i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].name == page) m_list->setCurrentRow(i);
}

void SettingsWindow::setRemark(const QString& key, const QString& text) {
    for (const SettingSpec& spec : settingTable())
        if (key == QLatin1String(spec.key))
            fill(*std::ranges::find(m_pages, QLatin1String(spec.page), &Page::name));
    QLabel* remark = m_lines[key].remark;
    remark->setText(text);
    remark->setVisible(!text.isEmpty());
}

void SettingsWindow::setFacts(const QString& page, const QString& text) {
    for (const Page& each : std::as_const(m_pages))
        if (each.name == page) {
            each.facts->setText(text);
            each.facts->setVisible(!text.isEmpty());
        }
}

void SettingsWindow::search(const QString& words) {
    for (Page& page : m_pages) fill(page);
    const QStringList sought = wordsOf(words);
    QHash<QString, int> found;
    for (const Line& line : std::as_const(m_lines)) {
        const SettingSpec& spec = *line.spec;
        const bool fits = hasAll(QStringLiteral("%1 %2 %3 %4")
                                     .arg(tr(spec.label), tr(spec.meaning),
                                          QLatin1String(spec.page), tr(spec.choiceNames)),
                                 sought);
        line.row->setVisible(fits);
        if (fits) ++found[QLatin1String(spec.page)];
    }
    found[QString(kShortcuts)] = shortcuts().filter(words);
    int firstFound = -1;
    for (int i = 0; i < m_pages.size(); ++i) {
        const int count = found.value(m_pages[i].name);
        const bool isHidden = count == 0;
        m_list->item(i)->setHidden(isHidden);
        m_list->item(i)->setText(words.isEmpty() || isHidden
                                     ? m_pages[i].name
                                     : QStringLiteral("%1 (%2)").arg(m_pages[i].name).arg(count));
        if (!isHidden && firstFound < 0) firstFound = i;
    }
    m_nothing->setText(
        tr("No setting has \"%1\". Clear the search to see all of them.").arg(words));
    m_nothing->setVisible(firstFound < 0);
    m_stack->setVisible(firstFound >= 0);
    const int row = m_list->currentRow();
    if (firstFound >= 0 && (row < 0 || m_list->item(row)->isHidden()))
        m_list->setCurrentRow(firstFound);
}

void SettingsWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        // A label gives its links their colour when it is given its text.
        if (auto* where = findChild<QLabel*>(QStringLiteral("settingsPlace"))) {
            where->clear();
            where->setText(m_where);
        }
        // To make its lines again, some a turn, blocks less than to style all of them at once.
        if (m_shortcuts && m_pages[m_stack->currentIndex()].name != kShortcuts)
            std::exchange(m_shortcuts, nullptr)->deleteLater();
    }
    QWidget::changeEvent(event);
}

void SettingsWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (m_search->text().isEmpty())
            close();
        else
            m_search->clear();
        return;
    }
    if (event->matches(QKeySequence::Find)) return m_search->setFocus();
    QWidget::keyPressEvent(event);
}

}  // namespace orrery
