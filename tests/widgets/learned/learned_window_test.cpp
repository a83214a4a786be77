#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/main_window.h"
#include "core/history/workspace.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/solve/solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/trust_mark.h"
#include "widgets/figure/figure.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/frame/table_twin.h"
#include "widgets/learned/calibration_plot.h"
#include "widgets/learned/error_bars.h"
#include "widgets/learned/error_map.h"
#include "widgets/learned/error_table.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/learned_state.h"
#include "widgets/learned/learned_view.h"
#include "widgets/learned/profile_view.h"
#include "widgets/learned/span_panel.h"
#include "widgets/learned/stage_times.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// Exact against learned in the whole window, with a small training in tables that the real learner
/// made and a real workspace; driven by mouse and keys.
class LearnedWindowTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    std::filesystem::path workspaceFolder() {
        return m_folder.filePath(QStringLiteral("test.orrery")).toStdString();
    }
    static void tabular(EmpoSpec& empo, std::int64_t steps) {
        for (const Quantity quantity : kQuantities) {
            if (empo.isUsed(quantity)) empo.of(quantity).kind = Approximator::Table;
            empo.of(quantity).targetCopySteps = 5;
            empo.of(quantity).warmupSteps = 200;
        }
        empo.adaptiveTables = true;
        empo.tableRateFloor = 0.2;
        empo.trainingSteps = steps;
        empo.batchSize = 16;
        empo.rampSteps = 500;
        empo.goalResampleProbability = 1;
        empo.epsilonStart_r = empo.epsilonEnd_r = 1;
    }
    /// A training with two checkpoints; `exactStates` 0 leaves its world unsolved.
    void train(const std::string& name, std::int64_t exactStates, const std::string& world = {},
               std::int64_t steps = 4000) {
        RunSpec spec;
        spec.name = name;
        TrainJob job;
        job.worlds = {world.empty() ? m_folder.filePath(QStringLiteral("small.yaml")).toStdString()
                                    : world};
        job.exactStates = exactStates;
        tabular(job.empo, steps);
        job.cadence.checkpointSteps = steps / 2;
        job.cadence.checkpointSeconds = 0;  // and at no other moments
        spec.job = std::move(job);
        const auto workspace = Workspace::open(workspaceFolder(), Workspace::Mode::Create);
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
    }
    LearnedView* view() { return m_window->view<LearnedView>(QStringLiteral("learned")); }
    void open() {
        WindowOptions options;
        options.world = m_folder.filePath(QStringLiteral("small.yaml"));
        options.theme = ThemeChoice::Dark;
        options.workspace = workspaceFolder();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QString("train"), kPatience);
        m_window->showView(QStringLiteral("learned"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(child<QComboBox>("learnedRun")->count() >= 2, kPatience);
    }
    void pickRun(const char* part) {
        auto* runs = child<QComboBox>("learnedRun");
        runs->setFocus();
        if (!runs->currentText().contains(QLatin1String(part))) QTest::keyClick(runs, Qt::Key_Home);
        for (int i = 0; i < runs->count() && !runs->currentText().contains(QLatin1String(part));
             ++i)
            QTest::keyClick(runs, Qt::Key_Down);
        QVERIFY(runs->currentText().contains(QLatin1String(part)));
        // Arrow keys on a closed list change and activate it.
    }
    QRect spot(NamesSpots* of, const QString& name) {
        for (const NamedSpot& each : of->namedSpots())
            if (each.name == name) return each.rect;
        qFatal("no spot %s", qPrintable(name));
    }

private Q_SLOTS:
    void initTestCase() {
        QFile file(m_folder.filePath(QStringLiteral("small.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        train("learned small", 200'000);
        train("unsolved small", 0);
        train("unsolved large", 0, "builtin:building_site", 40);
        train("hardly learned", 200'000, {}, 60);
    }
    void init() { open(); }
    void cleanup() { m_window.reset(); }

    void aCheckpointIsComparedAndItsStatesArePicked() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>("learnedCheckpoint")->count(), 2, kPatience);
        const double mean = child<QLabel>("learnedMean")->text().toDouble();
        QVERIFY2(mean > 0 && mean < 0.2, qPrintable(child<QLabel>("learnedMean")->text()));
        QVERIFY(child<QLabel>("learnedStates")->isVisible());
        qInfo("mean error of V_h^e %.4f after 4,000 steps", mean);
        // The chart has what was measured while it trained.
        auto* chart = m_window->findChild<LearnedView*>()->findChild<Chart*>();
        QVERIFY(chart->content().numPoints() >= 4);
        // A click on the worst pair makes its state the current one of all views.
        auto* plot = child<CalibrationPlot>("calibrationPlot");
        auto* worst = child<QTableView>("worstStates");
        const QAbstractItemModelTester tester(worst->model());
        QTest::mouseClick(worst->viewport(), Qt::LeftButton, {},
                          worst->visualRect(worst->model()->index(0, ErrorTable::kError)).center());
        const int step = worst->model()->index(0, ErrorTable::kStep).data().toInt();
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().state().step, step, kPatience);
        QVERIFY(m_window->session().solution() != nullptr);
        const QString state = worst->model()->index(0, ErrorTable::kState).data().toString();
        QCOMPARE(QString("s %1").arg(m_window->session().state().index), state);
        // Another one in the scatter.
        const std::int64_t other = static_cast<ErrorTable*>(worst->model())->stateAt(3);
        const std::size_t pair = view()->pairs()->worstOf(static_cast<std::size_t>(other));
        if (view()->pairs()->isSeen[pair] != 0) {
            QTest::mouseMove(plot, plot->pointOf(pair).toPoint());
            QTest::mouseClick(plot, Qt::LeftButton, {}, plot->pointOf(pair).toPoint());
            const auto at = m_window->session().state();
            QVERIFY(at.step >= 0 && at.index >= 0);
        }
        // By keys, too.
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Return);
        QVERIFY(m_window->selection().current<StateItem>() != nullptr);
        // The inspector has what was learned beside what is exact.
        m_window->showPerspective(QStringLiteral("plan"));
        auto* part = child<LearnedState>("learnedState");
        QTRY_VERIFY_WITH_TIMEOUT(part->isVisible(), kPatience);
        const std::vector<NamedSpot> lines = part->namedSpots();
        QVERIFY(lines.size() >= 5);
        QCOMPARE(lines[0].name, QString("V_h^e A, 1,1 to 2,2"));
        const double exact = lines[0].facts.value(u"exact").toDouble();
        QVERIFY(qAbs(exact - m_window->session().values()->v_h_e[0][0]) < 1e-5);
    }

    void theWorstStatesAreThoseThatWereSeen() {
        pickRun("hardly learned");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QVERIFY(view()->pairs()->numUnseen > 0);
        auto* only = child<QCheckBox>("worstSeenOnly");
        QVERIFY(only->isVisible() && only->isChecked());
        QVERIFY(child<QLabel>("worstRemark")->text().contains("unseen hidden"));
        auto* worst = child<QTableView>("worstStates");
        const auto hasUnseen = [&] {
            for (int row = 0; row < worst->model()->rowCount(); ++row)
                if (worst->model()->index(row, ErrorTable::kLearned).data().toString() ==
                    trustText(TrustKind::Unseen))
                    return true;
            return false;
        };
        QVERIFY(worst->model()->rowCount() > 0 && !hasUnseen());
        QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(8, only->height() / 2));
        QVERIFY(!only->isChecked());
        QVERIFY(hasUnseen());
        // A click shows the state where one looks, and from there it is one click to Plan.
        worst->scrollTo(worst->model()->index(0, 0));
        QTest::mouseClick(worst->viewport(), Qt::LeftButton, {},
                          worst->visualRect(worst->model()->index(0, ErrorTable::kError)).center());
        QTRY_VERIFY_WITH_TIMEOUT(child<QWidget>("worstPicture")->isVisible(), kPatience);
        QCOMPARE(m_window->perspective(), QString("train"));
        QVERIFY(m_window->isViewShown(QStringLiteral("inspector")));
        QTest::mouseClick(child<QWidget>("worstInPlan"), Qt::LeftButton);
        QCOMPARE(m_window->perspective(), QString("plan"));
    }

    void theRobotsNumbersBelongTogether() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        const auto errors = m_window->findChild<LearnedDesk*>()->errors();
        const double gamma_r = EmpoSpec().gamma_r;
        const double weight = (1 - gamma_r) / -std::log(gamma_r);
        const std::size_t actions = robotProfiles(*errors->world).names.size();
        for (const ExactError::Numbers* numbers : {&errors->error.exact, &errors->error.learned}) {
            QCOMPARE(numbers->u_r.size(), errors->numStates());
            QCOMPARE(numbers->q_r.size(), errors->numStates() * actions);
            for (std::size_t s = 0; s < errors->numStates(); ++s) {
                double v_r = weight * numbers->u_r[s];
                for (std::size_t a = s * actions; a < (s + 1) * actions; ++a)
                    v_r += static_cast<double>(numbers->pi_r[a]) * numbers->q_r[a];
                QVERIFY2(qAbs(v_r / numbers->v_r[s] - 1) < 1e-4, qPrintable(QString::number(v_r)));
            }
        }
        const State& state = errors->error.byState.front().state;
        const StateValues exact = errors->exact->values(state);
        QVERIFY(qAbs(errors->error.exact.q_r[1] / exact.q_r[1] - 1) < 1e-5);
    }

    void quantityStepsAndCellsAreChosen() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        auto* quantity = child<QComboBox>("learnedQuantity");
        QCOMPARE(quantity->count(), 8);
        quantity->setFocus();
        QTest::keyClick(quantity, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(view()->pairs()->quantity.kind, LearnedKind::Policy, kPatience);
        QVERIFY(child<QLabel>("learnedStates")->text().contains("total variation"));
        auto* map = child<ErrorMap>("errorMap");
        const std::size_t before = map->namedSpots().size();
        QVERIFY(before > 1);
        auto* levels = child<ErrorBars>("errorByLevel");
        QTest::mouseClick(levels, Qt::LeftButton, {},
                          spot(levels, QStringLiteral("bar 0")).center());
        QTRY_COMPARE_WITH_TIMEOUT(map->namedSpots().size(), std::size_t{1}, kPatience);
        QTest::mouseClick(map, Qt::LeftButton, {}, map->namedSpots()[0].rect.center());
        QCOMPARE(m_window->session().state().step, 0);
        QVERIFY(child<ErrorBars>("errorByVisits")->namedSpots().size() > 2);
    }

    void theTableTwinHasAllStates() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        child<CalibrationPlot>("calibrationPlot")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        TableTwin* twin = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((twin = m_window->findChild<TableTwin*>()) != nullptr, kPatience);
        QCOMPARE(twin->findChild<QTableView*>()->model()->rowCount(),
                 static_cast<int>(view()->pairs()->numStates()));
        twin->close();
    }

    void aWorldThatWasNotSolvedIsOfferedToBeSolved() {
        pickRun("unsolved small");
        auto* strip = m_window->findChild<QWidget*>(QStringLiteral("learnedStrip"));
        QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), kPatience);
        QPushButton* act = nullptr;
        for (QPushButton* button : strip->findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Solve exactly")) act = button;
        QVERIFY(act != nullptr && act->isVisible());
        QTest::mouseClick(act, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QVERIFY(!strip->isVisible());
        QVERIFY(child<QLabel>("learnedMean")->text().toDouble() > 0);
    }

    void aComparisonIsCancelledAndCanBeDoneAgain() {
        pickRun("unsolved large");
        auto* strip = m_window->findChild<QWidget*>(QStringLiteral("learnedStrip"));
        QPushButton* solve = nullptr;
        const auto offers = [&] {
            for (QPushButton* button : strip->findChildren<QPushButton*>())
                if (button->isVisible() && button->text() == QLatin1String("Solve exactly"))
                    solve = button;
            return solve != nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(offers(), kPatience);
        const QSignalSpy told(m_window->findChild<LearnedDesk*>(), &LearnedDesk::progressed);
        QTest::mouseClick(solve, Qt::LeftButton);
        auto* cancel = child<QPushButton>("learnedCancel");
        QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), kPatience);
        // It explores some 900,000 states, and tells so.
        QTRY_VERIFY_WITH_TIMEOUT(
            !told.isEmpty() && told.last()[0].toString() == QLatin1String("explore"), kPatience);
        QVERIFY(view()->pairs() == nullptr && cancel->isVisible());
        QElapsedTimer since;
        since.start();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!cancel->isVisible());
        QVERIFY(child<QWidget>("learnedCompare")->isVisible());
        // Its thread is free within a second: another comparison is done by the same one.
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        qInfo("cancelled and compared anew within %lld ms", since.elapsed());
        QCOMPARE(view()->pairs()->numStates(),
                 static_cast<std::size_t>(
                     m_window->findChild<LearnedView*>()->tableModel()->rowCount()));
    }

    void picturesGoOnPaper() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        auto* plot = child<CalibrationPlot>("calibrationPlot");
        plot->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = m_window->findChild<FigureDialog*>();
        QTRY_VERIFY_WITH_TIMEOUT(dialog != nullptr && dialog->isVisible(), kPatience);
        QCOMPARE(dialog->figure().view, QString("calibration"));
        dialog->close();
        const std::filesystem::path svg =
            m_folder.filePath(QStringLiteral("picture.svg")).toStdString();
        for (DrawsFigure* drawer : {static_cast<DrawsFigure*>(plot),
                                    static_cast<DrawsFigure*>(child<ErrorBars>("errorByLevel")),
                                    static_cast<DrawsFigure*>(child<ErrorBars>("errorByVisits")),
                                    static_cast<DrawsFigure*>(child<ErrorMap>("errorMap"))}) {
            QVERIFY2(drawer->hasFigure(), qPrintable(drawer->figureId()));
            Figure figure;
            figure.view = drawer->figureId();
            figure.title = drawer->figureTitle();
            writeFigure(*drawer, figure, svg);
            QFile file(m_folder.filePath(QStringLiteral("picture.svg")));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY2(text.contains("<text") && text.contains("r00001"),
                     qPrintable(drawer->figureId()));
            const QImage image = figureImage(*drawer, figure, 400);
            QVERIFY(image.width() == 400 && image.height() > 60);
        }
    }

    void theProfilesNumbersAreTabsWhereTheyHaveNoRoom() {
        m_window->showView(QStringLiteral("profile"));
        const QSize before = m_window->size();
        auto* tabs = child<QTabBar>("profileTabs");
        auto* table = child<CellTable>("profileTable");
        auto* durations = child<ErrorBars>("profileDurations");
        m_window->resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(tabs->isVisible(), kPatience);
        QVERIFY(table->isVisible() && !durations->isVisible());
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QVERIFY(!table->isVisible() && durations->isVisible());
        m_window->resize(1800, 1000);
        QTRY_VERIFY_WITH_TIMEOUT(!tabs->isVisible(), kPatience);
        QVERIFY(table->isVisible() && durations->isVisible());
        tabs->setCurrentIndex(0);
        m_window->resize(before);
    }

    void twoProfilesAreCompared() {
        m_window->showView(QStringLiteral("profile"));
        auto* second = child<QComboBox>("profileSecond");
        second->setFocus();
        QTest::keyClick(second, Qt::Key_Down);
        auto* table = child<CellTable>("profileTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 7, kPatience);
        // The stages, what was done between steps, and the sum.
        QVERIFY(table->model()->rowCount() > static_cast<int>(kProfileStages.size()) + 1);
        const double all = table->cellModel()->rows().back().cells[1].number;
        QVERIFY2(all > 0 && all < 100, qPrintable(QString::number(all)));
        QVERIFY(child<StageTimes>("profileBars")->namedSpots().size() > 4);
        qInfo("a training step takes %.3f ms", all);
    }

    void profilesAreLimitedToARangeEach() {
        m_window->showView(QStringLiteral("profile"));
        auto* view = m_window->view<ProfileView>(QStringLiteral("profile"));
        QTRY_VERIFY_WITH_TIMEOUT(view->firstPanel()->timeline() != nullptr, kPatience);
        QVERIFY(!view->secondPanel()->isVisible());
        auto* table = child<CellTable>("profileTable");
        // One run: the spread of the recorded steps stands beside the means of all.
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 6, kPatience);
        const auto all = [&](int column) {
            return table->cellModel()->rows().back().cells[static_cast<std::size_t>(column)].number;
        };
        const double mean = all(1);
        QVERIFY(mean > 0 && all(3) > 0 && all(5) >= all(4) && all(4) >= all(3));
        auto* memory = child<CellTable>("profileMemory");
        QCOMPARE(memory->model()->rowCount(), 6);
        QVERIFY(memory->cellModel()->rows()[0].cells[1].number > 1000);  // the buffer
        QVERIFY(memory->cellModel()->rows()[1].cells[1].number > 1000);  // tables
        QCOMPARE(memory->cellModel()->rows()[2].cells[1].number, 0.0);   // no networks
        QVERIFY(memory->cellModel()->rows()[5].cells[1].number > 10'000'000);
        // A range of one recorded step has exactly its times.
        const auto timeline = view->firstPanel()->timeline();  // it is read anew later
        const SpanLane& lane = *timeline->lanes[0];
        const SpanBurst* burst = nullptr;
        for (const auto& each : lane.bursts)
            if (each->stepEnds.size() > 3) burst = each.get();
        QVERIFY(burst != nullptr);
        const StageSpan& begin = burst->spans[burst->stepEnds[0]];
        const StageSpan& end = burst->spans[burst->stepEnds[1] - 1];
        const auto rows = burst->stepEnds[1] - burst->stepEnds[0];
        view->firstPanel()->setRange(SpanRange{begin.beginNs(), end.endNs()});
        QVERIFY(qAbs(all(1) - static_cast<double>(end.endNs() - begin.beginNs()) * 1e-6) < 1e-6);
        // The other run with a range of its own, and the difference.
        auto* second = child<QComboBox>("profileSecond");
        second->setFocus();
        QTest::keyClick(second, Qt::Key_Down);
        QTest::keyClick(second, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(view->secondPanel()->timeline() != nullptr, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 7, kPatience);
        QVERIFY(view->secondPanel()->isVisible());
        const double other = all(3);
        const SpanLane& theirs = *view->secondPanel()->timeline()->lanes[0];
        const SpanRange whole = wholeOf(theirs);
        view->secondPanel()->setRange(
            SpanRange{whole.beginNs + whole.lengthNs() / 4, whole.endNs - whole.lengthNs() / 4});
        QVERIFY(all(3) > 0 && all(3) != other);
        QVERIFY(qAbs(all(5) - (all(3) - all(1))) < 1e-9);
        QVERIFY(qAbs(all(6) - 100 * (all(3) - all(1)) / all(1)) < 1e-6);
        // How the durations of a part spread: a bar is a number of steps.
        view->firstPanel()->setRange(std::nullopt);
        auto* durations = child<ErrorBars>("profileDurations");
        const auto counted = [&] {
            qint64 steps = 0;
            for (const NamedSpot& bar : durations->namedSpots())
                steps += bar.facts.value(u"visited").toInteger();
            return steps;
        };
        const qint64 recorded = counted();
        QVERIFY2(recorded > 5, qPrintable(QString::number(recorded)));
        auto* kind = child<QComboBox>("profileKind");
        const QString before = durations->accessibleDescription();
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QCOMPARE(counted(), recorded);
        QVERIFY(durations->accessibleDescription() != before);
        view->firstPanel()->setRange(SpanRange{begin.beginNs(), end.endNs()});
        QCOMPARE(counted(), 1);
        // F8: the spans of the range.
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        TableTwin* twin = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((twin = m_window->findChild<TableTwin*>()) != nullptr, kPatience);
        QCOMPARE(twin->findChild<QTableView*>()->model()->rowCount(), static_cast<int>(rows));
        QVERIFY(twin->findChild<QTableView*>()->model() == view->firstPanel()->tableModel());
        delete twin;
        // In the other timeline: its spans.
        QWidget* inside = view->secondPanel()->findChild<QPushButton*>();
        inside->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(inside->hasFocus(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QTRY_VERIFY_WITH_TIMEOUT((twin = m_window->findChild<TableTwin*>()) != nullptr, kPatience);
        QVERIFY(twin->findChild<QTableView*>()->model() == view->secondPanel()->tableModel());
        twin->close();
    }

    void theTrainingAtWorkShowsItself() {
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        tabular(empo, 3000);
        form->setSpec(spec);
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(view()->runId(), QString("r00005"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->training().isLive(), kPatience);
        m_window->showView(QStringLiteral("learned"));
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("learnedStates")->text().contains("3\u202f000") ||
                                     child<QLabel>("learnedStates")->text().contains("3 000"),
                                 kPatience);
    }

    void aTrainingThatBeginsIsWhatTrainShows() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        const QString former = view()->runId();
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        spec.name = "Just begun";
        tabular(spec.job.as<TrainJob>().empo, 2'000'000);
        form->setSpec(spec);
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        TrainSession& training = m_window->training();
        QTRY_VERIFY_WITH_TIMEOUT(training.isLive() && empoOf(training.numbers()) != nullptr,
                                 kPatience);
        training.pauseOrResume();
        QTRY_VERIFY_WITH_TIMEOUT(training.isPaused() && !training.runId().isEmpty(), kPatience);
        const QString id = training.runId();
        QVERIFY(id != former);
        QTRY_COMPARE_WITH_TIMEOUT(view()->runId(), id, kPatience);
        // Nothing of the other training stays on show.
        auto* mean = child<QLabel>("learnedMean");
        const auto showsIt = [&] { return !mean->isVisible() || view()->errors()->runId == id; };
        QTRY_VERIFY_WITH_TIMEOUT(showsIt(), kPatience);
        m_window->showView(QStringLiteral("profile"));
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>("profileFirst")->currentData().toString(), id,
                                  kPatience);
        // It is named, whatever world is open.
        const QString title = QStringLiteral("Just begun · ") + id;
        m_window->openWorld(QStringLiteral("builtin:two_in_niches"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().loaded().name,
                                  std::string("builtin:two_in_niches"), kPatience);
        QVERIFY2(m_window->windowTitle().startsWith(title), qPrintable(m_window->windowTitle()));
        QVERIFY(child<QLabel>("breadcrumb")->text().contains(title));
        QVERIFY(child<QLabel>("breadcrumb")->text().contains(training.worldTitle()));
        QVERIFY(!child<QLabel>("breadcrumb")->text().contains(m_window->session().loaded().title));
        const auto isNamed = [&](const QTabBar* bar) {
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == QStringLiteral("Training: ") + title) return true;
            return false;
        };
        QVERIFY(std::ranges::any_of(m_window->findChildren<QTabBar*>(), isNamed));
        QCOMPARE(child<QLabel>("trainRun")->text(), title);
        m_window->showPerspective(QStringLiteral("world"));
        QVERIFY(m_window->windowTitle().startsWith(m_window->session().loaded().title));
        training.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training.isLive(), kPatience);
    }

    void aTrainingThatEndsBeforeItIsListedIsShownToo() {
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        tabular(spec.job.as<TrainJob>().empo, 1);
        form->setSpec(spec);
        const auto listed = [&] { return child<QComboBox>("learnedRun")->count(); };
        const int before = listed();
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(listed(), before + 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(
            view()->runId(), child<QComboBox>("learnedRun")->itemData(0).toString(), kPatience);
    }

    void aStoredSolveOfTheSameWorldIsUsed() {
        m_window.reset();
        const std::string file = m_folder.filePath(QStringLiteral("solved.yaml")).toStdString();
        QFile world(QString::fromStdString(file));
        QVERIFY(world.open(QIODevice::WriteOnly));
        world.write(smallRoomFile(3).c_str());
        world.close();
        train("solved elsewhere", 0, file, 200);
        EmpoSpec empo;
        tabular(empo, 200);
        RunSpec spec;
        SolveJob job;
        job.world.name = file;
        job.solve = exactSpecOf(empo);
        job.solve.x_h_floor.reset();
        job.solve.gamma_r.reset();
        job.solve.rho_r = -std::log(empo.gamma_r);
        job.solve.threads = 1;
        spec.job = job;
        {
            const auto workspace = Workspace::open(workspaceFolder(), Workspace::Mode::Create);
            // Another one with other parameters, newer than the right one.
            QCOMPARE(Run::start(spec, {.workspace = workspace.get()})->wait().state,
                     RunState::Finished);
            spec.job.as<SolveJob>().solve.zeta = 3;
            QCOMPARE(Run::start(spec, {.workspace = workspace.get()})->wait().state,
                     RunState::Finished);
        }
        open();
        pickRun("solved elsewhere");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QCOMPARE(view()->runId(), child<QComboBox>("learnedRun")->currentData().toString());
        const auto errors = m_window->findChild<LearnedDesk*>()->errors();
        QCOMPARE(errors->runName, QString("solved elsewhere"));
        QCOMPARE(errors->exact->spec().zeta, empo.zeta);
        QVERIFY(errors->exact->spec().rho_r.has_value());  // the stored one
    }
};

ORRERY_WINDOW_TEST(LearnedWindowTest)
#include "learned_window_test.moc"
