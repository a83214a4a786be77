#include "core/checkpoint/checkpoint_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_manifest.h"

namespace orrery {

namespace {

constexpr std::uint64_t kMaxTextBytes = std::uint64_t{64} << 20U;

[[noreturn]] void damagedCheckpoint(const std::filesystem::path& folder, const std::string& why) {
    throw Error("Checkpoint '" + escaped(folder.native()) + "' is damaged: " + why +
                    ". Resume from another checkpoint.",
                Error::Kind::Damaged);
}

/// Opens a regular file of a checkpoint. What its folder can be blamed for is damage; what the
/// process or the machine can (too many open files, no memory) is not.
FileDescriptor openInCheckpoint(const std::filesystem::path& folder, const std::string& name) {
    // The parent is given by the user, so only the two last parts must not be links.
    FileDescriptor file = openBeneath(folder.parent_path(), folder.filename() / name);
    if (!file) {
        const int error = errno;
        if (error == ENOENT)
            damagedCheckpoint(folder, name == kManifestName
                                          ? "it has no " + name + ", so it was not finished"
                                          : "its file " + name + " is missing");
        if (error == ELOOP || error == ENOTDIR || error == ENXIO || error == EACCES)
            damagedCheckpoint(folder, "its " + name + " is a link or cannot be opened");
        throwFileError("open", folder / name, error);
    }
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) throwFileError("open", folder / name, errno);
    if (!S_ISREG(info.st_mode)) damagedCheckpoint(folder, name + " is not a regular file");
    return file;
}

std::uint64_t sizeOfFile(int fd) {
    struct stat info {};
    return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

std::string wholeText(int fd, const std::filesystem::path& folder, const std::string& name,
                      std::uint64_t maxBytes) {
    const std::uint64_t bytes = sizeOfFile(fd);
    if (bytes > maxBytes) damagedCheckpoint(folder, "its " + name + " is too large");
    std::string text(bytes, '\0');
    const ssize_t got = readUpTo(fd, std::as_writable_bytes(std::span(text)));
    if (got != static_cast<ssize_t>(bytes))
        damagedCheckpoint(folder, "its " + name + " cannot be read to its end");
    return text;
}

std::string manifestTextIn(const std::filesystem::path& folder) {
    const FileDescriptor file = openInCheckpoint(folder, kManifestName);
    return wholeText(file.get(), folder, kManifestName, kMaxManifestBytes);
}

bool isNewer(const std::filesystem::path& folder) {
    try {
        return isNewerManifest(manifestTextIn(folder));
    } catch (const Error&) {
        return false;
    }
}

/// True if no process works in a folder `tmp-...` any more.
bool isAbandoned(const std::filesystem::path& folder) {
    const FileDescriptor file = openFile(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!file) return false;
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Takes a checkpoint's name away at once, then removes it.
void deleteCheckpoint(const std::filesystem::path& runFolder, std::int64_t step) {
    static std::atomic<std::uint64_t> counter{0};
    const std::string name = checkpointFolderName(step);
    const std::filesystem::path from = runFolder / name;
    const std::filesystem::path to =
        runFolder /
        ("tmp-gone-" + name + "." + std::to_string(::getpid()) + "." + std::to_string(counter++));
    faultPoint("ckpt.before_delete");
    if (std::rename(from.c_str(), to.c_str()) != 0) throwWriteError("delete", from, errno);
    faultPoint("ckpt.delete");
    if (const int error = syncFolder(runFolder); error != 0) throwWriteError("delete", from, error);
    std::error_code error;
    std::filesystem::remove_all(to, error);
    if (error) throwWriteError("delete", to, error.value());
}

std::int64_t newestGood(const std::filesystem::path& runFolder,
                        const std::vector<std::int64_t>& steps) {
    for (const std::int64_t step : steps) {
        try {
            Checkpoint::open(runFolder, step);
            return step;
        } catch (const Error& e) {
            if (e.kind() != Error::Kind::Damaged) throw;
        }
    }
    return -1;
}

}  // namespace

Checkpoint Checkpoint::open(const std::filesystem::path& runFolder, std::int64_t step,
                            bool wholly) {
    Checkpoint checkpoint;
    checkpoint.m_folder = runFolder / checkpointFolderName(step);
    const std::filesystem::path& folder = checkpoint.m_folder;
    checkpoint.m_manifest = parseManifest(manifestTextIn(folder), folder / kManifestName);
    if (checkpoint.m_manifest.step != step)
        damagedCheckpoint(folder,
                          "it is that of step " + std::to_string(checkpoint.m_manifest.step));
    for (const CheckpointFile& listed : checkpoint.m_manifest.files) {
        const FileDescriptor file = checkpoint.openListed(listed);
        if (!wholly) continue;
        std::string sha256;
        try {
            sha256 = sha256HexOfFile(file.get(), folder / listed.name);
        } catch (const Error& e) {
            damagedCheckpoint(folder, e.what());
        }
        if (sha256 != listed.sha256)
            damagedCheckpoint(folder,
                              "the content of " + listed.name + " does not agree with its SHA-256");
    }
    return checkpoint;
}

bool Checkpoint::has(std::string_view name) const {
    return std::ranges::any_of(m_manifest.files,
                               [name](const CheckpointFile& file) { return file.name == name; });
}

const CheckpointFile& Checkpoint::listed(const std::string& name) const {
    const auto found = std::ranges::find(m_manifest.files, name, &CheckpointFile::name);
    if (found == m_manifest.files.end())
        damagedCheckpoint(m_folder, "it lists no file " + escaped(name));
    return *found;
}

FileDescriptor Checkpoint::openListed(const CheckpointFile& file) const {
    FileDescriptor opened = openInCheckpoint(m_folder, file.name);
    const std::uint64_t bytes = sizeOfFile(opened.get());
    if (bytes != file.bytes)
        damagedCheckpoint(m_folder, file.name + " has " + std::to_string(bytes) + " bytes, not " +
                                        std::to_string(file.bytes));
    return opened;
}

std::string Checkpoint::text(const std::string& name) const {
    const FileDescriptor file = openListed(listed(name));
    return wholeText(file.get(), m_folder, name, kMaxTextBytes);
}

TensorMap Checkpoint::tensors(const std::string& name, const SafetensorsOptions& options) const {
    const FileDescriptor file = openListed(listed(name));
    return readSafetensors(file.get(), m_folder / name, options);
}

void Checkpoint::records(const std::string& name, std::string_view schema,
                         const std::function<void(RecordReader&)>& read) const {
    const FileDescriptor file = openListed(listed(name));
    RecordReader reader(file.get(), m_folder / name, schema);
    read(reader);
}

Checkpoint openCheckpoint(const std::filesystem::path& folder) {
    const std::int64_t step = stepOfFolderName(folder.filename().string());
    if (step < 0)
        throw Error("'" + escaped(folder.string()) + "' is no checkpoint: its name must be step_N.",
                    Error::Kind::BadInput);
    return Checkpoint::open(folder.parent_path(), step);
}

std::vector<std::int64_t> checkpointSteps(const std::filesystem::path& runFolder) {
    std::vector<std::int64_t> steps;
    std::error_code error;
    for (std::filesystem::directory_iterator it(runFolder, error), end; !error && it != end;
         it.increment(error)) {
        const std::int64_t step = stepOfFolderName(it->path().filename().native());
        if (step >= 0) steps.push_back(step);
    }
    if (error && error != std::errc::no_such_file_or_directory)
        throwFileError("read", runFolder, error.value());
    std::ranges::sort(steps, std::greater<>());
    return steps;
}

CheckpointChoice newestCheckpoint(const std::filesystem::path& runFolder) {
    CheckpointChoice choice;
    for (const std::int64_t step : checkpointSteps(runFolder)) {
        try {
            choice.checkpoint = Checkpoint::open(runFolder, step);
            break;
        } catch (const Error& e) {
            if (e.kind() != Error::Kind::Damaged) throw;
            if (isNewer(runFolder / checkpointFolderName(step))) throw;
            choice.skipped.emplace_back(e.what());
        }
    }
    return choice;
}

std::vector<std::int64_t> pruneCheckpoints(const std::filesystem::path& runFolder, int kept,
                                           const std::function<bool(std::int64_t)>& isProtected,
                                           std::int64_t knownGood) {
    const std::vector<std::int64_t> steps = checkpointSteps(runFolder);
    std::vector<std::int64_t> old;
    for (std::size_t i = static_cast<std::size_t>(std::max(kept, 0)); i < steps.size(); ++i)
        if (!isProtected || !isProtected(steps[i])) old.push_back(steps[i]);
    if (old.empty()) return old;
    const std::int64_t good = knownGood >= 0 ? knownGood : newestGood(runFolder, steps);
    if (good < 0) return {};
    std::erase(old, good);
    for (const std::int64_t step : old) deleteCheckpoint(runFolder, step);
    return old;
}

std::size_t sweepUnfinishedCheckpoints(const std::filesystem::path& runFolder) {
    std::vector<std::filesystem::path> abandoned;
    std::error_code error;
    for (std::filesystem::directory_iterator it(runFolder, error), end; !error && it != end;
         it.increment(error)) {
        const std::filesystem::path& path = it->path();
        if (path.filename().native().starts_with("tmp-") && !it->is_symlink(error) &&
            it->is_directory(error) && isAbandoned(path))
            abandoned.push_back(path);
    }
    std::size_t removed = 0;
    for (const std::filesystem::path& path : abandoned) {
        std::filesystem::remove_all(path, error);
        if (!error) ++removed;
    }
    return removed;
}

}  // namespace orrery
