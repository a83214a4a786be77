#include "core/env/hand_play.h"

#include <QTest>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/entity/envs/entity_environments.h"
#include "core/env/random_actions.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

HandPlay playOf(const char* id, const char* options = "{}", std::uint64_t seed = 1) {
    return {environmentNamed(entityEnvironments(), id).make(options), seed};
}

/// All that a person sees.
std::string told(const HandPlay& play) {
    std::string text = std::to_string(play.steps()) + ' ' + std::to_string(play.reward()) + ' ' +
                       std::to_string(play.total());
    for (std::int64_t i = 0; i < std::ssize(play.things()); ++i) text += ' ' + play.thingText(i);
    if (const HandPlay::Decision* decision = play.decision()) {
        text += " | " + std::to_string(decision->action) + ' ' + std::to_string(decision->decider) +
                ' ' + std::to_string(decision->actor);
        for (const auto& option : decision->options) text += ' ' + option.name;
    }
    return text;
}

}  // namespace

class HandPlayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Robot by robot, then the cannon; the step comes with the last.
    void everybodyDecidesInTurn() {
        HandPlay play =
            playOf("MineSweeper", R"({"orbital_cannon": true, "cooldown_period": 0, "nmines": 3})");
        QCOMPARE(play.things().size(), 6U);
        const std::vector<std::int64_t> actors{3, 4, 5};
        for (std::size_t i = 0; i < actors.size(); ++i) {
            QCOMPARE(play.steps(), 0);
            QCOMPARE(play.decision()->actor, actors[i]);
            QCOMPARE(play.decision()->action, i < 2 ? std::size_t{0} : std::size_t{1});
            play.choose(play.decision()->options.back().value);
        }
        QCOMPARE(play.steps(), 1);
    }

    void everyDecisionAndStepIsTakenBack_data() {
        QTest::addColumn<QString>("id");
        for (const EnvironmentEntry& entry : entityEnvironments())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
    }
    void everyDecisionAndStepIsTakenBack() {
        QFETCH(const QString, id);
        HandPlay play = playOf(id.toUtf8().constData());
        Rng rng(3);
        struct Seen {
            std::int64_t steps;
            std::string told;
        };
        std::vector<Seen> seen;
        for (int i = 0; i < 60 && !play.isOver(); ++i) {
            seen.push_back({play.steps(), told(play)});
            const auto& options = play.decision()->options;
            play.choose(options[rng.below(options.size())].value);
        }
        while (!seen.empty()) {
            // Within a step by a decision, else to where the last step began.
            const std::int64_t steps = play.steps();
            QVERIFY(play.canGoBack());
            play.goBack();
            const bool wasWithin = play.steps() == steps;
            while (!wasWithin && seen.size() > 1 && seen[seen.size() - 2].steps == play.steps())
                seen.pop_back();
            QCOMPARE(told(play), seen.back().told);
            seen.pop_back();
        }
        QVERIFY(!play.canGoBack());
    }

    /// In any order; what is taken back is asked for again.
    void anyOfThoseWhoDecideMayBeFirst() {
        HandPlay play = playOf("MineSweeper");
        const std::vector<HandPlay::Open> open = play.open();
        QCOMPARE(open.size(), std::size_t{2});
        QVERIFY(open[0].actor != open[1].actor);
        play.turnTo(open[1]);
        QCOMPARE(play.decision()->actor, open[1].actor);
        const auto first = play.decision()->options.front().value;
        play.choose(first);
        QCOMPARE(play.steps(), std::int64_t{0});
        QCOMPARE(play.taken()[0].indices[0], HandPlay::kUndecided);
        QCOMPARE(play.taken()[0].indices[1], first);
        QCOMPARE(play.open().size(), std::size_t{1});
        QCOMPARE(play.decision()->actor, open[0].actor);
        play.goBack();
        QCOMPARE(play.decision()->actor, open[1].actor);
        QCOMPARE(play.open().size(), std::size_t{2});
        play.choose(first);
        play.choose(play.decision()->options.front().value);
        QCOMPARE(play.steps(), std::int64_t{1});
    }

    /// The game of another one, as it stood there.
    void anEpisodeGoesOnFromAState() {
        HandPlay play = playOf("MineSweeper");
        for (int i = 0; i < 4; ++i) play.choose(play.decision()->options.front().value);
        HandPlay other(environmentNamed(entityEnvironments(), "MineSweeper").make("{}"),
                       std::string_view(play.environment().state()));
        QCOMPARE(other.steps(), std::int64_t{0});
        QVERIFY(other.seen() == play.seen());
        QVERIFY(!other.canGoBack());
    }

    void theTotalIsTheSumOfRewards() {
        HandPlay play = playOf("TreasureHunt", "{}", 5);
        Rng rng(1);
        double sum = 0;
        for (int i = 0; i < 400 && !play.isOver(); ++i) {
            play.choose(static_cast<std::int64_t>(rng.below(4)));
            sum += play.reward();
            QCOMPARE(play.total(), sum);
        }
        QVERIFY(play.isOver() == (play.decision() == nullptr));
    }

    void chanceTakesWhatIsAllowed() {
        Rng rng(1);
        const std::vector<std::uint8_t> allowed{0, 1, 0, 1};
        int counts[4] = {};
        for (int i = 0; i < 1000; ++i) ++counts[drawOption(allowed, 4, rng)];
        QCOMPARE(counts[0] + counts[2], 0);
        QVERIFY(counts[1] > 400 && counts[3] > 400);
        QCOMPARE(drawOption(std::vector<std::uint8_t>{0, 0}, 2, rng), -1);
        QCOMPARE(drawOption({}, 0, rng), -1);
    }
};

ORRERY_TEST(HandPlayTest)
#include "hand_play_test.moc"
