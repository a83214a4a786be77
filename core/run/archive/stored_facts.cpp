#include "core/run/archive/stored_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/files/world_file.h"
#include "core/run/result_facts.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/run_spec.h"
#include "core/run/steering.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxResultBytes = std::size_t{16} << 20;
/// Larger worlds are called as their files: they would be read for a name alone.
constexpr std::size_t kMaxNamedWorldBytes = std::size_t{256} << 10;

ResultJson parsed(const std::string& text) {
    return ResultJson::parse(text, nullptr, false);  // what is no JSON has no members
}

/// Whether a spec's section has a member; dots part the names of sections.
bool isGiven(const ResultJson& section, std::string_view name) {
    const std::size_t dot = name.find('.');
    const auto member = section.find(name.substr(0, dot));
    if (member == section.end() || dot == std::string_view::npos) return member != section.end();
    return member->is_object() && isGiven(*member, name.substr(dot + 1));
}

/// Whether a field's value is an object itself, no section of fields.
bool isTree(const std::string& kind, const std::string& name) {
    const RunField* field = findField(kind, name);
    return field != nullptr && field->type != FieldType::Section;
}

/// Adds what a section holds, with its name and a dot in front.
void addMembers(const std::string& kind, const ResultJson& section, const std::string& prefix,
                RunFacts& facts) {
    for (const auto& [key, value] : section.items()) {
        const std::string name = prefix + key;
        if (name == "world" || name == "world_text") continue;
        if (value.is_object() && !isTree(kind, name))
            addMembers(kind, value, name + ".", facts);
        else
            facts.parameters.push_back(factOf(name, value));
    }
}

/// Parameters that the version which wrote the spec did not have: it worked as their defaults say.
void addLaterParameters(const std::string& kind, const ResultJson& job, RunFacts& facts) {
    for (const RunField& field : jobFields(kind)) {
        const bool isPlain = field.type != FieldType::Text && field.type != FieldType::Texts &&
                             field.type != FieldType::Rules && field.type != FieldType::Section;
        if (!isPlain || field.isOptional || isGiven(job, field.name)) continue;
        const FieldValue value = fieldDefault(field);
        RunFact fact{.key = field.name, .text = fieldText(value), .number = {}};
        if (const auto* number = std::get_if<double>(&value)) fact.number = *number;
        if (const auto* count = std::get_if<std::int64_t>(&value))
            fact.number = static_cast<double>(*count);
        if (const auto* flag = std::get_if<bool>(&value)) fact.number = *flag ? 1 : 0;
        facts.parameters.push_back(std::move(fact));
    }
}

/// What a run does where nothing says it.
const std::string& usualJob() {
    return runKinds().front()->name;
}

void readParameters(const ResultJson& spec, RunFacts& facts) {
    if (facts.job.empty()) return;
    facts.parameters.push_back(factOf("job", facts.job));
    const ResultJson* job = memberOf(spec, facts.job.c_str());
    if (job == nullptr || !job->is_object()) return;
    facts.parameters.reserve(jobFields(facts.job).size() + 2);  // growing leaves gaps behind
    addMembers(facts.job, *job, "", facts);
    addLaterParameters(facts.job, *job, facts);
}

/// What every kind's result may say: the world's name; then the kind's own.
void readResults(const ResultJson& result, RunFacts& facts) {
    if (const ResultJson* world = memberOf(result, "world"))
        if (const ResultJson* name = memberOf(*world, "name"); name != nullptr && name->is_string())
            facts.worldName = name->get<std::string>();
    if (const RunKind* kind = findKind(facts.job)) kind->addFacts(result, facts);
}

/// @return false if its result cannot be read
bool takeResults(const std::filesystem::path& runFolder, RunFacts& facts) {
    try {
        readResults(parsed(readFile(runFolder / "result.json", kMaxResultBytes)), facts);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// What the world that a run kept calls itself; empty: nothing.
std::string keptWorldName(const std::filesystem::path& runFolder) {
    try {
        const WorldFile kept = parseWorld(readFile(runFolder / "world.yaml", kMaxNamedWorldBytes),
                                          "world.yaml", {.lenient = true});
        return kept.hasErrors ? std::string() : kept.spec->metadata.name;
    } catch (const Error&) {
        return {};  // it ended before it kept one
    }
}

std::string meaningOf(const std::string& field) {
    if (field == "steering") return "Changes made while the run trained";
    for (const RunKind* kind : runKinds())
        if (const RunField* known = findField(kind->name, field)) return known->label;
    return {};
}

ConfigRow rowOf(std::string field, std::string meaning, std::vector<std::string> values) {
    ConfigRow row{.field = std::move(field),
                  .meaning = std::move(meaning),
                  .values = std::move(values),
                  .differs = false,
                  .isIgnorable = false};
    row.differs =
        std::ranges::any_of(row.values, [&](const auto& v) { return v != row.values[0]; });
    row.isIgnorable = !changesValues(row.field);
    return row;
}

}  // namespace

RunFacts readRunFacts(const std::filesystem::path& workspaceFolder, const RunRecord& run) {
    RunFacts facts;
    facts.run = run.id;
    const ResultJson spec = parsed(run.configJson);
    facts.worldName = titleOfWorlds(worldNameIn(spec));
    facts.job = run.kind;
    const RunKind* kind = kindOf(run);
    if (facts.worldName.empty() && kind != nullptr) facts.worldName = kind->placeTitle;
    readParameters(spec, facts);
    if (kind == nullptr || kind->canStart())
        facts.parameters.push_back({.key = "seed",
                                    .text = std::to_string(run.seed),
                                    .number = static_cast<double>(run.seed)});
    const std::filesystem::path folder = workspaceFolder / "runs" / run.id;
    if (!takeResults(folder, facts))
        if (std::string name = keptWorldName(folder); !name.empty()) facts.worldName = name;
    return facts;
}

RunFacts readRunResults(const std::filesystem::path& workspaceFolder, const RunRecord& run) {
    RunFacts facts;
    facts.run = run.id;
    facts.job = run.kind;
    takeResults(workspaceFolder / "runs" / run.id, facts);
    return facts;
}

void addSteering(RunFacts& facts, std::span<const EventRow> events) {
    std::string text;
    for (const AppliedChange& applied : steeringIn(events))
        text += (text.empty() ? "" : ", ") + changeText(applied.change);
    if (!text.empty()) facts.parameters.push_back({.key = "steering", .text = text, .number = {}});
}

bool changesValues(std::string_view parameter) {
    static const std::set<std::string_view> kQuiet = [] {
        std::set<std::string_view> names;
        const auto add = [&](std::span<const RunField> fields) {
            for (const RunField& field : fields)
                if (field.isQuiet) names.insert(field.name);
        };
        add(runFields());
        for (const RunKind* kind : runKinds()) add(kind->fields);
        return names;
    }();
    return !kQuiet.contains(parameter);
}

std::vector<ConfigRow> configRows(std::span<const RunRecord> runs,
                                  std::span<const RunFacts> facts) {
    std::vector<ConfigRow> rows;
    std::vector<std::string> jobs;
    for (const RunFacts& own : facts) jobs.push_back(own.job);
    if (std::ranges::any_of(jobs, [](const std::string& job) { return job != usualJob(); }))
        rows.push_back(rowOf("job", "What the run does", std::move(jobs)));
    std::vector<std::string> fields;
    for (const RunFacts& own : facts)
        for (const RunFact& fact : own.parameters)
            if (fact.key != "job" && std::ranges::find(fields, fact.key) == fields.end())
                fields.push_back(fact.key);
    for (const std::string& field : fields) {
        std::vector<std::string> values;
        std::set<std::string> present;            // values of the runs that have the field
        std::map<std::string, bool> jobHasField;  // of the jobs that are there
        bool isPatchy = false;                    // runs of one job differ in having it
        for (const RunFacts& own : facts) {
            const auto found = std::ranges::find(own.parameters, field, &RunFact::key);
            const bool isThere = found != own.parameters.end();
            values.push_back(isThere ? found->text : std::string());
            if (isThere) present.insert(found->text);
            isPatchy |= jobHasField.try_emplace(own.job, isThere).first->second != isThere;
        }
        rows.push_back(rowOf(field, meaningOf(field), std::move(values)));
        rows.back().differs = present.size() > 1 || isPatchy;
    }
    std::vector<std::string> worlds, hashes, codes;
    for (const RunFacts& own : facts) worlds.push_back(own.worldName);
    for (const RunRecord& run : runs) {
        hashes.push_back(run.worldHash);
        codes.push_back(run.codeVersion);
    }
    rows.push_back(rowOf("world", "What was solved", std::move(worlds)));
    rows.push_back(rowOf("world hash", "Equal hash, equal state graph", std::move(hashes)));
    rows.push_back(rowOf("code", "Version of the program", std::move(codes)));
    return rows;
}

}  // namespace orrery
