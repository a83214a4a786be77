#include "tests/core/solve/solve_checks.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "tests/support/test_worlds.h"

namespace orrery::test {

namespace {

constexpr std::size_t kMostLines = 20;

/// Compares numbers and lists of any depth.
class Comparison {
public:
    explicit Comparison(bool exact) : m_exact(exact) {}

    void compare(const std::string& what, double a, double b) {
        const bool same = m_exact ? a == b : isClose(a, b);
        if (!same && m_lines.size() < kMostLines)
            m_lines.push_back(what + ": " + formatDouble(a) + " instead of " + formatDouble(b));
    }
    template <class Element>
    void compare(const std::string& what, const std::vector<Element>& a,
                 const std::vector<Element>& b) {
        if (a.size() != b.size()) {
            compare("size of " + what, static_cast<double>(a.size()),
                    static_cast<double>(b.size()));
            return;
        }
        for (std::size_t i = 0; i < a.size(); ++i)
            compare(what + "[" + std::to_string(i) + "]", a[i], b[i]);
    }
    void compare(const StateValues& a, const StateValues& b) {
        compare("terminal", a.terminal, b.terminal);
        compare("v_h", a.v_h, b.v_h);
        compare("pi_h", a.pi_h, b.pi_h);
        compare("marginal", a.marginal, b.marginal);
        compare("q_r", a.q_r, b.q_r);
        compare("pi_r", a.pi_r, b.pi_r);
        compare("v_h_e", a.v_h_e, b.v_h_e);
        compare("x_h", a.x_h, b.x_h);
        compare("u_r", a.u_r, b.u_r);
        compare("v_r", a.v_r, b.v_r);
    }
    std::vector<std::string> take() { return std::move(m_lines); }
    bool isFull() const { return m_lines.size() >= kMostLines; }

private:
    bool m_exact;
    std::vector<std::string> m_lines;
};

double between(Rng& rng, double low, double high) {
    return low + (high - low) * rng.uniform();
}

std::optional<double> either(Rng& rng, double value, bool& taken) {
    taken = rng.below(2) == 0;
    return taken ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

bool isClose(double a, double b) {
    return std::abs(a - b) <= 1e-10 * std::max(std::abs(a), std::abs(b)) + 1e-14;
}

std::vector<std::string> differences(const StateValues& ours, const StateValues& expected) {
    Comparison comparison(false);
    comparison.compare(ours, expected);
    return comparison.take();
}

std::vector<std::string> bitDifferences(const Solution& a, const Solution& b) {
    Comparison comparison(true);
    const StateGraph& graph = a.graph();
    std::int64_t seen = 0;
    for (int step = 0; step < graph.numLevels(); ++step) {
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
            if (!graph.inLevel(step, c) || comparison.isFull()) continue;
            const State state{step, c};
            comparison.compare("v_r", a.v_r(state), b.v_r(state));
            for (int h = 0; h < static_cast<int>(a.world().goals().size()); ++h)
                for (int g = 0; g < std::ssize(a.world().goals()[h].goals); ++g) {
                    comparison.compare("v_h", a.v_h(state, h, g), b.v_h(state, h, g));
                    comparison.compare("v_h_e", a.v_h_e(state, h, g), b.v_h_e(state, h, g));
                }
            if (seen++ % 17 == 0) comparison.compare(a.values(state), b.values(state));
        }
    }
    return comparison.take();
}

std::vector<double> randomDistribution(std::size_t size, Rng& rng) {
    std::vector<double> result;
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        result.push_back(rng.below(4) == 0 ? 0.0 : 0.1 + rng.uniform());
        sum += result.back();
    }
    if (sum == 0) {
        result[0] = 1;
        sum = 1;
    }
    for (double& p : result) p /= sum;
    return result;
}

SolveSpec randomSpec(Rng& rng) {
    SolveSpec spec;
    spec.threads = 1 + static_cast<int>(rng.below(2));
    spec.beta_h = rng.below(5) == 0 ? 0.0 : between(rng, 0.1, 20);
    spec.beta_r = between(rng, 0.1, 50);
    bool taken = false;
    spec.gamma_h = either(rng, rng.below(4) == 0 ? 1.0 : between(rng, 0.5, 1), taken);
    if (!taken) spec.rho_h = rng.below(4) == 0 ? 0.0 : between(rng, 0, 0.5);
    spec.gamma_r = either(rng, rng.below(4) == 0 ? 1.0 : between(rng, 0.5, 1), taken);
    if (!taken) spec.rho_r = rng.below(4) == 0 ? 0.0 : between(rng, 0, 0.5);
    spec.zeta = rng.below(4) == 0 ? 1.0 : between(rng, 0.5, 3);
    spec.xi = between(rng, 0.3, 2);
    spec.eta = between(rng, 0.5, 2);
    spec.terminal_v_r = rng.below(2) == 0 ? -1e-10 : -between(rng, 0.01, 2);
    spec.optimistic = rng.below(2) == 0;
    if (rng.below(3) == 0) spec.x_h_floor = between(rng, 0.01, 0.5);
    return spec;
}

void addRandomRules(const World& world, SolveSpec& spec, Rng& rng) {
    const std::vector<int> humans = world.humans();
    const char* conditions[] = {"true", "step < 2", "config = 3 or step = 1", "not step = 0"};
    for (int k = 0; k < 3; ++k) {
        BelievedOthersRule rule;
        rule.when = conditions[rng.below(std::size(conditions))];
        const AgentInfo& self = world.agents()[humans[rng.below(humans.size())]];
        if (rng.below(2) == 0) rule.human = self.name;
        if (!rule.human.empty() && rng.below(2) == 0)
            rule.ownAction = self.actions[rng.below(self.actions.size())];
        if (!rule.human.empty() && humans.size() == 2 && rng.below(2) == 0) {
            const AgentInfo& other = world.agents()[humans[0]].name == self.name
                                         ? world.agents()[humans[1]]
                                         : world.agents()[humans[0]];
            const auto p = randomDistribution(other.actions.size(), rng);
            for (std::size_t a = p.size(); a-- > 0;)
                if (p[a] > 0) rule.profiles.push_back({p[a], {other.actions[a]}});
        } else {
            for (const int agent : humans)
                if (rng.below(3) != 0)
                    rule.agents.push_back(
                        {world.agents()[agent].name,
                         randomDistribution(world.agents()[agent].actions.size(), rng)});
        }
        spec.believedOthers.push_back(rule);
    }
    spec.nu = rng.below(3) == 0 ? 1.0 : rng.uniform();
    for (int k = 0; k < 2; ++k) {
        const AgentInfo& self = world.agents()[humans[rng.below(humans.size())]];
        spec.habits.push_back({conditions[rng.below(std::size(conditions))],
                               rng.below(2) == 0 ? std::string() : self.name,
                               randomDistribution(self.actions.size(), rng)});
    }
}

SolveSpec withThreads(SolveSpec spec, int threads) {
    spec.threads = threads;
    return spec;
}

SolveSpec sampleSpec(std::uint64_t seed) {
    Rng rng(seed);
    SolveSpec spec = randomSpec(rng);
    spec.x_h_floor = 1e-3;
    return spec;
}

std::shared_ptr<const World> tableWorld(int configs, int maxSteps) {
    Rng rng(41);
    RandomTableShape shape;
    shape.configs = configs;
    shape.maxSteps = maxSteps;
    shape.humans = 2;
    shape.goals = 5;
    return std::make_shared<TableWorld>(randomTableWorld(shape, rng));
}

}  // namespace orrery::test
