#include "core/run/train_fields.h"

#include <array>
#include <limits>

#include "core/run/train_field_parts.h"

namespace orrery {

namespace {

constexpr double kMostSmall = 1e6;

using enum NumberLimit;

void addWorldFields(std::vector<SpecField>& fields) {
    fields.push_back(boundTo<TrainJob>(
        textsField("world", "World", true,
                   "World file, or builtin:NAME for one of the examples; a list to learn in "
                   "several worlds at once."),
        [](TrainJob & j) -> auto& { return j.worlds; }));
    fields.push_back(boundTo<TrainJob>(
        expert(textsField("world_text", "World text", false,
                          "Texts of the world files, where they are not to be read from `world`.")),
        [](TrainJob & j) -> auto& { return j.worldTexts; }));
    fields.push_back(boundTo<TrainJob>(
        flagField("lenient", "Accept unknown keys", true,
                  "Unknown keys of the world file are warnings, not errors."),
        [](TrainJob & j) -> auto& { return j.lenient; }));
}

void addTheoryFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        numberField("beta_h", "Humans' inverse temperature", ZeroOrMoreOrInf,
                    "Inverse temperature of the humans' policies; inf: the best actions, all "
                    "alike."),
        [](EmpoSpec & e) -> auto& { return e.beta_h; });
    add(
        numberField("gamma_h", "Humans' discount factor", UnitOpenAtZero,
                    "Discount factor of the humans per unit of time."),
        [](EmpoSpec & e) -> auto& { return e.gamma_h; });
    add(
        flagField("optimistic", "Humans expect a helpful robot", true,
                  "The exact prior takes the best robot action for the human, not the worst."),
        [](EmpoSpec & e) -> auto& { return e.optimistic; });
    add(
        numberField("beta_r", "beta_r", AboveZero,
                    "Power of the robot's policy, (-Q_r)^-beta_r, once it is ramped up."),
        [](EmpoSpec & e) -> auto& { return e.beta_r; });
    add(
        numberField("gamma_r", "Robot's discount factor", UnitOpenAtZero,
                    "Discount factor of the robot per unit of time."),
        [](EmpoSpec & e) -> auto& { return e.gamma_r; });
    SpecField zeta = numberField("zeta", "Risk aversion", ZeroOrMore,
                                 "Risk aversion in X_h, the sum of w_g V_h^e(g)^zeta.");
    zeta.low = 1;
    zeta.range = ">= 1";
    add(
        std::move(zeta), [](EmpoSpec & e) -> auto& { return e.zeta; });
    add(
        numberField("xi", "Inequality aversion", AboveZero,
                    "Aversion to unequal X_h among the humans, in U_r."),
        [](EmpoSpec & e) -> auto& { return e.xi; });
    add(
        numberField("eta", "Intertemporal aversion", AboveZero,
                    "Aversion to uneven power over time, in U_r."),
        [](EmpoSpec & e) -> auto& { return e.eta; });
    add(
        expert(numberField("terminal_v_r", "Value at the end", BelowZero,
                           "V_r of a state that ends the world.")),
        [](EmpoSpec & e) -> auto& { return e.terminal_v_r; });
    add(
        choiceField("human_model", "Humans in the targets", {"expected", "sampled"},
                    "Targets sum over all human actions by the prior, or take those that were "
                    "done, as the original."),
        [](EmpoSpec & e) -> auto& { return e.humanModel; });
    for (SpecField& field : humanPriorFields()) fields.push_back(std::move(field));
    for (SpecField& field : curriculumFields()) fields.push_back(std::move(field));
    add(
        flagField("include_step_count", "States hold the step", true,
                  "States of different steps are different to networks and tables."),
        [](EmpoSpec & e) -> auto& { return e.includesStepCount; });
    add(
        flagField("original_rules", "The original's rules", true,
                  "Ends of episodes, defaults of tables and hidden terrain as in the original, "
                  "faults included."),
        [](EmpoSpec & e) -> auto& { return e.originalRules; });
}

void addQuantityFields(std::vector<SpecField>& fields) {
    for (const Quantity quantity : kQuantities) {
        const std::string name = nameOf(quantity);
        const std::string symbol = symbolOf(quantity);
        const auto add = [&](SpecField field, auto member) {
            fields.push_back(learned(
                std::move(field),
                [ quantity, member ](EmpoSpec & e) -> auto& { return e.of(quantity).*member; }));
        };
        add(plain(choiceField(name + "_kind", symbol + " is a", {"network", "table", "computed"},
                              "How " + symbol +
                                  " is represented. A table has one row for all states that are "
                                  "encoded alike.")),
            &QuantitySpec::kind);
        add(numberField("lr_" + name, "Learning rate of " + symbol, AboveZero,
                        "Step size of the optimiser of " + symbol + "."),
            &QuantitySpec::learningRate);
        const bool isNegative =
            quantity == Quantity::Q_r || quantity == Quantity::U_r || quantity == Quantity::V_r;
        add(expert(numberField(
                "lookup_default_" + name, "Default of " + symbol, isNegative ? BelowZero : Unit,
                "What a row of the table of " + symbol + " says before its first update.")),
            &QuantitySpec::tableDefault);
        add(countField(name + "_target_update_freq", "Target copies of " + symbol, "steps", 1,
                       kMostSteps,
                       "Training steps between two copies of " + symbol + " to its target."),
            &QuantitySpec::targetCopySteps);
        add(countField("warmup_" + name + "_steps", "Warm-up of " + symbol, "steps", 0, kMostSteps,
                       "Training steps of the stage in which " + symbol + " joins."),
            &QuantitySpec::warmupSteps);
    }
}

void addNetworkFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        plain(countField("hidden_dim", "Hidden units", "", 8, 4096, "Width of the networks.")),
        [](EmpoSpec & e) -> auto& { return e.hiddenSize; });
    add(
        expert(numberField("dropout", "Dropout", UnitOpenAtOne,
                           "Share of hidden units that are silenced while training.")),
        [](EmpoSpec & e) -> auto& { return e.dropout; });
    add(
        flagField("use_encoders", "Encoders", true,
                  "States are encoded by networks; off: their numbers go into the heads as they "
                  "are."),
        [](EmpoSpec & e) -> auto& { return e.usesEncoders; });
    add(
        choiceField(
            "own_encoders", "Own encoders", {"own", "none", "attached"},
            "Encoders of X_h, U_r, Q_r and V_r beside the shared one of V_h^e: own, none, or "
            "attached: own ones too, and the shared one is trained by all."),
        [](EmpoSpec & e) -> auto& { return e.ownEncoders; });
    add(
        flagField("seed_planes", "39 planes", true, "The seed's layout of planes, without bushes."),
        [](EmpoSpec & e) -> auto& { return e.has39Planes; });
    add(
        flagField("use_z_space", "Z-space", true, "Q_r is put out through z in (0, 1)."),
        [](EmpoSpec & e) -> auto& { return e.usesZSpace; });
    add(
        flagField("use_z_based_loss", "Loss in z-space", true,
                  "The loss of Q_r is taken in z-space until the learning rates decay."),
        [](EmpoSpec & e) -> auto& { return e.usesZLoss; });
    add(
        expert(numberField("weight_decay", "Weight decay", ZeroOrMore,
                           "Decay of the networks' weights in Adam.")),
        [](EmpoSpec & e) -> auto& { return e.weightDecay; });
    add(
        flagField("adaptive_tables", "Adaptive tables", true,
                  "A table's row moves by 1/n at its n-th update instead of Adam's step."),
        [](EmpoSpec & e) -> auto& { return e.adaptiveTables; });
    add(
        expert(numberField("table_rate_floor", "Least table rate", UnitOpenAtZero,
                           "The least 1/n of adaptive tables.")),
        [](EmpoSpec & e) -> auto& { return e.tableRateFloor; });
    add(
        flagField("clip_gradients", "Clip gradients", true,
                  "Gradients are clipped to a norm, each network by itself."),
        [](EmpoSpec & e) -> auto& { return e.clipsGradients; });
    add(
        expert(numberField("grad_clip", "Clipping norm", AboveZero,
                           "The norm that gradients are clipped to.")),
        [](EmpoSpec & e) -> auto& { return e.clipNorm; });
    add(
        flagField("auto_grad_clip", "Norm follows the rate", true,
                  "The clipping norm is multiplied by the learning rate over 1e-4."),
        [](EmpoSpec & e) -> auto& { return e.autoClip; });
    add(
        flagField("weight_actions", "Weighted actions", true,
                  "The loss of Q_r weighs actions by pi (1 - pi)."),
        [](EmpoSpec & e) -> auto& { return e.weightsActions; });
    add(
        expert(numberField("action_weight_floor", "Least action weight", AboveZero,
                           "The least weight of an action in the loss of Q_r.")),
        [](EmpoSpec & e) -> auto& { return e.actionWeightFloor; });
}

void addStepFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        plain(countField("num_training_steps", "Training steps", "steps", 1, kMostSteps,
                         "Steps after which the run is finished.")),
        [](EmpoSpec & e) -> auto& { return e.trainingSteps; });
    add(
        plain(countField("batch_size", "Batch", "transitions", 1, 65536,
                         "Transitions in one training step.")),
        [](EmpoSpec & e) -> auto& { return e.batchSize; });
    add(
        countField("x_h_batch_size", "Batch of X_h", "transitions", 1, 65536,
                   "Transitions in one training step of X_h; none: as the others."),
        [](EmpoSpec & e) -> auto& { return e.xhBatchSize; });
    add(
        plain(countField("steps_per_episode", "Steps an episode", "steps", 1, kMostSmall,
                         "Environment steps after which an episode begins anew.")),
        [](EmpoSpec & e) -> auto& { return e.stepsPerEpisode; });
    add(
        countField("env_steps_per_training_step", "Environment steps each", "steps", 1, kMostSmall,
                   "Environment steps before each training step of synchronous training."),
        [](EmpoSpec & e) -> auto& { return e.environmentStepsPerTrainingStep; });
    add(
        countField("training_steps_per_env_step", "Training steps each", "steps", 1, kMostSmall,
                   "Training steps after each environment step of synchronous training."),
        [](EmpoSpec & e) -> auto& { return e.trainingStepsPerEnvironmentStep; });
    add(
        countField("num_steps", "Steps of a target", "steps", 0, kMostSmall,
                   "n of n-step targets; 1: the full model-based ones, 0: to the episode's end."),
        [](EmpoSpec & e) -> auto& { return e.numSteps; });
    add(
        countField("beta_r_rampup_steps", "Ramp of beta_r", "steps", 0, kMostSteps,
                   "Training steps over which beta_r rises from 0 after the warm-up."),
        [](EmpoSpec & e) -> auto& { return e.rampSteps; });
    add(
        choiceField("lr_decay", "Decay of rates", {"none", "inverse", "inverse_sqrt"},
                    "How learning rates fall once they do."),
        [](EmpoSpec & e) -> auto& { return e.rateDecay; });
    add(
        expert(numberField("lr_constant_fraction", "Constant share", Unit,
                           "Share of all steps in which learning rates do not fall.")),
        [](EmpoSpec & e) -> auto& { return e.constantRateFraction; });
    add(
        countField("buffer_size", "Buffer", "transitions", 1, 1e9,
                   "Transitions that the replay buffer holds."),
        [](EmpoSpec & e) -> auto& { return e.bufferCapacity; });
    add(
        choiceField("buffer_clearing", "Clearing of the buffer", {"gradual", "hard", "none"},
                    "How transitions of the warm-up leave the buffer when beta_r rises."),
        [](EmpoSpec & e) -> auto& { return e.bufferClearing; });
}

void addActingFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        expert(numberField("epsilon_r_start", "First epsilon of robots", Unit,
                           "Share of exploring robot actions at the start.")),
        [](EmpoSpec & e) -> auto& { return e.epsilonStart_r; });
    add(
        numberField("epsilon_r_end", "Last epsilon of robots", Unit,
                    "Share of exploring robot actions after the decay."),
        [](EmpoSpec & e) -> auto& { return e.epsilonEnd_r; });
    add(
        expert(numberField("epsilon_h_start", "First epsilon of humans", Unit,
                           "Share of exploring human actions at the start.")),
        [](EmpoSpec & e) -> auto& { return e.epsilonStart_h; });
    add(
        numberField("epsilon_h_end", "Last epsilon of humans", Unit,
                    "Share of exploring human actions after the decay."),
        [](EmpoSpec & e) -> auto& { return e.epsilonEnd_h; });
    add(
        countField("epsilon_decay_steps", "Decay of epsilon", "steps", 0, kMostSteps,
                   "Training steps over which both epsilons fall."),
        [](EmpoSpec & e) -> auto& { return e.epsilonSteps; });
    add(
        expert(numberField("goal_resample_prob", "New goals", Unit,
                           "Probability at each step that a human takes up a new goal.")),
        [](EmpoSpec & e) -> auto& { return e.goalResampleProbability; });
    add(
        countField("goals_per_human", "Goals of a computed X_h", "goals", 1, kMostSmall,
                   "Goals that are drawn for each human where X_h is computed."),
        [](EmpoSpec & e) -> auto& { return e.goalsPerHuman; });
    for (SpecField& field : explorationFields()) fields.push_back(std::move(field));
    const std::vector<std::string> kinds{"none", "counts", "counts_ucb", "rnd"};
    add(
        choiceField(
            "curiosity_r", "Curiosity of robots", kinds,
            "How novelty is measured that robots are drawn to. rnd reads the features of the "
            "networks; where there are none it sees agents and interactive things alone."),
        [](EmpoSpec & e) -> auto& { return e.curiosity_r; });
    add(
        choiceField(
            "curiosity_h", "Curiosity of humans", kinds,
            "How novelty is measured that exploring humans are drawn to; rnd as for robots."),
        [](EmpoSpec & e) -> auto& { return e.curiosity_h; });
    add(
        expert(numberField("curiosity_coef", "Weight of curiosity", ZeroOrMore,
                           "How strongly novelty draws.")),
        [](EmpoSpec & e) -> auto& { return e.curiosityCoefficient; });
    add(
        expert(numberField("curiosity_scale", "Scale of counts", AboveZero,
                           "Novelty of a state that was never seen.")),
        [](EmpoSpec & e) -> auto& { return e.curiosityScale; });
    add(
        expert(numberField("lr_rnd", "Learning rate of novelty", AboveZero,
                           "Step size of the predictor of random network distillation.")),
        [](EmpoSpec & e) -> auto& { return e.rndLearningRate; });
    add(
        flagField("rnd_adaptive_lr", "Rates follow novelty", true,
                  "Gradients are scaled by the novelty of their batch."),
        [](EmpoSpec & e) -> auto& { return e.rndScalesRates; });
}

void addCollectorFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        flagField("async_training", "Act and learn at the same time", false,
                  "Actors collect on threads of their own while the learner trains."),
        [](EmpoSpec & e) -> auto& { return e.isAsync; });
    add(
        plain(countField("num_actors", "Actors", "threads", 1, 256,
                         "Threads that collect experience.")),
        [](EmpoSpec & e) -> auto& { return e.numCollectors; });
    add(
        countField("actor_sync_freq", "Weights to actors", "steps", 1, kMostSteps,
                   "Training steps between two hand-overs of weights to the actors."),
        [](EmpoSpec & e) -> auto& { return e.collectorSyncSteps; });
    add(
        countField("async_min_buffer_size", "Least buffer", "transitions", 1, 1e9,
                   "Transitions in the buffer before training begins."),
        [](EmpoSpec & e) -> auto& { return e.minBufferSize; });
    add(
        countField("async_queue_size", "Queue", "transitions", 1, 1e9,
                   "Most transitions that wait between actors and learner."),
        [](EmpoSpec & e) -> auto& { return e.queueCapacity; });
    add(
        expert(numberField("max_env_steps_per_training_step", "Most environment steps", AboveZero,
                           "Actors wait while they are more than so many environment steps a "
                           "training step ahead; none: they never wait.")),
        [](EmpoSpec & e) -> auto& { return e.maxEnvironmentStepsPerTrainingStep; });
    add(
        countField("min_living_actors", "Least actors", "threads", 1, 256,
                   "With fewer living actors the run stops."),
        [](EmpoSpec & e) -> auto& { return e.minLivingCollectors; });
    add(
        countField("actor_restarts", "Restarts", "in 10 minutes", 0, kMostSmall,
                   "How often an actor that failed is begun anew within ten minutes."),
        [](EmpoSpec & e) -> auto& { return e.restartsPerTenMinutes; });
}

void addRecordFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        choiceField("device", "Device", {"auto", "cpu", "cuda"}, "Where the learner computes."),
        [](EmpoSpec & e) -> auto& { return e.device; });
    add(
        flagField("profile_batching", "Print the profile", true,
                  "Prints where the time of a training step goes."),
        [](EmpoSpec & e) -> auto& { return e.profilesBatching; });
    add(
        countField("profile_batching_interval", "Steps a profile", "steps", 1, kMostSteps,
                   "Training steps between two prints of the profile."),
        [](EmpoSpec & e) -> auto& { return e.profileInterval; });
    add(
        countField("metric_interval", "Steps a point", "steps", 1, kMostSteps,
                   "Training steps between two points of the curves."),
        [](EmpoSpec & e) -> auto& { return e.metricInterval; });
    add(
        expert(
            numberField("checkpoint_seconds", "Seconds a checkpoint", ZeroOrMore,
                        "Seconds between two checkpoints; the first is made within 10 s, and one "
                        "at the end of each stage. Where writing one takes over 1 s, the time "
                        "between two grows until they take 2 % of it. 0: by steps alone.")),
        [](EmpoSpec & e) -> auto& { return e.checkpointSeconds; });
    add(
        countField("checkpoint_steps", "Steps a checkpoint", "steps", 0, kMostSteps,
                   "Training steps between two checkpoints; 0: by time alone."),
        [](EmpoSpec & e) -> auto& { return e.checkpointSteps; });
    add(
        countField("kept_checkpoints", "Kept checkpoints", "", 1, kMostSmall,
                   "Checkpoints that are kept, the newest first."),
        [](EmpoSpec & e) -> auto& { return e.keptCheckpoints; });
}

void addJobFields(std::vector<SpecField>& fields) {
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(boundTo<TrainJob>(std::move(field), reach));
    };
    add(
        countField("exact_states", "Solved exactly up to", "states", 0, 1e9,
                   "Worlds with at most so many states are solved exactly first, for the humans' "
                   "policies and to measure errors; 0: none."),
        [](TrainJob & j) -> auto& { return j.exactStates; });
    add(
        countField("stop_step", "Stop at step", "", 1, kMostSteps,
                   "Ends the run after so many training steps; schedules go by "
                   "num_training_steps all the same."),
        [](TrainJob & j) -> auto& { return j.stop.step; });
    add(
        expert(numberField("stop_after", "Stop after seconds", AboveZero,
                           "Ends the run after so many seconds of training.")),
        [](TrainJob & j) -> auto& { return j.stop.seconds; });
    add(
        expert(textField("stop_metric", "Stop by metric", true,
                         "The metric that stop_at_most, stop_at_least and stop_plateau look at.")),
        [](TrainJob & j) -> auto& { return j.stop.metric; });
    SpecField most = expert(numberField("stop_at_most", "Stop at most", ZeroOrMore,
                                        "Ends the run when the metric is this or less."));
    most.low = -std::numeric_limits<double>::max();
    most.range = "a number";
    SpecField least = most;
    least.name = "stop_at_least";
    least.label = "Stop at least";
    least.meaning = "Ends the run when the metric is this or more.";
    add(
        std::move(most), [](TrainJob & j) -> auto& { return j.stop.atMost; });
    add(
        std::move(least), [](TrainJob & j) -> auto& { return j.stop.atLeast; });
    add(
        countField("stop_plateau", "Stop on a plateau", "steps", 1, kMostSteps,
                   "Ends the run when the metric has had no new minimum for so many steps."),
        [](TrainJob & j) -> auto& { return j.stop.plateauSteps; });
    fields.push_back(changesField());
    add(
        expert(textField("from_run", "Begins with a run", false,
                         "Id of the run whose checkpoint this one begins with.")),
        [](TrainJob & j) -> auto& { return j.fromRun; });
    add(
        countField("from_step", "Begins at step", "", 0, kMostSteps,
                   "Step of the checkpoint that this run begins with."),
        [](TrainJob & j) -> auto& { return j.fromStep; });
    add(
        expert(textField("best_metric", "Best by metric", false,
                         "The curve whose least value makes a checkpoint the best, which is kept; "
                         "empty: the error to exact, else the sum of the losses.")),
        [](TrainJob & j) -> auto& { return j.bestMetric; });
    add(
        expert(textField("tensorboard_dir", "TensorBoard folder", false,
                         "Folder below which the curves are mirrored while the run trains, as "
                         "event files in a folder of the run; empty: nowhere.")),
        [](TrainJob & j) -> auto& { return j.tensorBoardFolder; });
}

}  // namespace

std::string symbolOf(Quantity quantity) {
    constexpr std::array<const char*, kNumQuantities> kTitles{"V_h^e", "X_h", "U_r", "Q_r", "V_r"};
    return kTitles.at(static_cast<std::size_t>(quantity));
}

std::span<const SpecField> trainFields() {
    static const std::vector<SpecField> kFields = [] {
        std::vector<SpecField> fields;
        addWorldFields(fields);
        addTheoryFields(fields);
        addQuantityFields(fields);
        addNetworkFields(fields);
        addStepFields(fields);
        addActingFields(fields);
        addCollectorFields(fields);
        addRecordFields(fields);
        addJobFields(fields);
        return fields;
    }();
    return kFields;
}

}  // namespace orrery
