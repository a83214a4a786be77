#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/verb.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/entity/files/sample_file.h"
#include "core/entity/process/protocol_check.h"
#include "core/files/diagnostic.h"
#include "core/files/world_file.h"
#include "core/run/run_spec.h"

namespace orrery {
namespace {

constexpr std::uint64_t kMaxConfigBytes = 16ULL << 20;

struct ParseOptions {
    std::string kind;
    std::vector<std::string> files;
    bool batch = false;
    bool lenient = false;
    bool json = false;
};

std::optional<Diagnostic> firstError(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == Severity::Error) return diagnostic;
    return std::nullopt;
}

/// A file of tensors; or a checkpoint's folder or manifest, and then all of its files.
/// @throws Error saying what is wrong
void readCheckpointFile(const std::filesystem::path& file) {
    const bool isManifest = file.filename() == "MANIFEST.json";
    std::error_code error;
    if (isManifest || std::filesystem::is_directory(file, error)) {
        std::filesystem::path folder = std::filesystem::absolute(file).lexically_normal();
        if (isManifest || !folder.has_filename()) folder = folder.parent_path();
        openCheckpoint(folder);
        return;
    }
    const FileDescriptor opened = openFile(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!opened) throwFileError("open", file, errno);
    readSafetensors(opened.get(), file);
}

/// As a configuration of the entity stack's original, whatever the file is called.
std::vector<Diagnostic> diagnosticsOfRon(const std::string& file) {
    std::vector<Diagnostic> all =
        readRunSpec(readFile(file, kMaxConfigBytes), file.ends_with(".ron") ? file : file + ".ron")
            .diagnostics;
    for (Diagnostic& diagnostic : all) diagnostic.file = file;
    return all;
}

std::optional<Diagnostic> problemOfProtocol(const std::string& file) {
    const ProtocolProblem problem = checkProtocol(readFile(file, kMaxConfigBytes));
    if (problem.line == 0) return std::nullopt;
    return Diagnostic{.file = file,
                      .line = static_cast<int>(problem.line),
                      .column = 1,
                      .code = "E160",
                      .message = problem.text,
                      .hint = {}};
}

/// All of a file of samples, one after the other. @throws Error saying what is wrong
void readSampleFile(const std::string& file) {
    SampleReader reader(file);
    while (reader.next()) continue;
    if (reader.isCut())
        throw badInput("the file is cut off behind byte " + std::to_string(reader.bytes()) + ": " +
                       std::to_string(reader.samples()) + " whole samples stand before it");
}

/// The first thing wrong with a file; nothing if it is good.
std::optional<Diagnostic> parseFile(const std::string& file, const ParseOptions& options) {
    try {
        if (options.kind == "checkpoint") {
            readCheckpointFile(file);
            return std::nullopt;
        }
        if (options.kind == "samples") {
            readSampleFile(file);
            return std::nullopt;
        }
        if (options.kind == "map")
            return firstError(readWorldFile(file, {.lenient = options.lenient}).diagnostics);
        if (options.kind == "protocol") return problemOfProtocol(file);
        if (options.kind == "ron") return firstError(diagnosticsOfRon(file));
        return firstError(readRunSpec(readFile(file, kMaxConfigBytes), file).diagnostics);
    } catch (const Error& e) {
        return Diagnostic{.file = file, .code = "E100", .message = e.what(), .hint = {}};
    } catch (const std::bad_alloc&) {
        return Diagnostic{.file = file,
                          .code = "E101",
                          .message = "the file needs more memory than there is",
                          .hint = {}};
    }
}

int runParse(const ParseOptions& options, VerbContext& context) {
    auto results = nlohmann::ordered_json::array();
    bool allGood = true;
    for (const std::string& file : options.files) {
        if (context.stop.stop_requested()) return kStopped;
        const auto problem = parseFile(file, options);
        allGood &= !problem;
        if (options.json) {
            nlohmann::ordered_json entry{{"file", file}, {"valid", !problem}};
            if (problem) entry["error"] = nlohmann::ordered_json::parse(diagnosticJson(*problem));
            results.push_back(std::move(entry));
        } else if (problem) {
            context.console.message(diagnosticLine(*problem));
        }
    }
    if (options.json) context.console.json(results);
    return allGood ? 0 : Error("", Error::Kind::BadInput).exitStatus();
}

}  // namespace

void addParseVerb(Verb& program) {
    auto options = std::make_shared<ParseOptions>();
    Verb& verb = program.add(
        {.name = "parse",
         .summary = "Read files and say whether they are well-formed",
         .description = "Prints nothing for a good file and one line FILE:LINE:COLUMN: message on "
                        "the standard error for a bad one; the status is 2 if any is bad.",
         .examples = {{"orrery parse --kind map worlds/*.yaml", "check many world files at once"},
                      {"orrery parse --kind config my_run.json", "check the spec of a run"},
                      {"orrery parse --kind checkpoint runs/r00012/step_4000",
                       "check a checkpoint, or one of its safetensors files"}}},
        [options](VerbContext& context) { return runParse(*options, context); });
    verb.option("--kind", &options->kind,
                "map: world files; config: specs of runs; ron: configurations of enn-trainer; "
                "samples: what was seen and done, as its recorder and ours write it; "
                "protocol: lines that a program answered which serves an environment; "
                "checkpoint: safetensors files, and "
                "folders or manifests of checkpoints with all their files",
                {.isRequired = true,
                 .choices = {"map", "config", "ron", "samples", "protocol", "checkpoint"}});
    verb.option("FILE", &options->files, "Files to read", {.isRequired = true});
    verb.option("--batch", &options->batch, "Many files are expected; they are read one by one");
    verb.option("--lenient", &options->lenient, "Take unknown keys of world files as warnings");
    addJsonOption(verb, options->json);
}

}  // namespace orrery
