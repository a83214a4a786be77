#include "core/run/train_field_parts.h"
#include "core/run/train_fields.h"

namespace orrery {

using enum NumberLimit;

std::vector<SpecField> humanPriorFields() {
    std::vector<SpecField> fields;
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        choiceField("human_prior", "Humans' policies",
                    {"auto", "exact", "shortest_paths", "uniform", "learned"},
                    "Where the humans' policies come from; auto: exact where the world can be "
                    "solved, else by shortest paths. learned: by a stage of the run before all "
                    "others."),
        [](EmpoSpec & e) -> auto& { return e.humanPrior; });
    add(
        choiceField("q_h_kind", "Q_h is a", {"network", "table"},
                    "How Q_h, which learned policies of the humans follow from, is represented."),
        [](EmpoSpec & e) -> auto& { return e.q_h.kind; });
    add(
        expert(numberField("lr_q_h", "Learning rate of Q_h", AboveZero,
                           "Step size of the optimiser of Q_h.")),
        [](EmpoSpec & e) -> auto& { return e.q_h.learningRate; });
    add(
        expert(numberField("lookup_default_q_h", "Default of Q_h", Unit,
                           "What a row of the table of Q_h says before its first update.")),
        [](EmpoSpec & e) -> auto& { return e.q_h.tableDefault; });
    add(
        countField("q_h_target_update_freq", "Target copies of Q_h", "steps", 1, kMostSteps,
                   "Training steps between two copies of Q_h to its target."),
        [](EmpoSpec & e) -> auto& { return e.q_h.targetCopySteps; });
    add(
        countField("warmup_human_steps", "Learning the humans", "steps", 0, kMostSteps,
                   "Training steps of the first stage of human_prior: learned. It learns the "
                   "humans' policies while all explore by the first epsilons; then the buffer is "
                   "emptied and they stand still."),
        [](EmpoSpec & e) -> auto& { return e.q_h.warmupSteps; });
    return fields;
}

std::vector<SpecField> curriculumFields() {
    std::vector<SpecField> fields;
    const auto add = [&](SpecField field, auto reach) {
        fields.push_back(learned(std::move(field), reach));
    };
    add(
        expert(numberField("gamma_h_start", "Humans' first discount factor", UnitOpenAtZero,
                           "Discount factor of V_h^e at the start, at most gamma_h, to which it "
                           "rises in a straight line; none: gamma_h from the start.")),
        [](EmpoSpec & e) -> auto& { return e.gammaStart_h; });
    add(
        countField("gamma_h_rampup_steps", "Rise of gamma_h", "steps", 0, kMostSteps,
                   "Training steps over which gamma_h rises from gamma_h_start; those in which "
                   "the humans' policies are learned do not count."),
        [](EmpoSpec & e) -> auto& { return e.gammaSteps_h; });
    add(
        expert(numberField("gamma_r_start", "Robot's first discount factor", UnitOpenAtZero,
                           "Discount factor of Q_r at the start, at most gamma_r, to which it "
                           "rises in a straight line; none: gamma_r from the start.")),
        [](EmpoSpec & e) -> auto& { return e.gammaStart_r; });
    add(
        countField("gamma_r_rampup_steps", "Rise of gamma_r", "steps", 0, kMostSteps,
                   "Training steps over which gamma_r rises from gamma_r_start; those in which "
                   "the humans' policies are learned do not count."),
        [](EmpoSpec & e) -> auto& { return e.gammaSteps_r; });
    return fields;
}

std::vector<SpecField> explorationFields() {
    std::vector<SpecField> fields;
    fields.push_back(learned(
        choiceField("robot_exploration", "Robots explore by", {"policy", "forward", "macro"},
                    "How exploring robots draw actions: by exploration_policy; by it without steps "
                    "that lead nowhere; or so to begin with and then on the same way."),
        [](EmpoSpec & e) -> auto& { return e.exploration_r; }));
    SpecField steps = expert(numberField("macro_steps", "Steps of a macro", AboveZero,
                                         "Mean number of steps that exploring robots go on the "
                                         "same way, with robot_exploration: macro."));
    steps.low = 1;
    steps.high = 1e6;
    steps.range = "from 1 to 1000000";
    fields.push_back(learned(
        std::move(steps), [](EmpoSpec & e) -> auto& { return e.macroSteps; }));
    fields.push_back(probabilitiesField(
        "exploration_policy", "Exploration policy",
        "Probabilities of a robot's actions while it explores, between commas; empty: all alike, "
        "or, with robot_exploration forward or macro, 0.58 for forward, 0.06 for still and 0.18 "
        "for others.",
        &EmpoSpec::explorationPolicy));
    fields.push_back(probabilitiesField("human_exploration_policy", "Humans' exploration policy",
                                        "Probabilities of a human's actions while it explores, "
                                        "between commas; empty: all alike.",
                                        &EmpoSpec::explorationPolicy_h));
    return fields;
}

}  // namespace orrery
