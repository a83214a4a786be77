#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "core/history/trash.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/support/test_program.h"
#include "tests/widgets/compare/sample_runs.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/metric_title.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/compare/runs_table.h"
#include "widgets/plots/chart_grid.h"

using namespace orrery;

namespace {

void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    const auto charts = window->findChildren<Chart*>();
    QVERIFY(becomesQuiet([&] { return std::ranges::all_of(charts, &Chart::isSettled); }));
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

void solveInto(Workspace& workspace, double beta_r, std::uint64_t seed) {
    RunSpec spec;
    spec.name = QStringLiteral("steps - beta_r %1 - seed %2").arg(beta_r).arg(seed).toStdString();
    spec.seed = seed;
    SolveJob job;
    job.world.name = "builtin:slippery_bridge";
    job.solve.beta_r = beta_r;
    job.solve.threads = 2;
    spec.job = job;
    const auto run = Run::start(spec, {.workspace = &workspace});
    QCOMPARE(run->wait().exitStatus, 0);
}

}  // namespace

/// Drives the whole view with mouse and keys on a real workspace of solved runs.
class CompareViewTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<BackgroundWorker> m_worker;
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<PlanSession> m_session;
    std::unique_ptr<QUndoStack> m_undo;
    std::unique_ptr<CompareView> m_view;

    std::filesystem::path workspace() const {
        return m_folder.filePath(QStringLiteral("w.orrery")).toStdString();
    }
    RunTableModel* model() const { return m_view->table()->model(); }
    QTableView* rows() const { return m_view->table()->view(); }
    void settle() const {
        QVERIFY(
            becomesQuiet([this] { return !m_view->isWorking() && m_worker->numOpenJobs() == 0; }));
    }
    void show(const QSize& size) const {
        m_view->resize(size);
        m_view->show();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get(), kPatience));
        settle();
    }
    void clickCheck(int line) const {
        const QModelIndex index = model()->index(line, 0);
        const bool isGroup = model()->rowOf(line) < 0;
        const QRect cell = rows()->visualRect(index);
        QTest::mouseClick(
            rows()->viewport(), Qt::LeftButton, {},
            RunRowDelegate::checkRect(cell, !model()->group().isEmpty(), isGroup).center());
        settle();
    }
    RunRecord record(const QString& id) const {
        return *HistoryReader(workspace() / "workspace.db").run(id.toStdString());
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
        const auto made = Workspace::open(workspace(), Workspace::Mode::Create);
        for (const double beta_r : {2.0, 5.0})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) solveInto(*made, beta_r, seed);
    }
    void init() {
        m_worker = std::make_unique<BackgroundWorker>();
        m_archive = std::make_unique<Archive>(m_worker.get());
        m_selection = std::make_unique<Selection>();
        m_session = std::make_unique<PlanSession>(m_selection.get());
        m_undo = std::make_unique<QUndoStack>();
        m_view = std::make_unique<CompareView>(m_archive.get(), m_selection.get(), m_session.get(),
                                               m_worker.get(), m_undo.get());
        m_archive->open(workspace());
        show(QSize(1600, 900));
    }
    void cleanup() {
        m_view.reset();
        m_worker.reset();
    }

    void itBeginsWithTheNewestWorldCompared() {
        QCOMPARE(model()->rowCount(), 6);
        QCOMPARE(m_view->compareSet().settings.size(), std::size_t(2));
        QCOMPARE(m_view->compareSet().settings[0].label, QStringLiteral("beta_r 5"));
        QCOMPARE(m_selection->set(SelectionKind::Run).size(), std::size_t(6));
        QVERIFY(model()->columns().contains(QStringLiteral("beta_r")));
        QVERIFY(!model()->columns().contains(QStringLiteral("zeta")));
        const Chart* chart = m_view->charts()->grid()->chart(QStringLiteral("solve/v_r_mean"));
        QCOMPARE(chart->content().groups.size(), std::size_t(2));
        QCOMPARE(chart->content().numMembers(0), 3);
        keep(m_view.get(), "compare-light-1600");
        // The start state's value in the table is the curve's value at step 0.
        const SheetColumn* v_r = model()->sheet()->column(QStringLiteral("v_r"));
        QCOMPARE(chart->content().series[0].points.y(0),
                 v_r->number[static_cast<std::size_t>(m_view->compareSet().rows[0])]);
    }

    void curvesOfEpisodesAreDrawnAsTheyAre() {
        m_view->charts()->setMetrics({QStringLiteral("rollout/attained")});
        const Chart* chart = m_view->charts()->grid()->chart(QStringLiteral("rollout/attained"));
        const auto* text = chart->findChild<QLabel*>(QStringLiteral("chartEmptyText"));
        QVERIFY2(text->text().startsWith(QStringLiteral("Reading")), qPrintable(text->text()));
        QCOMPARE(chart->view().smoothing.kind, SmoothingKind::None);
        settle();  // no run has it: the charts are the usual ones again
        QVERIFY(!m_view->charts()->grid()->chart(QStringLiteral("rollout/attained")));
        QVERIFY(m_view->charts()->grid()->chart(QStringLiteral("solve/v_r_mean")));
    }

    void aMetricHasATitleInPlaceOfItsKey() {
        QCOMPARE(titleOf(QStringLiteral("Exact/pi_r")).title,
                 QStringLiteral("Error to exact of pi_r"));
        QCOMPARE(titleOf(QStringLiteral("Targets/q_r_mean")).title, QStringLiteral("Q_r, target"));
        QCOMPARE(titleOf(QStringLiteral("my/metric")).title, QStringLiteral("my/metric"));
        const HistoryReader reader(workspace() / "workspace.db");
        for (const std::string& key : reader.metricKeys("r00001"))
            QVERIFY2(titleOf(QString::fromStdString(key)).title.toStdString() != key, key.c_str());
    }

    void membersOfAGroupKeepTheirNames() {
        const Chart* chart = m_view->charts()->grid()->chart(QStringLiteral("solve/v_r_mean"));
        QStringList names;
        for (const ChartContent::Entry& entry : chart->content().series) names << entry.spec.name;
        QVERIFY(names.contains(QStringLiteral("steps - beta_r 5 - seed 3")));
    }

    void checkBoxesMakeTheComparedSet() {
        clickCheck(0);
        QCOMPARE(m_selection->set(SelectionKind::Run).size(), std::size_t(5));
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(5));
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(1, 0));
        QTest::keyClick(rows(), Qt::Key_Space);
        settle();
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(4));
        QCOMPARE(m_selection->current<RunItem>()->id, QStringLiteral("r00005"));
        // Another view sets the set.
        m_selection->setSet(SelectionKind::Run, {RunItem{QStringLiteral("r00001")}});
        settle();
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(1));
        QCOMPARE(m_view->configDiff()->model()->numDiffering(), 0);
    }

    void theDiffShowsOnlyWhatDiffersAndTheIntervalItsSize() {
        const ConfigDiffModel* diff = m_view->configDiff()->model();
        QStringList fields;
        for (int row = 0; row < diff->rowCount(); ++row) fields << diff->fieldOf(row);
        QCOMPARE(fields, (QStringList{QStringLiteral("beta_r"), QStringLiteral("seed")}));
        QCOMPARE(diff->index(0, 1).data().toString(), QStringLiteral("5"));
        auto* equal = m_view->findChild<QAbstractButton*>(QStringLiteral("configDiffEqual"));
        QTest::mouseClick(equal, Qt::LeftButton);
        QVERIFY(diff->rowCount() > 10);
        QTest::mouseClick(equal, Qt::LeftButton);
        rows()->clearFocus();
        m_view->configDiff()->view()->setFocus();
        m_view->configDiff()->view()->setCurrentIndex(diff->index(1, 0));
        QTest::keyClick(m_view->configDiff()->view(), Qt::Key_Delete);
        QCOMPARE(diff->rowCount(), 1);
        const auto& interval = m_view->intervalPlot()->interval();
        QVERIFY(interval.has_value());
        const SheetColumn* v_r = model()->sheet()->column(QStringLiteral("v_r"));
        QCOMPARE(interval->difference, v_r->number[0] - v_r->number[5]);
        QVERIFY(m_view->intervalPlot()->verdict().contains(QStringLiteral("in every seed")));
    }

    void theWorldShowsAMinusBAndALinePicksItsState() {
        m_session->open(loadWorld("builtin:slippery_bridge"));
        settle();
        DifferenceView* view = m_view->difference();
        QVERIFY(view->heat() != nullptr);
        QVERIFY(view->heat()->isDiverging);
        QCOMPARE(view->heat()->low, -view->heat()->high);
        QVERIFY(view->model()->rowCount() > 10);
        const auto& rowsOf = view->model()->rows();
        QVERIFY(std::abs(rowsOf[0].difference()) >= std::abs(rowsOf[5].difference()));
        const QRect line = view->list()->visualRect(view->model()->index(2, 0));
        QTest::mouseClick(view->list()->viewport(), Qt::LeftButton, {}, line.center());
        settle();
        QCOMPARE(m_session->state().step, rowsOf[2].state.step);
        const auto solved = reopenSolution(*m_archive->workspace(), "1");
        const auto words = solved->graph->configuration(rowsOf[2].state.config);
        QVERIFY(std::ranges::equal(m_selection->current<StateItem>()->words, words));
        // The colour of a cell is that of its difference.
        const WorldLayout layout = view->canvas()->layoutNow();
        const QImage image = view->canvas()->grab().toImage();
        int checked = 0;
        for (int y = 0; y < view->heat()->height; ++y)
            for (int x = 0; x < view->heat()->width; ++x) {
                const HeatCell& cell = view->heat()->at(x, y);
                if (cell.count == 0) continue;
                const QRectF box = layout.cellRect(x, y);
                bool isSeen = false;  // things of the world cover some of the points
                for (const double part : {0.2, 0.35, 0.5, 0.65, 0.8})
                    for (const double down : {4.0, 0.3 * box.height(), 0.7 * box.height()})
                        isSeen |=
                            image.pixelColor(
                                (box.topLeft() + QPointF(box.width() * part, down)).toPoint()) ==
                            heatColor(*view->heat(), cell.value);
                checked += isSeen;  // lava and goals tint the cells below them
            }
        QVERIFY2(checked > 1, qPrintable(QString::number(checked)));
        keep(m_view.get(), "compare-world");
    }

    void theListStandsBelowTheWorldWhereItIsNarrow() {
        DifferenceView* view = m_view->difference();
        show(QSize(1196, 684));  // the centre of a window of 1280x800
        QVERIFY(view->list()->y() >= view->canvas()->geometry().bottom());
        QVERIFY2(view->canvas()->layoutNow().cell >= 16,
                 qPrintable(QString::number(view->canvas()->layoutNow().cell)));
        QVERIFY(view->canvas()->height() >= 132);  // of the colour bar with its words
        show(QSize(1900, 900));
        QVERIFY(view->list()->x() >= view->canvas()->geometry().right());
    }

    void nothingOfItIsWiderThanASmallWindow() {
        QWidget window;  // as a page, which asks the view how narrow it can be
        m_view->setParent(&window);
        m_view->show();
        window.show();
        for (const int width : {940, 876, 716}) {  // the centre of windows of 1024, 960 and 800
            m_view->resize(width, 700);
            settle();
            QVERIFY2(m_view->minimumSizeHint().width() <= width,
                     qPrintable(QString::number(m_view->minimumSizeHint().width())));
            const bool isBelow = m_view->charts()->mapTo(m_view.get(), QPoint()).x() < 20;
            QCOMPARE(isBelow, width < 900);
        }
        m_view->setParent(nullptr);
    }

    void brushingAnAxisFiltersTheTable() {
        ParallelPlot* plot = m_view->parallel();
        QCOMPARE(plot->axisKey(0), QStringLiteral("beta_r"));
        const int x = static_cast<int>(plot->axisX(0));
        const auto drag = [&](double from, double to) {
            QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(x, int(from)));
            QTest::mouseMove(plot, QPoint(x, int((from + to) / 2)));
            QTest::mouseMove(plot, QPoint(x, int(to)));
            QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(x, int(to)));
        };
        drag(plot->plotRect().top() - 4, plot->plotRect().center().y());
        settle();
        QCOMPARE(m_view->table()->chips().size(), 2);
        QCOMPARE(model()->rowCount(), 3);
        QCOMPARE(m_view->table()->numHidden(), 3);
        keep(m_view.get(), "compare-brushed");
        QTest::mouseDClick(plot, Qt::LeftButton, {}, QPoint(x, int(plot->plotRect().center().y())));
        QVERIFY(m_view->table()->chips().isEmpty());
        QCOMPARE(model()->rowCount(), 6);
    }

    void aValueOfItsOwnStandsInTheMiddleHoweverLarge() {
        RunSheet sheet = *sampleSheet(2);
        for (SheetColumn& column : sheet.columns)
            if (column.key == QLatin1String("v_r")) column.number = {1e20, 1e20};
        ParallelPlot plot;
        plot.resize(400, 300);
        plot.setCompareSet(makeCompareSet(std::make_shared<const RunSheet>(sheet), {0, 1}));
        int axis = 0;
        while (axis < plot.numAxes() && plot.axisKey(axis) != QLatin1String("v_r")) ++axis;
        QVERIFY(axis < plot.numAxes());
        const QRectF room = plot.plotRect();
        QVERIFY(std::abs(plot.axisY(axis, 1e20) - room.center().y()) < 1);
    }

    void aNameIsEditedAndUndone() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_F2);
        auto* editor = rows()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("best of all"));
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
        QCOMPARE(record(QStringLiteral("r00006")).name, std::string("best of all"));
        QCOMPARE(model()->index(0, 0).data().toString(), QStringLiteral("best of all"));
        QVERIFY(m_undo->undoText().contains(QStringLiteral("best of all")));
        m_undo->undo();
        settle();
        QCOMPARE(record(QStringLiteral("r00006")).name, std::string("steps - beta_r 5 - seed 3"));
    }

    void aRunGoesToTheTrashAndComesBack() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        QCOMPARE(model()->rowCount(), 5);
        QVERIFY(!record(QStringLiteral("r00006")).trashedUtc.empty());
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(5));
        m_undo->undo();
        settle();
        QCOMPARE(model()->rowCount(), 6);
    }

    void theStripTakesBackWhatWentToTheTrash() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        QCOMPARE(model()->rowCount(), 5);
        auto* strip = m_view->findChild<MessageStrip*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(strip->text(), QStringLiteral("Moved 1 run to the trash."));
        auto* undo = strip->findChild<QPushButton*>(QStringLiteral("messageAction"));
        QCOMPARE(undo->text(), QStringLiteral("Undo"));
        QTest::mouseClick(undo, Qt::LeftButton);
        settle();
        QCOMPARE(model()->rowCount(), 6);
    }

    void deletingForGoodSaysWhatItFrees() {
        m_worker->append<bool>(
            [workspace = m_archive->writableWorkspace()](std::stop_token) {
                const std::string id = workspace->writer().createRun({.name = "spare"});
                workspace->writer().changeState(id, std::array{RunState::Queued},
                                                RunState::Finished);
                std::ofstream(workspace->makeRunFolder(id) / "solution.bin")
                    << std::string(5000, 'x');
                return true;
            },
            [](bool) {}, [](const QString&) {});
        settle();
        m_archive->refreshRuns();
        settle();
        QCOMPARE(model()->rowCount(), 7);
        const QString id = QString::fromStdString(model()->sheet()->runs[0].id);
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        auto* trash = m_view->findChild<QAbstractButton*>(QStringLiteral("runsTrash"));
        QCOMPARE(trash->text(), QStringLiteral("Trash (1)"));
        QTest::mouseClick(trash, Qt::LeftButton);
        QCOMPARE(model()->rowCount(), 1);
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        auto* strip = m_view->findChild<MessageStrip*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY2(strip->text().contains(QStringLiteral("frees 4.9 KiB")),
                 qPrintable(strip->text()));
        keep(m_view.get(), "compare-trash");
        for (auto* button : strip->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Delete for good"))
                QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QCOMPARE(model()->rowCount(), 0);
        QVERIFY(!HistoryReader(workspace() / "workspace.db").run(id.toStdString()));
        QVERIFY(!std::filesystem::exists(workspace() / "runs" / id.toStdString()));
    }

    void groupsAreCheckedAndClosed() {
        auto* box = m_view->findChild<QComboBox*>(QStringLiteral("runsGroup"));
        box->setFocus();
        QTest::keyClicks(box, QStringLiteral("beta"));
        m_view->table()->setGroup(QStringLiteral("beta_r"));
        QCOMPARE(model()->rowCount(), 8);
        keep(m_view.get(), "compare-grouped");
        clickCheck(0);
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(3));
        const QRect cell = rows()->visualRect(model()->index(0, 0));
        QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(model()->rowCount(), 5);
    }

    void theReportIsOneFile() {
        const QString file = m_folder.filePath(QStringLiteral("report.html"));
        m_view->writeReport(file);
        QFile page(file);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(page.readAll());
        QVERIFY(html.contains(QStringLiteral("<svg")));
        QVERIFY(html.contains(QStringLiteral("data:image/png;base64,")));
        QVERIFY(html.contains(QStringLiteral("beta_r")));
        QVERIFY(html.contains(QStringLiteral("orrery solve --spec")));
        QVERIFY(!html.contains(QStringLiteral("href=\"http")));
        QVERIFY(!html.contains(QStringLiteral("src=\"http")));
        const QString pictures = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (!pictures.isEmpty()) {
            QFile::remove(pictures + QStringLiteral("/report.html"));
            QFile::copy(file, pictures + QStringLiteral("/report.html"));
        }
    }

    void theStateOfTheViewComesBack() {
        m_view->table()->setFilter(QStringLiteral("beta_r = 5"));
        m_view->table()->setGroup(QStringLiteral("seed"));
        clickCheck(0);
        const QJsonObject state = m_view->saveState();
        const auto checked = model()->checked();
        cleanup();
        init();
        m_view->restoreState(state);
        settle();
        QCOMPARE(m_view->table()->filterEdit()->text(), QStringLiteral("beta_r = 5"));
        QCOMPARE(model()->group(), QStringLiteral("seed"));
        QCOMPARE(model()->checked(), checked);
    }

    void itLooksRightInBothThemesAndSizes() {
        m_session->open(loadWorld("builtin:slippery_bridge"));
        m_view->table()->setGroup(QStringLiteral("beta_r"));
        m_view->table()->setChips({QStringLiteral("state: done")});
        settle();
        show(QSize(1220, 690));
        keep(m_view.get(), "compare-light-1280");
        applyTheme(*qApp, ThemeChoice::Dark);
        finishEvents();
        keep(m_view.get(), "compare-dark-1280");
        show(QSize(1540, 890));
        keep(m_view.get(), "compare-dark-1600");
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY(m_view->statusText().contains(QStringLiteral("6 runs")));
    }
};

ORRERY_WINDOW_TEST(CompareViewTest)
#include "compare_view_test.moc"
