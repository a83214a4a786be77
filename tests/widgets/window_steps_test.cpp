#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>
#include <QTest>
#include <QUndoStack>
#include <QWheelEvent>
#include <ctime>
#include <fstream>
#include <random>

#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/row_list.h"
#include "widgets/frame/centre_area.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/palette.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/world_editor.h"

using namespace orrery;

/// What a person does one after the other: changes and their undoing, worlds, editing.
class WindowStepsTest : public QObject, private WindowBench {
    Q_OBJECT

private:
    WorldEditor& editor() { return *m_window->findChild<WorldEditor*>(); }
    void paint(const QPoint& cell, const char* code) {
        WorldSpec spec = editor().spec();
        paintCells(spec, {cell}, code, {});
        editor().change(QStringLiteral("Paint"), std::move(spec));
    }
    void run(const char* command) {
        m_window->commands().action(QLatin1String(command))->trigger();
    }

private Q_SLOTS:
    void init() { makeWindow(worldFile()); }
    void cleanup() { m_window.reset(); }

    /// It was solved under a name that its file does not have.
    void aRunComesBackUnderTheNameOfItsWorld() {
        const QByteArray home = qgetenv("XDG_STATE_HOME");
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        startAgain(worldFile());
        WorldSpec spec = editor().spec();
        spec->metadata.name = "Renamed";
        editor().change(QStringLiteral("Rename"), std::move(spec));
        QTRY_COMPARE_WITH_TIMEOUT(session().loaded().title, QStringLiteral("Renamed"), kPatience);
        solveByButton();
        const QString id = session().runId();
        m_window->undoStack().undo();
        QVERIFY(!editor().isModified());
        m_window->openWorld(QStringLiteral("builtin:first_steps"));
        QTRY_COMPARE_WITH_TIMEOUT(session().loaded().title, QStringLiteral("First steps"),
                                  kPatience);
        m_window->archive().reopen(id);
        QTRY_COMPARE_WITH_TIMEOUT(session().loaded().title, QStringLiteral("Renamed"), kPatience);
        m_window->close();
        startAgain({});
        QTRY_COMPARE_WITH_TIMEOUT(session().runId(), id, kPatience);
        QCOMPARE(session().loaded().title, QStringLiteral("Renamed"));
        m_window->close();
        m_window.reset();
        qputenv("XDG_STATE_HOME", home);
    }

    /// The view rate once named a run in a breadcrumb that was not there yet.
    void theWindowStartsWithEverySettingChanged() {
        WindowOptions options;
        options.workspace = m_folder.filePath(QStringLiteral("settings.orrery")).toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("changed.ini"));
        QHash<QString, QVariant> wanted;
        for (const SettingSpec& spec : settingTable()) {
            const QVariant standard = settingDefault(spec);
            QVariant other;
            if (spec.type == SettingType::Flag) other = !standard.toBool();
            if (spec.type == SettingType::Choice)
                other = QString::fromLatin1(spec.choices).section(u'|', -1);
            if (spec.type == SettingType::Integer || spec.type == SettingType::Number)
                other = standard.toDouble() == spec.low ? spec.low + 1 : spec.low;
            if (other.isValid()) wanted.insert(QString::fromLatin1(spec.key), other);
        }
        const auto holdAll = [&] {
            const Preferences kept(options.preferencesFile);
            for (auto it = wanted.cbegin(); it != wanted.cend(); ++it)
                QVERIFY2(kept.value(it.key()) == *it, qPrintable(it.key()));
        };
        {
            Preferences preferences(options.preferencesFile);
            for (auto it = wanted.cbegin(); it != wanted.cend(); ++it)
                QVERIFY2(preferences.setValue(it.key(), *it), qPrintable(it.key()));
        }
        m_window = std::make_unique<MainWindow>(options);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        holdAll();
        m_window->close();
        holdAll();
    }

    void aSolvedWorldIsFollowedByOneWithMoreHumans() {
        makeWindow(QStringLiteral("builtin:first_steps"));
        solveByButton();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        m_window->openWorld(QStringLiteral("builtin:two_in_niches"));
        QTRY_VERIFY_WITH_TIMEOUT(
            session().loaded().name == "builtin:two_in_niches" && m_window->isSettled(), kPatience);
        std::size_t numGoals = 0;
        for (const HumanGoals& human : session().world().goals()) numGoals += human.goals.size();
        QCOMPARE(static_cast<std::size_t>(child<RowList>("goalList")->model()->rowCount()),
                 numGoals);
        QVERIFY(!child<QAction>("go.back")->isEnabled());
    }

    /// Edits, layout and selections in turn, then clicks anywhere in the list of changes.
    void aClickInTheUndoHistoryGoesThere() {
        solveByButton();
        QUndoStack& stack = m_window->undoStack();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        std::vector<std::string> worlds{session().world().contentHash()};
        const auto note = [&] {
            if (static_cast<std::size_t>(stack.index()) == worlds.size())
                worlds.push_back(session().world().contentHash());
        };
        for (const QPoint& cell : {QPoint(2, 1), QPoint(1, 2), QPoint(2, 2)}) {
            paint(cell, "We");
            note();
            m_window->selection().setCurrent(CellItem{cell.x(), cell.y()});
            session().step();
            m_window->hideView(QStringLiteral("inspector"));
            note();
            m_window->showView(QStringLiteral("inspector"));
            note();
            session().restart();
            m_window->duplicateView(QStringLiteral("world"));
            note();
        }
        QCOMPARE(worlds.size(), static_cast<std::size_t>(stack.count()) + 1);
        QVERIFY(stack.count() >= 9);
        m_window->commands().action(QStringLiteral("edit.undoHistory"))->trigger();
        auto* list = child<QListView>("undoHistory");
        std::mt19937 random(3);
        for (int i = 0; i < 20; ++i) {
            const int row = static_cast<int>(random() % worlds.size());
            list->scrollTo(list->model()->index(row, 0));
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                              list->visualRect(list->model()->index(row, 0)).center());
            QCOMPARE(stack.index(), row);
            QCOMPARE(session().world().contentHash(), worlds[static_cast<std::size_t>(row)]);
            session().step();
            QCOMPARE(static_cast<std::size_t>(stack.count()) + 1, worlds.size());
        }
    }

    void theChangesBeforeASaveAreStillUndone() {
        paint({1, 2}, "We");
        QVERIFY(editor().saveTo(m_folder.filePath(QStringLiteral("other.yaml"))));
        paint({2, 2}, "We");
        QCOMPARE(m_window->undoStack().count(), 2);
        QVERIFY(editor().saveTo(m_folder.filePath(QStringLiteral("other.yaml"))));
        m_window->openWorld(worldFile());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->undoStack().count(), 0, kPatience);
    }

    void aWorldWithoutANameIsCalledByItsFileEverywhere() {
        WorldSpec spec = editor().spec();
        spec->metadata.name.clear();
        editor().change(QStringLiteral("Name"), std::move(spec));
        QVERIFY(editor().saveTo(m_folder.filePath(QStringLiteral("elsewhere.yaml"))));
        QCOMPARE(session().loaded().title, QString("elsewhere"));
        QVERIFY(m_window->windowTitle().contains(QLatin1String("elsewhere")));
        const QString crumbs = child<QLabel>("breadcrumb")->text();
        QVERIFY2(crumbs.contains(QLatin1String("elsewhere")), qPrintable(crumbs));
    }

    void aDraftWithAnErrorIsNeitherSolvedNorLearned() {
        run("world.edit");
        GridWorldSpec spec = *editor().spec().as<GridWorldSpec>();
        spec.stumbleProbability = 2;
        editor().change(QStringLiteral("Stumbling 2"), spec);
        QVERIFY(!editor().isValid());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(!m_window->live().isLive());
        auto* strip = child<MessageStrip>("messageStrip");
        QCOMPARE(strip->kind(), MessageKind::Error);
        QVERIFY2(strip->text().contains(editor().error()), qPrintable(strip->text()));
        run("run.train");
        auto* start = child<QPushButton>("trainStart");
        QVERIFY(!start->isEnabled());
        m_window->undoStack().undo();
        QVERIFY(start->isEnabled());
    }

    void aNewWorldIsEditedWhereItsPaletteIs() {
        m_window->showPerspective(QStringLiteral("compare"));
        run("file.newWorld");
        auto* dialog = child<QDialog>("newWorldDialog");
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isVisible(), kPatience);
        QVERIFY(!m_window->centre().isOpen(QStringLiteral("world")));
        dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<QDialog*>("newWorldDialog"), kPatience);
        QCOMPARE(m_window->perspective(), QStringLiteral("compare"));
        QVERIFY(!m_window->centre().isOpen(QStringLiteral("world")));
        run("file.newWorld");
        child<QDialog>("newWorldDialog")->accept();
        QTRY_VERIFY_WITH_TIMEOUT(editor().isOn() && m_window->isSettled(), kPatience);
        QCOMPARE(m_window->perspective(), QStringLiteral("world"));
        QVERIFY(m_window->findChild<Palette*>()->isVisible());
    }

    void thePaletteStaysWhereItIsWhileTheListsGrow() {
        run("world.edit");
        auto* palette = m_window->findChild<Palette*>();
        QTRY_VERIFY_WITH_TIMEOUT(palette && palette->isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const QPoint before = palette->mapTo(m_window.get(), QPoint());
        const int numAgents = child<RowList>("agentList")->model()->rowCount();
        paint({1, 2}, "Ay");
        QCOMPARE(child<RowList>("agentList")->model()->rowCount(), numAgents + 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(palette->mapTo(m_window.get(), QPoint()), before);
    }

    void editingIsAboutTheStartInAllViews() {
        session().step();
        session().step();
        run("world.edit");
        QVERIFY(editor().isOn());
        QCOMPARE(session().state().step, 0);
        QCOMPARE(session().walk().size(), std::size_t{3});  // it is not lost
        paint({2, 2}, "We");
        m_window->undoStack().undo();
        QVERIFY(editor().isOn());
        QCOMPARE(session().state().step, 0);
        session().step();  // elsewhere: nothing shows the map of the start any more
        QVERIFY(!editor().isOn());
        QCOMPARE(session().state().step, 1);
    }

    void theTipOfAnEntryGoesWithItsMenu() {
        auto* menu = child<QMenu>("menu_Edit");
        menu->popup(m_window->mapToGlobal(QPoint(50, 50)));
        QTRY_VERIFY_WITH_TIMEOUT(menu->isVisible(), kPatience);
        QTest::keyClick(menu, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->statusBar()->currentMessage().isEmpty(), kPatience);
        menu->close();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->statusBar()->currentMessage().isEmpty(), kPatience);
    }

    /// It took 20 s of the window's thread, then 0.1 s.
    void aLargeWorldIsOpenedSteppedAndEditedAtOnce() {
        constexpr int kSide = 200;
        constexpr double kMostSeconds = 2;  // of all that is done here, on a slow machine
        std::string map;
        for (int y = 0; y < kSide; ++y) {
            map += "  ";
            for (int x = 0; x < kSide; ++x) {
                const bool isRim = x == 0 || y == 0 || x + 1 == kSide || y + 1 == kSide;
                map += isRim || (x * 7 + y * 13) % 11 == 0 ? "We"
                       : x == 1 && y == 1                  ? "Ay"
                       : x == 3 && y == 1                  ? "Ae"
                       : (x * 5 + y * 3) % 17 == 0         ? "Bl"
                                                           : "..";
            }
            map += '\n';
        }
        const QString file = m_folder.filePath(QStringLiteral("large.yaml"));
        std::ofstream(file.toStdString())
            << "map: |\n"
            << map << "max_steps: 5\npossible_goals:\n  - {cell: [5, 1]}\n";
        const auto cpu = [] {
            timespec now{};
            ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
            return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
        };
        const double before = cpu();
        m_window->openWorld(file);
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(session().loaded().name), file, kPatience);
        QCOMPARE(session().world().width(), kSide);
        session().step();
        QCOMPARE(session().state().step, 1);
        run("world.edit");
        QTRY_VERIFY_WITH_TIMEOUT(editor().isOn(), kPatience);
        m_window->grab();
        const double seconds = cpu() - before;
        QVERIFY2(seconds < kMostSeconds, qPrintable(QString::number(seconds)));
    }

    void theWheelChangesOnlyTheControlWithTheFocus() {
        solveByButton();
        auto* box = child<QComboBox>("goalChoice");
        QVERIFY(box->isVisible() && box->count() > 1);
        box->setCurrentIndex(0);
        const auto turn = [&] {
            const QPointF at = QRectF(box->rect()).center();
            QWheelEvent event(at, box->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(box, &event);
        };
        turn();
        QCOMPARE(box->currentIndex(), 0);
        QVERIFY(!box->hasFocus());
        box->setFocus();
        turn();
        QCOMPARE(box->currentIndex(), 1);
    }
};

ORRERY_WINDOW_TEST(WindowStepsTest)
#include "window_steps_test.moc"
