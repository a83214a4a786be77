#include <QJsonArray>
#include <QSplitter>
#include <QTabBar>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/frame/frame_bench.h"
#include "widgets/frame/drop_hint.h"
#include "widgets/frame/view_tab_bar.h"

using namespace orrery;

namespace {

class CountEvents : public QObject {
public:
    CountEvents(QList<QEvent::Type> types, int* number)
        : m_types(std::move(types)), m_number(number) {}

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (m_types.contains(event->type())) ++*m_number;
        return false;
    }

private:
    QList<QEvent::Type> m_types;
    int* m_number;
};

}  // namespace

/// Tabs and groups of the centre, moved by mouse and keys and undone.
class FrameGroupsTest : public QObject, private FrameBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { showFrame(); }
    void cleanup() { m_frame.reset(); }

    void closingIsUndoneAndRedone() {
        auto* bar = m_frame->findChild<QTabBar*>();
        QWidget* button = bar->tabButton(1, QTabBar::RightSide);
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(centre().openViews(), QStringList{"alpha"});
        QCOMPARE(m_frame->undoStack().undoText(), QStringLiteral("Close BETA"));
        m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        m_frame->undoStack().redo();
        QCOMPARE(centre().openViews(), QStringList{"alpha"});
    }

    void aViewKeepsItsParentWhereverItGoes() {
        m_frame->resize(1600, 700);
        m_frame->showView(QStringLiteral("delta"));
        QWidget* delta = m_frame->view(QStringLiteral("delta"));
        const auto pageOf = [this](QWidget* view) {
            while (view->parentWidget() != &centre()) view = view->parentWidget();
            return view;
        };
        QWidget* page = pageOf(delta);
        int numMoved = 0;
        CountEvents count({QEvent::ParentChange, QEvent::Hide}, &numMoved);
        page->installEventFilter(&count);
        const QRect whole = page->geometry();
        m_frame->splitView(Qt::Horizontal);
        QTRY_VERIFY(page->geometry().left() > whole.left());
        m_frame->splitView(Qt::Vertical);  // it is alone there
        m_frame->undoStack().undo();
        QTRY_COMPARE(page->geometry(), whole);
        m_frame->duplicateView(QStringLiteral("delta"));
        m_frame->undoStack().undo();
        QTRY_COMPARE(page->geometry(), whole);
        QCOMPARE(numMoved, 0);
    }

    void undoOfAPanelLeavesTheGroups() {
        m_frame->resize(1600, 700);
        m_frame->splitView(Qt::Horizontal);
        const auto bars = [this] {
            QList<ViewTabBar*> shown;
            for (auto* bar : centre().findChildren<ViewTabBar*>())
                if (bar->isVisible()) shown << bar;
            return shown;
        };
        const QList<ViewTabBar*> before = bars();
        QCOMPARE(before.size(), 2);
        const QJsonObject state = centre().saveState();
        m_frame->hideView(QStringLiteral("right"));
        QTRY_VERIFY(centre().saveState() != state);  // there is more room
        m_frame->undoStack().undo();
        QTRY_COMPARE(centre().saveState(), state);
        QCOMPARE(bars(), before);
        m_frame->undoStack().undo();  // the split
        QTRY_COMPARE(bars().size(), 1);
    }

    void aViewLiesUnderItsTabAndTheHandleReachesIntoIt() {
        m_frame->resize(1600, 700);
        m_frame->splitView(Qt::Horizontal);
        const QSplitter* splitter = nullptr;
        for (const auto* each : centre().findChildren<QSplitter*>())
            if (each->isVisible()) splitter = each;
        QVERIFY(splitter && splitter->count() == 2);
        const int line = splitter->widget(1)->x();
        const auto isHandleAt = [&](int x) {
            const QPoint at = splitter->mapTo(&centre(), QPoint(x, splitter->height() / 2));
            return qobject_cast<QSplitterHandle*>(centre().childAt(at)) != nullptr;
        };
        QTRY_VERIFY(isHandleAt(line - 2) && isHandleAt(line + 1));
        QVERIFY(!isHandleAt(line - 10) && !isHandleAt(line + 10));
        // Dragged, the views go with it.
        QWidget* handle = splitter->handle(1);
        QTest::mousePress(handle, Qt::LeftButton, {}, QPoint(1, 300));
        QTest::mouseMove(handle, QPoint(-200, 300));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(-200, 300));
        QWidget* view = m_frame->view(centre().currentView());
        QTRY_VERIFY(view->mapTo(&centre(), QPoint()).x() < line - 150);
        QTRY_VERIFY(isHandleAt(splitter->widget(1)->x() + 1));
    }

    void aViewThatFillsTheCentreTakesTheMouse() {
        centre().restoreState({{QStringLiteral("tabs"), QJsonArray{QStringLiteral("alpha")}},
                               {QStringLiteral("bare"), true}});
        const QWidget* alpha = m_frame->view(QStringLiteral("alpha"));
        QTRY_COMPARE(centre().childAt(centre().rect().center()), alpha);
        QTRY_COMPARE(centre().childAt(0, 0), alpha);
    }

    void theKeyboardGoesFromTabToTab() {
        QWidget* alpha = m_frame->view(QStringLiteral("alpha"));
        QWidget* beta = m_frame->view(QStringLiteral("beta"));
        m_frame->showView(QStringLiteral("alpha"));
        alpha->setFocus();
        QTRY_VERIFY(alpha->hasFocus());
        m_frame->showView(QStringLiteral("beta"));
        QVERIFY(!alpha->isVisible());
        QVERIFY(beta->isVisible());
        QTRY_VERIFY(beta->hasFocus() || beta->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(centre().currentView(), QString("beta"));
    }

    void splittingMovingAndResettingAreUndone() {
        m_frame->splitView(Qt::Horizontal);
        const QJsonObject split = centre().saveState();
        QCOMPARE(split.value(QStringLiteral("parts")).toArray().size(), 2);
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        m_frame->moveViewToNextGroup();
        QVERIFY(!centre().saveState().contains(QStringLiteral("parts")));
        m_frame->hideView(QStringLiteral("alpha"));
        m_frame->resetLayout();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        QCOMPARE(centre().currentView(), QStringLiteral("beta"));
        m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), QStringList{"beta"});
        while (m_frame->undoStack().canUndo()) m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        QVERIFY(!centre().saveState().contains(QStringLiteral("parts")));
    }

    void aTabIsCarriedToASideToAnotherBarAndBack() {
        const auto bars = [this] { return centre().findChildren<ViewTabBar*>(); };
        const auto carry = [](QTabBar* bar, int tab, QWidget* over, const QPoint& to, bool drops) {
            const QPoint from = bar->tabRect(tab).center();
            QTest::mousePress(bar, Qt::LeftButton, {}, from);
            QTest::mouseMove(bar, from + QPoint(0, 6));
            QTest::mouseMove(bar, from + QPoint(0, 60));
            QTest::mouseMove(bar, bar->mapFromGlobal(over->mapToGlobal(to)));
            if (drops)
                QTest::mouseRelease(bar, Qt::LeftButton, {},
                                    bar->mapFromGlobal(over->mapToGlobal(to)));
        };
        auto* hint = centre().findChild<DropHint*>(QStringLiteral("dropHint"));
        QCOMPARE(bars().size(), 1);
        QWidget* alpha = m_frame->view(QStringLiteral("alpha"));
        const QSize whole = centre().size();

        // Put back by Escape: nothing has changed.
        carry(bars().first(), 0, &centre(), {whole.width() - 20, whole.height() / 2}, false);
        QVERIFY(hint->isVisible());
        QVERIFY(std::abs(hint->width() - whole.width() / 2) <= 2);
        QTest::keyClick(bars().first(), Qt::Key_Escape);
        QVERIFY(!hint->isVisible());
        QTest::mouseRelease(bars().first(), Qt::LeftButton);
        QVERIFY(!centre().saveState().contains(QStringLiteral("parts")));
        QVERIFY(!m_frame->undoStack().canUndo());

        carry(bars().first(), 0, &centre(), {whole.width() - 20, whole.height() / 2}, true);
        const QJsonObject split = centre().saveState();
        QCOMPARE(split.value(QStringLiteral("split")).toString(), QStringLiteral("horizontal"));
        QCOMPARE(centre().openViews(), (QStringList{"beta", "alpha"}));
        QCOMPARE(centre().currentView(), QStringLiteral("alpha"));
        QCOMPARE(m_frame->undoStack().undoText(), QStringLiteral("Move view"));
        QTRY_VERIFY_WITH_TIMEOUT(alpha->isVisible(), kPatience);

        // Onto the other bar, before its tab.
        QTabBar* left = nullptr;
        QTabBar* right = nullptr;
        for (ViewTabBar* bar : bars())
            if (bar->isVisible())
                (bar->tabText(0) == m_frame->views()[0].title ? right : left) = bar;
        QVERIFY(left && right);
        carry(right, 0, left, left->tabRect(0).center(), true);
        QVERIFY(!centre().saveState().contains(QStringLiteral("parts")));
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), (QStringList{"beta", "alpha"}));
        m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
    }
};

ORRERY_WINDOW_TEST(FrameGroupsTest)
#include "frame_groups_test.moc"
