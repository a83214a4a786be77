#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <string>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/plots/chart.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// The form of a training as the window opens it, for new runs and for forks.
class TrainForksTest : public QObject, private TrainWindowBench {
    Q_OBJECT

    const TrainJob& formJob() { return child<TrainForm>("trainForm")->spec().job.as<TrainJob>(); }
    void choose(QComboBox* box, int index) {
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

private Q_SLOTS:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void theFormSaysAtTheFieldWhatIsWrong() {
        click("emptyTrain");
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QVERIFY(child<QLabel>("trainTime")->text().contains("No run of this kind yet"));
        typeInto("train_batch_size", "0");
        auto* hint = child<QLabel>("train_hint_batch_size");
        QVERIFY2(hint->isVisible() && hint->text().contains("batch_size must be"),
                 qPrintable(hint->text()));
        QVERIFY(!child<QPushButton>("trainStart")->isEnabled());
        typeInto("train_batch_size", "8");
        QVERIFY(!hint->isVisible());
        QVERIFY(child<QPushButton>("trainStart")->isEnabled());
        // Every field of the table that a person may set has an editor.
        click("trainMore");
        finishEvents();
        QVERIFY(form->findChild<QWidget*>("train_v_h_e_kind") != nullptr);
        QVERIFY(form->findChild<QWidget*>("train_curiosity_coef") != nullptr);
        QVERIFY(form->findChild<QWidget*>("train_stop_metric") != nullptr);
        // The stages that the steps allow are told.
        typeInto("train_num_training_steps", "1000");
        QVERIFY(child<QLabel>("trainStages")->text().contains("Too few steps"));
        click("trainCancel");
        press(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QCOMPARE(child<QLineEdit>("train_num_training_steps")->text(), QString("1000"));
        QTest::keyClick(form, Qt::Key_Escape);
        QVERIFY(!training().hasRun());
    }

    void theFormSaysHowOftenCheckpointsAreMade() {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        auto* text = child<QLabel>("trainKeeping");
        QVERIFY2(text->text().contains(QStringLiteral("every 60 s")), qPrintable(text->text()));
        RunSpec spec = form->spec();
        spec.job.as<TrainJob>().cadence.checkpointSeconds = 20;
        form->setSpec(spec);
        QVERIFY2(text->text().contains(QStringLiteral("every 20 s")), qPrintable(text->text()));
        form->hide();
    }

    void aForkHasTheChangeAndItsParent() {
        startTraining();
        click("trainCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!training().training()->checkpoints.empty(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Checkpoint) >= 1,
                                 kPatience);
        auto* structure = child<QLabel>("structure_gamma_r");
        QVERIFY(!structure->isEnabled());
        QVERIFY(structure->toolTip().contains("Fork the run"));
        stopTraining();
        click("forkButton");
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QVERIFY(child<QLabel>("trainParent")->text().contains(" · r00001: goes on"));
        typeInto("train_beta_r", "5");
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 0, kPatience);
        QCOMPARE(liveEmpo().beta_r, 5.0);
        QVERIFY(training().step() >= training().spec().job.as<TrainJob>().fromStep);
        QVERIFY(training().spec().job.as<TrainJob>().fromStep > 0);
        stopTraining();
        QCOMPARE(m_window->archive().workspace()->reader().findRun("r00002").parent,
                 std::string("r00001"));
    }

    void aForkBeginsWithAnyCheckpointOfARunThatTrains() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t first = checkpointHere();
        stepOnce();
        trainSession().set(QStringLiteral("beta_r"), QStringLiteral("20"));
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().beta_r, 20.0, kPatience);
        stepOnce();
        const std::int64_t second = checkpointHere();
        click("forkButton");
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QVERIFY(child<QPushButton>("trainStart")->isEnabled());  // while its parent is at work
        auto* from = child<QComboBox>("trainFrom");
        QCOMPARE(from->currentData().value<std::int64_t>(), second);
        QVERIFY(from->itemData(from->count() - 1).isNull());  // the start
        QCOMPARE(from->findData(QVariant::fromValue(first)), 1);
        choose(from, 1);
        QCOMPARE(formJob().empo.beta_r, 10.0);  // as it was there
        choose(from, 0);
        QCOMPARE(formJob().empo.beta_r, 20.0);
        typeInto("train_batch_size", "8");
        choose(from, 1);
        QCOMPARE(formJob().empo.batchSize, 8);  // what was typed stays
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trainStart")->isEnabled(), kPatience);
        QCOMPARE(formJob().fromStep, first);
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > first, kPatience);
        QCOMPARE(training().settings().fromStep, first);
        // The parent's lines end where this run begins, and a mark tells so.
        Chart* loss = chart("train/loss");
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(loss, ChartEventKind::Fork), std::size_t{1}, kPatience);
        const auto isParents = [](const ChartContent::Entry& entry) { return entry.spec.isDimmed; };
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(loss->content().series, isParents), kPatience);
        for (const ChartContent::Entry& entry : loss->content().series)
            if (isParents(entry)) QVERIFY(entry.points.lastX() <= static_cast<double>(first));
    }

    void aForkFromTheStartRepeatsTheRecordedChanges() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t step = training().step();
        trainSession().set(QStringLiteral("beta_r"), QStringLiteral("20"));
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().beta_r, 20.0, kPatience);
        stopTraining();
        click("forkButton");
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        auto* from = child<QComboBox>("trainFrom");
        choose(from, from->count() - 1);
        QCOMPARE(formJob().empo.beta_r, 10.0);
        QVERIFY(formJob().changes.empty());
        click("trainRecorded");
        QVERIFY(formJob().fromRun.empty());
        QCOMPARE(formJob().changes.size(), std::size_t{1});
        QCOMPARE(formJob().changes.front().step, step);
        typeInto("train_num_training_steps", QByteArray::number(step + 20));
        click("trainStart");
        QTRY_COMPARE_WITH_TIMEOUT(trainSession().serial(), 2, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive() && training().step() == step + 20, kPatience);
        QCOMPARE(training().changes().size(), std::size_t{1});
        QCOMPARE(training().changes().front().change.step, step);
        QCOMPARE(liveEmpo().beta_r, 20.0);
    }

    void aTrainingHasItsNameAndItsTimeFromTheForm() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(
            training().curves().contains(QStringLiteral("Rates/training_steps_per_second")),
            kPatience);
        stopTraining();
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        auto* time = child<QLabel>("trainTime");
        QTRY_VERIFY2_WITH_TIMEOUT(
            time->text().startsWith("About") && time->text().contains("r00001"),
            qPrintable(time->text()), kPatience);
        // Without a name the run is called by its world, as it is said where one is typed.
        QVERIFY(child<QLineEdit>("trainName")
                    ->placeholderText()
                    .startsWith(m_window->session().loaded().title));
        typeInto("trainName", "A name of my own");
        // Of the other options those are shown that have a word.
        click("trainMore");
        finishEvents();
        typeInto("trainFilter", "curiosity");
        QVERIFY(child<QWidget>("train_curiosity_coef")->isVisibleTo(form));
        QVERIFY(!child<QWidget>("train_v_h_e_kind")->isVisibleTo(form));
        typeInto("trainFilter", "no such word");
        QVERIFY(child<QWidget>("trainNoOption")->isVisibleTo(form));
        form->showField(QStringLiteral("v_h_e_kind"));
        QVERIFY(child<QWidget>("train_v_h_e_kind")->isVisibleTo(form));
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && !training().runId().isEmpty(), kPatience);
        QCOMPARE(training().title(), QString("A name of my own · r00002"));
        stopTraining();
        QCOMPARE(m_window->archive().workspace()->reader().findRun("r00002").name,
                 std::string("A name of my own"));
        press(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QCOMPARE(child<QLineEdit>("trainName")->text(), QString());  // the next is another run
        QTest::keyClick(form, Qt::Key_Escape);
    }
};

ORRERY_WINDOW_TEST(TrainForksTest)
#include "train_forks_test.moc"
