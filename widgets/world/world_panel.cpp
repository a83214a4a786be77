#include "widgets/world/world_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/world/legend_strip.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

// What an entry of the heat box means: its user data is (mode, human or agent, goal).
struct HeatChoice {
    HeatMode mode = HeatMode::None;
    int first = 0, second = 0;
};

HeatChoice choiceAt(const QComboBox* box, int index) {
    const QList<QVariant> data = box->itemData(index).toList();
    if (data.size() != 3) return {};
    return {static_cast<HeatMode>(data[0].toInt()), data[1].toInt(), data[2].toInt()};
}

QVariant dataOf(const HeatChoice& choice) {
    return QList<QVariant>{static_cast<int>(choice.mode), choice.first, choice.second};
}

}  // namespace

WorldPanel::WorldPanel(PlanSession* session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_view(new WorldView(session, this)),
      m_legend(new LegendStrip(this)) {
    setObjectName(QStringLiteral("worldPanel"));
    setProperty("look", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(m_view, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 4, 16, 6);
    foot->addWidget(m_legend);
    layout->addLayout(foot);
    connect(session, &PlanSession::worldChanged, this, &WorldPanel::fillHeatChoices);
    connect(session, &PlanSession::stateChanged, this, &WorldPanel::refreshChip);
    connect(session, &PlanSession::solutionChanged, this, [this] {
        m_heat->setEnabled(m_session->solution() != nullptr);
        refreshChip();
    });
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Agent) showHeatChoice();
    });
    connect(m_view, &WorldView::sceneChanged, this,
            [this] { m_legend->setPieces(m_view->scene().pieces); });
}

QWidget* WorldPanel::makeBar() {
    auto* bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    bar->setFixedHeight(44);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 0, 16, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Heat"), "label", bar));
    m_heat = new QComboBox(bar);
    m_heat->setObjectName(QStringLiteral("heatBox"));
    m_heat->setAccessibleName(tr("Heat over the cells"));
    m_heat->setToolTip(
        tr("The value that colours the cells: that of the state in which the "
           "agent stood there instead"));
    m_heat->setMinimumWidth(150);
    m_heat->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_heat->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_heat->setMaximumWidth(260);
    m_heat->setEnabled(false);
    connect(m_heat, &QComboBox::activated, this, &WorldPanel::takeHeatChoice);
    row->addWidget(m_heat, 100);
    row->addWidget(makeToggle(QStringLiteral("arrowsToggle"), tr("Arrows"),
                              tr("Policy arrows: the area is the probability of going on that way"),
                              &WorldView::setShowsArrows));
    row->addWidget(makeToggle(QStringLiteral("goalsToggle"), tr("Goals"),
                              tr("Dashed frames with a flag around the goals"),
                              &WorldView::setShowsGoals));
    row->addWidget(makeToggle(QStringLiteral("ghostsToggle"), tr("Ghosts"),
                              tr("What the joint action may lead to, with probabilities"),
                              &WorldView::setShowsGhosts));
    row->addStretch(1);
    m_chip = makeLabel({}, "chip", bar);
    m_chip->setObjectName(QStringLiteral("stateChip"));
    row->addWidget(m_chip, 0, Qt::AlignVCenter);
    refreshChip();
    return bar;
}

QPushButton* WorldPanel::makeToggle(const QString& name, const QString& text, const QString& tip,
                                    void (WorldView::*apply)(bool)) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setCheckable(true);
    button->setChecked(true);
    connect(button, &QPushButton::toggled, m_view, apply);
    return button;
}

void WorldPanel::fillHeatChoices() {
    const QSignalBlocker blocker(m_heat);
    m_heat->clear();
    m_heat->addItem(tr("none"), dataOf({HeatMode::None, 0, 0}));
    const World& world = m_session->world();
    const auto humans = world.goals();
    for (int h = 0; h < std::ssize(humans); ++h) {
        const HumanGoals& human = humans[static_cast<std::size_t>(h)];
        for (int g = 0; g < std::ssize(human.goals); ++g)
            m_heat->addItem(tr("Vₕᵉ · %1 · goal %2")
                                .arg(m_session->letters()[static_cast<std::size_t>(human.agent)],
                                     QString::fromStdString(
                                         goalText(human.goals[static_cast<std::size_t>(g)]))),
                            dataOf({HeatMode::GoalAbility, h, g}));
    }
    for (int agent = 0; agent < world.numAgents(); ++agent)
        m_heat->addItem(
            tr("Vᵣ · moving %1").arg(m_session->letters()[static_cast<std::size_t>(agent)]),
            dataOf({HeatMode::RobotValue, agent, 0}));
    showHeatChoice();
}

void WorldPanel::showHeatChoice() {
    const Selection& selection = m_session->selection();
    const auto* goal = selection.current<GoalItem>();
    const auto* agent = selection.current<AgentItem>();
    for (int i = 0; i < m_heat->count(); ++i) {
        const HeatChoice choice = choiceAt(m_heat, i);
        if (choice.mode != m_view->heatMode()) continue;
        const bool fits =
            choice.mode == HeatMode::None ||
            (choice.mode == HeatMode::GoalAbility && goal && goal->human == choice.first &&
             goal->goal == choice.second) ||
            (choice.mode == HeatMode::RobotValue && agent && agent->agent == choice.first);
        if (!fits) continue;
        const QSignalBlocker blocker(m_heat);
        m_heat->setCurrentIndex(i);
        return;
    }
}

void WorldPanel::takeHeatChoice(int index) {
    const HeatChoice choice = choiceAt(m_heat, index);
    Selection& selection = m_session->selection();
    if (choice.mode == HeatMode::GoalAbility)
        selection.setCurrent({HumanItem{choice.first}, GoalItem{choice.first, choice.second}});
    if (choice.mode == HeatMode::RobotValue) selection.setCurrent(AgentItem{choice.first});
    m_view->setHeatMode(choice.mode);
}

void WorldPanel::refreshChip() {
    if (!m_session->isOpen()) return m_chip->hide();
    m_chip->show();
    const QString step =
        tr("t %1 of %2").arg(m_session->state().step).arg(m_session->world().maxSteps());
    m_chip->setText((m_session->solution() ? tr("exact · %1") : tr("not solved · %1")).arg(step));
}

}  // namespace orrery
