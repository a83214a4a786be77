#include "widgets/frame/scope_chip.h"

#include <QEvent>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

namespace {

constexpr int kHeight = 24, kIcon = 12, kPadding = 20;  ///< pixels

}  // namespace

ScopeChip::ScopeChip(QWidget* parent) : QToolButton(parent) {
    setObjectName(QStringLiteral("scopeChip"));
    setProperty("look", QStringLiteral("scope"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(kIcon, kIcon));
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolButton::clicked, this, [this] {
        if (m_scope) Q_EMIT freezeRequested(!m_scope->isFrozen());
    });
    hide();
}

void ScopeChip::setScope(ViewScope* scope, const QString& view) {
    m_view = view;
    if (scope != m_scope) {
        if (m_scope) m_scope->disconnect(this);
        m_scope = scope;
        if (scope) connect(scope, &ViewScope::changed, this, &ScopeChip::refresh);
    }
    setVisible(scope != nullptr);
    refresh();
}

void ScopeChip::setRoom(int width) {
    m_room = width;
    refresh();
}

QSize ScopeChip::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + kIcon + kPadding, kHeight};
}

void ScopeChip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh();
    QToolButton::changeEvent(event);
}

void ScopeChip::refresh() {
    if (!m_scope) return;
    const bool isFrozen = m_scope->isFrozen();
    setIcon(
        themedIcon(isFrozen ? QStringLiteral("freeze") : QStringLiteral("live"), currentTokens()));
    const QString shown = m_scope->text();
    setToolTip(isFrozen ? tr("%1 is frozen at %2. Click to let it follow the selection again "
                             "(Ctrl+Shift+L).")
                              .arg(m_view, shown)
                        : tr("%1 follows the selection: %2. Click to freeze it here "
                             "(Ctrl+Shift+L).")
                              .arg(m_view, shown));
    setAccessibleName(isFrozen ? tr("%1, frozen at %2").arg(m_view, shown)
                               : tr("%1, live: %2").arg(m_view, shown));
    if (property("frozen").toBool() != isFrozen) {
        setProperty("frozen", isFrozen);
        restyle(this);
    }
    fit();
}

/// The longest text for which there is room.
void ScopeChip::fit() {
    if (!m_scope) return;
    const QString mode = m_scope->isFrozen() ? tr("frozen") : tr("live");
    const auto joined = [&](const QString& what) {
        return what.isEmpty() ? mode : QStringLiteral("%1 · %2").arg(what, mode);
    };
    for (const QString& text :
         {joined(m_scope->text()), joined(m_scope->shortText()), mode, QString()}) {
        setText(text.isEmpty() ? text : u' ' + text);  // away from the icon
        if (sizeHint().width() <= m_room) break;
    }
    updateGeometry();
}

}  // namespace orrery
