#include "widgets/dag/level_density.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/dag/level_model.h"
#include "widgets/dag/state_query.h"

using namespace orrery;

namespace {

std::shared_ptr<const Solution> solvedExample(const std::string& name) {
    const LoadedWorld loaded = loadWorld("builtin:" + name);
    SolveSpec spec;
    spec.threads = 2;
    return solve(explore(loaded.world, {.threads = 2}), spec);
}

const std::shared_ptr<const Solution>& example() {
    static const std::shared_ptr<const Solution> kSolution = solvedExample("slippery_bridge");
    return kSolution;
}

std::vector<State> statesOf(const StateGraph& graph, int step) {
    std::vector<State> states;
    states.reserve(graph.levelSize(step));
    for (std::int64_t k = 0; k < graph.levelSize(step); ++k)
        states.push_back({step, graph.levelMember(step, k)});
    return states;
}

}  // namespace

class LevelDensityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantitiesAreTheSolutionsNumbers() {
        const auto& solution = example();
        const StateGraph& graph = solution->graph();
        const auto list = bandQuantities(solution.get());
        QVERIFY(list.size() >= 5);
        for (int step = 0; step < graph.numLevels(); ++step) {
            const auto states = statesOf(graph, step);
            const State state = states[states.size() / 2];
            const StateValues values = solution->values(state);
            for (const BandQuantity& quantity : list) {
                if (!quantity) continue;
                const double value = storedValueOf(*solution, state, *quantity);
                const auto human = static_cast<std::size_t>(std::max(0, quantity->human));
                const auto goal = static_cast<std::size_t>(std::max(0, quantity->goal));
                switch (quantity->kind) {
                    case ValueKind::V_r:
                        QCOMPARE(value, values.v_r);
                        break;
                    case ValueKind::V_h_e:
                        QCOMPARE(value, values.v_h_e[human][goal]);
                        break;
                    case ValueKind::X_h:
                        if (values.terminal)
                            QVERIFY(std::isnan(value));
                        else
                            QVERIFY(std::abs(value - values.x_h[human]) <=
                                    1e-12 * std::abs(values.x_h[human]));
                        break;
                    case ValueKind::U_r:
                        if (values.terminal)
                            QVERIFY(std::isnan(value));
                        else
                            QVERIFY(std::abs(value - values.u_r) <= 1e-10 * std::abs(values.u_r));
                        break;
                    default:
                        QFAIL("no quantity of bands");
                }
            }
        }
    }

    void everyStateIsCountedInTheBinOfItsValue() {
        const auto& solution = example();
        const StateGraph& graph = solution->graph();
        for (const BandQuantity& quantity : bandQuantities(solution.get())) {
            const auto density = computeLevelDensity(*solution, quantity, 1, 3);
            QCOMPARE(density->total(), graph.counts().states);
            if (!quantity) continue;
            for (int step = 0; step < graph.numLevels(); ++step) {
                std::vector<std::uint32_t> expected(LevelDensity::kBins);
                double low = 1e300;
                double high = -1e300;
                double sum = 0;
                std::int64_t numValues = 0;
                for (const State& state : statesOf(graph, step)) {
                    const double value = storedValueOf(*solution, state, *quantity);
                    if (std::isnan(value)) continue;
                    ++expected[static_cast<std::size_t>(
                        density->binOf(static_cast<double>(static_cast<float>(value))))];
                    low = std::min(low, value);
                    high = std::max(high, value);
                    sum += value;
                    ++numValues;
                }
                const auto& level = density->levels[static_cast<std::size_t>(step)];
                QVERIFY(level.count == expected);
                QCOMPARE(level.numValues, numValues);
                if (numValues == 0) continue;
                QCOMPARE(level.min, low);
                QCOMPARE(level.max, high);
                QVERIFY(std::abs(level.mean - sum / static_cast<double>(numValues)) <=
                        1e-9 * std::abs(level.mean));
            }
            const auto again = computeLevelDensity(*solution, quantity, 1, 1);
            for (std::size_t k = 0; k < density->levels.size(); ++k)
                QVERIFY(again->levels[k].count == density->levels[k].count);
        }
    }

    void valuesBeyondAllScalesLieAtTheEdge() {
        const LoadedWorld loaded = loadWorld("builtin:first_steps");
        const auto graph = explore(loaded.world, {.threads = 2});
        for (const double eta : {80.0, 2000.0}) {  // -V_r to 1e50 and to infinity
            SolveSpec spec;
            spec.threads = 2;
            spec.eta = eta;
            const auto solution = solve(graph, spec);
            const auto density = computeLevelDensity(*solution, ValueOf{ValueKind::V_r}, 1, 2);
            QVERIFY(density->numAtEdge > 0);
            QVERIFY(density->levels.front().min < -std::numeric_limits<float>::max());
            std::int64_t counted = 0;
            for (std::size_t k = 0; k < density->levels.size(); ++k) {
                const auto& counts = density->levels[k].count;
                const auto sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
                QCOMPARE(sum, density->levels[k].numValues);
                counted += sum;
            }
            QVERIFY(counted >= density->numAtEdge);
            QVERIFY(std::isfinite(density->high - density->low));
            QCOMPARE(density->binOf(-std::numeric_limits<double>::infinity()), 0);
        }
    }

    void aSampleStandsForTheWholeLevel() {
        const auto& solution = example();
        const auto whole = computeLevelDensity(*solution, ValueOf{ValueKind::V_r}, 1, 1);
        const auto sample = computeLevelDensity(*solution, ValueOf{ValueKind::V_r}, 5, 2);
        QCOMPARE(sample->stride, std::int64_t{5});
        QVERIFY(sample->low >= whole->low && sample->high <= whole->high);
        for (std::size_t k = 0; k < whole->levels.size(); ++k) {
            QCOMPARE(sample->states[k], whole->states[k]);
            const auto& counts = sample->levels[k].count;
            const auto sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
            // Each full bin is rounded up by less than one state.
            QVERIFY(sum >= whole->states[k] && sum <= whole->states[k] + whole->states[k] / 5 + 5);
        }
    }

    void theNearestStateAndTheNextByValueAreFound() {
        const auto& solution = example();
        const StateGraph& graph = solution->graph();
        const auto density = computeLevelDensity(*solution, ValueOf{ValueKind::V_r}, 1, 2);
        const int step = graph.numLevels() / 2;
        std::vector<State> states = statesOf(graph, step);
        const auto value = [&](State s) { return static_cast<float>(solution->v_r(s)); };
        for (const double wanted : {density->low, (density->low + density->high) / 2, 5.0}) {
            const auto best = std::ranges::min_element(states, {}, [&](const State& s) {
                return std::abs(value(s) - static_cast<float>(wanted));
            });
            QCOMPARE(density->nearest(graph, step, wanted), best->config);
        }
        // Going up from the lowest visits every state once.
        std::ranges::sort(states, [&](const State& a, const State& b) {
            return std::pair(value(a), a.config) < std::pair(value(b), b.config);
        });
        for (std::size_t k = 0; k + 1 < states.size(); ++k) {
            QCOMPARE(density->neighbour(graph, states[k], true), states[k + 1].config);
            QCOMPARE(density->neighbour(graph, states[k + 1], false), states[k].config);
        }
        QVERIFY(!density->neighbour(graph, states.back(), true));
        QVERIFY(!density->neighbour(graph, states.front(), false));
    }

    void aStopGivesNothing() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!computeLevelDensity(*example(), ValueOf{ValueKind::V_r}, 1, 2, stop.get_token()));
    }

    void queriesJoinPredicatesAndValues_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        QTest::newRow("value alone") << "V_r < -3" << 0;
        QTest::newRow("and") << "step >= 2 and V_r<-3" << 1;
        QTest::newRow("not, or") << "not (V_r >= -3 or step < 2)" << 1;
        QTest::newRow("unicode minus") << QStringLiteral("V_r < \u22123.0 and step >= 2") << 1;
        QTest::newRow("ability") << "V_h_e(human0, 0) > 0.5" << 2;
        QTest::newRow("the number first") << "2 <= STEP && -3 > v_r" << 1;
        QTest::newRow("two") << "V_h_e(human0,0)>.5 and U_r <= -1.5e0" << 3;
    }
    void queriesJoinPredicatesAndValues() {
        QFETCH(QString, text);
        QFETCH(int, kind);
        const auto& solution = example();
        const StateGraph& graph = solution->graph();
        const StateQuery query(solution->world(), solution, text);
        const auto marks = query.run(graph, 2);
        std::int64_t total = 0;
        for (int step = 0; step < graph.numLevels(); ++step)
            for (const State& state : statesOf(graph, step)) {
                const double v = solution->v_r(state);
                const double e = solution->v_h_e(state, 0, 0);
                const bool expected =
                    kind == 0   ? v < -3
                    : kind == 1 ? step >= 2 && v < -3
                    : kind == 2
                        ? e > 0.5
                        : e > 0.5 && storedValueOf(*solution, state, {ValueKind::U_r}) <= -1.5;
                QCOMPARE(marks->contains(state), expected);
                total += expected;
            }
        QCOMPARE(marks->total(), total);
        QVERIFY(total > 0 && total < graph.counts().states);
    }

    void mistakesInQueriesNameTheirColumn_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("part");
        QTest::newRow("no number") << "step < 4 and V_r < " << 20 << "a value for V_r";
        QTest::newRow("no sign") << "V_r" << 1 << "compare it";
        QTest::newRow("equal") << "V_r = -2" << 5 << "< <= > >=";
        QTest::newRow("no human") << "X_h > 1" << 1 << "X_h(human0)";
        QTest::newRow("wrong human") << "X_h(human7) > 1" << 5 << "human0";
        QTest::newRow("wrong goal") << "V_h_e(human0, 99) > 1" << 1 << "takes a goal from 0";
        QTest::newRow("after a value") << "V_r < -4 and stp = 2" << 14 << "stp";
        QTest::newRow("after a long value")
            << "V_h_e(human0, 0) > 0.25 xor step = 1" << 25 << "xor";
    }
    void mistakesInQueriesNameTheirColumn() {
        QFETCH(QString, text);
        QFETCH(int, column);
        QFETCH(QString, part);
        try {
            const StateQuery query(example()->world(), example(), text);
            QFAIL("accepted");
        } catch (const FilterError& error) {
            const QString what = QString::fromUtf8(error.what());
            QVERIFY2(error.column() == column, error.what());
            QVERIFY2(what.startsWith(QStringLiteral("column %1: ").arg(column)), error.what());
            QVERIFY2(what.contains(part), error.what());
        }
    }

    void theLevelModelKeepsItsPromises() {
        LevelModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto& solution = example();
        model.setDensity(levelSizes(solution->graph()), {});
        const auto density = computeLevelDensity(*solution, ValueOf{ValueKind::V_r}, 1, 1);
        model.setDensity(density, QStringLiteral("V_r"));
        QCOMPARE(model.rowCount(), solution->graph().numLevels());
        const int step = 2;
        const QModelIndex states = model.index(model.rowOf(step), LevelModel::States);
        QCOMPARE(states.data(LevelModel::kCountRole).toLongLong(),
                 solution->graph().levelSize(step));
        const Predicate predicate(solution->world(), "step = 2");
        model.setMarks(markStates(solution->graph(), predicate, 1));
        QCOMPARE(model.index(model.rowOf(step), LevelModel::InSet).data(), states.data());
        QCOMPARE(model.index(model.rowOf(1), LevelModel::InSet).data().toString(),
                 QStringLiteral("0"));
        model.setDensity(nullptr, {});
        QCOMPARE(model.rowCount(), 0);
    }
};

ORRERY_APPLICATION_TEST(LevelDensityTest)
#include "level_density_test.moc"
