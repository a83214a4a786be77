#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/jobs/import_metrics.h"

namespace orrery {
namespace {

struct ImportOptions {
    std::vector<std::string> paths;
    std::string workspace, name;
    bool json = false;
};

int runImport(const ImportOptions& options, VerbContext& context) {
    // All is read before anything is stored.
    std::vector<ImportedRun> runs;
    for (const std::string& path : options.paths)
        for (ImportedRun& run : readImport(path, context.stop, context.console.progressSink()))
            runs.push_back(std::move(run));
    context.console.endProgress();
    if (context.stop.stop_requested()) return kStopped;
    if (!options.name.empty() && runs.size() > 1)
        throw Error("--name needs a single run, and there are " + std::to_string(runs.size()) + ".",
                    Error::Kind::BadInput);
    const auto workspace = openForWriting(options.workspace, context.console);
    auto list = nlohmann::ordered_json::array();
    for (ImportedRun& run : runs) {
        if (!options.name.empty()) run.name = options.name;
        const std::string id =
            storeImport(*workspace, run, context.stop, context.console.progressSink());
        context.console.endProgress();
        if (id.empty()) return kStoppedAndKept;
        list.push_back({{"run", id},
                        {"name", run.name},
                        {"points", run.points.size()},
                        {"left_out", run.leftOut},
                        {"whole", run.isWhole}});
        if (!run.isWhole)
            context.console.message("note: " + escaped(run.source) +
                                    ": the damaged end of a file was left out");
        if (!options.json)
            context.console.line(id + "  " + escaped(run.name, 100) + ": " +
                                 std::to_string(run.points.size()) + " points");
    }
    if (options.json) context.console.json(list);
    return 0;
}

}  // namespace

void addImportVerb(Verb& program) {
    auto options = std::make_shared<ImportOptions>();
    Verb& verb = program.add(
        {.name = "import",
         .summary = "Take in curves of other programs: TensorBoard event files, CSV tables",
         .description =
             "Every folder with event files becomes a run, and so does every table. A table has a "
             "head with the columns key, step and value, or with the step first and a curve in "
             "each other column. The runs get the tag `imported`; they have curves and no values.",
         .examples = {{"orrery import logs", "all TensorBoard runs below that folder"},
                      {"orrery import loss.csv --name baseline", "one table"}}},
        [options](VerbContext& context) { return runImport(*options, context); });
    verb.option("PATH", &options->paths, "Event files, folders of them, .csv or .tsv",
                {.isRequired = true});
    verb.option("--name", &options->name, "A name for the run");
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
