#include "widgets/compare/setting_colors.h"

#include <QTest>
#include <algorithm>

#include "tests/support/test_program.h"

using namespace orrery;

/// A setting keeps its place in the palette.
class SettingColorsTest : public QObject {
    Q_OBJECT

private:
    /// Three settings, beta_r 1, 2 and 3, with two seeds each.
    static std::shared_ptr<const RunSheet> sheet() {
        auto runs = std::make_shared<RunSheet>();
        SheetColumn beta, seed;
        beta.key = QStringLiteral("beta_r");
        beta.part = SheetPart::Parameter;
        seed.key = QStringLiteral("seed");
        seed.part = SheetPart::Parameter;
        for (int run = 0; run < 6; ++run) {
            RunRecord record;
            record.id = "r0000" + std::to_string(run + 1);
            runs->runs.push_back(record);
            beta.text.push_back(QString::number(1 + run / 2));
            seed.text.push_back(QString::number(run % 2));
        }
        runs->facts.resize(runs->runs.size());
        runs->titles.resize(runs->runs.size());
        runs->columns = {beta, seed};
        return runs;
    }
    static std::vector<int> colorsOf(const CompareSet& set) {
        std::vector<int> colors;
        colors.reserve(set.settings.size());
        for (const Setting& setting : set.settings) colors.push_back(setting.color);
        return colors;
    }

private Q_SLOTS:
    void aSettingKeepsItsColourWhateverItIsComparedWith() {
        const auto runs = sheet();
        SettingColors colors;
        CompareSet all = makeCompareSet(runs, {0, 1, 2, 3, 4, 5});
        colors.apply(all);
        QCOMPARE(colorsOf(all), (std::vector<int>{0, 1, 2}));
        CompareSet last = makeCompareSet(runs, {4, 5});
        colors.apply(last);
        QCOMPARE(colorsOf(last), (std::vector<int>{2}));
        CompareSet two = makeCompareSet(runs, {2, 5});
        colors.apply(two);
        QCOMPARE(colorsOf(two), (std::vector<int>{1, 2}));
    }

    void aChosenColourWinsAndIsKept() {
        const auto runs = sheet();
        SettingColors colors;
        CompareSet all = makeCompareSet(runs, {0, 1, 2, 3, 4, 5});
        colors.apply(all);
        colors.choose(*runs, 3, 0);  // the second setting, by its other seed
        colors.apply(all);
        QCOMPARE(all.settings[1].color, 0);
        // The first one gave way: no two look alike unless somebody wants it.
        QVERIFY(all.settings[0].color != 0 && all.settings[0].color != all.settings[2].color);
        SettingColors later;
        later.restore(colors.save());
        CompareSet again = makeCompareSet(runs, {2, 4});
        later.apply(again);
        QCOMPARE(colorsOf(again), (std::vector<int>{0, 2}));
        later.restore({{QStringLiteral("x"), 99}, {QStringLiteral("y"), QStringLiteral("z")}});
        later.apply(again);
        QCOMPARE(colorsOf(again), (std::vector<int>{0, 1}));
    }
};

ORRERY_TEST(SettingColorsTest)
#include "setting_colors_test.moc"
