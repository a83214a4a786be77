#include "core/run/field_parts.h"
#include "core/run/rules.h"

namespace orrery {

namespace {

/// An optional number that unsets its twin (gamma or rho) when it is set.
SpecField optionalNumber(SpecField field, std::optional<double> SolveSpec::*member,
                         std::optional<double> SolveSpec::*twin, std::string twinName) {
    field.isOptional = true;
    field.twin = std::move(twinName);
    field.range += " or none";
    field.get = [member](const RunSpec& spec) -> FieldValue {
        const std::optional<double> value = partOf<SolveJob>(spec).solve.*member;
        return value ? FieldValue(*value) : FieldValue();
    };
    field.set = [member, twin](RunSpec& spec, const FieldValue& value) {
        SolveSpec& solve = partOf<SolveJob>(spec).solve;
        const bool isSet = !std::holds_alternative<std::monostate>(value);
        solve.*member = isSet ? std::optional(std::get<double>(value)) : std::nullopt;
        if (isSet && twin != nullptr) (solve.*twin).reset();
    };
    return field;
}

template <typename Rule>
SpecField rules(std::string name, std::string label, std::vector<Rule> SolveSpec::*member,
                std::string meaning) {
    SpecField field{.name = std::move(name),
                    .type = FieldType::Rules,
                    .label = std::move(label),
                    .range = "a list of rules",
                    .isExpert = true,
                    .meaning = std::move(meaning)};
    field.get = [member](const RunSpec& spec) -> FieldValue {
        return rulesJson(partOf<SolveJob>(spec).solve.*member);
    };
    field.set = [](RunSpec&, const FieldValue&) {};  // lists come from files only
    return field;
}

SpecField storageField() {
    return boundTo<SolveJob>(
        choiceField("storage", "Precision of stored values", {"double", "float", "half"},
                    "Precision in which value levels are kept; computing is in double."),
        [](SolveJob& j) -> ValueStorage& { return j.solve.storage; });
}

SpecField terminalField() {
    SpecField field = numberField("terminal_v_r", "Value at the end", NumberLimit::BelowZero,
                                  "V_r of a terminal state.");
    field.isExpert = true;
    return boundTo<SolveJob>(std::move(field),
                             [](SolveJob& j) -> double& { return j.solve.terminal_v_r; });
}

std::vector<SpecField> worldFields() {
    std::vector<SpecField> fields;
    fields.push_back(boundTo<SolveJob>(
        textField("world", "World", true, "World file, or builtin:NAME for one of the examples."),
        [](SolveJob& j) -> std::string& { return j.world; }));
    SpecField worldText =
        textField("world_text", "World text", false,
                  "Text of the world file, where it is not to be read from `world`.");
    worldText.isOptional = true;
    worldText.isExpert = true;
    worldText.get = [](const RunSpec& spec) -> FieldValue {
        const auto& value = partOf<SolveJob>(spec).worldText;
        return value ? FieldValue(*value) : FieldValue();
    };
    worldText.set = [](RunSpec& spec, const FieldValue& value) {
        const auto* given = std::get_if<std::string>(&value);
        partOf<SolveJob>(spec).worldText = given != nullptr ? std::optional(*given) : std::nullopt;
    };
    fields.push_back(std::move(worldText));
    fields.push_back(
        boundTo<SolveJob>(flagField("lenient", "Accept unknown keys", true,
                                    "Unknown keys of the world file are warnings, not errors."),
                          [](SolveJob& j) -> bool& { return j.lenient; }));
    fields.push_back(boundTo<SolveJob>(
        flagField("unrolled", "Unrolled graph", true,
                  "Explore (step, configuration) pairs even if folding is possible."),
        [](SolveJob& j) -> bool& { return j.unrolled; }));
    return fields;
}

void addHumanFields(std::vector<SpecField>& fields) {
    fields.push_back(boundTo<SolveJob>(
        numberField("beta_h", "Humans' inverse temperature", NumberLimit::ZeroOrMoreOrInf,
                    "Inverse temperature of the humans' policies; inf: the best "
                    "actions, all alike."),
        [](SolveJob& j) -> double& { return j.solve.beta_h; }));
    fields.push_back(optionalNumber(
        numberField("gamma_h", "Humans' discount factor", NumberLimit::UnitOpenAtZero,
                    "Discount factor of the humans per unit of time; give gamma_h or rho_h."),
        &SolveSpec::gamma_h, &SolveSpec::rho_h, "rho_h"));
    fields.push_back(optionalNumber(
        numberField("rho_h", "Humans' discount rate", NumberLimit::ZeroOrMore,
                    "Discount rate of the humans, -ln gamma_h; give gamma_h or rho_h."),
        &SolveSpec::rho_h, &SolveSpec::gamma_h, "gamma_h"));
    fields.push_back(boundTo<SolveJob>(
        flagField("optimistic", "Humans expect a helpful robot", false,
                  "Phase 1 takes the best robot action for the human, not the worst."),
        [](SolveJob& j) -> bool& { return j.solve.optimistic; }));
    fields.push_back(
        boundTo<SolveJob>(numberField("nu", "Weight of habit", NumberLimit::Unit,
                                      "Weight of the habitual policy in the humans' policies."),
                          [](SolveJob& j) -> double& { return j.solve.nu; }));
    fields.push_back(rules("believed_others", "Beliefs about others", &SolveSpec::believedOthers,
                           "What humans expect of each other in phase 1; empty: uniform."));
    fields.push_back(
        rules("habits", "Habits", &SolveSpec::habits, "The habitual policies that nu mixes in."));
}

void addRobotFields(std::vector<SpecField>& fields) {
    fields.push_back(
        boundTo<SolveJob>(numberField("beta_r", "Robot's power", NumberLimit::AboveZeroOrInf,
                                      "Power of the robot's policy, (-Q_r)^-beta_r; inf: the best "
                                      "actions, all alike."),
                          [](SolveJob& j) -> double& { return j.solve.beta_r; }));
    fields.push_back(optionalNumber(
        numberField("gamma_r", "Robot's discount factor", NumberLimit::UnitOpenAtZero,
                    "Discount factor of the robot per unit of time; give gamma_r or rho_r."),
        &SolveSpec::gamma_r, &SolveSpec::rho_r, "rho_r"));
    fields.push_back(optionalNumber(
        numberField("rho_r", "Robot's discount rate", NumberLimit::ZeroOrMore,
                    "Discount rate of the robot, -ln gamma_r; give gamma_r or rho_r."),
        &SolveSpec::rho_r, &SolveSpec::gamma_r, "gamma_r"));
    fields.push_back(
        boundTo<SolveJob>(numberField("zeta", "Risk aversion", NumberLimit::AboveZero,
                                      "Risk aversion in X_h, the sum of w_g V_h^e(g)^zeta."),
                          [](SolveJob& j) -> double& { return j.solve.zeta; }));
    fields.push_back(
        boundTo<SolveJob>(numberField("xi", "Inequality aversion", NumberLimit::AboveZero,
                                      "Aversion to unequal X_h among the humans, in U_r."),
                          [](SolveJob& j) -> double& { return j.solve.xi; }));
    fields.push_back(
        boundTo<SolveJob>(numberField("eta", "Intertemporal aversion", NumberLimit::AboveZero,
                                      "Aversion to uneven power over time, in U_r."),
                          [](SolveJob& j) -> double& { return j.solve.eta; }));
    fields.push_back(terminalField());
    SpecField floor = optionalNumber(
        numberField(
            "x_h_floor", "Least X_h", NumberLimit::AboveZero,
            "X_h is raised to this; none: a human without a reachable goal stops the solve."),
        &SolveSpec::x_h_floor, nullptr, {});
    floor.isExpert = true;
    fields.push_back(std::move(floor));
}

void addWorkFields(std::vector<SpecField>& fields) {
    fields.push_back(boundTo<SolveJob>(
        flagField("phase1_only", "Phase 1 only", true, "Solve the humans' policies alone."),
        [](SolveJob& j) -> bool& { return j.solve.phase1Only; }));
    fields.push_back(storageField());
    fields.push_back(boundTo<SolveJob>(countField("threads", "Threads", "threads", 0, 1024,
                                                  "Threads to work with; 0: one a processor."),
                                       [](SolveJob& j) -> int& { return j.solve.threads; }));
    fields.push_back(boundTo<SolveJob>(
        countField("memory", "Memory", "bytes", 0, 0x1p60,
                   "Memory that the graph and the values may take; 0: 70 % of what is free."),
        [](SolveJob& j) -> std::int64_t& { return j.solve.memoryBudget; }));
    fields.push_back(boundTo<SolveJob>(
        countField("episodes", "Sampled episodes", "episodes", 0, 1e6,
                   "Episodes sampled from the solved policies with the run's seed; each leaves "
                   "the share of humans that attained their goal and when."),
        [](SolveJob& j) -> std::int64_t& { return j.episodes; }));
    fields.push_back(
        boundTo<SolveJob>(flagField("save_values", "Keep the values", true,
                                    "Write solution.bin, so that the run can be reopened."),
                          [](SolveJob& j) -> bool& { return j.saveValues; }));
    fields.push_back(boundTo<SolveJob>(
        flagField("save_graph", "Keep the graph", true,
                  "Keep the state graph in the workspace, for other solves of this world."),
        [](SolveJob& j) -> bool& { return j.saveGraph; }));
}

}  // namespace

std::span<const SpecField> runFields() {
    static const std::vector<SpecField> kFields = [] {
        std::vector<SpecField> fields;
        fields.push_back(boundTo<RunSpec>(
            textField("name", "Name", false, "A name for people; need not be unique."),
            [](RunSpec& s) -> std::string& { return s.name; }));
        fields.push_back(
            boundTo<RunSpec>(textField("note", "Note", false, "Free text kept with the run."),
                             [](RunSpec& s) -> std::string& { return s.note; }));
        SpecField seed = countField("seed", "Seed", "", 0, 0x1p63 - 1024,
                                    "Seed of random numbers: those of rollouts of the run.");
        seed.isExpert = false;
        fields.push_back(
            boundTo<RunSpec>(std::move(seed), [](RunSpec& s) -> std::uint64_t& { return s.seed; }));
        return fields;
    }();
    return kFields;
}

std::span<const SpecField> solveFields() {
    static const std::vector<SpecField> kFields = [] {
        std::vector<SpecField> fields = worldFields();
        addHumanFields(fields);
        addRobotFields(fields);
        addWorkFields(fields);
        return fields;
    }();
    return kFields;
}

}  // namespace orrery
