#include "widgets/common/commands.h"

#include <QAction>
#include <QMenu>
#include <QShortcut>
#include <QWidget>
#include <algorithm>

#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

QString plainText(const QString& text) {
    return QString(text).remove(QLatin1Char('&'));
}

QString keysText(const CommandSpec& spec) {
    QStringList keys;
    for (const QKeySequence& key : spec.shortcuts) keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

}  // namespace

Commands::Commands(QWidget* window) : QObject(window), m_window(window) {}

QAction* Commands::add(const CommandSpec& spec, std::function<void(bool)> run) {
    auto* action = new QAction(spec.text, m_window);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.shortcuts);
    action->setCheckable(spec.isCheckable);
    if (spec.isPrimary) action->setIconVisibleInMenu(false);
    const QString keys = keysText(spec);
    const QString tip = keys.isEmpty() ? spec.tip : QStringLiteral("%1 (%2)").arg(spec.tip, keys);
    action->setToolTip(tip);
    action->setStatusTip(spec.tip);
    QObject::connect(action, &QAction::triggered, this, std::move(run));
    m_window->addAction(action);
    m_specs.push_back(spec);
    m_actions.push_back(action);
    return action;
}

QAction* Commands::action(const QString& id) const {
    const auto found = std::ranges::find(m_specs, id, &CommandSpec::id);
    Q_ASSERT(found != m_specs.end());
    return m_actions[static_cast<std::size_t>(found - m_specs.begin())];
}

void Commands::fill(QMenu* menu, const QString& menuName) const {
    for (std::size_t i = 0; i < m_specs.size(); ++i) {
        if (m_specs[i].menu != menuName) continue;
        if (m_specs[i].startsGroup && !menu->isEmpty()) menu->addSeparator();
        menu->addAction(m_actions[i]);
    }
}

void Commands::confinePlainKeys(QWidget* view) {
    for (std::size_t i = 0; i < m_specs.size(); ++i) {
        QList<QKeySequence> everywhere;
        for (const QKeySequence& key : m_specs[i].shortcuts) {
            const QKeyCombination combination = key[0];
            const bool isPlain =
                combination.keyboardModifiers() == Qt::NoModifier &&
                (combination.key() < Qt::Key_F1 || combination.key() > Qt::Key_F35);
            if (!isPlain) {
                everywhere << key;
                continue;
            }
            auto* shortcut = new QShortcut(key, view);
            shortcut->setContext(Qt::WidgetShortcut);
            connect(shortcut, &QShortcut::activated, m_actions[i], &QAction::trigger);
        }
        m_actions[i]->setShortcuts(everywhere);
    }
}

void Commands::applyTokens(const Tokens& tokens) {
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (!m_specs[i].icon.isEmpty())
            m_actions[i]->setIcon(m_specs[i].isPrimary
                                      ? coloredIcon(m_specs[i].icon, tokens.onAccent, tokens.text3)
                                      : themedIcon(m_specs[i].icon, tokens));
}

QString Commands::sheetHtml() const {
    QStringList menus;
    for (const CommandSpec& spec : m_specs)
        if (!spec.menu.isEmpty() && !menus.contains(spec.menu)) menus << spec.menu;
    QString html;
    for (const QString& menu : menus) {
        html += QStringLiteral("<h4>%1</h4><table cellspacing=\"0\" cellpadding=\"3\">").arg(menu);
        for (const CommandSpec& spec : m_specs)
            if (spec.menu == menu)
                html += QStringLiteral("<tr><td><b>%1</b></td><td><tt>%2</tt></td><td>%3</td></tr>")
                            .arg(plainText(spec.text).toHtmlEscaped(),
                                 keysText(spec).toHtmlEscaped(), spec.tip.toHtmlEscaped());
        html += QStringLiteral("</table>");
    }
    return html;
}

}  // namespace orrery
