#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <memory>

#include "app/main_window.h"
#include "core/base/fault.h"
#include "core/empo/snapshot.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "core/run/steering.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/figure/figure.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/message_log.h"
#include "widgets/history/runs_panel.h"
#include "widgets/home/home_view.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/live_world.h"
#include "widgets/train/metric_text.h"
#include "widgets/train/pipeline_canvas.h"
#include "widgets/train/pipeline_view.h"
#include "widgets/train/stage_bar.h"
#include "widgets/train/steer_scale.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

using namespace orrery;

/// A training of a small world in the whole window: started by its form, watched, steered, stepped
/// and stopped, by mouse and keys, with the real learner and a real workspace.
class TrainWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    TrainSession& training() { return m_window->training(); }
    const EmpoSpec& liveEmpo() { return training().job().as<TrainJob>().empo; }
    const EmpoSnapshot* numbers() { return empoOf(training().numbers()); }
    WindowOptions windowOptions() const {
        WindowOptions options;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_folder->filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder->filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        return options;
    }
    Chart* chart(const char* id) { return child<ChartGrid>("trainGrid")->chart(QLatin1String(id)); }
    /// Without a window manager nobody makes the window active again after a dialog. As long as a
    /// dialog that was hidden has the focus, the window counts as active and gets no shortcuts.
    void activate() {
        m_window->activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), m_window.get(), kPatience);
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        activate();
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(const char* name) {
        auto* widget = child<QWidget>(name);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void typeInto(const char* name, const char* text) {
        auto* edit = child<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }
    /// A training in tables that ends only when it is stopped. Rates have an effect where the
    /// tables are not adaptive.
    void startTraining(bool isAdaptive = true, const std::function<void(TrainJob&)>& change = {}) {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        auto& job = spec.job.as<TrainJob>();
        EmpoSpec& empo = job.empo;
        empo.adaptiveTables = isAdaptive;
        empo.tableRateFloor = 0.2;
        for (const Quantity quantity : kQuantities) {
            empo.of(quantity).targetCopySteps = 5;
            empo.of(quantity).warmupSteps = 400;
        }
        empo.rampSteps = 1000;
        empo.goalResampleProbability = 1;
        empo.epsilonStart_h = empo.epsilonEnd_h = 0;
        empo.epsilonStart_r = empo.epsilonEnd_r = 0.5;
        if (change) change(job);
        form->setSpec(spec);
        auto* kind = child<QComboBox>("trainKind");
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Home);
        Q_EMIT kind->activated(0);
        typeInto("train_num_training_steps", "200000");
        typeInto("train_batch_size", "16");
        QVERIFY(child<QPushButton>("trainStart")->isEnabled());
        click("trainStart");
        QVERIFY(!form->isVisible());
        QCOMPARE(m_window->perspective(), QString("train"));
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 0, kPatience);
    }
    void stopTraining() {
        if (!training().isLive()) return;
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
    }
    const TrainJob& formJob() { return child<TrainForm>("trainForm")->spec().job.as<TrainJob>(); }
    void choose(QComboBox* box, int index) {
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }
    void stepOnce() {
        const std::int64_t step = training().step();
        click("tool_run.trainStep");
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), step + 1, kPatience);
    }
    /// Of a training that is paused. @return its step
    std::int64_t checkpointHere() {
        const std::int64_t step = training().step();
        click("trainCheckpoint");
        const auto isThere = [&] {
            const auto& kept = training().training()->checkpoints;
            return std::ranges::find(kept, step, &KeptCheckpoint::step) != kept.end();
        };
        if (!QTest::qWaitFor(isThere, kPatience)) qFatal("no checkpoint");
        return step;
    }
    /// Checkpoints that the first run made, whether they are there still or not.
    std::size_t numSaved() const {
        const auto events = m_window->archive().workspace()->reader().events("r00001");
        return static_cast<std::size_t>(
            std::ranges::count(events, std::string("train.saved"), &EventRow::code));
    }
    std::size_t numMarks(Chart* of, ChartEventKind kind) {
        return static_cast<std::size_t>(
            std::ranges::count(of->content().events, kind, &ChartEvent::kind));
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString name = m_folder->filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        WindowOptions options = windowOptions();
        options.world = name;
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        press(Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(m_window->perspective(), QString("train"));
        // The pipeline below the charts.
        m_window->showView(QStringLiteral("pipeline"));
        m_window->splitView(Qt::Vertical);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<PipelineCanvas*>() != nullptr, kPatience);
        m_window->showView(QStringLiteral("trainCharts"));
    }
    void cleanup() {
        setFaults("");
        if (m_window) stopTraining();
        m_window.reset();
        m_folder.reset();
    }

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

    void curvesMoveStagesPassAndTheErrorFalls() {
        const double click = processCpuMs();
        startTraining();
        Chart* error = chart("train/error");
        QTRY_VERIFY_WITH_TIMEOUT(chart("train/loss")->content().numPoints() > 0, kPatience);
        const double first = (processCpuMs() - click) / 1000;
        QVERIFY2(first < 10, qPrintable(QString::number(first)));
        QTRY_VERIFY_WITH_TIMEOUT(!error->content().series.empty(), kPatience);
        const Series& v_h_e = error->content().series.front().points;
        QTRY_VERIFY_WITH_TIMEOUT(v_h_e.size() >= 2, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(v_h_e.y(v_h_e.size() - 1) < 0.75 * v_h_e.y(0), kPatience);
        // Bands on every chart, the present stage in the bar.
        for (Chart* each : child<ChartGrid>("trainGrid")->charts())
            QTRY_COMPARE_WITH_TIMEOUT(each->content().stages.size(), std::size_t{5}, kPatience);
        QCOMPARE(child<StageBar>("stageBar")->namedSpots().size(), std::size_t{5});
        // What it does is said once, in the status bar.
        QVERIFY(child<QLabel>("trainNumbers")->text().isEmpty());
        QVERIFY(child<QLabel>("trainState")->text().isEmpty());
        QVERIFY(child<QLabel>("statusText")->text().contains("Running"));
        QVERIFY(child<QLabel>("statusNumbers")->text().contains("env steps/s"));
        qInfo("first point %.1f s of CPU after the click; error of V_h^e %.4f", first,
              v_h_e.y(v_h_e.size() - 1));
        // By time the same points stand at seconds.
        child<QComboBox>("trainAxis")->setFocus();
        QTest::keyClick(child<QComboBox>("trainAxis"), Qt::Key_Down);
        const Series& byTime = chart("train/loss")->content().series.front().points;
        QVERIFY(byTime.size() > 0 && byTime.lastX() < 600);
        stopTraining();
        QCOMPARE(child<QLabel>("trainState")->text(), QString("Stopped"));
        QVERIFY(child<QLabel>("trainNumbers")->text().contains("step "));
        QVERIFY2(!child<QLabel>("trainNumbers")->text().contains("steps/s"),
                 qPrintable(child<QLabel>("trainNumbers")->text()));
        // What it did last stays to be read, and does not pretend to go on.
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("pipelineVerdict")->text().contains("ended"),
                                 kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("liveFacts")->text().startsWith("ended"), kPatience);
        const RunRecord run = m_window->archive().workspace()->reader().findRun("r00001");
        QCOMPARE(run.state, std::optional(RunState::Stopped));
    }

    void chartsFollowTheStageThatTheTrainingIsIn() {
        // Charts are there before the first stage has passed, and no checkpoint at the end of a
        // stage makes them look at it.
        startTraining(true, [](TrainJob& job) {
            for (const Quantity quantity : kQuantities) job.empo.of(quantity).warmupSteps = 5000;
            job.cadence.checkpointSeconds = 0;
        });
        const auto isShown = [this] {
            if (numbers() == nullptr) return false;
            const auto present = static_cast<std::size_t>(numbers()->learner.stage);
            for (const Chart* each : child<ChartGrid>("trainGrid")->charts()) {
                const std::vector<ChartStage>& stages = each->content().stages;
                for (std::size_t i = 0; i < stages.size(); ++i)
                    if (stages[i].isCurrent != (i == present)) return false;
            }
            return true;
        };
        QTRY_VERIFY_WITH_TIMEOUT(chart("train/error") && isShown(), kPatience);
        for (const int stage : {1, 3, 4}) {
            QTRY_VERIFY_WITH_TIMEOUT(numbers()->learner.stage >= stage, kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
        }
    }

    void keysPauseAndStep() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        finishEvents();
        const std::int64_t before = training().step();
        press(Qt::Key_F7);
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), before + 1, kPatience);
        press(Qt::Key_F7);
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), before + 2, kPatience);
        press(Qt::Key_F7, Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), before + 102, kPatience);
        QVERIFY(training().isPaused());
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isPaused() && training().step() > before + 102,
                                 kPatience);
    }

    void aPausedTrainingSaysNoRate() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(
            child<QLabel>("statusNumbers")->text().contains(QStringLiteral("steps/s")), kPatience);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const QString text = child<QLabel>("statusNumbers")->text();
        QVERIFY2(!text.contains(QStringLiteral("steps/s")), qPrintable(text));
        // That it is paused is said once, and the button shows what it does now.
        QVERIFY2(!text.contains(QStringLiteral("paused")), qPrintable(text));
        QCOMPARE(child<QLabel>("statusText")->text(), QString("Paused"));
        QAction* action = m_window->commands().action(QStringLiteral("run.pause"));
        const auto shows = [&](const char* icon) {
            return action->icon().pixmap(32).toImage() ==
                   themedIcon(QLatin1String(icon), currentTokens()).pixmap(32).toImage();
        };
        QVERIFY(shows("media-playback-start"));
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            m_window->setTheme(theme);
            QVERIFY(shows("media-playback-start"));
        }
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isPaused(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(shows("media-playback-pause"), kPatience);
    }

    void aRateWithoutAnEffectIsDisabledAndSaysWhy() {
        startTraining();
        for (const char* const name : {"steer_slider_lr_v_h_e", "steer_spin_lr_v_h_e"}) {
            QTRY_VERIFY_WITH_TIMEOUT(!child<QWidget>(name)->isEnabled(), kPatience);
            QVERIFY2(child<QWidget>(name)->toolTip().contains(QStringLiteral("No effect")), name);
        }
        QVERIFY(child<QWidget>("steer_slider_beta_r")->isEnabled());
    }

    void aRateOfAnySizeIsShownAsItIs() {
        startTraining(false);
        const QString rate = QStringLiteral("lr_q_r");
        auto* spin = child<SteerSpin>("steer_spin_lr_q_r");
        for (const char* const text : {"1e20", "3e-14"}) {
            training().set(rate, QLatin1String(text));
            QTRY_VERIFY_WITH_TIMEOUT(!training().pending(rate), kPatience);
            QTRY_COMPARE_WITH_TIMEOUT(spin->text(), QLatin1String(text), kPatience);
        }
        // One name where it is changed and where changes are told.
        const QModelIndex newest = child<QAbstractItemView>("steeringLog")->model()->index(0, 0);
        const QString told = newest.data().toString();
        QVERIFY2(told.contains(QStringLiteral("rate of Q_r (lr_q_r)")), qPrintable(told));
        const auto labels = m_window->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->buddy() == spin && label->toolTip().contains(rate) &&
                   label->text().startsWith(QStringLiteral("rate of"));
        }));
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
        const int serial = training().serial();
        setFaults("");
        click("troubleBack");
        QTRY_VERIFY_WITH_TIMEOUT(training().serial() > serial && training().isLive(), kPatience);
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

    void aPausedTrainingIsSteeredWhereItStands() {
        startTraining(false);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        finishEvents();
        const std::int64_t halted = training().step();
        auto* spin = child<SteerSpin>("steer_spin_lr_q_r");
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.003"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 1, kPatience);
        QVERIFY(training().isPaused());
        QCOMPARE(training().step(), halted);
        QCOMPARE(training().training()->changes.front().change.step, halted);
        QVERIFY(!child<QLabel>("steer_note_lr_q_r")->isVisible());
        for (Chart* each : child<ChartGrid>("trainGrid")->charts()) {
            QTRY_COMPARE_WITH_TIMEOUT(numMarks(each, ChartEventKind::Steering), std::size_t{1},
                                      kPatience);
            const auto& events = each->content().events;
            const auto mark =
                std::ranges::find(events, ChartEventKind::Steering, &ChartEvent::kind);
            QCOMPARE(mark->x, static_cast<double>(halted));
        }
        // Undone in the same pause.
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 1e-4, kPatience);
        QCOMPARE(training().step(), halted);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > halted + 10, kPatience);
    }

    void theViewRateFreezesTheViewsAndNotTheTraining() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(chart("train/loss")->content().numPoints() > 0, kPatience);
        QCOMPARE(chart("train/loss")->figureTitle(), training().title());
        auto* numbers = child<QLabel>("statusNumbers");
        QTRY_VERIFY2_WITH_TIMEOUT(
            numbers->text().contains("views") && numbers->text().contains("Hz"),
            qPrintable(numbers->text()), kPatience);
        // Without a figure yet the pipeline has no verdict, frozen or not.
        QTRY_VERIFY_WITH_TIMEOUT(!child<QLabel>("pipelineVerdict")->text().isEmpty(), kPatience);
        auto* rate = child<QSlider>("trainViewRate");
        QCOMPARE(rate->value(), 30);
        rate->setFocus();
        QTest::keyClick(rate, Qt::Key_Home);
        QCOMPARE(rate->value(), 0);
        QCOMPARE(child<QLabel>("trainViewRateText")->text(), QString("frozen"));
        QVERIFY(child<QLabel>("pipelineVerdict")->text().startsWith("frozen"));
        QCOMPARE(child<QLabel>("liveFacts")->text(), QString("frozen"));
        // Frames that were wanted before are drawn first.
        auto* canvas = child<PipelineCanvas>("pipelineCanvas");
        QVERIFY(becomesQuiet([&] { return canvas->isSettled(); }));
        const std::int64_t step = training().step();
        const std::int64_t points = chart("train/loss")->content().numPoints();
        const auto frames = canvas->numFrames();
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > step + 1000, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(numbers->text().contains("views frozen"), kPatience);
        QVERIFY(numbers->text().contains("steps/s"));
        QCOMPARE(chart("train/loss")->content().numPoints(), points);
        QVERIFY(canvas->numFrames() <= frames + 2);
        // What came meanwhile is drawn, without a gap.
        QTest::keyClick(rate, Qt::Key_End);
        QCOMPARE(rate->value(), 60);
        QTRY_VERIFY_WITH_TIMEOUT(chart("train/loss")->content().numPoints() > points, kPatience);
        const Series& drawn = chart("train/loss")->content().series.front().points;
        const TrainCurve& curve = training().curves().at(QStringLiteral("Loss/v_h_e"));
        QTRY_VERIFY_WITH_TIMEOUT(drawn.size() + 2 >= std::ssize(curve.step), kPatience);
        for (std::int64_t i = 0; i < drawn.size(); ++i)
            QCOMPARE(drawn.x(i), curve.step[static_cast<std::size_t>(i)]);
        QTRY_VERIFY_WITH_TIMEOUT(training().clock().drawnRate() > 1, kPatience);
        qInfo("drawn %.0f times a second of 60", training().clock().drawnRate());
    }

    void anOlderSessionGetsTheWholePerspective() {
        // Written by a program that knew the curves and the pipeline only, and no panels of Train.
        QJsonObject old = m_window->saveFrame();
        old.remove(QStringLiteral("knownViews"));
        QJsonObject arrangements = old.value(u"arrangements").toObject();
        QJsonObject train = arrangements.value(u"train").toObject();
        train.insert(
            QStringLiteral("centre"),
            QJsonDocument::fromJson(R"({"split": "vertical", "sizes": [500, 200], "parts": [
                         {"tabs": ["trainCharts"], "current": "trainCharts", "bare": false},
                         {"tabs": ["pipeline"], "current": "pipeline", "bare": true}]})")
                .object());
        arrangements.insert(QStringLiteral("train"), train);
        old.insert(QStringLiteral("arrangements"), arrangements);
        m_window->restoreFrame(old);
        for (const char* id :
             {"trainCharts", "replay", "learned", "profile", "tensors", "pipeline"})
            QVERIFY2(m_window->isViewShown(QLatin1String(id)), id);
        QVERIFY(m_window->isViewShown(QStringLiteral("steering")));
        QCOMPARE(m_window->centre().openViews().indexOf(QStringLiteral("pipeline")),
                 m_window->centre().openViews().size() - 1);
        QTRY_VERIFY_WITH_TIMEOUT(child<QWidget>("emptyTrain")->isVisible(), kPatience);
        // A program that knows them all leaves closed what was closed.
        m_window->hideView(QStringLiteral("tensors"));
        const QJsonObject present = m_window->saveFrame();
        m_window->restoreFrame(present);
        QVERIFY(!m_window->isViewShown(QStringLiteral("tensors")));
        QVERIFY(m_window->isViewShown(QStringLiteral("replay")));
    }

    void steeringIsMarkedLoggedAndUndone() {
        startTraining(false);
        auto* spin = child<SteerSpin>("steer_spin_lr_q_r");
        QVERIFY(spin->isVisible() && spin->isEnabled());
        QCOMPARE(spin->value(), 1e-4);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.003"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 1, kPatience);
        const AppliedChange applied = training().training()->changes.front();
        QVERIFY2(applied.problem.empty(), applied.problem.c_str());
        QCOMPARE(applied.change.value, std::string("0.003"));
        QCOMPARE(liveEmpo().of(Quantity::Q_r).learningRate, 0.003);
        QVERIFY(!training().pending(QStringLiteral("lr_q_r")));
        for (Chart* each : child<ChartGrid>("trainGrid")->charts())
            QTRY_COMPARE_WITH_TIMEOUT(numMarks(each, ChartEventKind::Steering), std::size_t{1},
                                      kPatience);
        QCOMPARE(child<QLabel>("steeringCount")->text(), QString("1 change"));
        // A slider by keys: each press is one change.
        auto* slider = child<QSlider>("steer_slider_beta_r");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 2, kPatience);
        QVERIFY(liveEmpo().beta_r > 10);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().beta_r, 10.0, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(child<SteerSpin>("steer_spin_beta_r")->value(), 10.0, kPatience);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 1e-4, kPatience);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 0.003, kPatience);
        QCOMPARE(child<QLabel>("steeringCount")->text(), QString("5 changes"));
        stopTraining();
        QCOMPARE(steeringIn(m_window->archive().workspace()->reader().events("r00001")).size(),
                 std::size_t{5});
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
        training().set(QStringLiteral("beta_r"), QStringLiteral("20"));
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().beta_r, 20.0, kPatience);
        stepOnce();
        const std::int64_t second = checkpointHere();
        click("forkButton");
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QVERIFY(!child<QPushButton>("trainStart")->isEnabled());  // a run is at work
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
        training().set(QStringLiteral("beta_r"), QStringLiteral("20"));
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
        QTRY_COMPARE_WITH_TIMEOUT(training().serial(), 2, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive() && training().step() == step + 20, kPatience);
        QCOMPARE(training().changes().size(), std::size_t{1});
        QCOMPARE(training().changes().front().change.step, step);
        QCOMPARE(liveEmpo().beta_r, 20.0);
    }

    void marksAndRefusalsComeBackWithAStoredTraining() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        for (int i = 0; i < 4; ++i) {  // three are kept
            checkpointHere();
            stepOnce();
        }
        training().set(QStringLiteral("batch_size"), QStringLiteral("0"));
        QTRY_COMPARE_WITH_TIMEOUT(training().changes().size(), std::size_t{1}, kPatience);
        QVERIFY(!training().changes().front().problem.empty());
        stopTraining();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        const std::size_t marks = numSaved();
        QVERIFY(marks >= 5);
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Checkpoint), marks,
                                  kPatience);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(QStringLiteral("r00001"));
        QTRY_COMPARE_WITH_TIMEOUT(training().serial(), 2, kPatience);
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
        const int serial = training().serial();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(QStringLiteral("r00001"));
        QTRY_COMPARE_WITH_TIMEOUT(training().serial(), serial + 1, kPatience);
        QVERIFY(!training().isLive());
        QCOMPARE(training().snapshot()->id, std::string("r00001"));
        for (const auto& [key, curve] : before) {
            const auto stored = training().curves().find(key);
            QVERIFY2(stored != training().curves().end(), qPrintable(key));
            QVERIFY2(stored->second.step == curve.step, qPrintable(key));
        }
        QCOMPARE(child<QLabel>("trainState")->text(), QString("Stopped"));
        QVERIFY(chart("train/loss")->content().numPoints() > 0);
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

    void oneThingIsCalledOneWord() {
        // In Train the bar is about the training, elsewhere about the world.
        const auto isShown = [&](const char* name) { return child<QWidget>(name)->isVisible(); };
        QVERIFY(isShown("tool_run.trainStep") && !isShown("tool_world.step"));
        QVERIFY(m_window->findChild<QPushButton*>("trainPause") == nullptr);
        QVERIFY(m_window->findChild<QPushButton*>("trainStop") == nullptr);
        QCOMPARE(child<QToolButton>("tool_run.cancel")->text(), QString("Stop"));
        QCOMPARE(child<QToolButton>("tool_run.pause")->toolButtonStyle(),
                 Qt::ToolButtonTextBesideIcon);
        startTraining();
        QCOMPARE(m_window->commands().action("world.step")->text().remove(u'&'),
                 QString("Training step"));  // what F7 does here
        stopTraining();
        m_window->showPerspective(QStringLiteral("world"));
        QTRY_VERIFY_WITH_TIMEOUT(!isShown("tool_run.trainStep") && isShown("tool_world.step"),
                                 kPatience);
        QCOMPARE(m_window->commands().action("world.step")->text().remove(u'&'), QString("Step"));
        QStringList titles;
        for (const ViewSpec& spec : m_window->views()) titles << spec.title;
        QCOMPARE(titles.removeDuplicates(), 0);
        int sweeps = 0;
        for (const CommandSpec& spec : commandTable())
            if (Commands::plainText(spec).contains("sweep", Qt::CaseInsensitive)) ++sweeps;
        QCOMPARE(sweeps, 1);
        // The pipeline is a view like the others, closed like them.
        m_window->showPerspective(QStringLiteral("train"));
        const auto isClosable = [](const QTabBar* bar) {
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == QLatin1String("Pipeline")) return bar->tabsClosable();
            return false;
        };
        QVERIFY(std::ranges::any_of(m_window->findChildren<QTabBar*>(), isClosable));
    }

    void aNewTrainingIsInFrontAndSeenWhole() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(chart("train/loss")->content().numPoints() > 0, kPatience);
        stopTraining();
        chart("train/loss")->setCursors(10, 20);
        chart("train/loss")->zoom(0.5);
        QVERIFY(!chart("train/loss")->view().x.isFitted);
        m_window->showView(QStringLiteral("tensors"));
        startTraining();
        QCOMPARE(m_window->centre().currentView(), QString("trainCharts"));
        QVERIFY(chart("train/loss")->view().x.isFitted);
        QVERIFY(!chart("train/loss")->view().cursorA && !chart("train/loss")->view().cursorB);
    }

    void theLiveWorldAndThePipelineFollow() {
        startTraining();
        auto* live = child<LiveWorld>("liveWorld");
        QTRY_VERIFY_WITH_TIMEOUT(live->scene().width > 0, kPatience);
        const auto numAgents =
            std::ranges::count(live->scene().pieces, PieceKind::Agent, &Piece::kind);
        QCOMPARE(numAgents, std::ptrdiff_t{m_window->session().world().numAgents()});
        QVERIFY(child<QLabel>("liveFacts")->text().contains("running"));
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("liveFacts")->text().startsWith("paused"),
                                 kPatience);
        press(Qt::Key_F6);
        QCOMPARE(live->tableModel()->rowCount(), m_window->session().world().numAgents());
        const QAbstractItemModelTester agents(live->tableModel());
        QVERIFY(!live->tableModel()->index(0, 0).data().toString().isEmpty());
        QAbstractItemModel* numbers = child<TrainCharts>("trainCharts")->tableModel();
        QTRY_COMPARE_WITH_TIMEOUT(
            numbers->match(numbers->index(0, 0), Qt::DisplayRole, "stage", -1).size(),
            qsizetype(training().stages().size()), kPatience);
        auto* view = child<PipelineView>("pipelineView");
        QTRY_VERIFY_WITH_TIMEOUT(view->tableModel()->rowCount() > 10, kPatience);
        const QAbstractItemModelTester tester(view->tableModel());
        const QAbstractItemModelTester facts(child<TrainCharts>("trainCharts")->tableModel());
        auto* canvas = child<PipelineCanvas>("pipelineCanvas");
        QTRY_VERIFY_WITH_TIMEOUT(canvas->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(canvas->spotFacts()["trainingRate"].toDouble() > 0, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(canvas->spotFacts()["frames"].toInt() > 1, kPatience);
        QVERIFY(canvas->namedSpots().size() >= 5);
        // On paper it is drawn with real text.
        Figure figure;
        figure.view = canvas->figureId();
        figure.title = canvas->figureTitle();
        const QString paper = m_folder->filePath(QStringLiteral("pipeline.svg"));
        writeFigure(*canvas, figure, paper.toStdString());
        QFile svg(paper);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("Replay buffer"));
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_F8);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog*>("tableTwin") != nullptr ||
                                     !m_window->findChildren<QTableView*>().isEmpty(),
                                 kPatience);
    }

    void aStopConditionEndsTheRunAtItsStep() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t last = training().step() + 500;
        // What cannot be is refused, and the condition is not set.
        typeInto("stop_step_value", "soon");
        click("stop_step");
        auto* note = child<QLabel>("steer_note_stop_step");
        QTRY_VERIFY_WITH_TIMEOUT(note->isVisible() && note->text().contains("stop_step"),
                                 kPatience);
        QVERIFY(!child<QCheckBox>("stop_step")->isChecked());
        typeInto("stop_step_value", QByteArray::number(last));
        click("stop_step");
        QTRY_COMPARE_WITH_TIMEOUT(training().settings().stop.step, std::optional(last), kPatience);
        QVERIFY(child<QCheckBox>("stop_step")->isChecked());
        QVERIFY(!note->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Steering),
                                  std::size_t{1}, kPatience);
        // Undone, and done again.
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!training().settings().stop.step, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!child<QCheckBox>("stop_step")->isChecked(), kPatience);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(training().settings().stop.step, std::optional(last), kPatience);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QCOMPARE(training().step(), last);
        QVERIFY(training().summary().contains("is reached"));
        const auto stored = steeringIn(m_window->archive().workspace()->reader().events("r00001"));
        QCOMPARE(stored.size(), std::size_t{3});
        QCOMPARE(stored.back().change.key, std::string("stop_step"));
    }

    void aMetricEndsTheRun() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(training().curves().contains(QStringLiteral("Loss/x_h")),
                                 kPatience);
        auto* metric = child<QComboBox>("stop_metric_name");
        // It is called as in the charts; its name in files may be typed, too.
        QTRY_VERIFY_WITH_TIMEOUT(metric->findText(QStringLiteral("Loss · Xₕ")) >= 0, kPatience);
        for (int i = 0; i < metric->count(); ++i)
            QCOMPARE(metricTitle(training().kind(),
                                 metricOfTitle(training().kind(), metric->itemText(i))),
                     metric->itemText(i));
        QCOMPARE(metricOfTitle(training().kind(), QStringLiteral("Loss/x_h")), QString("Loss/x_h"));
        metric->setCurrentText(QStringLiteral("Loss · Xₕ"));
        typeInto("stop_at_least_value", "-1");
        click("stop_at_least");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QCOMPARE(training().settings().stop.metric, std::optional<std::string>("Loss/x_h"));
        QVERIFY(training().summary().contains("Loss/x_h is"));
    }
};

ORRERY_WINDOW_TEST(TrainWindowTest)
#include "train_window_test.moc"
