#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

#include "app/window/main_window.h"
#include "core/base/fault.h"
#include "core/files/world_file.h"
#include "core/history/workspace.h"
#include "core/run/run_kind.h"
#include "core/world/world_family.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/corridor/corridor_spec.h"
#include "tests/support/line/line_world.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/commands.h"
#include "widgets/frame/message_log.h"
#include "widgets/history/runs_panel.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/profile_view.h"
#include "widgets/learned/span_columns.h"
#include "widgets/learned/stage_times.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/spec/field_slider.h"
#include "widgets/train/live_world.h"
#include "widgets/train/stage_bar.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/palette.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/world_editor.h"

using namespace orrery;

/// The window of a program whose lists are one method and one family of worlds longer: its
/// trainings are started, watched, steered, stopped, resumed and opened like those of the program's
/// own methods, and its worlds are solved and edited like those of its own families.
class GuestWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    TrainRecord& training() { return m_window->training().record(); }
    Chart* chart(const char* id) { return child<ChartGrid>("trainGrid")->chart(QLatin1String(id)); }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        m_window->activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), m_window.get(), kPatience);
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(key), modifiers);
    }
    void typeInto(const char* name, const char* text) {
        auto* edit = child<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }
    void click(const char* name) {
        auto* widget = child<QWidget>(name);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void chooseMethod(const QString& name) {
        auto* method = child<QComboBox>("trainMethod");
        QVERIFY(method->isVisible());
        method->setFocus();
        const int key = method->findText(name) > method->currentIndex() ? Qt::Key_Down : Qt::Key_Up;
        for (int i = 0; i < method->count() && method->currentText() != name; ++i)
            QTest::keyClick(method, static_cast<Qt::Key>(key));
        QCOMPARE(method->currentText(), name);
        // A closed box tells the choice by key at once.
        QTRY_COMPARE_WITH_TIMEOUT(
            QString::fromStdString(child<TrainForm>("trainForm")->spec().job.kind().name), name,
            kPatience);
    }
    void startCorridor(const char* steps) {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        if (form->spec().job.kind().name != "corridor") chooseMethod(QStringLiteral("corridor"));
        typeInto("train_num_training_steps", steps);
        typeInto("train_length", "12");
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 0, kPatience);
    }
    void steer(const char* field, const char* value) {
        auto* spin = child<FieldSpin>((QByteArrayLiteral("steer_spin_") + field).constData());
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QLatin1String(value));
        QTest::keyClick(spin, Qt::Key_Return);
    }
    const test::CorridorSpec& live() { return training().job().as<test::CorridorJob>().spec; }

private Q_SLOTS:
    void initTestCase() {
        std::vector<const RunKind*> kinds = ownKinds();
        kinds.push_back(&test::corridorKind());
        useKinds(std::move(kinds));
        std::vector<const WorldFamily*> families = ownFamilies();
        families.push_back(&test::lineFamily());
        useFamilies(std::move(families));
    }
    void cleanupTestCase() {
        useKinds(ownKinds());
        useFamilies(ownFamilies());
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        WindowOptions options;
        options.workspace = m_folder->filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder->filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
    }
    void cleanup() {
        setFaults("");
        if (m_window && training().isLive()) {
            training().stop();
            QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        }
        m_window.reset();
        m_folder.reset();
    }

    void itsFormHasItsFieldsAndNeedsNoWorld() {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        chooseMethod(QStringLiteral("corridor"));
        QVERIFY(child<QPushButton>("trainStart")->isEnabled());
        const Job& job = form->spec().job;
        QVERIFY(job.kind().worlds(job).empty());
        QVERIFY(form->findChild<QWidget*>("train_length") != nullptr);
        QVERIFY(form->findChild<QWidget*>("train_batch_size") == nullptr);
        QVERIFY(form->findChild<QWidget*>("trainKind") == nullptr);
        QVERIFY(child<QLabel>("trainStages")->text().isEmpty());
        typeInto("train_length", "1");
        QVERIFY(child<QLabel>("train_hint_length")->text().contains("length must be"));
        QVERIFY(!child<QPushButton>("trainStart")->isEnabled());
        chooseMethod(QStringLiteral("train"));
        QVERIFY(form->findChild<QWidget*>("train_batch_size") != nullptr);
    }

    void aWorldOfItsFamilyIsSolvedAndEdited() {
        const QString file = m_folder->filePath(QStringLiteral("line.yaml"));
        std::ofstream(file.toStdString()) << "metadata: {name: A line}\nfamily: line\n"
                                             "map: H . R . .\nslip: 0.25\nmax_steps: 4\n"
                                             "possible_goals: [[1, 0], [0, 0, 4, 0]]\n";
        m_window->openWorld(file);
        PlanSession& session = m_window->session();
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(session.loaded().name), file, kPatience);
        press(Qt::Key_2, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(session.solution() != nullptr, kPatience);
        QVERIFY(session.solution()->v_r(State{}) < 0);
        press(Qt::Key_F4);
        auto* editor = m_window->findChild<WorldEditor*>();
        QTRY_VERIFY_WITH_TIMEOUT(editor->isOn(), kPatience);
        auto* palette = child<Palette>("palette");
        QVERIFY(palette->rectOf("We").isEmpty());
        QTest::mouseClick(palette, Qt::LeftButton, {}, palette->rectOf("H").center().toPoint());
        auto* map = m_window->findChild<EditView*>();
        QTest::mouseClick(map, Qt::LeftButton, {},
                          map->worldLayout().cellRect(4, 0).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(codeAt(editor->spec(), {4, 0}), std::string("H"), kPatience);
        typeInto("rule_slip", "0.5");
        QTest::keyClick(child<QLineEdit>("rule_slip"), Qt::Key_Return);
        QVERIFY(m_window->findChild<QWidget*>("rule_stumble_probability") == nullptr ||
                !child<QWidget>("rule_stumble_probability")->isVisible());
        // A map of one row has no second; a column more takes the goals along.
        editor->insertLines({MapLines::Rows, 0, 1});
        QCOMPARE(editor->spec()->possibleGoals[0], (Goal{1, 0, 1, 0}));
        editor->insertLines({MapLines::Columns, 1, 1});
        QCOMPARE(editor->spec()->possibleGoals[0], (Goal{2, 0, 2, 0}));
        editor->removeLines({MapLines::Columns, 1, 1});
        QTRY_VERIFY_WITH_TIMEOUT(editor->isValid(), kPatience);
        QCOMPARE(session.world().numAgents(), 3);
        QVERIFY(editor->saveTo(file));
        const WorldFile saved = readWorldFile(file.toStdString());
        QVERIFY(!saved.hasErrors);
        QCOMPARE(saved.spec.as<test::LineSpec>()->slip, 0.5);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(session.solution() != nullptr, kPatience);
    }

    void itIsWatchedSteeredUndoneAndStopped() {
        setFaults("train.step:delay=2@1+");
        startCorridor("1000000");
        QCOMPARE(m_window->perspective(), QString("train"));
        QTRY_VERIFY_WITH_TIMEOUT(chart("corridor/episodes") != nullptr, kPatience);
        QVERIFY(chart("train/error") == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(chart("corridor/error")->content().numPoints() > 0, kPatience);
        QCOMPARE(child<QComboBox>("trainAxis")->itemText(0), QString("environment step"));
        QVERIFY(child<StageBar>("stageBar")->namedSpots().empty());
        QVERIFY(m_window->findChild<QWidget*>("steer_spin_lr_q_r") == nullptr);
        const Picture& picture = child<LiveWorld>("liveWorld")->picture();
        QTRY_COMPARE_WITH_TIMEOUT(picture.width, 12.0F, kPatience);
        QCOMPARE(picture.layers.back().sprites.back().name, std::string("walker"));
        QVERIFY(child<QLabel>("liveGoals")->text().contains("cells to go"));
        QVERIFY(child<QLabel>("liveFacts")->text().contains("running"));
        steer("learning_rate", "0.5");
        QTRY_COMPARE_WITH_TIMEOUT(live().learningRate, 0.5, kPatience);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(live().learningRate, 0.1, kPatience);
        QCOMPARE(training().changes().size(), std::size_t{2});
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t halted = training().step();
        click("tool_run.trainStep");
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), halted + 1, kPatience);
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QVERIFY2(child<QLabel>("trainState")->text().contains("Stopped"),
                 qPrintable(child<QLabel>("trainState")->text()));
    }

    void whatItsThreadDoesIsShownUnderItsNames() {
        setFaults("train.step:delay=2@1+");
        startCorridor("1000000");
        m_window->showView(QStringLiteral("profile"));
        auto* profile = m_window->view<ProfileView>(QStringLiteral("profile"));
        QTRY_VERIFY_WITH_TIMEOUT(!training().runId().isEmpty(), kPatience);
        const QString id = training().runId();
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>("profileFirst")->currentData().toString(), id,
                                  kPatience);
        const auto draws = [&](const char* what) {
            const auto parts = child<StageTimes>("profileBars")->namedSpots();
            return std::ranges::find(parts, id + QLatin1String(what), &NamedSpot::name) !=
                   parts.end();
        };
        QTRY_VERIFY_WITH_TIMEOUT(draws(" walk") && draws(" idle"), kPatience);
        QVERIFY(!draws(" collect"));
        const auto* kinds = child<QComboBox>("profileKind");
        QVERIFY(kinds->findText(QStringLiteral("walk")) > 0);
        QCOMPARE(kinds->findText(QStringLiteral("backward")), -1);
        const auto& cells = child<CellTable>("profileTable")->cellModel()->rows()[0].cells;
        QCOMPARE(cells[0].text, QStringLiteral("walk"));
        QVERIFY(cells[1].number > 0);
        const QAbstractItemModel& spans = *profile->tableModel();
        QTRY_VERIFY_WITH_TIMEOUT(spans.rowCount() > 0, kPatience);
        const QModelIndex first = spans.index(0, SpanColumn::kStage);
        QVERIFY(!spans.match(first, Qt::DisplayRole, QStringLiteral("walk")).isEmpty());
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        // As its folder kept it.
        auto* desk = m_window->findChild<LearnedDesk*>();
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{1}, kPatience);
        QCOMPARE(desk->trainings().size(), std::size_t{1});
        desk->readProfiles(id, {});
        QTRY_VERIFY_WITH_TIMEOUT(!desk->profiles().empty() && desk->profiles()[0].timeline,
                                 kPatience);
        QCOMPARE(desk->profiles()[0].words.front().name, std::string("walk"));
        QVERIFY(!desk->profiles()[0].timeline->isEmpty());
    }

    void itIsResumedForkedAndOpenedAgain() {
        setFaults("train.step:delay=2@1+");
        startCorridor("1500");
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > 100, kPatience);
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QVERIFY(training().isResumable());
        const std::int64_t stopped = training().step();
        setFaults("");
        m_window->commands().action("run.resume")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            !training().isLive() && training().step() == 1500 && training().step() > stopped,
            kPatience);
        m_window->commands().action("run.fork")->trigger();
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible() && !form->parentRun().id.empty(), kPatience);
        QCOMPARE(form->spec().job.kind().name, std::string("corridor"));
        typeInto("train_num_training_steps", "2000");
        typeInto("train_learning_rate", "0.9");
        click("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive() && training().step() == 2000, kPatience);
        QCOMPARE(training().settings().fromStep, std::int64_t{1500});
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(QStringLiteral("r00001"));
        QTRY_COMPARE_WITH_TIMEOUT(training().runId(), QString("r00001"), kPatience);
        QCOMPARE(training().step(), std::int64_t{1500});
        QVERIFY(chart("corridor/error")->content().numPoints() > 0);
        // What only learned planning has is not asked of it.
        for (const char* id : {"learned", "replay", "tensors"}) {
            m_window->showView(QLatin1String(id));
            QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        }
        QVERIFY(m_window->findChild<LearnedDesk*>()->compared().empty());
        for (const Message& message : m_window->messages().messages())
            QVERIFY2(message.kind != MessageKind::Error, qPrintable(message.text));
    }
};

ORRERY_WINDOW_TEST(GuestWindowTest)
#include "guest_window_test.moc"
