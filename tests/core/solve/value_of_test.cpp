#include <QTest>
#include <cmath>

#include "core/base/error.h"
#include "core/solve/value_of.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;

namespace {

/// One step. The human does a0 to stand in cell 1, whatever the robot does, or a1 to stand in cell
/// 2, which the robot's a1 prevents.
std::shared_ptr<const Solution> paperSolution(bool phase1Only = false) {
    TableWorldSpec table;
    table.maxSteps = 1;
    table.agents = {tableAgent(AgentRole::Human, 0, 2), tableAgent(AgentRole::Robot, 1, 2)};
    table.cells = {{0, 0}, {1, 0}, {2, 0}};
    const auto certain = [](int next) { return TableWorldSpec::Row{{1.0, next}}; };
    // Profiles by human's action, robot's action: a0 a0, a1 a0, a0 a1, a1 a1.
    table.rows = {{{certain(1), certain(2), certain(1), certain(0)},
                   {certain(1), certain(1), certain(1), certain(1)},
                   {certain(2), certain(2), certain(2), certain(2)}}};
    table.goals = {{.agent = 0, .goals = {{1, 0, 1, 0}, {2, 0, 2, 0}}, .weights = {1, 2}}};
    SolveSpec spec;
    spec.gamma_h = spec.gamma_r = 1;
    spec.beta_h = test::kInfinity;
    spec.optimistic = true;
    spec.zeta = 2;
    spec.xi = spec.eta = 1;
    spec.terminal_v_r = -2;
    spec.phase1Only = phase1Only;
    return solve(explore(std::make_shared<TableWorld>(table), {.threads = 1}), spec);
}

}  // namespace

class ValueOfTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theValuesAreThoseOnPaper() {
        const auto solution = paperSolution();
        // Q_r is the terminal value for both actions, so pi_r is even. The human is sure to attain
        // cell 1, and cell 2 by half: X_h = 1 + 2 / 4, U_r = -1 / X_h, V_r = U_r - 2.
        const std::vector<std::pair<ValueOf, double>> onPaper = {
            {{ValueKind::V_r}, -2.0 / 3 - 2},
            {{ValueKind::U_r}, -2.0 / 3},
            {{ValueKind::Q_r, -1, -1, 0}, -2},
            {{ValueKind::Q_r, -1, -1, 1}, -2},
            {{ValueKind::Pi_r, -1, -1, 0}, 0.5},
            {{ValueKind::Pi_r, -1, -1, 1}, 0.5},
            {{ValueKind::X_h, 0}, 1.5},
            {{ValueKind::V_h_e, 0, 0}, 1},
            {{ValueKind::V_h_e, 0, 1}, 0.5},
            {{ValueKind::V_h, 0, 0}, 1},
            {{ValueKind::V_h, 0, 1}, 1},
            {{ValueKind::Pi_h, 0, 0, 0}, 1},
            {{ValueKind::Pi_h, 0, 0, 1}, 0},
            {{ValueKind::Pi_h, 0, 1, 0}, 0},
            {{ValueKind::Pi_h, 0, 1, 1}, 1},
            {{ValueKind::Marginal, 0, -1, 0}, 1.0 / 3},
            {{ValueKind::Marginal, 0, -1, 1}, 2.0 / 3},
        };
        std::vector<ValueOf> all;
        for (const ValueKindFacts& facts : kValueKinds) {
            QCOMPARE(&factsOf(facts.kind), &facts);
            for (const ValueOf& each : valuesOfKind(solution->world(), facts.kind))
                all.push_back(each);
        }
        QCOMPARE(all.size(), onPaper.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& [asked, expected] = onPaper[i];
            QVERIFY2(all[i] == asked, factsOf(asked.kind).symbol);
            QVERIFY(std::abs(*valueOf(*solution, {0, 0}, asked) - expected) < 1e-14);
            QCOMPARE(valueOf(solution->values({0, 0}), asked), valueOf(*solution, {0, 0}, asked));
            QVERIFY(std::abs(storedValueOf(*solution, {0, 0}, asked) - expected) < 1e-14);
        }
    }

    void whatDoesNotExistIsNothing() {
        const auto solution = paperSolution();
        for (const ValueOf& asked :
             {ValueOf{ValueKind::Q_r}, ValueOf{ValueKind::Pi_r, -1, -1, 2}, ValueOf{ValueKind::X_h},
              ValueOf{ValueKind::X_h, 1}, ValueOf{ValueKind::V_h_e, 0, 2},
              ValueOf{ValueKind::V_h, 1, 0}, ValueOf{ValueKind::Pi_h, 0, 2, 0},
              ValueOf{ValueKind::Marginal, 0, -1, 2}}) {
            QVERIFY(!valueOf(*solution, {0, 0}, asked));
            QVERIFY(!valueOf(solution->values({0, 0}), asked));
        }
        QVERIFY_THROWS_EXCEPTION(Error, valueOf(*solution, {2, 0}, {}));
        QVERIFY_THROWS_EXCEPTION(Error, valueOf(*solution, {-1, 0}, {}));
    }

    void atTheEndOnlyValuesAreLeft() {
        const auto solution = paperSolution();
        const State end{1, solution->graph().levelMember(1, 0)};
        for (const ValueKindFacts& facts : kValueKinds)
            for (const ValueOf& asked : valuesOfKind(solution->world(), facts.kind)) {
                const bool isPolicy = facts.hasAction || facts.kind == ValueKind::U_r;
                const auto value = valueOf(*solution, end, asked);
                QCOMPARE(value.has_value(), !isPolicy);
                QCOMPARE(valueOf(solution->values(end), asked), value);
                if (value) QCOMPARE(*value, facts.kind == ValueKind::V_r ? -2.0 : 0.0);
                const bool isStored = !isPolicy && facts.kind != ValueKind::X_h;
                QCOMPARE(std::isnan(storedValueOf(*solution, end, asked)), !isStored);
            }
    }

    void phase1AloneHasItsOwn() {
        const auto solution = paperSolution(true);
        for (const ValueKindFacts& facts : kValueKinds)
            for (const ValueOf& asked : valuesOfKind(solution->world(), facts.kind)) {
                const auto value = valueOf(*solution, {0, 0}, asked);
                QCOMPARE(value.has_value(), facts.isPhase1);
                QCOMPARE(valueOf(solution->values({0, 0}), asked), value);
                QCOMPARE(std::isnan(storedValueOf(*solution, {0, 0}, asked)), !facts.isPhase1);
            }
    }
};

ORRERY_TEST(ValueOfTest)
#include "value_of_test.moc"
