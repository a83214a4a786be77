#include "core/run/archive/stored_spec.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/files/world_file.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"

namespace orrery {

namespace {

/// The world file that a run kept, checked; nothing if it kept none of that kind.
std::optional<std::string> keptWorld(const Workspace& workspace, const RunRecord& record,
                                     const std::vector<ArtefactRow>& rows,
                                     const std::string& kind) {
    const ArtefactRow* world = artefactOf(rows, kind);
    if (world == nullptr) return std::nullopt;
    std::string text = readFile(workspace.folder() / world->file, kMaxWorldFileBytes);
    if (sha256Hex(text) != world->sha256)
        throw Error("The world file of run " + record.id + " (" + world->file +
                        ") is not the one that was worked on: its hash differs." + kDamagedAdvice,
                    Error::Kind::Damaged);
    return text;
}

RunSpec specOf(const Workspace& workspace, const RunRecord& record,
               const std::vector<ArtefactRow>& rows) {
    RunSpec spec = runSpecFromJson(record.configJson, "spec of run " + record.id);
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (std::size_t i = 0; i < worlds.size(); ++i)
        if (auto text = keptWorld(workspace, record, rows,
                                  i == 0 ? "world" : "world_" + std::to_string(i + 1)))
            worlds[i].text = std::move(*text);
    if (!worlds.empty()) kind.takeWorlds(spec.job, worlds);
    return spec;
}

std::vector<EventRow> eventsOf(const Workspace& workspace, const std::string& run) {
    const HistoryReader reader = workspace.reader();
    return reader.events(reader.findRun(run).id);
}

}  // namespace

const ArtefactRow* artefactOf(const std::vector<ArtefactRow>& rows, const std::string& kind) {
    const auto found = std::ranges::find(rows, kind, &ArtefactRow::kind);
    return found == rows.end() ? nullptr : &*found;
}

RunSpec storedSpec(const Workspace& workspace, const std::string& run) {
    const HistoryReader reader = workspace.reader();
    const RunRecord record = reader.findRun(run);
    return specOf(workspace, record, reader.artefacts(record.id));
}

RunSpec storedSpecAt(const Workspace& workspace, const std::string& run, std::int64_t step) {
    RunSpec spec = storedSpec(workspace, run);
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return spec;
    const auto recorded =
        recordedChanges(kind.training(spec.job)->changes, eventsOf(workspace, run));
    goToStep(spec, recorded, step);
    return spec;
}

RunSpec repeatedSpec(const Workspace& workspace, const std::string& run) {
    RunSpec spec = storedSpec(workspace, run);
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return spec;
    std::vector<TrainChange>& changes = kind.training(spec.job)->changes;
    changes = recordedChanges(changes, eventsOf(workspace, run));
    return spec;
}

}  // namespace orrery
