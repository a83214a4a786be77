#include "core/run/archive/enn_run.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/entity/feature_map.h"
#include "core/files/diagnostic.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/enn_config.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/entity_run.h"
#include "core/run/run_context.h"
#include "core/run/run_spec.h"
#include "core/train/entity/entity_training.h"
#include "core/train/entity/learned_spaces.h"
#include "core/train/train_checkpoint.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

RunSpec specOfFolder(const EnnCheckpoint& checkpoint, const fs::path& folder,
                     const std::function<void(const std::string&)>& warning) {
    RunSpecReading reading = readRunSpec(checkpoint.config, (folder / "config.ron").string());
    std::string problems;
    for (const Diagnostic& diagnostic : reading.diagnostics) {
        if (diagnostic.severity == Severity::Warning)
            warning(diagnosticLine(diagnostic));
        else
            problems += (problems.empty() ? "" : "; ") + diagnosticLine(diagnostic);
    }
    if (!reading.spec) throw badInput(problems);
    if (!reading.spec->job.is<EntityJob>())
        throw badInput(escaped(folder.string(), 160) + ": its config.ron is no training's.");
    return std::move(*reading.spec);
}

/// What the networks learned from must be there.
void requireLearned(const EnnCheckpoint& checkpoint, const EntityLayout& shown,
                    const std::string& environment) {
    try {
        featureMapOf(entityLayoutOf(checkpoint.spaces), shown);
    } catch (const Error& error) {
        throw badInput("The networks do not fit the environment " + environment + ": " +
                       error.what());
    }
}

/// The checkpoint's folder and row.
CheckpointRow keepCheckpoint(const Workspace& workspace, const fs::path& runFolder,
                             const EnnCheckpoint& checkpoint, const EntityLayout& shown,
                             const std::string& specJson) {
    CheckpointWriter writer(runFolder, checkpoint.step);
    writer.tensors("model.safetensors", checkpoint.model);
    saveSpaces(writer, entityLayoutOf(checkpoint.spaces), shown);
    writer.text("spec.json", specJson);
    const SavedCheckpoint saved = commitCheckpoint(writer, specJson, {}, 0);
    return {.generation = 1,
            .step = checkpoint.step,
            .file = (runFolder / saved.manifest).lexically_relative(workspace.folder()).string(),
            .sha256 = saved.sha256,
            .bytes = saved.bytes,
            .state = std::string(kReadyCheckpoint)};
}

void store(Workspace& workspace, const std::string& id, const RunSpec& spec,
           const EnnCheckpoint& checkpoint, const EntityLayout& shown, const std::string& json) {
    DbWriter& writer = workspace.writer();
    const fs::path runFolder = workspace.makeRunFolder(id);
    const CheckpointRow row = keepCheckpoint(workspace, runFolder, checkpoint, shown, json);
    // Loads the networks: their tensors fit what the configuration says, or it is told here.
    try {
        entityLibrary().policy(
            {.spec = spec.job.as<EntityJob>().entity,
             .spaces = spacesOf(shown),
             .checkpoint = runFolder / fs::path(row.file).parent_path().filename()});
    } catch (const Error& error) {
        throw Error("The networks do not fit their configuration: " + std::string(error.what()),
                    error.kind() == Error::Kind::Damaged ? Error::Kind::BadInput : error.kind());
    }
    atomicWrite(runFolder / "spec.json", json + "\n");
    writer.addArtefact(
        id, {.kind = "spec",
             .file = (runFolder / "spec.json").lexically_relative(workspace.folder()).string(),
             .sha256 = sha256Hex(json + "\n"),
             .bytes = json.size() + 1});
    writer.addCheckpoint(id, row);
    RunEvent saved;
    saved.body = event::Message{
        .code = "train.saved",
        .text = "checkpoint of step " + std::to_string(row.step) + ", as it was imported",
        .step = row.step};
    writer.record(id, saved);
    writer.flush();
}

}  // namespace

EnnRun importEnnCheckpoint(Workspace& workspace, const fs::path& folder, const std::string& name,
                           const std::function<void(const std::string&)>& warning) {
    const EnnCheckpoint checkpoint = readEnnCheckpoint(folder);
    RunSpec spec = specOfFolder(checkpoint, folder, warning);
    if (!name.empty()) spec.name = name;
    spec.note = "From the checkpoint " + folder.string() + " of enn-trainer";
    const EntityPlaceSpec& place = spec.job.as<EntityJob>().entity.env;
    const EntityLayout shown = entityLayoutOf(makeEnvironment(place)->spaces());
    requireLearned(checkpoint, shown, place.id);
    NewRun fresh = newRunOf(spec);
    fresh.worldHash = placeHash(place);
    fresh.tags = {"imported"};
    DbWriter& writer = workspace.writer();
    const std::string id = writer.createRun(fresh);
    writer.changeState(id, std::array{RunState::Queued}, RunState::Running);
    try {
        store(workspace, id, spec, checkpoint, shown, fresh.configJson);
    } catch (...) {
        writer.changeState(id, std::array{RunState::Running}, RunState::Stopped);
        writer.editRuns(std::array{RunEdit{.run = id, .isTrashed = true}});
        writer.deleteRows(std::array{id});
        std::error_code error;
        fs::remove_all(workspace.runFolder(id), error);
        throw;
    }
    writer.changeState(id, std::array{RunState::Running}, RunState::Stopped);
    return {.id = id, .name = fresh.name, .step = checkpoint.step};
}

void exportEnnCheckpoint(const Workspace& workspace, const std::string& run,
                         const std::string& choice, const fs::path& folder) {
    const RunRecord record = workspace.reader().findRun(run);
    const Checkpoint checkpoint = chosenCheckpoint(workspace, record.id, choice);
    const RunSpec spec = storedSpecAt(workspace, record.id, checkpoint.manifest().step);
    const EntityJob* job = spec.job.find<EntityJob>();
    if (job == nullptr)
        throw badInput("Run " + record.id +
                       " is no training among things, of which enn-trainer has checkpoints.");
    RunSpec named = spec;
    named.name = record.name;
    EnnCheckpoint written{
        .config = ennConfigText(named),
        .step = checkpoint.manifest().step,
        .spaces = spacesOf(
            learnedSpaces(checkpoint, entityLayoutOf(makeEnvironment(job->entity.env)->spaces()))),
        .model = checkpoint.tensors("model.safetensors")};
    writeEnnCheckpoint(folder, written);
}

}  // namespace orrery
