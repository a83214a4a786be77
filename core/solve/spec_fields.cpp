#include "core/solve/spec_fields.h"

#include <array>
#include <limits>

#include "core/spec/field_parts.h"

namespace orrery {

using enum NumberLimit;

namespace {

/// An optional number that unsets its twin (gamma or rho) when it is set.
SpecRow<SolveSpec> oneOfTwo(SpecField field, std::string twinName,
                            std::optional<double> SolveSpec::*member,
                            std::optional<double> SolveSpec::*twin) {
    field.isOptional = true;
    field.twin = std::move(twinName);
    field.range += " or none";
    return {std::move(field),
            [member](const SolveSpec& spec) {
                const std::optional<double> value = spec.*member;
                return value ? FieldValue(*value) : FieldValue();
            },
            [member, twin](SolveSpec& spec, const FieldValue& value) {
                const auto* number = std::get_if<double>(&value);
                spec.*member = number != nullptr ? std::optional(*number) : std::nullopt;
                if (number != nullptr) (spec.*twin).reset();
            }};
}

FieldList listOf(const std::vector<double>& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// Members that are at their default are left out.
FieldMap mapOf(const BelievedOthersRule& rule) {
    FieldMap map{{"when", rule.when}};
    if (!rule.human.empty()) map.emplace_back("human", rule.human);
    if (!rule.ownAction.empty()) map.emplace_back("own_action", rule.ownAction);
    FieldMap agents;
    for (const auto& agent : rule.agents)
        agents.emplace_back(agent.agent, listOf(agent.probability));
    if (!agents.empty()) map.emplace_back("agents", std::move(agents));
    FieldList profiles;
    for (const auto& profile : rule.profiles)
        profiles.emplace_back(
            FieldMap{{"probability", profile.probability},
                     {"actions", FieldList(profile.actions.begin(), profile.actions.end())}});
    if (!profiles.empty()) map.emplace_back("profiles", std::move(profiles));
    return map;
}

FieldMap mapOf(const HabitRule& rule) {
    FieldMap map{{"when", rule.when}};
    if (!rule.human.empty()) map.emplace_back("human", rule.human);
    map.emplace_back("probability", listOf(rule.probability));
    return map;
}

template <typename Rule>
SpecRow<SolveSpec> rules(std::string name, std::string label, std::string meaning,
                         std::vector<Rule> SolveSpec::*member) {
    return {SpecField{.name = std::move(name),
                      .type = FieldType::Rules,
                      .label = std::move(label),
                      .range = "a list of rules",
                      .isExpert = true,
                      .meaning = std::move(meaning)},
            [member](const SolveSpec& spec) {
                FieldList list;
                for (const Rule& rule : spec.*member) list.emplace_back(mapOf(rule));
                return FieldValue(std::move(list));
            },
            [](SolveSpec&, const FieldValue&) {}};  // read by rules of its own: readRules
}

void addHumans(SolveTable& table) {
    table.add(symbol(theoryField("beta_h")), &SolveSpec::beta_h);
    table.add(
        oneOfTwo(symbol(numberField(
                     "gamma_h", "Humans' discount factor", UnitOpenAtZero,
                     "Discount factor of the humans per unit of time; give gamma_h or rho_h.")),
                 "rho_h", &SolveSpec::gamma_h, &SolveSpec::rho_h));
    table.add(oneOfTwo(
        symbol(numberField("rho_h", "Humans' discount rate", ZeroOrMore,
                           "Discount rate of the humans, -ln gamma_h; give gamma_h or rho_h.")),
        "gamma_h", &SolveSpec::rho_h, &SolveSpec::gamma_h));
    table.add(flagField("optimistic", "Humans expect a helpful robot", false,
                        "Phase 1 takes the best robot action for the human, not the worst."),
              &SolveSpec::optimistic);
    table.add(symbol(numberField("nu", "Weight of habit", Unit,
                                 "Weight of the habitual policy in the humans' policies.")),
              &SolveSpec::nu);
    table.add(rules("believed_others", "Beliefs about others",
                    "What humans expect of each other in phase 1; empty: uniform.",
                    &SolveSpec::believedOthers));
    table.add(
        rules("habits", "Habits", "The habitual policies that nu mixes in.", &SolveSpec::habits));
}

SpecField ofPhase2(SpecField field) {
    return needs({fieldIs("phase1_only", {"false"})}, "phase1_only is on", std::move(field));
}

void addRobot(SolveTable& table) {
    table.add(
        ofPhase2(symbol(numberField("beta_r", "Robot's power", AboveZeroOrInf,
                                    "Power of the robot's policy, (-Q_r)^-beta_r; inf: the best "
                                    "actions, all alike."))),
        &SolveSpec::beta_r);
    table.add(
        oneOfTwo(ofPhase2(symbol(numberField(
                     "gamma_r", "Robot's discount factor", UnitOpenAtZero,
                     "Discount factor of the robot per unit of time; give gamma_r or rho_r."))),
                 "rho_r", &SolveSpec::gamma_r, &SolveSpec::rho_r));
    table.add(oneOfTwo(ofPhase2(symbol(numberField(
                           "rho_r", "Robot's discount rate", ZeroOrMore,
                           "Discount rate of the robot, -ln gamma_r; give gamma_r or rho_r."))),
                       "gamma_r", &SolveSpec::rho_r, &SolveSpec::gamma_r));
    table.add(ofPhase2(symbol(theoryField("zeta"))), &SolveSpec::zeta);
    table.add(ofPhase2(symbol(theoryField("xi"))), &SolveSpec::xi);
    table.add(ofPhase2(symbol(theoryField("eta"))), &SolveSpec::eta);
    table.add(ofPhase2(theoryField("terminal_v_r")), &SolveSpec::terminal_v_r);
    table.add(
        ofPhase2(expert(numberField(
            "x_h_floor", "Least X_h", AboveZero,
            "X_h is raised to this; none: a human without a reachable goal stops the solve."))),
        &SolveSpec::x_h_floor);
}

void addWork(SolveTable& table) {
    table.add(flagField("phase1_only", "Phase 1 only", true, "Solve the humans' policies alone."),
              &SolveSpec::phase1Only);
    table.add(choiceField("storage", "Precision of stored values", {"double", "float", "half"},
                          "Precision in which value levels are kept; computing is in double."),
              &SolveSpec::storage);
    table.add(quiet(countField("threads", "Threads", "threads", 0, 1024,
                               "Threads to work with; 0: one a processor.")),
              &SolveSpec::threads);
    table.add(quiet(countField(
                  "memory", "Memory", "bytes", 0, 0x1p60,
                  "Memory that the graph and the values may take; 0: 70 % of what is free.")),
              &SolveSpec::memoryBudget);
}

}  // namespace

const SolveTable& solveSpecFields() {
    static const SolveTable kTable = [] {
        SolveTable table;
        addHumans(table);
        addRobot(table);
        addWork(table);
        return table;
    }();
    return kTable;
}

std::span<const SpecPreset> solvePresets() {
    static const std::array kPresets = [] {
        SolveSpec sharp;
        sharp.beta_h = sharp.beta_r = std::numeric_limits<double>::infinity();
        return std::array{presetFrom("original", "As the original documents them: the defaults.",
                                     solveSpecFields(), SolveSpec()),
                          presetFrom("sharp", "Humans and robot take only their best actions.",
                                     solveSpecFields(), sharp)};
    }();
    return kPresets;
}

}  // namespace orrery
