#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/record_file.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/tensor_map.h"

namespace orrery {

/// Checkpoints of a run: folders `runs/<id>/step_<N>/`, each whole or not there. MANIFEST.json,
/// written last, lists every other file with its size and SHA-256. Usual names of the files:
/// spec.json, model.safetensors, optim.safetensors, state.json, state.safetensors, replay.records.
///
/// One process writes into a run's folder (the workspace's lock sees to that).

inline constexpr int kCheckpointFormat = 1;

struct CheckpointFile {
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256;
    bool operator==(const CheckpointFile&) const = default;
};

struct CheckpointManifest {
    int format = kCheckpointFormat;
    std::int64_t step = 0;
    std::string configHash;                       ///< of the spec that the run had
    std::map<std::string, std::string> versions;  ///< "orrery", "libtorch", ...
    std::vector<CheckpointFile> files;            ///< by name
};

/// What a saved checkpoint's row in the history needs.
struct SavedCheckpoint {
    std::int64_t step = 0;
    std::string manifest;     ///< "step_4000/MANIFEST.json": relative to the run's folder
    std::string sha256;       ///< of the manifest
    std::uint64_t bytes = 0;  ///< of the manifest
    std::uint64_t totalBytes = 0;
};

/// Builds one checkpoint in a folder `tmp-step_<N>.*`. One thread.
///
///     CheckpointWriter writer(runFolder, step);
///     writer.tensors("model.safetensors", model);
///     const SavedCheckpoint saved = writer.commit(configHash, versions);
///     // now, and only now, add the row and say "saved"
///
/// All functions throw DiskFullError for a full disk and Error (Resource) for other trouble with
/// the disk; after that, or without commit(), the destructor removes what was built, and a
/// checkpoint that was there before is untouched. Try again with a new writer.
///
/// Fault points: ckpt.begin, ckpt.file (before each), ckpt.before_manifest, ckpt.before_rename,
/// ckpt.after_rename, ckpt.after_sync, and those of atomicWrite.
class CheckpointWriter {
public:
    /// @param runFolder  must exist
    /// @param step       >= 0
    CheckpointWriter(std::filesystem::path runFolder, std::int64_t step);
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;
    ~CheckpointWriter();

    /// Adds a file; each name (letters, digits, _ . -) once.
    void text(const std::string& name, std::string_view content);
    void tensors(const std::string& name, const TensorMap& tensors);
    void records(const std::string& name, std::string_view schema,
                 const std::function<void(RecordWriter&)>& write);
    void file(const std::string& name, const std::function<void(FileWriter&)>& write);

    /// Syncs everything, renames the folder and syncs its parent. A checkpoint of the same step is
    /// replaced in one go. After the return a power cut does not lose it.
    SavedCheckpoint commit(const std::string& configHash,
                           const std::map<std::string, std::string>& versions);

private:
    std::filesystem::path m_runFolder;
    std::int64_t m_step;
    std::filesystem::path m_folder;  ///< empty once committed
    FileDescriptor m_lock;           ///< tells the sweep that somebody is at work
    std::vector<CheckpointFile> m_files;
};

/// A checkpoint whose manifest has been read and, unless asked otherwise, every file compared with
/// its hash. Its files are opened without following links. One thread at a time.
class Checkpoint {
public:
    /// @param wholly  compare the SHA-256 of every file; else sizes only
    /// @throws Error (Damaged) naming the checkpoint and what is wrong with it, also if it was
    ///         written by a newer program
    static Checkpoint open(const std::filesystem::path& runFolder, std::int64_t step,
                           bool wholly = true);

    const CheckpointManifest& manifest() const { return m_manifest; }
    const std::filesystem::path& folder() const { return m_folder; }
    bool has(std::string_view name) const;

    /// Reads one file that the manifest lists.
    /// @throws Error (Damaged) if it is not listed or not what it should be
    std::string text(const std::string& name) const;
    TensorMap tensors(const std::string& name, const SafetensorsOptions& options = {}) const;
    /// `read` is called once, with the file at its first record.
    void records(const std::string& name, std::string_view schema,
                 const std::function<void(RecordReader&)>& read) const;

private:
    Checkpoint() = default;
    const CheckpointFile& listed(const std::string& name) const;
    FileDescriptor openListed(const CheckpointFile& file) const;

    std::filesystem::path m_folder;
    CheckpointManifest m_manifest;
};

/// Opens a checkpoint by its own folder, "step_N".
/// @throws Error (BadInput) of another name, (Damaged) as Checkpoint::open
Checkpoint openCheckpoint(const std::filesystem::path& folder);

/// Steps of the checkpoints in a run's folder, newest first; damaged ones too.
std::vector<std::int64_t> checkpointSteps(const std::filesystem::path& runFolder);

struct CheckpointChoice {
    std::optional<Checkpoint> checkpoint;  ///< the newest good one; nothing if there is none
    std::vector<std::string> skipped;      ///< one line for each newer one: which, and why not
};

/// The newest checkpoint that is good.
/// @throws Error (Damaged) if one that would be taken was written by a newer program: going back
///         behind it would lose work that is not broken
CheckpointChoice newestCheckpoint(const std::filesystem::path& runFolder);

/// Deletes old checkpoints: all but the newest `kept` and those that `isProtected` (by step) says.
/// The newest good one is never deleted; if none is known to be good, nothing is. Rows of the
/// history must go before: keep those that a row names by `isProtected`.
/// Fault points: ckpt.before_delete, ckpt.delete (after the rename that takes it away).
/// @param knownGood  a step that needs no check, for example the one saved just now; -1: none
/// @return the steps that were deleted
/// @throws Error (Resource) if a folder cannot be renamed or removed
std::vector<std::int64_t> pruneCheckpoints(const std::filesystem::path& runFolder, int kept,
                                           const std::function<bool(std::int64_t)>& isProtected,
                                           std::int64_t knownGood = -1);

/// Removes the `tmp-*` folders that dead processes left in a run's folder.
/// @return how many
std::size_t sweepUnfinishedCheckpoints(const std::filesystem::path& runFolder);

}  // namespace orrery
