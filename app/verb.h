#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/console.h"
#include "core/base/signals.h"

namespace orrery {

/// What a verb may use while it runs.
struct VerbContext {
    Console& console;
    std::stop_token stop;  ///< requested by TERM, INT, HUP and USR1
    const StopSignals& signals;
};

/// Returned by a verb that ended early because a stop was requested; the program's status is then
/// that of the signal.
inline constexpr int kStopped = -1;
/// The same where what was done until then is kept.
inline constexpr int kStoppedAndKept = -2;

/// Carries out a verb whose options have been read. @return the exit status, kStopped or
/// kStoppedAndKept
using VerbRun = std::function<int(VerbContext&)>;

/// The words of one verb, for `--help`, `orrery help` and the man page alike.
struct VerbText {
    std::string name;
    std::string summary;      ///< one line without a full stop
    std::string description;  ///< further paragraphs, or empty
    struct Example {
        std::string command;
        std::string meaning;
    };
    std::vector<Example> examples;
};

/// The verbs while the command line is read.
class VerbTable {
public:
    explicit VerbTable(CLI::App& root) : m_root(root) {}

    /// Adds a verb below `parent` (null: below the program) and what it does.
    CLI::App* add(const VerbText& text, VerbRun run, CLI::App* parent = nullptr);
    /// Adds a verb that only groups others.
    CLI::App* addGroup(const VerbText& text);

    CLI::App& root() { return m_root; }
    /// Set by parsing; empty if no verb was named.
    const VerbRun& chosen() const { return m_chosen; }

private:
    CLI::App& m_root;
    VerbRun m_chosen;
};

/// Each adds one verb (with its sub-verbs) and its options.
void addSolveVerb(VerbTable& verbs);
void addTrainVerb(VerbTable& verbs);
void addResumeVerb(VerbTable& verbs);
void addForkVerb(VerbTable& verbs);
void addEvalVerb(VerbTable& verbs);
void addSteerVerb(VerbTable& verbs);
void addImportVerb(VerbTable& verbs);
void addListVerb(VerbTable& verbs);
void addShowVerb(VerbTable& verbs);
void addDiffVerb(VerbTable& verbs);
void addExportVerb(VerbTable& verbs);
void addFigureVerb(VerbTable& verbs);
void addReportVerb(VerbTable& verbs);
void addRolloutVerb(VerbTable& verbs);
void addWorldVerbs(VerbTable& verbs);
void addGraphVerbs(VerbTable& verbs);
void addVerifyVerb(VerbTable& verbs);
void addParseVerb(VerbTable& verbs);
void addDoctorVerb(VerbTable& verbs);
void addSelfcheckVerb(VerbTable& verbs);
void addHelpVerb(VerbTable& verbs);

/// The text with lines of at most 79 columns; its own line ends stay.
std::string wrapped(const std::string& text);

/// `--json`, the same for every verb.
CLI::Option* addJsonOption(CLI::App& verb, bool& json);

}  // namespace orrery
