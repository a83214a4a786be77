#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/option_table.h"
#include "core/base/signals.h"

namespace orrery {

/// What a verb may use while it runs.
struct VerbContext {
    Console& console;
    std::stop_token stop;  ///< requested by TERM, INT, HUP and USR1
    const StopSignals& signals;
    bool mayReplace = false;  ///< `--force`
};

/// Refuses to replace what is there, unless --force was given. To be called before the work begins.
/// @throws Error (BadInput) naming the first target that holds something
void requireFree(const std::vector<std::filesystem::path>& targets, bool mayReplace);

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
    std::string summary;           ///< one line without a full stop
    std::string description = {};  ///< further paragraphs, or empty
    struct Example {
        std::string command;
        std::string meaning;
    };
    std::vector<Example> examples;
};

/// A verb of the command line, or the program itself: what `--help`, the man page, the manual and
/// the completions say of it, where its options go and what it does.
struct Verb {
    std::string name;
    std::string summary;
    std::string footer = {};  ///< description and examples, below the options
    VerbRun run = {};         ///< empty if it only groups others
    std::vector<VerbOption> options{helpOption()};
    std::list<Verb> verbs = {};  ///< below it; a list, so that references stay valid
    bool mayReplace = false;     ///< the place of `--force`

    /// Adds an option, a switch or a positional. What `place` points to must outlive the reading.
    void option(std::string names, OptionPlace place, std::string meaning, OptionRules rules = {});

    /// Adds a verb below this one and what it does.
    Verb& add(const VerbText& text, VerbRun doIt);
    /// Adds a verb that only groups others.
    Verb& addGroup(const VerbText& text);
    /// The verb of that name below this one; null if there is none.
    const Verb* find(const std::string& word) const;
};

/// Each adds one verb (with its sub-verbs) and its options.
void addSolveVerb(Verb& program);
void addTrainVerb(Verb& program);
void addResumeVerb(Verb& program);
void addForkVerb(Verb& program);
void addEvalVerb(Verb& program);
void addActVerb(Verb& program);
void addSteerVerb(Verb& program);
void addImportVerb(Verb& program);
void addListVerb(Verb& program);
void addShowVerb(Verb& program);
void addDiffVerb(Verb& program);
void addExportVerb(Verb& program);
void addFigureVerb(Verb& program);
void addReportVerb(Verb& program);
void addRolloutVerb(Verb& program);
void addWorldVerbs(Verb& program);
void addEnvVerbs(Verb& program);
void addGraphVerbs(Verb& program);
void addVerifyVerb(Verb& program);
void addParseVerb(Verb& program);
void addDoctorVerb(Verb& program);
void addSelfcheckVerb(Verb& program);
void addHelpVerb(Verb& program);

/// The text with lines of at most 79 columns; its own line ends stay.
std::string wrapped(const std::string& text);

/// `--force` for each verb of the tree that writes files.
void addForceOptions(Verb& program);

/// The files and folders that the verb's options name for it to write.
std::vector<std::filesystem::path> targetsOf(const Verb& verb);

/// `--json`, the same for every verb.
void addJsonOption(Verb& verb, bool& json, OptionRules rules = {});

}  // namespace orrery
