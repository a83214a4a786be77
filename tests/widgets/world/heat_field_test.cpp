#include "widgets/world/heat_field.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "widgets/world/moment_text.h"
#include "widgets/world/overlay.h"

using namespace orrery;

namespace {

std::shared_ptr<const World> smallWorld() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAyUn..We", "We..LaAeWe", "WeWeWeWeWe"};
    spec.maxSteps = 4;
    spec.possibleGoals = {{1, 1, 1, 1, false}, {1, 1, 3, 2, true}};
    return makeWorld(spec);
}

}  // namespace

class HeatFieldTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const World> m_world = smallWorld();
    std::shared_ptr<const Solution> m_solution = solve(explore(m_world, {}), SolveSpec());

private Q_SLOTS:
    void everyQuantityOfTheAgentsOwnCellIsThatOfTheStates() {
        const StateGraph& graph = m_solution->graph();
        const auto& grid = dynamic_cast<const GridWorld&>(*m_world);
        const State state{2, graph.levelMember(2, graph.levelSize(2) / 3)};
        const GridState shown = grid.unpack(graph.configuration(state.config));
        for (const ValueKind quantity :
             {ValueKind::V_h_e, ValueKind::V_h, ValueKind::X_h, ValueKind::V_r, ValueKind::U_r}) {
            const auto field = computeHeat(*m_solution, {state, 0, 0, 1, quantity});
            // By hand: the four directions of the human in its own cell.
            double sum = 0;
            int count = 0;
            GridState turned = shown;
            for (std::uint8_t d = 0; d < 4; ++d) {
                turned.agents[0].direction = d;
                const auto config = graph.find(grid.pack(turned));
                if (!config || !graph.inLevel(2, *config)) continue;
                const StateValues values = m_solution->values({2, *config});
                sum += quantity == ValueKind::V_h_e ? values.v_h_e[0][1]
                       : quantity == ValueKind::V_h ? values.v_h[0][1]
                       : quantity == ValueKind::X_h ? values.x_h[0]
                       : quantity == ValueKind::V_r ? values.v_r
                                                    : values.u_r;
                ++count;
            }
            const HeatCell& cell = field->cells[static_cast<std::size_t>(shown.agents[0].cell)];
            QCOMPARE(cell.count, count);
            QVERIFY(std::abs(cell.value - sum / count) < 1e-14);
        }
    }

    void theEarliestStepIsTheFirstLevelWithTheAgentThere() {
        const StateGraph& graph = m_solution->graph();
        const auto field = computeHeat(*m_solution, {{}, 0, 0, 0, kEarliestHeat});
        std::vector<int> first(20, -1);
        for (int step = 0; step < graph.numLevels(); ++step)
            for (std::int64_t k = 0; k < graph.levelSize(step); ++k) {
                const auto words = graph.configuration(graph.levelMember(step, k));
                int& known = first[static_cast<std::size_t>(m_world->cellOf(words, 0))];
                if (known < 0) known = step;
            }
        for (std::size_t cell = 0; cell < 20; ++cell) {
            QCOMPARE(field->cells[cell].count > 0, first[cell] >= 0);
            if (first[cell] >= 0) QCOMPARE(static_cast<int>(field->cells[cell].value), first[cell]);
        }
        QCOMPARE(field->low, 0.0);
        QVERIFY(field->high > 0);
    }

    void visitsCountTheWalk() {
        const Configuration start = m_world->initialConfiguration();
        const std::vector<std::span<const std::uint64_t>> walk(3, start);
        const auto field = countVisits(*m_world, walk, 0);
        QCOMPARE(field->cells[static_cast<std::size_t>(m_world->cellOf(start, 0))].value, 3.0);
        QCOMPARE(field->numKnown, 1);
    }

    void aLockedRangeKeepsItsEnds() {
        const State start{0, 0};
        const auto field = computeHeat(*m_solution, {start, 0, 0, 1});
        const HeatRange fixed{HeatRangeKind::Fixed, 0, 1};
        QCOMPARE(fixed.applied(field)->low, 0.0);
        QCOMPARE(fixed.applied(field)->high, 1.0);
        QCOMPARE(fixed.applied(field)->least, field->least);
        QCOMPARE(HeatRange().applied(fixed.applied(field))->high, field->high);
        QCOMPARE(heatRangeOf(jsonOf(fixed)), fixed);
        QCOMPARE(heatRangeOf({{QStringLiteral("kind"), 2}, {QStringLiteral("low"), 3.0}}),
                 HeatRange());
    }

    void theLikelyFutureIsAPathOfTheInducedChain() {
        const State start{0, *m_solution->graph().find(m_world->initialConfiguration())};
        const auto future = likelyFuture(*m_solution, start, 12, {});
        QCOMPARE(future->size(), std::size_t{4});
        State at = start;
        for (const State& next : *future) {
            const auto chain = m_solution->inducedChain(at);
            QVERIFY(std::ranges::any_of(
                chain, [&](const Successor& s) { return s.state == next && s.probability > 0; }));
            at = next;
        }
    }
};

ORRERY_TEST(HeatFieldTest)
#include "heat_field_test.moc"
