#include <QElapsedTimer>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/app/acceptance_learning.h"
#include "tests/app/focus_walk.h"
#include "tests/app/readable.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

const char* const kError = "chart_train/error";
}  // namespace

/// Steps 9 to 11 and what step 12 has of training: a training is started from Home, watched,
/// paused, stepped and steered while it runs.
class AcceptanceTraining : public LearningScript {
    Q_OBJECT

private:
    QJsonObject view(const char* chart) const { return ui.facts(chart).value(u"view").toObject(); }
    QString reading(const char* chart) const {
        return ui.facts(chart).value(u"reading").toString();
    }
    std::vector<QJsonObject> charts() const {
        std::vector<QJsonObject> found;
        for (const QJsonObject& part : ui.partsBeginning("chart_train/"))
            if (part.contains(u"facts")) found.push_back(part.value(u"facts").toObject());
        return found;
    }
    /// Texts of the marks of steering on a chart.
    static QStringList steeringOf(const QJsonObject& chart) {
        QStringList texts;
        for (const QJsonValue event : chart.value(u"events").toArray())
            if (event.toObject().value(u"kind").toString() == "steering")
                texts << event.toObject().value(u"text").toString();
        return texts;
    }
    bool allChartsHave(const QStringList& steering) const {
        const auto all = charts();
        return all.size() == 9 && std::ranges::all_of(all, [&](const QJsonObject& chart) {
                   return steeringOf(chart) == steering;
               });
    }
    QStringList steeringLog() const {
        QStringList rows;
        for (const QJsonValue cell : ui.part("steeringLog").value(u"cells").toArray())
            rows << cell.toObject().value(u"spoken").toString();
        return rows;
    }
    QPoint handleOf(const QString& slider) const {
        const QJsonObject part = ui.part(slider);
        const QRect place = ui.placeOf(part);
        const double share = part.value(u"value").toDouble() / part.value(u"max").toDouble();
        const int half = place.height() / 2;
        return {place.left() + half +
                    static_cast<int>(share * static_cast<double>(place.width() - 2 * half)),
                place.center().y()};
    }

private Q_SLOTS:
    void step09aOneClickTrainsAndPointsCome() {
        SEE(ui.start({"--size", "1600x1000"}));
        WAIT(ui.has("run_training"));
        QElapsedTimer clock;
        clock.start();
        SEE(ui.click("run_training"));
        WAIT(pointsOf(line(kLossChart, "V_h^e")) > 0);
        const double seconds = static_cast<double>(clock.elapsed()) / 1000;
        qInfo("first point %.2f s after the click", seconds);
        QVERIFY2(seconds <= timeLimit(10, 40), QByteArray::number(seconds));
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("train"));
        SEE(isLive());
        QCOMPARE(ui.numWindows(), 1);
    }

    void step09bStagesSpeedAndRawBelowSmooth() {
        WAIT(pointsOf(line(kLossChart, "V_h^e")) > 20);
        // The band behind each chart is the stages of the bar, one of them the present one.
        QStringList named;
        for (const QJsonObject& part : ui.spots("stageBar", "stage "))
            named << part.value(u"name").toString().mid(6);
        QCOMPARE(named.size(), 5);
        for (const QJsonObject& chart : charts()) {
            QStringList banded, present;
            for (const QJsonValue value : chart.value(u"stages").toArray()) {
                const QJsonObject stage = value.toObject();
                banded << stage.value(u"name").toString();
                if (stage.value(u"current").toBool()) present << banded.last();
            }
            QCOMPARE(banded, named);
            QCOMPARE(present.size(), 1);
            SEE(ui.text("statusText").contains("Running"));
        }
        const QJsonObject loss = line(kLossChart, "V_h^e");
        QCOMPARE(ui.facts(kLossChart).value(u"view").toObject().value(u"smoothing").toString(),
                 QString("ema"));
        QVERIFY(loss.value(u"smooth").toDouble() > 0);
        const QRegularExpressionMatch rate =
            QRegularExpression(QString::fromUtf8("· ([\\d\\x{202f}\\x{2009} .]+) steps/s"))
                .match(ui.text("statusNumbers"));
        QVERIFY2(rate.hasMatch(), ui.text("statusNumbers").toUtf8());
        SEE(ui.text("statusText").contains("Running"));
    }

    void step09cTheErrorToExactFalls() {
        WAIT(pointsOf(line(kError, "V_h^e")) >= 2);
        const double first = line(kError, "V_h^e").value(u"first").toArray()[1].toDouble();
        WAIT(lastY(line(kError, "V_h^e")) < 0.5 * first);
        qInfo("error of V_h^e: %.4f at first, %.4f at step %lld", first,
              lastY(line(kError, "V_h^e")), static_cast<long long>(step()));
        QVERIFY(ui.shot("step-09"));
    }

    void step10aPausedStepByStepAndOnAgain() {
        ui.key("F6");
        WAIT(isPaused());
        SEE(ui.text("statusText").contains("Paused"));
        const qint64 before = step();
        QTest::qWait(2500);  // Must wait for time: a gap in the charts would be as wide.
        ui.look();
        QCOMPARE(step(), before);
        ui.key("F7");
        WAIT(step() == before + 1);
        SEE(isPaused());
        ui.key("F7");
        WAIT(step() == before + 2);
        SEE(isPaused());
        // It stood still since, or this would lead elsewhere.
        ui.key("F7");
        WAIT(step() == before + 3);
        SEE(isPaused());
        QVERIFY(ui.shot("step-10"));
        ui.key("F6");
        WAIT(!isPaused() && step() > before + 2000);
    }

    void step10bChartsHaveNoGapAndNoJump() {
        const double interval = 500;
        for (const char* key : {"V_h^e", "Q_r"}) {
            const QJsonObject points = line(kLossChart, key);
            if (points.isEmpty()) continue;
            QVERIFY2(points.value(u"widestGap").toDouble() == interval, key);
        }
        // Nor along the seconds of training, where the pause does not count.
        SEE(ui.chooseInBox("trainAxis", "wall time"));
        WAIT(pointsOf(line(kLossChart, "V_h^e")) > 0);
        const double gap = line(kLossChart, "V_h^e").value(u"widestGap").toDouble();
        QVERIFY2(gap < timeLimit(1.0, 2.4), QByteArray::number(gap));
        QVERIFY(ui.shot("step-10-seconds"));
        SEE(ui.chooseInBox("trainAxis", "learner step"));
    }

    void step11aADraggedBatchAndATypedPowerAreMarkedOnAllCharts() {
        const QString slider = "steer_slider_batch_size";
        SEE(scrollTo("steeringPanel", slider));
        const QString before = ui.text("steer_spin_batch_size");
        const QPoint handle = handleOf(slider);
        ui.drag(handle, handle + QPoint(40, 0));
        WAIT(charts().size() == 9 && steeringOf(charts()[0]).size() == 1);
        const QString after = ui.text("steer_spin_batch_size");
        QVERIFY(after.toDouble() > before.toDouble());
        const QString batch = QString::fromUtf8("batch_size %1 → %2").arg(before, after);
        QCOMPARE(steeringOf(charts()[0]), QStringList{batch});
        WAIT(allChartsHave({batch}));
        SEE(ui.enter("steer_spin_beta_r", "25"));
        WAIT(allChartsHave({batch, QString::fromUtf8("beta_r 10 → 25")}));
        // What the mark says is read where it stands.
        // It may be ahead of the newest point.
        const QString mark = QStringLiteral("event %1").arg(numEvents() - 1);
        WAIT(!ui.spot(kLossChart, mark).isEmpty());
        QVERIFY(UiDriver::inkIn(ui.screen(), ui.placeOf(ui.spot(kLossChart, mark))) > 0.05);
        SEE(scrollTo("steeringPanel", "steeringLog"));
        WAIT(steeringLog().size() == 2);
        const QStringList log = steeringLog();
        QVERIFY2(log[0].contains("(beta_r)") && log[0].contains(QString::fromUtf8("10 → 25")),
                 log[0].toUtf8());
        QVERIFY2(log[1].contains(QString::fromUtf8("%1 → %2").arg(before, after)), log[1].toUtf8());
        QVERIFY(ui.shot("step-11"));
    }

    void step11bUndoRestores() {
        const QStringList before = steeringOf(charts()[0]);
        SEE(ui.click("statusText"));
        ui.key("ctrl+z");
        QStringList marks = before;
        marks << QString::fromUtf8("beta_r 25 → 10");
        WAIT(allChartsHave(marks));
        ui.key("ctrl+z");
        const QStringList words = before[0].split(u' ');  // "batch_size a → b"
        marks << QString::fromUtf8("batch_size %1 → %2").arg(words[3], words[1]);
        WAIT(allChartsHave(marks));
        SEE(scrollTo("steeringPanel", "steer_spin_beta_r"));
        QCOMPARE(ui.text("steer_spin_beta_r"), QString("10"));
        SEE(scrollTo("steeringPanel", "steer_spin_batch_size"));
        QCOMPARE(ui.text("steer_spin_batch_size"), words[1]);
    }

    void step11cStructureStaysAndSaysWhy() {
        SEE(scrollTo("steeringPanel", "forkButton"));
        const QJsonObject field = ui.part("structure_gamma_r");
        QVERIFY(!field.isEmpty());
        QVERIFY(!field.value(u"enabled").toBool());
        QVERIFY2(field.value(u"tip").toString().contains("Fork"),
                 field.value(u"tip").toString().toUtf8());
        QVERIFY(ui.shot("step-11-structure"));
        SEE(ui.click("forkButton"));
        WAIT(ui.has("trainForm"));
        SEE(ui.text("trainParent").contains(trainingId()));
        QVERIFY(ui.shot("step-11-fork"));
        ui.key("Escape");
        WAIT(!ui.has("trainForm"));
    }

    void step12aRawAndSmoothCursorsAndALinkedZoom() {
        // The table of the cursors takes room from the plot.
        const auto at = [&](double share) {
            const QRect plot = ui.placeOf(ui.spot(kLossChart, "plot"));
            return QPoint(plot.left() + static_cast<int>(share * plot.width()), plot.center().y());
        };
        ui.moveTo(at(0.5));
        WAIT(reading(kLossChart).contains("raw") && reading(kLossChart).contains("smooth"));
        // The other charts mark the same step.
        const double cross = ui.facts(kLossChart).value(u"crosshair").toDouble();
        WAIT(std::abs(ui.facts(kError).value(u"crosshair").toDouble() -
                      ui.facts(kLossChart).value(u"crosshair").toDouble()) < 1e-9 * cross);
        ui.key("F6");  // what moves under the pointer is hard to measure
        WAIT(isPaused());
        ui.click(at(0.3));
        ui.key("a");
        WAIT(view(kLossChart).contains(u"cursorA"));
        ui.key("Escape");  // the readout, which covers the other place
        WAIT(!ui.has("chartReadoutClose") && ui.facts(kLossChart).value(u"settled").toBool());
        ui.click(at(0.7));
        ui.key("b");
        WAIT(view(kLossChart).contains(u"cursorB"));
        ui.key("Escape");
        ui.moveTo(ui.placeOf(ui.part("trainRun")).center());
        WAIT(reading(kLossChart).contains("slope"));
        SEE(ui.chooseInContext(at(0.5), {"X axis", "log"}));
        WAIT(view(kLossChart).value(u"x").toObject().value(u"scale").toString() == "log" &&
             view(kLossChart).value(u"y").toObject().value(u"scale").toString() == "log");
        const QJsonArray before = ui.facts(kLossChart).value(u"x").toArray();
        ui.ctrlWheel(at(0.6), 3);
        WAIT(ui.facts(kLossChart).value(u"x").toArray() != before);
        WAIT(ui.facts(kError).value(u"x").toArray() == ui.facts(kLossChart).value(u"x").toArray());
        QVERIFY(ui.shot("step-12-training"));
    }

    void theTrainingIsStoppedAndWhole() {
        ui.key("shift+F5");
        WAIT(!isLive());
        SEE(ui.settle());
        const QString id = trainingId();
        const Ended shown = ui.cli({"show", id, "--json"});
        QCOMPARE(shown.status, 0);
        QCOMPARE(shown.jsonText("/state"), QStringLiteral("stopped"));
        // Every point of the charts is in the history, and the other way round.
        const Ended csv = ui.cli({"export", id, "--what", "metrics", "-o", "-"});
        QCOMPARE(csv.status, 0);
        std::map<QByteArray, qint64> stored;
        for (const QByteArray& row : csv.out.split('\n')) ++stored[row.left(row.indexOf(','))];
        QCOMPARE(pointsOf(line(kLossChart, "V_h^e")), stored["Loss/v_h_e"]);
        QCOMPARE(pointsOf(line(kError, "V_h^e")), stored["Exact/v_h_e"]);
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
    }

    void step12bARestartBringsAllOfItBack() {
        const QJsonObject loss = view(kLossChart), error = view(kError);
        const QJsonArray x = ui.facts(kLossChart).value(u"x").toArray();
        const qint64 points = pointsOf(line(kLossChart, "V_h^e"));
        const QStringList steering = steeringOf(charts()[0]);
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        SEE(ui.start());
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("train"));
        WAIT(pointsOf(line(kLossChart, "V_h^e")) == points && allChartsHave(steering));
        SEE(ui.settle());
        QCOMPARE(view(kLossChart), loss);
        QCOMPARE(view(kError), error);
        QCOMPARE(ui.facts(kLossChart).value(u"x").toArray(), x);
        SEE(ui.text("trainState").contains("Stopped"));
        QVERIFY(ui.shot("step-12-training-restart"));
    }

    void step20qTrainIsReadableAndReachedByKeys() {
        for (const char* theme : {"dark", "light"}) {
            SEE(ui.runCommand(theme));
            WAIT(ui.dump().value(u"theme").toString() == QLatin1String(theme));
            ui.moveTo({4, 4});
            SEE(ui.settle());
            QVERIFY(ui.shot(QStringLiteral("step-20-training-") + QLatin1String(theme)));
            const QStringList unread = unreadableTexts(ui);
            QVERIFY2(unread.isEmpty(), unread.join(u'\n').toUtf8());
        }
        const std::vector<FocusStop> stops = focusWalk(ui, "Tab");
        QVERIFY(stops.size() > 20);
        const QStringList wrong = unreachedControls(ui, stops);
        QVERIFY2(wrong.isEmpty(), wrong.join(u'\n').toUtf8());
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }

private:
    qsizetype numEvents() const { return ui.facts(kLossChart).value(u"events").toArray().size(); }
};

ORRERY_WINDOW_TEST(AcceptanceTraining)
#include "acceptance_training.moc"
