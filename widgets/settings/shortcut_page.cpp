#include "widgets/settings/shortcut_page.h"

#include <QHBoxLayout>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/parts.h"
#include "widgets/common/words.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

constexpr int kNameWidth = 190, kKeysWidth = 150, kLinesATurn = 16;

}  // namespace

QString commandsWithKeys(const Commands& commands, const QString& command,
                         const QList<QKeySequence>& keys) {
    QStringList names;
    for (const CommandSpec& spec : commandTable()) {
        if (command == QLatin1String(spec.id)) continue;
        for (const QKeySequence& key : commands.keys(QLatin1String(spec.id)))
            if (keys.contains(key)) names << Commands::plainText(spec);
    }
    names.removeDuplicates();
    return names.join(QStringLiteral(", "));
}

ShortcutPage::ShortcutPage(Commands* commands, Preferences* preferences, QWidget* parent)
    : QWidget(parent), m_commands(commands), m_preferences(preferences) {
    for (const CommandSpec& spec : commandTable()) m_unmade << &spec;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    QLabel* remark =
        makeLabel(tr("Click a field and press the keys. Keys without Ctrl or Alt work while the "
                     "world or a canvas has the focus."),
                  "name", this);
    remark->setWordWrap(true);
    column->addWidget(remark);
    connect(preferences, &Preferences::keysChanged, this, &ShortcutPage::refresh);
    addNextLines();
}

/// Some in a turn of the event loop: all of them at once would take longer than a frame.
void ShortcutPage::addNextLines() {
    for (int i = 0; i < kLinesATurn && !m_unmade.isEmpty(); ++i) addLine(*m_unmade.takeFirst());
    showSought();
    if (!m_unmade.isEmpty()) QTimer::singleShot(0, this, &ShortcutPage::addNextLines);
}

void ShortcutPage::addHeading(const QString& menu) {
    QLabel* heading = makeLabel(menu, "section", this);
    heading->setContentsMargins(0, 12, 0, 2);
    layout()->addWidget(heading);
    m_headings.push_back({heading, {}});
}

void ShortcutPage::addLine(const CommandSpec& spec) {
    const QString id = QLatin1String(spec.id), menu = QLatin1String(spec.menu);
    if (m_headings.empty() || m_headings.back().first->text() != menu) addHeading(menu);
    m_headings.back().second << id;
    Line line;
    line.row = new QWidget(this);
    auto* column = new QVBoxLayout(line.row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const QString name = Commands::plainText(spec);
    line.name = name;
    QLabel* label = makeLabel(name, "", line.row);
    label->setFixedWidth(kNameWidth);
    label->setToolTip(tr(spec.tip));
    row->addWidget(label);
    line.first = new QKeySequenceEdit(line.row);
    line.first->setObjectName(QStringLiteral("keys_") + id);
    line.first->setFixedWidth(kKeysWidth);
    line.first->setAccessibleName(tr("Keys of %1").arg(name));
    line.first->setToolTip(tr(spec.tip));
    row->addWidget(line.first);
    row->addStretch(1);
    column->addLayout(row);
    connect(line.first, &QKeySequenceEdit::editingFinished, this,
            [this, id, edit = line.first] { takeKeys(id, edit->keySequence()); });
    layout()->addWidget(line.row);
    m_lines.insert(id, line);
    refresh(id);
}

/// Few lines need one: a page of some hundred lines is there at once without them.
QLabel* ShortcutPage::others(Line& line) {
    if (line.others) return line.others;
    line.others = makeLabel({}, "hint", line.row);
    auto* row = static_cast<QHBoxLayout*>(line.row->layout()->itemAt(0)->layout());
    row->insertWidget(row->indexOf(line.first) + 1, line.others);
    return line.others;
}

QToolButton* ShortcutPage::resetButton(const QString& command, Line& line) {
    if (line.reset) return line.reset;
    line.reset = new QToolButton(line.row);
    line.reset->setObjectName(QStringLiteral("resetKeys_") + command);
    line.reset->setText(tr("Reset"));
    line.reset->setToolTip(tr("The keys that %1 had at first").arg(line.name));
    line.reset->setAccessibleName(line.reset->toolTip());
    connect(line.reset, &QToolButton::clicked, this,
            [this, command] { m_preferences->resetKeys(command); });
    line.row->layout()->itemAt(0)->layout()->addWidget(line.reset);
    return line.reset;
}

QLabel* ShortcutPage::problem(const QString& command, Line& line) {
    if (line.problem) return line.problem;
    line.problem = makeLabel({}, "problem", line.row);
    line.problem->setObjectName(QStringLiteral("keysProblem_") + command);
    line.problem->setContentsMargins(kNameWidth + 8, 0, 0, 4);
    line.row->layout()->addWidget(line.problem);
    return line.problem;
}

void ShortcutPage::takeKeys(const QString& command, const QKeySequence& first) {
    Line& line = m_lines[command];
    QList<QKeySequence> keys = m_commands->keys(command);
    // One stroke a shortcut: the field takes up to four.
    const QKeySequence stroke = first.isEmpty() ? first : QKeySequence(first[0]);
    if (stroke == keys.value(0)) return refresh(command);
    const QString taken =
        stroke.isEmpty() ? QString() : commandsWithKeys(*m_commands, command, {stroke});
    if (!taken.isEmpty()) {
        QLabel* says = problem(command, line);
        says->setText(tr("%1 belongs to %2. Give that other keys first.")
                          .arg(stroke.toString(QKeySequence::NativeText), taken));
        says->show();
        line.first->setKeySequence(keys.value(0));
        return;
    }
    if (!keys.isEmpty()) keys.removeFirst();
    keys.removeAll(stroke);
    if (!stroke.isEmpty()) keys.prepend(stroke);
    m_preferences->setKeys(command, keys);
}

void ShortcutPage::refresh(const QString& command) {
    if (!m_lines.contains(command)) return;
    Line& line = m_lines[command];
    const QList<QKeySequence>& keys = m_commands->keys(command);
    if (line.problem) line.problem->hide();
    line.first->setKeySequence(keys.value(0));
    QStringList more;
    for (const QKeySequence& key : keys.mid(1)) more << key.toString(QKeySequence::NativeText);
    if (!more.isEmpty() || line.others)
        others(line)->setText(more.isEmpty() ? QString() : tr("also %1").arg(more.join(u' ')));
    const bool isChanged = m_preferences->keys(command).has_value();
    if (isChanged || line.reset) resetButton(command, line)->setVisible(isChanged);
}

bool ShortcutPage::isSought(const CommandSpec& spec) const {
    const QKeySequence keys = m_commands->keys(QLatin1String(spec.id)).value(0);
    return hasAll(QStringLiteral("%1 %2 %3 %4")
                      .arg(Commands::plainText(spec), QLatin1String(spec.menu), tr(spec.tip),
                           keys.toString(QKeySequence::NativeText)),
                  m_words);
}

int ShortcutPage::showSought() {
    int count = 0;
    for (const CommandSpec& spec : commandTable()) {
        const bool isShown = isSought(spec);
        count += isShown ? 1 : 0;
        if (const auto line = m_lines.constFind(QLatin1String(spec.id)); line != m_lines.cend())
            line->row->setVisible(isShown);
    }
    for (const auto& [heading, below] : std::as_const(m_headings))
        heading->setVisible(std::ranges::any_of(
            below, [this](const QString& id) { return !m_lines[id].row->isHidden(); }));
    return count;
}

int ShortcutPage::filter(const QString& words) {
    m_words = wordsOf(words);
    return showSought();
}

}  // namespace orrery
