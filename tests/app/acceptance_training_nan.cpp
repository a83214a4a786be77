#include <QDir>
#include <QRegularExpression>

#include "tests/app/acceptance_learning.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 20, numbers that are none: in the window one halts the training, with the batch kept, and
/// asks what to do; on the command line three in a row end it with status 4.
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
    void step20nOneHaltsItAndTheBatchIsKept() {
        ui.setVariable("ORRERY_FAULT", "loss:nan@6000+");
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(ui.click("run_training"));
        WAIT(training().value(u"shown").toBool() && step() > 5000 && ui.has("troubleText"));
        SEE(ui.text("statusText").contains("Paused"));
        WAIT(marks(kLossChart, "nan").size() == 1);
        QVERIFY2(ui.text("troubleText").contains("the gradient of v_h_e is not finite"),
                 ui.text("troubleText").toUtf8());
        QVERIFY2(ui.text("messageText").contains("is paused"), ui.text("messageText").toUtf8());
        QVERIFY2(messages().last().contains("is paused"), messages().join(u'\n').toUtf8());
        // The third in a row is the next to ask about.
        const auto halted = step();
        SEE(ui.click("troubleSkip"));
        WAIT(step() == halted + 2 && ui.has("troubleText"));
        WAIT(marks(kLossChart, "nan").size() == 3);
        // What was drawn: the step's batch, one line each.
        const QStringList kept = keptBatches(workspace());
        QVERIFY2(!kept.isEmpty(), "no batch");
        QVERIFY2(marks(kLossChart, "nan").last().contains(kept.last()),
                 marks(kLossChart, "nan").last().toUtf8());
        const QByteArray batch = Program::read(workspace() + "/runs/r00001/" + kept.last());
        QVERIFY(batch.startsWith("slot,world,actor,"));
        QCOMPARE(batch.trimmed().split('\n').size(), 1 + 32);
        QVERIFY(ui.shot("step-20-nan"));
        ui.key("shift+F5");
        WAIT(!isLive());
        SEE(ui.settle());
        SEE(ui.text("trainState").contains("Diverged"));
        QVERIFY2(ui.text("messageText").contains("diverged"), ui.text("messageText").toUtf8());
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
        for (const char* const word : {"diverged", "the gradient of v_h_e", "nan_batch_",
                                       "orrery fork r00001 ", "lr_v_h_e=VALUE"})
            QVERIFY2(ended.out.contains(word), ended.out);  // a terminal shows both
        static const QRegularExpression kStep(QStringLiteral(
            "(\\d+) training steps, then diverged: Training step \\1 was .*nan_batch_\\1\\.csv"));
        QVERIFY2(kStep.match(QString::fromUtf8(ended.out)).hasMatch(), ended.out);
        QVERIFY(!keptBatches(ui.path("cli.orrery")).isEmpty());
        QCOMPARE(ui.cli({"verify", ui.path("cli.orrery")}).status, 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceTrainingNan)
#include "acceptance_training_nan.moc"
