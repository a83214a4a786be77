#include <algorithm>
#include <string_view>

#include "core/base/text.h"
#include "core/empo/spec_field_parts.h"

namespace orrery {

using enum NumberLimit;

namespace {

constexpr double kMostSmall = 1e6;

/// A list of numbers as one text: "0.06,0.18,0.18,0.58".
SpecRow<EmpoSpec> probabilities(std::string name, std::string label, std::string meaning,
                                std::vector<double> EmpoSpec::*member) {
    const auto get = [member](const EmpoSpec& spec) -> FieldValue {
        std::string text;
        for (const double p : spec.*member) text += (text.empty() ? "" : ",") + formatDouble(p);
        return text;
    };
    const auto set = [member](EmpoSpec& spec, const FieldValue& value) {
        std::vector<double>& policy = spec.*member;
        policy.clear();
        std::string_view rest = std::get<std::string>(value);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            // What is no number is no probability either, which validate() says.
            policy.push_back(parseDouble(rest.substr(0, end)).value_or(-1));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    };
    return {expert(textField(std::move(name), std::move(label), false, std::move(meaning))), get,
            set};
}

void addExploration(EmpoTable& table) {
    table.add(
        choiceField("robot_exploration", "Robots explore by", {"policy", "forward", "macro"},
                    "How exploring robots draw actions: by exploration_policy; by it without steps "
                    "that lead nowhere; or so to begin with and then on the same way."),
        &EmpoSpec::exploration_r);
    SpecField steps =
        needs({fieldIs("robot_exploration", {"macro"})}, "robot_exploration is not macro",
              expert(numberField("macro_steps", "Steps of a macro", AboveZero,
                                 "Mean number of steps that exploring robots go on the "
                                 "same way, with robot_exploration: macro.")));
    steps.low = 1;
    steps.high = 1e6;
    steps.range = "from 1 to 1000000";
    table.add(std::move(steps), &EmpoSpec::macroSteps);
    table.add(probabilities(
        "exploration_policy", "Exploration policy",
        "Probabilities of a robot's actions while it explores, between commas; empty: all alike, "
        "or, with robot_exploration forward or macro, 0.58 for forward, 0.06 for still and 0.18 "
        "for others.",
        &EmpoSpec::explorationPolicy));
    table.add(probabilities("human_exploration_policy", "Humans' exploration policy",
                            "Probabilities of a human's actions while it explores, "
                            "between commas; empty: all alike.",
                            &EmpoSpec::explorationPolicy_h));
}

}  // namespace

void addSteps(EmpoTable& table) {
    table.add(plain(countField("num_training_steps", "Training steps", "steps", 1, kMostSteps,
                               "Steps after which the run is finished.")),
              &EmpoSpec::trainingSteps);
    table.add(plain(live(countField("batch_size", "Batch", "transitions", 1, 65536,
                                    "Transitions in one training step."),
                         "batch", {.low = 1, .high = 1024, .isLog = true})),
              &EmpoSpec::batchSize);
    table.add(needs({fieldIsNot("x_h_kind", {"computed"})}, "X_h is not learned",
                    countField("x_h_batch_size", "Batch of X_h", "transitions", 1, 65536,
                               "Transitions in one training step of X_h; none: as the others.")),
              &EmpoSpec::xhBatchSize);
    table.add(plain(countField("steps_per_episode", "Steps an episode", "steps", 1, kMostSmall,
                               "Environment steps after which an episode begins anew.")),
              &EmpoSpec::stepsPerEpisode);
    table.add(
        needs({fieldIs("async_training", {"false"})}, "actors do not wait for training steps",
              countField("env_steps_per_training_step", "Environment steps each", "steps", 1,
                         kMostSmall,
                         "Environment steps before each training step of synchronous training.")),
        &EmpoSpec::environmentStepsPerTrainingStep);
    table.add(
        countField("training_steps_per_env_step", "Training steps each", "steps", 1, kMostSmall,
                   "Training steps after each environment step of synchronous training."),
        &EmpoSpec::trainingStepsPerEnvironmentStep);
    table.add(
        countField("num_steps", "Steps of a target", "steps", 0, kMostSmall,
                   "n of n-step targets; 1: the full model-based ones, 0: to the episode's end."),
        &EmpoSpec::numSteps);
    table.add(countField("beta_r_rampup_steps", "Ramp of beta_r", "steps", 0, kMostSteps,
                         "Training steps over which beta_r rises from 0 after the warm-up."),
              &EmpoSpec::rampSteps);
    table.add(choiceField("lr_decay", "Decay of rates", {"none", "inverse", "inverse_sqrt"},
                          "How learning rates fall once they do."),
              &EmpoSpec::rateDecay);
    table.add(expert(numberField("lr_constant_fraction", "Constant share", Unit,
                                 "Share of all steps in which learning rates do not fall.")),
              &EmpoSpec::constantRateFraction);
    table.add(countField("buffer_size", "Buffer", "transitions", 1, 1e9,
                         "Transitions that the replay buffer holds."),
              &EmpoSpec::bufferCapacity);
    table.add(choiceField("buffer_clearing", "Clearing of the buffer", {"gradual", "hard", "none"},
                          "How transitions of the warm-up leave the buffer when beta_r rises."),
              &EmpoSpec::bufferClearing);
}

void addActing(EmpoTable& table) {
    table.add(expert(numberField("epsilon_r_start", "First epsilon of robots", Unit,
                                 "Share of exploring robot actions at the start.")),
              &EmpoSpec::epsilonStart_r);
    table.add(live(numberField("epsilon_r_end", "Last epsilon of robots", Unit,
                               "Share of exploring robot actions after the decay."),
                   "epsilon_r exploration", {}),
              &EmpoSpec::epsilonEnd_r);
    table.add(expert(numberField("epsilon_h_start", "First epsilon of humans", Unit,
                                 "Share of exploring human actions at the start.")),
              &EmpoSpec::epsilonStart_h);
    table.add(live(numberField("epsilon_h_end", "Last epsilon of humans", Unit,
                               "Share of exploring human actions after the decay."),
                   "epsilon_h exploration", {}),
              &EmpoSpec::epsilonEnd_h);
    table.add(countField("epsilon_decay_steps", "Decay of epsilon", "steps", 0, kMostSteps,
                         "Training steps over which both epsilons fall."),
              &EmpoSpec::epsilonSteps);
    table.add(expert(numberField("goal_resample_prob", "New goals", Unit,
                                 "Probability at each step that a human takes up a new goal.")),
              &EmpoSpec::goalResampleProbability);
    table.add(
        needs({fieldIsNot("v_h_e_kind", {"table"})}, "where V_h^e is a table all goals are taken",
              countField("goals_per_human", "Goals of a computed X_h", "goals", 1, kMostSmall,
                         "Goals that are drawn for each human where X_h is computed.")),
        &EmpoSpec::goalsPerHuman);
    addExploration(table);
    const std::vector<std::string> kinds{"none", "counts", "counts_ucb", "rnd"};
    table.add(structural(choiceField(
                  "curiosity_r", "Curiosity of robots", kinds,
                  "How novelty is measured that robots are drawn to. rnd reads the features of the "
                  "networks; where there are none it sees agents and interactive things alone.")),
              &EmpoSpec::curiosity_r);
    table.add(
        structural(choiceField(
            "curiosity_h", "Curiosity of humans", kinds,
            "How novelty is measured that exploring humans are drawn to; rnd as for robots.")),
        &EmpoSpec::curiosity_h);
    const std::vector<FieldTest> isCurious{fieldIsNot("curiosity_r", {"none"}),
                                           fieldIsNot("curiosity_h", {"none"})};
    const std::vector<FieldTest> hasRnd{fieldIs("curiosity_r", {"rnd"}),
                                        fieldIs("curiosity_h", {"rnd"})};
    table.add(partOf(isCurious, "nobody is curious",
                     expert(live(numberField("curiosity_coef", "Weight of curiosity", ZeroOrMore,
                                             "How strongly novelty draws."),
                                 "curiosity", {.low = 0, .high = 2}))),
              &EmpoSpec::curiosityCoefficient);
    table.add(needs(isCurious, "nobody is curious",
                    expert(numberField("curiosity_scale", "Scale of counts", AboveZero,
                                       "Novelty of a state that was never seen."))),
              &EmpoSpec::curiosityScale);
    const std::string noRnd = "neither curiosity_r nor curiosity_h is rnd";
    table.add(
        needs(hasRnd, noRnd,
              expert(numberField("lr_rnd", "Learning rate of novelty", AboveZero,
                                 "Step size of the predictor of random network distillation."))),
        &EmpoSpec::rndLearningRate);
    std::vector<FieldTest> takesRates = anyIs(kQuantities, "network");
    takesRates.push_back(fieldIs("adaptive_tables", {"false"}));
    table.add(needs(hasRnd, noRnd,
                    needs(std::move(takesRates), "adaptive tables go by their own counts",
                          flagField("rnd_adaptive_lr", "Rates follow novelty", true,
                                    "Gradients are scaled by the novelty of their batch."))),
              &EmpoSpec::rndScalesRates);
}

void addCollectors(EmpoTable& table) {
    table.add(flagField("async_training", "Act and learn at the same time", false,
                        "Actors collect on threads of their own while the learner trains."),
              &EmpoSpec::isAsync);
    table.add(plain(countField("num_actors", "Actors", "threads", 1, 256,
                               "Threads that collect experience.")),
              &EmpoSpec::numCollectors);
    const auto ofThreads = [](SpecField field) {
        return partOf({fieldIs("async_training", {"true"})}, "actors and learner take turns",
                      std::move(field));
    };
    table.add(ofThreads(live(
                  countField("actor_sync_freq", "Weights to actors", "steps", 1, kMostSteps,
                             "Training steps between two hand-overs of weights to the actors."),
                  "actor sync", {.low = 1, .high = 10'000, .isLog = true})),
              &EmpoSpec::collectorSyncSteps);
    table.add(ofThreads(countField("async_min_buffer_size", "Least buffer", "transitions", 1, 1e9,
                                   "Transitions in the buffer before training begins.")),
              &EmpoSpec::minBufferSize);
    table.add(ofThreads(countField("async_queue_size", "Queue", "transitions", 1, 1e9,
                                   "Most transitions that wait between actors and learner.")),
              &EmpoSpec::queueCapacity);
    table.add(
        ofThreads(expert(
            live(numberField("max_env_steps_per_training_step", "Most environment steps", AboveZero,
                             "Actors wait while they are more than so many environment steps a "
                             "training step ahead; none: they never wait."),
                 "actor throttle", {.low = 0.1, .high = 1000, .isLog = true}))),
        &EmpoSpec::maxEnvironmentStepsPerTrainingStep);
    table.add(ofThreads(countField("min_living_actors", "Least actors", "threads", 1, 256,
                                   "With fewer living actors the run stops.")),
              &EmpoSpec::minLivingCollectors);
    table.add(countField("actor_restarts", "Restarts", "in 10 minutes", 0, kMostSmall,
                         "How often an actor that failed is begun anew within ten minutes."),
              &EmpoSpec::restartsPerTenMinutes);
}

void addRecords(EmpoTable& table) {
    table.add(
        choiceField("device", "Device", {"auto", "cpu", "cuda"}, "Where the learner computes."),
        &EmpoSpec::device);
    table.add(quiet(flagField("profile_batching", "Print the profile", true,
                              "Prints where the time of a training step goes.")),
              &EmpoSpec::profilesBatching);
    table.add(
        needs({fieldIs("profile_batching", {"true"})}, "profile_batching is off",
              quiet(countField("profile_batching_interval", "Steps a profile", "steps", 1,
                               kMostSteps, "Training steps between two prints of the profile."))),
        &EmpoSpec::profileInterval);
}

}  // namespace orrery
