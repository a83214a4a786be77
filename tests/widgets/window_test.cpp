#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "core/run/jobs/import_metrics.h"
#include "tests/support/test_program.h"
#include "tests/widgets/shown_values_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/job_list.h"
#include "widgets/home/example_card.h"
#include "widgets/world/world_picture.h"
#include "widgets/world/world_view.h"

using namespace orrery;

/// Drives the whole window with mouse and keys.
class WindowTest : public QObject, private ShownValuesBench {
    Q_OBJECT

private:
    void doubleClickRow(const char* name, int row) {
        auto* list = child<RowList>(name);
        const QPoint at = rowCentre(list, row);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
    }

private Q_SLOTS:
    void init() { makeWindow(worldFile()); }
    void cleanup() { m_window.reset(); }

    void theWindowOpensOnAWorldWithAllItsParts() {
        QVERIFY(session().isOpen());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Small room – Orrery"));
        QCOMPARE(child<RowList>("agentList")->model()->rowCount(), 2);
        QCOMPARE(child<RowList>("goalList")->model()->rowCount(), 2);
        QVERIFY(child<QPushButton>("emptySolveButton")->isVisible());
        QCOMPARE(m_window->perspective(), QStringLiteral("world"));
        QVERIFY(!child<MessageStrip>("messageStrip")->isVisible());
    }

    void theBreadcrumbIsOneChainThatIsTrue() {
        solveByButton();
        const auto crumbs = [&] { return child<QLabel>("breadcrumb")->text(); };
        const QString own = session().runId();
        QVERIFY(!own.isEmpty());
        const QString chain = crumbs();
        QVERIFY2(
            chain.contains(QStringLiteral("Small room")) && chain.contains(QStringLiteral("t 0")),
            qPrintable(chain));
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        m_window->selection().setCurrent(RunItem{QStringLiteral("r09999")});
        QVERIFY2(crumbs().contains(QStringLiteral("compared")) &&
                     crumbs().contains(QStringLiteral("r09999")) &&
                     !crumbs().contains(QStringLiteral("Small room")),
                 qPrintable(crumbs()));
        // The world that is open was not solved by the run that is selected in Compare.
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(crumbs(), chain, kPatience);
    }

    void atMostOneButtonIsFilled() {
        const auto filled = [this] {
            QStringList names;
            for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>())
                if (button->isVisible() &&
                    button->property("look").toString() == QLatin1String("primary"))
                    names << button->objectName();
            return names;
        };
        const QStringList solve{QStringLiteral("tool_run.solve")};
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChildren<ExampleCard*>().isEmpty(), kPatience);
        QTRY_COMPARE(filled().size(), 1);
        QVERIFY(filled() != solve);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(filled(), solve);
        solveByButton();
        QVERIFY2(filled().isEmpty(), qPrintable(filled().join(u' ')));
        // What the form asks for now is not what is shown.
        auto* power = child<QLineEdit>("field_beta_r");
        const QString before = power->text();
        power->setFocus();
        power->selectAll();
        QTest::keyClicks(power, QStringLiteral("7"));
        QCOMPARE(filled(), solve);
        power->selectAll();
        QTest::keyClicks(power, before);
        QVERIFY2(filled().isEmpty(), qPrintable(filled().join(u' ')));
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(filled().size(), 1);
    }

    void aButtonThatComesBackIsEnabledAsItsCommandIs() {
        for (const Qt::Key key : {Qt::Key_4, Qt::Key_3, Qt::Key_4}) {
            QTest::keyClick(m_window.get(), key, Qt::ControlModifier);
            for (const QToolButton* button : m_window->findChildren<QToolButton*>())
                if (button->isVisible() && button->objectName().startsWith(QStringLiteral("tool_")))
                    QVERIFY2(button->isEnabled() == button->defaultAction()->isEnabled(),
                             qPrintable(button->objectName()));
        }
    }

    void aJointActionIsChosenByMouseAndCarriedOut() {
        click("action_0_2");
        QCOMPARE(session().actions(), (std::vector<int>{2, 0}));
        QVERIFY(child<QPushButton>("action_0_2")->isChecked());
        QVERIFY(!child<QPushButton>("action_0_0")->isChecked());
        QCOMPARE(child<RowList>("successorList")->model()->rowCount(), 1);
        click("stepButton");
        QCOMPARE(session().state().step, 1);
        child<WorldView>("worldView")->setFocus();
        QTest::keyClick(child<WorldView>("worldView"), Qt::Key_Return);
        QCOMPARE(session().state().step, 2);
        QTest::keyClick(child<WorldView>("worldView"), Qt::Key_Backspace);
        QCOMPARE(session().state().step, 1);
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QCOMPARE(session().state().step, 2);
    }

    void theWorldsViewTakesMouseAndKeys() {
        auto* view = child<WorldView>("worldView");
        const auto centre = [&](int x, int y) {
            return view->worldLayout().cellRect(x, y).center().toPoint();
        };
        QTest::mouseMove(view, centre(2, 2));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->selection().hover() == std::optional<SelectionItem>(CellItem{2, 2}),
            kPatience);
        QTest::mouseClick(view, Qt::LeftButton, {}, centre(3, 2));
        QCOMPARE(m_window->selection().current<AgentItem>()->agent, 1);
        QTest::keyClick(view, Qt::Key_Up);  // the robot goes forward
        QCOMPARE(session().actions(), (std::vector<int>{0, 3}));
        QTest::keyClick(view, Qt::Key_Period);
        QCOMPARE(m_window->selection().current<AgentItem>()->agent, 0);
    }

    void theSolveShowsTheSolutionsValues() {
        QVERIFY(!session().values());
        solveByButton();
        compareShownValues();
        QCOMPARE(child<QAbstractItemView>("levelTableRows")->model()->rowCount(), 5);
        QVERIFY(child<WorldView>("worldView")->scene().heat);
        QVERIFY(child<QLabel>("statusText")->text() == QStringLiteral("Solved"));
        QTRY_VERIFY_WITH_TIMEOUT(
            child<QLabel>("statusNumbers")->text().endsWith(QStringLiteral("s to solve")),
            kPatience);
        click("action_0_3");
        const auto& rows = child<RowList>("successorList")->rowModel()->rows();
        QCOMPARE(rows.size(), session().successors().size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(rows[i].value, valueText(*session().successors()[i].v_r));
        click("followButton");
        QCOMPARE(session().state().step, 1);
        compareShownValues();
    }

    void aSuccessorIsFollowedByDoubleClickAndTheWayBackIsKept() {
        solveByButton();
        // The human turns right into unsteady ground later; forward first leads onto it.
        click("action_0_3");
        click("stepButton");
        QCOMPARE(session().successors().size(), std::size_t{3});
        const StateItem target = session().successors()[1].state;
        const StateItem before = session().state();
        doubleClickRow("successorList", 1);
        QCOMPARE(session().state(), target);
        compareShownValues();
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(session().state(), before);
        compareShownValues();
        QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(session().state(), target);
    }

    void foundStatesAreListedAndWalkedByKeys() {
        solveByButton();
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto* edit = child<QLineEdit>("predicateEdit");
        QTRY_VERIFY_WITH_TIMEOUT(edit->hasFocus(), kPatience);
        QTest::keyClicks(edit, QStringLiteral("step >= 2"));
        QTest::keyClick(edit, Qt::Key_Return);
        auto* next = m_window->commands().action(QStringLiteral("analyze.nextHit"));
        QTRY_VERIFY_WITH_TIMEOUT(next->isEnabled(), kPatience);
        QTest::keyClick(edit, Qt::Key_F3);
        QCOMPARE(session().state().step, 2);
        const StateItem first = session().state();
        QTest::keyClick(edit, Qt::Key_F3);
        QVERIFY(session().state() != first);
        QTest::keyClick(edit, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(session().state(), first);
        QVERIFY(edit->hasFocus());
        click("predicateResult");
        auto* table = child<QTableView>("hitTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), kPatience);
        QCOMPARE(table->currentIndex().row(), 0);
        QTest::keyClick(table, Qt::Key_F3);
        QCOMPARE(table->currentIndex().row(), 1);
    }

    void aLevelIsSelectedByMouse() {
        solveByButton();
        auto* table = child<QAbstractItemView>("levelTableRows");
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(3, 1)).center());
        QCOMPARE(session().state().step, 3);
        compareShownValues();
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(session().state().step, 4);
        QVERIFY(session().isTerminal());
        compareShownValues();
    }

    void aWrongFieldSaysWhyAndStopsTheSolve() {
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        auto* field = child<QLineEdit>("field_beta_r");
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("-3"));
        QVERIFY(!child<QPushButton>("solveButton")->isEnabled());
        QVERIFY(field->property("invalid").toBool());
        // By its key, too, from where the field is not in sight.
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(!m_window->live().isLive());
        QCOMPARE(child<MessageStrip>("messageStrip")->kind(), MessageKind::Error);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("5"));
        QVERIFY(child<QPushButton>("solveButton")->isEnabled());
        QVERIFY(field->property("changed").toBool());
        solveByButton();
        QCOMPARE(session().solution()->spec().beta_r, 5.0);
    }

    void aSolveIsCancelledFromTheWindow() {
        m_window->openWorld(QStringLiteral("builtin:building_site"));
        QTRY_VERIFY_WITH_TIMEOUT(
            session().loaded().name == "builtin:building_site" && m_window->isSettled(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(m_window->live().isLive());
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("cancelButton")->isVisible(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->jobs().numLive(), 1, kPatience);
        click("cancelButton");
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->live().isLive(), kPatience);
        QVERIFY(!session().solution());
        QCOMPARE(child<MessageStrip>("messageStrip")->kind(), MessageKind::Info);
        QCOMPARE(m_window->jobs().jobs().front().state, JobList::State::Stopped);
    }

    void theWindowMayGoWhileASolveRuns() {
        m_window->openWorld(QStringLiteral("builtin:building_site"));
        QTRY_VERIFY_WITH_TIMEOUT(
            session().loaded().name == "builtin:building_site" && m_window->isSettled(), kPatience);
        m_window->solve();
        QVERIFY(m_window->live().isLive());
        makeWindow(worldFile());
        // The cancelled run is in the list, and no run is left alive.
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->archive().runs().empty(), kPatience);
        for (const RunRecord& run : m_window->archive().runs())
            QVERIFY2(run.state && !isLive(*run.state), run.id.c_str());
    }

    void aBrokenFileIsExplainedWithItsPlace() {
        const QString name = m_folder.filePath(QStringLiteral("broken.yaml"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("max_Steps: 3\n");
        file.write(smallRoomFile().c_str());
        file.close();
        m_window->openWorld(name);
        auto* strip = child<MessageStrip>("messageStrip");
        QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), kPatience);
        QCOMPARE(strip->kind(), MessageKind::Error);
        QVERIFY2(strip->text().contains(QStringLiteral("broken.yaml:1:1")),
                 qPrintable(strip->text()));
        QCOMPARE(session().loaded().title, QStringLiteral("Small room"));
    }

    void thePictureOfTheViewIsExportedWithItsHeat() {
        solveByButton();
        const WorldScene scene = child<WorldView>("worldView")->exportScene();
        const QString name = m_folder.filePath(QStringLiteral("world.png"));
        saveWorldPng(scene, name.toStdString(), darkTokens(), QSize(500, 400), 1);
        const QImage image(name);
        const WorldLayout layout = layoutWorld(QRectF(0, 0, 500, 400), scene);
        const QPointF wall =
            layout.cellRect(0, 0).topLeft() + QPointF(layout.cell / 2, layout.cell * 0.3);
        QCOMPARE(image.pixelColor(wall.toPoint()), darkTokens().wall);
        const auto start = m_window->session().state();
        const int cell = session().world().cellOf(start.words, 0);
        const int x = cell % scene.width, y = cell / scene.width;
        QVERIFY(scene.heat->at(x, y).count > 0);
        saveWorldSvg(scene, m_folder.filePath(QStringLiteral("world.svg")).toStdString(),
                     darkTokens());
        QVERIFY(QFile(m_folder.filePath(QStringLiteral("world.svg"))).size() > 1000);
    }

    void everyCommandDoesSomething() {
        QVERIFY2(m_window->commands().unbound().empty(),
                 m_window->commands().unbound().empty() ? "" : m_window->commands().unbound()[0]);
    }

    void aStateIsFoundByThePredicateAndTheLocator() {
        solveByButton();
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(edit);
        QTest::keyClicks(edit, QStringLiteral("step == 2"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->selection().set(SelectionKind::State).empty(),
                                 kPatience);
        QCOMPARE(std::ssize(m_window->selection().set(SelectionKind::State)),
                 session().solution()->graph().levelSize(2));
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* locator = child<QLineEdit>("locator");
        QTRY_VERIFY_WITH_TIMEOUT(locator->hasFocus(), kPatience);
        QTest::keyClicks(locator, QStringLiteral(": 3"));
        QTest::keyClick(locator, Qt::Key_Return);
        QCOMPARE(session().state().step, 3);
        compareShownValues();
        // What was selected is gone back to; it is nothing to undo.
        QVERIFY(!child<QAction>("edit.undo")->isEnabled());
        click("tool_go.back");
        QCOMPARE(session().state().step, 0);
        QVERIFY(!m_window->selection().set(SelectionKind::State).empty());
    }

    void anImportThatIsOpenedIsComparedWithTheOthers() {
        m_window.reset();
        const std::string id = storeImport(
            *Workspace::open(m_folder.filePath(QStringLiteral("test.orrery")).toStdString(),
                             Workspace::Mode::Create),
            {.name = "my loss", .source = "a.csv", .points = {{"loss", 1, 2}}});
        makeWindow(worldFile());
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* locator = child<QLineEdit>("locator");
        QTRY_VERIFY_WITH_TIMEOUT(locator->hasFocus(), kPatience);
        QTest::keyClicks(locator, QStringLiteral("r my loss"));
        QTest::keyClick(locator, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("compare"), kPatience);
        const SelectionItem import = RunItem{QString::fromStdString(id)};
        QVERIFY(m_window->selection().set(SelectionKind::Run) == std::vector{import});
    }

    void theNextStartGoesOnWhereThisOneEnded() {
        const QByteArray home = qgetenv("XDG_STATE_HOME");
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        WindowOptions options;
        options.world = worldFile();
        const QString place = m_folder.filePath(QStringLiteral("two\nlines of a long name\t") +
                                                QString(80, u'x') + QStringLiteral(".orrery"));
        options.workspace = place.toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        const auto start = [&] {
            m_window = std::make_unique<MainWindow>(options);
            m_window->show();
            QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kPatience));
            QTRY_VERIFY_WITH_TIMEOUT(session().isOpen() && m_window->isSettled(), kPatience);
        };
        start();
        // Whatever a folder is called, it stands on one line and leaves room.
        auto* status = child<QLabel>("statusPlace");
        QTRY_COMPARE_WITH_TIMEOUT(status->toolTip(), place, kPatience);
        QVERIFY(status->text().startsWith(QStringLiteral("two lines of ")));
        QVERIFY(status->text().endsWith(QStringLiteral("x.orrery")));
        QVERIFY(status->sizeHint().width() <= 260);
        m_window->setTheme(ThemeChoice::Light);
        m_window->showPerspective(QStringLiteral("plan"));
        m_window->hideView(QStringLiteral("paths"));
        m_window->close();
        options.world.clear();
        start();
        QCOMPARE(session().loaded().title, QStringLiteral("Small room"));
        QCOMPARE(m_window->perspective(), QStringLiteral("plan"));
        QVERIFY(!m_window->isViewShown(QStringLiteral("paths")));
        QVERIFY(!currentTokens().isDark);
        // A run that was shown comes back where the window was.
        solveByButton();
        m_window->showPerspective(QStringLiteral("home"));
        m_window->close();
        start();
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
        QCOMPARE(m_window->perspective(), QStringLiteral("home"));
        m_window->close();
        m_window.reset();
        qputenv("XDG_STATE_HOME", home);
    }

    void noTwoCommandsShareAKey() {
        QHash<QString, QString> owner;
        for (const QAction* action : m_window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!owner.contains(key.toString()),
                         qPrintable(key.toString() + QStringLiteral(": ") + action->objectName() +
                                    QStringLiteral(" and ") + owner.value(key.toString())));
                owner.insert(key.toString(), action->objectName());
            }
        QVERIFY(owner.size() > 15);
    }

    void theThemeIsSwitchedWhileTheWindowIsOpen() {
        m_window->setTheme(ThemeChoice::Light);
        QVERIFY(!currentTokens().isDark);
        QCOMPARE(m_window->grab().toImage().pixelColor(4, 400).lightness() > 128, true);
        m_window->setTheme(ThemeChoice::Dark);
        QVERIFY(currentTokens().isDark);
        QCOMPARE(m_window->grab().toImage().pixelColor(4, 400).lightness() < 128, true);
    }
};

ORRERY_WINDOW_TEST(WindowTest)
#include "window_test.moc"
