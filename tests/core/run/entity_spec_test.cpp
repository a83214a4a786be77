#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/files/diagnostic.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

RunSpec entitySpecIn(const std::string& text) {
    RunSpecReading reading = readRunSpec(text, "spec.yaml");
    for (const Diagnostic& diagnostic : reading.diagnostics)
        qWarning("%s", diagnosticLine(diagnostic).c_str());
    return reading.spec.value();
}

std::string linesAbout(const std::string& text) {
    std::string lines;
    for (const Diagnostic& diagnostic : readRunSpec(text, "spec.yaml").diagnostics)
        lines += diagnosticLine(diagnostic) + '\n';
    return lines;
}

EntitySpec& entityIn(RunSpec& spec) {
    return spec.job.as<EntityJob>().entity;
}

}  // namespace

class EntitySpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreTheOriginals() {
        const EntitySpec spec;
        QCOMPARE(spec.totalTimesteps, 1'000'000);
        QCOMPARE(spec.rollout.frames(), 2048);
        QCOMPARE(spec.updates(), 488);
        QVERIFY(!spec.vfNet && !spec.eval && !spec.net.relpos);
        QVERIFY(entityJobProblems(EntityJob()).empty());
    }

    void aSpecIsReadBackAsItWasWritten() {
        RunSpec spec = entitySpecIn(R"(
seed: 3
entity:
  env: {id: FloorIsLava, kwargs: {original: true}, max_episode_steps: 5}
  total_timesteps: 32768
  net:
    d_model: 16
    relpos_encoding: {extent: [1, 1], position_features: [x, y], per_entity_values: true}
  vf_net:
    n_layer: 1
    relpos_encoding: {extent: [2, 2], position_features: [x, y]}
  optim: {lr: "step: 0.3@0 lin 0.1@1e6", bs: 256}
  ppo: {ent_coef: 0.5, target_kl: 0.02}
  rollout: {steps: 1, num_envs: 256, processes: 2}
  eval: {interval: 8192, episodes: 1, env: {kwargs: {original: false}}}
)");
        const EntitySpec& entity = entityIn(spec);
        QCOMPARE(entity.env.optionsJson(), std::string(R"({"original":true})"));
        QCOMPARE(entity.net.relpos->extent, (std::vector<std::int64_t>{1, 1}));
        QCOMPARE(entity.vfNet->relpos->extent, (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(entity.vfNet->nLayer, 1);
        QCOMPARE(entity.rollout.threads, 2);
        QCOMPARE(entity.evalPlace().optionsJson(), std::string(R"({"original":false})"));
        QVERIFY(runSpecFromJson(toJson(spec), "again") == spec);

        // Parts within parts that are not there stay away.
        entityIn(spec).vfNet->relpos.reset();
        QVERIFY(runSpecFromJson(toJson(spec), "again") == spec);
        entityIn(spec).vfNet.reset();
        entityIn(spec).eval.reset();
        QVERIFY(runSpecFromJson(toJson(spec), "again") == spec);
        const RunSpec fresh{.seed = 1, .job = EntityJob()};
        QVERIFY(runSpecFromJson(toJson(fresh), "again") == fresh);
    }

    void allThatIsWrongIsTold() {
        const std::string lines = linesAbout(R"(
entity:
  env: {id: MineSweper}
  net: {d_model: 30, n_head: 4}
  optim: {bs: 100000, learning_rate: 3}
)");
        for (const char* part : {"MineSweeper", "n_head", "optim.bs", "learning_rate"})
            QVERIFY2(lines.find(part) != std::string::npos, (part + (" in " + lines)).c_str());
    }

    void optionsAndFeaturesAreHeldAgainstTheEnvironment() {
        EntityJob job;
        job.entity.env.kwargs = FieldMap{{"widht", std::int64_t{3}}};
        auto problems = entityJobProblems(job);
        QCOMPARE(problems.size(), 1U);
        QCOMPARE(problems[0].field, std::string("env.kwargs"));
        QVERIFY(problems[0].text.find("width") != std::string::npos);
        job.entity.env.kwargs = FieldMap();
        job.entity.net.relpos = RelposSpec{.extent = {2, 2}, .positionFeatures = {"x", "z"}};
        problems = entityJobProblems(job);
        QVERIFY(!problems.empty());
        QCOMPARE(problems[0].field, std::string("net.relpos_encoding.position_features"));
        job.entity.net.relpos.reset();
        job.entity.eval = EntityEvalSpec{.id = "CartPole"};
        problems = entityJobProblems(job);
        QCOMPARE(problems.size(), 1U);
        QCOMPARE(problems[0].field, std::string("eval.env.id"));
    }

    void aRateThatFallsIsSetByWhatItIsNow() {
        EntitySpec spec;
        spec.totalTimesteps = 8 * spec.rollout.frames();
        const std::int64_t half = 4 * spec.rollout.frames();
        QCOMPARE(rateNow(spec, "optim.lr", half), std::optional(0.0005));
        const auto start = rateAtStart(spec, "optim.lr", 0.002, half);
        QVERIFY(start == std::optional<FieldValue>(0.004));
        spec.optim.lr = std::get<double>(*start);
        QCOMPARE(rateNow(spec, "optim.lr", half), std::optional(0.002));
        // A schedule keeps its shape.
        spec.ppo.clipCoef = *Schedule::parse("lin(0.4, 0.2)");
        const auto shaped = rateAtStart(spec, "ppo.clip_coef", 0.15, half);
        spec.ppo.clipCoef = *Schedule::parse(std::get<std::string>(*shaped));
        QVERIFY(std::abs(*rateNow(spec, "ppo.clip_coef", 0) - 0.2) < 1e-12);
        QVERIFY(std::abs(*rateNow(spec, "ppo.clip_coef", half) - 0.15) < 1e-12);
        // What is no such rate, or was given as a schedule, is taken as it is.
        QVERIFY(!rateAtStart(spec, "optim.bs", 0.5, half));
        QVERIFY(!rateAtStart(spec, "optim.lr", std::string("lin(1, 0)"), half));
        // From 0 it does not come back by a factor.
        spec.ppo.entCoef = 0;
        QVERIFY(rateAtStart(spec, "ppo.ent_coef", 0.1, half) == std::optional<FieldValue>(0.2));
    }

    void aFlatFileSaysItsKind() {
        RunSpec spec = entitySpecIn("kind: entity\nseed: 4\nenv: {id: Count}\noptim: {bs: 64}\n");
        QCOMPARE(spec.seed, 4U);
        QCOMPARE(entityIn(spec).env.id, std::string("Count"));
        QCOMPARE(entityIn(spec).optim.bs, 64);
        QVERIFY(linesAbout("kind: entity\nnett: {}\n").find("did you mean 'net'") !=
                std::string::npos);
    }

    void configurationsOfTheOriginalAreTaken() {
        const auto ron = [](const std::string& text) {
            RunSpecReading reading = readRunSpec(text, "config.ron");
            for (const Diagnostic& diagnostic : reading.diagnostics)
                if (diagnostic.severity == Severity::Error)
                    qWarning("%s", diagnosticLine(diagnostic).c_str());
            return reading.spec.value();
        };
        // Version 4: what is not there has today's defaults.
        RunSpec newest = ron("Config(version: 4, net: (n_head: 4), ppo: (gamma: 0.9))");
        QVERIFY(entityIn(newest).net == (RogueNetSpec{.nHead = 4}));
        QVERIFY(entityIn(newest).ppo.annealEntropy);
        QCOMPARE(newest.seed, 1U);
        // Version 0: older defaults in the sections that are there, today's in the others.
        RunSpec oldest = ron(
            "Config(env: (id: \"FloorIsLava\", kwargs: \"{\\\"original\\\": true}\"),\n"
            "net: (relpos_encoding: Some((extent: [10, 10], position_features: [\"x\", \"y\"]))),\n"
            "ppo: (ent_coef: 0.3), seed: 7, track: true, cuda: false)");
        const EntitySpec& old = entityIn(oldest);
        QCOMPARE(oldest.seed, 7U);
        QCOMPARE(old.env.optionsJson(), std::string(R"({"original":true})"));
        QCOMPARE(old.net.dModel, 64);
        QCOMPARE(old.net.nLayer, 1);
        QVERIFY(old.net.relpos->perEntityValues);
        QVERIFY(old.net.relpos->negativeDistanceWeights);
        QCOMPARE(old.ppo.entCoef, Schedule(0.3));
        QVERIFY(!old.ppo.annealEntropy);
        QVERIFY(old.optim == OptimSpec());
        QVERIFY(old.rollout == RolloutSpec());
        QCOMPARE(old.totalTimesteps, 25'000);
        // Version 1, 2 and 3.
        RunSpec first = ron("(version: 1, rollout: (), optim: (lr: 0.001, bs: 64))");
        QCOMPARE(entityIn(first).rollout.steps, 128);
        QCOMPARE(entityIn(first).rollout.numEnvs, 4);
        QCOMPARE(entityIn(first).optim.bs, 64);
        RunSpec second = ron("(version: 2, net: ())");
        QCOMPARE(entityIn(second).totalTimesteps, 25'000);
        QCOMPARE(entityIn(second).net.dModel, 32);
        RunSpec third = ron(
            "(version: 3, env: (id: \"FloorIsLava\"), net: (relpos_encoding: Some((extent: [1, 1], "
            "position_features: [\"x\", \"y\"]))))");
        QVERIFY(!entityIn(third).net.relpos->perEntityValues);
        QVERIFY(entityIn(third).net.relpos->negativeDistanceWeights);
        QCOMPARE(entityIn(third).totalTimesteps, 1'000'000);
        // What has no effect is told once.
        const auto said =
            readRunSpec("(version: 4, track: true, trial: Some(1))", "c.ron").diagnostics;
        QCOMPARE(said.size(), 1U);
        QVERIFY(said[0].severity == Severity::Warning);
        QVERIFY(said[0].message.find("trial, track") != std::string::npos);
        for (const char* wrong : {"(version: 5)", "(version: 4, nett: ())", "[1]",
                                  "(env: (id: \"Xor\", kwargs: \"nothing\"))"})
            QVERIFY2(!readRunSpec(wrong, "c.ron").spec, wrong);
    }

    void theBestCheckpointIsTheOneWithMostReward() {
        const RunKind& kind = *findKind("entity");
        const auto measured = [&](double evaluated, double recent) {
            NewestMetrics newest{{"episodic_reward.mean_100", recent}};
            if (!std::isnan(evaluated)) newest["eval/episodic_reward.mean"] = evaluated;
            return kind.measure(newest).value();
        };
        QVERIFY(measured(NAN, 2).isBetterThan(measured(NAN, 1)));
        QVERIFY(measured(1, 0).isBetterThan(measured(NAN, 100)));
        QVERIFY(measured(2, 0).isBetterThan(measured(1, 100)));
        QVERIFY(!kind.measure({{"losses/entropy", 1}}));
    }
};

ORRERY_TEST(EntitySpecTest)
#include "entity_spec_test.moc"
