#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/pictures/report_page.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {
namespace {

struct ReportOptions {
    std::vector<std::string> runs;
    std::string output, workspace;
    bool json = false;
};

std::filesystem::path pageOf(const ReportOptions& options, const std::string& firstRun) {
    if (options.output.empty()) return "report-" + firstRun + ".html";
    std::filesystem::path page = options.output;
    const std::string extension = page.extension().string();
    if (extension != ".html" && extension != ".htm")
        throw Error("The name of a report must end in .html, got " + page.filename().string() +
                        ". Name another file with --output.",
                    Error::Kind::BadInput);
    return page;
}

int runReport(const ReportOptions& options, VerbContext& context) {
    const auto workspace = openForReading(options.workspace, context.console);
    const HistoryReader reader = workspace->reader();
    ReportOrder order{.workspace = workspace->folder(), .runs = {}, .page = {}};
    for (const std::string& run : options.runs)
        if (const std::string id = reader.findRun(run).id;
            std::ranges::find(order.runs, id) == order.runs.end())
            order.runs.push_back(id);
    order.page = pageOf(options, order.runs.front());
    requireFree({order.page}, context.mayReplace);
    if (!writeReportPage(order, context.stop)) return kStopped;
    if (options.json)
        context.console.json({{"files", {order.page.string()}}, {"runs", order.runs}});
    else
        context.console.wrote(order.page.string());
    return 0;
}

}  // namespace

void addReportVerb(Verb& program) {
    auto options = std::make_shared<ReportOptions>();
    Verb& verb = program.add(
        {.name = "report",
         .summary = "Write a report of runs as one HTML page that needs nothing else",
         .description =
             "The page that Compare > Make a report writes in the window: a table of the runs, "
             "their config diff, whether their difference is sure, their charts, the world in "
             "which two of them differ, and the spec that repeats each.",
         .examples = {{"orrery report 3 4 --output maze.html", "two runs side by side"},
                      {"orrery report 12", "report-r00012.html in this folder"}}},
        [options](VerbContext& context) { return runReport(*options, context); });
    verb.option("RUN", &options->runs, "Ids, numbers or names of runs", {.isRequired = true});
    verb.option("-o,--output", &options->output,
                "Page to write, .html; without it, report-ID.html in this folder",
                {.writes = Writes::Target});
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
