#include "app/cli.h"

#include <sqlite3.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/gui_options.h"
#include "app/verb.h"
#include "app/verbs_html.h"
#include "core/base/error.h"
#include "core/base/signals.h"
#include "core/base/text.h"
#include "core/run/code_version.h"

namespace orrery {
namespace {

const char* const kRootFooter =
    "Without a verb the window opens, on the world file or at the address if one is named.\n"
    "\n"
    "A world is named by its file or as builtin:NAME (see `orrery world list`). Results are kept "
    "in "
    "a workspace, by default below the XDG data folder; --workspace names another one.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 bad usage or input, 3 a verification differs, 4 diverged, "
    "5 damaged or newer data, 6 a resource is missing, locked or read-only, 130 or 143 stopped. "
    "NO_COLOR switches colours off.";

constexpr std::size_t kWindowOptionWidth = 34;  // as the options of verbs

void declareVerbs(VerbTable& verbs) {
    addSolveVerb(verbs);
    addTrainVerb(verbs);
    addResumeVerb(verbs);
    addForkVerb(verbs);
    addEvalVerb(verbs);
    addSteerVerb(verbs);
    addListVerb(verbs);
    addShowVerb(verbs);
    addDiffVerb(verbs);
    addExportVerb(verbs);
    addImportVerb(verbs);
    addFigureVerb(verbs);
    addReportVerb(verbs);
    addRolloutVerb(verbs);
    addWorldVerbs(verbs);
    addGraphVerbs(verbs);
    addVerifyVerb(verbs);
    addParseVerb(verbs);
    addDoctorVerb(verbs);
    addSelfcheckVerb(verbs);
    addHelpVerb(verbs);
}

/// The program and the libraries that it works with.
std::string versionText() {
    return std::string("orrery ") + codeVersion() + "\nSQLite " + sqlite3_libversion() +
           ", CLI11 " CLI11_VERSION ", JSON for Modern C++ " +
           std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
           std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
           std::to_string(NLOHMANN_JSON_VERSION_PATCH) + "; Qt: `orrery doctor`";
}

void prepareRoot(CLI::App& root) {
    root.name("orrery");
    root.require_subcommand(1);
    std::string window = "Options of the window:\n";
    for (const GuiOption& option : guiOptions()) {
        std::string left = std::string("  --") + option.name;
        if (*option.value != '\0') left += std::string(" ") + option.value;
        left.resize(std::max<std::size_t>(left.size() + 2, kWindowOptionWidth), ' ');
        window += left + option.meaning + "\n";
    }
    root.footer(wrapped(kRootFooter) + "\n\n" + window);
    root.set_version_flag("--version", versionText());
    root.get_formatter()->column_width(34);
    root.get_formatter()->label("SUBCOMMAND", "VERB");
}

std::vector<std::string> verbNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

/// The verb that was read last, however deep.
const CLI::App* deepestVerb(const CLI::App* app) {
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
}

std::string pathOf(const CLI::App* verb) {
    std::string path = verb->get_name();
    for (const CLI::App* up = verb->get_parent(); up != nullptr; up = up->get_parent())
        path.insert(0, up->get_name() + " ");
    return path;
}

/// " Did you mean 'solve'?" or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const auto nearest = closestName(word, known);
    return nearest ? " Did you mean '" + *nearest + "'?" : "";
}

/// One line for a command line that cannot be read.
std::string usageError(const CLI::App& root, const CLI::ParseError& error) {
    const CLI::App* verb = deepestVerb(&root);
    const std::string advice = " See `" + pathOf(verb) + " --help`.";
    const std::vector<std::string> rest = root.remaining(true);
    if (rest.empty()) {
        if (!verbNames(*verb).empty()) return "Name a verb." + advice;
        std::string text = error.what();
        std::ranges::replace(text, '\n', ' ');
        return text + "." + advice;
    }
    const std::string& word = rest.front();
    std::vector<std::string> known;
    if (word.starts_with("-"))
        for (const CLI::Option* option : verb->get_options())
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    else
        known = verbNames(*verb);
    return "'" + word + "' was not expected." + suggestion(word, known) + advice;
}

/// Ends the process where a verb goes on for 8 s after a stop was requested: everything that is
/// saved is whole at any instant, and whoever asked should not have to wait longer.
class StopDeadline {
public:
    StopDeadline(const std::stop_token& stop, const StopSignals& signals)
        : m_thread([stop, &signals](const std::stop_token& ended) {
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              for (int waited = 0; waited < kMaxPauses; waited += stop.stop_requested() ? 1 : 0) {
                  wake.wait_for(lock, ended, kPause, [] { return false; });
                  if (ended.stop_requested()) return;
              }
              std::_Exit(signals.exitStatus());
          }) {}

private:
    static constexpr auto kPause = std::chrono::milliseconds(100);
    static constexpr int kMaxPauses = 80;
    std::jthread m_thread;
};

int runVerb(const VerbRun& verb, Console& console) {
    std::stop_source stop;
    const StopSignals signals(stop);
    const StopDeadline deadline(stop.get_token(), signals);
    VerbContext context{.console = console, .stop = stop.get_token(), .signals = signals};
    int status = 0;
    try {
        status = verb(context);
    } catch (const Error& e) {
        console.error(e.what());
        status = e.exitStatus();
    } catch (const std::bad_alloc&) {
        console.error("Out of memory. Set a smaller --memory or close other programs.");
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
    if (!std::filesystem::is_regular_file(word, error)) return false;
    CLI::App root;
    VerbTable verbs(root);
    declareVerbs(verbs);
    for (const CLI::App* verb : root.get_subcommands({}))
        if (verb->get_name() == word) return false;
    return true;
}

}  // namespace

std::string verbsHtml() {
    CLI::App root;
    VerbTable verbs(root);
    prepareRoot(root);
    declareVerbs(verbs);
    return verbsHtml(root);
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
    CLI::App root("explore and solve multi-agent grid worlds");
    VerbTable verbs(root);
    prepareRoot(root);
    declareVerbs(verbs);
    try {
        root.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        console.line(root.help());
        return finish(console, 0);
    } catch (const CLI::CallForVersion& e) {
        console.line(e.what());
        return finish(console, 0);
    } catch (const CLI::ParseError& e) {
        console.error(usageError(root, e));
        return 2;
    } catch (const Error& e) {
        console.error(e.what());
        return e.exitStatus();
    }
    return finish(console, runVerb(verbs.chosen(), console));
}

}  // namespace orrery
