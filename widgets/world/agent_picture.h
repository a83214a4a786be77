#pragma once

#include <QWidget>

#include "core/world/world.h"

class QPainter;

namespace orrery {

struct Tokens;

/// Draws an agent's body with its letter, without a direction.
void paintAgentPicture(QPainter& painter, const QRectF& box, const AgentInfo& agent,
                       const QString& letter, const Tokens& tokens);

/// An agent's body with its letter, 28 pixels wide.
class AgentPicture : public QWidget {
    Q_OBJECT

public:
    AgentPicture(const AgentInfo& agent, const QString& letter, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    AgentInfo m_agent;
    QString m_letter;
};

}  // namespace orrery
