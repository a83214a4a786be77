#include "core/collect/step_modeller.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/collect/facts.h"
#include "core/encode/state_encoder.h"
#include "core/grid/grid_world.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

/// A state's configuration at a step, met by acting at random.
struct Met {
    Configuration configuration;
    int step;
};

/// Some states of a world, the first and those of random walks.
std::vector<Met> someStates(const World& world, int count, std::uint64_t seed = 1) {
    std::vector<Met> met;
    Rng rng(seed);
    while (std::ssize(met) < count) {
        Configuration at = world.initialConfiguration();
        for (int step = 0; step < world.maxSteps() && std::ssize(met) < count; ++step) {
            met.push_back({at, step});
            const auto outcomes = world.outcomes(
                at, step, static_cast<ActionProfileIndex>(rng.below(world.numProfiles())));
            at = outcomes[rng.below(outcomes.size())].successor;
        }
    }
    return met;
}

StepModeller modellerOf(const std::shared_ptr<const World>& world,
                        const StepModellerOptions& options = {}) {
    return {world, factsOf(*world, shapeCovering(std::span(&world, 1))), makeUniformPolicy(*world),
            0, options};
}

using Distribution = std::map<std::vector<std::byte>, double>;

Distribution rowOf(const StepModel& model, std::size_t row) {
    Distribution distribution;
    for (std::uint32_t e = model.rowBegin[row]; e < model.rowBegin[row + 1]; ++e) {
        const auto bytes = model.successorBytes(model.successor[e]);
        const bool isNew =
            distribution.emplace(std::vector(bytes.begin(), bytes.end()), model.probability[e])
                .second;
        if (!isNew) return {};  // a row lists each successor once
    }
    return distribution;
}

bool areClose(const Distribution& a, const Distribution& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) < 1e-6;
    });
}

}  // namespace

class StepModellerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorld_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < learnableWorlds().size(); ++i)
            QTest::newRow(learnableWorlds()[i].name.c_str()) << static_cast<int>(i);
    }

    void rowsAreTheOutcomesOfTheWorldEncoded_data() { aWorld_data(); }
    void rowsAreTheOutcomesOfTheWorldEncoded() {
        QFETCH(int, index);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        StepModeller modeller = modellerOf(world);
        const WorldFacts& facts = modeller.facts();
        StateEncoder encoder(*world);
        std::vector<std::byte> bytes(encoder.shape().bytes());
        Rng rng(3);
        for (const auto& [configuration, step] : someStates(*world, 12)) {
            const auto model = modeller.model(configuration, step);
            encoder.encode(configuration, step, bytes);
            QVERIFY(model->state == bytes);
            QCOMPARE(model->endsWorld, step + 1 == world->maxSteps());
            QCOMPARE(
                model->rowBegin.size(),
                static_cast<std::size_t>(facts.numHumanProfiles() * facts.numRobotActions()) + 1);
            for (std::size_t row = 0; row + 1 < model->rowBegin.size(); ++row) {
                double sum = 0;
                for (std::uint32_t e = model->rowBegin[row]; e < model->rowBegin[row + 1]; ++e)
                    sum += static_cast<double>(model->probability[e]);
                QVERIFY(std::abs(sum - 1.0) < 1e-5);
            }
            for (int k = 0; k < 24; ++k) {
                const auto profile =
                    static_cast<int>(rng.below(static_cast<unsigned>(facts.numHumanProfiles())));
                const auto action =
                    static_cast<int>(rng.below(static_cast<unsigned>(facts.numRobotActions())));
                const auto joint = worldProfile(*world, facts, profile, action);
                Distribution expected;
                for (const Outcome& outcome : world->outcomes(configuration, step, joint)) {
                    if (outcome.probability <= 0) continue;
                    encoder.encode(outcome.successor, step + 1, bytes);
                    expected[bytes] += outcome.probability;
                }
                const auto row =
                    static_cast<std::size_t>(profile) * facts.numRobotActions() + action;
                if (!areClose(rowOf(*model, row), expected))
                    QFAIL(qPrintable(QString("step %1, row %2").arg(step).arg(row)));
                const float duration = model->duration.empty() ? 1.0F : model->duration[row];
                QCOMPARE(duration, static_cast<float>(world->duration(joint)));
            }
        }
    }

    void rowsOfATakenProfileAreThoseOfTheExpectedModel_data() { aWorld_data(); }
    void rowsOfATakenProfileAreThoseOfTheExpectedModel() {
        QFETCH(int, index);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        StepModeller expected = modellerOf(world), sampled = modellerOf(world);
        const auto actions = static_cast<std::size_t>(expected.facts().numRobotActions());
        Rng rng(4);
        for (const auto& [configuration, step] : someStates(*world, 8)) {
            const auto all = expected.model(configuration, step);
            const auto profile =
                rng.below(static_cast<unsigned>(expected.facts().numHumanProfiles()));
            const auto some = sampled.model(configuration, step, static_cast<int>(profile));
            QCOMPARE(some->profile, static_cast<int>(profile));
            QCOMPARE(some->rowBegin.size(), actions + 1);
            QVERIFY(some->state == all->state);
            QVERIFY(some->prior == all->prior);
            for (std::size_t a = 0; a < actions; ++a) {
                const Distribution row = rowOf(*some, a);
                QVERIFY(!row.empty());
                QVERIFY(areClose(row, rowOf(*all, profile * actions + a)));
            }
        }
    }

    void configurationsBehindTheRowsSumToTheModel_data() { aWorld_data(); }
    void configurationsBehindTheRowsSumToTheModel() {
        QFETCH(int, index);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        StepModeller modeller = modellerOf(world, {.includesStepCount = false});
        for (const auto& [configuration, step] : someStates(*world, 6)) {
            const ModelledRows& rows = modeller.rows(configuration, step, -1);
            const StepModel& model = *rows.model;
            QCOMPARE(rows.fingerprints.size(), model.numSuccessors());
            QCOMPARE(rows.configurations.size(),
                     rows.encodedAs.size() * static_cast<std::size_t>(world->keyWords()));
            for (std::size_t row = 0; row + 1 < model.rowBegin.size(); ++row) {
                std::vector<double> share(model.numSuccessors());
                double sum = 0;
                for (auto o = rows.outcomeBegin[row]; o < rows.outcomeBegin[row + 1]; ++o) {
                    share[rows.encodedAs[rows.outcomeConfiguration[o]]] +=
                        rows.outcomeProbability[o];
                    sum += rows.outcomeProbability[o];
                }
                QVERIFY(std::abs(sum - 1.0) < 1e-9);
                for (auto e = model.rowBegin[row]; e < model.rowBegin[row + 1]; ++e) {
                    const double left =
                        share[model.successor[e]] - static_cast<double>(model.probability[e]);
                    QVERIFY(std::abs(left) < 1e-6);
                    share[model.successor[e]] = 0;
                }
                QVERIFY(std::ranges::all_of(share, [](double p) { return p == 0; }));
            }
            QVERIFY(model.fingerprint == fingerprintOf(model));
        }
    }

    void statesThatLookAlikeBecomeOneSuccessor_data() {
        QTest::addColumn<EncodingRules>("rules");
        QTest::newRow("former") << EncodingRules::Former;
        QTest::newRow("whole") << EncodingRules::Whole;
    }
    void statesThatLookAlikeBecomeOneSuccessor() {
        QFETCH(EncodingRules, rules);
        // The robot faces the fifth control button, of which the original's encodings know nothing:
        // what the button records of its actions cannot be seen.
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWeWe", "WeCBCBCBCB..We", "WeAy......AeWe", "We........CBWe",
                    "WeWeWeWeWeWeWe"};
        spec.orientations = {0, 1};
        spec.maxSteps = 6;
        spec.possibleGoals = {Goal{.x1 = 1, .y1 = 1, .x2 = 5, .y2 = 3}};
        const std::shared_ptr<const World> world = makeWorld(spec);
        StepModeller modeller(world, factsOf(*world, shapeOf(*world, rules)),
                              makeUniformPolicy(*world), 0, {});
        std::size_t merged = 0;
        for (const auto& [configuration, step] : someStates(*world, 100)) {
            const ModelledRows& rows = modeller.rows(configuration, step, -1);
            std::set<std::vector<std::byte>> looks;
            for (std::size_t k = 0; k < rows.model->numSuccessors(); ++k) {
                const auto bytes = rows.model->successorBytes(k);
                looks.emplace(bytes.begin(), bytes.end());
            }
            QCOMPARE(looks.size(), rows.model->numSuccessors());
            merged += rows.encodedAs.size() - looks.size();
        }
        qInfo("%zu configurations looked like another", merged);
        QCOMPARE(merged > 0, rules == EncodingRules::Former);
    }

    void theCacheChangesNothingAndStaysSmall() {
        const auto world = smallRoom();
        StepModeller roomy = modellerOf(world), tight = modellerOf(world, {.cacheBytes = 100'000});
        std::int64_t asked = 0;
        for (int round = 0; round < 3; ++round)
            for (const auto& [configuration, step] : someStates(*world, 400, 7)) {
                const auto a = roomy.model(configuration, step);
                const auto b = tight.model(configuration, step);
                QVERIFY(a->fingerprint == b->fingerprint);
                QVERIFY(a->successors == b->successors);
                // One of the two generations may be over its half by one state.
                QVERIFY(tight.cachedBytes() < 100'000 + 60'000);
                ++asked;
            }
        QCOMPARE(roomy.hits() + roomy.misses(), asked);
        QVERIFY(roomy.hits() > asked * 6 / 10);
        QVERIFY(tight.misses() > roomy.misses());
        QVERIFY(tight.hits() > 0);
    }

    void aModelOutlivesItsPlaceInTheCache() {
        const auto world = smallRoom();
        StepModeller modeller = modellerOf(world, {.cacheBytes = 0});
        const auto first = modeller.model(world->initialConfiguration(), 0);
        // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the first may be overwritten
        const auto copy = *first;
        for (const auto& [configuration, step] : someStates(*world, 50))
            modeller.model(configuration, step);
        QVERIFY(first->successors == copy.successors);
        const auto again = modeller.model(world->initialConfiguration(), 0);
        QVERIFY(again != first);
        QVERIFY(again->fingerprint == first->fingerprint);
    }

    void fingerprintsOfStatesKnowTheLayout() {
        const auto world = smallRoom();
        const auto facts = factsOf(*world, shapeCovering(std::span(&world, 1)));
        StepModeller first(world, facts, makeUniformPolicy(*world), 0);
        StepModeller second(world, facts, makeUniformPolicy(*world), 1);
        const Configuration initial = world->initialConfiguration();
        QVERIFY(first.state(initial, 0).state == second.state(initial, 0).state);
        QVERIFY(first.state(initial, 0).fingerprint != second.state(initial, 0).fingerprint);
    }

    void aWorldBeyondExactPlanningIsModelledByTakenProfiles() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWeWeWe", "WeAyAyAyAyAyAyWe", "WeAeAeAeAeAe..We", "WeWeWeWeWeWeWeWe"};
        spec.possibleGoals = {Goal{.x1 = 1, .y1 = 1, .x2 = 6, .y2 = 2}};
        spec.maxSteps = 4;
        const std::shared_ptr<const World> world = makeWorld(spec);
        QVERIFY(world->whyNotPlannable().has_value());
        StepModeller modeller = modellerOf(world);
        QVERIFY_THROWS_EXCEPTION(Error, modeller.model(world->initialConfiguration(), 0));
        const int profile = 1234;
        const auto model = modeller.model(world->initialConfiguration(), 0, profile);
        QCOMPARE(model->rowBegin.size(), std::size_t{1024 + 1});
        StateEncoder encoder(*world);
        std::vector<std::byte> bytes(encoder.shape().bytes());
        for (const int action : {0, 77, 1023}) {
            Distribution expected;
            for (const Outcome& outcome :
                 world->outcomes(world->initialConfiguration(), 0,
                                 worldProfile(*world, modeller.facts(), profile, action))) {
                encoder.encode(outcome.successor, 1, bytes);
                expected[bytes] += outcome.probability;
            }
            QVERIFY(areClose(rowOf(*model, static_cast<std::size_t>(action)), expected));
        }
    }
};

ORRERY_TEST(StepModellerTest)
#include "step_modeller_test.moc"
