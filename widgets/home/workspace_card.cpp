#include "widgets/home/workspace_card.h"

#include <QPainter>

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

WorkspaceCard::WorkspaceCard(const WorkspaceRow& workspace, QWidget* parent)
    : QAbstractButton(parent), m_workspace(workspace) {
    setText(workspace.name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(isGone() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    setToolTip(isGone() ? tr("%1: %2. A click offers to take it from the list.")
                              .arg(workspace.folder, workspace.problem)
                        : tr("Opens %1").arg(workspace.folder));
    setAccessibleName(tr("Workspace %1, %2")
                          .arg(workspace.name, isGone() ? workspace.problem : workspace.remark));
}

void WorkspaceCard::enterEvent(QEnterEvent* event) {
    update();
    QAbstractButton::enterEvent(event);
}

void WorkspaceCard::leaveEvent(QEvent* event) {
    update();
    QAbstractButton::leaveEvent(event);
}

void WorkspaceCard::paintEvent(QPaintEvent* /*event*/) {
    const Tokens& t = currentTokens();
    const bool gone = isGone();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = hasFocus() ? 2 : 1;
    QColor edge = underMouse() && !gone ? t.strongBorder : t.border;
    if (hasFocus()) edge = t.accent;
    painter.setPen(QPen(edge, width));
    painter.setBrush(gone ? t.panel : t.raised);
    const QRectF card = QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2);
    painter.drawRoundedRect(card, 6, 6);
    const QRect box(14, height() / 2 - 10, 20, 20);
    coloredIcon(gone ? QStringLiteral("dialog-warning") : QStringLiteral("folder"),
                gone ? t.text3 : t.accent)
        .paint(&painter, box);
    QRectF line(46, 8, this->width() - 60, 19);
    const QFont small = interfaceFont(11);
    painter.setFont(small);
    painter.setPen(t.text3);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, m_workspace.when);
    const double used = QFontMetricsF(small).horizontalAdvance(m_workspace.when) + 8;
    const auto write = [&](const QRectF& at, const QFont& font, const QColor& color,
                           const QString& text) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, at.width()));
    };
    write(line.adjusted(0, 0, -used, 0), interfaceFont(12, QFont::DemiBold),
          gone ? t.text3 : t.text, m_workspace.name);
    line.translate(0, 19);
    write(line, small, gone ? t.text3 : t.text2, gone ? m_workspace.problem : m_workspace.remark);
}

}  // namespace orrery
