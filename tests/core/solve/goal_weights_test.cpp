#include <QTest>
#include <cmath>

#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;

namespace {

/// One decision: the human goes to cell 1 by its action 0 and to cell 2 by its action 1. It wants
/// cell 1 with weight 3 and cell 2 with weight 1; the robot has nothing to choose.
std::shared_ptr<const StateGraph> twoWays() {
    TableWorldSpec spec;
    spec.maxSteps = 1;
    spec.agents = {tableAgent(AgentRole::Human, 0, 2), tableAgent(AgentRole::Robot, 1, 1)};
    spec.cells = {{0, 0}, {1, 0}, {2, 0}};
    spec.rows = {{{{{1.0, 1}}, {{1.0, 2}}}, {{{1.0, 1}}, {{1.0, 1}}}, {{{1.0, 2}}, {{1.0, 2}}}}};
    spec.goals = {
        {.agent = 0, .goals = {{1, 0, 1, 0, false}, {2, 0, 2, 0, false}}, .weights = {3.0, 1.0}}};
    return explore(std::make_shared<TableWorld>(spec), {.threads = 1});
}

}  // namespace

/// Weights that do not sum to 1: X_h takes them as they are, the policies normalise them. Source:
/// spec empo sections 3 and 4.
class GoalWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weightsCountAsGivenInX_hAndAsSharesInPolicies() {
        // For cell 1, Q = (1, 0), and beta_h = ln 3 makes the odds 3 to 1: pi = (3/4, 1/4) and
        // V = V_h^e = 3/4. For cell 2 the other way round.
        SolveSpec spec;
        spec.beta_h = std::log(3.0);
        spec.zeta = 2.0;
        spec.xi = 1.0;
        spec.eta = 1.0;
        spec.gamma_r = 1.0;
        spec.terminal_v_r = -1.0;
        spec.threads = 1;
        const auto solution = solve(twoWays(), spec);
        const StateValues values = solution->values({0, 0});
        const auto isList = [](const std::vector<double>& list, double a, double b) {
            return list.size() == 2 && test::isClose(list[0], a) && test::isClose(list[1], b);
        };
        QVERIFY(isList(values.pi_h[0][0], 0.75, 0.25));
        QVERIFY(isList(values.pi_h[0][1], 0.25, 0.75));
        QVERIFY(isList(values.v_h[0], 0.75, 0.75));
        QVERIFY(isList(values.v_h_e[0], 0.75, 0.75));
        // Shares 3/4 and 1/4: 3/4 * 3/4 + 1/4 * 1/4 = 10/16.
        QVERIFY(isList(values.marginal[0], 0.625, 0.375));
        // As given: (3 + 1) * (3/4)^2 = 9/4.
        QVERIFY(test::isClose(values.x_h[0], 2.25));
        QVERIFY(test::isClose(values.u_r, -4.0 / 9.0));
        // The human's policy has total 1, so the end is worth -1, not -4.
        QVERIFY(test::isClose(values.q_r[0], -1.0));
        QVERIFY(test::isClose(values.v_r, -13.0 / 9.0));
        const std::vector<Successor> chain = solution->inducedChain({0, 0});
        QCOMPARE(chain.size(), std::size_t{2});
        QVERIFY(test::isClose(chain[0].probability, 0.625));
        QVERIFY(test::isClose(chain[1].probability, 0.375));
    }

    void rolloutsDrawGoalsByTheirShares() {
        SolveSpec spec;
        spec.threads = 1;
        const auto solution = solve(twoWays(), spec);
        constexpr int kEpisodes = 20'000;
        int first = 0;
        Rng rng(7);
        for (int k = 0; k < kEpisodes; ++k)
            first += solution->rollout({0, 0}, {}, rng).front().goals[0] == 0 ? 1 : 0;
        // Standard deviation of the count: sqrt(20000 * 3/16) = 61.
        QVERIFY2(std::abs(first - 15'000) < 5 * 61, qPrintable(QString::number(first)));
    }
};

ORRERY_TEST(GoalWeightsTest)
#include "goal_weights_test.moc"
