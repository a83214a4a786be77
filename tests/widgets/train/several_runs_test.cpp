// Several runs of one window at once: each goes on, one is shown, the others have a chip.
#include <QAbstractButton>
#include <QLabel>
#include <QMessageBox>
#include <QScopeGuard>
#include <QSpinBox>
#include <QStatusBar>
#include <QTimer>
#include <algorithm>

#include "tests/support/test_program.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/row_list.h"
#include "widgets/home/home_view.h"
#include "widgets/settings/preferences.h"

using namespace orrery;

class SeveralRunsTest : public QObject, public TrainWindowBench {
    Q_OBJECT

private:
    LiveRuns& live() { return m_window->live(); }
    void setMost(int most) {
        m_window->preferences().setValue(QStringLiteral("compute/runsAtOnce"), most);
        QCOMPARE(live().most(), most);
    }
    /// Another training, whatever runs. @return its number
    int startAnother() {
        startTraining();
        return live().runs().back()->number();
    }
    QAbstractButton* chip(int number) {
        return m_window->findChild<QAbstractButton*>(QStringLiteral("live_%1").arg(number));
    }
    /// Answers the question before the window closes.
    void closeBy(const char* button) {
        QTimer::singleShot(0, m_window.get(), [this, button] {
            auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("closeBox"));
            if (box == nullptr) qFatal("nothing is asked");
            m_asked = box->text() + u' ' + box->informativeText();
            box->findChild<QAbstractButton*>(QLatin1String(button))->click();
        });
        m_window->close();
    }
    /// The next start of the program, which keeps its session as the former one did.
    void openAgain() {
        m_window.reset();
        WindowOptions options = windowOptions();
        options.restoresSession = true;
        m_window = std::make_unique<MainWindow>(options);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().isOpen() && m_window->archive().isListed(),
                                 kPatience);
    }
    QString m_asked;

private Q_SLOTS:
    void init() {
        openWindow();
        setMost(4);
    }
    void cleanup() {
        if (!m_window) return closeWindow();
        live().cancelAll();
        QTRY_VERIFY_WITH_TIMEOUT(live().runs().empty(), kPatience);
        closeWindow();
    }

    void eachGoesOnAndTheOneThatIsChosenIsShown() {
        const int first = startAnother();
        const TrainRecord* firstRecord = &training();
        QVERIFY(chip(first) == nullptr || !chip(first)->isVisible());  // the window tells of it
        const int second = startAnother();
        QVERIFY(&training() != firstRecord);
        QCOMPARE(live().numAtWork(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(chip(first) && chip(first)->isVisible(), kPatience);
        // The one that is not looked at goes on, with all its points.
        const std::int64_t step = firstRecord->step();
        QTRY_VERIFY_WITH_TIMEOUT(firstRecord->step() > step + 20, kPatience);
        QTest::mouseClick(chip(first), Qt::LeftButton);
        QCOMPARE(&training(), firstRecord);
        double last = 0;
        for (const auto& [key, curve] : training().curves()) {
            QVERIFY2(std::ranges::is_sorted(curve.step), qPrintable(key));
            last = std::max(last, curve.step.back());
        }
        QVERIFY(last > static_cast<double>(step));
        // Commands go to the one that is shown.
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const auto other = live().find(second)->snapshot();
        QCOMPARE(other->state, RunState::Running);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isPaused(), kPatience);
        click("tool_run.cancel");
        QTRY_COMPARE_WITH_TIMEOUT(live().numAtWork(), 1, kPatience);
        QVERIFY(live().find(second)->isAtWork() && !training().isLive());
        // Its end is told, and it can go on while the other one runs.
        click("tool_run.pause");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && live().numAtWork() == 2, kPatience);
    }

    void aWorldIsSolvedWhileATrainingRuns() {
        startTraining();
        const std::int64_t step = training().step();
        press(Qt::Key_3, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().solution(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > step, kPatience);
        // Without a solve the keys of a run mean the training.
        QTRY_COMPARE_WITH_TIMEOUT(live().numAtWork(), 1, kPatience);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
    }

    void aForkBeginsBesideItsParent() {
        startTraining();
        const QString parent = training().runId();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        checkpointHere();
        click("forkButton");
        QTRY_VERIFY_WITH_TIMEOUT(child<TrainForm>("trainForm")->isVisible(), kPatience);
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(live().numAtWork() == 2 && training().step() > 0, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!training().runId().isEmpty(), kPatience);
        const std::string id = training().runId().toStdString();
        QCOMPARE(m_window->archive().workspace()->reader().findRun(id).parent,
                 parent.toStdString());
    }

    void runsWaitForTheirTurnsInAnOrderThatCanBeChanged() {
        setMost(1);
        startTraining();
        const RunSpec spec = training().spec();
        std::vector<int> numbers;
        numbers.reserve(3);
        for (int k = 0; k < 3; ++k) numbers.push_back(live().enqueue(spec, {}).number());
        QCOMPARE(live().numWaiting(), 3);
        press(Qt::Key_1, Qt::ControlModifier);
        m_window->showView(QStringLiteral("liveRuns"));
        auto* list = child<RowList>("liveRunsList");
        QTRY_COMPARE_WITH_TIMEOUT(list->rowModel()->rowCount(), 4, kPatience);
        const auto pick = [&](int row) {
            list->setCurrentIndex(list->model()->index(row, 0));
            Q_EMIT list->picked(row);
        };
        pick(3);
        click("liveEarlier");
        QCOMPARE(live().runs()[2]->number(), numbers[2]);
        click("liveEarlier");
        QCOMPARE(live().runs()[1]->number(), numbers[2]);
        click("livePause");  // it is passed by the others
        QVERIFY(live().find(numbers[2])->isHeld());
        pick(2);
        click("liveEnd");
        QVERIFY(live().find(numbers[0]) == nullptr);
        pick(0);
        click("liveEnd");
        QTRY_VERIFY_WITH_TIMEOUT(live().find(numbers[1])->isAtWork(), kPatience);
        QVERIFY(!live().find(numbers[2])->isAtWork());
        setMost(2);
        QVERIFY(!live().find(numbers[2])->isAtWork());
        live().hold(*live().find(numbers[2]), false);
        QVERIFY(live().find(numbers[2])->isAtWork());
    }

    void asManyChipsAreShownAsCanBeRead() {
        setMost(1);
        startTraining();
        RunSpec spec = training().spec();
        spec.name = "A name that is a good deal longer than a chip";
        for (int k = 0; k < 4; ++k) live().enqueue(spec, {});
        auto* more = child<QAbstractButton>("moreLive");
        const auto numShown = [&] {
            return std::ranges::count_if(live().runs(), [&](const auto& run) {
                const QAbstractButton* const shown = chip(run->number());
                return shown != nullptr && shown->isVisible();
            });
        };
        m_window->resize(3000, 900);
        QTRY_COMPARE_WITH_TIMEOUT(numShown(), 4, kPatience);
        QCOMPARE(more->text(), QString("+1"));
        m_window->resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(numShown() > 0 && numShown() < 4, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(more->text(), QStringLiteral("+%1").arg(5 - numShown()),
                                  kPatience);
        for (const auto& run : live().runs())
            if (const QAbstractButton* shown = chip(run->number()); shown && shown->isVisible())
                QTRY_VERIFY_WITH_TIMEOUT(shown->width() >= shown->sizeHint().width(), kPatience);
        const QWidget* line = m_window->statusBar();
        QVERIFY(line->rect().contains(QRect(more->mapTo(line, QPoint()), more->size())));
    }

    void whatWaitsIsThereAtTheNextStart() {
        const QByteArray home = qgetenv("XDG_STATE_HOME");
        qputenv("XDG_STATE_HOME", m_folder->filePath(QStringLiteral("state")).toUtf8());
        const auto back = qScopeGuard([&] { qputenv("XDG_STATE_HOME", home); });
        openAgain();
        setMost(1);
        startTraining();
        constexpr int kWaiting = 40;  // more than come back in one turn of the event loop
        for (int k = 0; k < kWaiting; ++k) {
            RunSpec spec = training().spec();
            spec.name = "run " + std::to_string(k);
            RunOptions options;
            options.workspace = m_window->archive().writableWorkspace();
            live().enqueue(spec, std::move(options));
        }
        closeBy("cancelAndQuit");
        QVERIFY(!m_window->isVisible());
        openAgain();
        QTRY_COMPARE_WITH_TIMEOUT(live().numWaiting(), kWaiting, kPatience);
        QCOMPARE(live().numAtWork(), 0);
        for (int k = 0; k < kWaiting; ++k)
            QCOMPARE(live().runs()[static_cast<std::size_t>(k)]->spec().name,
                     "run " + std::to_string(k));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->strip().text().contains(QStringLiteral("40 runs of the last session")),
            kPatience);
        click("messageAction");
        QTRY_COMPARE_WITH_TIMEOUT(live().numAtWork(), 1, kPatience);
        QCOMPARE(live().runs().front()->spec().name, std::string("run 0"));
        QVERIFY(live().runs().front()->isAtWork());
        QCOMPARE(live().numWaiting(), kWaiting - 1);
        m_window.reset();
    }

    void theFormStartsARunForEachSeedAndValue() {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        child<QSpinBox>("trainSeeds")->setValue(2);
        auto* field = child<QComboBox>("trainSweepField");
        field->setCurrentIndex(field->findData(QStringLiteral("beta_r")));
        auto* start = child<QPushButton>("trainStart");
        typeInto("trainSweepValues", "2, x");
        QVERIFY(!start->isEnabled());
        QVERIFY(child<QLabel>("trainSweepRemark")->text().contains("beta_r"));
        typeInto("trainSweepValues", "2, 5");
        QVERIFY(start->isEnabled());
        QCOMPARE(start->text(), QStringLiteral("Train 4 runs"));
        setMost(2);
        // Those that run at once share the memory.
        const std::vector<MemoryPart> parts{{.title = "all", .bytes = 1000}};
        form->setMemory(form->spec(), parts, 1900, 2);
        QVERIFY(!start->isEnabled());
        form->setMemory(form->spec(), parts, 2000, 2);
        QVERIFY(start->isEnabled());
        click("trainStart");
        QCOMPARE(live().numAtWork(), 2);
        QCOMPARE(live().numWaiting(), 2);
        std::vector<std::pair<double, std::uint64_t>> found;
        found.reserve(live().runs().size());
        for (const LiveRun* run : live().runs())
            found.emplace_back(run->spec().job.as<TrainJob>().empo.beta_r, run->spec().seed);
        QCOMPARE(found[0].first, 2.0);
        QCOMPARE(found[3].first, 5.0);
        QCOMPARE(found[3].second, found[0].second + 1);
        // The next one is a single run.
        press(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        QCOMPARE(start->text(), QStringLiteral("Train"));
        form->hide();
    }

    void closingAsksAboutATrainingThatIsNotShown() {
        startTraining();
        stopTraining();
        startTraining();
        // The one that has ended is looked at while the other one learns.
        m_window->showPerspective(QStringLiteral("home"));
        Q_EMIT m_window->findChild<HomeView*>()->runChosen(QStringLiteral("r00001"));
        QTRY_VERIFY_WITH_TIMEOUT(training().runId() == "r00001" && !training().isLive(), kPatience);
        const LiveRun* run = live().runs().front();
        QTRY_VERIFY_WITH_TIMEOUT(run->snapshot() && run->snapshot()->progress.done > 0, kPatience);
        closeBy("cancelAndQuit");
        QVERIFY2(m_asked.contains("keeps a checkpoint"), qPrintable(m_asked));
        QVERIFY(!m_window->isVisible());
        const auto folder = m_window->archive().workspace()->folder();
        m_window.reset();
        const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
        QCOMPARE(workspace->reader().findRun("r00002").state, RunState::Stopped);
        QVERIFY(!workspace->reader().checkpoints("r00002").empty());
    }

    void closingAsksOnceForAll() {
        startAnother();
        startAnother();
        live().keep(training().spec(), {});
        closeBy("cancelAndQuit");
        QVERIFY2(m_asked.contains("2 runs are at work."), qPrintable(m_asked));
        QVERIFY(!m_window->isVisible());
        const auto folder = m_window->archive().workspace()->folder();
        m_window.reset();  // waits for both
        const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
        const std::vector<RunRecord> runs = workspace->reader().listRuns();
        QCOMPARE(runs.size(), std::size_t{2});
        for (const RunRecord& run : runs) {
            QCOMPARE(run.state, RunState::Stopped);
            QVERIFY(!workspace->reader().checkpoints(run.id).empty());
        }
    }
};

ORRERY_WINDOW_TEST(SeveralRunsTest)
#include "several_runs_test.moc"
