#include "widgets/train/stage_bar.h"

#include <QSet>
#include <QTest>

#include "tests/support/test_program.h"

using namespace orrery;

/// What the cells of the stages say at several widths.
class StageBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreWrittenInAllCellsOrInNone() {
        StageBar bar;
        bar.setStages({{.name = "v_h_e", .title = "v_h_e", .begin = 0, .end = 20'000},
                       {.name = "x_h", .title = "x_h", .begin = 20'000, .end = 40'000},
                       {.name = "u_r", .title = "u_r", .begin = 40'000, .end = 60'000},
                       {.name = "ramp", .title = "ramp", .begin = 60'000, .end = 120'000},
                       {.name = "full", .title = "full", .begin = 120'000, .end = 200'000}},
                      80'000, 200'000);
        QSet<bool> kinds;
        for (int width = 160; width <= 1200; width += 20) {
            bar.resize(width, 26);
            const std::vector<NamedSpot> spots = bar.namedSpots();
            QCOMPARE(spots.size(), std::size_t{5});
            const auto isWritten = [](const NamedSpot& spot) {
                return !spot.facts.value(QStringLiteral("steps")).toString().isEmpty();
            };
            for (const NamedSpot& spot : spots) QCOMPARE(isWritten(spot), isWritten(spots[0]));
            kinds << isWritten(spots[0]);
        }
        QCOMPARE(kinds.size(), 2);
        QCOMPARE(bar.namedSpots()[3].facts.value(QStringLiteral("steps")).toString(),
                 QString("120k"));
    }
};

ORRERY_WINDOW_TEST(StageBarTest)
#include "stage_bar_test.moc"
