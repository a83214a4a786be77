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
};

ORRERY_WINDOW_TEST(FramePanelsTest)
#include "frame_panels_test.moc"
