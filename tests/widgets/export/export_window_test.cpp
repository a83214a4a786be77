#include <gif_lib.h>

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files/tensorboard.h"
#include "core/run/jobs/solve_job.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/export/export_bench.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/compare/runs_table.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/export/export_form.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/job_list.h"
#include "widgets/plots/chart.h"

using namespace orrery;

/// What an export writes, and what becomes of a file that is dropped on the window.
class ExportWindowTest : public QObject, private ExportBench {
    Q_OBJECT

private:
    /// Drags a file over a view in the middle of the window and drops it, with the events that the
    /// window gets from a file manager.
    void drop(const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QWidget* onto = m_window->view(m_window->centre().currentView());
        const QPoint at = onto->mapTo(m_window.get(), QPoint(20, 20));
        const Qt::DropActions offered = Qt::CopyAction | Qt::MoveAction | Qt::LinkAction;
        QDragEnterEvent enter(at, offered, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window->windowHandle(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, offered, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window->windowHandle(), &move);
        QVERIFY(move.isAccepted());
        QDropEvent event(at, offered, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window->windowHandle(), &event);
        QVERIFY(event.isAccepted());
        QCOMPARE(event.dropAction(), Qt::CopyAction);
    }
    void write(const char* name, const QByteArray& content) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }

private Q_SLOTS:
    void initTestCase() { openEpisode(); }
    void cleanupTestCase() { m_window.reset(); }

    void theEpisodeBecomesAGifWithOneFrameMoreThanSteps() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(child<QComboBox>("exportWhat")->currentText(), QStringLiteral("Episode, 3 steps"));
        pick("exportFormat", QStringLiteral("GIF"));
        auto* rate = child<QSpinBox>("exportRate");
        type(rate, QStringLiteral("10"));
        exportTo(path("walk.gif"));
        int error = 0;
        GifFileType* gif = DGifOpenFileName(path("walk.gif").toUtf8().constData(), &error);
        QVERIFY(gif && DGifSlurp(gif) == GIF_OK);
        QCOMPARE(gif->ImageCount, 4);
        GraphicsControlBlock block{};
        QVERIFY(DGifSavedExtensionToGCB(gif, 0, &block) == GIF_OK);
        QCOMPARE(block.DelayTime, 10);
        DGifCloseFile(gif, &error);
    }

    void recordVideoProposesAnMp4() {
        openForm(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(child<QComboBox>("exportWhat")->currentText().startsWith(QLatin1String("Episode")));
        QVERIFY(child<QLineEdit>("exportTarget")->text().endsWith(QLatin1String(".mp4")));
        exportTo(path("walk.mp4"));
        QCOMPARE(read(path("walk.mp4")).mid(4, 4), QByteArray("ftyp"));
    }

    void aFolderOfPicturesHasNoFrameRate() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportFormat", QStringLiteral("Folder of PNG"));
        QVERIFY(!child<QSpinBox>("exportRate")->isVisible());
        QVERIFY(child<QSpinBox>("exportCell")->isVisible());
        exportTo(path("frames"));
        QCOMPARE(QDir(path("frames")).entryList(QDir::Files).size(), 4);
    }

    void valuesOfAllStatesHaveOneRowAState() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Values of all"));
        pick("exportFormat", QStringLiteral("CSV"));
        exportTo(path("values.csv"));
        std::int64_t states = 0;
        for (int step = 0; step < session().solution()->graph().numLevels(); ++step)
            states += session().solution()->graph().levelSize(step);
        const QByteArray text = read(path("values.csv"));
        QCOMPARE(text.trimmed().count('\n'), states);
        QVERIFY(text.startsWith("step,config,"));
    }

    void theStepsOfTheEpisodeAreATable() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Steps of the episode"));
        pick("exportFormat", QStringLiteral("CSV"));
        exportTo(path("steps.csv"));
        const QList<QByteArray> lines = read(path("steps.csv")).trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype{5});
        QVERIFY(lines[0].startsWith("episode,step,config,"));
        const auto profile = lines[0].split(',').indexOf("profile");
        for (int i = 1; i <= 4; ++i) {
            const QList<QByteArray> cells = lines[i].split(',');
            QCOMPARE(cells[1].toInt(), i - 1);
            QCOMPARE(cells[profile].isEmpty(), i == 4);
            const Moment& moment = session().walk()[static_cast<std::size_t>(i - 1)];
            QCOMPARE(cells[2].toLongLong(), moment.state.index);
            if (i > 1) QCOMPARE(lines[i - 1].split(',')[profile].toUInt(), moment.profile);
        }
    }

    void manyEpisodesAreDrawnIntoOneFile() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Episodes drawn"));
        pick("exportFormat", QStringLiteral("JSON"));
        QVERIFY(child<QSpinBox>("exportEpisodes")->isVisible());
        type(child<QSpinBox>("exportEpisodes"), QStringLiteral("7"));
        exportTo(path("episodes.json"));
        const auto table = nlohmann::json::parse(read(path("episodes.json")).toStdString());
        std::set<int> episodes;
        for (const auto& row : table["rows"]) episodes.insert(row[0].get<int>());
        QCOMPARE(episodes.size(), std::size_t{7});
        QCOMPARE(*episodes.rbegin(), 6);
    }

    void aTableIsWrittenAsItIsShown() {
        press(Qt::Key_3, Qt::ControlModifier);
        m_window->showView(QStringLiteral("stateGraph"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Table of Level bands"));
        const QString remark = child<QLabel>("exportRemark")->text();
        exportTo(path("levels.csv"));
        const auto rows = read(path("levels.csv")).trimmed().count('\n');
        QVERIFY2(remark.startsWith(QString::number(rows) + QStringLiteral(" rows")),
                 qPrintable(remark));
        QCOMPARE(rows, session().solution()->graph().numLevels());
    }

    void pointsOfAChartAreThoseOfTheVisibleRange() {
        press(Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChildren<Chart*>().isEmpty(), kPatience);
        const auto shown = [this]() -> Chart* {
            for (Chart* chart : m_window->findChildren<Chart*>())
                if (chart->isVisible() && chart->content().numPoints() > 1) return chart;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown() && m_window->isSettled(), kPatience);
        Chart* chart = shown();
        // Its axes are those of its points once it has drawn them.
        QTRY_VERIFY_WITH_TIMEOUT(chart->isSettled(), kPatience);
        // Shift and drag: the middle half of x.
        const QRectF plot = chart->plotRect();
        const QPoint from(static_cast<int>(plot.left() + plot.width() / 4),
                          static_cast<int>(plot.top() + 4));
        const QPoint to(static_cast<int>(plot.left() + plot.width() * 3 / 4),
                        static_cast<int>(plot.bottom() - 4));
        QTest::mousePress(chart, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(chart, (from + to) / 2);
        QTest::mouseMove(chart, to);
        QTest::mouseRelease(chart, Qt::LeftButton, Qt::ShiftModifier, to);
        QTRY_VERIFY_WITH_TIMEOUT(chart->isSettled(), kPatience);
        std::int64_t visible = 0;
        for (const auto& entry : chart->content().series)
            for (std::int64_t i = 0; i < entry.points.size(); ++i)
                visible += entry.points.x(i) >= chart->shownX().low &&
                                   entry.points.x(i) <= chart->shownX().high
                               ? 1
                               : 0;
        QVERIFY(visible > 0 && visible < chart->content().numPoints());
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Points of ") + chart->content().title);
        pick("exportFormat", QStringLiteral("CSV"));
        exportTo(path("points.csv"));
        QCOMPARE(read(path("points.csv")).trimmed().count('\n'), visible);
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Points of ") + chart->content().title);
        pick("exportFormat", QStringLiteral("NumPy"));
        exportTo(path("points.npz"));
        QVERIFY(read(path("points.npz")).startsWith("PK\x03\x04"));
    }

    void metricsOfTheRunBecomeATensorBoardFolder() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Metrics of"));
        pick("exportFormat", QStringLiteral("TensorBoard"));
        exportTo(path("tb"));
        const QStringList runs = QDir(path("tb")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(runs.size(), 1);
        const QDir run(path("tb") + u'/' + runs.front());
        const QStringList files = run.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        const TensorBoardFile file = readTensorBoardFile(run.filePath(files.front()).toStdString());
        QVERIFY(file.isWhole);
        QVERIFY(std::ranges::count(file.values, std::string("solve/v_r_mean"),
                                   &TensorBoardValue::tag) >= 4);
    }

    void aWrongTargetIsSaidInTheForm() {
        ExportForm* form = openForm(Qt::Key_E, Qt::ControlModifier);
        auto* edit = child<QLineEdit>("exportTarget");
        type(edit, path("nowhere/x.csv"));
        QVERIFY(child<QLabel>("exportProblem")->text().contains(QLatin1String("does not exist")));
        type(edit, QStringLiteral("~/nowhere/x.csv"));
        QVERIFY(child<QLabel>("exportProblem")->text().contains(QDir::homePath() + "/nowhere"));
        QVERIFY(!child<QPushButton>("exportButton")->isEnabled());
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(form->isVisible());
        QTest::keyClick(form, Qt::Key_Escape);
        QVERIFY(!form->isVisible());
    }

    /// A long film: its job can be cancelled in the list, ends within a second of work and leaves
    /// nothing.
    void aCancelledFilmLeavesNothing() {
        press(Qt::Key_2, Qt::ControlModifier);
        for (std::size_t i = 4; i <= 40; ++i) {
            press(Qt::Key_F9);
            QTRY_COMPARE_WITH_TIMEOUT(session().walk().size(), i + 1, kPatience);
        }
        m_window->showView(QStringLiteral("jobs"));
        openForm(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        pick("exportFormat", QStringLiteral("Folder of PNG"));
        auto* cell = child<QSpinBox>("exportCell");
        type(cell, QStringLiteral("256"));
        auto* edit = child<QLineEdit>("exportTarget");
        child<ExportForm>("exportForm")->activateWindow();  // see exportTo
        QVERIFY(QTest::qWaitForWindowActive(child<ExportForm>("exportForm"), kPatience));
        type(edit, path("long"));
        QTRY_VERIFY_WITH_TIMEOUT(edit->hasFocus(), kPatience);
        QTest::keyClick(edit, Qt::Key_Return);
        const auto& jobs = m_window->jobs().jobs();
        // Films of other tests may stand in the list, too.
        const auto isListed = [&] {
            return !jobs.empty() &&
                   jobs.front().title.startsWith(QLatin1String("Export Episode")) &&
                   jobs.front().progress.done >= 1 && jobs.front().progress.total == 41;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), kPatience);
        auto* table = child<QTableView>("jobTable");
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 0)).center());
        const double begin = processCpuMs();
        QTest::mouseClick(child<QPushButton>("cancelJobButton"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(jobs.front().state == JobList::State::Stopped, kPatience);
        const double spent = processCpuMs() - begin;
        QVERIFY2(spent < 1000, qPrintable(QString::number(spent)));
        QVERIFY(m_window->strip().text().contains(QLatin1String("cancelled")));
        QVERIFY(!QFileInfo::exists(path("long")));
        QCOMPARE(QDir(m_folder.path())
                     .entryList({QStringLiteral(".*")},
                                QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList());
    }

    /// Runs that are checked in Compare go into one file.
    void checkedRunsShareAFile() {
        press(Qt::Key_3, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        press(Qt::Key_5, Qt::ControlModifier);
        auto* compare = child<CompareView>("compareView");
        QTRY_COMPARE_WITH_TIMEOUT(compare->table()->model()->rowCount(), 2, kPatience);
        for (int line = 0; line < 2; ++line) {
            const QString id = QString::fromStdString(m_window->archive().runs()[line].id);
            const auto isChecked = [&] {
                const auto& set = compare->compareSet();
                return std::ranges::any_of(set.rows, [&](int r) { return set.idOf(r) == id; });
            };
            if (isChecked()) continue;
            QTableView* rows = compare->table()->view();
            QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
                              RunRowDelegate::checkRect(
                                  rows->visualRect(rows->model()->index(line, 0)), false, false)
                                  .center());
            QTRY_VERIFY_WITH_TIMEOUT(isChecked() && m_window->isSettled(), kPatience);
        }
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Metrics of 2 checked runs"));
        pick("exportFormat", QStringLiteral("CSV"));
        exportTo(path("both.csv"));
        const QByteArray metrics = read(path("both.csv"));
        QVERIFY(metrics.startsWith("run,key,seq,step,value\n"));
        for (const RunRecord& run : m_window->archive().runs())
            QVERIFY(
                metrics.contains('\n' + QByteArray::fromStdString(run.id) + ",solve/v_r_mean,"));
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Values of 2 checked runs"));
        pick("exportFormat", QStringLiteral("NumPy"));
        exportTo(path("both.npz"));
        const QByteArray arrays = read(path("both.npz"));
        for (const RunRecord& run : m_window->archive().runs())
            QVERIFY(arrays.contains(QByteArray::fromStdString(run.id) + "/v_r.npy"));
    }

    void curvesThatAreDroppedAreAJobWithItsRate() {
        QByteArray rows("step,loss\n");
        for (int i = 0; i < 20'000; ++i) rows += QByteArray::number(i) + ",0.5\n";
        write("loss.csv", rows);
        const std::size_t before = m_window->archive().runs().size();
        drop(path("loss.csv"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), before + 1, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->strip().text().contains(QStringLiteral("loss.csv")),
                                 kPatience);
        QCOMPARE(m_window->archive().runs().front().name, std::string("loss"));
    }

    void anImportIsCancelledAsAJob() {
        QByteArray rows("step,loss\n");
        for (int i = 0; i < 1'000'000; ++i) rows += QByteArray::number(i) + ",0.5\n";
        write("long.csv", rows);
        const std::size_t before = m_window->archive().runs().size();
        drop(path("long.csv"));
        const auto& jobs = m_window->jobs().jobs();
        const auto isOurs = [&] {
            return !jobs.empty() && jobs.front().title.contains(QStringLiteral("long.csv"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(isOurs() && !jobs.front().progress.rate.isEmpty(), kPatience);
        QVERIFY(jobs.front().progress.total > 0);
        m_window->jobs().cancel(0);
        QTRY_COMPARE_WITH_TIMEOUT(jobs.front().state, JobList::State::Stopped, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->strip().text().contains(QStringLiteral("nothing of it is kept")), kPatience);
        QCOMPARE(m_window->archive().workspace()->reader().listRuns({.withTrash = true}).size(),
                 before);
    }

    void aDroppedFileIsOpenedByWhatItIs() {
        write("noise.bin", "\x01\x02");
        drop(path("noise.bin"));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->strip().text().startsWith(QStringLiteral("noise.bin cannot be opened")),
            kPatience);
        write("broken.yaml", "map: |\n  We We\nnonsense: 3\n");
        drop(path("broken.yaml"));
        QTRY_VERIFY2_WITH_TIMEOUT(m_window->strip().text().contains(QStringLiteral("broken.yaml:")),
                                  qPrintable(m_window->strip().text()), kPatience);
        QVERIFY(!m_window->strip().text().contains(u'\n'));
        write("spec.yaml", "solve:\n  world: small.yaml\n  beta_r: 7\n");
        drop(path("spec.yaml"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("plan"), kPatience);
        QCOMPARE(m_window->findChild<SolvePanel*>()->spec().job.as<SolveJob>().solve.beta_r, 7.0);
        write("curves.yaml", "import:\n  source: loss.csv\n");
        drop(path("curves.yaml"));
        QTRY_VERIFY2_WITH_TIMEOUT(m_window->strip().text().contains(QStringLiteral("'import'")),
                                  qPrintable(m_window->strip().text()), kPatience);
        write("other.yaml", smallRoomFile(41).c_str());
        drop(path("other.yaml"));
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(session().loaded().name),
                                  path("other.yaml"), kPatience);
        drop(path("test.orrery"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }
};

ORRERY_WINDOW_TEST(ExportWindowTest)
#include "export_window_test.moc"
