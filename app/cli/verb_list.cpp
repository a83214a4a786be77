#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/export/stored_run.h"
#include "app/pictures/run_query.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
    std::string workspace;
    std::vector<std::string> states;
    RunFilter filter;
    std::string tag;
    std::string where;
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
    const bool isChosen = !options.tag.empty() || !options.where.empty();
    filter.limit = options.all || isChosen ? -1 : options.limit;
    return filter;
}

/// Leaves the runs with the tag for which the condition holds, up to the limit.
void keepChosen(const ListOptions& options, const std::filesystem::path& folder,
                std::vector<RunRecord>& records) {
    if (!options.tag.empty())
        std::erase_if(records, [&](const RunRecord& record) {
            return std::ranges::find(record.tags, options.tag) == record.tags.end();
        });
    if (!options.where.empty()) {
        const auto ids = runsWhere(folder, options.where);
        std::erase_if(records, [&](const RunRecord& record) { return !ids.contains(record.id); });
    }
    if (!options.all && std::ssize(records) > options.limit)
        records.resize(static_cast<std::size_t>(options.limit));
}

/// A run and the newest of its checkpoints.
struct ListedRun {
    RunRecord record;
    std::optional<std::int64_t> checkpoint;  ///< its step
};

std::string worldOf(const RunRecord& record) {
    std::string world = worldNameOf(record.configJson);
    const RunKind* kind = kindOf(record);
    return world.empty() && kind != nullptr ? kind->placeTitle : world;
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

Json recordJson(const ListedRun& run) {
    const RunRecord& record = run.record;
    return {{"id", record.id},
            {"job", record.kind},
            {"checkpoint", run.checkpoint ? Json(*run.checkpoint) : Json()},
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

std::vector<ListedRun> listed(const ListOptions& options, Console& console) {
    const auto workspace = openForReading(options.workspace, console);
    const HistoryReader reader = workspace->reader();
    std::vector<RunRecord> records = reader.listRuns(filterOf(options));
    keepChosen(options, workspace->folder(), records);
    std::vector<ListedRun> runs;
    for (RunRecord& record : records) {
        std::optional<std::int64_t> newest;
        if (isTraining(record))
            for (const CheckpointRow& row : reader.checkpoints(record.id))
                newest = std::max(newest.value_or(row.step), row.step);
        runs.push_back({std::move(record), newest});
    }
    return runs;
}

int runList(const ListOptions& options, VerbContext& context) {
    Console& console = context.console;
    std::error_code error;
    const bool isFirstTime =
        options.workspace.empty() && !std::filesystem::exists(workspaceFolder(""), error);
    std::vector<ListedRun> runs;
    if (!isFirstTime) runs = listed(options, console);
    if (options.json) {
        auto list = Json::array();
        for (const ListedRun& run : runs) list.push_back(recordJson(run));
        console.json(list);
        return 0;
    }
    if (runs.empty()) {
        console.line(isFirstTime ? "no runs yet: `orrery solve WORLD` makes the first" : "no runs");
        return 0;
    }
    TextTable table({{"run"},
                     {"job"},
                     {"state"},
                     {"checkpoint", true},
                     {"world"},
                     {"name"},
                     {"created (UTC)"}});
    for (const auto& [record, checkpoint] : runs)
        table.add({record.id, record.kind, console.inked(inkOf(record), stateText(record)),
                   checkpoint ? grouped(*checkpoint) : "", escapedName(worldOf(record), 40),
                   escapedName(record.name, 40), escaped(record.createdUtc.substr(0, 19), 20)});
    table.print(console);
    return 0;
}

}  // namespace

void addListVerb(Verb& program) {
    auto options = std::make_shared<ListOptions>();
    Verb& verb = program.add(
        {.name = "ls",
         .summary = "List the runs of a workspace",
         .description =
             "A condition of --where asks for the columns of Compare's table, such as name, id, "
             "state, world, tag, note, seed, beta_r and v_r, in the language of all filters: = != "
             "< <= > >= ~ (contains) and :, joined by and, or, not and parentheses; a word alone "
             "is looked for in name, id, world, note and tags.",
         .examples = {{"orrery ls --state finished --limit 10", "the last ten finished runs"},
                      {"orrery ls --where 'beta_r >= 5 and not tag: draft'",
                       "by parameters, results, texts"},
                      {"orrery ls --text maze --json", "runs with maze in id, name or note"}}},
        [options](VerbContext& context) { return runList(*options, context); });
    addWorkspaceOption(verb, options->workspace);
    verb.option("--state", &options->states, "Only runs in these states",
                {.choices = stateNames()});
    verb.option("--text", &options->filter.text, "Only runs with this in id, name or note");
    verb.option("--tag", &options->tag, "Only runs with this tag, such as those of a sweep");
    verb.option("--where", &options->where, "Only runs for which this condition holds");
    verb.option("--world-hash", &options->filter.worldHash, "Only runs of this world");
    verb.option("--parent", &options->filter.parent, "Only runs that continue this one");
    verb.option("--limit", &options->limit, "Runs to list",
                {.showsDefault = true, .range = kPositive});
    verb.option("--all", &options->all, "List all, whatever the limit");
    verb.option("--oldest-first", &options->oldestFirst, "Begin with the oldest");
    addJsonOption(verb, options->json);
}

}  // namespace orrery
