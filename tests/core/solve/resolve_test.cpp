#include "core/solve/resolve.h"

#include <QTest>

#include "core/base/error.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;
using test::sampleSpec;
using test::withThreads;

namespace {

/// Only what phase 2 reads is drawn anew.
SolveSpec otherPhase2(SolveSpec spec, std::uint64_t seed) {
    const SolveSpec other = sampleSpec(seed);
    spec.beta_r = other.beta_r;
    spec.gamma_r = other.gamma_r;
    spec.rho_r = other.rho_r;
    spec.zeta = other.zeta;
    spec.xi = other.xi;
    spec.eta = other.eta;
    spec.terminal_v_r = other.terminal_v_r;
    return spec;
}

std::shared_ptr<const StateGraph> randomGraph(std::uint64_t seed, bool durations) {
    Rng rng(seed);
    const RandomTableShape shape{.configs = 40,
                                 .humans = 2,
                                 .actions = 3,
                                 .goals = 5,
                                 .maxSteps = 6,
                                 .durations = durations};
    return explore(std::make_shared<TableWorld>(randomTableWorld(shape, rng)), {.threads = 1});
}

}  // namespace

class ResolveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySampleWorldIsSolvedAgainToTheSameBits() {
        std::uint64_t seed = 1;
        int solved = 0;
        for (const auto& sample : test::sampleWorlds()) {
            if (sample.world->humans().empty() || ++seed % 3 != 0) continue;
            const auto graph = explore(sample.world, {.threads = 1});
            Resolver resolver(graph);
            SolveSpec spec = sampleSpec(seed);
            VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
            QVERIFY(resolver.reusesPhase1(spec));
            spec = otherPhase2(spec, seed + 1000);
            QVERIFY(resolver.reusesPhase1(spec));
            VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
            ++solved;
        }
        QVERIFY2(solved >= 3, qPrintable(QString::number(solved)));
    }

    void phaseTwoAloneGivesTheBitsOfAFullSolve() {
        for (const bool durations : {false, true}) {
            const auto graph = randomGraph(11, durations);
            Resolver resolver(graph);
            const SolveSpec first = withThreads(sampleSpec(5), 1);
            QVERIFY(!resolver.reusesPhase1(first));
            SolveStatistics whole, part;
            QVERIFY(resolver.solve(first, {}, {}, &whole));
            QVERIFY(resolver.keptBytes() > 0);
            for (std::uint64_t seed = 20; seed < 26; ++seed) {
                const SolveSpec spec =
                    withThreads(otherPhase2(first, seed), 1 + static_cast<int>(seed % 3));
                const auto again = resolver.solve(spec, {}, {}, &part);
                VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *again));
                QCOMPARE(again->spec(), spec);
                QCOMPARE(part.products, whole.products);
                QVERIFY2(part.phase1Seconds < whole.phase1Seconds,
                         qPrintable(QString::number(part.phase1Seconds)));
            }
        }
    }

    void anotherPhaseOneIsComputedAndKeptInstead() {
        const auto graph = randomGraph(12, false);
        Resolver resolver(graph);
        const SolveSpec first = sampleSpec(6);
        resolver.solve(first);
        Rng rng(4);
        for (int change = 0; change < 5; ++change) {
            SolveSpec spec = first;
            if (change == 0) spec.beta_h += 1;
            if (change == 1) {
                spec.gamma_h = 0.75;
                spec.rho_h.reset();
            }
            if (change == 2) spec.optimistic = !spec.optimistic;
            if (change == 3) spec.storage = ValueStorage::Half;
            if (change == 4) test::addRandomRules(graph->world(), spec, rng);
            QVERIFY(!resolver.reusesPhase1(spec));
            VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
            spec.zeta += 0.5;
            QVERIFY(resolver.reusesPhase1(spec));
            VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
        }
    }

    void withoutRoomBothPhasesAreSolved() {
        const auto graph = randomGraph(13, false);
        Resolver resolver(graph, 1000);
        SolveSpec spec = sampleSpec(7);
        VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
        QVERIFY(!resolver.reusesPhase1(spec));
        QCOMPARE(resolver.keptBytes(), std::int64_t{0});
        spec.xi += 1;
        VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
    }

    void aStoppedOrFailedSolveDoesNoHarm() {
        const auto graph = randomGraph(14, false);
        Resolver resolver(graph);
        const SolveSpec spec = sampleSpec(8);
        std::stop_source stop;
        SolveHooks hooks;
        hooks.levelDone = [&stop](const SolveStatistics::Level& level) {
            if (level.step == 3) stop.request_stop();
        };
        QVERIFY(!resolver.solve(spec, hooks, stop.get_token()));
        QVERIFY(!resolver.reusesPhase1(spec));
        VERIFY_NONE(test::bitDifferences(*solve(graph, spec), *resolver.solve(spec)));
        std::stop_source second;
        second.request_stop();
        QVERIFY(!resolver.solve(otherPhase2(spec, 9), {}, second.get_token()));
        QVERIFY(resolver.reusesPhase1(spec));
        VERIFY_NONE(test::bitDifferences(*solve(graph, otherPhase2(spec, 9)),
                                         *resolver.solve(otherPhase2(spec, 9))));
    }
};

ORRERY_TEST(ResolveTest)
#include "resolve_test.moc"
