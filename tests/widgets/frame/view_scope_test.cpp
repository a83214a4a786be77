#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/window/main_window.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/dag/inspector_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/side_panel.h"
#include "widgets/part/plan_scope.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

using namespace orrery;

/// Duplicates, freezes and addresses views of the whole window with keys and the mouse.
class ViewScopeTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    PlanSession& session() { return m_window->session(); }
    PlanSession& sessionOf(const char* id) {
        return static_cast<PlanScope*>(m_window->scope(QLatin1String(id)))->session();
    }
    QString scopeText(const char* id) { return m_window->scope(QLatin1String(id))->text(); }
    bool isFrozen(const char* id) { return m_window->scope(QLatin1String(id))->isFrozen(); }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(const char* name) {
        auto* widget = m_window->findChild<QWidget*>(QLatin1String(name));
        if (!widget) qFatal("no widget %s", name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    QString worldFile() {
        QString name = m_folder.filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        if (file.open(QIODevice::WriteOnly)) file.write(smallRoomFile().c_str());
        return name;
    }
    void start(const QString& world, bool restores, const QString& address = {}) {
        m_window.reset();
        WindowOptions options;
        options.world = world;
        options.address = address;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_folder.filePath(QStringLiteral("test.orrery")).toStdString();
        options.restoresSession = restores;
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1800, 1000);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        settle();
    }
    void settle() {
        QVERIFY(becomesQuiet([this] { return session().isOpen() && m_window->isSettled(); }));
    }
    void solve() {
        click("tool_run.solve");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
    }
    /// The canvas of an instance of the state graph.
    StateCanvas* canvas(const char* id) {
        return m_window->view<StateView>(QLatin1String(id))->canvas();
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(variable, m_folder.filePath(QLatin1String(variable)).toUtf8());
    }
    void init() {
        start(worldFile(), false);
        press(Qt::Key_3, Qt::ControlModifier);
        solve();
    }
    void cleanup() { m_window.reset(); }

    void theSessionIsKeptFromWhenItsSettingIsTurnedOn() {
        start(worldFile(), true);
        const QString file =
            m_folder.filePath(QStringLiteral("XDG_STATE_HOME/orrery/session.json"));
        press(Qt::Key_Comma, Qt::ControlModifier);
        const auto box = [] {
            for (QWidget* window : QApplication::topLevelWidgets())
                if (auto* found = window->findChild<QCheckBox*>(
                        QStringLiteral("setting_general_restoreSession")))
                    return found;
            return static_cast<QCheckBox*>(nullptr);
        };
        QTRY_VERIFY_WITH_TIMEOUT(box() && box()->isVisible() && box()->isChecked(), kPatience);
        box()->click();
        QFile::remove(file);
        box()->click();
        QVERIFY(QFile::exists(file));
        box()->window()->close();
    }

    void aFrozenWorldStaysWhileTheOthersGoOn() {
        m_window->showView(QStringLiteral("world"));
        m_window->worldPanel().view()->setFocus();
        press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(isFrozen("world"));
        QVERIFY(m_window->commands().action(QStringLiteral("view.freeze"))->isChecked());
        const StateItem kept = session().state();
        click("tool_world.follow");
        QCOMPARE(session().state().step, 1);
        QCOMPARE(sessionOf("world").state(), kept);
        QCOMPARE(sessionOf("states").state(), session().state());
        QVERIFY(scopeText("world").contains(QStringLiteral("t 0")));
        QVERIFY(scopeText("states").contains(QStringLiteral("t 1")));
        // Played in the frozen view, nothing moves, and the reason is said.
        press(Qt::Key_P);
        QVERIFY(m_window->worldPanel().play()->isOn());
        QTest::keyClick(m_window->worldPanel().view(), Qt::Key_Return);
        QCOMPARE(session().state().step, 1);
        QVERIFY(m_window->strip().text().contains(QStringLiteral("frozen")));
        // The chip lets it follow.
        ScopeChip* chip = nullptr;
        for (ScopeChip* each : m_window->centre().findChildren<ScopeChip*>())
            if (each->scope() == m_window->scope(QStringLiteral("world"))) chip = each;
        QVERIFY(chip && chip->isVisible());
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!isFrozen("world"));
        QCOMPARE(sessionOf("world").state(), session().state());
        m_window->undoStack().undo();
        QVERIFY(isFrozen("world"));
        QCOMPARE(sessionOf("world").state(), kept);
    }

    void aDuplicatedGraphIsWalkedBesideTheOther() {
        m_window->showView(QStringLiteral("states"));
        canvas("states")->showHops(2);
        settle();
        canvas("states")->setFocus();
        press(Qt::Key_D, Qt::ControlModifier | Qt::AltModifier);
        settle();
        QVERIFY(m_window->isViewShown(QStringLiteral("states~2")));
        QCOMPARE(canvas("states~2")->graph().nodes().size(),
                 canvas("states")->graph().nodes().size());         // what was opened, too
        press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);  // the new one is current
        QVERIFY(isFrozen("states~2") && !isFrozen("states"));
        click("tool_world.follow");
        settle();
        const auto centreOf = [&](const char* id) { return sessionOf(id).graphState()->config; };
        QVERIFY(centreOf("states~2") != centreOf("states") ||
                sessionOf("states~2").state().step != sessionOf("states").state().step);
        // A state picked in the frozen graph is shown by all the others.
        const StateItem picked = sessionOf("states~2").successors().front().state;
        sessionOf("states~2").selection().setCurrent(picked);
        QCOMPARE(session().state(), picked);
        QCOMPARE(sessionOf("states~2").state().step, 0);
        // Tables and figures are those of the instance.
        QVERIFY(canvas("states~2")->graph().nodes().size() > 0);
        m_window->hideView(QStringLiteral("states~2"));
        QVERIFY(!isFrozen("states~2"));
    }

    void twoInspectorsCompareTwoRuns() {
        const QString first = session().runId();
        m_window->setFrozen(QStringLiteral("inspector"), true);
        QCOMPARE(m_window->duplicateView(QStringLiteral("inspector")),
                 QStringLiteral("inspector~2"));
        m_window->setFrozen(QStringLiteral("inspector"), false);
        auto* field = m_window->findChild<QLineEdit*>(QStringLiteral("field_beta_r"));
        if (field) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, QStringLiteral("2"));
        }
        const auto before = session().solution();
        click("tool_run.solve");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() != before && m_window->isSettled(),
                                 kPatience);
        QVERIFY(session().runId() != first);
        QCOMPARE(sessionOf("inspector~2").runId(), first);
        QCOMPARE(sessionOf("inspector~2").solution(), before);
        const auto shown = [&](const char* id) {
            return m_window->view(QLatin1String(id))
                ->findChild<QLabel*>(QStringLiteral("v_rValue"))
                ->text();
        };
        QCOMPARE(shown("inspector~2"), valueText(before->v_r(State{})));
        QCOMPARE(shown("inspector"), valueText(session().values()->v_r));
    }

    void theComparisonHasTabsOnlyWhileThereAreTwo() {
        press(Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->view<CompareView>(QStringLiteral("compare")), kPatience);
        settle();
        const auto numBars = [&] {
            int shown = 0;
            for (const QTabBar* bar : m_window->centre().findChildren<QTabBar*>())
                shown += bar->isVisible() && bar->accessibleName() == QStringLiteral("Views");
            return shown;
        };
        QCOMPARE(numBars(), 0);
        m_window->duplicateView(QStringLiteral("compare"));
        settle();
        QVERIFY(m_window->view<CompareView>(QStringLiteral("compare~2"))->isVisible());
        QVERIFY(numBars() >= 1);
        m_window->setFrozen(QStringLiteral("compare~2"), true);
        const QString shown = scopeText("compare");
        QVERIFY(shown.contains(QStringLiteral("run")) && shown != QStringLiteral("0 runs"));
        m_window->selection().setSet(SelectionKind::Run, {});
        QVERIFY(scopeText("compare") != shown);
        QCOMPARE(scopeText("compare~2"), shown);
        m_window->undoStack().undo();
        while (m_window->isViewShown(QStringLiteral("compare~2"))) m_window->undoStack().undo();
        QCOMPARE(numBars(), 0);
    }

    void whatBelongsToTheWholeWindowIsNotDuplicated() {
        m_window->showPerspective(QStringLiteral("home"));
        QVERIFY(!m_window->commands().action(QStringLiteral("view.freeze"))->isEnabled());
        QVERIFY(!m_window->commands().action(QStringLiteral("window.duplicateView"))->isEnabled());
        for (const char* id : {"home", "solver", "runs", "agents", "jobs"})
            QVERIFY2(m_window->duplicateView(QLatin1String(id)).isEmpty(), id);
    }

    void aFrozenViewComesBackAfterTheNextStart() {
        const QString run = session().runId();
        const QString world = worldFile();
        start(world, true);
        m_window->showPerspective(QStringLiteral("plan"));
        m_window->archive().reopen(run);
        QTRY_VERIFY_WITH_TIMEOUT(session().runId() == run && m_window->isSettled(), kPatience);
        click("tool_world.follow");
        const StateItem kept = session().state();
        settle();
        m_window->duplicateView(QStringLiteral("states"));
        settle();
        m_window->setFrozen(QStringLiteral("states~2"), true);
        settle();
        canvas("states~2")->showHops(2);
        settle();
        const auto numOpened = canvas("states~2")->graph().nodes().size();
        QVERIFY2(numOpened > canvas("states")->graph().nodes().size(),
                 qPrintable(QStringLiteral("%1, %2").arg(numOpened).arg(
                     canvas("states")->graph().nodes().size())));
        m_window->duplicateView(QStringLiteral("inspector"));
        m_window->setFrozen(QStringLiteral("inspector~2"), true);
        click("tool_world.follow");
        QCOMPARE(session().state().step, 2);
        m_window->close();
        start({}, true);
        QTRY_VERIFY_WITH_TIMEOUT(session().runId() == run && m_window->isSettled(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(isFrozen("states~2") && isFrozen("inspector~2"), kPatience);
        QVERIFY(m_window->isViewShown(QStringLiteral("states~2")));
        QVERIFY(m_window->isViewShown(QStringLiteral("inspector~2")));
        QCOMPARE(sessionOf("states~2").state(), kept);
        settle();
        QCOMPARE(canvas("states~2")->graph().nodes().size(), numOpened);
        QCOMPARE(sessionOf("inspector~2").runId(), run);
        QVERIFY(sessionOf("inspector~2").values().has_value());
        QCOMPARE(sessionOf("inspector~2").solution(), session().solution());  // not read twice
        QCOMPARE(session().state().step, 2);
        // Without its run, a view follows again, and that is said.
        m_window->close();
        QFile file(m_folder.filePath(QStringLiteral("XDG_STATE_HOME/orrery/session.json")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        text.replace("\"run\": \"" + run.toUtf8(), "\"run\": \"r99999");
        file.resize(0);
        file.seek(0);
        file.write(text);
        file.close();
        start({}, true);
        settle();
        QVERIFY(!isFrozen("states~2"));
        QVERIFY(m_window->isViewShown(QStringLiteral("states~2")));
        m_window->close();
    }

    void aComparisonFrozenWithoutRunsComesBackWithoutRuns() {
        start(worldFile(), true);
        const QString run = QString::fromStdString(m_window->archive().runs().front().id);
        press(Qt::Key_5, Qt::ControlModifier);
        settle();
        m_window->selection().setSet(SelectionKind::Run, {});
        m_window->setFrozen(QStringLiteral("compare"), true);
        m_window->selection().setSet(SelectionKind::Run, {RunItem{run}});
        settle();
        QCOMPARE(scopeText("compare"), QStringLiteral("0 runs"));
        m_window->close();
        start({}, true);
        QTRY_VERIFY_WITH_TIMEOUT(isFrozen("compare"), kPatience);
        settle();
        QCOMPARE(scopeText("compare"), QStringLiteral("0 runs"));
        QCOMPARE(m_window->selection().set(SelectionKind::Run).size(), std::size_t{1});
        m_window->setFrozen(QStringLiteral("compare"), false);
        m_window->close();
    }

    void aCopiedLinkLeadsBackFromAnywhere() {
        const QString run = session().runId();
        click("tool_world.follow");
        session().selection().setCurrent({HumanItem{0}, GoalItem{0, 1}});
        session().setActions(std::vector{1, 2});
        const StateItem there = session().state();
        press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString link = QApplication::clipboard()->text();
        QVERIFY2(link.startsWith(QStringLiteral("orrery:run/%1/t1/s").arg(run)) &&
                     link.contains(QStringLiteral("/goal/0.1")),
                 qPrintable(link));
        click("tool_world.restart");
        session().selection().setCurrent(GoalItem{0, 0});
        const auto typeInto = [&](const QString& text) {
            press(Qt::Key_K, Qt::ControlModifier);
            auto* locator = m_window->findChild<QLineEdit*>(QStringLiteral("locator"));
            QTRY_VERIFY_WITH_TIMEOUT(locator->hasFocus(), kPatience);
            QTest::keyClicks(locator, text);
            QTest::keyClick(locator, Qt::Key_Return);
        };
        typeInto(link);
        QCOMPARE(session().state(), there);
        QCOMPARE(session().selection().current<GoalItem>()->goal, 1);
        QCOMPARE(session().actions(), (std::vector{1, 2}));
        QCOMPARE(session().selection().address(), link);
        // After another run was solved, the link brings its own back.
        const auto before = session().solution();
        click("tool_run.solve");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() != before && m_window->isSettled(),
                                 kPatience);
        QVERIFY(session().runId() != run);
        click("tool_world.restart");
        typeInto(link);
        QTRY_COMPARE_WITH_TIMEOUT(session().runId(), run, kPatience);
        QCOMPARE(session().state(), there);
        typeInto(QStringLiteral("orrery:run/r99999/t1/s0"));
        QVERIFY(m_window->strip().text().contains(QStringLiteral("no run r99999")));
        QCOMPARE(session().runId(), run);
        // So does a start with it; a search is asked again.
        start({}, false, link + QStringLiteral("/where/step%20%3C%202"));
        QTRY_COMPARE_WITH_TIMEOUT(session().runId(), run, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(session().selection().stateMarks() != nullptr, kPatience);
        QCOMPARE(session().state(), there);
        QCOMPARE(session().selection().stateMarksText(), QStringLiteral("step < 2"));
        QCOMPARE(session().selection().address(), link + QStringLiteral("/where/step%20%3C%202"));
    }
};

ORRERY_WINDOW_TEST(ViewScopeTest)
#include "view_scope_test.moc"
