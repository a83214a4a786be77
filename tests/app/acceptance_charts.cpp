#include <cmath>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// A room whose 200 steps make curves of 201 points.
const char* const kLongRoom = R"(metadata: {name: Long room}
map: |
  We We We We We
  We Ay .. Ae We
  We .. .. .. We
  We We We We We
max_steps: 200
orientations: [e, w]
possible_goals: ["1,1", "3,1", "1,2", "3,2", "1,1, 3,2"]
)";

const char* const kSecondsChart = "chart_solve/seconds";
const char* const kLinked = "chart_solve/states";

double firstNumber(const QStringList& cells, int column) {
    QString text = cells.value(column);
    text.replace(QChar(0x2212), QChar(u'-')).remove(QChar(u' '));
    return text.toDouble();
}

}  // namespace

/// Step 12: read, compare and transform the curves of a run; a restart brings all of it back.
class AcceptanceCharts : public AcceptanceScript {
    Q_OBJECT

private:
    QRect plot(const char* chart) const { return ui.placeOf(ui.spot(chart, "plot")); }
    QPoint inPlot(double share) const {
        const QRect place = plot(kSecondsChart);
        // Near the top, which a table below the charts leaves in sight.
        return {place.left() + static_cast<int>(share * place.width()),
                place.top() + place.height() / 4};
    }
    QJsonObject view(const char* chart) const { return ui.facts(chart).value(u"view").toObject(); }
    QJsonArray shownX(const char* chart) const { return ui.facts(chart).value(u"x").toArray(); }
    std::vector<QStringList> reading() const {
        std::vector<QStringList> rows;
        for (const QString& line :
             ui.facts(kSecondsChart).value(u"reading").toString().split(u'\n'))
            if (!line.isEmpty()) rows.push_back(line.split(u'\t'));
        return rows;
    }

    /// What stands below the charts: the headings, then a row for each line.
    std::vector<QStringList> statistics() const {
        std::vector<QStringList> rows(1);
        for (const QJsonValue header : ui.part("chartStatistics").value(u"headers").toArray())
            rows[0] << header.toObject().value(u"text").toString();
        for (const QStringList& row : ui.cells("chartStatistics")) rows.push_back(row);
        return rows;
    }

private Q_SLOTS:
    void initTestCase() {
        const QString file = ui.home().write("long_room.yaml", kLongRoom);
        const Ended solved = ui.cli({"solve", file, "--name", "long", "--json"});
        QCOMPARE(solved.status, 0);
        SEE(ui.start({"--size", "1600x1000"}));
        ui.key("ctrl+5");
        WAIT(ui.facts(kSecondsChart).value(u"points").toInteger() == 201);
        SEE(ui.settle());
        QVERIFY(!plot(kSecondsChart).isEmpty() && !plot(kLinked).isEmpty());
    }

    void step12aThePointerReadsRawAndSmooth() {
        ui.moveTo(inPlot(0.5));
        WAIT(!reading().empty());
        const QJsonArray x = shownX(kSecondsChart);
        const double cross = ui.facts(kSecondsChart).value(u"crosshair").toDouble();
        const double width = x[1].toDouble() - x[0].toDouble();
        QVERIFY(std::abs(cross - (x[0].toDouble() + width / 2)) < 0.02 * width);
        // The other charts show the same place.
        QVERIFY(std::abs(ui.facts(kLinked).value(u"crosshair").toDouble() - cross) < 1e-9);
        SEE(ui.chooseInContext(inPlot(0.5), {"Smoothing", "Exponential mean over 10 steps"}));
        WAIT(view(kSecondsChart).value(u"smoothing").toString() == "ema" &&
             ui.facts(kSecondsChart).value(u"settled").toBool());
        ui.moveTo(inPlot(0.45));
        WAIT(!reading().empty() && reading().front().contains("raw"));
        QVERIFY2(reading().front().contains("smoothed"), reading().front().join(u'|').toUtf8());
        QVERIFY(ui.shot("step-12-readout"));
    }

    void step12bTwoCursorsTellDeltaAndSlope() {
        ui.click(inPlot(0.25));
        ui.key("a");
        WAIT(view(kSecondsChart).contains(u"cursorA"));
        ui.key("Escape");  // the pinned readout
        SEE(ui.settle());
        ui.click(inPlot(0.75));
        ui.key("b");
        WAIT(view(kSecondsChart).contains(u"cursorB"));
        WAIT(statistics().size() == 2 && statistics().front().contains("slope") &&
             !statistics().back().value(2).isEmpty());
        const double a = view(kSecondsChart).value(u"cursorA").toDouble();
        const double b = view(kSecondsChart).value(u"cursorB").toDouble();
        QVERIFY(b > a + 50);
        const std::vector<QStringList> table = statistics();
        const QStringList& head = table[0];
        const auto column = [&](const char* name) {
            return firstNumber(table[1], static_cast<int>(head.indexOf(QString::fromUtf8(name))));
        };
        QVERIFY(head.contains(QString::fromUtf8("Δ")));
        const double scale = std::abs(column("at A")) + std::abs(column("at B"));
        // All have four significant digits.
        constexpr double kRounding = 5.1e-4;
        const double delta = column("Δ");
        QVERIFY(std::abs(column("at B") - column("at A") - delta) <=
                kRounding * (scale + std::abs(delta)));
        QVERIFY(std::abs(column("slope") * (b - a) - delta) <= 2 * kRounding * std::abs(delta));
        QVERIFY(ui.shot("step-12-cursors"));
    }

    void step12cLogarithmicAxesAndALinkedZoom() {
        SEE(ui.chooseInContext(inPlot(0.5), {"X axis", "log"}));
        SEE(ui.chooseInContext(inPlot(0.5), {"Y axis", "log"}));
        WAIT(view(kSecondsChart).value(u"x").toObject().value(u"scale").toString() == "log" &&
             view(kSecondsChart).value(u"y").toObject().value(u"scale").toString() == "log");
        const QJsonArray before = shownX(kSecondsChart);
        ui.ctrlWheel(inPlot(0.6), 3);
        WAIT(shownX(kSecondsChart) != before && ui.facts(kSecondsChart).value(u"settled").toBool());
        SEE(ui.settle());
        const QJsonArray zoomed = shownX(kSecondsChart);
        QVERIFY(zoomed[0].toDouble() > before[0].toDouble());
        QVERIFY(zoomed[1].toDouble() < before[1].toDouble());
        QCOMPARE(shownX(kLinked), zoomed);
        QVERIFY(ui.shot("step-12"));
        const QJsonObject watch = ui.dump().value(u"watch").toObject();
        const double p99 = watch.value(u"frameTimes").toObject().value(u"p99Ms").toDouble();
        QVERIFY2(p99 > 0 && p99 <= timeLimit(16.7, 200), QByteArray::number(p99));
    }

    void step12dARestartBringsAllOfItBack() {
        const QJsonObject before = view(kSecondsChart), linked = view(kLinked);
        const QJsonArray x = shownX(kSecondsChart);
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        SEE(ui.start());
        WAIT(ui.facts(kSecondsChart).value(u"points").toInteger() == 201);
        SEE(ui.settle());
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("compare"));
        QCOMPARE(view(kSecondsChart), before);
        QCOMPARE(view(kLinked), linked);
        QCOMPARE(shownX(kSecondsChart), x);
        QVERIFY(ui.shot("step-12-restart"));
        QCOMPARE(ui.quit(), 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceCharts)
#include "acceptance_charts.moc"
