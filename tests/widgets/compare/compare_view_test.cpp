#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/history/workspace.h"
#include "core/run/jobs/import_metrics.h"
#include "core/run/run.h"
#include "tests/support/test_program.h"
#include "tests/widgets/compare/compare_bench.h"
#include "tests/widgets/compare/sample_runs.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/metric_title.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/compare/runs_table.h"
#include "widgets/plots/chart_grid.h"

using namespace orrery;

/// The compared set and what the view shows of it, with mouse and keys.
class CompareViewTest : public QObject, private CompareBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeRuns(); }
    void init() { makeView(); }
    void cleanup() { endView(); }

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
        QCOMPARE(titleOf(QStringLiteral("Exact/unvisited")).title,
                 QStringLiteral("States never visited"));
        QCOMPARE(titleOf(QStringLiteral("Exact/worst_v_h_e")).unit,
                 QStringLiteral("of the worst 1 %"));
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

    void longNamesOfSettingsEndBeforeTheirColumnsAndVerdictsWrap() {
        auto* head = m_view->configDiff()->view()->horizontalHeader();
        head->setSectionResizeMode(QHeaderView::Interactive);
        head->resizeSection(1, 66);  // of them the line sample takes half
        const QImage image = head->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const int end = head->sectionViewportPosition(1) + head->sectionSize(1);
        const QColor ground = image.pixelColor(end - 3, 1);
        for (int x = end - 6; x < end; ++x)
            for (int y = 2; y < head->height() - 2; ++y) QCOMPARE(image.pixelColor(x, y), ground);
        auto* verdict = m_view->findChild<QLabel*>(QStringLiteral("intervalVerdict"));
        QVERIFY(!verdict->text().isEmpty());
        verdict->setText(QStringLiteral("%1 is higher; no interval from a single run.")
                             .arg(QString(QStringLiteral("a long name ")).repeated(12)));
        settle();
        m_view->intervalPlot()->resize(300, 60);
        settle();
        QVERIFY(verdict->height() >= verdict->heightForWidth(verdict->width()));
        const auto* box = m_view->findChild<QComboBox*>(QStringLiteral("intervalA"));
        QVERIFY(verdict->y() >= box->geometry().bottom() + 62);  // below the plot
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
            const auto* tabs = m_view->findChild<QTabWidget*>("parameterTabs")->tabBar();
            for (int i = 0; i < tabs->count(); ++i)
                QVERIFY2(tabs->tabRect(i).width() >=
                             tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) + 24,
                         qPrintable(tabs->tabText(i)));
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
        const NamedSpot axis = plot->namedSpots().front();
        QCOMPARE(axis.name, QStringLiteral("axis beta_r"));
        for (const char* fact : {"text", "low", "high", "from", "to"})
            QVERIFY2(!axis.facts.value(QLatin1String(fact)).toString().isEmpty(), fact);
        QVERIFY(axis.rect.contains(x, int(plot->plotRect().center().y())));
        QVERIFY2(plot->tipAt(axis.rect.center()).contains(axis.facts[u"low"].toString()),
                 qPrintable(axis.tip));
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
        const QJsonObject facts = plot.namedSpots().at(std::size_t(axis)).facts;
        QVERIFY(facts.contains(QLatin1String("value")) && !facts.contains(QLatin1String("low")));
    }

    void axesThatHaveNoRoomAreLeftOut() {
        RunSheet sheet = *sampleSheet(2);
        for (SheetColumn& column : sheet.columns)
            if (column.part == SheetPart::Parameter && column.kind == SheetKind::Number)
                column.number = {1, 2};
        CompareSet set = makeCompareSet(std::make_shared<const RunSheet>(sheet), {0, 1});
        for (const SheetColumn& column : sheet.columns)
            if (column.part == SheetPart::Parameter && !set.differing.contains(column.key))
                set.differing << column.key;
        ParallelPlot plot;
        plot.resize(900, 300);
        plot.setCompareSet(set);
        const int all = plot.numAxes();
        const QString first = plot.axisKey(0);
        QVERIFY2(all >= 4, qPrintable(QString::number(all)));
        plot.resize(200, 300);
        plot.show();  // it hears of its size
        QTRY_COMPARE(plot.numAxes(), 3);
        QCOMPARE(plot.axisKey(0), first);
        QCOMPARE(plot.axisKey(1), QStringLiteral("v_r"));  // results stay
        plot.resize(900, 300);
        QTRY_COMPARE(plot.numAxes(), all);
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
    // The last one: the workspace has more runs from here on.
    void whatEpisodesComeToStandsOnOneChartUnderASharedName() {
        endView();
        m_archive.reset();  // which holds the workspace
        {
            const auto store = Workspace::open(workspace(), Workspace::Mode::ReadWrite);
            for (const char* const name : {"one", "two"})
                storeImport(*store, {.name = name,
                                     .source = name,
                                     .points = {{"episodic_reward.mean", 32, 0.25},
                                                {"a/first", 32, 1},
                                                {"episode_length.mean", 32, 7},
                                                {"episodic_reward.mean", 64, 0.5}}});
        }
        makeView();
        m_selection->setSet(SelectionKind::Run,
                            {RunItem{QStringLiteral("r00007")}, RunItem{QStringLiteral("r00008")}});
        settle();
        const MetricCharts* charts = m_view->charts();
        QCOMPARE(charts->metrics(),
                 (QStringList{QStringLiteral("outcome/return"), QStringLiteral("outcome/length")}));
        m_view->charts()->setMetrics(
            {QStringLiteral("outcome/return"), QStringLiteral("episodic_reward.mean")});
        settle();
        for (const QString& key : m_view->charts()->metrics()) {
            const ChartContent& content = m_view->charts()->grid()->chart(key)->content();
            QCOMPARE(content.series.size(), std::size_t{2});
            QCOMPARE(content.series[0].points.y(0), 0.25);
            QCOMPARE(content.series[1].points.y(1), 0.5);
        }
        QCOMPARE(titleOf(QStringLiteral("outcome/return")).title, QStringLiteral("Return"));
    }
};

ORRERY_WINDOW_TEST(CompareViewTest)
#include "compare_view_test.moc"
