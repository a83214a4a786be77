#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/sha256.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/checkpoint_manifest.h"

namespace orrery {

namespace {

/// Passes bytes on and takes their hash.
class HashingWriter final : public FileWriter {
public:
    explicit HashingWriter(FileWriter& file) : m_file(file) {}

    using FileWriter::write;
    void write(std::span<const std::byte> bytes) override {
        m_file.write(bytes);
        m_sha.update(bytes);
        m_offset += bytes.size();
    }
    std::string finishHex() { return m_sha.finishHex(); }

private:
    FileWriter& m_file;
    Sha256 m_sha;
};

/// A fault point before something that the disk may refuse.
void diskPoint(std::string_view name, const std::filesystem::path& path) {
    const int error = faultErrno(name);
    if (error > 0) throwWriteError("write", path, error);
}

void syncParent(const std::filesystem::path& folder) {
    if (const int error = syncFolder(folder); error != 0) throwWriteError("write", folder, error);
}

/// Gives `built` the name `target`. A folder that has this name gets the name of `built` if the
/// file system can swap two names, else it is moved aside first.
void takeName(const std::filesystem::path& built, const std::filesystem::path& target) {
    if (::renameat2(AT_FDCWD, built.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
        return;
    if (errno == EEXIST &&
        ::renameat2(AT_FDCWD, built.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return;
    if (errno == EINVAL || errno == ENOSYS) {  // a file system without these flags
        std::filesystem::path aside = built;
        aside += ".old";
        if (std::rename(target.c_str(), aside.c_str()) != 0 && errno != ENOENT)
            throwWriteError("write", target, errno);
        if (std::rename(built.c_str(), target.c_str()) == 0) {
            // The caller removes what is left under the name of `built`.
            std::rename(aside.c_str(), built.c_str());
            return;
        }
        const int error = errno;
        std::rename(aside.c_str(), target.c_str());
        errno = error;
    }
    throwWriteError("write", target, errno);
}

}  // namespace

CheckpointWriter::CheckpointWriter(std::filesystem::path runFolder, std::int64_t step)
    : m_runFolder(std::move(runFolder)), m_step(step) {
    assert(step >= 0);
    static std::atomic<std::uint64_t> counter{0};
    const std::string stem =
        "tmp-" + checkpointFolderName(step) + "." + std::to_string(::getpid()) + ".";
    diskPoint("ckpt.begin", m_runFolder);
    while (true) {
        const std::filesystem::path folder = m_runFolder / (stem + std::to_string(counter++));
        if (::mkdir(folder.c_str(), 0700) == 0) {
            m_folder = folder;
            break;
        }
        if (errno != EEXIST) throwWriteError("write", folder, errno);
    }
    m_lock = openFile(m_folder, O_RDONLY | O_DIRECTORY);
    if (m_lock) ::flock(m_lock.get(), LOCK_EX | LOCK_NB);
}

CheckpointWriter::~CheckpointWriter() {
    std::error_code ignored;
    if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
}

void CheckpointWriter::file(const std::string& name,
                            const std::function<void(FileWriter&)>& write) {
    assert(isCheckpointFileName(name));
    assert(std::ranges::none_of(m_files, [&](const CheckpointFile& f) { return f.name == name; }));
    diskPoint("ckpt.file", m_folder / name);
    atomicWrite(m_folder / name, [&](FileWriter& file) {
        HashingWriter hashing(file);
        write(hashing);
        m_files.push_back({name, hashing.offset(), hashing.finishHex()});
    });
}

void CheckpointWriter::text(const std::string& name, std::string_view content) {
    file(name, [content](FileWriter& out) { out.write(content); });
}

void CheckpointWriter::tensors(const std::string& name, const TensorMap& tensors) {
    file(name, [&tensors](FileWriter& out) { writeSafetensors(out, tensors); });
}

void CheckpointWriter::records(const std::string& name, std::string_view schema,
                               const std::function<void(RecordWriter&)>& write) {
    file(name, [&](FileWriter& out) {
        RecordWriter writer(out, schema);
        write(writer);
        writer.finish();
    });
}

SavedCheckpoint CheckpointWriter::commit(const std::string& configHash,
                                         const std::map<std::string, std::string>& versions) {
    assert(!m_folder.empty() && "a checkpoint is committed once");
    std::ranges::sort(m_files, {}, &CheckpointFile::name);
    const std::string text = manifestText(
        {.step = m_step, .configHash = configHash, .versions = versions, .files = m_files});
    diskPoint("ckpt.before_manifest", m_folder / kManifestName);
    atomicWrite(m_folder / kManifestName, text);

    const std::string name = checkpointFolderName(m_step);
    diskPoint("ckpt.before_rename", m_runFolder / name);
    takeName(m_folder, m_runFolder / name);
    // From here on the temporary name, if there is one, is that of the checkpoint replaced.
    const std::filesystem::path replaced = std::exchange(m_folder, {});
    diskPoint("ckpt.after_rename", m_runFolder);
    syncParent(m_runFolder);
    faultPoint("ckpt.after_sync");
    std::error_code ignored;  // a rest is swept at the next start
    std::filesystem::remove_all(replaced, ignored);
    m_lock = FileDescriptor();

    SavedCheckpoint saved{.step = m_step,
                          .manifest = name + "/" + kManifestName,
                          .sha256 = sha256Hex(text),
                          .bytes = text.size(),
                          .totalBytes = text.size()};
    for (const CheckpointFile& file : m_files) saved.totalBytes += file.bytes;
    return saved;
}

}  // namespace orrery
