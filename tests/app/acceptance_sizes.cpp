#include <QRegularExpression>

#include "tests/app/acceptance.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Slippery bridge with 560 steps: 1 075 456 states.
QByteArray longBridge() {
    QByteArray text =
        Program::read(QString::fromStdString(sourcePath("resources/worlds/slippery_bridge.yaml")));
    const qsizetype at = text.indexOf("max_steps:");
    const qsizetype end = text.indexOf('\n', at);
    return text.replace(at, end - at, "max_steps: 560");
}

}  // namespace

/// Step 20, sizes: a graph of 10^6 states and a curve of 10^6 points (10^7 where times are
/// checked).
class AcceptanceSizes : public AcceptanceScript {
    Q_OBJECT

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
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceSizes)
#include "acceptance_sizes.moc"
