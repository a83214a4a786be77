#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <optional>

#include "app/window/main_window.h"
#include "core/empo/snapshot.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/figure/figure.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/frame/centre_area.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/live_world.h"
#include "widgets/train/pipeline_canvas.h"
#include "widgets/train/pipeline_view.h"
#include "widgets/train/stage_bar.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

using namespace orrery;

/// A training that is watched, paused and stepped, and the words and views of its perspective.
class TrainWindowTest : public QObject, private TrainWindowBench {
    Q_OBJECT

    const EmpoSnapshot* numbers() { return empoOf(training().numbers()); }

private Q_SLOTS:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

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
        QTRY_VERIFY_WITH_TIMEOUT(trainSession().clock().drawnRate() > 1, kPatience);
        qInfo("drawn %.0f times a second of 60", trainSession().clock().drawnRate());
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

    void storedTrainingsAreOfferedWhereNoneIsOpen() {
        auto* title = child<QLabel>("emptyTitle");
        QTRY_VERIFY_WITH_TIMEOUT(title->isVisible(), kPatience);
        QCOMPARE(title->text(), QString("No training yet"));
        QVERIFY(!child<QPushButton>("emptyNewest")->isVisible());
        startTraining();
        stopTraining();
        const QString run = training().title();
        m_window.reset();
        showTrain(windowOptions());
        auto* newest = child<QPushButton>("emptyNewest");
        QTRY_VERIFY_WITH_TIMEOUT(newest->isVisible(), kPatience);
        QCOMPARE(child<QLabel>("emptyTitle")->text(), QString("No training is open"));
        click("emptyNewest");
        QTRY_VERIFY_WITH_TIMEOUT(training().hasRun() && training().title() == run, kPatience);
        QVERIFY(!newest->isVisible());
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
            if (Commands::plainText(spec).contains(
                    QRegularExpression("\\bsweep", QRegularExpression::CaseInsensitiveOption)))
                ++sweeps;
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
        QTRY_VERIFY_WITH_TIMEOUT(!live->picture().layers.empty(), kPatience);
        const World& world = m_window->session().world();
        const std::vector<PictureSprite> things = live->picture().layers.back().sprites;
        QCOMPARE(std::ranges::count(things, "agent", &PictureSprite::name), world.numAgents());
        QCOMPARE(live->picture().width, static_cast<float>(world.width()));
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
};

ORRERY_WINDOW_TEST(TrainWindowTest)
#include "train_window_test.moc"
