#include <sqlite3.h>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr qint64 kPoints = 10'000'000;
constexpr double kFrameMs = 16.7;
const char* const kKey = "wave";
const char* const kWaveChart = "chart_wave";

/// Adds a curve to a run, as a long training writes one. False if the database refuses.
bool addCurve(const QString& database, const QString& run) {
    sqlite3* db = nullptr;
    if (sqlite3_open(qPrintable(database), &db) != SQLITE_OK) return false;
    const QByteArray sql =
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN; "
        "INSERT INTO curve(run, key) VALUES ('" +
        run.toUtf8() + "', '" + kKey +
        "'); INSERT INTO point(curve, seq, step, value) "
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < " +
        QByteArray::number(kPoints) +
        ") SELECT (SELECT max(id) FROM curve), 1000000 + i, i, ((i * 7919) % 1000) / 1000.0 + i / "
        "1e6 FROM n; COMMIT; "
        "PRAGMA journal_mode = WAL;";
    const bool isDone = sqlite3_exec(db, sql.constData(), nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(db);
    return isDone;
}

/// Frames of the window's thread by the CPU milliseconds that they took.
struct Frames {
    qint64 all = 0, late = 0;
};

Frames framesOf(const UiDriver& ui) {
    const QJsonObject times = ui.dump().value(u"watch").toObject().value(u"frameTimes").toObject();
    const QJsonArray ends = times.value(u"bucketEndsMs").toArray();
    const QJsonArray counts = times.value(u"counts").toArray();
    Frames frames{times.value(u"frames").toInteger(), 0};
    for (qsizetype i = 0; i < counts.size(); ++i)
        if (i >= ends.size() || ends[i].toDouble() > kFrameMs) frames.late += counts[i].toInteger();
    return frames;
}

}  // namespace

/// Step 20, sizes: a stored curve of 10^7 points is opened in Compare, panned and zoomed.
class AcceptanceLongCurve : public AcceptanceScript {
    Q_OBJECT

private:
    QJsonArray shownX() const { return ui.facts(kWaveChart).value(u"x").toArray(); }

private Q_SLOTS:
    void initTestCase() {
        QCOMPARE(ui.cli({"solve", "first_steps", "--json"}).status, 0);
        QElapsedTimer clock;
        clock.start();
        QVERIFY(addCurve(ui.path("data/orrery/default.orrery/workspace.db"), "r00001"));
        qInfo("10^7 points written in %.1f s", static_cast<double>(clock.elapsed()) / 1000);
        SEE(ui.start({"--size", "1600x1000"}));
    }

    void step20lALongCurveIsOpened() {
        ui.key("ctrl+5");
        WAIT(ui.has("metricChoice"));
        SEE(ui.settle());
        SEE(ui.click("metricChoice"));
        WAIT(!ui.partsOfKind("QMenu").empty());
        QPoint entry;
        for (const QJsonValue value : ui.partsOfKind("QMenu").front().value(u"entries").toArray())
            if (value.toObject().value(u"text").toString() == kKey)
                entry = ui.placeOf(value.toObject()).center();
        QVERIFY(!entry.isNull());
        QElapsedTimer clock;
        clock.start();
        ui.click(entry);
        WAIT(ui.facts(kWaveChart).value(u"points").toInteger() == kPoints);
        SEE(ui.settle());
        qInfo("opened in %.1f s", static_cast<double>(clock.elapsed()) / 1000);
        const double each =
            static_cast<double>(ui.facts(kWaveChart).value(u"bytes").toInteger()) / kPoints;
        QVERIFY2(each > 0 && each <= 14, QByteArray::number(each));
        const std::vector<QJsonObject> blocks = busyBlocks(ui);
        qInfo("blocks: %s", textOf(blocks).constData());
    }

    void step20mItIsPannedAndZoomed() {
        // It is below the others: Tab brings it into sight.
        for (int i = 0; i < 60 && !ui.part(kWaveChart).value(u"focus").toBool(); ++i) {
            ui.key("Tab");
            ui.look();
        }
        QVERIFY(ui.part(kWaveChart).value(u"focus").toBool());
        SEE(ui.settle());
        const QRect plot = ui.placeOf(ui.spot(kWaveChart, "plot"));
        QVERIFY(ui.screen().rect().contains(plot));
        QVERIFY(UiDriver::inkIn(ui.screen(), plot) > 0.005);
        QVERIFY(ui.shot("step-20-long-curve"));
        const QJsonArray all = shownX();
        QVERIFY(all[1].toDouble() - all[0].toDouble() >= 0.99 * kPoints);
        const Frames before = framesOf(ui);
        for (int i = 0; i < 40; ++i) ui.ctrlWheel(plot.center(), 1);
        WAIT(shownX() != all);
        SEE(ui.settle());
        const QJsonArray zoomed = shownX();
        QVERIFY(zoomed[1].toDouble() - zoomed[0].toDouble() < 0.1 * kPoints);
        QVERIFY(ui.shot("step-20-long-curve-zoomed"));
        for (int i = 0; i < 20; ++i) {
            const QPoint by(i % 2 == 0 ? plot.width() / 3 : -plot.width() / 3, 0);
            ui.drag(plot.center(), plot.center() + by);
        }
        ui.drag(plot.center(), plot.center() + QPoint(120, 0));
        WAIT(shownX() != zoomed);
        for (int i = 0; i < 40; ++i) ui.ctrlWheel(plot.center(), -1);
        SEE(ui.settle());
        const Frames after = framesOf(ui);
        const qint64 drawn = after.all - before.all, late = after.late - before.late;
        const double share = static_cast<double>(late) / static_cast<double>(drawn);
        qInfo(
            "%d frames of panning and zooming, %d of them over 16.7 ms; of all frames p50 %.2f "
            "ms, p99 %.2f ms, longest %.2f ms",
            int(drawn), int(late), frameFigure("p50Ms"), frameFigure("p99Ms"),
            frameFigure("maxMs"));
        QVERIFY2(drawn >= 100, QByteArray::number(drawn));
        QVERIFY2(share <= timeLimit(0.01, 0.5), QByteArray::number(share));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }

private:
    double frameFigure(const char* name) const {
        return ui.dump()
            .value(u"watch")
            .toObject()
            .value(u"frameTimes")
            .toObject()
            .value(QLatin1String(name))
            .toDouble();
    }
};

ORRERY_WINDOW_TEST(AcceptanceLongCurve)
#include "acceptance_long_curve.moc"
