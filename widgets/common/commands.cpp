#include "widgets/common/commands.h"

#include <QAction>
#include <QMenu>
#include <QShortcut>
#include <QStringList>
#include <QToolButton>
#include <QWidget>
#include <algorithm>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

QString textOf(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::NativeText);
    return texts.join(QStringLiteral(", "));
}

}  // namespace

QList<QKeySequence> Commands::defaultKeys(const CommandSpec& spec) {
    QList<QKeySequence> keys;
    const QStringList texts =
        QString::fromLatin1(spec.keys).split(QLatin1Char('|'), Qt::SkipEmptyParts);
    for (const QString& text : texts) keys << QKeySequence(text);
    return keys;
}

bool Commands::isPlain(const QKeySequence& keys) {
    const QKeyCombination key = keys[0];
    return key.keyboardModifiers() == Qt::NoModifier &&
           (key.key() < Qt::Key_F1 || key.key() > Qt::Key_F35);
}

QString Commands::keysText(const CommandSpec& spec) const {
    return textOf(keys(QLatin1String(spec.id)));
}

QString Commands::plainText(const CommandSpec& spec) {
    return tr(spec.text).remove(QLatin1Char('&'));
}

Commands::Commands(QWidget* window) : QObject(window) {
    for (const CommandSpec& spec : commandTable()) {
        auto* action = new QAction(tr(spec.text), window);
        action->setObjectName(QLatin1String(spec.id));
        action->setCheckable(spec.isCheckable);
        if (spec.isPrimary) action->setIconVisibleInMenu(false);
        action->setStatusTip(tr(spec.tip));
        window->addAction(action);
        m_bound.push_back({.action = action, .keys = defaultKeys(spec), .plain = {}});
        giveKeys(m_bound.size() - 1);
    }
}

void Commands::giveKeys(std::size_t index) {
    Bound& bound = m_bound[index];
    QList<QKeySequence> keys = bound.keys;
    keys.removeIf(isPlain);  // in a text field they are text
    bound.action->setShortcuts(keys);
    if (bound.action->isEnabled()) bound.action->setToolTip(tipOf(index));
}

const QList<QKeySequence>& Commands::keys(const QString& id) const {
    return m_bound[indexOf(id)].keys;
}

void Commands::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    const std::size_t index = indexOf(id);
    Bound& bound = m_bound[index];
    if (bound.keys == keys) return;
    bound.keys = keys;
    giveKeys(index);
    for (const QPointer<QShortcut>& shortcut : std::as_const(bound.plain)) delete shortcut.data();
    bound.plain.clear();
    for (const QPointer<QWidget>& view : std::as_const(m_plainViews))
        if (view) addPlainKeysOf(index, view);
    Q_EMIT keysChanged();
}

std::size_t Commands::indexOf(const QString& id) const {
    const auto table = commandTable();
    const auto found = std::ranges::find_if(
        table, [&](const CommandSpec& spec) { return id == QLatin1String(spec.id); });
    Q_ASSERT(found != table.end());
    return static_cast<std::size_t>(found - table.begin());
}

QString Commands::tipOf(std::size_t index) const {
    const CommandSpec& spec = commandTable()[index];
    const QString keys = textOf(m_bound[index].keys);
    return keys.isEmpty() ? tr(spec.tip) : QStringLiteral("%1 (%2)").arg(tr(spec.tip), keys);
}

void Commands::bind(const char* id, std::function<void(bool)> run) {
    Bound& bound = m_bound[indexOf(QLatin1String(id))];
    bound.isBound = true;
    connect(bound.action, &QAction::triggered, this, std::move(run));
}

std::vector<const char*> Commands::unbound() const {
    std::vector<const char*> ids;
    for (std::size_t i = 0; i < m_bound.size(); ++i)
        if (!m_bound[i].isBound) ids.push_back(commandTable()[i].id);
    return ids;
}

QAction* Commands::action(const QString& id) const {
    return m_bound[indexOf(id)].action;
}

void Commands::setEnabled(const char* id, bool isEnabled, const QString& whyNot) {
    const std::size_t index = indexOf(QLatin1String(id));
    QAction* action = m_bound[index].action;
    action->setEnabled(isEnabled);
    action->setToolTip(
        isEnabled || whyNot.isEmpty()
            ? tipOf(index)
            : QStringLiteral("%1. %2").arg(plainText(commandTable()[index]), whyNot));
}

QStringList Commands::menuNames() {
    QStringList names;
    for (const CommandSpec& spec : commandTable()) {
        const QString name = QLatin1String(spec.menu);
        if (!names.contains(name)) names << name;
    }
    return names;
}

void Commands::fill(QMenu* menu, const QString& menuName) const {
    const auto table = commandTable();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (menuName != QLatin1String(table[i].menu)) continue;
        if (table[i].startsGroup && !menu->isEmpty()) menu->addSeparator();
        menu->addAction(m_bound[i].action);
    }
}

void Commands::addPlainKeys(QWidget* view) {
    m_plainViews << view;
    for (std::size_t i = 0; i < m_bound.size(); ++i) addPlainKeysOf(i, view);
}

void Commands::addPlainKeysOf(std::size_t index, QWidget* view) {
    Bound& bound = m_bound[index];
    for (const QKeySequence& key : std::as_const(bound.keys)) {
        if (!isPlain(key)) continue;
        auto* shortcut = new QShortcut(key, view);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, bound.action, &QAction::trigger);
        bound.plain << shortcut;
    }
}

void Commands::setFilled(const char* id, bool isFilled) {
    const std::size_t index = indexOf(QLatin1String(id));
    Bound& bound = m_bound[index];
    bound.isFilled = isFilled;
    for (QObject* object : bound.action->associatedObjects()) {
        auto* button = qobject_cast<QToolButton*>(object);
        const QString look = isFilled ? QStringLiteral("primary") : QString();
        if (button == nullptr || button->property("look").toString() == look) continue;
        button->setProperty("look", look);
        restyle(button);
        refreshIcon(index, currentTokens());
    }
}

void Commands::applyTokens(const Tokens& tokens) {
    for (std::size_t i = 0; i < m_bound.size(); ++i) refreshIcon(i, tokens);
}

void Commands::refreshIcon(std::size_t index, const Tokens& tokens) {
    const QString icon = QLatin1String(commandTable()[index].icon);
    if (icon.isEmpty()) return;
    m_bound[index].action->setIcon(m_bound[index].isFilled
                                       ? coloredIcon(icon, tokens.onAccent, tokens.text3)
                                       : themedIcon(icon, tokens));
}

QString Commands::sheetHtml() const {
    QString html;
    for (const QString& menu : menuNames()) {
        html += QStringLiteral("<h4>%1</h4><table cellspacing=\"0\" cellpadding=\"3\">")
                    .arg(tr(menu.toLatin1().constData()));
        for (const CommandSpec& spec : commandTable())
            if (menu == QLatin1String(spec.menu))
                html += QStringLiteral("<tr><td><b>%1</b></td><td><tt>%2</tt></td><td>%3</td></tr>")
                            .arg(plainText(spec).toHtmlEscaped(), keysText(spec).toHtmlEscaped(),
                                 tr(spec.tip).toHtmlEscaped());
        html += QStringLiteral("</table>");
    }
    return html;
}

}  // namespace orrery
