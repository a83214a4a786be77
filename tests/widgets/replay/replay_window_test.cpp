#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/home/home_view.h"
#include "widgets/replay/activation_grid.h"
#include "widgets/replay/activation_panel.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/tensors_view.h"
#include "widgets/replay/term_model.h"
#include "widgets/replay/transition_panel.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// The replay buffer of a real training in the whole window: live, after its end, and of the stored
/// run.
class ReplayWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    TrainRecord& training() { return m_window->training().record(); }
    /// And shows it.
    void start(const RunSpec& spec, RunOptions options) {
        const LiveRun& run = m_window->live().start(spec, std::move(options));
        const QString chip = QStringLiteral("live_%1").arg(run.number());
        if (training().isLive()) return;
        QTRY_VERIFY(m_window->findChild<QAbstractButton*>(chip) != nullptr);
        m_window->findChild<QAbstractButton*>(chip)->click();
    }
    ReplayBrowser* browser() { return m_window->findChild<ReplayBrowser*>(); }
    ReplayFeed* feed() { return m_window->findChild<ReplayFeed*>(); }
    ActivationPanel* activations() { return m_window->findChild<TensorsView*>()->activations(); }
    void showActivations() {
        auto* tabs = m_window->findChild<QTabBar*>("tensorTabs");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tabs->count() - 1).center());
        QVERIFY(activations()->isVisible());
    }

    RunSpec longTraining() {
        RunSpec spec;
        spec.name = "Replay of a small room";
        TrainJob job;
        job.worlds = {m_folder->filePath(QStringLiteral("small.yaml")).toStdString()};
        EmpoSpec& empo = job.empo;
        for (const Quantity quantity : kQuantities) {
            if (empo.isUsed(quantity)) empo.of(quantity).kind = Approximator::Table;
            empo.of(quantity).targetCopySteps = 1;
            empo.of(quantity).warmupSteps = 200;
        }
        empo.adaptiveTables = true;
        empo.tableRateFloor = 0.2;
        empo.rampSteps = 200;
        empo.batchSize = 16;
        empo.trainingSteps = 2'000'000;
        empo.bufferCapacity = 20'000;
        empo.goalResampleProbability = 1;
        spec.job = std::move(job);
        return spec;
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString name = m_folder->filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        WindowOptions options;
        options.world = name;
        options.theme = ThemeChoice::Light;
        options.workspace = m_folder->filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder->filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
    }
    void cleanupTestCase() {
        m_window.reset();
        m_folder.reset();
    }

    void theBufferOfALiveTrainingIsShownAndItsTargetsAddUp() {
        RunOptions options;
        options.workspace = m_window->archive().writableWorkspace();
        QVERIFY(options.workspace != nullptr);
        start(longTraining(), std::move(options));
        m_window->showPerspective(QStringLiteral("train"));
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > 2000, kPatience);
        m_window->showView(QStringLiteral("replay"));
        QTRY_VERIFY_WITH_TIMEOUT(browser() != nullptr && browser()->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(browser()->model()->rowCount() > 1000, kPatience);
        const auto source = feed()->source();
        QVERIFY(source->exactStates > 0);
        TransitionPanel* panel = browser()->transition();
        QTRY_VERIFY_WITH_TIMEOUT(panel->terms()->hasValues(), kPatience);
        // The probabilities of the robot's actions are floats: their sum may be a little over 1.
        const double target = panel->target();
        QVERIFY2(target >= 0 && target <= 1 + 1e-6, qPrintable(QString::number(target, 'g', 9)));
        QVERIFY(panel->prediction() >= 0 && panel->prediction() <= 1);
        // What was learned agrees with its target by now.
        QVERIFY(std::abs(panel->target() - panel->prediction()) < 0.3);
        // The exact number stands beside, and what was learned is near it.
        auto* exact = m_window->findChild<QLabel*>("exactNumber");
        QTRY_VERIFY_WITH_TIMEOUT(exact->isVisible(), kPatience);
        QVERIFY(std::abs(exact->text().toDouble() - panel->prediction()) < 0.5);
        auto* quantity = m_window->findChild<QComboBox*>("targetQuantity");
        quantity->setFocus();
        QTest::keyClick(quantity, Qt::Key_Down);
        QVERIFY(panel->target() < 0);
        QTableView* table = browser()->table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QVERIFY(!panel->terms()->hasValues());
        QTRY_VERIFY_WITH_TIMEOUT(panel->terms()->hasValues(), kPatience);
        QCOMPARE(feed()->source(), source);
        m_window->showView(QStringLiteral("tensors"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<TensorsView*>() != nullptr, kPatience);
        QVERIFY(m_window->findChild<TensorsView*>()->shown() != nullptr);
        // What is learned in a table has a row in place of activations.
        showActivations();
        QTRY_VERIFY_WITH_TIMEOUT(!activations()->value().empty(), kPatience);
        QVERIFY(m_window->findChild<QLabel*>("activationRowText")->text().contains("is a table"));
        QVERIFY(m_window->findChild<QTableView*>("activationRow")->model()->rowCount() > 0);
    }

    void aStateOfATransitionIsInspectedHere() {
        m_window->showView(QStringLiteral("replay"));
        m_window->session().attach(training().training()->exact.front(), QString());
        auto* inspect = m_window->findChild<QPushButton*>("inspectBefore");
        QTRY_VERIFY_WITH_TIMEOUT(inspect->isVisible(), kPatience);
        const std::size_t place =
            static_cast<std::size_t>(browser()->transition()->spotFacts()["place"].toInteger());
        const int step = feed()->source()->at(place).step;
        QTest::mouseClick(inspect, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isViewShown(QStringLiteral("inspector")), kPatience);
        QCOMPARE(m_window->perspective(), QString("train"));
        QCOMPARE(m_window->session().state().step, step);
        QVERIFY(m_window->session().state().index >= 0);
    }

    void aPausedTrainingAnswers() {
        m_window->showView(QStringLiteral("replay"));
        QVERIFY(training().isLive());
        training().pauseOrResume();
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        QVERIFY(feed()->obstacle().isEmpty());
        QVERIFY(becomesQuiet([this] { return !feed()->isWorking(); }));  // nothing of before
        const std::int64_t step = training().step();
        QTableView* table = browser()->table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        TransitionPanel* panel = browser()->transition();
        QVERIFY(!panel->terms()->hasValues());
        QTRY_VERIFY_WITH_TIMEOUT(panel->terms()->hasValues(), kPatience);
        const auto hasError = [&] {
            return !browser()->model()->index(0, ReplayModel::TdError).data().toString().isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasError(), kPatience);
        // The buffer as well, and the pause goes on.
        const auto before = feed()->source();
        feed()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(feed()->source() != nullptr && feed()->source() != before,
                                 kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(panel->terms()->hasValues(), kPatience);
        QVERIFY(training().isPaused());
        QCOMPARE(training().step(), step);
        training().pauseOrResume();
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > step, kPatience);
    }

    void afterTheEndTheCheckpointAnswers() {
        training().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        m_window->showView(QStringLiteral("replay"));
        // The last buffer is that of the last step, which progress may be a little behind of.
        QTRY_VERIFY_WITH_TIMEOUT(feed()->source() && feed()->source()->step >= training().step(),
                                 kPatience);
        QTableView* table = browser()->table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(browser()->transition()->terms()->hasValues(), kPatience);
    }

    void aStoredRunShowsTheBufferOfItsCheckpoint() {
        const auto shown = feed()->source();
        ReplayFeed stored;
        QTRY_VERIFY_WITH_TIMEOUT(!training().snapshot()->id.empty(), kPatience);
        std::shared_ptr<Workspace> workspace =
            Workspace::open(m_folder->filePath(QStringLiteral("test.orrery")).toStdString(),
                            Workspace::Mode::ReadOnly);
        stored.openStored(workspace, QString::fromStdString(training().snapshot()->id));
        QTRY_VERIFY_WITH_TIMEOUT(stored.source() != nullptr, kPatience);
        QCOMPARE(stored.source()->size(), shown->size());
        QCOMPARE(stored.source()->step, shown->step);
        QCOMPARE(stored.source()->replay->stateBefore(7).size(),
                 shown->replay->stateBefore(7).size());
        std::shared_ptr<const ValueAnswer> answer;
        connect(&stored, &ReplayFeed::answered, &stored, [&](const auto& one) { answer = one; });
        const auto bytes = stored.source()->replay->stateBefore(7);
        const std::int64_t number = stored.ask(0, {bytes.begin(), bytes.end()});
        QTRY_VERIFY_WITH_TIMEOUT(answer != nullptr, kPatience);
        QCOMPARE(answer->number, number);
        QCOMPARE(answer->step, shown->step);
        QCOMPARE(answer->live.numStates, 1);
    }

    void theLayersOfALiveNetworkAreShown() {
        training().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        RunSpec spec = longTraining();
        EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        for (const Quantity quantity : {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r})
            empo.of(quantity).kind = Approximator::Network;
        empo.hiddenSize = 16;
        RunOptions options;
        options.workspace = m_window->archive().writableWorkspace();
        start(spec, std::move(options));
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 20, kPatience);
        m_window->showView(QStringLiteral("tensors"));
        showActivations();
        ActivationGrid* grid = activations()->grid();
        QTRY_VERIFY_WITH_TIMEOUT(grid->net() != nullptr, kPatience);
        QCOMPARE(grid->net()->layers.back().name, std::string("v_h_e.head.2"));
        // The value that stands above is the last layer's number, clamped.
        const auto isWhole = [&] {
            return std::abs(std::clamp(grid->net()->layers.back().values[0], 0.0F, 1.0F) -
                            activations()->value().front()) < 1e-5F;
        };
        QVERIFY(isWhole());
        // It is asked again while the training goes on.
        const auto before = grid->net();
        QTRY_VERIFY_WITH_TIMEOUT(grid->net() != before, kPatience);
        QVERIFY(isWhole());
        auto* quantity = m_window->findChild<QComboBox*>("activationQuantity");
        quantity->setFocus();
        for (int k = 0; k < 3; ++k) QTest::keyClick(quantity, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(grid->net()->layers.back().name, std::string("q_r.head.2"),
                                  kPatience);
        QVERIFY(!m_window->findChild<QComboBox*>("activationGoal")->isVisible());
        QCOMPARE(activations()->value().size(), grid->net()->layers.back().values.size());
        QTRY_VERIFY_WITH_TIMEOUT(grid->net()->states > 1, kPatience);
        // Its table has the layers.
        QCOMPARE(m_window->findChild<TensorsView*>()->tableModel()->rowCount(),
                 static_cast<int>(grid->net()->layers.size()));
        // After the end its checkpoint answers the same way.
        training().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QTest::keyClick(quantity, Qt::Key_Up);
        QTest::keyClick(quantity, Qt::Key_Up);
        QTRY_COMPARE_WITH_TIMEOUT(grid->net()->layers.back().name, std::string("x_h.head.2"),
                                  kPatience);
    }

    /// It once stayed that of the training before.
    void theBufferIsThatOfTheTrainingThatIsShown() {
        const QString newest = training().runId();
        QVERIFY(newest != QLatin1String("r00001"));
        for (const QString& run : {QStringLiteral("r00001"), newest}) {
            m_window->showPerspective(QStringLiteral("home"));
            Q_EMIT m_window->findChild<HomeView*>()->runChosen(run);
            QTRY_COMPARE_WITH_TIMEOUT(training().runId(), run, kPatience);
            QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("train"), kPatience);
            m_window->showView(QStringLiteral("replay"));
            QTRY_VERIFY_WITH_TIMEOUT(feed()->runId() == run && feed()->source(), kPatience);
        }
    }

    /// The window once kept hold of it, and could only read it.
    void aWorkspaceThatWasLeftIsOpenedAgain() {
        const Archive& archive = m_window->archive();
        const QString first = QString::fromStdString(archive.workspace()->folder().string());
        const QString second = m_folder->filePath(QStringLiteral("second.orrery"));
        QVERIFY(archive.writableWorkspace() != nullptr);
        Workspace::open(second.toStdString(), Workspace::Mode::Create).reset();
        for (const QString& folder : {second, first}) {
            m_window->showWanted(folder);
            QTRY_COMPARE_WITH_TIMEOUT(
                QString::fromStdString(archive.workspace()->folder().string()), folder, kPatience);
            QVERIFY(archive.writableWorkspace() != nullptr);
            // What is shown is no run of this one.
            QVERIFY(training().runId().isEmpty() && !training().isResumable());
            QVERIFY(m_window->session().runId().isEmpty());
        }
    }
};

ORRERY_WINDOW_TEST(ReplayWindowTest)
#include "replay_window_test.moc"
