#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "core/run/archive/verify_run.h"

namespace orrery {
namespace {

struct VerifyOptions {
    std::string workspace;
    std::int64_t atLeast = 0;
    bool json = false;
};

/// The files of checkpoints: the history lists their manifests alone.
void addCheckpoints(const std::string& folder, VerifyReport& report, const std::stop_token& stop) {
    if (report.runs == 0) return;
    try {
        const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
        for (const RunRecord& run : workspace->reader().listRuns({.withTrash = true}))
            for (Finding& finding : verifyCheckpoints(*workspace, run.id, stop))
                if (std::ranges::find(report.findings, finding.where, &Finding::where) ==
                    report.findings.end())
                    report.findings.push_back(std::move(finding));
    } catch (const Error& e) {
        // What cannot be opened was found above already.
        if (report.findings.empty()) report.findings.push_back({"workspace.db", e.what()});
    }
}

int runVerify(const VerifyOptions& options, VerbContext& context) {
    VerifyReport report = verifyWorkspace(options.workspace);
    addCheckpoints(options.workspace, report, context.stop);
    if (context.stop.stop_requested()) return kStopped;
    if (report.metricRows < options.atLeast)
        report.findings.push_back({"workspace.db", "has " + std::to_string(report.metricRows) +
                                                       " metric rows, at least " +
                                                       std::to_string(options.atLeast) +
                                                       " were expected: rows are lost"});
    if (options.json) {
        auto findings = nlohmann::ordered_json::array();
        for (const Finding& finding : report.findings)
            findings.push_back({{"where", finding.where}, {"text", finding.text}});
        context.console.json({{"sound", report.findings.empty()},
                              {"schema_version", report.schemaVersion},
                              {"runs", report.runs},
                              {"metric_rows", report.metricRows},
                              {"event_rows", report.eventRows},
                              {"files_checked", report.filesChecked},
                              {"findings", std::move(findings)}});
    } else if (report.findings.empty()) {
        context.console.line("sound: " + grouped(report.runs) + " runs, " +
                             grouped(report.metricRows) + " metric rows, " +
                             grouped(report.filesChecked) + " files checked");
    }
    if (report.findings.empty()) return 0;
    const Finding& first = report.findings.front();
    const std::size_t others = report.findings.size() - 1;
    context.console.error(options.workspace + ": " + first.where + ": " + first.text +
                          (others > 0 ? " (and " + std::to_string(others) + " more)" : ""));
    return Error("", Error::Kind::Damaged).exitStatus();
}

}  // namespace

void addVerifyVerb(Verb& program) {
    auto options = std::make_shared<VerifyOptions>();
    Verb& verb = program.add(
        {.name = "verify",
         .summary = "Check a workspace for damage, without changing it",
         .description = "Checks the database, every run's state and spec, and size and SHA-256 of "
                        "every listed file and checkpoint. Prints one line and ends with status 5 "
                        "if something is "
                        "wrong; --json lists everything found.",
         .examples = {{"orrery verify", "is everything in the default workspace and whole?"},
                      {"orrery verify my.orrery --at-least 400", "also count the metric rows"}}},
        [options](VerbContext& context) {
            options->workspace = workspaceFolder(options->workspace).string();
            return runVerify(*options, context);
        });
    verb.option("WORKSPACE", &options->workspace,
                "The workspace's folder; without it, the default one");
    addWorkspaceOption(verb, options->workspace);
    verb.option("--at-least", &options->atLeast, "Metric rows that must be there",
                {.range = kNotNegative});
    addJsonOption(verb, options->json);
}

}  // namespace orrery
