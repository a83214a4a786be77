#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/archive/compare_runs.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct DiffOptions {
    std::string a, b, workspace;
    bool check = false;
    bool json = false;
};

struct NamedDifference {
    const char* name;
    const std::optional<ValueDifference>& difference;
};

std::vector<NamedDifference> valuesOf(const RunComparison& comparison) {
    return {
        {"V_r", comparison.v_r}, {"V_h_e", comparison.v_h_e}, {"V_h (phase 1)", comparison.v_h}};
}

Json comparisonJson(const RunComparison& comparison) {
    auto fields = Json::array();
    for (const FieldDifference& field : comparison.fields)
        fields.push_back({{"field", field.field}, {"a", field.a}, {"b", field.b}});
    auto values = Json::object();
    for (const auto& [name, difference] : valuesOf(comparison)) {
        if (!difference) continue;
        values[name] = {{"compared", difference->compared},
                        {"unequal", difference->unequal},
                        {"largest", jsonNumber(difference->largest)},
                        {"mean", jsonNumber(difference->mean)},
                        {"step", difference->where.step},
                        {"config", difference->where.config},
                        {"human", difference->human},
                        {"goal", difference->goal},
                        {"a", jsonNumber(difference->a)},
                        {"b", jsonNumber(difference->b)}};
    }
    Json learned;
    if (comparison.learned)
        learned = {{"step_a", comparison.learned->stepA},
                   {"step_b", comparison.learned->stepB},
                   {"unequal_files", comparison.learned->unequal}};
    return {{"a", comparison.a},
            {"b", comparison.b},
            {"same", comparison.same()},
            {"same_world", comparison.sameWorld},
            {"fields", std::move(fields)},
            {"values", std::move(values)},
            {"why_no_values", comparison.whyNoValues},
            {"learned", std::move(learned)}};
}

void printLearned(const LearnedDifference& learned, Console& console) {
    if (learned.same()) {
        console.line("what was learned is the same, bit for bit, at step " +
                     grouped(learned.stepA));
        return;
    }
    const std::string files = commaList(learned.unequal);
    console.line("what was learned differs: steps " + grouped(learned.stepA) + " and " +
                 grouped(learned.stepB) + (files.empty() ? "" : ", files " + escaped(files, 300)));
}

void printComparison(const RunComparison& comparison, Console& console) {
    if (comparison.fields.empty()) {
        console.line("the specs are the same");
    } else {
        TextTable table({{"field"}, {escaped(comparison.a)}, {escaped(comparison.b)}});
        for (const FieldDifference& field : comparison.fields)
            table.add({field.field, escaped(field.a, 60), escaped(field.b, 60)});
        table.print(console);
    }
    if (comparison.learned) {
        printLearned(*comparison.learned, console);
        return;
    }
    if (!comparison.whyNoValues.empty()) {
        console.line("values not compared: " + escaped(comparison.whyNoValues));
        return;
    }
    TextTable table({{"values"},
                     {"compared", true},
                     {"unequal", true},
                     {"largest |a-b|", true},
                     {"mean", true},
                     {"at step", true},
                     {"a", true},
                     {"b", true}});
    for (const auto& [name, difference] : valuesOf(comparison))
        if (difference)
            table.add({name, grouped(difference->compared), grouped(difference->unequal),
                       shortNumber(difference->largest), shortNumber(difference->mean),
                       std::to_string(difference->where.step), shortNumber(difference->a),
                       shortNumber(difference->b)});
    if (!table.isEmpty()) table.print(console);
}

int runDiff(const DiffOptions& options, VerbContext& context) {
    const auto workspace = openForReading(options.workspace, context.console);
    const auto comparison =
        compareRuns(*workspace, options.a, options.b, context.stop, context.console.progressSink());
    context.console.endProgress();
    if (!comparison) return kStopped;
    if (options.json)
        context.console.json(comparisonJson(*comparison));
    else
        printComparison(*comparison, context.console);
    return options.check && !comparison->same() ? Error("", Error::Kind::Differs).exitStatus() : 0;
}

}  // namespace

void addDiffVerb(Verb& program) {
    auto options = std::make_shared<DiffOptions>();
    Verb& verb = program.add(
        {.name = "diff",
         .summary = "Compare two runs: their specs and their values in all states",
         .description = "",
         .examples = {{"orrery diff 3 4", "which fields differ, and by how much the values do"},
                      {"orrery diff 3 4 --check", "status 3 if anything differs"}}},
        [options](VerbContext& context) { return runDiff(*options, context); });
    verb.option("A", &options->a, "Id, number or name of a run", {.isRequired = true});
    verb.option("B", &options->b, "Id, number or name of another", {.isRequired = true});
    addWorkspaceOption(verb, options->workspace);
    verb.option("--check", &options->check, "End with status 3 if specs or values differ");
    addJsonOption(verb, options->json);
}

}  // namespace orrery
