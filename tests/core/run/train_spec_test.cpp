#include <QTest>
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/file_descriptor.h"
#include "core/run/builtin_worlds.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "core/run/jobs/train_kind.h"
#include "core/run/preset.h"
#include "core/run/run_facts.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/run_spec.h"
#include "core/run/steering.h"
#include "core/spec/field_check.h"
#include "error_of.h"
#include "small_training.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

RunSpec specOfText(const std::string& text) {
    return runSpecFromJson(text, "run.yaml");
}

/// A value that differs from the field's default and is right.
FieldValue otherValue(const RunField& field) {
    const FieldValue present = fieldDefault(field);
    switch (field.type) {
        case FieldType::Flag:
            return !std::get<bool>(present);
        case FieldType::Integer:
            return std::holds_alternative<std::int64_t>(present) &&
                           std::get<std::int64_t>(present) == static_cast<std::int64_t>(field.low)
                       ? FieldValue(static_cast<std::int64_t>(field.low) + 1)
                       : FieldValue(
                             std::max<std::int64_t>(1, static_cast<std::int64_t>(field.low)));
        case FieldType::Number:
            return field.high < 0   ? FieldValue(-0.5)
                   : field.low == 1 ? FieldValue(3.5)
                                    : FieldValue(0.75);
        case FieldType::Choice:
            return present == FieldValue(field.choices.back()) ? field.choices.front()
                                                               : field.choices.back();
        default:
            return std::string(field.name.ends_with("exploration_policy") ? "0.25,0.75"
                               : field.name == "changes"                  ? "5 lr_q_r=0.5"
                                                                          : "text");
    }
}

}  // namespace

class TrainSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jobsAreThoseOfTheList() {
        std::vector<std::string> names;
        for (const RunKind* kind : runKinds()) names.push_back(kind->name);
        QCOMPARE(names, (std::vector<std::string>{"solve", "train", "entity", "import"}));
        QCOMPARE(Job(TrainJob{}).kind().name, std::string("train"));
    }

    void theSeedsNamesAreFields() {
        for (const char* name : {"async_training",
                                 "num_actors",
                                 "actor_sync_freq",
                                 "async_min_buffer_size",
                                 "async_queue_size",
                                 "max_env_steps_per_training_step",
                                 "profile_batching",
                                 "profile_batching_interval",
                                 "use_encoders",
                                 "hidden_dim",
                                 "batch_size",
                                 "lr_v_h_e",
                                 "lr_q_r",
                                 "lookup_default_q_r",
                                 "steps_per_episode",
                                 "goal_resample_prob",
                                 "epsilon_h_start",
                                 "human_model",
                                 "num_training_steps",
                                 "seed"})
            QVERIFY2(findField("train", name) != nullptr, name);
        std::set<std::string> names;
        for (const RunField& field : trainFields()) {
            QVERIFY2(names.insert(field.name).second, field.name.c_str());
            QVERIFY2(!field.label.empty() && field.meaning.ends_with("."), field.name.c_str());
        }
    }

    void everyNeedNamesAFieldAndValuesThatItCanHave() {
        for (const char* const kind : {"solve", "train"})
            for (const RunField& field : jobFields(kind))
                for (const FieldNeed& need : field.needs) {
                    QVERIFY2(!need.anyOf.empty() && !need.reason.empty(), field.name.c_str());
                    for (const FieldTest& test : need.anyOf) {
                        const RunField* other = findField(kind, test.field);
                        QVERIFY2(other != nullptr && !test.texts.empty(), field.name.c_str());
                        for (const std::string& text : test.texts) {
                            const auto value = parseFieldText(*other, text);
                            QVERIFY2(value && !checkField(*other, *value), test.field.c_str());
                            QCOMPARE(fieldText(*value), text);
                        }
                    }
                }
    }

    void everyDefaultIsTheEmpoSpecs() {
        RunSpec spec;
        spec.job = trainingIn({"w"});
        QVERIFY(validate(spec).empty());
        QCOMPARE(fieldText(findField("train", "async_queue_size")->get(spec)),
                 std::string("10000"));
        QCOMPARE(fieldText(findField("train", "max_env_steps_per_training_step")->get(spec)),
                 std::string("10"));
        QCOMPARE(fieldText(findField("train", "lookup_default_q_r")->get(spec)), std::string("-1"));
        QCOMPARE(fieldText(findField("train", "u_r_kind")->get(spec)), std::string("computed"));
    }

    void everyFieldGoesThroughJsonAndBack() {
        for (const RunField& field : trainFields()) {
            if (field.name == "world_text") continue;
            RunSpec spec;
            spec.job = trainingIn({"w"});
            const FieldValue value = otherValue(field);
            QVERIFY2(!checkField(field, value), field.name.c_str());
            field.set(spec, value);
            QVERIFY2(field.get(spec) == value, field.name.c_str());
            // Whatever else the change makes wrong, the text must give the same spec.
            RunSpecReading reading = readRunSpec(toJson(spec), "run.json");
            if (!reading.spec) {
                QVERIFY2(!validate(spec).empty(), field.name.c_str());
                continue;
            }
            QVERIFY2(*reading.spec == spec, field.name.c_str());
        }
    }

    void severalWorldsAreAList() {
        const RunSpec spec = specOfText("train: {world: [a.yaml, 'b c.yaml']}");
        QCOMPARE(spec.job.as<TrainJob>().worlds, (std::vector<std::string>{"a.yaml", "b c.yaml"}));
        QVERIFY(specOfText(toJson(spec)) == spec);
        QCOMPARE(worldName(spec.job), std::string("a.yaml, b c.yaml"));
        QCOMPARE(worldNameOf(toJson(spec)), std::string("a.yaml, b c.yaml"));
        QCOMPARE(specOfText("train: {world: one.yaml}").job.as<TrainJob>().worlds,
                 std::vector<std::string>{"one.yaml"});
        QVERIFY(readRunSpec("train: {world: []}", "x").diagnostics.size() == 1);
    }

    void theRunsSeedIsTheLearners() {
        QCOMPARE(specOfText("{seed: 7, train: {world: w}}").job.as<TrainJob>().empo.seed,
                 std::uint64_t{7});
    }

    void allProblemsAreToldAtOnceWithTheirPlaces() {
        const RunSpecReading reading = readRunSpec(
            "train:\n"
            "  world: w\n"
            "  gamma_r: 2\n"
            "  batch_size: 64\n"
            "  buffer_size: 10\n"
            "  hiden_dim: 5\n"
            "  changes: [5 hidden_dim=3, nonsense, 2 lr_q_r=0.1]\n"
            "  stop_at_most: 0.5\n",
            "run.yaml");
        QVERIFY(!reading.spec);
        std::string all;
        for (const Diagnostic& diagnostic : reading.diagnostics)
            all += diagnosticLine(diagnostic) + "\n";
        for (const char* part :
             {"run.yaml:3:12", "'gamma_r' must be in (0, 1]",
              "'buffer_size' must be at least a batch", "'hiden_dim'", "hidden_dim",
              "run.yaml:7:12", "fork the run", "'stop_metric' is not set",
              "must be \"STEP KEY=VALUE\", got 'nonsense'"})
            QVERIFY2(all.find(part) != std::string::npos, (all + "\nlacks " + part).c_str());
    }

    void tablesByTheSeedsFlags_data() {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("kinds");  // V_h^e, X_h, U_r, Q_r, V_r
        QTest::newRow("none") << ""
                              << "network network computed network computed";
        QTest::newRow("all tables") << "use_lookup_tables: true"
                                    << "table table computed table computed";
        QTest::newRow("all but one") << "use_lookup_tables: true, use_lookup_x_h: false"
                                     << "table network computed table computed";
        QTest::newRow("one") << "use_lookup_q_r: true"
                             << "network network computed table computed";
        QTest::newRow("computed X_h wins whatever the order")
            << "x_h_use_network: false, use_lookup_x_h: true, use_lookup_tables: true"
            << "table computed computed table computed";
        QTest::newRow("learned V_r") << "v_r_use_network: true, use_lookup_v_r: true"
                                     << "network network computed network table";
    }
    void tablesByTheSeedsFlags() {
        QFETCH(QString, flags);
        QFETCH(QString, kinds);
        const std::string more = flags.isEmpty() ? "" : ", " + flags.toStdString();
        const RunSpec spec = specOfText("train: {world: w" + more + "}");
        QStringList got;
        for (const char* name : {"v_h_e", "x_h", "u_r", "q_r", "v_r"})
            got << QString::fromStdString(
                fieldText(findField("train", std::string(name) + "_kind")->get(spec)));
        QCOMPARE(got.join(' '), kinds);
    }

    void aFieldOfAnotherJobShowsItsDefault() {
        const RunSpec solve;  // fields of a training asked about a solve, and the other way round
        RunSpec train;
        train.job = trainingIn({"w"});
        QCOMPARE(findField("train", "batch_size")->get(solve), FieldValue(std::int64_t{64}));
        for (const RunField& field : solveFields())
            QVERIFY2(field.get(train) == fieldDefault(field), field.name.c_str());
        QVERIFY(errorOf([&] {
                    requireSolve(train, "run.yaml");
                }).contains("run.yaml has the job 'train'"));
    }

    void aPresetSetsItsFieldsAndNoOther() {
        RunSpec spec{.job = trainingIn({"w"})};
        const RunKind& kind = spec.job.kind();
        QCOMPARE(presetOf(spec)->name, std::string("networks"));
        trainingOf(spec).empo.gamma_r = 0.5;
        applyPreset(spec, requirePreset(kind, "exact-tables"));
        QVERIFY(trainingOf(spec).empo.of(Quantity::Q_r).kind == Approximator::Table);
        QCOMPARE(trainingOf(spec).empo.batchSize, 32);
        QCOMPARE(trainingOf(spec).empo.gamma_r, 0.5);
        QCOMPARE(trainingOf(spec).worlds, std::vector<std::string>{"w"});
        QCOMPARE(presetOf(spec)->name, std::string("exact-tables"));
        QVERIFY(validate(spec).empty());
        // What the one before set becomes as it is by default.
        applyPreset(spec, requirePreset(kind, "tables"));
        QCOMPARE(trainingOf(spec).empo.batchSize, EmpoSpec().batchSize);
        QCOMPARE(presetOf(spec)->name, std::string("tables"));
        trainingOf(spec).empo.batchSize = 7;
        QCOMPARE(presetOf(spec), nullptr);
        QVERIFY(errorOf([&] {
                    requirePreset(kind, "exact-table");
                }).contains("did you mean 'exact-tables'"));
        QVERIFY(errorOf([&] {
                    requirePreset(*findKind("solve"), "quick");
                }).contains("there are original, sharp"));
    }

    void everyPresetIsRightAndNamesFields() {
        int presets = 0;
        for (const RunKind* kind : runKinds())
            for (const SpecPreset& preset : kind->presets) {
                RunSpec spec{.job = kind->fresh()};
                applyPreset(spec, preset);
                QCOMPARE(presetOf(spec), &preset);
                for (const auto& [name, value] : preset.values) {
                    const RunField* field = findField(kind->name, name);
                    QVERIFY2(field != nullptr, name.c_str());
                    QCOMPARE(field->get(spec), value);
                }
                for (const SpecProblem& problem : validate(spec))
                    QVERIFY2(problem.field == "world", problem.field.c_str());
                ++presets;
            }
        QVERIFY(presets >= 5);
    }

    void aFileTakesAPresetBeneathItsOwnValues() {
        const RunSpec spec =
            specOfText("train:\n  world: w\n  batch_size: 16\n  preset: exact-tables\n");
        const EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        QCOMPARE(empo.batchSize, 16);
        QCOMPARE(empo.trainingSteps, std::int64_t{400'000});
        QVERIFY(empo.adaptiveTables);
        const QString wrong = errorOf([] { specOfText("train:\n  world: w\n  preset: quik\n"); });
        QVERIFY2(wrong.contains("run.yaml:3:11") && wrong.contains("no preset 'quik'"),
                 qPrintable(wrong));
    }

    void aliasesAreOtherNamesOfAField() {
        const RunSpec spec = specOfText(
            "train:\n  world: w\n  q_r_target_update_interval: 7\n  lookup_use_adaptive_lr: "
            "true\n");
        const EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        QCOMPARE(empo.of(Quantity::Q_r).targetCopySteps, std::int64_t{7});
        QVERIFY(empo.adaptiveTables);
        QCOMPARE(findField("train", "checkpoint_interval")->name, std::string("checkpoint_steps"));
        // A file that is written has the name alone.
        QVERIFY(toJson(spec).find("update_interval") == std::string::npos);
        const QString twice = errorOf([] {
            specOfText("train:\n  world: w\n  checkpoint_steps: 5\n  checkpoint_interval: 6\n");
        });
        QVERIFY2(twice.contains("'checkpoint_interval' and 'checkpoint_steps' say the same"),
                 qPrintable(twice));
        QCOMPARE(steeredName(trainKind(), "q_r_target_update_interval"),
                 std::string("q_r_target_update_freq"));
    }

    void namesSayWhatIsLearned() {
        RunSpec spec = smallTraining();
        trainingOf(spec).empo = {};
        QCOMPARE(describeRun("maze", spec), std::string("maze · learned"));
        applyAliases({{"use_lookup_tables", true}}, trainingOf(spec).empo);
        trainingOf(spec).empo.beta_r = 5;
        trainingOf(spec).empo.batchSize = 32;
        QCOMPARE(describeRun("maze", spec),
                 std::string("maze · learned in tables · beta_r 5 · batch_size 32"));
    }

    void theExamplesAreRightAndNameTheirWorlds() {
        int trainings = 0;
        for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "specs")) {
            if (entry.is_directory() || entry.path().extension() == ".md") continue;
            const std::string name = entry.path().string();
            const RunSpec spec = runSpecFromJson(readFile(entry.path(), 100'000), name);
            for (const WorldRef& world : worldRefs(spec.job))
                QVERIFY2(!worldFileText(world).empty(), name.c_str());
            trainings += spec.job.is<TrainJob>() ? 1 : 0;
        }
        QVERIFY(trainings >= 2);
    }
};

ORRERY_TEST(TrainSpecTest)
#include "train_spec_test.moc"
