#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QWhatsThis>
#include <memory>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/color_map.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/centre_area.h"
#include "widgets/help/callout.h"
#include "widgets/help/help_context.h"
#include "widgets/help/help_manual.h"
#include "widgets/help/help_window.h"
#include "widgets/help/tour_guide.h"
#include "widgets/home/home_view.h"
#include "widgets/home/workspace_card.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/settings_window.h"

using namespace orrery;

/// Help, tours, settings and workspaces in the whole window, by keys and mouse.
class WindowHelpTest : public QObject {
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
    void click(const char* name) { QTest::mouseClick(child<QWidget>(name), Qt::LeftButton); }
    void makeWindow() {
        m_window.reset();
        WindowOptions options;
        options.world = QStringLiteral("builtin:first_steps");
        options.workspace = m_folder.filePath(QStringLiteral("here.orrery")).toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1280, 860});
    }
    QString helpPageAfterF1(QWidget* control) {
        const auto hasFocus = [control] {
            control->setFocus(Qt::OtherFocusReason);
            return control->hasFocus();
        };
        if (!QTest::qWaitFor(hasFocus, kPatience)) return {};
        QTest::keyClick(control, Qt::Key_F1);
        auto* help = m_window->findChild<HelpWindow*>();
        if (!help) return {};
        QString page = help->page();
        help->close();
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get(), kPatience)) return {};
        return page;
    }

    MessageStrip* hint() const {
        return m_window->findChild<MessageStrip*>(QStringLiteral("hintStrip"));
    }
    void solveInPlan() {
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().solution() && m_window->isSettled(),
                                 kPatience);
    }

private Q_SLOTS:
    void init() {
        QDir(m_folder.path()).removeRecursively();
        QDir().mkpath(m_folder.path());
        makeWindow();
    }
    void cleanup() { m_window.reset(); }

    void everyViewHasAPageOfItsOwn() {
        Commands commands(m_window.get());
        const HelpManual manual;
        for (const ViewSpec& spec : m_window->views()) {
            QVERIFY2(manual.hasPage(spec.help.section(u'#', 0, 0)), qPrintable(spec.id));
            QVERIFY2(spec.help != QLatin1String("index"), qPrintable(spec.id));
            if (spec.help.contains(u'#'))
                QVERIFY2(manual.anchors(spec.help.section(u'#', 0, 0))
                             .contains(spec.help.section(u'#', 1)),
                         qPrintable(spec.help));
        }
    }

    void f1OpensThePageOfWhatHasTheFocus() {
        QCOMPARE(helpPageAfterF1(child<QWidget>("worldView")), QStringLiteral("world"));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(helpPageAfterF1(child<QWidget>("openWorldStart")), QStringLiteral("home"));
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(helpPageAfterF1(child<QWidget>("predicateEdit")), QStringLiteral("predicates"));
        QCOMPARE(helpPageAfterF1(child<QWidget>("field_beta_r")), QStringLiteral("solver"));
        QCOMPARE(helpPageAfterF1(child<QWidget>("levelBandsCanvas")),
                 QStringLiteral("level_bands"));
        QCOMPARE(helpPageAfterF1(child<QWidget>("locator")), QStringLiteral("locator"));
    }

    void everyKnownPlaceIsInTheManual() {
        const HelpManual manual;
        for (const char* perspective : {"home", "world", "plan", "compare"}) {
            m_window->showPerspective(QLatin1String(perspective));
            for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
                const QString address = helpAddressOf(widget, *m_window);
                const QString page = address.section(u'#', 0, 0);
                QVERIFY2(manual.hasPage(page), qPrintable(widget->objectName() + ": " + address));
                if (!address.contains(u'#') || page == QLatin1String("solver")) continue;
                QVERIFY2(manual.anchors(page).contains(address.section(u'#', 1)),
                         qPrintable(widget->objectName() + ": " + address));
            }
        }
    }

    void whatsThisExplainsInsteadOfUsing() {
        QTest::keyClick(m_window.get(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QWhatsThis::leaveWhatsThisMode();
        const QString text = whatsThisOf(child<QWidget>("tool_run.solve"), *m_window);
        QVERIFY(text.contains(QLatin1String("solves both phases")));
        QVERIFY(text.contains(QLatin1String("href=\"")));
    }

    void theLocatorFindsHelp() {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* locator = child<QLineEdit>("locator");
        QTest::keyClicks(locator, QStringLiteral("? predicate search"));
        QTest::keyClick(locator, Qt::Key_Return);
        auto* help = m_window->findChild<HelpWindow*>();
        QVERIFY(help);
        QCOMPARE(help->page(), QStringLiteral("predicates"));
    }

    void aTourGoesOnWhenItsStepsAreReallyDone() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->findChild<QWidget*>(QStringLiteral("run_slippery_bridge")), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        click("tour_read");
        auto* guide = m_window->findChild<TourGuide*>();
        QVERIFY(guide->isRunning());
        QCOMPARE(child<Callout>("tourCallout")->target(), child<QWidget>("run_slippery_bridge"));
        click("run_slippery_bridge");
        QTRY_COMPARE_WITH_TIMEOUT(guide->step(), 1, kPatience);
        QVERIFY(m_window->session().solution());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(child<Callout>("tourCallout")->target(), child<QWidget>("levelBandsCanvas"));
        auto* bands = child<QWidget>("levelBandsCanvas");
        QTest::mouseClick(bands, Qt::LeftButton, {},
                          QPoint(bands->width() / 2, bands->height() / 2));
        QTRY_COMPARE_WITH_TIMEOUT(guide->step(), 2, kPatience);
        click("tourNext");
        QCOMPARE(guide->step(), 3);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(guide->step(), 4, kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(guide->step(), 5, kPatience);
        click("tourEnd");
        QVERIFY(!guide->isRunning());
    }

    void theHintLeavesWithTheWorldItIsAboutAndWithWhatItAsksFor() {
        solveInPlan();
        QVERIFY(hint() && hint()->isVisible());
        m_window->openWorld(QStringLiteral("builtin:coffee_break"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().solution() && m_window->isSettled(),
                                 kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!hint());  // this one is not solved
        solveInPlan();
        QVERIFY(hint() && hint()->isVisible());
        m_window->session().step();
        QTRY_VERIFY_WITH_TIMEOUT(!hint(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!hint());  // who has gone to a state needs it no more
    }

    void theHintLeavesWithAClickOnANumber() {
        solveInPlan();
        QVERIFY(hint() && hint()->isVisible());
        click("v_rValueCard");
        QTRY_VERIFY_WITH_TIMEOUT(!hint(), kPatience);
    }

    void theHintComesOnceAfterTheFirstSolve() {
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!hint());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        const QRect centre = m_window->centre().geometry();
        QTRY_VERIFY_WITH_TIMEOUT(hint() && hint()->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        // It moves nothing, and it goes where it is not true.
        QCOMPARE(m_window->centre().geometry(), centre);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY(!hint());
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTRY_VERIFY(hint() && hint()->isVisible());
        const QWidget* focus = QApplication::focusWidget();
        click("hintClose");
        QTRY_VERIFY_WITH_TIMEOUT(!hint(), kPatience);
        QCOMPARE(QApplication::focusWidget(), focus);
        makeWindow();
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().solution() && m_window->isSettled(),
                                 kPatience);
        QVERIFY(!hint());
    }

    void settingsHoldAtOnceAndForTheNextStart() {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        auto* settings = m_window->findChild<SettingsWindow*>();
        QVERIFY(settings && settings->isVisible());
        Preferences& preferences = m_window->preferences();
        preferences.setValue(QStringLiteral("appearance/theme"), QStringLiteral("dark"));
        QVERIFY(currentTokens().isDark);
        preferences.setValue(QStringLiteral("appearance/colorMap"), QStringLiteral("cividis"));
        QCOMPARE(sequentialMap(), SequentialMap::Cividis);
        preferences.setValue(QStringLiteral("compute/threads"), 1);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        auto* threads = m_window->findChild<QLineEdit*>(QStringLiteral("field_threads"));
        QVERIFY(threads);
        QCOMPARE(threads->text(), QStringLiteral("1"));
        preferences.setKeys(QStringLiteral("view.compare"), {QKeySequence(QStringLiteral("F12"))});
        QTest::keyClick(m_window.get(), Qt::Key_F12);
        QCOMPARE(m_window->perspective(), QStringLiteral("compare"));
        makeWindow();
        QVERIFY(currentTokens().isDark);
        QTest::keyClick(m_window.get(), Qt::Key_F12);
        QCOMPARE(m_window->perspective(), QStringLiteral("compare"));
        // A theme chosen in the menu is the setting.
        m_window->commands().action(QStringLiteral("view.light"))->trigger();
        QCOMPARE(m_window->preferences().value(QStringLiteral("appearance/theme")).toString(),
                 QStringLiteral("light"));
        m_window->preferences().reset(QStringLiteral("appearance/colorMap"));
        QCOMPARE(sequentialMap(), SequentialMap::Viridis);
    }

    void homeListsWorkspacesAndSaysWhichAreGone() {
        const QString other = m_folder.filePath(QStringLiteral("other.orrery"));
        Workspace::open(other.toStdString(), Workspace::Mode::Create);
        Preferences& preferences = m_window->preferences();
        const QString gone = m_folder.filePath(QStringLiteral("gone.orrery"));
        preferences.noteWorkspace({gone, QStringLiteral("2026-03-01T12:00:00Z"), 4});
        preferences.noteWorkspace({other, QStringLiteral("2026-03-02T12:00:00Z"), 0});
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->findChildren<WorkspaceCard*>().size(), 3, kPatience);
        auto* card = child<WorkspaceCard>("workspace_0");
        QCOMPARE(card->text(), QStringLiteral("other"));
        QVERIFY(!card->isGone());
        QVERIFY(child<WorkspaceCard>("workspace_1")->isGone());
        QTest::mouseClick(card, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->archive().workspace() &&
                m_window->archive().workspace()->folder() == other.toStdString(),
            kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(preferences.recentWorkspaces().first().folder, other);
        preferences.forgetWorkspace(gone);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->findChildren<WorkspaceCard*>().size(), 2, kPatience);
    }
};

ORRERY_WINDOW_TEST(WindowHelpTest)
#include "window_help_test.moc"
