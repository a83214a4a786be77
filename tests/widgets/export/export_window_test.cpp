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
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/main_window.h"
#include "core/files/tensorboard.h"
#include "core/run/jobs/solve_job.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/answers.h"
#include "tests/widgets/opened_urls.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/written_file.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/compare/runs_table.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/export/export_form.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_log.h"
#include "widgets/plots/chart.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

using namespace orrery;

/// Exports by the keyboard, as a person does it.
class ExportWindowTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    PlanSession& session() { return m_window->session(); }
    QString path(const char* name) { return m_folder.filePath(QLatin1String(name)); }

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    /// Types a text in place of what a field holds.
    static void type(QWidget* field, const QString& text) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    /// A key of the window, which has the focus: without a window manager nobody gives it back when
    /// another window closes.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get(), kPatience)) qFatal("not active");
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    /// Opens the form by a key.
    ExportForm* openForm(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        press(key, modifiers);
        auto* form = child<ExportForm>("exportForm");
        if (!QTest::qWaitForWindowActive(form, kPatience)) qFatal("no form");
        return form;
    }
    /// Picks an entry of a box by the keyboard: Home, then Down.
    void pick(const char* box, const QString& start) {
        auto* combo = child<QComboBox>(box);
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && !combo->currentText().startsWith(start); ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        QVERIFY2(combo->currentText().startsWith(start),
                 qPrintable(combo->currentText() + QStringLiteral(" is not ") + start));
    }
    /// Types the target and presses Enter.
    void enterTarget(const QString& target) {
        // Without a window manager the window may have taken the keyboard back.
        auto* form = child<ExportForm>("exportForm");
        form->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(form, kPatience));
        auto* edit = child<QLineEdit>("exportTarget");
        type(edit, target);
        QTRY_VERIFY_WITH_TIMEOUT(edit->hasFocus(), kPatience);
        QCOMPARE(edit->text(), target);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    /// The same and waits for the message.
    void exportTo(const QString& target) {
        enterTarget(target);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->strip().text().contains(target), kPatience);
        QVERIFY2(m_window->strip().kind() == MessageKind::Ok, qPrintable(m_window->strip().text()));
        QVERIFY(!child<ExportForm>("exportForm")->isVisible());
    }
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

    static QByteArray read(const QString& path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) qFatal("no file");
        return file.readAll();
    }

private Q_SLOTS:
    void initTestCase() {
        QFile world(path("small.yaml"));
        QVERIFY(world.open(QIODevice::WriteOnly));
        world.write(smallRoomFile(40).c_str());
        world.close();
        WindowOptions options;
        options.world = path("small.yaml");
        options.theme = ThemeChoice::Light;
        options.workspace = path("test.orrery").toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1280, 860);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        press(Qt::Key_3, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
        press(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(m_window->perspective(), QStringLiteral("world"));
        QTRY_VERIFY_WITH_TIMEOUT(session().values() && m_window->isSettled(), kPatience);
        for (std::size_t i = 1; i <= 3; ++i) {
            press(Qt::Key_F9);
            QTRY_COMPARE_WITH_TIMEOUT(session().walk().size(), i + 1, kPatience);
        }
    }
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

    /// However a file is named, it is asked for once, and nothing is done without an answer.
    void anExistingFileIsAskedFor() {
        QFile kept(path("kept.csv"));
        QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("of the user's") > 0);
        kept.close();
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Steps of the episode"));
        pick("exportFormat", QStringLiteral("CSV"));
        {
            const BoxAnswer no("replaceBox");
            enterTarget(path("kept.csv"));
            QCOMPARE(no.questions(), QStringList{QStringLiteral("Replace the file kept.csv?")});
        }
        QVERIFY(child<ExportForm>("exportForm")->isVisible());
        QCOMPARE(read(path("kept.csv")), QByteArray("of the user's"));
        const BoxAnswer yes("replaceBox", "replaceFile");
        exportTo(path("kept.csv"));
        QCOMPARE(yes.questions().size(), 1);
        QVERIFY(read(path("kept.csv")).startsWith("episode,"));
    }

    void allFilesOfAnExportAreAskedFor() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("State graph"));
        pick("exportFormat", QStringLiteral("PRISM"));
        exportTo(path("model.tra"));
        QVERIFY(QFileInfo::exists(path("model.lab")));
        QVERIFY(QFile::remove(path("model.tra")));
        const QByteArray states = read(path("model.sta"));
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("State graph"));
        pick("exportFormat", QStringLiteral("PRISM"));
        const BoxAnswer no("replaceBox");
        enterTarget(path("model"));
        QCOMPARE(no.questions(),
                 QStringList{QStringLiteral("Replace the files model.sta, model.lab?")});
        QCOMPARE(read(path("model.sta")), states);
        child<ExportForm>("exportForm")->close();
    }

    void aNameWithoutAnEndingIsAskedForWithIt() {
        QFile kept(path("kept.yaml"));
        QVERIFY(kept.open(QIODevice::WriteOnly));
        kept.close();
        const FileDialogAnswer named(path("kept"));
        const BoxAnswer yes("replaceBox", "replaceFile");
        const QString file =
            askForFile(m_window.get(), {.title = QStringLiteral("Save"),
                                        .start = path("other.yaml"),
                                        .filter = QStringLiteral("World files (*.yaml)"),
                                        .suffix = QStringLiteral("yaml")});
        QCOMPARE(file, path("kept.yaml"));
        QCOMPARE(named.asked(), 1);
        QCOMPARE(yes.questions(), QStringList{QStringLiteral("Replace the file kept.yaml?")});
    }

    void theFolderOfWhatWasWrittenCanBeOpened() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Steps of the episode"));
        exportTo(path("opened.csv"));
        const OpenedUrls opened;
        QTest::mouseClick(m_window->strip().findChild<QPushButton*>("messageAction"),
                          Qt::LeftButton);
        QCOMPARE(opened.urls(), QList<QUrl>{QUrl::fromLocalFile(m_folder.path())});
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
        const auto isListed = [&] {
            return !jobs.empty() &&
                   jobs.front().title.startsWith(QLatin1String("Export Episode")) &&
                   jobs.front().progress.done >= 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), kPatience);
        QCOMPARE(jobs.front().progress.total, 41.0);
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
