#include <signal.h>

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/window/main_window.h"
#include "tests/app/program.h"
#include "tests/support/fake_learner.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"

using namespace orrery;

/// Stored trainings in the window, with the library of tests/core/run/fake_learner.cpp.
class TrainWindowTest : public QObject {
    Q_OBJECT

private:
    FakeLearner m_learner;
    Program m_program;
    std::unique_ptr<MainWindow> m_window;
    QString m_world, m_workspace;

    Ended run(QStringList arguments) const {
        return m_program.run(arguments << "--workspace" << m_workspace);
    }
    std::optional<RunState> stateOf(const char* id) const {
        const auto& runs = m_window->archive().runs();
        const auto found = std::ranges::find(runs, std::string(id), &RunRecord::id);
        return found == runs.end() ? std::nullopt : found->state;
    }

private Q_SLOTS:
    void initTestCase() {
        m_world = m_program.write("room.yaml", smallRoomFile().c_str());
        m_workspace = m_program.path("work.orrery");
        const Ended ended = run({"train", m_world, "--num-training-steps", "50"});
        QVERIFY2(ended.status == 0, ended.err);
        QProcess live;
        m_program.prepare(live);
        // So slow that it is met in its life, however late the look; it is resumed without.
        QProcessEnvironment environment = live.processEnvironment();
        environment.insert("ORRERY_FAULT", "run.step:delay=5@1+");
        live.setProcessEnvironment(environment);
        live.setArguments({"train", m_world, "--num-training-steps", "4000", "--goals-per-human",
                           "500", "--checkpoint-steps", "100", "--workspace", m_workspace});
        live.start(QIODevice::ReadOnly);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const Ended shown = run({"show", "2", "--json"});
                return shown.status == 0 && !shown.json()["checkpoints"].empty();
            },
            kPatience));
        ::kill(static_cast<pid_t>(live.processId()), SIGKILL);
        live.waitForFinished(kPatience);

        WindowOptions options;
        options.workspace = m_workspace.toStdString();
        options.preferencesFile = m_program.path("orrery.ini");
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1280, 860});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->archive().runs().size() == 2, kPatience);
    }
    void cleanupTestCase() { m_window.reset(); }

    void aTrainingHasNoValuesToOpenAndSaysSo() {
        m_window->archive().reopen("r00001");
        MessageStrip* strip = m_window->findChild<MessageStrip*>();
        QVERIFY(strip != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(strip->text().contains("Run r00001 is a training"), kPatience);
        QVERIFY(m_window->session().solution() == nullptr);
    }

    void anInterruptedTrainingIsResumedByItsCard() {
        QCOMPARE(stateOf("r00002"), std::optional(RunState::Interrupted));
        auto* button = m_window->findChild<QPushButton*>("continue_r00002");
        QVERIFY(button != nullptr && button->isVisible());
        QCOMPARE(button->text(), QString("Resume the training"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stateOf("r00002") == RunState::Running, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(stateOf("r00002") == RunState::Finished, kPatience);
        const Ended shown = run({"show", "2", "--json"});
        QCOMPARE(shown.json()["last_metrics"]["Loss/q_r"]["step"].get<int>(), 4000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QPushButton*>("continue_r00002") == nullptr,
                                 kPatience);
        QCOMPARE(m_program.run({"verify", m_workspace}).status, 0);
    }

    /// Metrics and checkpoint of the one in sight, whatever else is checked or current.
    void theTrainingThatIsShownIsExported() {
        m_window->showPerspective("train");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        m_window->commands().action("file.export")->trigger();
        auto* what = m_window->findChild<QComboBox*>("exportWhat");
        QVERIFY(what != nullptr);
        QVERIFY2(what->currentText().startsWith("Metrics of "), qPrintable(what->currentText()));
        QVERIFY(!what->currentText().contains("checked runs"));
        const int row = what->findText("Newest checkpoint", Qt::MatchStartsWith);
        QVERIFY(row >= 0);
        what->setCurrentIndex(row);
        const QString folder = m_program.path("step_4000");
        m_window->findChild<QLineEdit*>("exportTarget")->setText(folder);
        QTest::mouseClick(m_window->findChild<QPushButton*>("exportButton"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->strip().text().contains(folder), kPatience);
        QCOMPARE(m_window->strip().kind(), MessageKind::Ok);
        QCOMPARE(m_program.run({"parse", "--kind", "checkpoint", folder}).status, 0);
    }
};

ORRERY_WINDOW_TEST(TrainWindowTest)
#include "train_window_test.moc"
