#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/selfcheck/selfcheck_empo.h"
#include "app/selfcheck/selfcheck_entity.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"

namespace orrery {
namespace {

constexpr const char* kEmpoOracle = "empo";
constexpr const char* kEntityOracle = "entity";

struct SelfcheckOptions {
    std::string oracle;
    std::vector<std::string> files;
    int threads = 0;
    bool json = false;
};

/// The sums over all files.
struct Score {
    std::int64_t passed = 0, failed = 0;
    bool badInput = false, stopped = false;
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
};

void checkFile(const std::string& name, const SelfcheckOptions& options, int threads,
               VerbContext& context, Score& score) {
    nlohmann::ordered_json entry{{"file", name}};
    auto lines = nlohmann::ordered_json::array();
    const auto report = [&](const std::string& text) {
        if (options.json)
            lines.push_back(text);
        else
            context.console.line(escaped(name, 200) + ": " + text);
    };
    try {
        const OracleResult result = options.oracle == kEntityOracle
                                        ? checkEntityOracle(name, report, context.stop)
                                        : checkEmpoOracle(name, threads, report, context.stop);
        score.passed += result.passed;
        score.failed += result.failed;
        score.stopped |= result.stopped;
        entry["compared"] = result.compared;
        entry["passed"] = result.passed;
        entry["failed"] = result.failed;
        if (!options.json)
            context.console.line(escaped(name, 200) + ": " + std::to_string(result.compared) +
                                 " values compared, " + std::to_string(result.failed) + " failed");
    } catch (const Error& e) {
        const std::string text =
            name + ":" + (std::isdigit(e.what()[0]) != 0 ? "" : " ") + e.what();
        context.console.error(text);
        entry["error"] = e.what();
        score.badInput = true;
        ++score.failed;
    }
    entry["lines"] = std::move(lines);
    score.files.push_back(std::move(entry));
}

int runSelfcheck(const SelfcheckOptions& options, VerbContext& context) {
    if (options.oracle != kEmpoOracle && options.oracle != kEntityOracle)
        throw badInput("There is no oracle called '" + options.oracle +
                       "'; this version has: " + kEmpoOracle + ", " + kEntityOracle);
    const int processors = processorCount();
    const int threads = options.threads > 0 ? options.threads : processors;
    Score score;
    for (const std::string& file : options.files) {
        if (context.stop.stop_requested()) score.stopped = true;
        if (score.stopped) break;
        checkFile(file, options, threads, context, score);
    }
    if (options.json)
        context.console.json({{"passed", score.passed},
                              {"failed", score.failed},
                              {"stopped", score.stopped},
                              {"files", score.files}});
    else
        context.console.line(std::to_string(score.passed) + " passed, " +
                             std::to_string(score.failed) + " failed");
    if (score.stopped) return kStopped;
    if (score.badInput) return 2;
    return score.failed > 0 ? 3 : 0;
}

}  // namespace

void addSelfcheckVerb(Verb& program) {
    auto options = std::make_shared<SelfcheckOptions>();
    Verb& verb = program.add(
        {.name = "selfcheck",
         .summary = "Compare what Orrery computes with stored expected values",
         .description =
             "empo: reads files of the schema empo-oracle/1, builds each world, explores it, "
             "solves "
             "it with every setting in the file and compares all numbers: counts and the hash of "
             "the "
             "state set, sampled transitions, values, policies and checksums. A section that is "
             "missing, empty or unknown counts as failed. entity: runs stored programs over ragged "
             "buffers, plays stored episodes of environments of things, and makes batches of "
             "stored "
             "observations. Prints one line for each value that differs, with both values, and how "
             "many were compared. Ends with status 3 if anything differs and 2 if a file cannot be "
             "read.",
         .examples = {{"orrery selfcheck --oracle empo tests/data/empo/*.json",
                       "check the program against all oracle files of the source tree"},
                      {"orrery selfcheck --oracle entity tests/data/entity/envs.json",
                       "check the environments of things against the original's episodes"}}},
        [options](VerbContext& context) { return runSelfcheck(*options, context); });
    verb.option("--oracle", &options->oracle, "Kind of the files: empo, entity",
                {.isRequired = true});
    verb.option("FILE", &options->files, "Oracle files", {.isRequired = true});
    verb.option("--threads", &options->threads, "Threads; 0 for all processors",
                {.range = NumberRange{0, 1024}});
    addJsonOption(verb, options->json);
}

}  // namespace orrery
