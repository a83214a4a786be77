#include <QTest>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/places_of_things.h"
#include "core/env/observation_text.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;
using Wholes = std::vector<std::int64_t>;

namespace {

/// A game in a state, acted in by the choices of each action.
class Game {
public:
    explicit Game(const char* id, const char* options = "{}")
        : m_environment(environmentNamed(entityEnvironments(), id).make(options)) {}

    Game& set(const char* state) {
        m_environment->setState(state, m_seen);
        return *this;
    }
    Game& reset(std::uint64_t seed) {
        m_environment->reset(seed, m_seen);
        return *this;
    }
    const StepResult& step(const std::vector<Wholes>& choices) {
        std::vector<ActionTaken> taken(choices.size());
        for (std::size_t i = 0; i < choices.size(); ++i) taken[i].indices = choices[i];
        m_environment->step(taken, m_result, m_seen);
        return m_result;
    }
    /// Some choice that is offered, by a stream.
    const StepResult& stepAnyhow(Rng& rng) {
        std::vector<Wholes> choices(spaces().actions.size());
        for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = anyhow(i, rng);
        return step(choices);
    }
    json state() const { return json::parse(m_environment->state()); }
    const Observation& seen() const { return m_seen; }
    const EnvironmentSpaces& spaces() const { return m_environment->spaces(); }
    Environment& environment() { return *m_environment; }

private:
    Wholes anyhow(std::size_t action, Rng& rng) const {
        const ActionSpace& space = spaces().actions[action];
        const ActionOffer& offer = m_seen.offers[action];
        const std::size_t options = space.kind == ActionSpace::Kind::Select
                                        ? offer.candidates.size()
                                        : space.choices.size();
        Wholes chosen;
        for (std::size_t k = 0; k < (space.isOfActors ? offer.actors.size() : 1); ++k) {
            std::size_t choice = rng.below(options);
            while (!offer.allowed.empty() && offer.allowed[k * options + choice] == 0)
                choice = rng.below(options);
            chosen.push_back(static_cast<std::int64_t>(choice));
        }
        return chosen;
    }

    std::unique_ptr<Environment> m_environment;
    Observation m_seen;
    StepResult m_result;
};

bool isEnd(const StepResult& result, double reward, EpisodeEnd end) {
    return result.rewards == std::vector{reward} && result.end == end;
}

}  // namespace

class EntityGamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mineSweeperShotRobotStillMoves() {
        Game game("MineSweeper",
                  R"({"width": 3, "height": 3, "orbital_cannon": true, "cooldown_period": 0})");
        game.set(R"({"mines": [[0, 0]], "robots": [[0, 1], [2, 2]], "orbital_cannon": true,
                     "orbital_cannon_cooldown": 0})");
        // Of a mine and two robots the second thing is robot 0.
        QVERIFY(isEnd(game.step({{4, 2}, {1}}), 1, EpisodeEnd::Success));
        QCOMPARE(game.state()["mines"].size(), std::size_t{0});
        QVERIFY(game.state()["robots"] == json::parse("[[1, 2]]"));
    }
    void mineSweeperIsWonWithoutRobotsToo() {
        Game game("MineSweeper",
                  R"({"width": 3, "height": 3, "orbital_cannon": true, "cooldown_period": 0})");
        game.set(R"({"mines": [[0, 0]], "robots": [[0, 1]], "orbital_cannon": true,
                     "orbital_cannon_cooldown": 0})");
        QVERIFY(isEnd(game.step({{4}, {1}}), 1, EpisodeEnd::Success));
        QCOMPARE(game.state()["robots"].size(), std::size_t{0});
    }
    void mineSweeperCannonCoolsDown() {
        Game game("MineSweeper", R"({"orbital_cannon": true, "cooldown_period": 2})");
        game.set(R"({"mines": [[0, 0], [0, 5]], "robots": [[5, 5]], "orbital_cannon": true,
                     "orbital_cannon_cooldown": 0})");
        game.step({{4}, {0}});
        std::vector<std::size_t> actors;
        for (int i = 0; i < 3; ++i) {
            actors.push_back(game.seen().offers[1].actors.size());
            game.step({{4}, Wholes(actors.back(), 0)});
        }
        QCOMPARE(actors, (std::vector<std::size_t>{0, 0, 1}));
    }
    void mineSweeperMasksAreThoseOfTheMoves() {
        Game game("MineSweeper", R"({"width": 3, "height": 4})");
        game.set(R"({"mines": [[1, 1]], "robots": [[0, 3]], "orbital_cannon": false,
                     "orbital_cannon_cooldown": 0})");
        QCOMPARE(game.seen().offers[0].allowed, (std::vector<std::uint8_t>{0, 1, 0, 1, 1}));
        QVERIFY(game.seen().offers[1].actors.empty());
    }

    void pickingAllOfOneColourWins() {
        Game game("PickMatchingBalls", R"({"max_balls": 3})");
        game.set(R"({"colors": [2, 2, 2], "selected": [false, false, false]})");
        QVERIFY(isEnd(game.step({{1}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{1}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{0}}), 1, EpisodeEnd::Success));
    }
    void pickingAnotherColourEndsByShare() {
        Game game("PickMatchingBalls", R"({"max_balls": 4})");
        game.set(R"({"colors": [2, 2, 1, 2], "selected": [true, true, false, false]})");
        // Of those that are left the first is the ball of colour 1.
        QVERIFY(isEnd(game.step({{0}}), 2.0 / 3, EpisodeEnd::Failure));
    }

    void aTreasureOnATrapCountsAndEnds() {
        Game game("TreasureHunt");
        game.set(R"({"pos": [0, 0], "traps": [[0, 1]], "treasure": [[0, 1], [5, 5]]})");
        QVERIFY(isEnd(game.step({{0}}), 1, EpisodeEnd::Failure));
        game.set(R"({"pos": [10, -10], "traps": [], "treasure": [[0, 1]]})");
        QVERIFY(isEnd(game.step({{1}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{3}}), 0, EpisodeEnd::None));
        QVERIFY(game.state()["pos"] == json::parse("[10, -10]"));
    }

    void minefieldReachesByDistance_data() {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("mines");
        QTest::addColumn<double>("reward");
        QTest::newRow("just too far") << QByteArray("[8.2, 0]") << QByteArray("[]") << 0.0;
        QTest::newRow("exactly 5 away") << QByteArray("[8, 0]") << QByteArray("[]") << 0.0;
        QTest::newRow("near") << QByteArray("[7.9, 0]") << QByteArray("[]") << 1.0;
        QTest::newRow("target before mine")
            << QByteArray("[7, 0]") << QByteArray("[[3, 1]]") << 1.0;
    }
    void minefieldReachesByDistance() {
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, mines);
        QFETCH(double, reward);
        Game game("Minefield");
        game.set(R"({"vehicle": [0, 0, 0], "target": )" + target + R"(, "mines": )" + mines +
                 R"(, "step": 0})");
        QVERIFY(
            isEnd(game.step({{1}}), reward, reward > 0 ? EpisodeEnd::Success : EpisodeEnd::None));
    }
    void minefieldTimeRunsOut() {
        Game game("Minefield", R"({"max_steps": 2})");
        game.set(R"({"vehicle": [0, 0, 0], "target": [50, 0], "mines": [], "step": 0})");
        QVERIFY(isEnd(game.step({{0}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{2}}), 0, EpisodeEnd::TimeOut));
        QVERIFY(std::abs(game.seen().parts[0].values[2]) < 1e-6F);
    }

    void aSnakeOfFullLengthEatsWithoutGrowing() {
        Game game("MultiSnake", R"({"num_snakes": 1, "max_snake_length": 2})");
        game.set(R"({"snakes": [{"color": 0, "segments_tail_to_head": [[0, 0], [1, 0]]}],
                     "food": [{"color": 0, "position": [2, 0]}], "step": 0})");
        // All snakes are long: the game is over, and the food came back.
        QVERIFY(isEnd(game.step({{3}}), 0, EpisodeEnd::Success));
        QVERIFY(game.state()["snakes"][0]["segments_tail_to_head"] ==
                json::parse("[[1, 0], [2, 0]]"));
        QCOMPARE(game.state()["food"].size(), std::size_t{1});
    }
    void anothersFoodIsEatenAndEndsTheGame() {
        Game game("MultiSnake");
        game.set(R"({"snakes": [{"color": 0, "segments_tail_to_head": [[1, 1]]},
                                {"color": 1, "segments_tail_to_head": [[5, 5]]}],
                     "food": [{"color": 0, "position": [9, 9]}, {"color": 1, "position": [2, 1]}],
                     "step": 0})");
        QVERIFY(isEnd(game.step({{3, 3}}), 0, EpisodeEnd::Failure));
        const json food = game.state()["food"];
        QCOMPARE(food.size(), std::size_t{2});
        QCOMPARE(food[1]["color"].get<int>(), 0);  // of the eater's colour now
        QCOMPARE(game.state()["snakes"][0]["segments_tail_to_head"].size(), std::size_t{1});
    }
    void snakesRunOutOfTime() {
        Game game("MultiSnake", R"({"num_snakes": 1, "max_steps": 3})");
        game.set(R"({"snakes": [{"color": 0, "segments_tail_to_head": [[5, 5]]}],
                     "food": [{"color": 0, "position": [0, 9]}], "step": 0})");
        QVERIFY(isEnd(game.step({{3}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{3}}), 0, EpisodeEnd::None));
        QVERIFY(isEnd(game.step({{3}}), 0, EpisodeEnd::TimeOut));
    }
    void snakesThatMeetEndTheGame() {
        Game game("MultiSnake");
        game.set(R"({"snakes": [{"color": 0, "segments_tail_to_head": [[1, 1]]},
                                {"color": 1, "segments_tail_to_head": [[2, 1]]}],
                     "food": [], "step": 179})");
        QVERIFY(isEnd(game.step({{3, 3}}), 0, EpisodeEnd::Failure));
    }

    void countRulesWrongChoicesOut() {
        Game game("Count", R"({"masked_choices": 3})");
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            game.reset(seed);
            const std::vector<std::uint8_t> mask = game.seen().offers[0].allowed;
            const auto beans = game.seen().parts[1].begins[0][1];
            QVERIFY(beans < 3 && mask[static_cast<std::size_t>(beans)] == 1);
            for (std::size_t i = 3; i < mask.size(); ++i) QCOMPARE(mask[i], std::uint8_t{0});
            QVERIFY(isEnd(game.step({{beans}}), 1, EpisodeEnd::Success));
            QVERIFY(game.seen().offers[0].allowed.empty());
        }
    }

    void theBestHalfOfTheCherriesIsWorthOne() {
        Game game("CherryPick", R"({"num_cherries": 9})");
        game.reset(3);
        double sum = 0;
        EpisodeEnd end = EpisodeEnd::None;
        int steps = 0;
        for (; end == EpisodeEnd::None; ++steps) {
            const std::vector<float>& cherries = game.seen().parts[0].values;
            const auto best = std::ranges::max_element(cherries) - cherries.begin();
            const StepResult& result = game.step({{best}});
            sum += result.rewards[0];
            end = result.end;
        }
        QCOMPARE(steps, 4);
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }

    /// Gymnasium's CartPole-v1 after one push to the right from rest at 0.
    void cartPoleMovesByItsEquations() {
        Game game("CartPole");
        game.set(R"({"cart": [0, 0, 0, 0], "step": 0})");
        QVERIFY(isEnd(game.step({{1}}), 1, EpisodeEnd::None));
        const std::vector<float> cart = game.seen().parts[0].values;
        // a = F / m; the pole turns by -a / (l (4/3 - m_p / m)).
        const double push = 10 / 1.1, turn = -push / (0.5 * (4.0 / 3 - 0.1 / 1.1)),
                     speed = 0.02 * (push - 0.1 * 0.5 * turn / 1.1);
        QCOMPARE(cart[0], 0.F);
        QVERIFY(std::abs(cart[1] - speed) < 1e-6);
        QCOMPARE(cart[2], 0.F);
        QVERIFY(std::abs(cart[3] - 0.02 * turn) < 1e-6);
        game.set(R"({"cart": [0, 0, 0.3, 0], "step": 0})");
        QVERIFY(isEnd(game.step({{1}}), 1, EpisodeEnd::Failure));
        game.set(R"({"cart": [0, 0, 0, 0], "step": 499})");
        QVERIFY(isEnd(game.step({{0}}), 1, EpisodeEnd::TimeOut));
    }

    void everyGameKeepsItsPromises_data() {
        QTest::addColumn<QByteArray>("id");
        for (const EnvironmentEntry& entry : entityEnvironments())
            QTest::newRow(entry.id.c_str()) << QByteArray::fromStdString(entry.id);
        QCOMPARE(entityEnvironments().size(), std::size_t{14});
    }
    /// Spaces and frames are sound, an episode is a function of seed and choices, and a state goes
    /// on as the game that it was taken from.
    void everyGameKeepsItsPromises() {
        QFETCH(QByteArray, id);
        for (const char* options : {"{}", R"({"original": true})"}) {
            Game game(id.constData(), options), twin(id.constData(), options),
                copy(id.constData(), options);
            QVERIFY(problemsOf(game.spaces()).empty());
            Rng choices(11), twinChoices(11);
            for (std::uint64_t seed = 0; seed < 30; ++seed) {
                game.reset(seed);
                twin.reset(seed);
                EpisodeEnd end = EpisodeEnd::None;
                for (int step = 0; end == EpisodeEnd::None && step < 60; ++step) {
                    const auto problems = problemsOf(game.spaces(), game.seen());
                    QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].c_str());
                    QVERIFY(game.seen() == twin.seen());
                    copy.set(game.environment().state().c_str());
                    QVERIFY(copy.seen() == game.seen());
                    Rng copied = choices;
                    end = game.stepAnyhow(choices).end;
                    QCOMPARE(twin.stepAnyhow(twinChoices).end, end);
                    QCOMPARE(copy.stepAnyhow(copied).end, end);
                    QVERIFY(copy.seen() == game.seen());
                }
                const Picture picture = game.environment().picture({});
                QVERIFY(picture.width >= 1 && picture.height >= 1 && !picture.layers.empty());
            }
        }
    }

    void everyThingHasItsPlaceInThePicture() {
        Game game("MineSweeper", R"({"width": 3, "height": 3})");
        game.set(R"({"mines": [[0, 2], [2, 1]], "robots": [[1, 0]], "orbital_cannon": true,
                     "orbital_cannon_cooldown": 4, "rng": [1, 2, 3, 4]})");
        const auto places =
            placesOfThings(game.spaces(), game.seen(), game.environment().picture({}));
        QCOMPARE(places.size(), std::size_t{4});
        // Upwards in the game, downwards in the picture; the cannon has no place.
        const std::vector<PicturePoint> corners{{0, 0}, {2, 1}, {1, 2}, {0, 3}};
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY(places[i].corner == corners[i]);
            QCOMPARE(places[i].isTile, i == 3);
        }
        for (const EnvironmentEntry& entry : entityEnvironments()) {
            Game any(entry.id.c_str());
            any.reset(2);
            const Picture picture = any.environment().picture({});
            const auto all = placesOfThings(any.spaces(), any.seen(), picture);
            QCOMPARE(all.size(), observedThings(any.spaces(), any.seen()).size());
            for (const PlaceInPicture& place : all)
                QVERIFY(place.corner.x + place.width <= picture.width + 0.01F &&
                        place.corner.y + place.height <= picture.height + 0.01F);
        }
        QVERIFY(placesOfThings(game.spaces(), game.seen(), {}).empty());
    }

    void wrongOptionsAreAllNamed() {
        try {
            Game game("MineSweeper", R"({"widht": 3, "height": 0, "orbital_cannon": 1})");
            QFAIL("took them");
        } catch (const Error& error) {
            const QByteArray text = error.what();
            QVERIFY2(text.contains("\"width\"") && text.contains("height must be") &&
                         text.contains("orbital_cannon must be true or false"),
                     text);
        }
        QVERIFY_THROWS_EXCEPTION(Error,
                                 Game("MineSweeper", R"({"width": 2, "height": 2, "nmines": 4})"));
        QVERIFY_THROWS_EXCEPTION(Error, Game("Minesweeper"));
    }

    void statesThatCannotBeAreRefused() {
        Game game("MineSweeper");
        game.reset(1);
        const json before = game.state();
        for (const char* state : {"", "[]", "{}", R"({"mines": [[9, 9]], "robots": []})",
                                  R"({"mines": [[9, 9]], "robots": [], "orbital_cannon": false,
                                      "orbital_cannon_cooldown": 0})"}) {
            QVERIFY_THROWS_EXCEPTION(Error, game.set(state));
            QVERIFY(game.state() == before);
        }
    }

    void whatIsNotOfferedIsRefused() {
        Game game("MineSweeper");
        game.reset(1);
        QVERIFY_THROWS_EXCEPTION(Error, game.step({{0}, {}}));
        QVERIFY_THROWS_EXCEPTION(Error, game.step({{0, 5}, {}}));
        QVERIFY_THROWS_EXCEPTION(Error, game.step({{0, 0}, {0}}));
        QVERIFY_THROWS_EXCEPTION(Error, game.step({{0, 0}}));
    }
};

ORRERY_TEST(EntityGamesTest)
#include "entity_games_test.moc"
