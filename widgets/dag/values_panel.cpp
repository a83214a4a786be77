#include "widgets/dag/values_panel.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"
#include "widgets/common/value_bars.h"

namespace orrery {

namespace {

constexpr std::size_t kMostBars = 16;

/// The bars of a policy, most probable first, at most kMostBars.
std::vector<ValueBar> policyBars(const std::vector<std::string>& names,
                                 const std::vector<double>& probabilities,
                                 const std::vector<double>* values, const QColor& color) {
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
    order.resize(std::min(order.size(), kMostBars));
    std::vector<ValueBar> bars;
    for (const std::size_t i : order)
        bars.push_back({QString::fromStdString(names[i]), probabilities[i],
                        valueText(probabilities[i]), values ? valueText((*values)[i]) : QString(),
                        color, bars.empty(), false});
    return bars;
}

}  // namespace

ValuesPanel::ValuesPanel(PlanSession* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
    makeHeader();
    m_valuesLayout = new QVBoxLayout(this);
    m_valuesLayout->setContentsMargins(0, 0, 0, 0);
    m_valuesLayout->setSpacing(8);
    m_policyRemark = addHeading(m_valuesLayout, tr("Robot policy πᵣ"));
    m_policy = new ValueBars(QStringLiteral("robotPolicyBars"), this);
    m_valuesLayout->addWidget(m_policy);
    m_valuesLayout->addWidget(makeLine(this));
    m_valuesLayout->addStretch(1);
    connect(session, &PlanSession::worldChanged, this, &ValuesPanel::rebuildHumans);
    connect(session, &PlanSession::stateChanged, this, &ValuesPanel::refresh);
    connect(session, &PlanSession::solutionChanged, this, &ValuesPanel::refresh);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal) refresh();
    });
    refresh();
}

void ValuesPanel::makeHeader() {
    m_header = new QWidget(parentWidget());
    auto* layout = new QVBoxLayout(m_header);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_title = makeLabel({}, "title", m_header);
    m_title->setObjectName(QStringLiteral("stateTitle"));
    m_subtitle = makeLabel({}, "label", m_header);
    m_subtitle->setObjectName(QStringLiteral("stateSubtitle"));
    layout->addWidget(m_title);
    layout->addWidget(m_subtitle);
    layout->addSpacing(6);
    m_cards = new QWidget(m_header);
    auto* cards = new QHBoxLayout(m_cards);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(6);
    cards->addWidget(makeCard(QStringLiteral("V_r"), QStringLiteral("v_rValue"), m_v_r));
    cards->addWidget(makeCard(QStringLiteral("U_r"), QStringLiteral("u_rValue"), m_u_r));
    layout->addWidget(m_cards);
    auto* empty = new QFrame(m_header);
    empty->setProperty("look", QStringLiteral("empty"));
    auto* column = new QVBoxLayout(empty);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    QLabel* why = makeLabel(tr("No values yet: this world is not solved."), "name", empty);
    why->setWordWrap(true);
    column->addWidget(why);
    auto* solve = new QPushButton(tr("Solve it"), empty);
    solve->setObjectName(QStringLiteral("emptySolveButton"));
    connect(solve, &QPushButton::clicked, this, &ValuesPanel::solveRequested);
    column->addWidget(solve);
    m_empty = empty;
    layout->addWidget(m_empty);
}

QWidget* ValuesPanel::makeCard(const QString& symbol, const QString& name, QLabel*& value) {
    auto* card = new QFrame(m_header);
    card->setProperty("look", QStringLiteral("card"));
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->addWidget(makeLabel(symbolHtml(symbol), "name", card));
    top->addStretch(1);
    top->addWidget(new TrustMark(card));
    column->addLayout(top);
    value = makeLabel(QStringLiteral("–"), "bigNumber", card);
    value->setObjectName(name);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(value);
    return card;
}

void ValuesPanel::rebuildHumans() {
    delete m_humansPart;
    m_humans.clear();
    m_humansPart = new QWidget(this);
    auto* layout = new QVBoxLayout(m_humansPart);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    const auto humans = m_session->world().goals();
    for (int h = 0; h < std::ssize(humans); ++h) {
        const QString letter =
            m_session
                ->letters()[static_cast<std::size_t>(humans[static_cast<std::size_t>(h)].agent)];
        HumanPart part;
        part.x_h = addHeading(layout, tr("Goal ability of %1").arg(letter));
        part.x_h->setObjectName(QStringLiteral("x_hValue_%1").arg(h));
        part.goals = new ValueBars(QStringLiteral("goalBars_%1").arg(h), m_humansPart);
        layout->addWidget(part.goals);
        part.phase1 = makeLabel({}, "hint", m_humansPart);
        layout->addWidget(part.phase1);
        part.policyRemark = addHeading(layout, tr("Policy of %1, πₕ").arg(letter));
        part.policy = new ValueBars(QStringLiteral("humanPolicyBars_%1").arg(h), m_humansPart);
        layout->addWidget(part.policy);
        if (h + 1 < std::ssize(humans)) layout->addWidget(makeLine(m_humansPart));
        connect(part.goals, &ValueBars::picked, this, [this, h](int goal) {
            m_session->selection().setCurrent({HumanItem{h}, GoalItem{h, goal}});
        });
        m_humans.push_back(part);
    }
    m_valuesLayout->insertWidget(m_valuesLayout->count() - 1, m_humansPart);
    m_humansPart->show();
    refresh();
}

void ValuesPanel::refresh() {
    const bool isOpen = m_session->isOpen();
    const auto& values = m_session->values();
    if (isOpen) {
        const StateItem& state = m_session->state();
        m_title->setText(state.index >= 0 ? tr("State %1").arg(countText(state.index))
                                          : tr("State at step %1").arg(state.step));
        m_subtitle->setText(
            tr("step %1 of %2").arg(state.step).arg(m_session->world().maxSteps()) +
            (m_session->isTerminal()
                 ? tr(" · the end")
                 : (m_session->successors().size() == 1
                        ? tr(" · 1 successor")
                        : tr(" · %1 successors").arg(m_session->successors().size()))));
    } else {
        m_title->setText(tr("No world"));
        m_subtitle->setText(tr("Pick an example at the left"));
    }
    m_cards->setVisible(values.has_value());
    m_empty->setVisible(isOpen && !values);
    setVisible(values.has_value());
    if (!values || m_humans.size() != values->x_h.size()) return;
    m_v_r->setText(valueText(values->v_r));
    m_u_r->setText(values->terminal ? QStringLiteral("–") : valueText(values->u_r));
    refreshRobot();
    for (std::size_t h = 0; h < m_humans.size(); ++h) refreshHuman(h);
}

void ValuesPanel::refreshRobot() {
    const StateValues& values = *m_session->values();
    const Tokens& tokens = currentTokens();
    if (values.pi_r.empty()) {
        m_policy->setBars({});
        m_policyRemark->setText(values.terminal ? tr("none at the end") : tr("phase 1 only"));
        return;
    }
    const RobotProfiles profiles = robotProfiles(m_session->world());
    m_policy->setBars(policyBars(profiles.names, values.pi_r, &values.q_r, tokens.data[0]),
                      QStringLiteral("pi_r"), QStringLiteral("Q_r"));
    const auto more = profiles.names.size() > kMostBars ? profiles.names.size() - kMostBars : 0;
    m_policyRemark->setText(tr("βᵣ %1").arg(m_session->solution()->spec().beta_r) +
                            (more > 0 ? tr(" · %1 more").arg(more) : tr(" · sums to 1")));
}

void ValuesPanel::refreshHuman(std::size_t human) {
    const StateValues& values = *m_session->values();
    const Tokens& tokens = currentTokens();
    const HumanPart& part = m_humans[human];
    const World& world = m_session->world();
    const HumanGoals& own = world.goals()[human];
    const auto* goal = m_session->selection().current<GoalItem>();
    const std::size_t current =
        goal && goal->human == static_cast<int>(human) ? static_cast<std::size_t>(goal->goal) : 0;
    part.x_h->setText(tr("Xₕ %1").arg(valueText(values.x_h[human])));
    std::size_t color = 2;
    for (std::size_t h = 0; h < human; ++h) color += world.goals()[h].goals.size();
    std::vector<ValueBar> bars;
    for (std::size_t g = 0; g < own.goals.size(); ++g)
        bars.push_back({QString::fromStdString(goalText(own.goals[g])),
                        values.v_h_e[human][g],
                        valueText(values.v_h_e[human][g]),
                        {},
                        tokens.data[(color + g) % tokens.data.size()],
                        goal && goal->human == static_cast<int>(human) && g == current,
                        true});
    part.goals->setBars(std::move(bars), QStringLiteral("V_h^e"));
    const bool hasPolicy = !values.pi_h.empty() && current < values.pi_h[human].size();
    part.phase1->setText(tr("phase 1 value of goal %1: %2")
                             .arg(QString::fromStdString(goalText(own.goals[current])),
                                  valueText(values.v_h[human][current])));
    part.policyRemark->setText(
        hasPolicy ? tr("goal %1").arg(QString::fromStdString(goalText(own.goals[current])))
                  : tr("none at the end"));
    part.policy->setBars(
        hasPolicy ? policyBars(world.agents()[static_cast<std::size_t>(own.agent)].actions,
                               values.pi_h[human][current], nullptr,
                               tokens.data[(color + current) % tokens.data.size()])
                  : std::vector<ValueBar>{},
        hasPolicy ? QStringLiteral("pi_h") : QString());
}

}  // namespace orrery
