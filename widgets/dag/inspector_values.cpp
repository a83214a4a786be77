#include "widgets/dag/inspector_values.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/value_matrix.h"

namespace orrery {

namespace {

using Kind = ValueKind;
using Cell = ValueTable::Cell;

constexpr std::size_t kMostActions = 8;  ///< of a joint policy; one row more stands for the rest

QString capital(QString text) {
    return text.replace(0, 1, text.left(1).toUpper());
}

QLabel* richTitle(const QString& html, QWidget* parent) {
    QLabel* label = makeLabel(html, "section", parent);
    label->setTextFormat(Qt::RichText);
    return label;
}

/// A heading of a symbol, with a quiet remark at the right; gives back the remark.
QLabel* addTitle(QVBoxLayout* layout, const QString& html, QWidget* parent) {
    auto* row = new QHBoxLayout;
    row->addWidget(richTitle(html, parent));
    row->addStretch(1);
    QLabel* remark = makeLabel({}, "hint", parent);
    row->addWidget(remark);
    layout->addLayout(row);
    return remark;
}

QVBoxLayout* columnOf(QWidget* widget) {
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    return layout;
}

/// Indices by descending probability.
std::vector<std::size_t> mostProbableFirst(const std::vector<double>& probabilities) {
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
    return order;
}

/// "cell 3,1" or "area 1,1–4,2".
QString goalName(const Goal& goal) {
    QString text = QString::fromStdString(goalText(goal));
    text.replace(QStringLiteral(" to "), QStringLiteral("–"));
    return goal.isRectangle ? InspectorValues::tr("area %1").arg(text)
                            : InspectorValues::tr("cell %1").arg(text);
}

/// "²" or "¹·⁵".
QString superscript(double number) {
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    for (const QChar c : QString::number(number))
        text += c.isDigit() ? kDigits[c.digitValue()] : c == u'.' ? QChar(u'·') : c;
    return text;
}

QColor goalColor(const World& world, int human, int goal) {
    std::size_t index = 2 + static_cast<std::size_t>(goal);
    for (int h = 0; h < human; ++h)
        index += world.goals()[static_cast<std::size_t>(h)].goals.size();
    const auto& data = currentTokens().data;
    return data[index % data.size()];
}

}  // namespace

InspectorValues::InspectorValues(InspectorState* state, QWidget* parent)
    : QWidget(parent), m_state(state), m_layout(columnOf(this)) {
    m_layout->setSpacing(12);
    makeRobotPart();
    makeHumanPolicy();
    connect(state, &InspectorState::changed, this, &InspectorValues::refresh);
    connect(state, &InspectorState::questionChanged, this, &InspectorValues::markQuestion);
    connect(state, &InspectorState::worldChanged, this, [this] {
        m_human = 0;
        m_goal = 0;
    });
    connect(&state->session().selection(), &Selection::currentChanged, this,
            [this](SelectionKind kind) {
                const auto* goal = m_state->session().selection().current<GoalItem>();
                if (kind != SelectionKind::Goal || !goal) return;
                m_human = goal->human;
                m_goal = goal->goal;
                refresh();
            });
    refresh();
}

void InspectorValues::makeRobotPart() {
    m_robotPart = new QWidget(this);
    QVBoxLayout* layout = columnOf(m_robotPart);
    m_qHead = new QWidget(m_robotPart);
    m_qRemark = addTitle(columnOf(m_qHead),
                         symbolHtml(QStringLiteral("Q_r")) + QStringLiteral("(s, a)"), m_qHead);
    layout->addWidget(m_qHead);
    m_matrix = new ValueMatrix(QStringLiteral("robotMatrix"), m_robotPart);
    m_matrix->setAccessibleName(tr("Q_r of the two robots' joint actions"));
    layout->addWidget(m_matrix);
    m_q = new ValueTable(m_state, QStringLiteral("robotQBars"), m_robotPart);
    m_q->setAccessibleName(tr("Q_r of the robots' joint actions"));
    layout->addWidget(m_q);
    layout->addSpacing(2);
    m_policyRemark = addTitle(
        layout,
        tr("Robot policy %1").arg(symbolHtml(QStringLiteral("pi_r")) + QStringLiteral("(a | s)")),
        m_robotPart);
    m_policy = new ValueTable(m_state, QStringLiteral("robotPolicyBars"), m_robotPart);
    m_policy->setAccessibleName(tr("Robot policy"));
    layout->addWidget(m_policy);
    m_allActions = new QPushButton(m_robotPart);
    m_allActions->setObjectName(QStringLiteral("allRobotActions"));
    m_allActions->setCheckable(true);
    layout->addWidget(m_allActions, 0, Qt::AlignLeft);
    connect(m_allActions, &QPushButton::toggled, this, &InspectorValues::refresh);
    m_layout->addWidget(m_robotPart);
    m_layout->addWidget(makeLine(this));
    connect(m_matrix, &ValueMatrix::picked, this, [this](int cell) {
        m_state->askAt({.kind = Kind::Q_r, .action = cell}, m_matrix, m_matrix->cellRect(cell));
    });
}

void InspectorValues::makeHumanPolicy() {
    m_humanPolicyPart = new QWidget(this);
    QVBoxLayout* layout = columnOf(m_humanPolicyPart);
    m_humanPolicyRemark =
        addTitle(layout,
                 tr("Human policy %1")
                     .arg(symbolHtml(QStringLiteral("pi_h")) + QStringLiteral("(a | s, g)")),
                 m_humanPolicyPart);
    m_humanChoice = new QComboBox(m_humanPolicyPart);
    m_humanChoice->setObjectName(QStringLiteral("humanChoice"));
    m_humanChoice->setAccessibleName(tr("Human"));
    m_goalChoice = new QComboBox(m_humanPolicyPart);
    m_goalChoice->setObjectName(QStringLiteral("goalChoice"));
    m_goalChoice->setAccessibleName(tr("Goal of the human"));
    auto* choices = new QHBoxLayout;
    choices->setSpacing(4);
    choices->addWidget(m_humanChoice);
    choices->addWidget(m_goalChoice, 1);
    layout->addLayout(choices);
    m_humanPolicy = new ValueTable(m_state, QStringLiteral("humanPolicyBars"), m_humanPolicyPart);
    m_humanPolicy->setAccessibleName(tr("Human policy"));
    layout->addWidget(m_humanPolicy);
    m_layout->addWidget(m_humanPolicyPart);
    connect(m_humanChoice, &QComboBox::activated, this,
            [this](int human) { chooseGoal(human, 0); });
    connect(m_goalChoice, &QComboBox::activated, this,
            [this](int goal) { chooseGoal(m_human, goal); });
}

void InspectorValues::chooseGoal(int human, int goal) {
    m_state->session().selection().setCurrent({HumanItem{human}, GoalItem{human, goal}});
}

bool InspectorValues::showsAllActions() const {
    return m_allActions->isChecked();
}

void InspectorValues::setShowsAllActions(bool showsAll) {
    m_allActions->setChecked(showsAll);
}

/// When there are values to show; those of the same humans stay.
void InspectorValues::makeHumans() {
    std::vector<std::pair<QString, std::size_t>> humans;
    const PlanSession& session = m_state->session();
    for (const HumanGoals& own : session.world().goals())
        humans.emplace_back(session.letters()[static_cast<std::size_t>(own.agent)],
                            own.goals.size());
    if (m_humansPart && humans == m_madeFor) return;
    m_madeFor = std::move(humans);
    delete m_humansPart;
    m_humans.clear();
    m_humansPart = new QWidget(this);
    QVBoxLayout* layout = columnOf(m_humansPart);
    const QSignalBlocker quiet(m_humanChoice);
    m_humanChoice->clear();
    for (int h = 0; h < std::ssize(m_madeFor); ++h) {
        const auto& [letter, numGoals] = m_madeFor[static_cast<std::size_t>(h)];
        m_humanChoice->addItem(letter);
        HumanPart part;
        QLabel* weights = addTitle(
            layout, tr("Goal ability %1 of %2").arg(symbolHtml(QStringLiteral("V_h^e")), letter),
            m_humansPart);
        weights->setText(tr("%1 goals").arg(numGoals));
        part.goals = new ValueTable(m_state, QStringLiteral("goalBars_%1").arg(h), m_humansPart);
        part.goals->setAccessibleName(tr("Goals of %1").arg(letter));
        part.goals->setPicksRows(true);
        layout->addWidget(part.goals);
        part.phase1Title = richTitle(
            tr("Phase 1 %1 of %2").arg(symbolHtml(QStringLiteral("V_h")), letter), m_humansPart);
        layout->addWidget(part.phase1Title);
        part.phase1 = new ValueTable(m_state, QStringLiteral("phase1Bars_%1").arg(h), m_humansPart);
        part.phase1->setAccessibleName(tr("Phase 1 values of %1").arg(letter));
        layout->addWidget(part.phase1);
        part.ability = new ValueTable(m_state, QStringLiteral("x_hValue_%1").arg(h), m_humansPart);
        part.ability->setAccessibleName(tr("X_h of %1").arg(letter));
        layout->addWidget(part.ability);
        layout->addSpacing(2);
        layout->addWidget(makeLine(m_humansPart));
        connect(part.goals, &ValueBars::picked, this, [this, h](int goal) { chooseGoal(h, goal); });
        m_humans.push_back(part);
    }
    m_layout->insertWidget(2, m_humansPart);
    m_humansPart->show();
}

bool InspectorValues::hasMatrix() const {
    return m_state->session().isOpen() && m_state->session().world().robots().size() == 2;
}

void InspectorValues::refresh() {
    const auto& values = m_state->values();
    setVisible(values.has_value());
    if (!values) return;
    makeHumans();
    if (m_humans.size() != values->v_h.size()) return;
    m_robotPart->setVisible(!m_state->session().solution()->spec().phase1Only);
    refreshQ();
    refreshPolicy();
    for (int h = 0; h < std::ssize(m_humans); ++h) refreshHuman(h);
    if (!m_humans.empty()) {
        fillGoalChoice();
        refreshHumanPolicy();
    }
    markQuestion();
}

void InspectorValues::refreshQ() {
    const StateValues& values = *m_state->values();
    const bool isList = !hasMatrix() && m_state->compares() && !values.q_r.empty();
    const bool isMatrix = hasMatrix() && !values.q_r.empty();
    m_qHead->setVisible(isList || isMatrix);
    m_q->setVisible(isList);
    m_matrix->setVisible(isMatrix);
    m_qRemark->setText(
        isMatrix ? tr("%1 down, %2 across")
                       .arg(QString::fromStdString("robot 1"), QString::fromStdString("robot 2"))
                 : QString());
    const bool comparesQ = m_state->compares() && !m_state->pinnedValues()->q_r.empty();
    if (isMatrix)
        return refreshMatrix(values.q_r, comparesQ ? &m_state->pinnedValues()->q_r : nullptr);
    if (!isList) return;
    const std::vector<QString> names = robotActionNames(m_state->session().world());
    std::vector<ValueBar> rows;
    std::vector<Cell> cells;
    for (std::size_t a = 0; a < names.size(); ++a) {
        rows.push_back({.name = names[a]});
        cells.push_back({ValueOf{.kind = Kind::Q_r, .action = static_cast<int>(a)}});
    }
    m_q->startTable(std::move(rows));
    m_q->addQuantity(QStringLiteral("Q_r"), cells);
    m_q->showTable();
}

void InspectorValues::refreshMatrix(const std::vector<double>& q,
                                    const std::vector<double>* pinned) {
    const World& world = m_state->session().world();
    const std::vector<int> robots = world.robots();
    const auto actionsOf = [&](int robot) {
        QStringList names;
        for (const std::string& name : world.agents()[static_cast<std::size_t>(robot)].actions)
            names << QString::fromStdString(name);
        return names;
    };
    m_qRemark->setText(tr("%1 down, %2 across")
                           .arg(m_state->session().letters()[static_cast<std::size_t>(robots[0])],
                                m_state->session().letters()[static_cast<std::size_t>(robots[1])]));
    m_matrix->setContent(
        {actionsOf(robots[0]), actionsOf(robots[1]), q, pinned ? *pinned : std::vector<double>()});
}

void InspectorValues::refreshPolicy() {
    const StateValues& values = *m_state->values();
    if (values.pi_r.empty()) {
        m_policy->hide();
        m_allActions->hide();
        m_policyRemark->setText(values.terminal ? tr("none at the end") : QString());
        return;
    }
    const std::vector<QString> names = robotActionNames(m_state->session().world());
    const std::vector<std::size_t> order = mostProbableFirst(values.pi_r);
    const bool isLong = order.size() > kMostActions + 1;
    const std::size_t shown = isLong && !m_allActions->isChecked() ? kMostActions : order.size();
    m_allActions->setVisible(isLong);
    m_allActions->setText(m_allActions->isChecked() ? tr("Show the likeliest only")
                                                    : tr("Show all %1").arg(order.size()));
    m_policy->show();
    const std::vector<double>* pinned =
        m_state->pinnedValues() && !m_state->pinnedValues()->pi_r.empty()
            ? &m_state->pinnedValues()->pi_r
            : nullptr;
    std::vector<ValueBar> rows;
    std::vector<Cell> policy, q;
    for (std::size_t i = 0; i < shown; ++i) {
        const int a = static_cast<int>(order[i]);
        rows.push_back({.name = names[order[i]],
                        .share = values.pi_r[order[i]],
                        .color = currentTokens().data[0],
                        .isStrong = i == 0});
        policy.push_back({ValueOf{.kind = Kind::Pi_r, .action = a}});
        q.push_back({ValueOf{.kind = Kind::Q_r, .action = a}});
    }
    if (shown < order.size()) {
        Cell rest{.b = 0, .a = pinned ? std::optional(0.0) : std::nullopt};
        for (std::size_t i = shown; i < order.size(); ++i) {
            *rest.b += values.pi_r[order[i]];
            if (rest.a) *rest.a += (*pinned)[order[i]];
        }
        rows.push_back({.name = tr("%1 others").arg(order.size() - shown),
                        .share = *rest.b,
                        .isOthers = true});
        policy.push_back(rest);
        q.emplace_back();
    }
    m_policy->startTable(std::move(rows));
    m_policy->addQuantity(QStringLiteral("pi_r"), policy);
    if (!hasMatrix() && !m_state->compares()) m_policy->addQuantity(QStringLiteral("Q_r"), q);
    m_policy->showTable();
    m_policyRemark->setText(tr("βᵣ %1 · %2 actions sum to 1")
                                .arg(m_state->session().solution()->spec().beta_r)
                                .arg(order.size()));
}

void InspectorValues::refreshHuman(int human) {
    const World& world = m_state->session().world();
    const HumanPart& part = m_humans[static_cast<std::size_t>(human)];
    const HumanGoals& own = world.goals()[static_cast<std::size_t>(human)];
    const StateValues& values = *m_state->values();
    const SolveSpec& spec = m_state->session().solution()->spec();
    std::vector<ValueBar> rows;
    std::vector<Cell> ability, phase1;
    for (int g = 0; g < std::ssize(own.goals); ++g) {
        const auto i = static_cast<std::size_t>(g);
        const auto& shares =
            (spec.phase1Only ? values.v_h : values.v_h_e)[static_cast<std::size_t>(human)];
        rows.push_back({.name = goalName(own.goals[i]),
                        .share = shares[i],
                        .color = goalColor(world, human, g),
                        .isStrong = human == m_human && g == m_goal,
                        .hasFrame = true,
                        .tip = tr("weight %1").arg(own.weights[i])});
        ability.push_back({ValueOf{.kind = Kind::V_h_e, .human = human, .goal = g}});
        phase1.push_back({ValueOf{.kind = Kind::V_h, .human = human, .goal = g}});
    }
    const bool splits = m_state->compares() && !spec.phase1Only;
    part.goals->startTable(rows);
    if (!spec.phase1Only) part.goals->addQuantity(QStringLiteral("V_h^e"), ability, true);
    if (!splits) part.goals->addQuantity(QStringLiteral("V_h"), phase1);
    part.goals->showTable();
    part.phase1Title->setVisible(splits);
    part.phase1->setVisible(splits);
    if (splits) {
        part.phase1->startTable(std::move(rows));
        part.phase1->addQuantity(QStringLiteral("V_h"), phase1);
        part.phase1->showTable();
    }
    part.ability->setVisible(!spec.phase1Only);
    part.ability->startTable(
        {{.name = QStringLiteral("Xₕ = Σ w (Vₕᵉ)%1").arg(superscript(spec.zeta)),
          .isStrong = true}});
    part.ability->setHasBars(false);
    part.ability->addQuantity(splits ? QStringLiteral("X_h") : QString(),
                              {{ValueOf{.kind = Kind::X_h, .human = human}}}, true);
    part.ability->showTable();
    part.ability->setHasBars(false);
}

void InspectorValues::fillGoalChoice() {
    const auto humans = m_state->session().world().goals();
    m_human = std::clamp(m_human, 0, static_cast<int>(humans.size()) - 1);
    const HumanGoals& own = humans[static_cast<std::size_t>(m_human)];
    m_goal = std::clamp(m_goal, 0, static_cast<int>(own.goals.size()) - 1);
    const QSignalBlocker quietHuman(m_humanChoice), quietGoal(m_goalChoice);
    m_humanChoice->setCurrentIndex(m_human);
    m_goalChoice->clear();
    for (const Goal& goal : own.goals) m_goalChoice->addItem(capital(goalName(goal)));
    m_goalChoice->setCurrentIndex(m_goal);
}

void InspectorValues::refreshHumanPolicy() {
    const StateValues& values = *m_state->values();
    const auto human = static_cast<std::size_t>(m_human);
    const World& world = m_state->session().world();
    std::vector<ValueBar> rows;
    std::vector<Cell> policy, marginal;
    if (!values.pi_h.empty()) {
        const auto& pi = values.pi_h[human][static_cast<std::size_t>(m_goal)];
        const int agent = world.goals()[human].agent;
        for (const std::size_t a : mostProbableFirst(pi)) {
            rows.push_back({.name = QString::fromStdString(
                                world.agents()[static_cast<std::size_t>(agent)].actions[a]),
                            .share = pi[a],
                            .color = goalColor(world, m_human, m_goal),
                            .isStrong = rows.empty()});
            const int action = static_cast<int>(a);
            policy.push_back(
                {ValueOf{.kind = Kind::Pi_h, .human = m_human, .goal = m_goal, .action = action}});
            marginal.push_back(
                {ValueOf{.kind = Kind::Marginal, .human = m_human, .action = action}});
        }
    }
    m_humanPolicy->setVisible(!rows.empty());
    m_humanPolicy->startTable(std::move(rows));
    m_humanPolicy->addQuantity(QStringLiteral("pi_h"), policy);
    if (!m_state->compares()) m_humanPolicy->addQuantity(QStringLiteral("all goals"), marginal);
    m_humanPolicy->showTable();
    m_humanPolicyRemark->setText(
        values.terminal
            ? tr("none at the end")
            : tr("βₕ %1 · sums to 1").arg(m_state->session().solution()->spec().beta_h));
}

void InspectorValues::markQuestion() {
    const ValueOf question = m_state->question();
    m_matrix->setCurrentCell(question.kind == Kind::Q_r ? question.action : -1);
}

}  // namespace orrery
