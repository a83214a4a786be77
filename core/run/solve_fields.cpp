#include <limits>
#include <type_traits>

#include "core/run/rules.h"
#include "core/run/spec_field.h"

namespace orrery {

namespace {

constexpr double kHighest = std::numeric_limits<double>::max();

SolveJob& jobOf(RunSpec& spec) {
    return std::get<SolveJob>(spec.job);
}
const SolveJob& jobOf(const RunSpec& spec) {
    return std::get<SolveJob>(spec.job);
}

/// Binds a field to the member that `reach` returns a reference to.
template <typename Reach>
SpecField bound(SpecField field, Reach reach) {
    using Value = std::remove_cvref_t<decltype(reach(std::declval<RunSpec&>()))>;
    field.get = [reach](const RunSpec& spec) -> FieldValue {
        RunSpec copy = spec;
        if constexpr (std::is_same_v<Value, bool> || !std::is_integral_v<Value>)
            return reach(copy);
        else
            return static_cast<std::int64_t>(reach(copy));
    };
    field.set = [reach](RunSpec& spec, const FieldValue& value) {
        if constexpr (std::is_same_v<Value, bool> || !std::is_integral_v<Value>)
            reach(spec) = std::get<Value>(value);
        else
            reach(spec) = static_cast<Value>(std::get<std::int64_t>(value));
    };
    return field;
}

SpecField text(std::string name, std::string label, bool isRequired, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Text,
            .label = std::move(label),
            .range = isRequired ? "a text, not empty" : "a text",
            .low = isRequired ? 1.0 : 0.0,
            .meaning = std::move(meaning)};
}

SpecField flag(std::string name, std::string label, bool isExpert, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Flag,
            .label = std::move(label),
            .range = "true or false",
            .isExpert = isExpert,
            .meaning = std::move(meaning)};
}

SpecField integer(std::string name, std::string label, std::string unit, double high,
                  std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Integer,
            .label = std::move(label),
            .unit = std::move(unit),
            .range = "a whole number >= 0",
            .high = high,
            .isExpert = true,
            .meaning = std::move(meaning)};
}

enum class Limit { AboveZero, ZeroOrMore, AboveZeroOrInf, ZeroOrMoreOrInf, UnitOpenAtZero, Unit };

SpecField number(std::string name, std::string label, Limit limit, std::string meaning) {
    SpecField field{.name = std::move(name),
                    .type = FieldType::Number,
                    .label = std::move(label),
                    .high = kHighest,
                    .meaning = std::move(meaning)};
    field.lowIsOpen = limit == Limit::AboveZero || limit == Limit::AboveZeroOrInf ||
                      limit == Limit::UnitOpenAtZero;
    field.takesInfinity = limit == Limit::AboveZeroOrInf || limit == Limit::ZeroOrMoreOrInf;
    const bool isUnit = limit == Limit::UnitOpenAtZero || limit == Limit::Unit;
    if (isUnit) field.high = 1;
    field.range = isUnit ? (field.lowIsOpen ? "in (0, 1]" : "in [0, 1]")
                         : std::string(field.lowIsOpen ? "> 0" : ">= 0");
    if (field.takesInfinity) field.range += " or inf";
    return field;
}

/// An optional number that unsets its twin (gamma or rho) when it is set.
SpecField optionalNumber(SpecField field, std::optional<double> SolveSpec::*member,
                         std::optional<double> SolveSpec::*twin, std::string twinName) {
    field.isOptional = true;
    field.twin = std::move(twinName);
    field.range += " or none";
    field.get = [member](const RunSpec& spec) -> FieldValue {
        const std::optional<double> value = jobOf(spec).solve.*member;
        return value ? FieldValue(*value) : FieldValue();
    };
    field.set = [member, twin](RunSpec& spec, const FieldValue& value) {
        SolveSpec& solve = jobOf(spec).solve;
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
        return rulesJson(jobOf(spec).solve.*member).dump();
    };
    field.set = [](RunSpec&, const FieldValue&) {};  // lists come from files only
    return field;
}

SpecField storageField() {
    SpecField field{.name = "storage",
                    .type = FieldType::Choice,
                    .label = "Precision of stored values",
                    .range = "double, float or half",
                    .isExpert = true,
                    .choices = {"double", "float", "half"},
                    .meaning = "Precision in which value levels are kept; computing is in double."};
    field.get = [](const RunSpec& spec) -> FieldValue {
        static const char* const kNames[] = {"double", "float", "half"};
        return std::string(kNames[static_cast<int>(jobOf(spec).solve.storage)]);
    };
    field.set = [](RunSpec& spec, const FieldValue& value) {
        const auto& name = std::get<std::string>(value);
        jobOf(spec).solve.storage = name == "half"    ? ValueStorage::Half
                                    : name == "float" ? ValueStorage::Float
                                                      : ValueStorage::Double;
    };
    return field;
}

SpecField terminalField() {
    SpecField field{.name = "terminal_v_r",
                    .type = FieldType::Number,
                    .label = "Value at the end",
                    .range = "< 0",
                    .low = -kHighest,
                    .high = -std::numeric_limits<double>::denorm_min(),
                    .isExpert = true,
                    .meaning = "V_r of a terminal state."};
    return bound(std::move(field),
                 [](RunSpec& s) -> double& { return jobOf(s).solve.terminal_v_r; });
}

std::vector<SpecField> worldFields() {
    std::vector<SpecField> fields;
    fields.push_back(
        bound(text("world", "World", true, "World file, or builtin:NAME for one of the examples."),
              [](RunSpec& s) -> std::string& { return jobOf(s).world; }));
    SpecField worldText = text("world_text", "World text", false,
                               "Text of the world file, where it is not to be read from `world`.");
    worldText.isOptional = true;
    worldText.isExpert = true;
    worldText.get = [](const RunSpec& spec) -> FieldValue {
        const auto& value = jobOf(spec).worldText;
        return value ? FieldValue(*value) : FieldValue();
    };
    worldText.set = [](RunSpec& spec, const FieldValue& value) {
        const auto* given = std::get_if<std::string>(&value);
        jobOf(spec).worldText = given != nullptr ? std::optional(*given) : std::nullopt;
    };
    fields.push_back(std::move(worldText));
    fields.push_back(bound(flag("lenient", "Accept unknown keys", true,
                                "Unknown keys of the world file are warnings, not errors."),
                           [](RunSpec& s) -> bool& { return jobOf(s).lenient; }));
    fields.push_back(bound(flag("unrolled", "Unrolled graph", true,
                                "Explore (step, configuration) pairs even if folding is possible."),
                           [](RunSpec& s) -> bool& { return jobOf(s).unrolled; }));
    return fields;
}

void addHumanFields(std::vector<SpecField>& fields) {
    fields.push_back(bound(number("beta_h", "Humans' inverse temperature", Limit::ZeroOrMoreOrInf,
                                  "Inverse temperature of the humans' policies; inf: the best "
                                  "actions, all alike."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.beta_h; }));
    fields.push_back(optionalNumber(
        number("gamma_h", "Humans' discount factor", Limit::UnitOpenAtZero,
               "Discount factor of the humans per unit of time; give gamma_h or rho_h."),
        &SolveSpec::gamma_h, &SolveSpec::rho_h, "rho_h"));
    fields.push_back(
        optionalNumber(number("rho_h", "Humans' discount rate", Limit::ZeroOrMore,
                              "Discount rate of the humans, -ln gamma_h; give gamma_h or rho_h."),
                       &SolveSpec::rho_h, &SolveSpec::gamma_h, "gamma_h"));
    fields.push_back(
        bound(flag("optimistic", "Humans expect a helpful robot", false,
                   "Phase 1 takes the best robot action for the human, not the worst."),
              [](RunSpec& s) -> bool& { return jobOf(s).solve.optimistic; }));
    fields.push_back(bound(number("nu", "Weight of habit", Limit::Unit,
                                  "Weight of the habitual policy in the humans' policies."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.nu; }));
    fields.push_back(rules("believed_others", "Beliefs about others", &SolveSpec::believedOthers,
                           "What humans expect of each other in phase 1; empty: uniform."));
    fields.push_back(
        rules("habits", "Habits", &SolveSpec::habits, "The habitual policies that nu mixes in."));
}

void addRobotFields(std::vector<SpecField>& fields) {
    fields.push_back(bound(number("beta_r", "Robot's power", Limit::AboveZeroOrInf,
                                  "Power of the robot's policy, (-Q_r)^-beta_r; inf: the best "
                                  "actions, all alike."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.beta_r; }));
    fields.push_back(optionalNumber(
        number("gamma_r", "Robot's discount factor", Limit::UnitOpenAtZero,
               "Discount factor of the robot per unit of time; give gamma_r or rho_r."),
        &SolveSpec::gamma_r, &SolveSpec::rho_r, "rho_r"));
    fields.push_back(
        optionalNumber(number("rho_r", "Robot's discount rate", Limit::ZeroOrMore,
                              "Discount rate of the robot, -ln gamma_r; give gamma_r or rho_r."),
                       &SolveSpec::rho_r, &SolveSpec::gamma_r, "gamma_r"));
    fields.push_back(bound(number("zeta", "Risk aversion", Limit::AboveZero,
                                  "Risk aversion in X_h, the sum of w_g V_h^e(g)^zeta."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.zeta; }));
    fields.push_back(bound(number("xi", "Inequality aversion", Limit::AboveZero,
                                  "Aversion to unequal X_h among the humans, in U_r."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.xi; }));
    fields.push_back(bound(number("eta", "Intertemporal aversion", Limit::AboveZero,
                                  "Aversion to uneven power over time, in U_r."),
                           [](RunSpec& s) -> double& { return jobOf(s).solve.eta; }));
    fields.push_back(terminalField());
    SpecField floor = optionalNumber(
        number("x_h_floor", "Least X_h", Limit::AboveZero,
               "X_h is raised to this; none: a human without a reachable goal stops the solve."),
        &SolveSpec::x_h_floor, nullptr, {});
    floor.isExpert = true;
    fields.push_back(std::move(floor));
}

void addWorkFields(std::vector<SpecField>& fields) {
    fields.push_back(
        bound(flag("phase1_only", "Phase 1 only", true, "Solve the humans' policies alone."),
              [](RunSpec& s) -> bool& { return jobOf(s).solve.phase1Only; }));
    fields.push_back(storageField());
    fields.push_back(bound(
        integer("threads", "Threads", "threads", 1024, "Threads to work with; 0: one a processor."),
        [](RunSpec& s) -> int& { return jobOf(s).solve.threads; }));
    fields.push_back(
        bound(integer("memory", "Memory", "bytes", 0x1p60,
                      "Memory that the graph and the values may take; 0: 70 % of what is free."),
              [](RunSpec& s) -> std::int64_t& { return jobOf(s).solve.memoryBudget; }));
    fields.push_back(
        bound(integer("episodes", "Sampled episodes", "episodes", 1e6,
                      "Episodes sampled from the solved policies with the run's seed; each leaves "
                      "the share of humans that attained their goal and when."),
              [](RunSpec& s) -> std::int64_t& { return jobOf(s).episodes; }));
    fields.push_back(bound(flag("save_values", "Keep the values", true,
                                "Write solution.bin, so that the run can be reopened."),
                           [](RunSpec& s) -> bool& { return jobOf(s).saveValues; }));
    fields.push_back(
        bound(flag("save_graph", "Keep the graph", true,
                   "Keep the state graph in the workspace, for other solves of this world."),
              [](RunSpec& s) -> bool& { return jobOf(s).saveGraph; }));
}

}  // namespace

std::span<const SpecField> runFields() {
    static const std::vector<SpecField> kFields = [] {
        std::vector<SpecField> fields;
        fields.push_back(
            bound(text("name", "Name", false, "A name for people; need not be unique."),
                  [](RunSpec& s) -> std::string& { return s.name; }));
        fields.push_back(bound(text("note", "Note", false, "Free text kept with the run."),
                               [](RunSpec& s) -> std::string& { return s.note; }));
        SpecField seed = integer("seed", "Seed", "", 0x1p63 - 1024,
                                 "Seed of random numbers: those of rollouts of the run.");
        seed.isExpert = false;
        fields.push_back(
            bound(std::move(seed), [](RunSpec& s) -> std::uint64_t& { return s.seed; }));
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
