#include "widgets/world/agents_panel.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/world/agent_picture.h"

namespace orrery {

namespace {

// More scroll, so that what is below stays in reach in a world of many humans.
constexpr int kAgentRows = 5, kGoalRows = 6;

/// Index into World::goals() of an agent; -1 if it is no human.
int humanOf(const World& world, int agent) {
    const auto goals = world.goals();
    for (int h = 0; h < std::ssize(goals); ++h)
        if (goals[static_cast<std::size_t>(h)].agent == agent) return h;
    return -1;
}

QString placeText(const PlanSession& session, const std::vector<Piece>& scene, int agent) {
    const World& world = session.world();
    const int cell = world.cellOf(session.state().words, agent);
    QString text = QStringLiteral("at %1,%2").arg(cell % world.width()).arg(cell / world.width());
    for (const Piece& piece : scene) {
        if (piece.kind != PieceKind::Agent || piece.agent != agent) continue;
        static const char* const kFacing[] = {"east", "south", "west", "north"};
        if (piece.direction < 4)
            text += QStringLiteral(" · facing %1").arg(QLatin1String(kFacing[piece.direction]));
        if (piece.terminated) text += QStringLiteral(" · dead");
        if (piece.paused) text += QStringLiteral(" · paused");
    }
    return text;
}

void paintGoalFrame(QPainter& painter, const QRectF& box, const QColor& color) {
    QPen pen(color, 2);
    pen.setDashPattern({2, 1.3});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(box.center() - QPointF(8, 8), QSizeF(16, 16)));
}

Row agentRow(const PlanSession& session, const std::vector<Piece>& scene, int agent) {
    const AgentInfo& info = session.world().agents()[static_cast<std::size_t>(agent)];
    const QString letter = session.letters()[static_cast<std::size_t>(agent)];
    const auto* current = session.selection().current<AgentItem>();
    static const char* const kRoles[] = {"Human", "Robot", "Agent"};
    Row row;
    row.title = QStringLiteral("%1 %2").arg(
        QLatin1String(kRoles[static_cast<std::size_t>(info.role)]), letter);
    row.subtitle = placeText(session, scene, agent);
    row.isCurrent = current && current->agent == agent;
    row.tip = QString::fromStdString(info.name);
    row.picture = [info, letter](QPainter& painter, const QRectF& box, const Tokens& tokens) {
        paintAgentPicture(painter, box, info, letter, tokens);
    };
    return row;
}

}  // namespace

AgentsPanel::AgentsPanel(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_title(makeLabel({}, "title", this)),
      m_sentence(makeLabel({}, "label", this)),
      m_area(new QScrollArea(this)),
      m_column(nullptr),
      m_agents(new RowList(QStringLiteral("agentList"), 44, 26, this)),
      m_goals(new RowList(QStringLiteral("goalList"), 40, 22, this)),
      m_warnings(makeLabel({}, "hint", this)) {
    m_title->setWordWrap(true);
    m_sentence->setWordWrap(true);
    m_warnings->setWordWrap(true);
    m_agents->setAccessibleName(tr("Agents"));
    m_goals->setAccessibleName(tr("Goals of the humans"));
    m_agents->setFitsRows(true, kAgentRows);
    m_goals->setFitsRows(true, kGoalRows);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(m_area);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(12, 12, 12, 12);
    m_column->setSpacing(8);
    m_column->addWidget(m_title);
    m_column->addWidget(m_sentence);
    m_column->addWidget(makeLine(content));
    addHeading(m_column, tr("Agents"));
    m_column->addWidget(m_agents);
    m_column->addWidget(makeLine(content));
    m_numGoals = addHeading(m_column, tr("Goals"), QStringLiteral("0"));
    m_column->addWidget(m_goals);
    m_column->addWidget(m_warnings);
    m_column->addStretch(1);
    m_area->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_area);
    connect(m_agents, &RowList::picked, this, &AgentsPanel::pickAgent);
    connect(m_goals, &RowList::picked, this, &AgentsPanel::pickGoal);
    // It follows a change of the world and of the solution, too.
    connect(session, &PlanSession::stateChanged, this, &AgentsPanel::refresh);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Agent) refresh();
    });
    refresh();
}

void AgentsPanel::addBelow(QWidget* part) {
    m_part = part;
    m_partLine = makeLine(this);
    setPartFirst(false);
}

void AgentsPanel::setPartFirst(bool isFirst) {
    m_column->removeWidget(m_part);
    m_column->removeWidget(m_partLine);
    // The line parts it from the title above, or from what comes before the stretch.
    const int at = isFirst ? m_column->indexOf(m_sentence) + 1 : m_column->count() - 1;
    m_column->insertWidget(at, m_partLine);
    m_column->insertWidget(at + 1, m_part);
    if (isFirst) m_area->verticalScrollBar()->setValue(0);
}

void AgentsPanel::refresh() {
    if (!m_session->isOpen()) return;
    const World& world = m_session->world();
    m_title->setText(breakable(m_session->loaded().title));
    m_sentence->setText(breakable(m_session->loaded().sentence));
    m_sentence->setVisible(!m_session->loaded().sentence.isEmpty());
    m_warnings->setText(breakable(m_session->loaded().warnings.join(u'\n')));
    m_warnings->setVisible(!m_session->loaded().warnings.isEmpty());
    const std::vector<Piece> scene = world.scene(m_session->state().words);
    std::vector<Row> agents;
    agents.reserve(static_cast<std::size_t>(world.numAgents()));
    for (int agent = 0; agent < world.numAgents(); ++agent)
        agents.push_back(agentRow(*m_session, scene, agent));
    m_agents->setRows(std::move(agents));
    std::vector<Row> goals;
    const auto* current = m_session->selection().current<GoalItem>();
    int color = 0;
    for (int h = 0; h < std::ssize(world.goals()); ++h) {
        const HumanGoals& human = world.goals()[static_cast<std::size_t>(h)];
        for (std::size_t g = 0; g < human.goals.size(); ++g) {
            Row row;
            const int index = (2 + color++) % 8;
            row.title = QStringLiteral("%1  %2 %3")
                            .arg(m_session->letters()[static_cast<std::size_t>(human.agent)],
                                 human.goals[g].isRectangle ? tr("area") : tr("cell"),
                                 QString::fromStdString(goalText(human.goals[g])));
            row.subtitle = tr("weight %1").arg(valueText(human.weights[g], 2));
            row.isCurrent = current && current->human == h && current->goal == static_cast<int>(g);
            if (m_session->values())
                row.value = valueText(m_session->values()->v_h_e[static_cast<std::size_t>(h)][g]);
            row.picture = [index](QPainter& painter, const QRectF& box, const Tokens& tokens) {
                paintGoalFrame(painter, box, tokens.data[static_cast<std::size_t>(index)]);
            };
            goals.push_back(std::move(row));
        }
    }
    m_numGoals->setText(m_session->values() ? tr("%1 · Vₕᵉ now").arg(goals.size())
                                            : QString::number(goals.size()));
    m_goals->setRows(std::move(goals));
}

void AgentsPanel::pickAgent(int row) {
    std::vector<SelectionItem> items{AgentItem{row}};
    const int human = humanOf(m_session->world(), row);
    if (human >= 0) {
        items.emplace_back(HumanItem{human});
        items.emplace_back(GoalItem{human, 0});
    }
    m_session->selection().setCurrent(items);
}

void AgentsPanel::pickGoal(int row) {
    int index = 0;
    const auto humans = m_session->world().goals();
    for (int h = 0; h < std::ssize(humans); ++h)
        for (int g = 0; g < std::ssize(humans[static_cast<std::size_t>(h)].goals); ++g)
            if (index++ == row) m_session->selection().setCurrent({HumanItem{h}, GoalItem{h, g}});
}

}  // namespace orrery
