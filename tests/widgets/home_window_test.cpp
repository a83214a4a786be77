#include <QAbstractButton>
#include <QLabel>
#include <QTest>
#include <algorithm>

#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/shown_values_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/row_list.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/example_study.h"
#include "widgets/history/runs_panel.h"
#include "widgets/home/example_card.h"
#include "widgets/home/home_view.h"
#include "widgets/home/world_thumb.h"

using namespace orrery;

/// Home in the whole window: examples, the study and the latest runs.
class HomeWindowTest : public QObject, private ShownValuesBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { makeWindow(worldFile()); }
    void cleanup() { m_window.reset(); }

    void aListOfRunsThatIsStillReadSaysSo() {
        HomeView home;
        auto* remark = home.findChild<QLabel*>(QStringLiteral("latestRunsRemark"));
        QVERIFY2(remark->text().startsWith(QStringLiteral("Reading")), qPrintable(remark->text()));
        home.setRuns({});
        QVERIFY(remark->text().startsWith(QStringLiteral("No runs yet")));
        Selection selection;
        RunsPanel panel(&selection);
        remark = panel.findChild<QLabel*>(QStringLiteral("runsEmpty"));
        QVERIFY2(remark->text().startsWith(QStringLiteral("Reading")), qPrintable(remark->text()));
        panel.setRuns({});
        QVERIFY(remark->text().startsWith(QStringLiteral("No runs yet")));
    }

    void cardsOfHomeDoNotGrowWithTheScreen() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChildren<ExampleCard*>().size() >= 8, kPatience);
        for (const int width : {1280, 1920, 3840}) {
            m_window->resize(width, 920);
            QTRY_COMPARE(m_window->width(), width);
            const auto widest = [this] {
                int most = 0;
                for (const ExampleCard* card : m_window->findChildren<ExampleCard*>())
                    most = std::max(most, card->width());
                return most;
            };
            QTRY_VERIFY2(widest() > 200 && widest() <= 420, qPrintable(QString::number(widest())));
        }
    }

    /// Each is drawn once at a size and in a theme, and not all of them in one turn.
    void picturesOfHomeAreDrawnInTurns() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChildren<WorldThumb*>().size() >= 12, kPatience);
        const QList<WorldThumb*> thumbs = m_window->findChildren<WorldThumb*>();
        const auto numIn = [&](const Tokens& tokens) {
            return std::ranges::count_if(thumbs, [&](WorldThumb* thumb) {
                const QColor corner = thumb->grab().toImage().pixelColor(20, 1);
                return corner == tokens.wall || corner == tokens.canvas;
            });
        };
        QTRY_COMPARE(numIn(currentTokens()), thumbs.size());
        const bool isDark = currentTokens().isDark;
        applyTheme(*qApp, isDark ? ThemeChoice::Light : ThemeChoice::Dark);
        QVERIFY(numIn(currentTokens()) < thumbs.size());
        QTRY_COMPARE(numIn(currentTokens()), thumbs.size());
        applyTheme(*qApp, isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    }

    void anExampleIsOpenedFromHomeByMouse() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChildren<ExampleCard*>().size() >= 14, kPatience);
        auto* card = child<ExampleCard>("card_locked_pantry");
        QTest::mouseClick(card, Qt::LeftButton, {}, QPoint(40, 40));
        QTRY_VERIFY_WITH_TIMEOUT(session().loaded().name == "builtin:locked_pantry", kPatience);
        QCOMPARE(m_window->perspective(), QStringLiteral("world"));
        QCOMPARE(session().state().step, 0);
    }

    void anExampleIsSolvedFromHomeWithOneClick() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChildren<ExampleCard*>().size() >= 14, kPatience);
        click("run_first_steps");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
        QCOMPARE(session().loaded().name, std::string("builtin:first_steps"));
        QCOMPARE(m_window->perspective(), QStringLiteral("plan"));
        compareShownValues();
    }

    void theStudyIsMadeOnceAndOpenedAgain() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChildren<ExampleCard*>().size() >= 14, kPatience);
        click("run_study");
        const auto stored = [this] {
            return std::ranges::count_if(m_window->archive().runs(), [](const RunRecord& run) {
                return run.state == RunState::Finished &&
                       run.tags == std::vector<std::string>{kStudyTag};
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(stored() == 10 && m_window->isSettled(), kPatience);
        QCOMPARE(m_window->perspective(), QStringLiteral("compare"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->selection().set(SelectionKind::Run).size(),
                                  std::size_t{10}, kPatience);
        m_window->hideView(QStringLiteral("compare"));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        click("run_study");
        QCOMPARE(m_window->perspective(), QStringLiteral("compare"));
        QVERIFY(m_window->isViewShown(QStringLiteral("compare")));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(stored(), 10);
    }

    void aCardTellsTheTimeOfASolveAndNotThatOfATraining() {
        HomeView home;
        const std::vector<LoadedWorld> examples = loadExamples();
        for (const LoadedWorld& example : examples)
            QVERIFY2(example.solveSeconds > 0, example.name.c_str());
        home.setExamples(examples);
        for (const char* other : {"time_study", "time_training"})
            QVERIFY(home.findChild<QLabel*>(QLatin1String(other))->text().startsWith("about 1 "));
        const auto* time = home.findChild<QLabel*>(QStringLiteral("time_first_steps"));
        QVERIFY2(time->text().startsWith(QStringLiteral("about ")) &&
                     time->text().endsWith(QStringLiteral(" s to solve")),
                 qPrintable(time->text()));
        const QString expected = time->text();
        const auto example = std::ranges::find(examples, "builtin:first_steps", &LoadedWorld::name);
        RunSpec training, solve;
        training.job = trainingIn({example->name});
        solve.job = SolveJob{.world = {.name = example->name}};
        RunRecord run{.id = "r00002",
                      .state = RunState::Finished,
                      .kind = "train",
                      .configJson = toJson(training, -1),
                      .worldHash = example->world->contentHash(),
                      .createdUtc = "2026-03-01T12:00:00.000Z",
                      .endedUtc = "2026-03-02T12:00:00.000Z"};  // resumed on the next day
        home.setRuns({run}, {}, {{"r00002", 387}});
        QCOMPARE(time->text(), expected);
        QCOMPARE(runTimeText(run, {{"r00002", 387}}), QStringLiteral("Trained for 6 min 27 s"));
        QCOMPARE(runTimeText(run, {}), QString());
        run.kind = "solve";
        run.configJson = toJson(solve, -1);
        home.setRuns({run}, {}, {{"r00002", 0.05}});
        QCOMPARE(time->text(), QStringLiteral("solved in 0.05 s"));
        QCOMPARE(runTimeText(run, {{"r00002", 0.05}}), QStringLiteral("Solved in 0.05 s"));
    }

    void whatIsPressedOutlastsANewListOfRuns() {
        HomeView home;
        home.resize(1200, 900);
        const RunRecord first{.id = "r00001", .state = RunState::Interrupted, .kind = "train"};
        const RunRecord second{.id = "r00002", .state = RunState::Interrupted, .kind = "train"};
        const RunRecord atWork{.id = "r00003", .state = RunState::Running, .kind = "train"};
        const WorkspaceRow workspace{"/a", "a", "2 runs", "today 07:52", {}};
        home.setRuns({second, first});
        home.setWorkspaces({workspace});
        home.show();
        QVERIFY(QTest::qWaitForWindowExposed(&home, kPatience));
        QStringList done;
        connect(&home, &HomeView::runContinued, &home, [&](const QString& id) { done << id; });
        connect(&home, &HomeView::workspaceChosen, &home, [&](const QString& f) { done << f; });
        for (const char* name : {"continue_r00001", "workspace_0"}) {
            auto* button = home.findChild<QAbstractButton*>(QLatin1String(name));
            QVERIFY(button);
            QTest::mousePress(button, Qt::LeftButton);
            home.setRuns({atWork, second, first});
            home.setWorkspaces({workspace});
            button = home.findChild<QAbstractButton*>(QLatin1String(name));
            QTest::mouseRelease(button, Qt::LeftButton);
        }
        QCOMPARE(done, (QStringList{"r00001", "/a"}));
        home.setRuns({atWork, second});
        QVERIFY(!home.findChild<QAbstractButton*>(QStringLiteral("continue_r00001")));
        QVERIFY(home.findChild<QAbstractButton*>(QStringLiteral("continue_r00002")));
        home.setRuns({});
        home.setWorkspaces({});
        QVERIFY(!home.findChild<QAbstractButton*>(QStringLiteral("continue_r00002")));
        QVERIFY(!home.findChild<QAbstractButton*>(QStringLiteral("workspace_0")));
    }

    void aRunIsReopenedFromTheListWithItsValues() {
        solveByButton();
        const QString run = m_window->selection().current<RunItem>()->id;
        const double v_r = session().solution()->v_r(*session().graphState());
        makeWindow(worldFile());
        QVERIFY(!session().solution());
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        auto* list = child<RowList>("latestRuns");
        QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount() > 0, kPatience);
        QVERIFY(list->rowModel()->rows()[0].tip.startsWith(run));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, rowCentre(list, 0));
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
        QCOMPARE(session().solution()->v_r(*session().graphState()), v_r);
        QCOMPARE(m_window->selection().current<RunItem>()->id, run);
        compareShownValues();
    }
};

ORRERY_WINDOW_TEST(HomeWindowTest)
#include "home_window_test.moc"
