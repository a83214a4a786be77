#include <QTest>

#include "core/base/error.h"
#include "core/world/scene_change.h"
#include "core/world/world_environment.h"
#include "core/world/world_picture.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;

namespace {

std::shared_ptr<const World> randomWorld(std::uint64_t seed) {
    Rng rng(seed);
    return std::make_shared<TableWorld>(
        randomTableWorld({.configs = 8, .humans = 2, .maxSteps = 6, .byStep = seed % 2 == 0}, rng));
}

/// A human and a robot with two actions each; whatever they do, cell 1 follows with probability
/// .25. The human's goals are the two cells, the second three times as likely.
std::shared_ptr<const World> coinWorld() {
    TableWorldSpec spec;
    spec.width = 2;
    spec.maxSteps = 1;
    spec.agents = {tableAgent(AgentRole::Human, 0, 2), tableAgent(AgentRole::Robot, 0, 2)};
    spec.cells = {{0, 0}, {1, 1}};
    const TableWorldSpec::Row coin{{0.75, 0}, {0.25, 1}};
    spec.rows = {{{coin, coin, coin, coin}, {coin, coin, coin, coin}}};
    spec.goals = {
        {.agent = 0,
         .goals = {{.x1 = 0, .y1 = 0, .x2 = 0, .y2 = 0}, {.x1 = 1, .y1 = 0, .x2 = 1, .y2 = 0}},
         .weights = {1, 3}}};
    return std::make_shared<TableWorld>(spec);
}

std::vector<ActionTaken> randomActions(const EnvironmentSpaces& spaces, Rng& rng) {
    std::vector<ActionTaken> taken;
    for (const ActionSpace& action : spaces.actions)
        taken.push_back({.indices = {static_cast<std::int64_t>(rng.below(action.choices.size()))},
                         .numbers = {}});
    return taken;
}

/// One line a step: all that is given.
std::string told(const Observation& observed, const StepResult& result) {
    std::string text = std::to_string(static_cast<int>(result.end));
    for (const double reward : result.rewards) text += ' ' + std::to_string(reward);
    for (const float value : observed.parts[0].values) text += ' ' + std::to_string(value);
    return text;
}

/// The rest of an episode with actions by a seed.
std::vector<std::string> restOf(WorldEnvironment& environment, std::uint64_t actionSeed) {
    Rng rng(actionSeed);
    Observation observed;
    StepResult result;
    std::vector<std::string> lines;
    while (result.end == EpisodeEnd::None) {
        environment.step(randomActions(environment.spaces(), rng), result, observed);
        if (!problemsOf(environment.spaces(), observed).empty()) return {"an unsound observation"};
        lines.push_back(told(observed, result));
    }
    return lines;
}

}  // namespace

class WorldEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEpisodeIsAFunctionOfSeedAndActions() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            WorldEnvironment one(randomWorld(seed)), other(randomWorld(seed));
            QVERIFY(problemsOf(one.spaces()).empty());
            Observation observed;
            one.reset(seed, observed);
            other.reset(seed, observed);
            const std::vector<std::string> lines = restOf(one, seed);
            QCOMPARE(restOf(other, seed), lines);
            QCOMPARE(lines.size(), std::size_t{6});  // it ends at the world's end and not before
            other.reset(seed, observed);
            QCOMPARE(restOf(other, seed), lines);
        }
    }

    void aStateGoesOnWhereItWasTaken() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            WorldEnvironment one(randomWorld(seed)), other(randomWorld(seed));
            Observation observed, restored;
            StepResult result;
            one.reset(seed, observed);
            Rng rng(seed);
            for (int step = 0; step < 3; ++step)
                one.step(randomActions(one.spaces(), rng), result, observed);
            other.setState(one.state(), restored);
            QVERIFY(restored == observed);
            QCOMPARE(other.state(), one.state());
            QCOMPARE(restOf(other, 7), restOf(one, 7));
        }
    }

    void outcomesAndGoalsComeAsOftenAsTheyAreLikely() {
        WorldEnvironment environment(coinWorld());
        QCOMPARE(environment.spaces().rewards, std::vector<std::string>{"human0"});
        QCOMPARE(environment.spaces().facts, std::vector<std::string>{"human0.goal"});
        Observation observed;
        StepResult result;
        const std::vector<ActionTaken> first(2, {.indices = {0}, .numbers = {}});
        constexpr int kEpisodes = 40'000;
        int inSecond = 0, secondGoals = 0, successes = 0;
        for (int episode = 0; episode < kEpisodes; ++episode) {
            environment.reset(static_cast<std::uint64_t>(episode), observed);
            double goal = 0;
            environment.facts({&goal, 1});
            environment.step(first, result, observed);
            const bool isInSecond = observed.parts[0].values[0] == 1.0F;
            inSecond += isInSecond;
            secondGoals += goal == 1;
            successes += result.end == EpisodeEnd::Success;
            QCOMPARE(result.rewards[0], isInSecond == (goal == 1) ? 1.0 : 0.0);
            QVERIFY(result.end != EpisodeEnd::None && result.end != EpisodeEnd::TimeOut);
        }
        // Five standard deviations of a share of 40,000: at most .0125.
        const auto shareOf = [](int count) { return count / double{kEpisodes}; };
        QVERIFY(std::abs(shareOf(inSecond) - 0.25) < 0.0125);
        QVERIFY(std::abs(shareOf(secondGoals) - 0.75) < 0.0125);
        QVERIFY(std::abs(shareOf(successes) - (0.75 * 0.25 + 0.25 * 0.75)) < 0.0125);
    }

    void whatCannotBeIsRefused() {
        WorldEnvironment environment(coinWorld());
        Observation observed;
        StepResult result;
        environment.reset(1, observed);
        const std::string state = environment.state();
        std::vector<ActionTaken> taken(2, {.indices = {2}, .numbers = {}});
        QVERIFY_THROWS_EXCEPTION(Error, environment.step(taken, result, observed));
        taken.pop_back();
        QVERIFY_THROWS_EXCEPTION(Error, environment.step(taken, result, observed));
        WorldEnvironment another(randomWorld(3));
        for (const std::string& bad : {std::string(), std::string("[]"), std::string("{}"),
                                       another.state(), state.substr(0, state.size() / 2)})
            QVERIFY_THROWS_EXCEPTION(Error, environment.setState(bad, observed));
        QCOMPARE(environment.state(), state);
    }

    void aPictureHasEachPieceOnce() {
        const std::shared_ptr<const World> world = randomWorld(5);
        const Configuration configuration = world->initialConfiguration();
        const std::vector<std::uint8_t> pursued{0, 1};
        const Picture picture = pictureOf(*world, configuration, {}, pursued);
        std::vector<Piece> pieces;
        for (const PictureLayer& layer : picture.layers)
            for (const PictureSprite& sprite : layer.sprites) pieces.push_back(pieceOf(sprite));
        const std::vector<Piece> scene = world->scene(configuration);
        QCOMPARE(pieces.size(), scene.size());
        const SceneChange change = changeBetween(pieces, scene);
        QVERIFY(change.gone.empty() && change.added.empty());
        int strong = 0;
        for (const PictureFrame& frame : picture.layers[0].frames) {
            strong += frame.isStrong;
            QCOMPARE(frame.isStrong,
                     pursued[static_cast<std::size_t>(frame.owner)] == frame.number);
        }
        QCOMPARE(strong, 2);
    }

    void aPictureHasWhatIsVisible() {
        WorldEnvironment environment(coinWorld());
        Observation observed;
        environment.reset(1, observed);
        const Picture whole = environment.picture({});
        QCOMPARE(whole.width, 2.0F);
        const Picture half = environment.picture({.corner = {1, 0}, .width = 1, .height = 1});
        QVERIFY(whole.layers[1].sprites.size() == 2);  // both agents stand in the first cell
        QVERIFY(half.layers[1].sprites.empty());
    }
};

ORRERY_TEST(WorldEnvironmentTest)
#include "world_environment_test.moc"
