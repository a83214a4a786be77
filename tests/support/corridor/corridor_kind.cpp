#include "tests/support/corridor/corridor_kind.h"

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/run/result_facts.h"
#include "core/run/snapshot.h"
#include "core/run/train_run.h"
#include "tests/support/corridor/corridor_environment.h"
#include "tests/support/corridor/corridor_method.h"

namespace orrery::test {

namespace {

class CorridorRun : public TrainRun {
public:
    CorridorRun(const Job& job, RunContext& context)
        : TrainRun(job, context), m_job(job.as<CorridorJob>()) {}

private:
    std::string readInputs() override {
        return sha256Hex("corridor " + std::to_string(m_job.spec.length));
    }
    RunSpec keptSpec() const override { return {.seed = m_job.spec.seed, .job = m_job}; }
    std::unique_ptr<Method> makeMethod() override {
        return std::make_unique<CorridorMethod>(m_job.spec);
    }

    const CorridorJob& m_job;
};

std::vector<std::string> nameParts(const RunSpec& spec) {
    const CorridorSpec& own = spec.job.as<CorridorJob>().spec;
    std::vector<std::string> parts{"corridor of " + std::to_string(own.length)};
    if (own.learningRate != CorridorSpec().learningRate)
        parts.push_back("learning_rate " + formatDouble(own.learningRate));
    return parts;
}

std::optional<CheckpointMeasure> measure(const NewestMetrics& newest) {
    const auto found = newest.find("Error/q");
    if (found == newest.end()) return std::nullopt;
    return CheckpointMeasure{.value = found->second};
}

std::optional<RunEvaluation> evaluate(const RunSpec& spec, const Checkpoint& checkpoint,
                                      const EvaluationWish&, const ProgressSink&, std::stop_token) {
    CorridorMethod method(spec.job.as<CorridorJob>().spec);
    method.load(checkpoint);
    return RunEvaluation{.parts = {{.line = "error of Q " + formatDouble(method.error())}},
                         .json = "{\"error_q\": " + formatDouble(method.error()) + "}",
                         .metrics = {{"Evaluation/error_q", method.error()}}};
}

void addFacts(const ResultJson& result, RunFacts& facts) {
    if (const ResultJson* train = memberOf(result, "train"))
        addResult(facts, "steps", memberOf(*train, "steps"));
    if (const ResultJson* last = memberOf(result, "last"))
        addResult(facts, "error_q", memberOf(*last, "Error/q"));
}

std::vector<TrainingFact> facts(const Job&, const TrainingSnapshot& training) {
    const auto* now = dynamic_cast<const CorridorSnapshot*>(&training);
    if (now == nullptr) return {};
    return {{"corridor", "cell", static_cast<std::int64_t>(now->cell)},
            {"corridor", "value of the first cell", now->values.front()}};
}

TrainingFlow flow(const Job&, const TrainingSnapshot& training) {
    const auto* now = dynamic_cast<const CorridorSnapshot*>(&training);
    if (now == nullptr) return {};
    return {.actors = {{.environmentSteps = now->step, .episodeStep = now->stepOfEpisode}},
            .batch = 1,
            .environmentStepsPerSecond = now->stepsPerSecond};
}

ActorView actorView(const TrainSnapshot& training, std::size_t, const PictureWish& wish) {
    const auto* now = dynamic_cast<const CorridorSnapshot*>(training.training.get());
    if (now == nullptr) return {};
    const int length = static_cast<int>(now->values.size());
    return {.picture = corridorPicture(length, now->cell, now->values, wish),
            .remark = std::to_string(length - 1 - now->cell) + " cells to go",
            .columns = {"Thing", "Cell"},
            .rows = {{"walker", std::int64_t{now->cell}}, {"goal", std::int64_t{length - 1}}}};
}

TrainingDisplay display() {
    return {.axisName = "environment step",
            .charts = {{.id = "corridor/error",
                        .title = "Error of Q",
                        .lines = {{"Error/q", "Q", 1}},
                        .isLog = true},
                       {.id = "corridor/episodes",
                        .title = "Episodes",
                        .unit = "steps to the goal",
                        .lines = {{"Episodes/steps", "steps", 0}}}},
            .stopCurves = {"Error/q"},
            .resultCurves = {"Error/", "Loss/"},
            .facts = facts,
            .spans = corridorSpans(),
            .flow = flow,
            .actorView = actorView};
}

}  // namespace

const RunKind& corridorKind() {
    static const SpecTable<RunSpec> kFields = fieldsOfJob(corridorJobFields());
    static const RunKind kKind{
        .name = "corridor",
        .noun = "training",
        .settings = typeid(CorridorJob),
        .fresh = [] { return Job(CorridorJob()); },
        .fields = kFields.rows(),
        .firstFields = {"num_training_steps", "length", "learning_rate", "epsilon"},
        .steeredFields = {"learning_rate", "epsilon"},
        .fixedFields = {"length", "gamma"},
        .problems = [](const Job& job) { return corridorProblems(job.as<CorridorJob>().spec); },
        .takeSeed = [](Job& job, std::uint64_t seed) { job.as<CorridorJob>().spec.seed = seed; },
        .worlds = [](const Job&) { return std::vector<WorldRef>(); },
        .takeWorlds = [](Job&, const std::vector<WorldRef>&) {},
        .placeTitle = "Corridor",
        .training = [](Job& job) -> TrainSettings* { return &job.as<CorridorJob>(); },
        .totalSteps = [](const Job& job) { return job.as<CorridorJob>().spec.trainingSteps; },
        .display = display(),
        .memory =
            [](const Job& job, const std::stop_token&) {
                const std::int64_t cells = job.as<CorridorJob>().spec.length;
                return std::vector<MemoryPart>{{"table", 16 * cells}};
            },
        .measure = measure,
        .isMeasured = [](std::string_view curve) { return curve == "Error/q"; },
        .evaluate = evaluate,
        .work = [](const Job& job,
                   RunContext& context) { return std::make_unique<CorridorRun>(job, context); },
        .firstSnapshot = [] { return JobSnapshot(TrainSnapshot()); },
        .memoryAdvice = "Take a shorter corridor.",
        .tookText = "Trained for",
        .describe = nameParts,
        .addFacts = addFacts,
        .hasCurves = true};
    return kKind;
}

}  // namespace orrery::test
