#include "widgets/frame/frame.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QKeySequence>
#include <QLineEdit>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/widgets/frame/frame_bench.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/commands.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/locator.h"
#include "widgets/frame/message_log.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/side_panel.h"

using namespace orrery;

/// Perspectives, what a session restores, the locator, jobs and messages.
class FrameTest : public QObject, private FrameBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { showFrame(); }
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

    void whatAFormerVersionShowedIsNamed() {
        const QJsonObject present = m_frame->saveFrame();
        m_frame->restoreFrame(present);
        QVERIFY(m_frame->messages().messages().empty());
        auto* gone = new QDockWidget(m_frame.get());
        gone->setObjectName(SidePanel::nameOf(QStringLiteral("gone")));
        m_frame->addDockWidget(Qt::LeftDockWidgetArea, gone);
        QJsonObject former = m_frame->saveFrame();
        delete gone;
        former.insert("knownViews", QJsonArray{"alpha", "left", "gone", "never"});
        m_frame = makeFrame();
        m_frame->restoreFrame(former);
        QCOMPARE(m_frame->messages().messages().size(), std::size_t{1});
        const QString text = m_frame->messages().messages().front().text;
        QVERIFY2(text.endsWith(QStringLiteral("does not have it: gone.")), qPrintable(text));
        QVERIFY(shownPanels(*m_frame).contains(QStringLiteral("left")));
    }

    void theRailTellsTheKeysOfItsCommands() {
        m_frame->addPerspective({.id = QStringLiteral("plan"),
                                 .name = QStringLiteral("Plan"),
                                 .icon = {},
                                 .tip = QStringLiteral("Plans"),
                                 .centre = R"({"tabs": ["alpha"]})"});
        const auto* button = m_frame->findChild<QToolButton*>(QStringLiteral("rail_plan"));
        QCOMPARE(button->toolTip(), QStringLiteral("Plans (Ctrl+3)"));
        m_frame->commands().setKeys(QStringLiteral("view.plan"), {QKeySequence("Ctrl+8")});
        QCOMPARE(button->toolTip(), QStringLiteral("Plans (Ctrl+8)"));
        m_frame->commands().setKeys(QStringLiteral("view.plan"), {});
        QCOMPARE(button->toolTip(), QStringLiteral("Plans"));
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
        // Nor is it cut where the window becomes low while it is open.
        m_frame->resize(960, 800);
        QTRY_VERIFY_WITH_TIMEOUT(popup->height() > 400, kPatience);
        m_frame->resize(960, 400);
        QTRY_VERIFY_WITH_TIMEOUT(m_frame->rect().contains(popup->geometry()), kPatience);
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
