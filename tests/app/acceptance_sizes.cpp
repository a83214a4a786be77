#include <sqlite3.h>

#include <QRegularExpression>

#include "tests/app/acceptance.h"

using namespace orrery;

namespace {

/// Slippery bridge with 560 steps: 1 075 456 states.
QByteArray longBridge() {
    QByteArray text =
        Program::read(QStringLiteral(ORRERY_RESOURCES "/worlds/slippery_bridge.yaml"));
    const qsizetype at = text.indexOf("max_steps:");
    const qsizetype end = text.indexOf('\n', at);
    return text.replace(at, end - at, "max_steps: 560");
}

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

/// Step 20, sizes: a graph of 10^6 states and a curve of 10^6 points (10^7 where times are
/// checked).
class AcceptanceSizes : public AcceptanceScript {
    Q_OBJECT

private:
    QString m_run;

private Q_SLOTS:
    void initTestCase() {
        const QString file = ui.home().write("long_bridge.yaml", longBridge());
        SEE(ui.start({file, "--size", "1600x1000"}));
    }

    void step20fAMillionStatesAreSeenAtOnce() {
        ui.key("ctrl+3");
        SEE(ui.settle());
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        QElapsedTimer clock;
        clock.start();
        const qint64 states = session(ui).value(u"states").toInteger();
        QVERIFY(states > 1'000'000);
        WAIT(ui.facts("levelBandsCanvas").value(u"states").toInteger() == states &&
             !ui.facts("levelBandsCanvas").value(u"loading").toBool());
        const double seconds = static_cast<double>(clock.elapsed()) / 1000;
        QVERIFY2(seconds <= timeLimit(2, 60), QByteArray::number(seconds));
        SEE(ui.settle());
        // "showing 7 of 1 075 456"
        const QString chip = ui.text("showingChip");
        QString total = chip.section(" of ", 1);
        total.remove(QRegularExpression("[^0-9]"));
        QVERIFY2(chip.startsWith("showing") && total.toLongLong() == states, chip.toUtf8());
        // The fullest cell of a level has the colour that is told.
        const QImage screen = ui.screen();
        int numChecked = 0;
        for (const QJsonObject& spot : ui.spots("levelBandsCanvas", "level "))
            if (const QColor color(spot.value(u"color").toString());
                spot.contains(u"color") && ui.placeOf(spot).width() > 2) {
                const QColor there = screen.pixelColor(ui.placeOf(spot).center());
                numChecked += std::abs(there.red() - color.red()) < 40 &&
                              std::abs(there.blue() - color.blue()) < 40;
            }
        QVERIFY2(numChecked > 0 || ui.spots("levelBandsCanvas", "level ").empty(), "no colour");
        QVERIFY(ui.shot("step-20-million-states"));
        // Dragged and zoomed.
        const QRect bands = ui.placeOf(ui.spot("levelBandsCanvas", "plot"));
        ui.wheel(bands.center(), 4);
        ui.drag(bands.center(), bands.center() - QPoint(200, 0));
        SEE(ui.settle());
        const double p99 = ui.dump()
                               .value(u"watch")
                               .toObject()
                               .value(u"frameTimes")
                               .toObject()
                               .value(u"p99Ms")
                               .toDouble();
        QVERIFY2(p99 <= timeLimit(16.7, 500), QByteArray::number(p99));
        m_run = ui.dump().value(u"run").toObject().value(u"id").toString();
        QCOMPARE(ui.quit(), 0);
    }

    void step20gALongCurveIsDrawnPannedAndZoomed() {
        const qint64 numPoints = checksTimesStrictly() ? 10'000'000 : 1'000'000;
        const auto shown = ui.cli({"ls", "--json"}).json();
        QVERIFY(!shown.empty());
        QVERIFY(addCurve(ui.path("data/orrery/default.orrery/workspace.db"), m_run, numPoints));
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

QTEST_MAIN(AcceptanceSizes)
#include "acceptance_sizes.moc"
