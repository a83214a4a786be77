#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>
#include <fstream>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/history/database.h"
#include "core/history/history_reader.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"
#include "tests/widgets/compare/sample_runs.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/run_filter_text.h"
#include "widgets/compare/runs_table.h"

using namespace orrery;

/// The runs table and its filter, on made-up runs.
class CompareTablesTest : public QObject {
    Q_OBJECT

private:
    static int count(const RunSheet& sheet, const QString& text) {
        std::vector<char> holds;
        try {
            holds = RunCondition(text, sheet).apply(sheet);
        } catch (const FilterError& error) {
            return -error.column();
        }
        return static_cast<int>(std::count(holds.begin(), holds.end(), 1));
    }
    static void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
    }

    void aFilterKeepsWhatItsWordsSay_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("count");  // of 20 runs; below 0: wrong at character -1 - count
        QTest::newRow("empty") << "" << 20;
        QTest::newRow("number") << "beta_r >= 5" << 10;
        QTest::newRow("text") << "world = \"hedge maze\"" << 7;
        QTest::newRow("done is finished") << "state: done" << 17;
        QTest::newRow("tag") << "tag: paper" << 2;
        QTest::newRow("part of a tag") << "tag: pap" << 0;
        QTest::newRow("part of a tag, asked") << "tag ~ pap" << 2;
        QTest::newRow("all") << "world = \"Hedge maze\" and beta_r >= 5 and state: done" << 4;
        QTest::newRow("and left out") << "beta_r = 5 tag: paper" << 2;
        QTest::newRow("or, not") << "(beta_r = 2 or tag: paper) and not state: failed" << 9;
        QTest::newRow("not equal") << "beta_r != 5" << 10;
        QTest::newRow("sign") << "beta_r ≥ 5" << 10;
        QTest::newRow("thousands") << "states < 3.1k" << 17;
        QTest::newRow("runs without a result") << "states > 0" << 17;
        QTest::newRow("minus") << "v_r < −5.001" << 8;
        QTest::newRow("word anywhere") << "hedge" << 7;
        QTest::newRow("other forms of and, or, not")
            << "(beta_r = 2 || tag: paper) && !state: failed" << 9;
        QTest::newRow("the number first") << "5 <= beta_r" << 10;
        QTest::newRow("billions") << "states < 0.0000031G" << 17;
        QTest::newRow("another field") << "states > beta_r" << 17;
        QTest::newRow("unknown field") << "beta_r = 2 and bta_r = 5" << -1 - 15;
        QTest::newRow("no value") << "beta_r >=" << -1 - 9;
        QTest::newRow("no number") << "beta_r > much" << -1 - 9;
        QTest::newRow("open quote") << "world = \"Hed" << -1 - 8;
        QTest::newRow("parenthesis") << "(beta_r = 2" << -1 - 11;
        QTest::newRow("nothing after and") << "beta_r = 2 and" << -1 - 14;
        QTest::newRow("odd operator") << "beta_r =< 2" << -1 - 7;
    }
    void aFilterKeepsWhatItsWordsSay() {
        QFETCH(QString, text);
        QTEST(count(*sampleSheet(20), text), "count");
    }

    void anUnknownFieldIsAnsweredWithTheNearestOne() {
        QVERIFY_THROWS_EXCEPTION(FilterError, RunCondition("bta_r = 5", *sampleSheet(4)));
        try {
            const RunCondition condition("name = \"\U0001F600\" bta_r = 5", *sampleSheet(4));
        } catch (const FilterError& error) {
            QCOMPARE(error.problem(), std::string("unknown name \"bta_r\"; did you mean "
                                                  "\"beta_r\"?"));
            QCOMPARE(error.column(), 13);  // as QString counts
        }
    }

    void onlyPlainPartsBecomeChips() {
        QString rest;
        const auto sheet = sampleSheet(4);
        QCOMPARE(
            takeChips(QStringLiteral("world = \"x\" and tag: paper and state: done"), *sheet, rest),
            (QStringList{QStringLiteral("tag: paper"), QStringLiteral("state: done")}));
        QCOMPARE(rest, QStringLiteral("world = \"x\""));
        QVERIFY(takeChips(QStringLiteral("tag: a or tag: b"), *sheet, rest).isEmpty());
        QCOMPARE(rest, QStringLiteral("tag: a or tag: b"));
    }

    void theModelKeepsTheRulesOfModels() {
        RunTableModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSheet(sampleSheet(30));
        std::vector<int> all(30);
        for (int i = 0; i < 30; ++i) all[static_cast<std::size_t>(i)] = i;
        model.setShown(all);
        model.setColumns({QStringLiteral("state"), QStringLiteral("v_r")});
        QCOMPARE(model.rowCount(), 30);
        model.setGroup(QStringLiteral("beta_r"));
        QCOMPARE(model.rowCount(), 32);
        QCOMPARE(model.index(0, 0).data(RunTableModel::CountRole).toInt(), 15);
        model.toggleOpen(0);
        QCOMPARE(model.rowCount(), 17);
        model.sort(2, Qt::DescendingOrder);
        model.setGroup(QString());
        double last = 1e9;
        for (int line = 0; line < 26; ++line) {  // the four failed ones have no value
            const double value = model.sheet()
                                     ->column(QStringLiteral("v_r"))
                                     ->number[static_cast<std::size_t>(model.rowOf(line))];
            QVERIFY(value <= last);
            last = value;
        }
        ConfigDiffModel diff;
        const QAbstractItemModelTester other(
            &diff, QAbstractItemModelTester::FailureReportingMode::QtTest);
        diff.setContent(makeCompareSet(model.sheet(), all), false, {});
        diff.setContent(makeCompareSet(model.sheet(), all), true, {QStringLiteral("threads")});
        QVERIFY(diff.rowCount() > 3);
    }

    void aGroupShowsTheMeanOfItsRuns() {
        RunTableModel model;
        model.setSheet(sampleSheet(6));  // beta_r 5: i = 0, 2, 4; i = 3 failed
        model.setShown({0, 1, 2, 3, 4, 5});
        model.setColumns({QStringLiteral("v_r")});
        model.setGroup(QStringLiteral("beta_r"));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("beta_r 5.0"));
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("−5.002"));
        QCOMPARE(model.index(4, 1).data().toString(), QStringLiteral("−2.003"));  // of 1 and 5
        model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole);
        QCOMPARE(model.checked().size(), 3);
        QCOMPARE(model.index(4, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }

    void aGroupOfTheTableSaysWhatDiffersInItAndHasNoMeanOfAParameter() {
        RunTableModel model;
        model.setSheet(sampleSheet(6));
        model.setShown({0, 1, 2, 3, 4, 5});
        model.setColumns({QStringLiteral("beta_r"), QStringLiteral("zeta")});
        model.setGroup(QStringLiteral("state"));
        const int line =
            model.data(model.index(0, 0), Qt::DisplayRole).toString() == QStringLiteral("finished")
                ? 0
                : 2;
        QCOMPARE(model.index(line, 0).data(RunTableModel::DifferenceRole).toString(),
                 QStringLiteral(" · differ in world, beta_r"));
        QCOMPARE(model.index(line, 1).data().toString(), QStringLiteral("2 to 5"));
        QCOMPARE(model.index(line, 2).data().toString(), QStringLiteral("2.0"));
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("ζ"));
    }

    void typingFiltersAndEnterMakesChips() {
        RunsTable table;
        table.resize(900, 500);
        table.setSheet(sampleSheet(20));
        auto* layout = qobject_cast<QVBoxLayout*>(table.layout());
        layout->insertWidget(0, table.bar());
        table.show();
        table.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&table, kPatience));
        type(table.filterEdit(), QStringLiteral("beta_r = 5 and state: done"));
        QCOMPARE(table.model()->rowCount(), 9);
        QCOMPARE(table.numHidden(), 11);
        QTest::keyClick(table.filterEdit(), Qt::Key_Return);
        QCOMPARE(table.chips(), QStringList{QStringLiteral("state: done")});
        QCOMPARE(table.filterEdit()->text(), QStringLiteral("beta_r = 5"));
        QCOMPARE(table.model()->rowCount(), 9);
        type(table.filterEdit(), QStringLiteral("zeta = 2 and bta_r > 5"));
        QCOMPARE(table.model()->rowCount(), 0);  // valid last: "zeta = 2 and bta_r", a word
        QTest::keyClick(table.filterEdit(), Qt::Key_Return);
        QVERIFY(table.problemText().contains(QStringLiteral("bta_r")));
        QCOMPARE(table.filterEdit()->cursorPosition(), 13);
        auto* chip = table.bar()->findChild<QWidget*>(QStringLiteral("chip0"));
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(table.chips().isEmpty());
    }

    void tenThousandRunsAreFilteredAndScrolledInTime() {
        RunsTable table;
        table.resize(900, 800);
        auto* layout = qobject_cast<QVBoxLayout*>(table.layout());
        layout->insertWidget(0, table.bar());
        double begin = threadCpuMs();
        const auto sheet = sampleSheet(10'000);
        const double making = threadCpuMs() - begin;
        begin = threadCpuMs();
        table.setSheet(sheet);
        const double setting = threadCpuMs() - begin;
        table.show();
        table.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&table, kPatience));
        double worst = 0;
        for (const char* text : {"world = \"Hedge maze\" and beta_r >= 5 and not tag: draft",
                                 "maze", "v_r < -5 or seconds > 20", ""}) {
            begin = threadCpuMs();
            table.setFilter(QLatin1String(text));
            table.grab();
            worst = std::max(worst, threadCpuMs() - begin);
        }
        begin = threadCpuMs();
        table.setGroup(QStringLiteral("beta_r"));
        const double grouping = threadCpuMs() - begin;
        std::vector<double> frames;
        QScrollBar* bar = table.view()->verticalScrollBar();
        for (int i = 0; i < 200; ++i) {
            begin = threadCpuMs();
            bar->setValue(bar->maximum() / 200 * i);
            table.view()->viewport()->repaint();
            frames.push_back(threadCpuMs() - begin);
        }
        std::sort(frames.begin(), frames.end());
        qInfo(
            "10,000 runs, CPU: sheet %.0f ms (worker), into the table %.0f ms, filter and picture "
            "%.1f ms at worst, group %.1f ms, scroll frame p50 %.2f p99 %.2f ms",
            making, setting, worst, grouping, frames[100], frames[197]);
        QVERIFY(worst < 400);  // 100 ms is reached on a machine of our own; this one is shared
        QVERIFY(frames[100] < 16.7);
    }

    void aTrainingWhoseEventsAreDamagedIsListedWithoutItsSteering() {
        const QTemporaryDir folder(fastFolder());
        const std::filesystem::path path = folder.filePath("damaged.orrery").toStdString();
        Workspace::open(path, Workspace::Mode::Create);
        RunSpec spec;
        spec.job = trainingIn({"builtin:first_steps"});
        std::int64_t page = 0, pageSize = 0;
        {
            Database database(path / "workspace.db", Database::Access::Write);
            Statement insert = database.prepare(
                "INSERT INTO run(ordinal, id, name, state, config_json, world_hash, code_version, "
                "seed, created_utc, kind) VALUES (?, ?, 'a', 'finished', ?, 'hash', '0.1.0', 1, "
                "'2026-03-01T12:00:00.000Z', ?)");
            for (std::int64_t i = 1; i <= 2; ++i) {
                if (i == 2) spec.job = SolveJob{.world = {.name = "builtin:first_steps"}};
                insert.bind(1, i).bind(2, "r0000" + std::to_string(i));
                insert.bind(3, toJson(spec, -1)).bind(4, spec.job.kind().name).run();
            }
            page = *database.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'event'");
            pageSize = *database.integer("PRAGMA page_size");
        }
        {
            std::fstream file(path / "workspace.db",
                              std::ios::in | std::ios::out | std::ios::binary);
            file.seekp((page - 1) * pageSize);
            file << std::string(static_cast<std::size_t>(pageSize), '\xff');
        }
        QVERIFY_THROWS_EXCEPTION(Error, HistoryReader(path / "workspace.db").events("r00001"));
        const auto sheet = readSheet(path, nullptr);
        QCOMPARE(sheet->size(), 2);
        QCOMPARE(sheet->facts[1].job, std::string("train"));
        QVERIFY(sheet->facts[1].find("steering") == nullptr);
    }

    /// Each workspace counts its runs from r00001.
    void factsAreNotTakenFromAnotherWorkspace() {
        const QTemporaryDir folder(fastFolder());
        std::shared_ptr<const RunSheet> sheet;
        for (const double beta_r : {2.0, 5.0}) {
            const std::filesystem::path path =
                folder.filePath(QStringLiteral("%1.orrery").arg(beta_r)).toStdString();
            const auto workspace = Workspace::open(path, Workspace::Mode::Create);
            RunSpec spec;
            spec.job = SolveJob{.world = {.name = "builtin:first_steps"}};
            spec.job.as<SolveJob>().solve.beta_r = beta_r;
            DbWriter& writer = workspace->writer();
            const std::string id =
                writer.createRun({.name = "one", .kind = "solve", .configJson = toJson(spec)});
            const RunState queued = RunState::Queued;
            QVERIFY(writer.changeState(id, std::span(&queued, 1), RunState::Stopped));
            sheet = readSheet(path, sheet);
            QCOMPARE(sheet->runs[0].id, std::string("r00001"));
            QCOMPARE(sheet->column(QStringLiteral("beta_r"))->number[0], beta_r);
        }
    }

    void aWorkspaceOfTenThousandRunsIsReadInTime() {
        const QTemporaryDir folder(fastFolder());
        const std::filesystem::path path = folder.filePath("w.orrery").toStdString();
        Workspace::open(path, Workspace::Mode::Create);
        RunSpec spec;
        spec.job = SolveJob{.world = {.name = "builtin:first_steps"}};
        {
            Database database(path / "workspace.db", Database::Access::Write);
            database.execute("BEGIN");
            Statement insert = database.prepare(
                "INSERT INTO run(ordinal, id, name, state, config_json, world_hash, code_version, "
                "seed, created_utc, kind) VALUES (?, ?, ?, 'finished', ?, 'hash', '0.1.0', ?, "
                "'2026-03-01T12:00:00.000Z', 'solve')");
            for (std::int64_t i = 1; i <= 10'000; ++i) {
                const std::string id = "r" + std::to_string(10'000 + i);
                spec.job.as<SolveJob>().solve.beta_r = i % 2 == 0 ? 2 : 5;
                insert.bind(1, i).bind(2, id).bind(3, "maze " + std::to_string(i));
                insert.bind(4, toJson(spec, -1)).bind(5, i).run();
                std::filesystem::create_directories(path / "runs" / id);
                std::ofstream(path / "runs" / id / "result.json")
                    << R"({"world": {"name": "First steps"}, "graph": {"states": 3040},)"
                    << R"("solve": {"seconds": 0.01}, "root": {"v_r": -17.6, "humans": []}})";
            }
            database.execute("COMMIT");
        }
        double begin = processCpuMs();
        const auto sheet = readSheet(path, nullptr);
        const double first = processCpuMs() - begin;
        begin = processCpuMs();
        const auto again = readSheet(path, sheet);
        const double second = processCpuMs() - begin;
        qInfo("10,000 runs read in %.0f ms of CPU, again in %.0f ms", first, second);
        QCOMPARE(sheet->size(), 10'000);
        QCOMPARE(again->column(QStringLiteral("v_r"))->number[9'999], -17.6);
        QCOMPARE(again->column(QStringLiteral("beta_r"))->number[0], 2.0);
        QVERIFY(first < 8'000);  // 2 s on a machine of its own
    }
};

ORRERY_WINDOW_TEST(CompareTablesTest)
#include "compare_tables_test.moc"
