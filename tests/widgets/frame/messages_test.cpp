#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/action_log.h"
#include "widgets/frame/frame.h"
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
                           column->addWidget(inView);
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
