#include "core/solve/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/solve/explain_rows.h"
#include "core/solve/level_store.h"
#include "core/solve/solve_plan.h"

namespace orrery {

namespace {

using Kind = ValueKind;

const char* const kPhase1 = "seed 003, backward induction, phase 1 (human policy prior)";
const char* const kPhase2 = "seed 003, backward induction, phase 2 (robot policy)";

double relativeDifference(double a, double b) {
    if (a == b) return 0;
    return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

/// What rounding to the stored precision may change, relative and absolute.
std::pair<double, double> roundingOf(ValueStorage storage) {
    switch (storage) {
        case ValueStorage::Double:
            return {1e-12, 1e-300};
        case ValueStorage::Float:
            return {std::ldexp(1.0, -23), std::ldexp(1.0, -149)};
        case ValueStorage::Half:
            return {std::ldexp(1.0, -10), std::ldexp(1.0, -24)};
    }
    return {0, 0};
}

/// One explanation in the making. The parts of Explainer that all quantities share.
class Making {
public:
    Making(const Solution& solution, const SolvePlan& plan, State state, const ValueOf& quantity,
           std::stop_token stop)
        : m_solution(solution),
          m_plan(plan),
          m_values(solution.values(state)),
          m_stop(std::move(stop)) {
        m_out.quantity = quantity;
        m_out.state = state;
        m_out.source = factsOf(quantity.kind).isPhase1 ? kPhase1 : kPhase2;
        m_out.tolerance = 1e-12;  // the kernels add in another order: the last bits may differ
    }

    /// Nothing if stopped.
    std::optional<Explanation> take(std::size_t maxTerms) {
        m_values.terminal ? makeTerminal() : make();
        if (m_isStopped) return std::nullopt;
        finish(maxTerms);
        return std::move(m_out);
    }

private:
    void make() {
        m_rows.emplace(m_solution, m_plan, m_out.state);
        switch (m_out.quantity.kind) {
            case Kind::V_r:
                return makeV_r();
            case Kind::U_r:
                return makeU_r();
            case Kind::Q_r:
                return makeQ_r();
            case Kind::Pi_r:
                return makePi_r();
            case Kind::X_h:
                return makeX_h();
            case Kind::V_h_e:
                return makeV_h_e();
            case Kind::V_h:
                return makeV_h();
            case Kind::Pi_h:
                return makePi_h();
            case Kind::Marginal:
                return makeMarginal();
        }
    }

    void makeTerminal() {
        const Kind kind = m_out.quantity.kind;
        m_out.remark = "The last step is reached: nothing follows.";
        if (kind == Kind::V_r) {
            m_out.formula = "V_r = the terminal value";
            m_out.addend = m_solution.spec().terminal_v_r;
            return;
        }
        if (kind == Kind::V_h_e) m_out.formula = "V_h^e = 0";
        if (kind == Kind::V_h) m_out.formula = "V_h = 0";
        if (kind == Kind::X_h) m_out.formula = "X_h = 0";
    }

    void makeV_r() {
        m_out.formula = "V_r = w U_r + Σ pi_r(a) Q_r(s,a)";
        m_out.weightMeans = m_plan.hasDurations()
                                ? "pi_r(a); of U_r: w = E (1 - e^(-rho_r D)) / rho_r"
                                : "pi_r(a); of U_r: w = (1 - e^(-rho_r)) / rho_r, or 1";
        ExplainedTerm own = valueTerm("U_r", omega(), m_values.u_r, {.kind = Kind::U_r});
        m_out.terms.push_back(own);
        for (std::size_t r = 0; r < m_values.q_r.size(); ++r)
            m_out.terms.push_back(valueTerm(m_plan.robots().names[r], m_values.pi_r[r],
                                            m_values.q_r[r],
                                            {.kind = Kind::Q_r, .action = static_cast<int>(r)}));
    }

    /// The weight of U_r in V_r: the expected discounted duration of a step.
    double omega() const {
        const KernelPlan& plan = m_plan.kernel();
        if (!m_plan.hasDurations()) return plan.omega[0];
        double w = 0;
        for (int m = 0; m < plan.jointCount; ++m)
            for (int r = 0; r < plan.robotCount; ++r)
                w += jointWeight(m) * m_values.pi_r[r] *
                     plan.omega[plan.jointOffset[m] + plan.robotOffset[r]];
        return w;
    }

    void makeU_r() {
        const SolveSpec& spec = m_solution.spec();
        m_out.formula = "U_r = -(Σ X_h^-xi / H)^eta";
        m_out.weightMeans = "1/H, for H humans";
        m_out.factor = -1;
        m_out.outerExponent = spec.eta;
        const int humans = m_plan.numHumans();
        for (int h = 0; h < humans; ++h) {
            ExplainedTerm term = valueTerm(humanName(h), 1.0 / humans, m_values.x_h[h],
                                           {.kind = Kind::X_h, .human = h});
            term.exponent = -spec.xi;
            term.product = term.weight * std::pow(term.value, term.exponent);
            m_out.terms.push_back(term);
        }
    }

    void makeQ_r() {
        const KernelPlan& plan = m_plan.kernel();
        const bool byRow = m_plan.hasDurations();
        m_out.formula =
            byRow ? "Q_r = Σ p(s') e^(-rho_r D) V_r(s')" : "Q_r = gamma_r Σ p(s') V_r(s')";
        m_out.weightMeans = "p = Σ mu(a_H|s) T(s'|s,a), the humans by their goal-marginal policies";
        m_out.factor = byRow ? 1.0 : m_plan.discount_r();
        std::vector<RowPart> parts;
        for (int m = 0; m < plan.jointCount && !stopped(); ++m)
            if (const double mu = jointWeight(m); mu != 0.0)
                m_rows->add(plan.jointOffset[m] + plan.robotOffset[m_out.quantity.action], mu,
                            parts);
        mergeParts(parts);
        for (const RowPart& part : parts) {
            const State next = m_rows->next(part.successor);
            ExplainedTerm term;
            term.successor = next;
            term.inner = ValueOf{.kind = Kind::V_r};
            term.weight = part.probability;
            term.discount = part.discount;
            term.value = m_solution.v_r(next);
            term.product = term.weight * term.discount * term.value;
            m_out.terms.push_back(std::move(term));
        }
    }

    void makePi_r() {
        const double beta = m_solution.spec().beta_r;
        m_out.formula = "pi_r(a) = (-Q_r(a))^-beta_r / Σ (-Q_r)^-beta_r";
        m_out.weightMeans = "1; powers are taken relative to the best Q_r";
        // The powers of Q_r itself may be too large or too small for a double.
        const double best = *std::ranges::max_element(m_values.q_r);
        // beta_r log(-Q) is rounded before the exponential: large ones lose that many digits.
        for (const double q : m_values.q_r)
            if (const double size = beta * std::abs(std::log(-q)); std::isfinite(size))
                m_out.tolerance =
                    std::max(m_out.tolerance, 8 * size * std::numeric_limits<double>::epsilon());
        for (std::size_t r = 0; r < m_values.q_r.size(); ++r) {
            ExplainedTerm term = valueTerm(m_plan.robots().names[r], 1, m_values.q_r[r],
                                           {.kind = Kind::Q_r, .action = static_cast<int>(r)});
            term.exponent = -beta;
            term.product = std::isinf(beta) ? (term.value == best ? 1.0 : 0.0)
                                            : std::exp(-beta * std::log(term.value / best));
            m_out.terms.push_back(term);
        }
        m_out.factor = m_out.terms[static_cast<std::size_t>(m_out.quantity.action)].product;
        m_out.outerExponent = -1;
    }

    void makeX_h() {
        const int h = m_out.quantity.human;
        const SolveSpec& spec = m_solution.spec();
        m_out.formula = "X_h = Σ w_g V_h^e(g)^zeta";
        m_out.weightMeans = "w_g, as the world gives it";
        const HumanGoals& own = m_solution.world().goals()[h];
        for (int g = 0; g < std::ssize(own.goals) && !stopped(); ++g) {
            // Narrow storage rounds V_h^e; X_h is made before that.
            const double value = spec.storage == ValueStorage::Double
                                     ? m_values.v_h_e[h][g]
                                     : sumOf(goalParts(h, g), h, g);
            ExplainedTerm term = valueTerm(goalText(own.goals[g]), own.weights[g], value,
                                           {.kind = Kind::V_h_e, .human = h, .goal = g});
            term.exponent = spec.zeta;
            term.product = term.weight * std::pow(value, spec.zeta);
            m_out.terms.push_back(term);
        }
    }

    /// How likely each successor is if human h pursues goal g and all others follow their policies.
    std::vector<RowPart> goalParts(int h, int g) {
        const KernelPlan& plan = m_plan.kernel();
        const KernelHuman& human = plan.human[h];
        std::vector<RowPart> parts;
        for (int a = 0; a < human.actions; ++a)
            for (int k = 0; k < human.othersCount && !stopped(); ++k) {
                double p = m_values.pi_h[h][g][a];
                for (int j = 0, other = 0; j < plan.humans; ++j)
                    if (j != h)
                        p *= m_values
                                 .marginal[j][human.othersAgents[k * (plan.humans - 1) + other++]];
                if (p == 0.0) continue;
                const std::uint32_t base =
                    static_cast<std::uint32_t>(a) * human.actionStride + human.othersOffset[k];
                for (int r = 0; r < plan.robotCount; ++r)
                    m_rows->addForGoal(base + plan.robotOffset[r], p * m_values.pi_r[r], h, g,
                                       parts);
            }
        mergeParts(parts);
        return parts;
    }

    double goalValue(const RowPart& part, int h, int g, bool isPhase1Value) const {
        const State next = m_rows->next(part.successor);
        return isPhase1Value ? m_solution.v_h(next, h, g) : m_solution.v_h_e(next, h, g);
    }

    double sumOf(const std::vector<RowPart>& parts, int h, int g) const {
        double sum = 0;
        for (const RowPart& part : parts)
            sum += part.probability * (m_rows->holds(part.successor, h, g)
                                           ? 1.0
                                           : part.discount * goalValue(part, h, g, false));
        return sum;
    }

    void addGoalTerms(const std::vector<RowPart>& parts, Kind kind) {
        const int h = m_out.quantity.human, g = m_out.quantity.goal;
        for (const RowPart& part : parts) {
            ExplainedTerm term;
            term.successor = m_rows->next(part.successor);
            term.inner = ValueOf{.kind = kind, .human = h, .goal = g};
            term.isAttained = m_rows->holds(part.successor, h, g);
            term.weight = part.probability;
            term.discount = part.discount;
            term.value = term.isAttained ? 1.0 : goalValue(part, h, g, kind == Kind::V_h);
            term.product = term.weight * term.discount * term.value;
            m_out.terms.push_back(std::move(term));
        }
    }

    void makeV_h_e() {
        m_out.formula = m_plan.hasDurations()
                            ? "V_h^e = Σ p(s') (1 if attained, else e^(-rho_h D) V_h^e(s'))"
                            : "V_h^e = Σ p(s') (1 if attained, else gamma_h V_h^e(s'))";
        m_out.weightMeans = "p = Σ pi_r(a_r) mu_g(a_H|s) T(s'|s,a)";
        setStorageTolerance();
        addGoalTerms(goalParts(m_out.quantity.human, m_out.quantity.goal), Kind::V_h_e);
    }

    void makeV_h() {
        const int h = m_out.quantity.human, g = m_out.quantity.goal;
        m_out.formula = m_plan.hasDurations()
                            ? "V_h = Σ p(s') (1 if attained, else e^(-rho_h D) V_h(s'))"
                            : "V_h = Σ p(s') (1 if attained, else gamma_h V_h(s'))";
        m_out.weightMeans = std::string(
                                "p = Σ pi_h(a) b(a_-h) T(s'|s,a), b the belief, the robots' "
                                "actions ") +
                            (m_solution.spec().optimistic ? "best" : "worst") + " for the goal";
        setStorageTolerance();
        if (holdsNow(h, g)) {
            m_out.remark = "The goal holds already: phase 1 gives it 0.";
            return;
        }
        const ExplainRows::HumanQ q = m_rows->humanQ(h, g, m_stop);
        if (stopped()) return;
        std::vector<RowPart> parts;
        const int others = m_plan.kernel().human[h].othersCount;
        for (int a = 0; a < std::ssize(q.q); ++a)
            for (int k = 0; k < others; ++k)
                m_rows->addForGoal(q.chosenRow[a * others + k],
                                   m_values.pi_h[h][g][a] * q.belief[a * others + k], h, g, parts);
        mergeParts(parts);
        addGoalTerms(parts, Kind::V_h);
    }

    void makePi_h() {
        const ValueOf& asked = m_out.quantity;
        const SolveSpec& spec = m_solution.spec();
        m_out.formula = spec.nu > 0
                            ? "pi_h(a) = nu pi_0(a) + (1 - nu) e^(beta_h Q_h(a)) / Σ e^(beta_h Q_h)"
                            : "pi_h(a) = e^(beta_h Q_h(a)) / Σ e^(beta_h Q_h)";
        m_out.weightMeans = "1; exponents are taken relative to the best Q_h";
        if (holdsNow(asked.human, asked.goal)) {
            m_out.remark = "The goal holds already: all mass is on the first action.";
            m_out.addend = asked.action == 0 ? 1 : 0;
            return;
        }
        const std::vector<double> q = m_rows->humanQ(asked.human, asked.goal, m_stop).q;
        if (stopped()) return;
        const double best = *std::ranges::max_element(q);
        const int agent = m_solution.world().goals()[asked.human].agent;
        for (std::size_t a = 0; a < q.size(); ++a) {
            ExplainedTerm term;
            term.label = m_solution.world().agents()[agent].actions[a];
            term.value = q[a];
            term.exponent = spec.beta_h;
            term.product = std::isinf(spec.beta_h) ? (q[a] == best ? 1.0 : 0.0)
                                                   : std::exp(spec.beta_h * (q[a] - best));
            m_out.terms.push_back(std::move(term));
        }
        m_out.addend = m_rows->habit(asked.human)[asked.action];
        m_out.factor = (1 - spec.nu) * m_out.terms[asked.action].product;
        m_out.outerExponent = -1;
    }

    void makeMarginal() {
        const ValueOf& asked = m_out.quantity;
        const HumanGoals& own = m_solution.world().goals()[asked.human];
        m_out.formula = "pi(a|s,h) = Σ w_g pi_h(a|g) / Σ w_g";
        m_out.weightMeans = "w_g, as the world gives it";
        double total = 0;
        for (int g = 0; g < std::ssize(own.goals); ++g) {
            const std::vector<double>& pi = m_values.pi_h[asked.human][g];
            for (const double p : pi) total += own.weights[g] * p;
            m_out.terms.push_back(valueTerm(
                goalText(own.goals[g]), own.weights[g], pi[asked.action],
                {.kind = Kind::Pi_h, .human = asked.human, .goal = g, .action = asked.action}));
        }
        m_out.factor = 1 / total;
    }

    void setStorageTolerance() {
        const ValueStorage storage = m_solution.levels().storage();
        m_out.tolerance = roundingOf(storage).first;
        m_slack = roundingOf(storage).second;
    }

    bool holdsNow(int h, int g) const { return m_rows->holds(m_out.state.config, h, g); }

    double jointWeight(int m) const {
        const KernelPlan& plan = m_plan.kernel();
        double p = 1;
        for (int h = 0; h < plan.humans; ++h)
            p *= m_values.marginal[h][plan.jointActions[m * plan.humans + h]];
        return p;
    }

    std::string humanName(int h) const {
        return m_solution.world().agents()[m_solution.world().goals()[h].agent].name;
    }

    static ExplainedTerm valueTerm(const std::string& label, double weight, double value,
                                   const ValueOf& inner) {
        ExplainedTerm term;
        term.label = label;
        term.inner = inner;
        term.weight = weight;
        term.value = value;
        term.product = weight * value;
        return term;
    }

    bool stopped() {
        m_isStopped = m_isStopped || m_stop.stop_requested();
        return m_isStopped;
    }

    void finish(std::size_t maxTerms) {
        std::vector<ExplainedTerm>& terms = m_out.terms;
        // Before they are sorted and cut: the result is the same for any number of shown terms.
        for (const ExplainedTerm& term : terms) m_out.sum += term.product;
        m_out.result = m_out.addend;
        if (!terms.empty())
            m_out.result +=
                m_out.factor *
                (m_out.outerExponent == 1 ? m_out.sum : std::pow(m_out.sum, m_out.outerExponent));
        applyFloor();
        m_out.numTerms = terms.size();
        std::ranges::stable_sort(terms, [](const ExplainedTerm& a, const ExplainedTerm& b) {
            return std::abs(a.product) > std::abs(b.product);
        });
        for (std::size_t i = maxTerms; i < terms.size(); ++i) {
            m_out.othersWeight += terms[i].weight;
            m_out.othersProduct += terms[i].product;
        }
        if (terms.size() > maxTerms) terms.resize(maxTerms);
        m_out.shown = *valueOf(m_solution, m_out.state, m_out.quantity);
        m_out.difference = relativeDifference(m_out.result, m_out.shown);
        m_out.agrees =
            m_out.difference <= m_out.tolerance || std::abs(m_out.result - m_out.shown) <= m_slack;
    }

    void applyFloor() {
        if (m_out.quantity.kind != Kind::X_h || m_values.terminal) return;
        const double floor = m_solution.spec().x_h_floor.value_or(0.0);
        if (m_out.result >= floor) return;
        m_out.remark = "The sum is below x_h_floor and is raised to it.";
        m_out.result = floor;
    }

    const Solution& m_solution;
    const SolvePlan& m_plan;
    StateValues m_values;
    std::optional<ExplainRows> m_rows;  ///< set unless the state is terminal
    std::stop_token m_stop;
    bool m_isStopped = false;
    double m_slack = 1e-300;
    Explanation m_out;
};

}  // namespace

Explainer::Explainer(std::shared_ptr<const Solution> solution, BelievedOthers believedOthers)
    : m_solution(std::move(solution)),
      m_plan(std::make_unique<const SolvePlan>(m_solution->graph(), m_solution->spec(),
                                               std::move(believedOthers))) {}

Explainer::~Explainer() = default;

std::optional<Explanation> Explainer::explain(State state, const ValueOf& quantity,
                                              std::size_t maxTerms, std::stop_token stop) const {
    if (!valueOf(*m_solution, state, quantity))
        throw Error(
            "There is no such number: a terminal state has no policy, and phase 1 alone "
            "no robot values",
            Error::Kind::BadInput);
    return Making(*m_solution, *m_plan, state, quantity, std::move(stop)).take(maxTerms);
}

std::size_t Explainer::workOf(State state) const {
    return m_solution->graph().rows(state.config).numEntries;
}

}  // namespace orrery
