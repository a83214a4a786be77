#include "core/run/jobs/empo_display.h"

#include <array>

#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/run/jobs/train_job.h"

namespace orrery {

namespace {

const EmpoSpec& empoIn(const Job& job) {
    return job.as<TrainJob>().empo;
}

std::vector<CurveChart> empoCharts() {
    return {
        {.id = "train/error",
         .title = "Error to exact",
         .unit = "mean |learned − exact|",
         .lines = {{"Exact/v_h_e", "V_h^e", 0},
                   {"Exact/pi_r", "pi_r", 1},
                   {"Exact/pi_h", "pi_h", 2}},
         .isLog = true,
         .withoutExact = "This world is not solved exactly, so the error is not known. Raise "
                         "exact_states in the form to solve it first."},
        {.id = "train/loss",
         .title = "Loss",
         .lines = {{"Loss/v_h_e", "V_h^e", 0},
                   {"Loss/x_h", "X_h", 2},
                   {"Loss/u_r", "U_r", 3},
                   {"Loss/q_r", "Q_r", 1},
                   {"Loss/v_r", "V_r", 4},
                   {"Loss/q_h", "Q_h", 5}},
         .isLog = true},
        {.id = "train/q_r",
         .title = "Q_r",
         .unit = "mean of a batch",
         .lines = {{"Predictions/q_r_mean", "prediction", 1}, {"Targets/q_r_mean", "target", 2}}},
        {.id = "train/exploration",
         .title = "Exploration",
         .unit = "share of actions",
         .lines = {{"Exploration/epsilon_r", "epsilon_r", 2},
                   {"Exploration/epsilon_h", "epsilon_h", 0}},
         .isPlanned = true},
        {.id = "train/power",
         .title = "Effective beta_r",
         .lines = {{"Warmup/effective_beta_r", "beta_r", 3}},
         .isPlanned = true},
        {.id = "train/speed",
         .title = "Speed",
         .unit = "per second",
         .lines = {{"Rates/training_steps_per_second", "training steps", 0},
                   {"Rates/environment_steps_per_second", "env steps", 1}},
         .isLog = true},
        {.id = "train/gradient",
         .title = "Gradient norm",
         .lines = {{"GradNorm/v_h_e", "V_h^e", 0},
                   {"GradNorm/x_h", "X_h", 2},
                   {"GradNorm/q_r", "Q_r", 1}},
         .isLog = true},
        {.id = "train/v_h_e",
         .title = "V_h^e",
         .unit = "mean of a batch",
         .lines = {{"Predictions/v_h_e_mean", "prediction", 0},
                   {"Targets/v_h_e_mean", "target", 2}}},
        {.id = "train/x_h",
         .title = "X_h",
         .unit = "mean of a batch",
         .lines = {{"Predictions/x_h_mean", "prediction", 0}, {"Targets/x_h_mean", "target", 2}}},
    };
}

enum FormChoice { kTables, kNetworks, kSomeOfEach };

int chosenForm(const Job& job) {
    bool hasTable = false, hasNetwork = false;
    for (const Quantity quantity : kQuantities) {
        const Approximator form = empoIn(job).of(quantity).kind;
        hasTable |= form == Approximator::Table;
        hasNetwork |= form == Approximator::Network;
    }
    return hasTable && hasNetwork ? kSomeOfEach : hasTable ? kTables : kNetworks;
}

void chooseForm(Job& job, int choice) {
    EmpoSpec& empo = job.as<TrainJob>().empo;
    for (const Quantity quantity : kQuantities)
        if (empo.isUsed(quantity))
            empo.of(quantity).kind =
                choice == kTables ? Approximator::Table : Approximator::Network;
}

std::vector<TrainingFact> factsOf(const Job& job, const TrainingSnapshot& training) {
    const EmpoSnapshot* now = empoOf(&training);
    std::vector<TrainingFact> facts;
    if (now == nullptr) return facts;
    const LearnerNumbers& learner = now->learner;
    facts = {{"learner", "effective beta_r", learner.beta_eff},
             {"learner", "epsilon_r", learner.epsilon_r}};
    if (learner.gamma_h < empoIn(job).gamma_h)
        facts.push_back({"learner", "gamma_h so far", learner.gamma_h});
    if (learner.gamma_r < empoIn(job).gamma_r)
        facts.push_back({"learner", "gamma_r so far", learner.gamma_r});
    facts.push_back({"learner", "skipped steps", learner.skippedSteps});
    const auto add = [&](const std::string& symbol, const QuantityNumbers& own) {
        if (own.updates == 0) return;
        facts.push_back({symbol, "loss", own.loss});
        facts.push_back({symbol, "prediction", own.mean});
        facts.push_back({symbol, "target", own.targetMean});
        facts.push_back({symbol, "learning rate", own.learningRate});
    };
    add("Q_h", learner.q_h);
    for (const Quantity quantity : kQuantities)
        add(symbolOf(quantity), learner.quantities[static_cast<std::size_t>(quantity)]);
    for (const auto& error : now->errors) {
        if (!error) continue;
        const std::string part = "error to exact";
        facts.push_back({part, "V_h^e", error->v_h_e});
        facts.push_back({part, "pi_r", error->pi_r});
        if (error->pi_h) facts.push_back({part, "pi_h", *error->pi_h});
        facts.push_back({part, "unvisited states", error->unvisited});
    }
    return facts;
}

/// In the order of kProfileStages.
constexpr std::array<const char*, kProfileStages.size()> kPartNames{
    "collect", "encode",   "forward",   "scatter", "V_h^e",
    "tensors", "backward", "optimiser", "acting",  "idle"};

TrainingFlow flowOf(const Job& job, const TrainingSnapshot& training) {
    const EmpoSnapshot* now = empoOf(&training);
    if (now == nullptr) return {};
    TrainingFlow flow{.takesTurns = !empoIn(job).isAsync,
                      .replay = now->replay,
                      .batch = empoIn(job).batchSize,
                      .environmentStepsPerSecond = now->environmentStepsPerSecond,
                      .device = now->device};
    for (const CollectorNumbers& own : now->collectors)
        flow.actors.push_back({.state = own.state,
                               .environmentSteps = own.environmentSteps,
                               .dropped = own.dropped,
                               .episodeStep = own.episodeStep,
                               .restarts = own.restarts});
    for (std::size_t i = 0; i < kPartNames.size(); ++i)
        flow.parts.push_back({.name = kPartNames[i],
                              .milliseconds = now->profile.milliseconds(kProfileStages[i]),
                              .color = wordsOf(empoSpans(), kProfileStages[i]).color});
    return flow;
}

std::string speedKeyOf(const Job& job) {
    const TrainJob& train = job.as<TrainJob>();
    std::string key;
    for (const std::string& world : train.worlds) key += world + " ";
    for (const Quantity quantity : kQuantities)
        key += std::to_string(static_cast<int>(train.empo.of(quantity).kind)) + " ";
    return key + std::to_string(train.empo.isAsync ? train.empo.numCollectors : 0);
}

}  // namespace

TrainingDisplay empoDisplay() {
    return {.axisName = "learner step",
            .beginning = "Solves exactly first",
            .charts = empoCharts(),
            .stopCurves = {"Exact/v_h_e", "Exact/pi_r", "Loss/q_r"},
            .resultCurves = {"Exact/", "Loss/"},
            .formSwitch =
                FormSwitch{.label = "Learned in",
                           .tip = "Tables hold one row a state and converge to the exact values in "
                                  "small worlds; networks generalise",
                           .choices = {"tables, one row a state", "networks", "some of each"},
                           .chosen = chosenForm,
                           .choose = chooseForm,
                           .mixedField = "v_h_e_kind"},
            .stages =
                [](const Job& job) {
                    const EmpoSchedule schedule(empoIn(job));
                    return std::vector<TrainingStage>(schedule.stages().begin(),
                                                      schedule.stages().end());
                },
            .steeringRemark =
                [](const Job& job) {
                    const EmpoSpec& empo = empoIn(job);
                    return std::string(empo.adaptiveTables && empo.hasTables()
                                           ? "Adaptive tables go by their own counts: the rates "
                                             "of tables have no effect."
                                           : "");
                },
            .facts = factsOf,
            .spans = empoSpans(),
            .flow = flowOf,
            .actorView = empoActorView,
            .speedKey = speedKeyOf};
}

}  // namespace orrery
