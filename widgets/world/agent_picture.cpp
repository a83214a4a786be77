#include "widgets/world/agent_picture.h"

#include <QPainter>

#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"

namespace orrery {

void paintAgentPicture(QPainter& painter, const QRectF& box, const AgentInfo& agent,
                       const QString& letter, const Tokens& tokens) {
    Piece piece;
    piece.kind = PieceKind::Agent;
    piece.color = agent.color;
    piece.direction = 4;
    piece.isHuman = agent.role == AgentRole::Human;
    piece.isRobot = agent.role == AgentRole::Robot;
    PieceLook look;
    look.letter = letter;
    const double side = std::max(std::min(box.width(), box.height()) * 1.25, kDetailCell);
    paintPiece(painter, piece, QRectF(box.center() - QPointF(side, side) / 2, QSizeF(side, side)),
               tokens, look);
}

AgentPicture::AgentPicture(const AgentInfo& agent, const QString& letter, QWidget* parent)
    : QWidget(parent), m_agent(agent), m_letter(letter) {
    setFixedSize(28, 28);
    setToolTip(QStringLiteral("%1: %2").arg(letter, QString::fromStdString(agent.name)));
}

void AgentPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintAgentPicture(painter, rect(), m_agent, m_letter, currentTokens());
}

}  // namespace orrery
