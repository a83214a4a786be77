#include <QKeyEvent>

#include "widgets/bridge/plan_session.h"
#include "widgets/world/action_keys.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

const AgentInfo& agentOf(const PlanSession& session, const PlayMode& play) {
    return session.world().agents()[static_cast<std::size_t>(play.agent())];
}

}  // namespace

/// Keys that play mode takes before any shortcut does.
bool WorldView::takesKey(const QKeyEvent& event) const {
    if (!m_session->isOpen() || !m_play->isOn()) return false;
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (event.key() == Qt::Key_Alt) return true;
    const bool isAction = actionOfKey(agentOf(*m_session, *m_play), event.key()).has_value();
    if (modifiers == Qt::AltModifier) return isAction;
    if (modifiers != Qt::NoModifier) return false;
    switch (event.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Backspace:
        case Qt::Key_R:
        case Qt::Key_Escape:
            return true;
        default:
            return isAction ||
                   (m_play->isChoosing() && event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9);
    }
}

bool WorldView::pressPlayKey(int key) {
    if (m_play->isChoosing() && key >= Qt::Key_1 && key <= Qt::Key_9) {
        m_play->chooseOutcome(static_cast<std::size_t>(key - Qt::Key_1));
        return true;
    }
    switch (key) {
        case Qt::Key_Tab:
            m_play->nextAgent(1);
            return true;
        case Qt::Key_Backtab:
            m_play->nextAgent(-1);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            m_play->commit();
            return true;
        case Qt::Key_Backspace:
            if (m_play->isChoosing())
                m_play->cancelChoice();
            else
                m_session->stepBack();
            return true;
        case Qt::Key_R:
            m_session->restart();
            return true;
        case Qt::Key_Escape:
            if (m_play->isChoosing())
                m_play->cancelChoice();
            else
                m_play->setOn(false);
            return true;
        default:
            return false;
    }
}

bool WorldView::pressPlainKey(int key) {
    switch (key) {
        case Qt::Key_Period:
            m_play->nextAgent(1);
            return true;
        case Qt::Key_BracketRight:
            stepHeat(1);
            return true;
        case Qt::Key_BracketLeft:
            stepHeat(-1);
            return true;
        case Qt::Key_N:
            m_session->showMoment(m_session->walkIndex() + 1);
            return true;
        case Qt::Key_B:
            m_session->stepBack();
            return true;
        case Qt::Key_P:
            m_play->toggle();
            return true;
        default:
            return false;
    }
}

void WorldView::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen()) return QWidget::keyPressEvent(event);
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (m_play->isOn() && (event->key() == Qt::Key_Alt || modifiers == Qt::AltModifier))
        return showTrial(event->key());
    if (modifiers != Qt::NoModifier && modifiers != Qt::ShiftModifier)
        return QWidget::keyPressEvent(event);
    if (m_play->isOn() && pressPlayKey(event->key())) return;
    if (const auto action = actionOfKey(agentOf(*m_session, *m_play), event->key()))
        return chooseAction(*action);
    if (!pressPlainKey(event->key())) QWidget::keyPressEvent(event);
}

void WorldView::keyReleaseEvent(QKeyEvent* event) {
    if (!m_session->isOpen() || !m_session->trial()) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    if (event->key() == Qt::Key_Alt || !(event->modifiers() & Qt::AltModifier))
        m_session->setTrial(std::nullopt);
    else
        m_session->setTrial(m_session->profile());
}

void WorldView::focusOutEvent(QFocusEvent* event) {
    if (m_session->isOpen()) m_session->setTrial(std::nullopt);
    QWidget::focusOutEvent(event);
}

/// In play mode Tab takes the next agent; Escape leaves play mode and frees it.
bool WorldView::focusNextPrevChild(bool next) {
    if (m_play->isOn() && m_session->isOpen()) return false;
    return QWidget::focusNextPrevChild(next);
}

/// Shows what would follow an action of the agent, or the joint action as it is chosen.
void WorldView::showTrial(int key) {
    std::vector<int> actions = m_session->actions();
    if (const auto action = actionOfKey(agentOf(*m_session, *m_play), key))
        actions[static_cast<std::size_t>(m_play->agent())] = *action;
    m_session->setTrial(m_session->world().profileIndex(actions));
}

void WorldView::chooseAction(int action) {
    if (m_play->isOn()) return m_play->act(action);
    m_session->setAction(m_play->agent(), action);
}

}  // namespace orrery
