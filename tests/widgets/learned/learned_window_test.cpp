#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "core/history/workspace.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "core/solve/solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/learned/learned_bench.h"
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
#include "widgets/plots/chart.h"

using namespace orrery;

/// Exact against learned in the whole window.
class LearnedWindowTest : public QObject, private LearnedBench {
    Q_OBJECT

private:
    QRect spot(PaintedView* of, const QString& name) {
        for (const NamedSpot& each : of->namedSpots())
            if (each.name == name) return each.rect;
        qFatal("no spot %s", qPrintable(name));
    }

private Q_SLOTS:
    void initTestCase() { makeRuns(); }
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
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isViewShown(QStringLiteral("inspector")), kPatience);
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
        QTRY_COMPARE_WITH_TIMEOUT(view()->pairs()->quantity.kind, ValueKind::Pi_r, kPatience);
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
