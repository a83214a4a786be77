#include <QSet>

#include "tests/app/acceptance_learning.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr int kSeeds = 3;

}  // namespace

/// Step 17: three trainings of one form run at once with a solve beside them; one is looked at,
/// paused and left, the program is killed, and all three go on.
class AcceptanceSeveralRuns : public LearningScript {
    Q_OBJECT

private:
    QJsonArray liveRuns() const { return ui.dump().value(u"liveRuns").toArray(); }
    int numAtWork() const {
        int number = 0;
        for (const QJsonValue run : liveRuns()) number += run[u"atWork"].toBool() ? 1 : 0;
        return number;
    }
    QStringList m_ids;

    bool areAllBeyond(qint64 step) const {
        for (const QJsonValue run : liveRuns())
            if (run[u"step"].toInteger() <= step) return false;
        return numAtWork() == kSeeds;
    }

private Q_SLOTS:
    void step17aAFormStartsARunForEachSeed() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        SEE(ui.runCommand("Setting: Runs at once"));
        WAIT(ui.has("setting_compute_runsAtOnce"));
        SEE(ui.click("setting_compute_runsAtOnce"));
        ui.key("ctrl+a");
        ui.type(QString::number(kSeeds));
        ui.key("Return");
        WAIT(ui.text("setting_compute_runsAtOnce").startsWith(QString::number(kSeeds)));
        ui.key("Escape");
        WAIT(!ui.has("settingsWindow"));
        SEE(openForm());
        SEE(fillField("num_training_steps", "2000000"));
        SEE(scrollTo("trainArea", "trainSeeds"));
        SEE(ui.fill("trainSeeds", QString::number(kSeeds)));
        WAIT(ui.text("trainStart") == "Train 3 runs");
        QVERIFY(ui.shot("step-17-form"));
        SEE(startForm());
        WAIT(numAtWork() == kSeeds && areAllBeyond(0));
        QVERIFY(ui.shot("step-17"));
    }

    void step17bTheWorldIsSolvedMeanwhile() {
        ui.key("ctrl+3");
        WAIT(ui.dump().value(u"perspective").toString() == "plan");
        ui.key("F5");
        WAIT(ui.dump().value(u"session").toObject().value(u"solved").toBool());
        SEE(numAtWork() == kSeeds);
    }

    void step17cAChipShowsItsRunAndTheKeysGoToIt() {
        const QString other = QStringLiteral("live_%1").arg(liveRuns()[1][u"number"].toInt());
        const QString id = liveRuns()[1][u"id"].toString();
        SEE(ui.click(other));
        WAIT(trainingId() == id && isLive());
        ui.key("F6");
        WAIT(isPaused());
        WAIT(ui.text(other).endsWith("paused"));
        QVERIFY(ui.shot("step-17-paused"));
        const qint64 step = liveRuns()[0][u"step"].toInteger();
        WAIT(liveRuns()[0][u"step"].toInteger() > step);
        SEE(isPaused());
        ui.key("F6");
        WAIT(!isPaused());
    }

    void step17cThePanelListsThem() {
        ui.key("ctrl+4");
        SEE(ui.chooseInMenu("Run", "run.live"));
        ui.settleOrLook(2000);
        QVERIFY(ui.shot("step-17-panel"));
        WAIT(ui.has("liveRunsList") && ui.cells("liveRunsList").size() > 1);
        QVERIFY(ui.shot("step-17-panel"));
    }

    void step17dKilledTheyAreThreeToGoOn() {
        for (const QJsonValue run : liveRuns()) {
            m_ids << run[u"id"].toString();
            SEE(ui.click(QStringLiteral("live_%1").arg(run[u"number"].toInt())));
            WAIT(trainingId() == run[u"id"].toString());
            SEE(ui.click("trainCheckpoint"));
            WAIT(!marks(kLossChart, "checkpoint").isEmpty());
        }
        ui.kill();
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(numAtWork() == 0);
        ui.key("ctrl+1");
        WAIT(ui.partsBeginning("interrupted_").size() == kSeeds);
        QVERIFY(ui.shot("step-17-interrupted"));
        QSet<QString> gone;
        for (int k = 0; k < kSeeds; ++k) {
            // The others move up when one goes on.
            WAIT(ui.partsBeginning("interrupted_").size() == std::size_t(kSeeds - k));
            QString name;
            for (const QJsonObject& part : ui.partsBeginning("continue_"))
                if (!gone.contains(part.value(u"name").toString()))
                    name = part.value(u"name").toString();
            gone.insert(name);
            SEE(ui.click(name));
            WAIT(numAtWork() == k + 1);
            ui.key("ctrl+1");
            WAIT(ui.dump().value(u"perspective").toString() == "home");
        }
        WAIT(areAllBeyond(0));
    }

    void step17eClosingAsksOnce() {
        ui.key("ctrl+q");
        WAIT(ui.has("closeBox"));
        QVERIFY(ui.shot("step-17-close"));
        SEE(ui.click("cancelAndQuit"));
        SEE(ui.waitForEnd(UiDriver::kPatience));
        QCOMPARE(ui.console(), QByteArray());
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
        const Ended list = ui.cli({"ls"});
        for (const QString& id : m_ids)
            QVERIFY2(list.out.contains(id.toUtf8()), list.out + list.err);
        QCOMPARE(list.out.count("stopped"), kSeeds);
    }
};

ORRERY_WINDOW_TEST(AcceptanceSeveralRuns)
#include "acceptance_several_runs.moc"
