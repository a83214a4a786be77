#include <QLineEdit>
#include <QTabBar>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/frame/frame_bench.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/side_panel.h"

using namespace orrery;

/// Views and panels that are duplicated and frozen.
class FrameScopesTest : public QObject, private FrameBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { showFrame(); }
    void cleanup() { m_frame.reset(); }

    void aViewIsDuplicatedBesideItselfAndThatIsUndone() {
        m_frame->resize(1600, 700);
        QVERIFY(m_frame->duplicateView(QStringLiteral("alpha")).isEmpty());  // it has no scope
        m_frame->showView(QStringLiteral("delta"));
        m_frame->view<QLineEdit>(QStringLiteral("delta"))->setText(QStringLiteral("mine"));
        finishEvents();
        const int before = m_frame->undoStack().count();
        QCOMPARE(m_frame->duplicateView(QStringLiteral("delta")), QStringLiteral("delta~2"));
        QCOMPARE(m_frame->undoStack().count(), before + 1);
        QCOMPARE(centre().currentView(), QStringLiteral("delta~2"));
        QCOMPARE(centre().saveState().value(QStringLiteral("split")).toString(),
                 QStringLiteral("horizontal"));
        auto* copy = m_frame->view<QLineEdit>(QStringLiteral("delta~2"));
        QTRY_VERIFY_WITH_TIMEOUT(copy->isVisible(), kPatience);
        QCOMPARE(copy->text(), QStringLiteral("mine"));  // with the same choices
        QCOMPARE(copy->objectName(), QStringLiteral("delta~2"));
        QCOMPARE(m_frame->titleOf(QStringLiteral("delta~2")), QStringLiteral("DELTA 2"));
        QCOMPARE(m_frame->viewAround(copy)->id, QStringLiteral("delta"));
        QCOMPARE(m_frame->instanceAround(copy), QStringLiteral("delta~2"));
        m_frame->undoStack().undo();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta", "delta"}));
        m_frame->undoStack().redo();
        QVERIFY(centre().isOpen(QStringLiteral("delta~2")));
        QVERIFY(!m_frame->view(QStringLiteral("delta~1")));
        QVERIFY(!m_frame->view(QStringLiteral("alpha~2")));
        QVERIFY(!m_frame->view(QStringLiteral("delta~99")));
    }

    void aCopyIsMadeInOneTurnAndOpenedInTheNext() {
        m_frame->resize(1600, 700);
        m_frame->showView(QStringLiteral("delta"));
        m_frame->view<QLineEdit>(QStringLiteral("delta"))->setText(QStringLiteral("mine"));
        finishEvents();
        const auto copies = [this] {
            return m_frame->instances().filter(QStringLiteral("delta~"));
        };
        m_frame->duplicateInTurns(QStringLiteral("delta"));
        QCOMPARE(copies(), QStringList{"delta~2"});
        QVERIFY(!m_frame->isViewShown(QStringLiteral("delta~2")));
        m_frame->hideView(QStringLiteral("delta"));
        finishEvents();
        QVERIFY(!m_frame->isViewShown(QStringLiteral("delta~2")));  // of a view closed meanwhile
        m_frame->undoStack().undo();
        m_frame->duplicateInTurns(QStringLiteral("delta"));
        QTRY_VERIFY_WITH_TIMEOUT(m_frame->isViewShown(QStringLiteral("delta~2")), kPatience);
        QCOMPARE(m_frame->view<QLineEdit>(QStringLiteral("delta~2"))->text(),
                 QStringLiteral("mine"));
        // What a frozen one shows is its copy's before the copy is made.
        m_frame->setFrozen(QStringLiteral("delta~2"), true);
        m_frame->duplicateInTurns(QStringLiteral("delta~2"));
        QVERIFY(!copies().contains(QStringLiteral("delta~3")));
        QTRY_VERIFY_WITH_TIMEOUT(m_frame->isViewShown(QStringLiteral("delta~3")), kPatience);
        QVERIFY(m_frame->scope(QStringLiteral("delta~3"))->isFrozen());
        m_frame->duplicateInTurns(QStringLiteral("alpha"));  // it has no scope
        finishEvents();
        QVERIFY(!m_frame->instances().contains(QStringLiteral("alpha~2")));
    }

    void theChipFreezesAViewAndUndoLetsItFollow() {
        shownNumber() = 5;
        m_frame->resize(1600, 700);
        m_frame->showView(QStringLiteral("delta"));
        auto* chip = centre().findChild<ScopeChip*>();
        QTRY_VERIFY_WITH_TIMEOUT(chip && chip->isVisible(), kPatience);
        QCOMPARE(chip->text().trimmed(), QStringLiteral("number 5 · live"));
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(chip->text().trimmed(), QStringLiteral("number 5 · frozen"));
        QCOMPARE(m_frame->undoStack().undoText(), QStringLiteral("Freeze DELTA"));
        shownNumber() = 6;
        const auto shown = [&] {
            return static_cast<NumberScope*>(m_frame->scope(QStringLiteral("delta")))->number();
        };
        QCOMPARE(shown(), 5);
        QTabBar* bar = centre().findChild<QTabBar*>();
        QVERIFY(!bar->tabIcon(2).isNull());
        m_frame->undoStack().undo();
        QCOMPARE(shown(), 6);
        QVERIFY(bar->tabIcon(2).isNull());
        m_frame->undoStack().redo();
        QCOMPARE(shown(), 5);  // as it was, not as it is
        chip->setFocus();
        QTest::keyClick(chip, Qt::Key_Space);
        QCOMPARE(shown(), 6);
        // A view without a scope has no chip.
        m_frame->showView(QStringLiteral("alpha"));
        QVERIFY(!chip->isVisible());
        m_frame->setFrozen(QStringLiteral("alpha"), true);
        QCOMPARE(m_frame->undoStack().undoText(), QStringLiteral("Let DELTA follow"));
    }

    void aFrozenViewThatIsClosedComesBackFrozenByUndo() {
        shownNumber() = 1;
        m_frame->showView(QStringLiteral("delta"));
        m_frame->setFrozen(QStringLiteral("delta"), true);
        const QString copy = m_frame->duplicateView(QStringLiteral("delta"));
        QVERIFY(m_frame->scope(copy)->isFrozen());
        shownNumber() = 2;
        m_frame->hideView(copy);
        QVERIFY(!m_frame->scope(copy)->isFrozen());
        m_frame->undoStack().undo();
        QCOMPARE(m_frame->scope(copy)->text(), QStringLiteral("number 1"));
        m_frame->resetLayout();
        QVERIFY(!m_frame->scope(QStringLiteral("delta"))->isFrozen());
        QVERIFY(!m_frame->isViewShown(copy));
        m_frame->undoStack().undo();
        QVERIFY(m_frame->isViewShown(copy));
        QCOMPARE(m_frame->scope(copy)->text(), QStringLiteral("number 1"));
    }

    void panelsAreDuplicatedFrozenAndRestored() {
        shownNumber() = 3;
        m_frame->showView(QStringLiteral("aside"));
        const QString copy = m_frame->duplicateView(QStringLiteral("aside"));
        QCOMPARE(copy, QStringLiteral("aside~2"));
        auto* panel = m_frame->findChild<SidePanel*>(QStringLiteral("panel_aside~2"));
        QTRY_VERIFY_WITH_TIMEOUT(panel && panel->isVisible(), kPatience);
        auto* chip = panel->findChild<ScopeChip*>();
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(m_frame->scope(copy)->isFrozen());
        QVERIFY(!m_frame->scope(QStringLiteral("aside"))->isFrozen());
        m_frame->view<QLineEdit>(copy)->setText(QStringLiteral("kept"));
        m_frame->showPerspective(QStringLiteral("two"));
        QVERIFY(!panel->isVisible());
        m_frame->showPerspective(QStringLiteral("one"));
        QTRY_VERIFY_WITH_TIMEOUT(panel->isVisible(), kPatience);

        m_frame->showView(QStringLiteral("delta"));
        m_frame->duplicateView(QStringLiteral("delta"));
        const QJsonObject saved = m_frame->saveFrame();
        shownNumber() = 9;
        m_frame = makeFrame();
        m_frame->show();
        m_frame->restoreFrame(saved);
        QVERIFY(m_frame->isViewShown(copy));
        QVERIFY(centre().isOpen(QStringLiteral("delta~2")));
        QCOMPARE(m_frame->scope(copy)->text(), QStringLiteral("number 3"));
        QCOMPARE(m_frame->scope(QStringLiteral("aside"))->text(), QStringLiteral("number 9"));
        QCOMPARE(m_frame->view<QLineEdit>(copy)->text(), QStringLiteral("kept"));
        m_frame->hideView(copy);
        QVERIFY(!m_frame->isViewShown(copy));
        m_frame->undoStack().undo();
        QVERIFY(m_frame->isViewShown(copy));
    }
};

ORRERY_WINDOW_TEST(FrameScopesTest)
#include "frame_scopes_test.moc"
