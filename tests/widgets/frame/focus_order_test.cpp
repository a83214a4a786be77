#include "widgets/frame/focus_order.h"

#include <QApplication>
#include <QButtonGroup>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/view_slot.h"

using namespace orrery;

namespace {

QLineEdit* field(QWidget* parent, const char* name, const QRect& place) {
    auto* made = new QLineEdit(parent);
    made->setObjectName(QLatin1String(name));
    made->setGeometry(place);
    return made;
}

QStringList namesOf(const QList<QWidget*>& widgets) {
    QStringList names;
    for (const QWidget* widget : widgets) names << widget->objectName();
    return names;
}

QString focused() {
    const QWidget* now = QApplication::focusWidget();
    return now ? now->objectName() : QString();
}

/// A panel with two fields.
QWidget* makePair(QWidget* parent, const QString& name) {
    auto* pair = new QWidget(parent);
    auto* column = new QVBoxLayout(pair);
    for (const char* part : {"Top", "Bottom"}) {
        auto* made = new QLineEdit(pair);
        made->setObjectName(name + QLatin1String(part));
        column->addWidget(made);
    }
    return pair;
}

std::unique_ptr<Frame> makeFieldFrame() {
    auto frame = std::make_unique<Frame>();
    for (const char* name : {"alpha", "beta"})
        frame->addView({.id = QLatin1String(name),
                        .title = QLatin1String(name),
                        .icon = {},
                        .tip = QStringLiteral("A view"),
                        .make = [name](QWidget* parent) {
                            auto* view = new QLineEdit(parent);
                            view->setObjectName(QLatin1String(name));
                            return view;
                        }});
    // Made in the opposite order to that of the picture.
    for (const auto& [name, place] :
         {std::pair{"right", ViewPlace::Right}, std::pair{"left", ViewPlace::Left}})
        frame->addView(
            {.id = QLatin1String(name),
             .title = QLatin1String(name),
             .icon = {},
             .tip = QStringLiteral("A panel"),
             .place = place,
             .make = [id = QLatin1String(name)](QWidget* parent) { return makePair(parent, id); }});
    frame->addPerspective({.id = QStringLiteral("one"),
                           .name = QStringLiteral("One"),
                           .icon = {},
                           .tip = {},
                           .centre = R"({"tabs": ["alpha"], "bare": true})",
                           .panels = {QStringLiteral("left"), QStringLiteral("right")}});
    frame->addPerspective({.id = QStringLiteral("two"),
                           .name = QStringLiteral("Two"),
                           .icon = {},
                           .tip = {},
                           .centre = R"({"tabs": ["beta"], "bare": true})"});
    frame->setUpFrame();
    frame->resize(1000, 700);
    return frame;
}

}  // namespace

class FocusOrderTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Frame> m_frame;

    void activate(QWidget* window) {
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window, kPatience));
    }
    QWidget* child(const char* name) {
        auto* found = m_frame->findChild<QWidget*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    /// Where Tab leads to, one after the other, until it is at the start again.
    QStringList goRound(Qt::Key key) {
        QStringList names;
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(QApplication::focusWidget(), key);
            if (!names.isEmpty() && focused() == names.first()) return names;
            names << focused();
        }
        return names;
    }

private Q_SLOTS:
    void init() {
        m_frame = makeFieldFrame();
        m_frame->show();
        activate(m_frame.get());
    }
    void cleanup() { m_frame.reset(); }

    void rowsAreReadFromTopToBottomAndFromLeftToRight() {
        QWidget part;
        part.resize(400, 300);
        field(&part, "third", QRect(10, 60, 100, 24));
        field(&part, "second", QRect(150, 8, 100, 28));
        field(&part, "first", QRect(10, 10, 100, 24));
        field(&part, "fourth", QRect(150, 62, 100, 24));
        QCOMPARE(namesOf(tabStops(part)), (QStringList{"first", "second", "third", "fourth"}));
    }

    void containersAreReadOneAfterTheOther() {
        QWidget part;
        part.resize(400, 300);
        auto* right = new QWidget(&part);
        right->setGeometry(200, 0, 200, 300);
        auto* left = new QWidget(&part);
        left->setGeometry(0, 0, 201, 300);  // a pixel is shared
        field(right, "c", QRect(10, 10, 100, 24));
        field(right, "d", QRect(10, 110, 100, 24));
        field(left, "b", QRect(10, 110, 100, 24));
        field(left, "a", QRect(10, 60, 100, 24));
        QCOMPARE(namesOf(tabStops(part)), (QStringList{"a", "b", "c", "d"}));
        // What lies over them comes at last.
        QLineEdit* over = field(&part, "over", QRect(150, 20, 100, 60));
        over->raise();
        QCOMPARE(namesOf(tabStops(part)), (QStringList{"a", "b", "c", "d", "over"}));
    }

    void whatCannotBeUsedIsLeftOut() {
        QWidget part;
        part.resize(400, 300);
        field(&part, "a", QRect(10, 10, 100, 24));
        field(&part, "hidden", QRect(10, 50, 100, 24))->hide();
        QLineEdit* disabled = field(&part, "disabled", QRect(10, 90, 100, 24));
        disabled->setEnabled(false);
        field(&part, "byMouse", QRect(10, 130, 100, 24))->setFocusPolicy(Qt::ClickFocus);
        field(&part, "b", QRect(10, 170, 100, 24));
        QCOMPARE(namesOf(tabStops(part)), (QStringList{"a", "b"}));
        QCOMPARE(namesOf(tabStops(part, disabled)), (QStringList{"a", "disabled", "b"}));
    }

    void aPlaceWhoseViewWasTakenHasNoStops() {
        QWidget part;
        part.resize(400, 300);
        QWidget view(&part);
        view.setGeometry(0, 0, 400, 300);
        field(&view, "a", QRect(10, 10, 100, 24));
        auto* slot = new ViewSlot(&view, QStringLiteral("view"));
        slot->setParent(&part);
        QCOMPARE(namesOf(tabStops(*slot)), QStringList{"a"});
        slot->release();
        QVERIFY(tabStops(*slot).isEmpty());
    }

    void ofButtonsThatExcludeEachOtherTabStopsAtTheChosenOne() {
        QWidget part;
        part.resize(400, 100);
        QButtonGroup group;
        QList<QPushButton*> buttons;
        for (int i = 0; i < 3; ++i) {
            buttons << new QPushButton(&part);
            buttons[i]->setObjectName(QString::number(i));
            buttons[i]->setGeometry(10 + 100 * i, 10, 80, 24);
            buttons[i]->setCheckable(true);
            group.addButton(buttons[i]);
        }
        QCOMPARE(tabStops(part).size(), 3);  // none is chosen
        buttons[0]->setChecked(true);
        buttons[2]->setChecked(true);
        QCOMPARE(namesOf(tabStops(part)), QStringList{"2"});
    }

    void anAreaIsAStopOnlyWhileItScrollsAndTabBringsWhatItHoldsIntoSight() {
        QScrollArea area;
        area.setObjectName(QStringLiteral("area"));
        auto* page = new QWidget;
        area.setWidget(page);
        page->resize(100, 90);
        QLineEdit* far = field(page, "far", QRect(10, 50, 80, 24));
        area.resize(300, 200);
        QWidget around;
        area.setParent(&around);
        around.resize(300, 200);
        around.show();
        QCOMPARE(namesOf(tabStops(around)), QStringList{"far"});
        page->resize(100, 2000);
        far->move(10, 1900);
        QTRY_COMPARE_WITH_TIMEOUT(namesOf(tabStops(around)), (QStringList{"area", "far"}),
                                  kPatience);
        giveKeyboard(far, Qt::TabFocusReason);
        QVERIFY(area.verticalScrollBar()->value() > 1600);
        QVERIFY(area.viewport()->rect().contains(
            QRect(far->mapTo(area.viewport(), QPoint()), far->size())));
        area.setParent(nullptr);
    }

    void tabGoesThroughTheWindowAsItsPictureIsRead() {
        child("alpha")->setFocus();
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("alpha"), kPatience);
        const QStringList forth = goRound(Qt::Key_Tab);
        QCOMPARE(forth.filter(QRegularExpression(QStringLiteral("Top|Bottom|alpha|rail"))),
                 (QStringList{"rightTop", "rightBottom", "rail_one", "rail_two", "leftTop",
                              "leftBottom", "alpha"}));
        child("alpha")->setFocus();
        QStringList back = goRound(Qt::Key_Backtab);
        QCOMPARE(back.size(), forth.size());
        std::ranges::reverse(back);
        QCOMPARE(back.first(), forth.last());
        back.move(0, back.size() - 1);
        QCOMPARE(back, forth);
    }

    void aPerspectiveGivesTheKeyboardToItsMainView() {
        QTest::mouseClick(child("rail_two"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("beta"), kPatience);
        m_frame->showPerspective(QStringLiteral("one"));
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("alpha"), kPatience);
        // Once more: from a panel back to the view.
        child("leftTop")->setFocus();
        m_frame->showPerspective(QStringLiteral("one"));
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("alpha"), kPatience);
    }

    void aDialogAndWhatLiesOverTheViewsKeepTheKeyboard() {
        QDialog dialog(m_frame.get());
        auto* edit = new QLineEdit(&dialog);
        dialog.show();
        activate(&dialog);
        edit->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(edit->hasFocus(), kPatience);
        m_frame->showPerspective(QStringLiteral("two"));
        QVERIFY(edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("kept"));
        QCOMPARE(edit->text(), QStringLiteral("kept"));
        dialog.close();
        activate(m_frame.get());
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("beta"), kPatience);
        auto* note = new QPushButton(QStringLiteral("Next"), m_frame.get());
        note->setObjectName(QStringLiteral("note"));
        note->setGeometry(300, 300, 90, 30);
        note->show();
        note->setFocus();
        m_frame->showPerspective(QStringLiteral("one"));
        QCOMPARE(focused(), QStringLiteral("note"));
    }

    void closingAPanelByKeysLeavesTheKeyboardInTheWindow() {
        child("panelClose_left")->setFocus();
        QTest::keyClick(child("panelClose_left"), Qt::Key_Space);
        QVERIFY(!m_frame->isViewShown(QStringLiteral("left")));
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::focusWidget() != nullptr, kPatience);
        QVERIFY(QApplication::focusWidget()->isVisible());
        m_frame->undoStack().undo();
        QVERIFY(m_frame->isViewShown(QStringLiteral("left")));
        QVERIFY(QApplication::focusWidget() && QApplication::focusWidget()->isVisible());
    }

    void oneStepLeadsFromPanelToPanelAndBackToTheSamePlace() {
        child("leftBottom")->setFocus();
        m_frame->focusNextArea(true);
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("alpha"), kPatience);
        m_frame->focusNextArea(true);
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("rightTop"), kPatience);
        m_frame->focusNextArea(false);
        m_frame->focusNextArea(false);
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("leftBottom"), kPatience);
    }
};

ORRERY_WINDOW_TEST(FocusOrderTest)
#include "focus_order_test.moc"
