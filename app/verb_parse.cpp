#include <nlohmann/json.hpp>
#include <optional>

#include "app/verb.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
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

/// The first thing wrong with a file; nothing if it is good.
std::optional<Diagnostic> parseFile(const std::string& file, const ParseOptions& options) {
    try {
        if (options.kind == "map")
            return firstError(readWorldFile(file, {.lenient = options.lenient}).diagnostics);
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

void addParseVerb(VerbTable& verbs) {
    auto options = std::make_shared<ParseOptions>();
    CLI::App* verb = verbs.add(
        {.name = "parse",
         .summary = "Read files and say whether they are well-formed",
         .description = "Prints nothing for a good file and one line FILE:LINE:COLUMN: message on "
                        "the standard error for a bad one; the status is 2 if any is bad.",
         .examples = {{"orrery parse --kind map worlds/*.yaml", "check many world files at once"},
                      {"orrery parse --kind config my_run.json", "check the spec of a run"}}},
        [options](VerbContext& context) { return runParse(*options, context); });
    verb->add_option("--kind", options->kind, "map: world files; config: specs of runs")
        ->required()
        ->check(CLI::IsMember({"map", "config"}));
    verb->add_option("FILE", options->files, "Files to read")->required();
    verb->add_flag("--batch", options->batch, "Many files are expected; they are read one by one");
    verb->add_flag("--lenient", options->lenient, "Take unknown keys of world files as warnings");
    addJsonOption(*verb, options->json);
}

}  // namespace orrery
