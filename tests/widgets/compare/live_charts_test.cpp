#include <signal.h>

#include <QProcess>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/app/program.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/compare/runs_table.h"
#include "widgets/plots/chart_grid.h"

using namespace orrery;

namespace {

constexpr int kSteps = 30;
// A level takes so long that the run writes for some seconds.
constexpr const char* kSlow = "run.level:delay=120@1+";
// The same for a run that is let go once enough was seen of it.
constexpr const char* kVerySlow = "run.level:delay=500@1+";
constexpr std::size_t kLeastSizes = 3;
const QString kMetric = QStringLiteral("solve/v_r_mean");

}  // namespace

/// Curves grow while a run writes them, here or in another process, without anybody asking.
class LiveChartsTest : public QObject {
    Q_OBJECT

    Program m_program;
    std::unique_ptr<BackgroundWorker> m_worker;
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<PlanSession> m_session;
    std::unique_ptr<CompareView> m_view;

    void open(const QString& workspace) {
        m_worker = std::make_unique<BackgroundWorker>();
        m_archive = std::make_unique<Archive>(m_worker.get());
        m_selection = std::make_unique<Selection>();
        m_session = std::make_unique<PlanSession>(m_selection.get());
        m_view = std::make_unique<CompareView>(m_archive.get(), m_selection.get(), m_session.get(),
                                               m_worker.get(), nullptr);
        m_archive->open(workspace.toStdString());
        m_view->resize(1400, 860);
        m_view->show();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_archive->workspace() != nullptr, kPatience);
    }
    /// The one run is compared, as there is nothing else; its box takes it out and in again.
    void check() const {
        RunTableModel* model = m_view->table()->model();
        QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 1, kPatience);
        QTableView* rows = m_view->table()->view();
        QTRY_VERIFY_WITH_TIMEOUT(rows->isVisible() && !m_view->isWorking(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_view->compareSet().rows.size(), std::size_t{1}, kPatience);
        for (const std::size_t expected : {0U, 1U}) {
            QTest::mouseClick(
                rows->viewport(), Qt::LeftButton, {},
                RunRowDelegate::checkRect(rows->visualRect(model->index(0, 0)), false, false)
                    .center());
            QTRY_COMPARE_WITH_TIMEOUT(m_view->compareSet().rows.size(), expected, kPatience);
        }
    }
    RunState state() const { return m_view->table()->model()->sheet()->runs.front().state.value(); }
    const ChartContent& curve() const {
        return m_view->charts()->grid()->chart(kMetric)->content();
    }
    /// The curve is drawn with several numbers of points before the run has finished.
    /// @param enough  called once there were as many as are needed
    template <typename Enough>
    void watch(const Enough& enough) const {
        std::set<std::int64_t> sizes;
        const auto isOver = [&] {
            if (state() == RunState::Finished) return true;
            const bool isNew = sizes.insert(curve().numPoints()).second;
            if (isNew && sizes.size() == kLeastSizes) enough();
            return false;
        };
        QVERIFY(QTest::qWaitFor(isOver, kPatience));
        QVERIFY2(sizes.size() >= kLeastSizes, qPrintable(QString::number(sizes.size())));
    }
    /// Whether the workspace has one run, which is at work.
    static bool isAtWork(const QString& workspace) {
        const auto file = std::filesystem::path(workspace.toStdString()) / "workspace.db";
        if (!std::filesystem::exists(file)) return false;
        try {
            const auto runs = HistoryReader(file).listRuns();
            return runs.size() == 1 && runs.front().state == RunState::Running;
        } catch (const Error&) {
            return false;  // its tables are being made
        }
    }
    /// What the chart shows in the end is what was stored.
    void compareWithTheStore(const QString& workspace) const {
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isWorking() && m_worker->numOpenJobs() == 0, kPatience);
        const HistoryReader reader(std::filesystem::path(workspace.toStdString()) / "workspace.db");
        const auto rows = reader.metrics(reader.findRun("1").id, kMetric.toStdString());
        QCOMPARE(curve().numPoints(), std::ssize(rows));
        const Series& points = curve().series.front().points;
        for (std::int64_t i = 0; i < points.size(); ++i) {
            const auto row =
                std::ranges::find(rows, static_cast<std::int64_t>(points.x(i)), &MetricRow::step);
            QVERIFY(row != rows.end());
            QCOMPARE(points.y(i), row->value);
            QVERIFY(i == 0 || points.x(i) > points.x(i - 1));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
    }
    void cleanup() {
        setFaults("");
        m_view.reset();
        m_archive.reset();
        m_worker.reset();
    }

    void aRunOfAnotherProcess() {
        const QString world =
            m_program.write("small.yaml", QByteArray::fromStdString(smallRoomFile(kSteps)));
        const QString workspace = m_program.path("other.orrery");
        QProcess process;
        m_program.prepare(process);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert(QStringLiteral("ORRERY_FAULT"), QLatin1String(kSlow));
        process.setProcessEnvironment(environment);
        process.setArguments({QStringLiteral("solve"), world, QStringLiteral("--workspace"),
                              workspace, QStringLiteral("--no-plot")});
        process.start();
        QVERIFY(QTest::qWaitFor([&] { return isAtWork(workspace); }, kPatience));
        // It stands still until its curve is seen, however long that takes.
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGSTOP), 0);
        QVERIFY(m_program
                    .run({QStringLiteral("ls"), QStringLiteral("--workspace"), workspace,
                          QStringLiteral("--json")})
                    .out.contains("running"));
        open(workspace);
        QVERIFY(m_archive->writableWorkspace() == nullptr);  // the other process writes it
        check();
        QCOMPARE(state(), RunState::Running);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGCONT), 0);
        watch([] {});
        QCOMPARE(state(), RunState::Finished);
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
        QCOMPARE(process.exitCode(), 0);
        compareWithTheStore(workspace);
        QCOMPARE(curve().numPoints(), std::int64_t{kSteps + 1});
    }

    void aRunOfThisProcess() {
        const QString workspace = m_program.path("own.orrery");
        open(workspace);
        QVERIFY(m_archive->writableWorkspace() != nullptr);
        setFaults(kVerySlow);
        RunSpec spec;
        spec.name = "slow";
        SolveJob job;
        job.world.name = "small.yaml";
        job.world.text = smallRoomFile(kSteps);
        spec.job = job;
        const auto run = Run::start(spec, {.workspace = m_archive->writableWorkspace()});
        check();
        watch([] { setFaults(""); });
        QCOMPARE(run->wait().exitStatus, 0);
        compareWithTheStore(workspace);
    }

    /// Nothing is read as long as nobody writes.
    void aQuietWorkspaceIsLeftAlone() {
        open(m_program.path("own.orrery"));
        QTRY_COMPARE_WITH_TIMEOUT(m_view->table()->model()->rowCount(), 1, kPatience);
        QSignalSpy listed(m_archive.get(), &Archive::runsChanged);
        QSignalSpy written(m_archive.get(), &Archive::rowsWritten);
        // Opening it leaves marks that are seen and read once; whoever wrote while reading would
        // see the own marks again, and never be quiet.
        const auto isQuiet = [&] {
            listed.clear();
            written.clear();
            // Must wait for time: it is looked at five times a second, and its list read once.
            QTest::qWait(1500);
            return listed.isEmpty() && written.isEmpty();
        };
        QVERIFY(QTest::qWaitFor(isQuiet, kPatience));
    }
};

ORRERY_WINDOW_TEST(LiveChartsTest)
#include "live_charts_test.moc"
