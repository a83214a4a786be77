#include <QApplication>
#include <QTest>
#include <limits>

#include "core/run/archive/stored_facts.h"
#include "core/run/run_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/compare/sample_runs.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/run_table_model.h"

using namespace orrery;

/// What is computed from the compared runs, on made-up ones.
class CompareSetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
    }

    void runsThatDifferInTheSeedAloneAreOneSetting() {
        const auto sheet = sampleSheet(8);
        const CompareSet set = makeCompareSet(sheet, {1, 3, 5, 7, 0});
        QCOMPARE(set.differing, (QStringList{QStringLiteral("world"), QStringLiteral("beta_r")}));
        const CompareSet same = makeCompareSet(sheet, {0, 2, 3, 5});  // i = 7, 5 | 4, 2
        QCOMPARE(same.differing.last(), QStringLiteral("beta_r"));
        QCOMPARE(same.settings.size(), std::size_t(2));
        QCOMPARE(same.settings[0].rows, (std::vector<int>{0, 2}));
        QCOMPARE(same.settings[1].label, QStringLiteral("beta_r 5"));
    }

    /// Five trainings of one spec but for what the test changes; named "a" to "e".
    static std::vector<RunFacts> fiveTrainings(std::vector<RunRecord>& runs) {
        std::vector<RunFacts> facts;
        for (int i = 0; i < 5; ++i) {
            RunRecord run;
            run.id = "r0000" + std::to_string(i + 1);
            run.name = std::string(1, static_cast<char>('a' + i));
            run.state = RunState::Finished;
            run.worldHash = "0123456789abcdef";
            run.codeVersion = "1";
            run.seed = static_cast<std::uint64_t>(i);
            runs.push_back(run);
            facts.push_back({.run = run.id,
                             .job = "train",
                             .worldName = "First steps",
                             .parameters = {{"job", "train", {}},
                                            {"beta_r", "10.0", 10.0},
                                            {"seed", std::to_string(i), i}},
                             .results = {}});
        }
        return facts;
    }
    void aGroupOfComparesOwnHoldsRunsThatDifferInTheirSeedAlone() {
        std::vector<RunRecord> runs;
        std::vector<RunFacts> facts = fiveTrainings(runs);
        const std::vector<int> all{0, 1, 2, 3, 4};
        const CompareSet equal = makeCompareSet(makeSheet(runs, facts), all);
        QCOMPARE(equal.settings.size(), std::size_t(1));
        QCOMPARE(equal.settings[0].label, QStringLiteral("First steps"));
        QCOMPARE(equal.nameOf(3), QStringLiteral("d"));
        facts[1].parameters.push_back({"stop_step", "10000", 10000.0});
        addSteering(
            facts[2],
            std::vector<EventRow>{
                {.code = "steer", .step = 2000, .data = R"({"key":"lr_q_r","value":"0.0005"})"}});
        runs[3].worldHash = "fedcba9876543210";
        runs[4].state = RunState::Stopped;
        const CompareSet set = makeCompareSet(makeSheet(runs, facts), all);
        QCOMPARE(set.settings.size(), std::size_t(5));
        for (int row = 0; row < 5; ++row)
            QCOMPARE(set.settings[static_cast<std::size_t>(set.settingOf(row))].label,
                     QString(QChar(u'a' + row)));
        QVERIFY(set.differenceOf(0).contains(QStringLiteral("no stop_step")));
        QVERIFY(set.differenceOf(1).contains(QStringLiteral("stop_step 10000")));
        QVERIFY(set.differenceOf(2).contains(QStringLiteral("steering 2000 lr_q_r=0.0005")));
        QVERIFY(set.differenceOf(3).contains(QStringLiteral("world fedcba98")));
        QVERIFY(set.differenceOf(4).contains(QStringLiteral("stopped")));
    }

    void runsThatWereStoppedAtOtherStepsAreNoGroup() {
        std::vector<RunRecord> runs;
        std::vector<RunFacts> facts = fiveTrainings(runs);
        for (const std::size_t row : {0, 1, 2}) {
            runs[row].state = RunState::Stopped;
            const int steps = row == 2 ? 9000 : 4000;
            facts[row].results.push_back({"steps", std::to_string(steps), steps});
        }
        const CompareSet set = makeCompareSet(makeSheet(runs, facts), {0, 1, 2, 3});
        QCOMPARE(set.settings.size(), std::size_t(3));
        QCOMPARE(set.settingOf(0), set.settingOf(1));
        QVERIFY(set.settingOf(0) != set.settingOf(2));
        QCOMPARE(set.differenceOf(2), QStringLiteral("stopped at step 9000"));
    }

    void runsOfOneNameAreToldApartByTheirIdsEverywhere() {
        std::vector<RunRecord> runs;
        std::vector<RunFacts> facts = fiveTrainings(runs);
        for (const std::size_t row : {0, 1, 2}) runs[row].name = "steps";
        runs[4].name.clear();
        facts[0].parameters[1] = {"beta_r", "5.0", 5.0};
        const auto sheet = makeSheet(runs, facts);
        const CompareSet set = makeCompareSet(sheet, {0, 1, 2});
        QCOMPARE(set.nameOf(0), QStringLiteral("steps · r00001"));
        QCOMPARE(set.nameOf(1), QStringLiteral("steps · r00002"));
        QCOMPARE(set.settings[0].label, QStringLiteral("steps · r00001"));
        QCOMPARE(set.settings[1].label, QStringLiteral("beta_r 10"));
        RunTableModel model;
        model.setSheet(sheet);
        model.setShown({0, 1, 2, 3, 4});
        QCOMPARE(model.index(1, 0).data().toString(), set.nameOf(1));
        QCOMPARE(model.index(1, 0).data(Qt::EditRole).toString(), QStringLiteral("steps"));
        QCOMPARE(model.index(3, 0).data().toString(), QStringLiteral("d"));
        QCOMPARE(model.index(4, 0).data().toString(), QStringLiteral("r00005"));
        QCOMPARE(sheet->column(QStringLiteral("name"))->text[0], QStringLiteral("steps"));
    }

    void namesThatBeginAlikeAreShownByTheirEnds() {
        QCOMPARE(withoutCommonBegin({"pantry · beta_r 5 · seed 1", "pantry · beta_r 2 · seed 1"}),
                 (QStringList{"beta_r 5 · seed 1", "beta_r 2 · seed 1"}));
        QCOMPARE(withoutCommonBegin({"pantry · seed 1", "pantry · seed 2", "pantry"}),
                 (QStringList{"pantry · seed 1", "pantry · seed 2", "pantry"}));
        QCOMPARE(withoutCommonBegin({"pantry · seed 1"}), QStringList{"pantry · seed 1"});
        QCOMPARE(withoutCommonBegin({"steps", "maze"}), (QStringList{"steps", "maze"}));
    }

    void theIntervalOfPairsIsThatOfTheirDifferences() {
        const std::vector<SeededValue> a{{1, 2.0}, {2, 2.2}, {3, 1.9}},
            b{{3, 1.0}, {1, 1.0}, {2, 1.2}};
        const DifferenceInterval d = differenceInterval(a, b);
        QCOMPARE(d.pairs.size(), std::size_t(3));
        QVERIFY(std::abs(d.difference - 2.9 / 3) < 1e-12);
        QVERIFY(d.low >= 0.9 - 1e-9 && d.high <= 1.0 + 1e-9 && d.low < d.high);
        QVERIFY(d.isSure());
        const DifferenceInterval again = differenceInterval(a, b);
        QCOMPARE(again.low, d.low);
        QCOMPARE(again.high, d.high);
        QVERIFY(!differenceInterval(std::vector<SeededValue>{{1, 2.0}}, b).hasInterval);
    }

    void theIntervalBeginsWithAResultThatBothSettingsHave() {
        RunSheet sheet = *sampleSheet(3);
        for (SheetColumn& column : sheet.columns)
            if (column.key == QLatin1String("v_r"))
                column.number[1] = std::numeric_limits<double>::quiet_NaN();
        const auto shared = std::make_shared<const RunSheet>(sheet);
        IntervalPlot plot;
        plot.setCompareSet(makeCompareSet(shared, {0, 1}));
        QCOMPARE(plot.resultKey(), QStringLiteral("x_h"));
        QVERIFY(plot.interval().has_value());
        plot.setResultKey(QStringLiteral("states"));
        plot.setCompareSet(makeCompareSet(shared, {1, 2}));
        QCOMPARE(plot.resultKey(), QStringLiteral("states"));
        plot.setResultKey(QStringLiteral("v_r"));  // which one lacks
        QCOMPARE(plot.resultKey(), QStringLiteral("x_h"));
        plot.setCompareSet(makeCompareSet(shared, {0, 2}));
        QCOMPARE(plot.chosenKey(), QStringLiteral("v_r"));
    }
};

ORRERY_WINDOW_TEST(CompareSetTest)
#include "compare_set_test.moc"
