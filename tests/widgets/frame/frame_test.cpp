#include "widgets/frame/frame.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QSplitter>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/commands.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/ui_dump.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/drop_hint.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/locator.h"
#include "widgets/frame/message_log.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/side_panel.h"
#include "widgets/frame/view_scope.h"
#include "widgets/frame/view_tab_bar.h"

using namespace orrery;

namespace {

/// A view that keeps one number.
class Counter : public QLineEdit, public KeepsState {
public:
    using QLineEdit::QLineEdit;
    QJsonObject saveState() const override { return {{QStringLiteral("text"), text()}}; }
    void restoreState(const QJsonObject& state) override {
        setText(state.value(QStringLiteral("text")).toString());
    }
};

/// Shows a number that all scopes share, or the one that stood when it was frozen.
class NumberScope : public ViewScope {
public:
    NumberScope(const int* common, QObject* parent) : ViewScope(parent), m_common(common) {}
    int number() const { return m_kept.value_or(*m_common); }
    QString text() const override { return QStringLiteral("number %1").arg(number()); }
    QString shortText() const override { return QString::number(number()); }
    bool isFrozen() const override { return m_kept.has_value(); }
    void setFrozen(bool isFrozen) override {
        keep(isFrozen ? std::optional(number()) : std::nullopt);
    }
    Memento memento() const override {
        return [kept = m_kept](ViewScope& scope) { static_cast<NumberScope&>(scope).keep(kept); };
    }
    QJsonObject saveState() const override {
        return m_kept ? QJsonObject{{QStringLiteral("kept"), *m_kept}} : QJsonObject();
    }
    void restoreState(const QJsonObject& state) override {
        keep(state.value(QStringLiteral("kept")).toInt());
    }

private:
    void keep(std::optional<int> number) {
        m_kept = number;
        Q_EMIT changed();
    }

    const int* m_common;
    std::optional<int> m_kept;
};

/// What the views of NumberScope show.
int& shownNumber() {
    static int kNumber = 0;
    return kNumber;
}

void addScopedView(Frame& frame, const char* name, ViewPlace place) {
    frame.addView(
        {.id = QLatin1String(name),
         .title = QLatin1String(name).toString().toUpper(),
         .icon = {},
         .tip = QStringLiteral("A view that can be frozen"),
         .place = place,
         .makeScope = [](QObject* parent) { return new NumberScope(&shownNumber(), parent); },
         .makeScoped =
             [name](ViewScope&, int number, QWidget* parent) {
                 auto* view = new Counter(parent);
                 view->setObjectName(QLatin1String(name));
                 view->setText(QStringLiteral("made %1").arg(number));
                 return view;
             }});
}

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

std::unique_ptr<Frame> makeFrame() {
    auto frame = std::make_unique<Frame>();
    for (const char* name : {"alpha", "beta", "gamma"})
        frame->addView({.id = QLatin1String(name),
                        .title = QLatin1String(name).toString().toUpper(),
                        .icon = {},
                        .tip = QStringLiteral("A view"),
                        .make = [name](QWidget* parent) {
                            auto* view = new Counter(parent);
                            view->setObjectName(QLatin1String(name));
                            return view;
                        }});
    for (const auto& [name, place] :
         {std::pair{"left", ViewPlace::Left}, std::pair{"right", ViewPlace::Right}})
        frame->addView(
            {.id = QLatin1String(name),
             .title = QLatin1String(name),
             .icon = {},
             .tip = QStringLiteral("A panel"),
             .place = place,
             .make = [](QWidget* parent) { return new QLabel(QStringLiteral("x"), parent); }});
    addScopedView(*frame, "delta", ViewPlace::Centre);
    addScopedView(*frame, "aside", ViewPlace::Right);
    frame->addOwnViews();
    frame->addPerspective({.id = QStringLiteral("one"),
                           .name = QStringLiteral("One"),
                           .icon = {},
                           .tip = {},
                           .centre = R"({"tabs": ["alpha", "beta"], "current": "beta"})",
                           .panels = {QStringLiteral("left"), QStringLiteral("right")}});
    frame->addPerspective(
        {.id = QStringLiteral("two"),
         .name = QStringLiteral("Two"),
         .icon = {},
         .tip = {},
         .centre = R"({"split": "vertical", "sizes": [100, 300],
                       "parts": [{"tabs": ["gamma"]}, {"tabs": ["alpha"]}]})",
         .panels = {QStringLiteral("right"), QStringLiteral("jobs"), QStringLiteral("messages")}});
    frame->setUpFrame();
    frame->resize(1000, 700);
    return frame;
}

QStringList shownPanels(const Frame& frame) {
    QStringList shown;
    for (const ViewSpec& spec : frame.views())
        if (spec.place != ViewPlace::Centre && frame.isViewShown(spec.id)) shown << spec.id;
    return shown;
}

}  // namespace

class FrameTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Frame> m_frame;
    CentreArea& centre() { return m_frame->centre(); }

private Q_SLOTS:
    void init() {
        m_frame = makeFrame();
        m_frame->show();
        m_frame->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_frame.get(), kPatience));
    }
    void cleanup() { m_frame.reset(); }

    void perspectivesShowTheirViewsAndKeepWhatWasChanged() {
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        QCOMPARE(centre().currentView(), QStringLiteral("beta"));
        QCOMPARE(shownPanels(*m_frame), (QStringList{"left", "right"}));
        QTest::mouseClick(m_frame->findChild<QToolButton*>(QStringLiteral("rail_two")),
                          Qt::LeftButton);
        QCOMPARE(m_frame->perspective(), QStringLiteral("two"));
        QCOMPARE(centre().openViews(), (QStringList{"gamma", "alpha"}));
        QCOMPARE(shownPanels(*m_frame), (QStringList{"right", "jobs", "messages"}));
        m_frame->hideView(QStringLiteral("gamma"));
        QTest::mouseClick(m_frame->findChild<QToolButton*>(QStringLiteral("rail_one")),
                          Qt::LeftButton);
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        m_frame->showPerspective(QStringLiteral("two"));
        QCOMPARE(centre().openViews(), QStringList{"alpha"});
    }

    void aViewIsOneWidgetInEveryPerspective() {
        auto* alpha = m_frame->view<QLineEdit>(QStringLiteral("alpha"));
        alpha->setText(QStringLiteral("kept"));
        m_frame->showPerspective(QStringLiteral("two"));
        QCOMPARE(m_frame->view(QStringLiteral("alpha")), alpha);
        QTRY_VERIFY_WITH_TIMEOUT(alpha->isVisible(), kPatience);
        QCOMPARE(alpha->text(), QStringLiteral("kept"));
        QVERIFY(!m_frame->view(QStringLiteral("beta"))->isVisible());
    }

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

    void severalStepsAtOnceArrangeOnceAndLeaveNoPerspectiveOut() {
        const QJsonObject one = centre().saveState();
        m_frame->splitView(Qt::Horizontal);
        m_frame->moveViewToNextGroup();
        m_frame->hideView(QStringLiteral("alpha"));
        const QJsonObject left = centre().saveState();
        m_frame->showPerspective(QStringLiteral("two"));
        const QJsonObject two = centre().saveState();
        m_frame->hideView(QStringLiteral("gamma"));
        const QJsonObject closed = centre().saveState();
        QVERIFY(closed != two);
        int numShown = 0;
        connect(m_frame.get(), &Frame::perspectiveChanged, this, [&numShown] { ++numShown; });
        m_frame->undoStack().setIndex(0);
        QCOMPARE(numShown, 1);
        QCOMPARE(m_frame->perspective(), QStringLiteral("one"));
        QCOMPARE(centre().saveState(), one);
        m_frame->showPerspective(QStringLiteral("two"));
        QCOMPARE(centre().saveState(), two);
        m_frame->undoStack().setIndex(m_frame->undoStack().count());
        QCOMPARE(centre().saveState(), closed);
        m_frame->showPerspective(QStringLiteral("one"));
        QCOMPARE(centre().saveState(), left);
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

    void aWholeWindowIsRestored() {
        m_frame->view<QLineEdit>(QStringLiteral("alpha"))->setText(QStringLiteral("seven"));
        m_frame->splitView(Qt::Vertical);
        m_frame->hideView(QStringLiteral("left"));
        m_frame->showPerspective(QStringLiteral("two"));
        m_frame->showView(QStringLiteral("beta"));
        const QJsonObject saved = m_frame->saveFrame();
        m_frame = makeFrame();
        m_frame->show();
        m_frame->restoreFrame(saved);
        QCOMPARE(m_frame->perspective(), QStringLiteral("two"));
        QCOMPARE(centre().openViews().size(), 3);
        QCOMPARE(m_frame->view<QLineEdit>(QStringLiteral("alpha"))->text(),
                 QStringLiteral("seven"));
        m_frame->showPerspective(QStringLiteral("one"));
        QCOMPARE(shownPanels(*m_frame), QStringList{"right"});
        QCOMPARE(centre().saveState().value(QStringLiteral("split")).toString(),
                 QStringLiteral("vertical"));
        QVERIFY(!m_frame->undoStack().canUndo());
    }

    void sizesOutliveAStartThatShowsAnotherPerspective() {
        const QSize size(1000, 700);
        m_frame->resize(size);
        m_frame->splitView(Qt::Vertical);
        auto* split = centre().findChild<QSplitter*>();
        QVERIFY(split != nullptr);
        split->setSizes({300, 100});
        finishEvents();
        const auto sizes = [&] { return centre().saveState().value(u"sizes").toArray(); };
        const QJsonArray before = sizes();
        QVERIFY(before[0].toInt() > 2 * before[1].toInt());
        const QJsonObject saved = m_frame->saveFrame();
        m_frame = makeFrame();
        m_frame->resize(size);
        m_frame->restoreFrame(saved);
        m_frame->showPerspective(QStringLiteral("two"));  // as for a world that is named
        m_frame->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_frame.get(), kPatience));
        m_frame->showPerspective(QStringLiteral("one"));
        finishEvents();
        QCOMPARE(sizes(), before);
    }

    void aStrangeStateLeavesAUsableWindow_data() {
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("empty") << QByteArray("{}");
        QTest::newRow("other version") << QByteArray(R"({"version": 99})");
        QTest::newRow("unknown views")
            << QByteArray(R"({"version": 1, "perspective": "one", "arrangements": {"one":
                {"panels": "AAAA", "centre": {"tabs": ["nobody"]}}}})");
        QTest::newRow("an unknown view beside a known one")
            << QByteArray(R"({"version": 1, "perspective": "none", "arrangements": {"one":
                {"centre": {"split": "horizontal", "parts": [{"tabs": ["nobody"]},
                            {"tabs": ["alpha", "alpha"]}]}}}})");
        QByteArray deep = R"({"tabs": ["alpha"]})";
        for (int i = 0; i < 40; ++i) deep = R"({"split": "vertical", "parts": [)" + deep + "]}";
        QTest::newRow("deeply nested")
            << R"({"version": 1, "arrangements": {"one": {"centre": )" + deep + "}}}";
    }
    void aStrangeStateLeavesAUsableWindow() {
        QFETCH(QByteArray, state);
        m_frame->restoreFrame(QJsonDocument::fromJson(state).object());
        QCOMPARE(m_frame->perspective(), QStringLiteral("one"));
        m_frame->showView(QStringLiteral("gamma"));
        QVERIFY(m_frame->view(QStringLiteral("gamma"))->isVisible());
        m_frame->resetLayout();
        QCOMPARE(centre().openViews(), (QStringList{"alpha", "beta"}));
        QCOMPARE(shownPanels(*m_frame), (QStringList{"left", "right"}));
    }

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

    /// Qt keeps a layout that does not fit a window yet which is going to fill the screen.
    void theLayoutOfALargerScreenIsRestoredInASmallerOne() {
        m_frame->resize(2400, 1600);
        m_frame->showPerspective(QStringLiteral("two"));
        m_frame->showPerspective(QStringLiteral("one"));
        m_frame->resizeDocks({m_frame->findChild<QDockWidget*>("panel_left"),
                              m_frame->findChild<QDockWidget*>("panel_right")},
                             {1000, 1000}, Qt::Horizontal);
        const QJsonObject saved = m_frame->saveFrame();
        for (const char* perspective : {"one", "two"}) {
            QJsonObject other = saved;
            other.insert("perspective", perspective);
            m_frame = makeFrame();
            m_frame->resize(700, 500);
            m_frame->setWindowState(Qt::WindowMaximized);
            m_frame->restoreFrame(other);
            m_frame->show();
            for (int i = 0; i < 3; ++i)
                for (const char* next : {"two", "one"}) {
                    m_frame->resize(800 + 50 * i, 520);
                    m_frame->showPerspective(QLatin1String(next));
                    const auto isInside = [this] {
                        for (const QDockWidget* panel : m_frame->findChildren<QDockWidget*>())
                            if (!panel->visibleRegion().isEmpty() &&  // not behind a tab
                                !m_frame->rect().contains(panel->geometry()))
                                return false;
                        return true;
                    };
                    QTRY_VERIFY_WITH_TIMEOUT(isInside(), kPatience);
                    m_frame->resetLayout();
                    QCoreApplication::sendPostedEvents();
                }
            QVERIFY(m_frame->isViewShown(QStringLiteral("left")));
        }
    }

    void theListOfTheLocatorFitsALowWindow() {
        m_frame->resize(960, 400);
        Locator locator(m_frame.get());
        locator.addSource({QStringLiteral(">"), QStringLiteral("commands"), [](const QString&) {
                               return std::vector<LocatorItem>(
                                   30, {QStringLiteral("Solve"), {}, {}, true, [] {}});
                           }});
        locator.setGeometry(500, 10, 200, 30);
        locator.show();
        locator.open();
        const auto* popup = m_frame->findChild<QWidget*>(QStringLiteral("locatorPopup"));
        QTRY_VERIFY_WITH_TIMEOUT(popup && popup->isVisible(), kPatience);
        QVERIFY(m_frame->rect().contains(popup->geometry()));
    }

    void theLocatorFindsByPartsOfNamesAndRunsByEnter() {
        Locator locator(m_frame.get());
        int numRuns = 0;
        locator.addSource(
            {QStringLiteral(">"), QStringLiteral("commands"), [&](const QString&) {
                 return std::vector<LocatorItem>{
                     {QStringLiteral("Reset layout"),
                      QStringLiteral("Window"),
                      {},
                      true,
                      [&] { ++numRuns; }},
                     {QStringLiteral("Solve"), QStringLiteral("why not"), {}, false, [&] {
                          numRuns += 100;
                      }}};
             }});
        locator.resize(200, 30);
        locator.show();
        locator.open();
        QVERIFY(QTest::qWaitFor([&] { return locator.hasFocus(); }, kPatience));
        QTest::keyClicks(&locator, QStringLiteral("relay"));
        QTest::keyClick(&locator, Qt::Key_Return);
        QCOMPARE(numRuns, 1);
        QCOMPARE(locator.recent(), QStringList{"Reset layout"});
        locator.open(QStringLiteral("> "));
        QTest::keyClicks(&locator, QStringLiteral("solve"));
        QTest::keyClick(&locator, Qt::Key_Return);  // disabled: says why and does nothing
        QCOMPARE(numRuns, 1);
        QTest::keyClick(&locator, Qt::Key_Escape);
        QVERIFY(locator.text().isEmpty());
    }

    void jobsAndMessagesAreProperModels() {
        QAbstractItemModelTester jobsTester(&m_frame->jobs(),
                                            QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester messagesTester(
            &m_frame->messages(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        bool isCancelled = false;
        JobList& jobs = m_frame->jobs();
        const int first = jobs.add(QStringLiteral("Solve"), [&] { isCancelled = true; });
        const int second = jobs.add(QStringLiteral("Export"), {});
        jobs.setProgress(first, {.phase = QStringLiteral("Explore"), .done = 1, .total = 4});
        QCOMPARE(jobs.index(1, JobList::kProgress).data().toString(), QStringLiteral("25 %"));
        QCOMPARE(jobs.numLive(), 2);
        jobs.finish(second, JobList::State::Done, QStringLiteral("done in 1.0 s"));
        QCOMPARE(jobs.numLive(), 1);
        jobs.cancel(0);
        QVERIFY(!isCancelled);
        jobs.cancel(1);
        QVERIFY(isCancelled);
        m_frame->say(MessageKind::Warning, QStringLiteral("Mind the gap"));
        QCOMPARE(m_frame->messages().messages().size(), std::size_t{1});
        QVERIFY(m_frame->strip().isVisible());
    }

    void aBrokenSessionIsSetAside() {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("deep/session.json"));
        QString trouble;
        QVERIFY(readSession(name, trouble).isEmpty());
        QVERIFY(trouble.isEmpty());
        QVERIFY(writeSession(name, {{QStringLiteral("a"), 1}}, trouble));
        QCOMPARE(readSession(name, trouble).value(QStringLiteral("a")).toInt(), 1);
        QVERIFY(trouble.isEmpty());
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"version\": 1, ");
        file.close();
        QVERIFY(readSession(name, trouble).isEmpty());
        QVERIFY2(trouble.contains(name + QStringLiteral(".broken")), qPrintable(trouble));
        QVERIFY(QFile::exists(name + QStringLiteral(".broken")));
        QVERIFY(!QFile::exists(name));
    }
};

ORRERY_WINDOW_TEST(FrameTest)
#include "frame_test.moc"
