#include <QTest>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/entity/entity_game.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/vec_env.h"
#include "tests/support/test_program.h"

using namespace orrery;
using Wholes = std::vector<std::int64_t>;

namespace {

/// Some choice of each decider that is allowed; -1 where there is none.
VecActions chosen(const EntityLayout& layout, const VecObs& frames, Rng& rng) {
    VecActions actions;
    for (std::size_t i = 0; i < frames.offers.size(); ++i) {
        const VecObs::Offer& offer = frames.offers[i];
        RaggedBuffer<std::int64_t>& taken = actions.emplace_back(1);
        for (std::int64_t frame = 0; frame < frames.frames(); ++frame) {
            const std::int64_t options = offer.isSelection ? offer.candidates.size1(frame)
                                                           : std::ssize(layout.actions[i].choices);
            const auto allowed = offer.allowed.size0() > 0 ? offer.allowed.sequence(frame)
                                                           : std::span<const std::uint8_t>();
            const auto out = taken.grow(offer.actors.size1(frame));
            for (std::size_t k = 0; k < out.size(); ++k) {
                Wholes can;
                for (std::int64_t c = 0; c < options; ++c)
                    if (allowed.empty() || allowed[k * static_cast<std::size_t>(options) +
                                                   static_cast<std::size_t>(c)] != 0)
                        can.push_back(c);
                out[k] = can.empty() ? -1 : can[rng.below(can.size())];
            }
        }
    }
    return actions;
}

VecEnv::Rules rulesOf(std::int64_t count, std::uint64_t seed, std::int64_t maxEpisodeSteps = 0) {
    return {.count = count, .seed = seed, .maxEpisodeSteps = maxEpisodeSteps, .validates = true};
}

std::function<std::unique_ptr<Environment>()> maker(const std::string& id,
                                                    const std::string& options = "{}") {
    return [id, options] { return environmentNamed(entityEnvironments(), id).make(options); };
}

bool areEqual(const VecObs& a, const VecObs& b) {
    const auto sameOffers = [](const VecObs::Offer& x, const VecObs::Offer& y) {
        return x.actors == y.actors && x.candidates == y.candidates && x.allowed == y.allowed;
    };
    return a.things == b.things && a.visible == b.visible && a.reward == b.reward &&
           a.done == b.done && a.truncated == b.truncated &&
           std::ranges::equal(a.offers, b.offers, sameOffers);
}

/// Frames of so many steps, one after another.
VecObs played(const std::string& id, const VecEnv::Rules& rules, int threads, int steps) {
    ThreadTeam team(threads);
    VecEnv env(maker(id), rules, team);
    Rng rng(5);
    VecObs all(env.layout());
    all.extend(env.reset());
    for (int i = 0; i < steps; ++i) all.extend(env.act(chosen(env.layout(), env.frames(), rng)));
    return all;
}

/// Two types, one without names of its own, global features, an action of things, one among things
/// and one of the game.
EnvironmentSpaces mixedSpaces() {
    return {.observations = {thingsOf("A", {"x"}), thingsOf("B", {}), globalsOf({"g", "h"})},
            .actions = {choiceOf("move", {"l", "r"}), selectionOf("pick"),
                        globalChoiceOf("say", {"no", "yes"})}};
}

Observation mixedFrame(std::int64_t numA, std::int64_t numB, float global) {
    static const EnvironmentSpaces kSpaces = mixedSpaces();
    Observation frame;
    FrameWriter out(kSpaces, frame);
    std::ranges::fill(out.things(0, numA), 7.F);
    out.things(1, numB);
    std::ranges::fill(out.array(2), global);
    out.addActors(0, out.first(1), numB);
    out.addActors(1, 0, numA);
    out.addCandidates(1, out.first(1), numB);
    return frame;
}

VecObs batchOf(const std::vector<Observation>& frames) {
    const EntityLayout layout = entityLayoutOf(mixedSpaces());
    VecObs batch(layout);
    batch.take(layout, frames);
    return batch;
}

Wholes flatOf(const RaggedBuffer<std::int64_t>& buffer) {
    return Wholes(buffer.flat().begin(), buffer.flat().end());
}

std::vector<int> flatOf(const RaggedBuffer<bool>& buffer) {
    return std::vector<int>(buffer.flat().begin(), buffer.flat().end());
}

}  // namespace

class VecEnvTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Frames that were put side by side are what they were.
    void eachFrameIsFoundAgain_data() {
        QTest::addColumn<QString>("id");
        for (const EnvironmentEntry& entry : entityEnvironments())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
    }
    void eachFrameIsFoundAgain() {
        QFETCH(const QString, id);
        const auto environment =
            environmentNamed(entityEnvironments(), id.toStdString()).make("{}");
        const EnvironmentSpaces& spaces = environment->spaces();
        const EntityLayout layout = entityLayoutOf(spaces);
        std::vector<Observation> seen(5);
        for (std::size_t i = 0; i < seen.size(); ++i) environment->reset(i + 1, seen[i]);
        VecObs frames(layout);
        frames.take(layout, seen);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const Observation found =
                observationOf(layout, spaces, frames, static_cast<std::int64_t>(i));
            QVERIFY(problemsOf(spaces, found).empty());
            for (std::size_t part = 0; part < seen[i].parts.size(); ++part) {
                QVERIFY(found.parts[part].values == seen[i].parts[part].values);
                QVERIFY(found.parts[part].begins == seen[i].parts[part].begins);
                if (!seen[i].parts[part].visible.empty())
                    QVERIFY(found.parts[part].visible == seen[i].parts[part].visible);
            }
            for (std::size_t action = 0; action < seen[i].offers.size(); ++action) {
                QVERIFY(found.offers[action].actors == seen[i].offers[action].actors);
                QVERIFY(found.offers[action].candidates == seen[i].offers[action].candidates);
                if (!seen[i].offers[action].allowed.empty())
                    QVERIFY(found.offers[action].allowed == seen[i].offers[action].allowed);
            }
        }
    }

    void theGameIsTheLastThingOfAFrame() {
        const VecObs batch = batchOf({mixedFrame(2, 1, 1), mixedFrame(0, 0, 2)});
        QCOMPARE(batch.things[0].lengths(), (Wholes{2, 0}));
        QCOMPARE(batch.things[2].lengths(), (Wholes{1, 1}));
        QVERIFY(std::ranges::equal(batch.things[2].flat(), std::vector<float>{1, 1, 2, 2}));
        QCOMPARE(flatOf(batch.offers[0].actors), Wholes{2});  // the first B comes after two As
        QCOMPARE(flatOf(batch.offers[1].actors), (Wholes{0, 1}));
        QCOMPARE(flatOf(batch.offers[1].candidates), Wholes{2});
        QCOMPARE(flatOf(batch.offers[2].actors), (Wholes{3, 0}));
        QCOMPARE(batch.numThings(0), 4);
        QCOMPARE(batch.offers[0].allowed.size0(), 0);
    }

    void whatSomeFramesLimitOthersAllow() {
        std::vector<Observation> frames{mixedFrame(1, 2, 0), mixedFrame(2, 2, 0)};
        frames[1].offers[0].allowed = {1, 0, 0, 1};
        frames[1].offers[1].allowed = {0, 1, 1, 0};
        frames[1].parts[0].visible = {0, 1};
        const VecObs batch = batchOf(frames);
        QCOMPARE(flatOf(batch.offers[0].allowed), (std::vector<int>{1, 1, 1, 1, 1, 0, 0, 1}));
        QCOMPARE(flatOf(batch.offers[1].allowed), (std::vector<int>{1, 1, 0, 1, 1, 0}));
        QCOMPARE(batch.offers[1].allowed.lengths(), (Wholes{2, 4}));
        QCOMPARE(flatOf(batch.visible[0]), (std::vector<int>{1, 0, 1}));
        QCOMPARE(batch.visible[1].size0(), 0);
    }

    /// Joining batches gives what the frames give at once.
    void batchesAreJoinedAsTheirFrames_data() {
        QTest::addColumn<int>("first");
        QTest::newRow("the second limits") << 0;
        QTest::newRow("the first limits") << 1;
    }
    void batchesAreJoinedAsTheirFrames() {
        QFETCH(int, first);
        std::vector<Observation> frames{mixedFrame(1, 2, 0), mixedFrame(2, 2, 0)};
        frames[1].offers[0].allowed = {1, 0, 0, 1};
        frames[1].offers[1].allowed = {0, 1, 1, 0};
        frames[1].parts[0].visible = {0, 1};
        if (first == 1) std::swap(frames[0], frames[1]);
        VecObs joined = batchOf({frames[0]});
        joined.extend(batchOf({frames[1]}));
        const VecObs whole = batchOf(frames);
        QVERIFY(areEqual(joined, whole));
        VecObs turned(entityLayoutOf(mixedSpaces()));
        whole.gatherInto(Wholes{1, 0, 1}, turned);
        QVERIFY(areEqual(turned, batchOf({frames[1], frames[0], frames[1]})));
        joined.clear();
        joined.extend(whole);
        QVERIFY(areEqual(joined, whole));
    }

    void framesDoNotDependOnThreads_data() {
        QTest::addColumn<QString>("id");
        for (const EnvironmentEntry& entry : entityEnvironments())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
    }
    void framesDoNotDependOnThreads() {
        QFETCH(QString, id);
        const VecObs one = played(id.toStdString(), rulesOf(37, 3), 1, 40);
        QCOMPARE(one.frames(), 37 * 41);
        for (const int threads : {2, 4})
            QVERIFY(areEqual(one, played(id.toStdString(), rulesOf(37, 3), threads, 40)));
    }

    void seedsDecide() {
        const VecObs one = played("MineSweeper", rulesOf(8, 3), 1, 20);
        QVERIFY(areEqual(one, played("MineSweeper", rulesOf(8, 3), 1, 20)));
        QVERIFY(!areEqual(one, played("MineSweeper", rulesOf(8, 4), 1, 20)));
        // An environment's episodes are its own: others beside it change nothing.
        const VecObs more = played("MultiArmedBandit", rulesOf(9, 3), 1, 0);
        QCOMPARE(more.frames(), 9);
    }

    void anEndedEpisodeIsFollowedByTheNextAtOnce() {
        ThreadTeam team(1);
        VecEnv env(maker("MultiArmedBandit"), rulesOf(3, 1), team);
        env.reset();
        VecActions actions;
        actions.push_back(
            RaggedBuffer<std::int64_t>::fromFlattened(Wholes{0, 1, 0}, 1, Wholes{1, 1, 1}));
        for (int i = 0; i < 31; ++i) env.act(actions);
        QCOMPARE(env.frames().done, (std::vector<std::uint8_t>{0, 0, 0}));
        QCOMPARE(env.episodeSteps(0), 31);
        env.act(actions);
        QCOMPARE(env.frames().done, (std::vector<std::uint8_t>{1, 1, 1}));
        QCOMPARE(env.frames().truncated, (std::vector<std::uint8_t>{0, 0, 0}));
        QCOMPARE(env.frames().reward, (std::vector<float>{1.F / 32, 0, 1.F / 32}));
        QCOMPARE(env.frames().things[0].flat()[0], 0.F);  // the first frame of the next one
        QCOMPARE(env.episodeSteps(0), 32);
        QVERIFY(env.lastOf(0) == nullptr);
        env.act(actions);
        QCOMPARE(env.episodeSteps(0), 1);
    }

    void whatWasCutOffKeepsItsLastFrame() {
        ThreadTeam team(1);
        VecEnv env(maker("MultiArmedBandit"), rulesOf(2, 1, 3), team);
        Rng rng(1);
        env.reset();
        for (int i = 0; i < 3; ++i) env.act(chosen(env.layout(), env.frames(), rng));
        QCOMPARE(env.frames().done, (std::vector<std::uint8_t>{1, 1}));
        QCOMPARE(env.frames().truncated, (std::vector<std::uint8_t>{1, 1}));
        QCOMPARE(env.frames().things[0].flat()[0], 0.F);
        QVERIFY(env.lastOf(1) != nullptr);
        QCOMPARE(env.lastOf(1)->parts[0].values, std::vector<float>{3});
        env.act(chosen(env.layout(), env.frames(), rng));
        QVERIFY(env.lastOf(1) == nullptr);
    }

    void storedStatesGoOnAsTheyWere() {
        for (const EnvironmentEntry& entry : entityEnvironments()) {
            ThreadTeam team(1);
            VecEnv env(maker(entry.id), rulesOf(6, 9, 25), team),
                copy(maker(entry.id), rulesOf(6, 100, 25), team);
            Rng rng(2);
            env.reset();
            copy.reset();
            for (int i = 0; i < 13; ++i) env.act(chosen(env.layout(), env.frames(), rng));
            copy.setStates(env.states());
            Rng same = rng;
            for (int i = 0; i < 60; ++i) {
                env.act(chosen(env.layout(), env.frames(), rng));
                copy.act(chosen(copy.layout(), copy.frames(), same));
                QVERIFY2(areEqual(env.frames(), copy.frames()), entry.id.c_str());
            }
        }
    }

    void spacesThatCannotBeLearnedAreRefused() {
        EnvironmentSpaces spaces = mixedSpaces();
        spaces.observations[0] = {
            .name = "words", .kind = ObservedSpace::Kind::Sequence, .depth = 1};
        QVERIFY_THROWS_EXCEPTION(Error, entityLayoutOf(spaces));
        spaces = mixedSpaces();
        spaces.actions[0] = {.name = "steer", .kind = ActionSpace::Kind::Numbers, .size = 2};
        QVERIFY_THROWS_EXCEPTION(Error, entityLayoutOf(spaces));
    }
};

ORRERY_TEST(VecEnvTest)
#include "vec_env_test.moc"
