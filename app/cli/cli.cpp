#include "app/cli/cli.h"

#include <sqlite3.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/gui_options.h"
#include "app/cli/verb.h"
#include "app/cli/verbs_html.h"
#include "app/cli/world_input.h"
#include "core/base/error.h"
#include "core/base/signals.h"
#include "core/base/stoppable_sleep.h"
#include "core/run/builtin_worlds.h"
#include "core/run/code_version.h"

namespace orrery {
namespace {

const char* const kRootFooter =
    "Without a verb the window opens, on the world file or at the address if one is named.\n"
    "\n"
    "A world is named by its file or as builtin:NAME (see `orrery world list`). Results are kept "
    "in "
    "a workspace, by default below the XDG data folder; --workspace names another one. "
    "Files and folders that are there already are replaced with --force alone.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 bad usage or input, 3 a verification differs, 4 diverged, "
    "5 damaged or newer data, 6 a resource is missing, locked or read-only, 130 or 143 stopped. "
    "NO_COLOR switches colours off.";

constexpr std::size_t kWindowOptionWidth = 34;  // as the options of verbs

void declareVerbs(Verb& program) {
    addSolveVerb(program);
    addTrainVerb(program);
    addResumeVerb(program);
    addForkVerb(program);
    addEvalVerb(program);
    addActVerb(program);
    addSteerVerb(program);
    addListVerb(program);
    addShowVerb(program);
    addDiffVerb(program);
    addExportVerb(program);
    addImportVerb(program);
    addFigureVerb(program);
    addReportVerb(program);
    addRolloutVerb(program);
    addWorldVerbs(program);
    addEnvVerbs(program);
    addGraphVerbs(program);
    addVerifyVerb(program);
    addParseVerb(program);
    addDoctorVerb(program);
    addSelfcheckVerb(program);
    addHelpVerb(program);
    addForceOptions(program);
}

/// The program and the libraries that it works with.
std::string versionText() {
    return std::string("orrery ") + codeVersion() + "\nSQLite " + sqlite3_libversion() + ", " +
           commandLineLibrary() + ", JSON for Modern C++ " +
           std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
           std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
           std::to_string(NLOHMANN_JSON_VERSION_PATCH) + "; Qt: `orrery doctor`";
}

/// The program with its own options, without verbs.
Verb bareProgram() {
    std::string window = "Options of the window:\n";
    for (const GuiOption& option : guiOptions()) {
        std::string left = std::string("  --") + option.name;
        if (*option.value != '\0') left += std::string(" ") + option.value;
        left.resize(std::max<std::size_t>(left.size() + 2, kWindowOptionWidth), ' ');
        window += left + option.meaning + "\n";
    }
    Verb program{.name = "orrery",
                 .summary = "explore and solve multi-agent grid worlds",
                 .footer = wrapped(kRootFooter) + "\n\n" + window};
    program.option("--version", std::monostate(), "Display program version information and exit");
    return program;
}

/// Ends the process where a verb goes on for 8 s after a stop was requested: everything that is
/// saved is whole at any instant, and whoever asked should not have to wait longer.
class StopDeadline {
public:
    StopDeadline(const std::stop_token& stop, const StopSignals& signals)
        : m_thread([stop, &signals](const std::stop_token& ended) {
              for (int waited = 0; waited < kMaxPauses; waited += stop.stop_requested() ? 1 : 0) {
                  sleepUnlessStopped(kPause, ended);
                  if (ended.stop_requested()) return;
              }
              std::_Exit(signals.exitStatus());
          }) {}

private:
    static constexpr auto kPause = std::chrono::milliseconds(100);
    static constexpr int kMaxPauses = 80;
    std::jthread m_thread;
};

int runVerb(const Verb& verb, Console& console) {
    std::stop_source stop;
    const StopSignals signals(stop);
    const StopDeadline deadline(stop.get_token(), signals);
    VerbContext context{.console = console,
                        .stop = stop.get_token(),
                        .signals = signals,
                        .mayReplace = verb.mayReplace};
    int status = 0;
    try {
        requireFree(targetsOf(verb), verb.mayReplace);
        status = verb.run(context);
    } catch (const Error& e) {
        console.error(e.what());
        status = e.exitStatus();
    } catch (const std::bad_alloc&) {
        console.error("Out of memory. Set a smaller --memory or close other programs.");
        status = Error("", Error::Kind::Resource).exitStatus();
    } catch (const std::filesystem::filesystem_error& e) {
        console.error("'" + e.path1().string() + "' cannot be used: " + e.code().message() +
                      ". Check the path and who may use it.");
        status = Error("", Error::Kind::Resource).exitStatus();
    } catch (const std::system_error& e) {
        console.error(std::string("The system refused a thread or a lock: ") + e.what() +
                      ". Close other programs, or raise the limits that `ulimit -a` shows.");
        status = Error("", Error::Kind::Resource).exitStatus();
    } catch (const std::exception& e) {
        console.error(std::string("Internal error: ") + e.what());
        status = 1;
    }
    if (status != kStopped && status != kStoppedAndKept) return status;
    console.error(status == kStopped ? "Stopped. Nothing was written."
                                     : "Stopped. What was done so far is kept.");
    return signals.first() == 0 ? 1 : signals.exitStatus();
}

int finish(Console& console, int status) {
    errno = 0;
    if (console.flush()) return status;
    if (errno != EPIPE)  // whoever closed the pipe has read enough
        console.error("The output could not be written. Is the disk full?");
    return status == 0 ? Error("", Error::Kind::Resource).exitStatus() : status;
}

bool looksLikeWorld(const std::string& word) {
    if (word.starts_with("builtin:") || word.starts_with("orrery:")) return true;
    const std::string extension = std::filesystem::path(word).extension().string();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json") return true;
    std::error_code error;
    if (!isBuiltinWorld(worldNamed(word)) && !std::filesystem::is_regular_file(word, error))
        return false;
    Verb program = bareProgram();
    declareVerbs(program);
    return program.find(word) == nullptr;
}

}  // namespace

std::string verbsHtml() {
    Verb program = bareProgram();
    declareVerbs(program);
    return verbsHtml(program);
}

bool wantsCommandLine(int argc, const char* const* argv) {
    if (argc < 2) return false;
    const std::string first = argv[1];
    if (first == "-h" || first == "--help" || first == "--version") return true;
    return !first.starts_with("-") && !looksLikeWorld(first);
}

int runCli(int argc, const char* const* argv) {
    blockStopSignals();
    Console console;
    Verb program = bareProgram();
    declareVerbs(program);
    const CommandLine line = readCommandLine(program, argc, argv);
    if (!line.problem.empty()) {
        console.error(line.problem);
        return 2;
    }
    if (line.verb != nullptr) return finish(console, runVerb(*line.verb, console));
    console.line(line.wantsVersion ? versionText() : line.help);
    return finish(console, 0);
}

}  // namespace orrery
