#include "tests/app/acceptance_learning.h"

#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr int kSteps = 6000;

}  // namespace

/// Step 15: a training that was stopped half way and resumed is, bit for bit, the one that was
/// not; with another seed it is another.
class AcceptanceExactResume : public LearningScript {
    Q_OBJECT

private:
    bool hasFinished(const QString& id) const {
        return trainingId() == id && !isLive() && step() == kSteps &&
               ui.text("trainState").contains("Finished");
    }
    /// Steps a paused training to a step: in hundreds, then one by one.
    bool stepTo(qint64 last) {
        while (step() < last) {
            const bool isFar = last - step() >= 100;
            const qint64 next = step() + (isFar ? 100 : last - step());
            ui.keys(isFar ? QStringList("shift+F7") : QStringList(next - step(), "F7"));
            if (!ui.waitUntil([&] { return isPaused() && step() == next; })) return false;
        }
        return step() == last;
    }
    /// Chooses two runs where Compare tells the difference; items end in the id or the seed.
    bool compare(const QString& a, const QString& b) {
        for (const auto& [box, run] : {std::pair("differenceA", a), std::pair("differenceB", b)}) {
            QString item;
            for (const QJsonValue value : ui.part(box).value(u"items").toArray())
                if (value.toString().endsWith(run)) item = value.toString();
            if (item.isEmpty()) return false;
            if (ui.text(box) != item && !ui.chooseInBox(box, item)) return false;
        }
        return true;
    }

private Q_SLOTS:
    void step15aStoppedHalfWay() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        SEE(openForm());
        SEE(fillField("num_training_steps", QString::number(kSteps)));
        SEE(fillField("batch_size", "256"));
        SEE(fillField("seed", "1"));
        SEE(startForm());
        WAIT(step() > 0);  // the world is solved first, in steps of its own
        ui.key("F6");
        WAIT(isPaused());
        QVERIFY2(step() < kSteps / 2, QByteArray::number(step()));
        SEE(stepTo(kSteps / 2));
        QVERIFY(ui.shot("step-15-half"));
        SEE(ui.click("tool_run.cancel"));
        WAIT(!isLive());
        SEE(ui.settle());
        QCOMPARE(trainingId(), QString("r00001"));
        QCOMPARE(step(), qint64{kSteps / 2});
        SEE(ui.text("messageText").contains("can be resumed"));
        QCOMPARE(ui.text("tool_run.pause"), QString("Resume"));
    }

    void step15bResumedToTheEnd() {
        ui.key("ctrl+F5");
        WAIT(hasFinished("r00001"));
        QVERIFY(ui.shot("step-15-resumed"));
    }

    void step15cOneWithoutAStopAndOneWithAnotherSeed() {
        SEE(openForm());
        SEE(startForm());
        WAIT(hasFinished("r00002"));
        SEE(openForm());
        SEE(fillField("seed", "2"));
        SEE(startForm());
        WAIT(hasFinished("r00003"));
    }

    void step15dCompareSaysWhichAreIdentical() {
        ui.key("ctrl+5");
        WAIT(ui.part("differenceA").value(u"items").toArray().size() == 3);
        SEE(compare("r00001", "r00002"));
        WAIT(ui.text("differenceText").contains("Identical"));
        qInfo("%s", qPrintable(ui.text("differenceText")));
        QVERIFY(ui.text("differenceText").contains("configurations are the same"));
        QVERIFY(ui.shot("step-15"));
        SEE(compare("r00002", "r00003"));
        WAIT(ui.text("differenceText").contains("differs"));
        qInfo("%s", qPrintable(ui.text("differenceText")));
        QVERIFY(ui.text("differenceText").contains("seed"));
        QVERIFY(ui.shot("step-15-seed"));
    }

    void step15eSoDoesTheCommandLine() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
        const Ended same = ui.cli({"diff", "1", "2", "--check"});
        QVERIFY2(same.status == 0, same.out + same.err);
        QVERIFY2(same.out.contains("bit for bit"), same.out);
        const Ended other = ui.cli({"diff", "1", "3", "--check"});
        QVERIFY2(other.status == 3, other.out + other.err);
        QVERIFY2(other.out.contains("seed"), other.out);
    }
};

ORRERY_WINDOW_TEST(AcceptanceExactResume)
#include "acceptance_exact_resume.moc"
