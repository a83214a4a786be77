#include <QAction>
#include <QContextMenuEvent>
#include <QLayout>
#include <QMenu>
#include <QScreen>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/widgets/frame/frame_bench.h"
#include "widgets/common/selection.h"
#include "widgets/common/ui_dump.h"
#include "widgets/frame/side_panel.h"

using namespace orrery;

/// Panels at the sides: closed, docked, floating.
class FramePanelsTest : public QObject, private FrameBench {
    Q_OBJECT

    /// Drags a floating panel by its title to a place on the screen.
    static void carry(SidePanel& panel, const QPoint& grip, const QPoint& to) {
        const auto send = [&](QEvent::Type type, const QPoint& global) {
            const Qt::MouseButton button =
                type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
            const Qt::MouseButtons held =
                type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
            QMouseEvent event(type, panel.mapFromGlobal(global), global, button, held, {});
            QCoreApplication::sendEvent(&panel, &event);
            QTest::qWait(20);
        };
        const QPoint from = panel.mapToGlobal(grip);
        send(QEvent::MouseButtonPress, from);
        for (int i = 1; i <= 10; ++i) send(QEvent::MouseMove, from + (to - from) * i / 10);
        send(QEvent::MouseButtonRelease, to);
    }

private Q_SLOTS:
    void init() { showFrame(); }
    void cleanup() { m_frame.reset(); }

    void aPanelIsClosedByItsButtonAndComesBack() {
        QTest::mouseClick(m_frame->findChild<QToolButton*>(QStringLiteral("panelClose_left")),
                          Qt::LeftButton);
        QCOMPARE(shownPanels(*m_frame), QStringList{"right"});
        m_frame->undoStack().undo();
        QCOMPARE(shownPanels(*m_frame), (QStringList{"left", "right"}));
    }

    /// What the state of the window is asked for lays out the titles of all panels.
    void thePartsOfATitleAreMadeWithWhatThePanelShows() {
        const auto close = [this] {
            return m_frame->findChild<QToolButton*>(QStringLiteral("panelClose_messages"));
        };
        QVERIFY(m_frame->findChild<SidePanel*>(QStringLiteral("panel_messages")) && !close());
        m_frame->showView(QStringLiteral("messages"));
        QTRY_VERIFY(close() && close()->isVisible());
    }

    void aRightClickListsThePanelsAndNoBar() {
        QContextMenuEvent asked(QContextMenuEvent::Mouse, {5, 5},
                                m_frame->mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(m_frame.get(), &asked);
        auto* menu = m_frame->findChild<QMenu*>(QStringLiteral("panelsMenu"));
        QVERIFY(menu && menu->isVisible());
        QStringList entries;
        for (const QAction* action : menu->actions()) entries << action->text();
        QCOMPARE(entries, (QStringList{"left", "right", "ASIDE", "Jobs", "Messages"}));
        menu->actions().first()->trigger();
        QCOMPARE(shownPanels(*m_frame), QStringList{"right"});
        QCOMPARE(m_frame->undoStack().undoText(), QStringLiteral("Close left"));
        menu->close();
        // An older version's state, with the bar of the perspectives closed.
        auto* bar = m_frame->findChild<QToolBar*>(QStringLiteral("railBar"));
        bar->hide();
        const QJsonObject saved = m_frame->saveFrame();
        bar->show();
        m_frame->restoreFrame(saved);
        QVERIFY(bar->isVisible());
    }

    void panelsThatDoNotFitSideBySideAtTheBottomBecomeTabs() {
        auto* left = m_frame->findChild<SidePanel*>(QStringLiteral("panel_left"));
        auto* right = m_frame->findChild<SidePanel*>(QStringLiteral("panel_right"));
        m_frame->addDockWidget(Qt::BottomDockWidgetArea, left);
        m_frame->addDockWidget(Qt::BottomDockWidgetArea, right);
        left->setMinimumWidth(400);
        right->setMinimumWidth(400);
        QTRY_VERIFY_WITH_TIMEOUT(right->x() >= left->x() + 400, kPatience);
        QVERIFY(m_frame->tabifiedDockWidgets(left).isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(m_frame->undoStack().count(), 1, kPatience);
        m_frame->setMinimumSize(600, 400);  // as the program's, else the panels' least size counts
        m_frame->resize(700, 700);
        QTRY_VERIFY_WITH_TIMEOUT(m_frame->tabifiedDockWidgets(left).contains(right), kPatience);
        QCOMPARE(shownPanels(*m_frame), (QStringList{"left", "right"}));
        QVERIFY(m_frame->layout()->totalMinimumSize().width() <= m_frame->width());
        QCoreApplication::processEvents();
        QCOMPARE(m_frame->undoStack().count(), 1);  // the size's doing is no step
        // What lies behind a tab is not told as something that can be pressed.
        const Selection selection;
        QTRY_VERIFY_WITH_TIMEOUT(uiDump(m_frame.get(), selection, {}).count("\"panelClose_") == 1,
                                 kPatience);
    }

    void aPanelThatFloatsStaysOnTheScreen() {
        const QRect free = m_frame->screen()->availableGeometry();
        m_frame->move(free.bottomRight() - QPoint(m_frame->width() / 2, m_frame->height() / 2));
        auto* panel = m_frame->findChild<SidePanel*>(QStringLiteral("panel_right"));
        auto* title = m_frame->findChild<QWidget*>(QStringLiteral("panelTitle_right"));
        QTRY_VERIFY(!free.contains(title->mapToGlobal(title->rect().bottomRight())));
        QTest::mouseDClick(title, Qt::LeftButton);
        QVERIFY(panel->isFloating());
        QTRY_VERIFY(free.contains(panel->frameGeometry()));
        QTest::mousePress(title, Qt::LeftButton);
        panel->move(free.bottomRight() - QPoint(40, 20));  // as the mouse carries it
        QTRY_VERIFY(!free.contains(panel->frameGeometry()));
        QTest::mouseRelease(title, Qt::LeftButton);
        QTRY_VERIFY(free.contains(panel->frameGeometry()));
    }

    void panelsThatFloatAsAGroupStayOnTheScreenToo() {
        const QRect free = m_frame->screen()->availableGeometry();
        m_frame->resize(500, 400);
        m_frame->move(free.topLeft());
        auto* left = m_frame->findChild<SidePanel*>(QStringLiteral("panel_left"));
        auto* right = m_frame->findChild<SidePanel*>(QStringLiteral("panel_right"));
        for (SidePanel* panel : {left, right}) panel->setFloating(true);
        left->setGeometry(700, 300, 200, 200);
        right->setGeometry(1000, 300, 200, 200);
        QTRY_VERIFY(left->isVisible() && right->isVisible());
        const auto groupOf = [&] { return right->window() == right ? nullptr : right->window(); };
        // As the mouse carries it.
        const QPoint grip(20, 10);
        carry(*right, grip, left->geometry().center());
        QTRY_VERIFY(groupOf() != nullptr && groupOf() == left->window());
        QVERIFY(!groupOf()->objectName().isEmpty());
        m_frame->saveState();  // a warning would fail
        SidePanel* shown = right->visibleRegion().isEmpty() ? left : right;
        carry(*shown, grip, free.bottomRight() - QPoint(10, 10));
        QTRY_VERIFY(free.contains(groupOf()->frameGeometry()));
    }
};

ORRERY_WINDOW_TEST(FramePanelsTest)
#include "frame_panels_test.moc"
