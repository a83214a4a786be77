#include "core/empo/spec_fields.h"

#include <array>

#include "core/empo/spec_field_parts.h"

namespace orrery {

using enum NumberLimit;

namespace {

constexpr Slider kRates{.low = 1e-6, .high = 1, .isLog = true};
/// Of networks, or of those of Q_h.
SpecField ofNetworks(SpecField field) {
    const std::string reason = "nothing is learned by a network";
    for (FieldTest human :
         {fieldIs("human_prior", {"learned"}), fieldIs("q_h_kind", {"network"})}) {
        std::vector<FieldTest> tests = anyIs(kQuantities, "network");
        tests.push_back(std::move(human));
        field = needs(std::move(tests), reason, std::move(field));
    }
    return field;
}

SpecField ofLearnedHumans(SpecField field) {
    return partOf({fieldIs("human_prior", {"learned"})}, "the humans' policies are not learned",
                  std::move(field));
}

void addHumans(EmpoTable& table) {
    table.add(structural(choiceField(
                  "human_prior", "Humans' policies",
                  {"auto", "exact", "shortest_paths", "uniform", "learned"},
                  "Where the humans' policies come from; auto: exact where the world can be "
                  "solved, else by shortest paths. learned: by a stage of the run before all "
                  "others.")),
              &EmpoSpec::humanPrior);
    table.add(
        structural(choiceField(
            "q_h_kind", "Q_h is a", {"network", "table"},
            "How Q_h, which learned policies of the humans follow from, is represented.")),
        [](auto& e) -> auto& { return e.q_h.kind; });
    table.add(
        needs({fieldIs("q_h_kind", {"network"}), fieldIs("adaptive_tables", {"false"})}, kOwnCounts,
              ofLearnedHumans(expert(live(numberField("lr_q_h", "Learning rate of Q_h", AboveZero,
                                                      "Step size of the optimiser of Q_h."),
                                          "rate of Q_h", kRates)))),
        [](auto& e) -> auto& { return e.q_h.learningRate; });
    table.add(
        needs({fieldIs("q_h_kind", {"table"})}, "Q_h is no table",
              ofLearnedHumans(expert(
                  numberField("lookup_default_q_h", "Default of Q_h", Unit,
                              "What a row of the table of Q_h says before its first update.")))),
        [](auto& e) -> auto& { return e.q_h.tableDefault; });
    table.add(
        ofLearnedHumans(countField("q_h_target_update_freq", "Target copies of Q_h", "steps", 1,
                                   kMostSteps,
                                   "Training steps between two copies of Q_h to its target.")),
        [](auto& e) -> auto& { return e.q_h.targetCopySteps; });
    table.add(
        ofLearnedHumans(
            countField("warmup_human_steps", "Learning the humans", "steps", 0, kMostSteps,
                       "Training steps of the first stage of human_prior: learned. It learns the "
                       "humans' policies while all explore by the first epsilons; then the buffer "
                       "is emptied and they stand still.")),
        [](auto& e) -> auto& { return e.q_h.warmupSteps; });
}

void addCurricula(EmpoTable& table) {
    table.add(
        expert(numberField("gamma_h_start", "Humans' first discount factor", UnitOpenAtZero,
                           "Discount factor of V_h^e at the start, at most gamma_h, to which it "
                           "rises in a straight line; none: gamma_h from the start.")),
        &EmpoSpec::gammaStart_h);
    table.add(
        needs({fieldIsNot("gamma_h_start", {"none"})}, "gamma_h_start is not set",
              countField("gamma_h_rampup_steps", "Rise of gamma_h", "steps", 0, kMostSteps,
                         "Training steps over which gamma_h rises from gamma_h_start; those in "
                         "which the humans' policies are learned do not count.")),
        &EmpoSpec::gammaSteps_h);
    table.add(
        expert(numberField("gamma_r_start", "Robot's first discount factor", UnitOpenAtZero,
                           "Discount factor of Q_r at the start, at most gamma_r, to which it "
                           "rises in a straight line; none: gamma_r from the start.")),
        &EmpoSpec::gammaStart_r);
    table.add(
        needs({fieldIsNot("gamma_r_start", {"none"})}, "gamma_r_start is not set",
              countField("gamma_r_rampup_steps", "Rise of gamma_r", "steps", 0, kMostSteps,
                         "Training steps over which gamma_r rises from gamma_r_start; those in "
                         "which the humans' policies are learned do not count.")),
        &EmpoSpec::gammaSteps_r);
}

void addTheory(EmpoTable& table) {
    table.add(theoryField("beta_h"), &EmpoSpec::beta_h);
    table.add(numberField("gamma_h", "Humans' discount factor", UnitOpenAtZero,
                          "Discount factor of the humans per unit of time."),
              &EmpoSpec::gamma_h);
    table.add(
        flagField("optimistic", "Humans expect a helpful robot", true,
                  "The exact prior takes the best robot action for the human, not the worst."),
        &EmpoSpec::optimistic);
    table.add(
        live(numberField("beta_r", "beta_r", AboveZero,
                         "Power of the robot's policy, (-Q_r)^-beta_r, once it is ramped up."),
             "beta_r target", {.low = 0.1, .high = 100, .isLog = true}),
        &EmpoSpec::beta_r);
    table.add(numberField("gamma_r", "Robot's discount factor", UnitOpenAtZero,
                          "Discount factor of the robot per unit of time."),
              &EmpoSpec::gamma_r);
    SpecField zeta = theoryField("zeta");
    zeta.low = 1;
    zeta.lowIsOpen = false;
    zeta.range = ">= 1";
    table.add(std::move(zeta), &EmpoSpec::zeta);
    table.add(theoryField("xi"), &EmpoSpec::xi);
    table.add(theoryField("eta"), &EmpoSpec::eta);
    table.add(theoryField("terminal_v_r"), &EmpoSpec::terminal_v_r);
    table.add(
        choiceField("human_model", "Humans in the targets", {"expected", "sampled"},
                    "Targets sum over all human actions by the prior, or take those that were "
                    "done, as the original."),
        &EmpoSpec::humanModel);
    addHumans(table);
    addCurricula(table);
    table.add(
        structural(flagField("include_step_count", "States hold the step", true,
                             "States of different steps are different to networks and tables.")),
        &EmpoSpec::includesStepCount);
    table.add(structural(flagField(
                  "original_rules", "The original's rules", true,
                  "Ends of episodes, defaults of tables and hidden terrain as in the original, "
                  "faults included.")),
              &EmpoSpec::originalRules);
    table.add(structural(expert(flagField(
                  "whole_encoding", "States all told apart", true,
                  "Encoded states hold the colours of balls and boxes, and pause switches and "
                  "control buttons behind the fourth, in worlds that have such. The original's "
                  "rules leave them out."))),
              &EmpoSpec::wholeEncoding);
}

void addQuantities(EmpoTable& table) {
    for (const Quantity quantity : kQuantities) {
        const std::string name = nameOf(quantity);
        const std::string symbol = symbolOf(quantity);
        const std::string kind = kindField(quantity);
        const auto ofLearned = [&](SpecField field) {
            return partOf({fieldIsNot(kind, {"computed"})}, symbol + " is not learned",
                          std::move(field));
        };
        const auto add = [&](SpecField field, auto member) {
            table.add(
                std::move(field),
                [ quantity, member ](auto& e) -> auto& { return e.of(quantity).*member; });
        };
        add(structural(plain(
                choiceField(kind, symbol + " is a", {"network", "table", "computed"},
                            "How " + symbol +
                                " is represented. A table has one row for all states that are "
                                "encoded alike."))),
            &QuantitySpec::kind);
        add(needs({fieldIs(kind, {"network"}), fieldIs("adaptive_tables", {"false"})}, kOwnCounts,
                  ofLearned(live(numberField("lr_" + name, "Learning rate of " + symbol, AboveZero,
                                             "Step size of the optimiser of " + symbol + "."),
                                 "rate of " + symbol, kRates))),
            &QuantitySpec::learningRate);
        const bool isNegative =
            quantity == Quantity::Q_r || quantity == Quantity::U_r || quantity == Quantity::V_r;
        add(needs(
                {fieldIs(kind, {"table"})}, symbol + " is no table",
                expert(numberField(
                    "lookup_default_" + name, "Default of " + symbol, isNegative ? BelowZero : Unit,
                    "What a row of the table of " + symbol + " says before its first update."))),
            &QuantitySpec::tableDefault);
        add(alsoNamed({name + "_target_update_interval"},
                      ofLearned(countField(
                          name + "_target_update_freq", "Target copies of " + symbol, "steps", 1,
                          kMostSteps,
                          "Training steps between two copies of " + symbol + " to its target."))),
            &QuantitySpec::targetCopySteps);
        add(ofLearned(countField("warmup_" + name + "_steps", "Warm-up of " + symbol, "steps", 0,
                                 kMostSteps,
                                 "Training steps of the stage in which " + symbol + " joins.")),
            &QuantitySpec::warmupSteps);
    }
}

void addNetworks(EmpoTable& table) {
    using enum Quantity;
    table.add(ofNetworks(plain(structural(countField("hidden_dim", "Hidden units", "", 8, 4096,
                                                     "Width of the networks.")))),
              &EmpoSpec::hiddenSize);
    table.add(
        ofNetworks(expert(numberField("dropout", "Dropout", UnitOpenAtOne,
                                      "Share of hidden units that are silenced while training."))),
        &EmpoSpec::dropout);
    table.add(structural(flagField(
                  "use_encoders", "Encoders", true,
                  "States are encoded by networks; off: their numbers go into the heads as they "
                  "are.")),
              &EmpoSpec::usesEncoders);
    table.add(structural(choiceField(
                  "own_encoders", "Own encoders", {"own", "none", "attached"},
                  "Encoders of X_h, U_r, Q_r and V_r beside the shared one of V_h^e: own, none, or "
                  "attached: own ones too, and the shared one is trained by all.")),
              &EmpoSpec::ownEncoders);
    table.add(structural(flagField("seed_planes", "39 planes", true,
                                   "The seed's layout of planes, without bushes.")),
              &EmpoSpec::has39Planes);
    table.add(needs(anyIs(std::array{Q_r, V_r}, "network"), "neither Q_r nor V_r is a network",
                    alsoNamed({"use_z_space_transform"},
                              structural(flagField("use_z_space", "Z-space", true,
                                                   "Q_r is put out through z in (0, 1).")))),
              &EmpoSpec::usesZSpace);
    table.add(
        needs(anyIs(std::array{Q_r, V_r, U_r}, "network"), "none of Q_r, V_r and U_r is a network",
              flagField("use_z_based_loss", "Loss in z-space", true,
                        "The loss of Q_r is taken in z-space until the learning rates "
                        "decay.")),
        &EmpoSpec::usesZLoss);
    table.add(ofNetworks(expert(numberField("weight_decay", "Weight decay", ZeroOrMore,
                                            "Decay of the networks' weights in Adam."))),
              &EmpoSpec::weightDecay);
    table.add(alsoNamed({"lookup_use_adaptive_lr"},
                        structural(flagField("adaptive_tables", "Adaptive tables", true,
                                             "A table's row moves by 1/n at its n-th update "
                                             "instead of Adam's step."))),
              &EmpoSpec::adaptiveTables);
    table.add(needs({fieldIs("adaptive_tables", {"true"})}, "adaptive_tables is off",
                    expert(numberField("table_rate_floor", "Least table rate", UnitOpenAtZero,
                                       "The least 1/n of adaptive tables."))),
              &EmpoSpec::tableRateFloor);
    table.add(ofNetworks(flagField("clip_gradients", "Clip gradients", true,
                                   "Gradients are clipped to a norm, each network by itself.")),
              &EmpoSpec::clipsGradients);
    const auto ofClipping = [](SpecField field) {
        return ofNetworks(needs({fieldIs("clip_gradients", {"true"})}, "clip_gradients is off",
                                std::move(field)));
    };
    table.add(ofClipping(expert(numberField("grad_clip", "Clipping norm", AboveZero,
                                            "The norm that gradients are clipped to."))),
              &EmpoSpec::clipNorm);
    table.add(
        ofClipping(flagField("auto_grad_clip", "Norm follows the rate", true,
                             "The clipping norm is multiplied by the learning rate over 1e-4.")),
        &EmpoSpec::autoClip);
    table.add(
        needs({fieldIs("q_r_kind", {"network"}), fieldIs("adaptive_tables", {"false"})}, kOwnCounts,
              needs({fieldIsNot("q_r_kind", {"network"}), fieldIs("num_steps", {"1"})},
                    "n-step targets are of the taken action alone",
                    flagField("weight_actions", "Weighted actions", true,
                              "The loss of Q_r weighs actions by pi (1 - pi)."))),
        &EmpoSpec::weightsActions);
    table.add(needs({fieldIs("weight_actions", {"true"})}, "weight_actions is off",
                    expert(numberField("action_weight_floor", "Least action weight", AboveZero,
                                       "The least weight of an action in the loss of Q_r."))),
              &EmpoSpec::actionWeightFloor);
}

}  // namespace

std::string kindField(Quantity quantity) {
    return std::string(nameOf(quantity)) + "_kind";
}

std::vector<FieldTest> anyIs(std::span<const Quantity> quantities, const char* kind) {
    std::vector<FieldTest> tests;
    for (const Quantity quantity : quantities)
        tests.push_back(fieldIs(kindField(quantity), {kind}));
    return tests;
}

const EmpoTable& empoFields() {
    static const EmpoTable kTable = [] {
        EmpoTable table;
        addTheory(table);
        addQuantities(table);
        addNetworks(table);
        addSteps(table);
        addActing(table);
        addCollectors(table);
        addRecords(table);
        return table;
    }();
    return kTable;
}

}  // namespace orrery
