#include <sqlite3.h>

#include "tests/app/acceptance.h"

using namespace orrery;

namespace {

constexpr const char* kKey = "wave";

/// Adds a curve to a run, as a long training writes one. False if the database refuses.
bool addCurve(const QString& database, const QString& run, qint64 numPoints) {
    sqlite3* db = nullptr;
    if (sqlite3_open(qPrintable(database), &db) != SQLITE_OK) return false;
    const QByteArray sql =
        "INSERT INTO metric(run, key, seq, step, value) "
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < " +
        QByteArray::number(numPoints) + ") SELECT '" + run.toUtf8() + "', '" + kKey +
        "', 1000000 + i, i, ((i * 7919) % 1000) / 1000.0 + i / 1e6 FROM n";
    const bool isDone = sqlite3_exec(db, sql.constData(), nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(db);
    return isDone;
}

}  // namespace

/// Step 20, sizes: a curve of 10^6 points (10^7 where times are checked).
class AcceptanceLongCurve : public AcceptanceScript {
    Q_OBJECT

private Q_SLOTS:
    void step20gALongCurveIsDrawnPannedAndZoomed() {
        const qint64 numPoints = checksTimesStrictly() ? 10'000'000 : 1'000'000;
        QCOMPARE(ui.cli({"solve", "first_steps", "--json"}).status, 0);
        QVERIFY(addCurve(ui.path("data/orrery/default.orrery/workspace.db"), "r00001", numPoints));
        SEE(ui.start({"--size", "1600x1000"}));
        ui.key("ctrl+4");
        WAIT(ui.has("metricChoice"));
        SEE(ui.settle());
        SEE(ui.click("metricChoice"));
        WAIT(!ui.partsOfKind("QMenu").empty());
        QPoint entry;
        for (const QJsonValue value : ui.partsOfKind("QMenu").front().value(u"entries").toArray())
            if (value.toObject().value(u"text").toString() == kKey)
                entry = ui.placeOf(value.toObject()).center();
        QVERIFY(!entry.isNull());
        ui.click(entry);
        const QString chart = QStringLiteral("chart_") + kKey;
        WAIT(ui.facts(chart).value(u"points").toInteger() == numPoints);
        SEE(ui.settle());
        const QRect plot = ui.placeOf(ui.spot(chart, "plot"));
        QVERIFY(UiDriver::inkIn(ui.screen(), plot) > 0.005);
        QVERIFY(ui.shot("step-20-long-curve"));
        const auto shownX = [&] { return ui.facts(chart).value(u"x").toArray(); };
        const QJsonArray all = shownX();
        for (int i = 0; i < 5; ++i) ui.wheel(plot.center(), 1);
        WAIT(shownX() != all);
        const QJsonArray zoomed = shownX();
        ui.drag(plot.center(), plot.center() + QPoint(120, 0));
        WAIT(shownX() != zoomed);
        SEE(ui.settle());
        const QJsonObject frames =
            ui.dump().value(u"watch").toObject().value(u"frameTimes").toObject();
        const double p99 = frames.value(u"p99Ms").toDouble();
        QVERIFY2(p99 <= timeLimit(16.7, 500), QByteArray::number(p99));
        QVERIFY(ui.facts(chart).value(u"bytes").toInteger() <= 14 * numPoints);
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

QTEST_MAIN(AcceptanceLongCurve)
#include "acceptance_long_curve.moc"
