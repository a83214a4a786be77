#include <QDir>

#include "tests/app/acceptance_learning.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 20, numbers that are none: one is skipped and marked; three in a row end the training, with
/// the batch kept, a message in the window, and status 4 on the command line.
class AcceptanceTrainingNan : public LearningScript {
    Q_OBJECT

private:
    QStringList keptBatches(const QString& folder) const {
        return QDir(folder + "/runs/r00001").entryList({"nan_batch_*.csv"}, QDir::Files);
    }
    QStringList messages() const {
        QStringList texts;
        for (const QJsonValue message : ui.dump().value(u"messages").toArray())
            texts << message.toObject().value(u"text").toString();
        return texts;
    }

private Q_SLOTS:
    void step20nManyInARowEndItAndTheBatchIsKept() {
        ui.setVariable("ORRERY_FAULT", "loss:nan@6000+");
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(ui.click("run_training"));
        WAIT(training().value(u"shown").toBool() && step() > 5000 && !isLive());
        SEE(ui.settle());
        SEE(ui.text("trainState").contains("Diverged"));
        QCOMPARE(marks(kLossChart, "nan").size(), 3);
        QVERIFY2(ui.text("messageText").contains("diverged"), ui.text("messageText").toUtf8());
        QVERIFY2(messages().last().contains("diverged"), messages().join(u'\n').toUtf8());
        // What was drawn: the step's batch, one line each.
        const QStringList kept = keptBatches(workspace());
        QVERIFY2(!kept.isEmpty(), "no batch");
        QVERIFY2(marks(kLossChart, "nan").last().contains(kept.last()),
                 marks(kLossChart, "nan").last().toUtf8());
        const QByteArray batch = Program::read(workspace() + "/runs/r00001/" + kept.last());
        QVERIFY(batch.startsWith("slot,world,actor,"));
        QCOMPARE(batch.trimmed().split('\n').size(), 1 + 32);
        QVERIFY(ui.shot("step-20-nan"));
        const Ended shown = ui.cli({"show", "1", "--json"});
        QCOMPARE(shown.jsonText("/state"), QStringLiteral("diverged"));
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }

    void step20oItGoesOnFromWhatWasGood() {
        ui.setVariable("ORRERY_FAULT", {});
        SEE(ui.start());
        WAIT(training().value(u"shown").toBool());
        ui.key("ctrl+4");
        WAIT(ui.text("tool_run.pause") == "Resume");
        SEE(ui.click("tool_run.pause"));
        WAIT(isLive() && step() > 8000);
        ui.key("shift+F5");
        WAIT(!isLive());
        SEE(ui.settle());
        QCOMPARE(ui.quit(), 0);
    }

    void step20pTheCommandLineEndsWithFour() {
        const QStringList train{
            "train", "builtin:first_steps", "--tabular",          "--num-training-steps",
            "3000",  "--workspace",         ui.path("cli.orrery")};
        const Ended ended = ui.home().runWith("ORRERY_FAULT", "loss:nan@700+", train);
        QVERIFY2(ended.status == 4, ended.out + ended.err);
        QVERIFY2((ended.out + ended.err).contains("diverged"), ended.out + ended.err);
        QVERIFY(!keptBatches(ui.path("cli.orrery")).isEmpty());
        QCOMPARE(ui.cli({"verify", ui.path("cli.orrery")}).status, 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceTrainingNan)
#include "acceptance_training_nan.moc"
