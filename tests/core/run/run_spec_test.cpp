#include "core/run/run_spec.h"

#include <QTest>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_fields.h"
#include "core/spec/field_check.h"
#include "error_of.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

SolveJob& jobOf(RunSpec& spec) {
    return spec.job.as<SolveJob>();
}

RunSpec everyFieldSet() {
    RunSpec spec{.name = "a \"b\" \\ ü", .note = "two\nlines: {x}", .seed = 9007199254740993U};
    SolveJob& job = jobOf(spec);
    job = {.world = {.name = "builtin:first_steps", .text = "map: [1]\n", .lenient = true},
           .unrolled = true,
           .saveValues = false,
           .saveGraph = false};
    SolveSpec& solve = job.solve;
    solve.seed = spec.seed;
    solve.beta_h = std::numeric_limits<double>::infinity();
    solve.gamma_h.reset();
    solve.rho_h = 0.1 + 0.2;
    solve.beta_r = 1e300;
    solve.gamma_r = 1.0 / 3.0;
    solve.zeta = 1.5;
    solve.xi = 0.7;
    solve.eta = 1e-7;
    solve.terminal_v_r = -1e-12;
    solve.optimistic = true;
    solve.x_h_floor = 1e-9;
    solve.believedOthers = {{.when = "human0.at(1,1) and step<4",
                             .human = "human0",
                             .ownAction = "left",
                             .agents = {{"human1", {0.25, 0.75}}},
                             .profiles = {}},
                            {.when = "true",
                             .human = {},
                             .ownAction = {},
                             .agents = {},
                             .profiles = {{0.5, {"still"}}, {0.5, {"forward"}}}}};
    solve.habits = {{.when = "step == 0", .human = "human1", .probability = {1, 0}}};
    solve.nu = 0.125;
    solve.phase1Only = true;
    solve.storage = ValueStorage::Half;
    solve.threads = 3;
    solve.memoryBudget = std::int64_t{3} << 40;
    return spec;
}

QByteArray linesOf(const RunSpecReading& reading) {
    QByteArray lines;
    for (const Diagnostic& d : reading.diagnostics)
        lines += QByteArray::fromStdString(diagnosticLine(d)) + "\n";
    return lines;
}

}  // namespace

class RunSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFieldSurvivesJson() {
        const RunSpec spec = everyFieldSet();
        for (const int indent : {-1, 2}) {
            const RunSpecReading reading = readRunSpec(toJson(spec, indent), "spec.json");
            QCOMPARE(linesOf(reading), QByteArray());
            QVERIFY(reading.spec.has_value());
            QVERIFY(*reading.spec == spec);
            QCOMPARE(toJson(*reading.spec, indent), toJson(spec, indent));
        }
    }

    void defaultsSurviveJsonAndAreWrittenOut() {
        RunSpec spec;
        jobOf(spec).world.name = "w.yaml";
        const std::string json = toJson(spec);
        for (const RunField& field : solveFields())
            if (!field.isOptional)
                QVERIFY2(json.find("\"" + field.name + "\"") != std::string::npos,
                         field.name.c_str());
        QVERIFY(json.find("\"gamma_h\": 0.99") != std::string::npos);
        QVERIFY(runSpecFromJson(json, "spec.json") == spec);
    }

    void yamlIsReadWithDefaults() {
        const RunSpecReading reading = readRunSpec(
            "name: try\n"
            "seed: 7\n"
            "solve:\n"
            "  world: my.yaml\n"
            "  beta_h: .inf\n"
            "  beta_r: 'inf'\n"
            "  rho_r: 0\n"
            "  memory: 2GiB\n"
            "  believed_others: uniform\n",
            "spec.yaml");
        QCOMPARE(linesOf(reading), QByteArray());
        RunSpec spec = *reading.spec;
        const SolveJob& job = jobOf(spec);
        QCOMPARE(spec.seed, std::uint64_t{7});
        QCOMPARE(job.solve.seed, std::uint64_t{7});
        QVERIFY(std::isinf(job.solve.beta_h) && std::isinf(job.solve.beta_r));
        QVERIFY(!job.solve.gamma_r && job.solve.rho_r == 0.0);
        QVERIFY(job.solve.gamma_h == 0.99);
        QCOMPARE(job.solve.memoryBudget, std::int64_t{2} << 30);
        QVERIFY(job.solve.believedOthers.empty());
    }

    void problemsAreReportedAtTheirPlaces_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const char* text, const char* line) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(line);
        };
        const char* const world = "solve:\n  world: w.yaml\n";
        const auto inSolve = [&](const char* name, const char* text, const char* line) {
            QTest::newRow(name) << (QByteArray(world) + "  " + text + "\n") << QByteArray(line);
        };
        row("no job", "name: x\n", "s.yaml:1:1: error E117: the spec names no job");
        row("no world", "solve: {}\n", "s.yaml:1:1: error E113: 'world' must be a text, not empty");
        row("unknown run field", "seeed: 1\nsolve: {world: w}\n",
            "s.yaml:1:1: error E112: no field is called 'seeed'; did you mean 'seed'?");
        row("negative seed", "seed: -1\nsolve: {world: w}\n",
            "s.yaml:1:7: error E113: 'seed' must be a whole number >= 0, got '-1'");
        row("newer format", "format: 2\nsolve: {world: w}\n",
            "s.yaml:1:9: error E119: format 2 is newer");
        row("list for a job", "solve: [1]\n", "s.yaml:1:8: error E114: 'solve' must be a map");
        inSolve("unknown field", "beta_H: 1",
                "error E112: in 'solve': no field is called "
                "'beta_H'; did you mean 'beta_h'?");
        inSolve("below range", "beta_h: -1",
                "s.yaml:3:11: error E113: 'beta_h' must be >= 0 or "
                "inf, got '-1'");
        inSolve("open end", "zeta: 0", "'zeta' must be > 0, got '0'");
        inSolve("above range", "gamma_h: 1.5", "'gamma_h' must be in (0, 1] or none, got '1.5'");
        inSolve("word for number", "xi: lots",
                "s.yaml:3:7: error E114: 'xi' must be > 0, got "
                "'lots'");
        inSolve("inf where finite", "eta: inf", "'eta' must be > 0");
        inSolve("quoted number", "nu: '0.5'", "'nu' must be in [0, 1], got '0.5' in quotes");
        inSolve("nan", "beta_r: nan", "'beta_r' must be > 0 or inf");
        inSolve("number for flag", "optimistic: 2", "'optimistic' must be true or false");
        inSolve("unknown choice", "storage: quarter", "'storage' must be double, float or half");
        inSolve("too many", "threads: 5000",
                "'threads' must be a whole number >= 0 and <= 1024, got '5000'");
        inSolve("fraction", "threads: 1.5", "'threads' must be a whole number >= 0");
        inSolve("gamma and rho", "gamma_h: 0.9\n  rho_h: 0.1",
                "s.yaml:4:3: error E118: 'rho_h' and 'gamma_h' say the same");
        inSolve("neither gamma nor rho", "gamma_r: null", "s.yaml:3:12: error E113: 'gamma_r'");
        inSolve("rule with a typo", "habits: [{wehn: 'true'}]",
                "s.yaml:3:13: error E112: in 'habits[0]': no field is called 'wehn'; did you mean "
                "'when'?");
        inSolve("probability above 1", "habits: [{probability: [1.5]}]",
                "'habits[0].probability[0]' must be a number from 0 to 1");
        inSolve("profile without actions", "believed_others: [{profiles: [{probability: 1}]}]",
                "'believed_others[0].profiles[0]' needs 'probability' and 'actions'");
        inSolve("key twice", "xi: 1\n  xi: 2", "s.yaml:4:3: error E107");
        row("no YAML", "solve: {\n", "s.yaml:");
    }
    void problemsAreReportedAtTheirPlaces() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, line);
        const RunSpecReading reading = readRunSpec(text.toStdString(), "s.yaml");
        QVERIFY(!reading.spec.has_value());
        QVERIFY2(linesOf(reading).contains(line), linesOf(reading));
    }

    void allProblemsAreReportedAtOnce() {
        const RunSpecReading reading = readRunSpec(
            "sed: 1\n"
            "solve:\n"
            "  world: ''\n"
            "  beta_h: -1\n"
            "  gamma_r: 2\n"
            "  threads: many\n"
            "  storage: none\n",
            "s.yaml");
        QCOMPARE(reading.diagnostics.size(), std::size_t{6});
        QVERIFY(!reading.spec.has_value());
        for (std::size_t i = 1; i < reading.diagnostics.size(); ++i)
            QVERIFY(reading.diagnostics[i - 1].line <= reading.diagnostics[i].line);
    }

    void aSpecInMemoryIsChecked() {
        RunSpec spec;
        jobOf(spec).solve.beta_h = -1;
        jobOf(spec).solve.xi = std::nan("");
        jobOf(spec).solve.rho_r = 0.1;
        std::vector<std::string> fields;
        for (const SpecProblem& problem : validate(spec)) fields.push_back(problem.field);
        QCOMPARE(fields, (std::vector<std::string>{"world", "beta_h", "xi", "gamma_r"}));
    }

    void aRangeEndsWhereTheRoomSaysSo_data() {
        QTest::addColumn<QString>("name");
        for (const RunField& field : solveFields())
            if (field.type == FieldType::Number)
                QTest::newRow(field.name.c_str()) << QString::fromStdString(field.name);
    }
    void aRangeEndsWhereTheRoomSaysSo() {
        QFETCH(QString, name);
        const RunField& field = *findField("solve", name.toStdString());
        RunSpec fresh;
        jobOf(fresh).solve.habits = {{.when = "true", .human = {}, .probability = {1.0}}};
        const auto roomAccepts = [&](double value) {
            RunSpec spec = fresh;
            field.set(spec, value);
            for (const SpecProblem& problem : validate(jobOf(spec).solve))
                if (problem.field == field.name) return false;
            return true;
        };
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double value : {field.low, field.high, std::nextafter(field.low, -infinity),
                                   std::nextafter(field.high, infinity), 0.5, 0.0, -0.5, 2.0,
                                   infinity, -infinity, std::nan("")})
            QVERIFY2(roomAccepts(value) == !checkField(field, value).has_value(),
                     qPrintable(name + QString(" = %1").arg(value)));
    }

    void aFieldReadsWhatAPersonTypes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("read");
        QTest::newRow("infinity") << "beta_h"
                                  << "inf"
                                  << "inf";
        QTest::newRow("none") << "x_h_floor"
                              << "none"
                              << "none";
        QTest::newRow("flag") << "optimistic"
                              << "yes"
                              << "true";
        QTest::newRow("bytes") << "memory"
                               << "1.5GiB"
                               << "1610612736";
        QTest::newRow("plain bytes") << "memory"
                                     << "4096"
                                     << "4096";
        QTest::newRow("number") << "eta"
                                << "1e-3"
                                << "0.001";
        QTest::newRow("choice") << "storage"
                                << "float"
                                << "float";
        QTest::newRow("seed") << "seed"
                              << "42"
                              << "42";
    }
    void aFieldReadsWhatAPersonTypes() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QFETCH(QString, read);
        const RunField& field = *findField("solve", name.toStdString());
        RunSpec spec;
        field.set(spec, fieldFromText(field, typed.toStdString()));
        QCOMPARE(QString::fromStdString(fieldText(field.get(spec))), read);
    }

    void aTypingErrorIsExplained() {
        const RunField& field = *findField("solve", "beta_h");
        QCOMPARE(errorOf([&] { fieldFromText(field, "-2"); }),
                 QByteArray("beta_h must be >= 0 or inf, got '-2'"));
        QCOMPARE(errorOf([&] { fieldFromText(field, "abc"); }),
                 QByteArray("beta_h must be >= 0 or inf, got 'abc'"));
        QVERIFY(findField("solve", "betah") == nullptr);
    }

    void rulesAreReadFromAFileOfTheirOwn() {
        Job job = SolveJob{};
        const auto problems =
            readRules("habits:\n  - {when: step<3, probability: [0.5, 0.5]}\n", "rules.yaml", job);
        QVERIFY(problems.empty());
        QCOMPARE(job.as<SolveJob>().solve.habits.size(), std::size_t{1});
        QCOMPARE(job.as<SolveJob>().solve.habits[0].when, std::string("step<3"));
        const SolveJob before = job.as<SolveJob>();
        QCOMPARE(readRules("habits: [{probability: [2]}]\nother: 1\n", "rules.yaml", job).size(),
                 std::size_t{2});
        QVERIFY(job.as<SolveJob>() == before);
    }

    void theExampleSpecsAreRight() {
        int examples = 0;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(sourcePath("resources/specs"))) {
            if (entry.is_directory() || entry.path().extension() == ".md") continue;
            const RunSpecReading reading =
                readRunSpec(readFile(entry.path(), 100'000), entry.path().filename());
            QCOMPARE(linesOf(reading), QByteArray());
            for (const WorldRef& world : worldRefs(reading.spec->job))
                QVERIFY(!worldFileText(world).empty());
            ++examples;
        }
        QVERIFY(examples >= 18);
    }

    void aStoredSpecOfDeepNestingIsRefused() {
        const std::string deep = "{\"solve\": " + std::string(100'000, '[');
        QVERIFY(!errorOf([&] { runSpecFromJson(deep, "spec.json"); }).isEmpty());
    }

    void numbersAreShownAsPeopleWriteThem() {
        const auto shown = [](double value) {
            return QString::fromStdString(shortFieldText(FieldValue(value)));
        };
        QCOMPARE(shown(1e-4), "0.0001");
        QCOMPARE(shown(2), "2");
        QCOMPARE(shown(0.99), "0.99");
        QCOMPARE(shown(100'000), "100000");
        QCOMPARE(shown(-1e-5), "-1e-5");
        QCOMPARE(shown(2.5e-10), "2.5e-10");
        QCOMPARE(shown(0), "0");
        QCOMPARE(shown(std::numeric_limits<double>::infinity()), "inf");
    }
};

ORRERY_TEST(RunSpecTest)
#include "run_spec_test.moc"
