#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/action_log.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_centre.h"
#include "widgets/frame/message_log.h"
#include "widgets/frame/session_file.h"

using namespace orrery;

/// What the window keeps of what it said and of what was done.
class MessagesTest : public QObject {
    Q_OBJECT

private:
    template <typename T>
    static T* child(QWidget& widget, const char* name) {
        T* found = widget.findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    static void show(QWidget& widget) {
        widget.resize(900, 600);
        widget.show();
        widget.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&widget, kPatience));
    }

private Q_SLOTS:
    void aMessageKeepsItsTextAndWhatCanBeDone() {
        Frame frame;
        MessageStrip* inView = nullptr;
        frame.addView({.id = QStringLiteral("one"),
                       .title = QStringLiteral("One"),
                       .icon = {},
                       .tip = QStringLiteral("A view with a strip"),
                       .make = [&inView](QWidget* parent) {
                           auto* view = new QWidget(parent);
                           auto* column = new QVBoxLayout(view);
                           inView = new MessageStrip(view);
                           inView->floatOver(view);
                           column->addStretch(1);
                           return view;
                       }});
        frame.addOwnViews();
        frame.addPerspective({.id = QStringLiteral("all"),
                              .name = QStringLiteral("All"),
                              .icon = {},
                              .tip = QStringLiteral("Everything"),
                              .centre = R"({"tabs": ["one"]})",
                              .panels = {QStringLiteral("messages")},
                              .hasTimeline = false});
        frame.setUpFrame();
        show(frame);
        QAbstractItemModelTester tester(&frame.messages(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        int numDone = 0;
        frame.say(MessageKind::Warning, QStringLiteral("The disk is full."),
                  QStringLiteral("Make space"), [&numDone] { ++numDone; });
        QTest::mouseClick(child<QPushButton>(frame.strip(), "messageAction"), Qt::LeftButton);
        QCOMPARE(numDone, 1);
        // A plain message after it has no action, and the strip no longer runs the former one.
        frame.say(MessageKind::Info, QStringLiteral("Nothing to do."));
        QVERIFY(!child<QPushButton>(frame.strip(), "messageAction")->isVisible());
        auto* act = child<QPushButton>(frame, "messageDo");
        QVERIFY(!act->isVisible());
        // The first one still has it in the panel.
        auto* table = child<QTableView>(frame, "messageTable");
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 2)).center());
        QVERIFY(act->isVisible());
        QCOMPARE(act->text(), QStringLiteral("Make space"));
        QTest::mouseClick(act, Qt::LeftButton);
        QCOMPARE(numDone, 2);
        QTest::mouseClick(child<QPushButton>(frame, "messageCopy"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("The disk is full.")));
        // What a view says in its own strip is kept with the view's name, once.
        QVERIFY(inView != nullptr);
        inView->show(MessageKind::Error, QStringLiteral("No such thing."));
        inView->show(MessageKind::Error, QStringLiteral("No such thing."));
        QCOMPARE(frame.messages().messages().size(), std::size_t(3));
        QCOMPARE(frame.messages().messages().back().where, QStringLiteral("One"));
        QCOMPARE(frame.messages().messages().back().text, QStringLiteral("No such thing."));
        inView->clear();
        inView->show(MessageKind::Error, QStringLiteral("No such thing."));
        QCOMPARE(frame.messages().messages().size(), std::size_t(4));
    }

    void aStripMovesNothingAndOneShowsAtATime() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* upper = new QPushButton(QStringLiteral("Upper"), &window);
        auto* lower = new QPushButton(QStringLiteral("Lower"), &window);
        for (QPushButton* button : {upper, lower}) {
            button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
            column->addWidget(button);
        }
        MessageStrip first(&window), second(&window);
        first.floatOver(upper);
        second.floatOver(lower);
        show(window);
        const QRect place = lower->geometry();
        first.show(MessageKind::Error, QStringLiteral("The disk is full."));
        QVERIFY(first.isVisible());
        second.show(MessageKind::Ok, QStringLiteral("Saved."));
        QVERIFY(second.isVisible() && !first.isVisible());
        QVERIFY(lower->geometry().contains(second.geometry()));
        QCOMPARE(lower->geometry(), place);
        // What it leaves behind shows again: nobody has closed it.
        second.clear();
        QTRY_VERIFY(first.isVisible());
        QCOMPARE(first.text(), QStringLiteral("The disk is full."));
        first.show(MessageKind::Error, QStringLiteral("line\n").repeated(200));
        QVERIFY(first.height() < upper->height());
    }

    void aSuccessLeavesByItselfUnlessSomebodyIsOnIt() {
        QWidget window;
        auto* field = new QLineEdit(&window);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(field);
        column->addStretch(1);
        MessageStrip strip(&window);
        strip.floatOver(&window);
        show(window);
        field->setFocus();
        strip.show(MessageKind::Error, QStringLiteral("No such file."));
        QVERIFY(!strip.isLeaving());
        strip.show(MessageKind::Ok, QStringLiteral("Saved."), QStringLiteral("Open folder"));
        QVERIFY(strip.isLeaving());
        auto* action = child<QPushButton>(strip, "messageAction");
        QTest::mouseClick(action, Qt::LeftButton);
        QVERIFY(field->hasFocus());  // a click leaves the keyboard where it is
        action->setFocus(Qt::TabFocusReason);
        QVERIFY(!strip.isLeaving());
        field->setFocus();
        QVERIFY(strip.isLeaving());
        action->setFocus(Qt::TabFocusReason);
        strip.clear();
        QVERIFY(field->hasFocus());
        strip.setStay(0);
        strip.show(MessageKind::Ok, QStringLiteral("Saved."));
        QTRY_VERIFY(!strip.isVisible());
        // What can be done about it is among the messages.
        strip.show(MessageKind::Info, QStringLiteral("It was stopped."), QStringLiteral("Resume"));
        QTRY_VERIFY(!strip.isVisible());
    }

    void aNarrowStripHasItsButtonBelowItsText() {
        QWidget window;
        MessageStrip strip(&window);
        strip.floatOver(&window);
        window.resize(800, 400);
        show(window);
        const auto* action = child<QPushButton>(strip, "messageAction");
        const auto* text = child<QLabel>(strip, "messageText");
        strip.show(MessageKind::Error, QStringLiteral("nu must be in [0, 1], got 'nan'"),
                   QStringLiteral("Show the form"));
        QTRY_VERIFY(action->x() > text->geometry().right());
        for (const int width : {160, 800}) {
            window.resize(width, 400);
            QTRY_COMPARE(action->y() > text->geometry().bottom(), width == 160);
            QTRY_VERIFY(action->width() >= action->sizeHint().width());
            QVERIFY(strip.rect().contains(action->geometry()));
        }
    }

    void anErrorThatWasClosedIsInTheMessageCentre() {
        JobList jobs;
        MessageLog log;
        QMainWindow window;
        MessageCentre centre(&jobs, &log);
        window.statusBar()->addPermanentWidget(&centre);
        show(window);
        QCOMPARE(centre.text(), QStringLiteral("Messages"));
        bool isCancelled = false;
        const int job = jobs.add(QStringLiteral("Solve it"), [&] { isCancelled = true; });
        jobs.setProgress(job, {.phase = QStringLiteral("exploring"),
                               .done = 1,
                               .total = 4,
                               .rate = QStringLiteral("85 per second"),
                               .remaining = QStringLiteral("3 s left")});
        log.add(MessageKind::Ok, QStringLiteral("Saved."));
        log.add(MessageKind::Error, QStringLiteral("The disk is full."));
        QCOMPARE(centre.text(), QStringLiteral("1 job · 1 new"));
        QTest::mouseClick(&centre, Qt::LeftButton);
        auto* lists = centre.findChild<QWidget*>(QStringLiteral("messageLists"));
        QVERIFY(lists && lists->isVisible());
        QCOMPARE(centre.text(), QStringLiteral("1 job"));
        const auto cell = [&](const char* table, int row, int column) {
            return child<QTableView>(*lists, table)->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell("messageTable", 1, 2), QStringLiteral("The disk is full."));
        QCOMPARE(cell("jobTable", 0, JobList::kRemaining), QStringLiteral("3 s left"));
        auto* cancel = child<QPushButton>(*lists, "cancelJobButton");
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(isCancelled);
        jobs.finish(job, JobList::State::Stopped, QStringLiteral("cancelled by hand"));
        QCOMPARE(cell("jobTable", 0, JobList::kRemaining), QStringLiteral("cancelled by hand"));
        QVERIFY(!cancel->isEnabled());
        QCOMPARE(centre.text(), QStringLiteral("Messages"));
        QTest::keyClick(lists, Qt::Key_Escape);
        QVERIFY(!lists->isVisible());
    }

    void theLogOffersCommandLines() {
        ActionLog log;
        QAbstractItemModelTester tester(&log,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        ActionLogPanel panel(&log);
        show(panel);
        auto* copy = child<QPushButton>(panel, "copyCommandLine");
        QVERIFY(!copy->isEnabled());
        log.add(QStringLiteral("Search V_r < 0"), {});
        QVERIFY(!copy->isEnabled());
        log.add(QStringLiteral("Solve A"), QStringLiteral("orrery solve a.yaml"));
        log.add(QStringLiteral("Solve B"), QStringLiteral("orrery solve b.yaml"));
        log.add(QStringLiteral("Search V_r < 1"), {});
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("orrery solve b.yaml"));
        auto* table = child<QTableView>(panel, "actionTable");
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(log.index(1, 1)).center());
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("orrery solve a.yaml"));
        QCOMPARE(log.lastCommand(), QStringLiteral("orrery solve b.yaml"));
    }

    void startsThatEndWhileRestoringAreCounted() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("state/session.json"));
        QCOMPARE(beginRestoring(file), 0);
        endRestoring(file);
        QCOMPARE(beginRestoring(file), 0);  // ended at once
        QCOMPARE(beginRestoring(file), 1);
        QCOMPARE(beginRestoring(file), 2);
        QString trouble;
        QVERIFY(writeSession(file, {{QStringLiteral("a"), 1}}, trouble));
        const QString aside = setSessionAside(file);
        QVERIFY(!QFile::exists(file) && QFile::exists(aside));
        endRestoring(file);
        QCOMPARE(beginRestoring(file), 0);
    }
};

ORRERY_WINDOW_TEST(MessagesTest)
#include "messages_test.moc"
