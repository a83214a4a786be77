#include "core/run/archive/verify_run.h"

#include <algorithm>

#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run_kind.h"
#include "core/run/run_manifest.h"

namespace orrery {

namespace {

constexpr std::uint64_t kMostManifestBytes = 1 << 20;

bool isOf(const Finding& finding, const std::string& id) {
    return finding.where == "run " + id || finding.where.starts_with("runs/" + id + "/") ||
           finding.where == "workspace.db";
}

}  // namespace

std::vector<Finding> verifyCheckpoints(const Workspace& workspace, const std::string& runId,
                                       std::stop_token stop) {
    std::vector<Finding> findings;
    for (const CheckpointRow& row : workspace.reader().checkpoints(runId)) {
        if (stop.stop_requested()) break;
        try {
            Checkpoint::open(workspace.runFolder(runId), row.step);
        } catch (const Error& e) {
            findings.push_back({escaped(row.file), e.what()});
        }
    }
    return findings;
}

std::vector<Finding> verifyRun(const Workspace& workspace, const std::string& run,
                               std::stop_token stop) {
    const HistoryReader reader = workspace.reader();
    const RunRecord record = reader.findRun(run);
    std::vector<Finding> findings;
    for (Finding& finding : verifyWorkspace(workspace.folder()).findings)
        if (isOf(finding, record.id)) findings.push_back(std::move(finding));
    const std::vector<ArtefactRow> rows = reader.artefacts(record.id);
    const std::string where = "run " + record.id;
    for (Finding& finding : verifyCheckpoints(workspace, record.id, stop))
        if (std::ranges::find(findings, finding.where, &Finding::where) == findings.end())
            findings.push_back(std::move(finding));
    try {
        const auto manifest = std::ranges::find(rows, "manifest", &ArtefactRow::kind);
        if (manifest != rows.end()) {
            const std::string place = escaped(manifest->file);
            for (std::string& text :
                 manifestProblems(readFile(workspace.folder() / manifest->file, kMostManifestBytes),
                                  record.id, rows))
                findings.push_back({place, std::move(text)});
        }
        const RunKind* kind = kindOf(record);
        if (record.state == RunState::Finished && (kind == nullptr || kind->canStart()) &&
            std::ranges::count(rows, "manifest", &ArtefactRow::kind) == 0)
            findings.push_back({where, "It is finished but has no manifest. Repeat the run."});
        if (std::ranges::count(rows, "values", &ArtefactRow::kind) > 0)
            reopenSolution(workspace, record.id, stop);
        else
            storedSpec(workspace, record.id);
    } catch (const Error& e) {
        if (findings.empty()) findings.push_back({where, e.what()});
    }
    return findings;
}

}  // namespace orrery
