#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <string>

#include "app/window/main_window.h"
#include "core/base/fault.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/frame/message_log.h"
#include "widgets/history/runs_panel.h"
#include "widgets/home/home_view.h"
#include "widgets/plots/chart.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// A training that halts or that is left with the program, and what is found of it afterwards.
class TrainEndingsTest : public QObject, private TrainWindowBench {
    Q_OBJECT

    /// Checkpoints that the first run made, whether they are there still or not.
    std::size_t numSaved() const {
        const auto events = m_window->archive().workspace()->reader().events("r00001");
        return static_cast<std::size_t>(
            std::ranges::count(events, std::string("train.saved"), &EventRow::code));
    }

    /// The first line of the losses; empty while there is none.
    Series lossPoints() {
        const auto& lines = chart("train/loss")->content().series;
        return lines.empty() ? Series() : lines.front().points;
    }

private Q_SLOTS:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void theChartsGoOnFromTheCheckpointThatIsTaken() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        checkpointHere();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > 3000, kPatience);
        stopTraining();
        QTRY_VERIFY_WITH_TIMEOUT(training().isResumable(), kPatience);
        // As a kill leaves it between the checkpoint's files and its row.
        Workspace& workspace = *m_window->archive().writableWorkspace();
        const std::vector<CheckpointRow> rows = workspace.reader().checkpoints("r00001");
        QVERIFY(rows.size() >= 2 && rows[0].step > rows[1].step + 1000);
        workspace.writer().removeCheckpoint("r00001", rows[0].generation);
        m_window->commands().action("run.resume")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > rows[0].step + 500,
                                 kPatience);
        const auto last = static_cast<double>(rows[0].step);
        QTRY_VERIFY_WITH_TIMEOUT(!lossPoints().isEmpty() && lossPoints().lastX() > last, kPatience);
        const Series points = lossPoints();
        const auto interval = static_cast<double>(training().settings().cadence.metricInterval);
        QVERIFY(points.firstX() < last / 2);
        for (std::int64_t i = 1; i < points.size(); ++i)
            QCOMPARE(points.x(i) - points.x(i - 1), interval);
        stopTraining();
        const std::vector<CheckpointRow> listed = workspace.reader().checkpoints("r00001");
        QVERIFY(std::ranges::find(listed, rows[0].step, &CheckpointRow::step) != listed.end());
    }

    void aNumberThatIsNoneHaltsTheTrainingAndAsks() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t kept = checkpointHere();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > kept, kPatience);
        auto* bar = child<QWidget>("troubleBar");
        QVERIFY(!bar->isVisible());

        setFaults("loss:nan");
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
        const std::int64_t step = training().step();
        const QString text = child<QLabel>("troubleText")->text();
        QVERIFY2(text.contains(QStringLiteral("Training step %1 ").arg(step)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("the gradient of ")), qPrintable(text));
        const QString batch =
            text.section(QStringLiteral("kept as "), 1).section(QStringLiteral(". "), 0, 0);
        QVERIFY2(QFile::exists(batch), qPrintable(batch));
        QVERIFY(m_window->isVisible() && child<QLabel>("statusText")->text() == "Paused");
        click("troubleSkip");
        QTRY_VERIFY_WITH_TIMEOUT(!bar->isVisible() && training().step() > step + 10, kPatience);

        setFaults("loss:nan");
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
        const int serial = trainSession().serial();
        setFaults("");
        click("troubleBack");
        QTRY_VERIFY_WITH_TIMEOUT(trainSession().serial() > serial && training().isLive(),
                                 kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > 0, kPatience);
        QCOMPARE(training().snapshot()->id, std::string("r00001"));

        setFaults("loss:nan");
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
        setFaults("");
        click("troubleFork");
        QTRY_VERIFY_WITH_TIMEOUT(child<TrainForm>("trainForm")->isVisible(), kPatience);
        // The form may be left: the training waits until the other one starts.
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trainStart")->isEnabled(), kPatience);
        child<TrainForm>("trainForm")->reject();
        QVERIFY(training().isLive() && training().trouble() && bar->isVisible());
        click("troubleFork");
        QTRY_VERIFY_WITH_TIMEOUT(child<TrainForm>("trainForm")->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trainStart")->isEnabled(), kPatience);
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && !training().trouble(), kPatience);
        // A run that has only just begun has no snapshot yet.
        QTRY_VERIFY_WITH_TIMEOUT(training().snapshot() && training().snapshot()->id == "r00002",
                                 kPatience);
    }

    /// Closes the window, and answers what is asked then by a button. @return what it said
    QString closeBy(const char* button) {
        QString said;
        QTimer::singleShot(0, this, [&] {
            auto* box = child<QMessageBox>("closeBox");
            said = box->informativeText();
            for (QAbstractButton* each : box->buttons()) said += u' ' + each->text();
            box->findChild<QPushButton*>(QLatin1String(button))->click();
        });
        m_window->close();
        return said;
    }
    void theProgramIsLeftWhereATrainingAsks_data() {
        QTest::addColumn<QString>("faults");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("after the first skipped step") << "loss:nan" << true;
        QTest::newRow("after the third in a row") << "loss:nan@1+" << false;
    }
    void theProgramIsLeftWhereATrainingAsks() {
        QFETCH(QString, faults);
        QFETCH(bool, isKept);
        startTraining(true, [](TrainJob& job) {
            job.cadence.checkpointSeconds = 0;  // and no stage ends
            job.empo.of(Quantity::V_h_e).warmupSteps = 100'000;
        });
        setFaults(faults.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(training().trouble(), kPatience);
        if (!isKept) {
            click("troubleSkip");
            QTRY_VERIFY_WITH_TIMEOUT(training().trouble() && training().trouble()->isLast,
                                     kPatience);
        }
        const std::int64_t step = training().step();
        const QString said = closeBy("cancelAndQuit");
        QVERIFY(!m_window->isVisible());
        QCOMPARE(said.contains(QStringLiteral("keeps a checkpoint")), isKept);
        QCOMPARE(said.contains(QStringLiteral("Checkpoint and quit")), isKept);
        QVERIFY(!said.contains(QStringLiteral("Finish it")));  // it would wait for ever
        m_window.reset();
        setFaults("");
        const auto workspace =
            Workspace::open(m_folder->filePath(QStringLiteral("test.orrery")).toStdString(),
                            Workspace::Mode::ReadOnly);
        const RunRecord run = workspace->reader().findRun("r00001");
        QCOMPARE(run.state, isKept ? RunState::Stopped : RunState::Diverged);
        const auto kept = workspace->reader().checkpoints("r00001");
        QCOMPARE(!kept.empty() && kept.front().step == step, isKept);
        if (!isKept) openWithoutCheckpoint(QStringLiteral("r00001"));
    }
    /// What is said of a training that diverged before its first checkpoint.
    void openWithoutCheckpoint(const QString& id) {
        m_window = std::make_unique<MainWindow>(windowOptions());
        m_window->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        m_window->showPerspective(QStringLiteral("home"));
        Q_EMIT m_window->findChild<HomeView*>()->runChosen(id);
        const auto isSaid = [this](const char* words) {
            const auto& said = m_window->messages().messages();
            return std::ranges::any_of(
                said, [&](const auto& one) { return one.text.contains(QLatin1String(words)); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSaid("It has no checkpoint; begin anew"), kPatience);
        QVERIFY(!isSaid("checkpoint of step"));
        // Its parent brings the world along, whatever is open.
        QVERIFY(m_window->session().loaded().title != QLatin1String("Small room"));
        m_window->commands().action(QStringLiteral("run.fork"))->trigger();
        const auto form = [this] { return m_window->findChild<TrainForm*>(); };
        QTRY_VERIFY_WITH_TIMEOUT(form() && form()->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trainStart")->isEnabled(), kPatience);
        child<TrainForm>("trainForm")->reject();
        m_window->showView(QStringLiteral("learned"));
        const auto* waiting = child<QLabel>("learnedWaiting");
        QTRY_VERIFY2_WITH_TIMEOUT(waiting->text().contains("ended before its first checkpoint"),
                                  qPrintable(waiting->text()), kPatience);
    }

    void aTrainingInTheTrashIsShownAgainAfterTheNextStart() {
        qputenv("XDG_STATE_HOME", m_folder->filePath(QStringLiteral("state")).toUtf8());
        const auto restore = qScopeGuard([] { qunsetenv("XDG_STATE_HOME"); });
        WindowOptions options = windowOptions();
        options.restoresSession = true;
        const auto begin = [&] {
            m_window.reset();
            m_window = std::make_unique<MainWindow>(options);
            m_window->show();
            QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        };
        options.world = m_folder->filePath(QStringLiteral("small.yaml"));
        begin();
        startTraining();
        stopTraining();
        const QString title = training().title();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const RunEdit toTrash{.run = "r00001", .isTrashed = true};
        m_window->archive().writableWorkspace()->writer().editRuns({&toTrash, 1});
        m_window->close();
        options.world.clear();
        begin();
        QTRY_VERIFY_WITH_TIMEOUT(training().hasRun(), kPatience);
        QCOMPARE(training().title(), title);
        QVERIFY(m_window->archive().runs().empty());
        QCOMPARE(m_window->perspective(), QStringLiteral("train"));
        // Deleted, it is gone, and nobody complains.
        m_window->archive().writableWorkspace()->writer().deleteRows({&toTrash.run, 1});
        m_window->close();
        begin();
        QVERIFY(!training().hasRun() && m_window->messages().messages().empty());
        m_window->close();
    }

    void aTrainingThatHaltsBringsBackTheWindowThatWaitedForItsEnd() {
        startTraining();
        closeBy("finishThenQuit");
        QVERIFY(m_window->isMinimized() && training().isLive());
        setFaults("loss:nan");
        QTRY_VERIFY_WITH_TIMEOUT(training().trouble(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMinimized(), kPatience);
        QVERIFY(m_window->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(child<QWidget>("troubleBar")->isVisible(), kPatience);
        // It does not wait for the end any more.
        training().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        finishEvents();
        QVERIFY(m_window->isVisible());
    }

    void marksAndRefusalsComeBackWithAStoredTraining() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        for (int i = 0; i < 4; ++i) {  // three are kept
            checkpointHere();
            stepOnce();
        }
        trainSession().set(QStringLiteral("batch_size"), QStringLiteral("0"));
        QTRY_COMPARE_WITH_TIMEOUT(training().changes().size(), std::size_t{1}, kPatience);
        QVERIFY(!training().changes().front().problem.empty());
        stopTraining();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        const std::size_t marks = numSaved();
        QVERIFY(marks >= 5);
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Checkpoint), marks,
                                  kPatience);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(QStringLiteral("r00001"));
        QTRY_COMPARE_WITH_TIMEOUT(trainSession().serial(), 2, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Checkpoint), marks,
                                  kPatience);
        QCOMPARE(training().changes().size(), std::size_t{1});
        QVERIFY(!training().changes().front().problem.empty());
        QCOMPARE(child<QLabel>("steeringCount")->text(), QString("1 change"));
    }

    void aCheckpointThatIsRemovedBeforeTheWindowLooksIsMarked() {
        startTraining();
        for (int i = 0; i < 6; ++i) {  // three are kept; the window hears nothing meanwhile
            training().checkpoint();
            QThread::msleep(200);
        }
        stopTraining();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        const std::size_t marks = numSaved();
        QVERIFY(marks > 3);
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Checkpoint), marks,
                                  kPatience);
    }

    void aStoredTrainingIsShownAgain() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(training().curves().size() > 10, kPatience);
        stopTraining();
        const auto before = training().curves();
        const std::vector<KeptCheckpoint> kept = training().training()->checkpoints;
        QVERIFY(!kept.empty());
        const int serial = trainSession().serial();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(QStringLiteral("r00001"));
        QTRY_COMPARE_WITH_TIMEOUT(trainSession().serial(), serial + 1, kPatience);
        QVERIFY(!training().isLive());
        QCOMPARE(training().snapshot()->id, std::string("r00001"));
        for (const auto& [key, curve] : before) {
            const auto stored = training().curves().find(key);
            QVERIFY2(stored != training().curves().end(), qPrintable(key));
            QVERIFY2(stored->second.step == curve.step, qPrintable(key));
        }
        QCOMPARE(child<QLabel>("trainState")->text(), QString("Stopped"));
        QVERIFY(chart("train/loss")->content().numPoints() > 0);
        const std::vector<KeptCheckpoint>& stored = training().training()->checkpoints;
        QVERIFY(!stored.empty() && stored.back().step == kept.back().step);
        QCOMPARE(stored.back().bytes, kept.back().bytes);
    }

    void withoutAWorldTheWindowIsNotCalledByTheTraining() {
        startTraining();
        stopTraining();
        m_window.reset();
        WindowOptions options = windowOptions();
        options.world = m_folder->filePath(QStringLiteral("gone.yaml"));
        m_window = std::make_unique<MainWindow>(options);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->archive().isListed(), kPatience);
        press(Qt::Key_K, Qt::ControlModifier);
        auto* line = child<QLineEdit>("locator");
        QTRY_VERIFY_WITH_TIMEOUT(line->hasFocus(), kPatience);
        QTest::keyClicks(line, QStringLiteral("r00001"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->windowTitle().contains(QStringLiteral("r00001")),
                                 kPatience);
        QVERIFY(!m_window->session().isOpen());
        press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Orrery"));
    }
};

ORRERY_WINDOW_TEST(TrainEndingsTest)
#include "train_endings_test.moc"
