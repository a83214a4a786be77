#include "widgets/world/joint_action_panel.h"

#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/world/agent_picture.h"

namespace orrery {

namespace {

/// Buttons in a row: five actions fit side by side, more go in rows of four.
int columnsFor(std::size_t numActions) {
    return numActions == 5 ? 5 : 4;
}

}  // namespace

JointActionPanel::JointActionPanel(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_step(new QPushButton(tr("Step"), this)),
      m_follow(new QPushButton(tr("Follow policy"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    addHeading(layout, tr("Joint action"), tr("Enter in the world steps"));
    layout->addStretch(0);
    m_step->setObjectName(QStringLiteral("stepButton"));
    m_step->setToolTip(tr("Carries out the joint action; chance draws the successor"));
    m_follow->setObjectName(QStringLiteral("followButton"));
    m_follow->setToolTip(tr("Draws everyone's actions from their policies and steps"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_step, 1);
    row->addWidget(m_follow, 1);
    layout->addLayout(row);
    connect(m_step, &QPushButton::clicked, session, &PlanSession::step);
    connect(m_follow, &QPushButton::clicked, session, &PlanSession::followPolicy);
    connect(session, &PlanSession::worldChanged, this, &JointActionPanel::rebuild);
    connect(session, &PlanSession::jointActionChanged, this, &JointActionPanel::refresh);
    connect(session, &PlanSession::stateChanged, this, &JointActionPanel::refresh);
    if (session->isOpen())
        rebuild();
    else
        refresh();
}

QPushButton* JointActionPanel::button(int agent, int action) const {
    return m_buttons.at(static_cast<std::size_t>(agent)).at(static_cast<std::size_t>(action));
}

bool JointActionPanel::eventFilter(QObject* object, QEvent* event) {
    const auto* button = qobject_cast<QPushButton*>(object);
    const bool isOwn = button && button->parentWidget() == m_grid;
    if (isOwn && event->type() == QEvent::Enter) setHovered(button);
    if (isOwn && event->type() == QEvent::Leave) setHovered(nullptr);
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease ||
                       event->type() == QEvent::ShortcutOverride;
    if (!m_hovered || !isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Alt)
        return QWidget::eventFilter(object, event);
    // Taken from the window: its menu bar would go to the front on Alt.
    event->accept();
    if (event->type() != QEvent::ShortcutOverride) showTrial(event->type() == QEvent::KeyPress);
    return true;
}

void JointActionPanel::setHovered(const QPushButton* button) {
    if (button && !m_hovered) qApp->installEventFilter(this);
    if (!button && m_hovered) qApp->removeEventFilter(this);
    m_hovered = button;
    showTrial(button && (QApplication::keyboardModifiers() & Qt::AltModifier));
}

void JointActionPanel::showTrial(bool shows) {
    if (!m_session->isOpen()) return;
    std::vector<int> actions = m_session->actions();
    bool isFound = false;
    for (std::size_t agent = 0; agent < m_buttons.size() && shows; ++agent)
        for (std::size_t action = 0; action < m_buttons[agent].size(); ++action)
            if (m_buttons[agent][action] == m_hovered) {
                actions[agent] = static_cast<int>(action);
                isFound = true;
            }
    m_session->setTrial(isFound ? std::optional(m_session->world().profileIndex(actions))
                                : std::nullopt);
}

/// The rows of the same agents stay: making and styling their buttons takes longer than all else.
void JointActionPanel::rebuild() {
    setHovered(nullptr);
    std::vector<AgentInfo> agents;
    std::vector<QString> letters;
    if (m_session->isOpen()) {
        const auto all = m_session->world().agents();
        agents.assign(all.begin(), all.end());
        letters = m_session->letters();
    }
    if (m_grid && agents == m_agents && letters == m_letters) return refresh();
    m_agents = std::move(agents);
    m_letters = std::move(letters);
    delete m_grid;
    m_buttons.clear();
    m_grid = new QWidget(this);
    if (!m_session->isOpen()) return refresh();  // frozen at a world that is gone
    auto* grid = new QGridLayout(m_grid);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(4);
    std::size_t most = 0;
    for (const AgentInfo& agent : m_session->world().agents())
        most = std::max(most, agent.actions.size());
    m_columns = columnsFor(most);
    for (int column = 1; column <= m_columns; ++column) grid->setColumnStretch(column, 1);
    int row = 0;
    for (int agent = 0; agent < m_session->world().numAgents(); ++agent) addAgent(grid, agent, row);
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, m_grid);
    m_grid->show();
    refresh();
}

void JointActionPanel::addAgent(QGridLayout* grid, int agent, int& row) {
    const AgentInfo& info = m_session->world().agents()[static_cast<std::size_t>(agent)];
    const QString letter = m_session->letters()[static_cast<std::size_t>(agent)];
    grid->addWidget(new AgentPicture(info, letter, m_grid), row, 0);
    auto* group = new QButtonGroup(m_grid);
    group->setExclusive(true);
    std::vector<QPushButton*> buttons;
    for (int action = 0; action < std::ssize(info.actions); ++action) {
        if (action > 0 && action % m_columns == 0) ++row;
        const QString name = QString::fromStdString(info.actions[static_cast<std::size_t>(action)]);
        auto* button = new QPushButton(name, m_grid);
        button->setObjectName(QStringLiteral("action_%1_%2").arg(agent).arg(action));
        button->setProperty("look", QStringLiteral("action"));
        button->setCheckable(true);
        button->setAccessibleName(tr("%1: %2").arg(letter, name));
        group->addButton(button);
        grid->addWidget(button, row, 1 + action % m_columns);
        connect(button, &QPushButton::clicked, this,
                [this, agent, action] { m_session->setAction(agent, action); });
        button->setToolTip(tr("%1: %2. Hold Alt here to see what would follow.").arg(letter, name));
        button->installEventFilter(this);
        buttons.push_back(button);
    }
    m_buttons.push_back(std::move(buttons));
    ++row;
}

void JointActionPanel::refresh() {
    const bool canStep = m_session->isOpen() && !m_session->isTerminal();
    m_step->setEnabled(canStep);
    m_follow->setEnabled(canStep && m_session->values().has_value());
    if (!m_session->isOpen() || std::ssize(m_buttons) != m_session->world().numAgents()) return;
    const std::vector<int> actions = m_session->actions();
    for (std::size_t agent = 0; agent < m_buttons.size(); ++agent)
        for (std::size_t action = 0; action < m_buttons[agent].size(); ++action) {
            m_buttons[agent][action]->setEnabled(canStep);
            m_buttons[agent][action]->setChecked(static_cast<int>(action) == actions[agent]);
        }
}

}  // namespace orrery
