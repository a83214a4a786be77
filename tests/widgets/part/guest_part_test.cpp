#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <utility>

#include "app/window/main_window.h"
#include "app/window/part_list.h"
#include "core/run/run_kind.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/corridor_window/corridor_part.h"
#include "tests/support/corridor_window/corridor_walk.h"
#include "tests/support/test_program.h"
#include "tests/widgets/shown_window.h"
#include "widgets/common/commands.h"

using namespace orrery;

/// The window of a program whose list of parts is one longer: its perspective has a key, a place on
/// the rail, views, a form, a command in menus and search, a status, and comes back with the
/// session.
class GuestPartTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    test::CorridorWalk& walk() {
        auto* found = m_window->findChild<test::CorridorWalk*>();
        if (!found) qFatal("no corridor");
        return *found;
    }
    int cellNow() { return walk().spotFacts()[QStringLiteral("cell")].toInt(); }
    void open() {
        WindowOptions options;
        options.workspace = m_folder.filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled() && m_window->session().isOpen(), kPatience);
    }
    void showCorridor() {
        QTest::keyClick(m_window.get(), Qt::Key_9, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("corridor"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(walk().isVisible(), kPatience);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        std::vector<const RunKind*> kinds = ownKinds();
        kinds.push_back(&test::corridorKind());
        useKinds(std::move(kinds));
        useParts({[](Workbench& bench) { return std::make_unique<test::CorridorPart>(bench); }});
        useCommands(test::commandsWithCorridor());
    }
    void cleanupTestCase() {
        useParts({});
        useCommands(ownCommands());
        useKinds(ownKinds());
    }
    void cleanup() {
        if (m_window) m_window->closeAtOnce();
        m_window.reset();
    }

    void itsViewsFormAndCommandAreThere() {
        open();
        showCorridor();
        walk().setFocus();
        QTest::keyClick(&walk(), Qt::Key_Right);
        QTest::keyClick(&walk(), Qt::Key_Right);
        QTest::keyClick(&walk(), Qt::Key_Left);
        QCOMPARE(cellNow(), 1);
        const NamedSpot third = walk().namedSpots().at(3);
        QTest::mouseClick(&walk(), Qt::LeftButton, {}, third.rect.center());
        QCOMPARE(cellNow(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_window->findChild<QLabel*>(QStringLiteral("statusText"))->text(),
            QStringLiteral("Cell 2 of 10"), kPatience);
        // A shorter corridor ends before where one stands.
        auto* length = m_window->findChild<QLineEdit*>(QStringLiteral("corridor_length"));
        QVERIFY(length != nullptr && length->isVisible());
        length->setFocus();
        length->selectAll();
        QTest::keyClicks(length, QStringLiteral("2"));
        QCOMPARE(cellNow(), 1);
        QAction* start = m_window->commands().action(QStringLiteral("corridor.start"));
        QVERIFY(start->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(cellNow(), 0, kPatience);
        QVERIFY(!start->isEnabled());
    }

    void itComesBackWithTheSession() {
        open();
        showCorridor();
        auto* length = m_window->findChild<QLineEdit*>(QStringLiteral("corridor_length"));
        length->setFocus();
        length->selectAll();
        QTest::keyClicks(length, QStringLiteral("7"));
        for (int step = 0; step < 3; ++step) QTest::keyClick(&walk(), Qt::Key_Right);
        const int before = cellNow();
        QVERIFY(before > 0);
        cleanup();
        open();
        QCOMPARE(m_window->perspective(), QStringLiteral("corridor"));
        QCOMPARE(cellNow(), before);
        QCOMPARE(walk().spotFacts()[QStringLiteral("length")].toInt(), 7);
        length = m_window->findChild<QLineEdit*>(QStringLiteral("corridor_length"));
        QCOMPARE(length->text(), QStringLiteral("7"));
    }
};

ORRERY_WINDOW_TEST(GuestPartTest)
#include "guest_part_test.moc"
