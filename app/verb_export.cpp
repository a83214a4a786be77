#include <map>
#include <nlohmann/json.hpp>

#include "app/export_table.h"
#include "app/solved_input.h"
#include "app/verb.h"
#include "app/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {
namespace {

const std::map<std::string, ExportFormat> kFormats{
    {"csv", ExportFormat::Csv}, {"json", ExportFormat::Json}, {"npz", ExportFormat::Npz}};

struct ExportOptions {
    SolvedChoice choice;
    std::string what = "values";
    std::string format = "csv";
    std::string output;
    bool json = false;
};

int runExport(const ExportOptions& options, VerbContext& context) {
    const ExportFormat format = kFormats.at(options.format);
    if (options.what == "metrics") {
        const auto workspace = openForReading(options.choice.workspace, context.console);
        const HistoryReader reader = workspace->reader();
        if (!exportMetrics(reader, reader.findRun(options.choice.target).id, format, options.output,
                           context.stop))
            return kStopped;
    } else {
        int status = 0;
        const auto solved = obtainSolution(options.choice, context, status);
        if (!solved) return status;
        const ExportContent content =
            options.what == "values" ? ExportContent::Values : ExportContent::Policies;
        const bool done = exportSolution(*solved->solution, content, format, options.output,
                                         context.stop, context.console.progressSink());
        context.console.endProgress();
        if (!done) return kStopped;
    }
    if (options.json)
        context.console.json({{"files", {options.output}}});
    else
        context.console.line("written: " + escaped(options.output, 2000));
    return 0;
}

}  // namespace

void addExportVerb(VerbTable& verbs) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* verb = verbs.add(
        {.name = "export",
         .summary = "Write values, policies or metrics as CSV, JSON or npz",
         .description =
             "values: V_r, U_r, X_h, V_h^e, phase 1's V and Q_r of every state. policies: pi_r and "
             "pi_h, goal by goal and marginal. metrics: all curves of a run. Each row of the first "
             "two begins with step, configuration and the variables of the state.",
         .examples = {{"orrery export 12 --what values --format npz -o v.npz",
                       "arrays for numpy.load"},
                      {"orrery export my.yaml --what policies -o pi.csv",
                       "solve a world, then write"}}},
        [options](VerbContext& context) { return runExport(*options, context); });
    addSolvedOptions(*verb, options->choice);
    verb->add_option("--what", options->what, "values, policies or metrics (of a run)")
        ->capture_default_str()
        ->check(CLI::IsMember({"values", "policies", "metrics"}));
    verb->add_option("--format", options->format, "csv, json or npz")
        ->capture_default_str()
        ->check(CLI::IsMember({"csv", "json", "npz"}));
    verb->add_option("-o,--output", options->output, "File to write")->required();
    addJsonOption(*verb, options->json);
}

}  // namespace orrery
