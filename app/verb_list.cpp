#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/verb.h"
#include "app/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
    std::string workspace;
    std::vector<std::string> states;
    RunFilter filter;
    std::string tag;
    std::int64_t limit = 50;
    bool oldestFirst = false;
    bool all = false;
    bool json = false;
};

const std::vector<std::string>& stateNames() {
    static const std::vector<std::string> kNames{"queued",  "running",  "paused",
                                                 "blocked", "finished", "stopped",
                                                 "failed",  "diverged", "interrupted"};
    return kNames;
}

RunFilter filterOf(const ListOptions& options) {
    RunFilter filter = options.filter;
    for (const std::string& name : options.states) filter.states.push_back(*runStateOf(name));
    filter.newestFirst = !options.oldestFirst;
    filter.limit = options.all || !options.tag.empty() ? -1 : options.limit;
    return filter;
}

/// Leaves the runs with the tag, up to the limit.
void keepTagged(const ListOptions& options, std::vector<RunRecord>& records) {
    if (options.tag.empty()) return;
    std::erase_if(records, [&](const RunRecord& record) {
        return std::ranges::find(record.tags, options.tag) == record.tags.end();
    });
    if (!options.all && std::ssize(records) > options.limit)
        records.resize(static_cast<std::size_t>(options.limit));
}

/// The world that a run's spec names; empty where the spec is of another kind.
std::string worldOf(const RunRecord& record) {
    const Json spec = Json::parse(record.configJson, nullptr, false);
    if (!spec.is_object() || !spec.contains("solve") || !spec["solve"].is_object()) return "";
    const Json& solve = spec["solve"];
    return solve.contains("world") && solve["world"].is_string() ? solve["world"].get<std::string>()
                                                                 : "";
}

std::string stateText(const RunRecord& record) {
    return record.state ? std::string(nameOf(*record.state)) : "unknown";
}

Ink inkOf(const RunRecord& record) {
    if (!record.state) return Ink::Dim;
    switch (*record.state) {
        case RunState::Finished:
            return Ink::Green;
        case RunState::Failed:
        case RunState::Diverged:
            return Ink::Red;
        case RunState::Interrupted:
        case RunState::Stopped:
        case RunState::Blocked:
            return Ink::Yellow;
        default:
            return Ink::Cyan;
    }
}

Json recordJson(const RunRecord& record) {
    return {{"id", record.id},
            {"name", record.name},
            {"state", stateText(record)},
            {"world", worldOf(record)},
            {"world_hash", record.worldHash},
            {"seed", record.seed},
            {"created", record.createdUtc},
            {"ended", record.endedUtc},
            {"parent", record.parent},
            {"code_version", record.codeVersion},
            {"note", record.note},
            {"tags", record.tags}};
}

int runList(const ListOptions& options, VerbContext& context) {
    Console& console = context.console;
    std::error_code error;
    const bool isFirstTime =
        options.workspace.empty() && !std::filesystem::exists(workspaceFolder(""), error);
    std::vector<RunRecord> records;
    if (!isFirstTime)
        records = openForReading(options.workspace, console)->reader().listRuns(filterOf(options));
    keepTagged(options, records);
    if (options.json) {
        auto list = Json::array();
        for (const RunRecord& record : records) list.push_back(recordJson(record));
        console.json(list);
        return 0;
    }
    if (records.empty()) {
        console.line(isFirstTime ? "no runs yet: `orrery solve WORLD` makes the first" : "no runs");
        return 0;
    }
    TextTable table({{"run"}, {"state"}, {"world"}, {"name"}, {"created (UTC)"}});
    for (const RunRecord& record : records)
        table.add({record.id, console.inked(inkOf(record), stateText(record)),
                   escaped(worldOf(record), 40), escaped(record.name, 40),
                   escaped(record.createdUtc.substr(0, 19), 20)});
    table.print(console);
    return 0;
}

}  // namespace

void addListVerb(VerbTable& verbs) {
    auto options = std::make_shared<ListOptions>();
    CLI::App* verb = verbs.add(
        {.name = "ls",
         .summary = "List the runs of a workspace",
         .description = "",
         .examples = {{"orrery ls --state finished --limit 10", "the last ten finished runs"},
                      {"orrery ls --text maze --json", "runs with maze in id, name or note"}}},
        [options](VerbContext& context) { return runList(*options, context); });
    addWorkspaceOption(*verb, options->workspace);
    verb->add_option("--state", options->states, "Only runs in these states")
        ->check(CLI::IsMember(stateNames()));
    verb->add_option("--text", options->filter.text, "Only runs with this in id, name or note");
    verb->add_option("--tag", options->tag, "Only runs with this tag, such as those of a sweep");
    verb->add_option("--world-hash", options->filter.worldHash, "Only runs of this world");
    verb->add_option("--parent", options->filter.parent, "Only runs that continue this one");
    verb->add_option("--limit", options->limit, "Runs to list")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    verb->add_flag("--all", options->all, "List all, whatever the limit");
    verb->add_flag("--oldest-first", options->oldestFirst, "Begin with the oldest");
    addJsonOption(*verb, options->json);
}

}  // namespace orrery
