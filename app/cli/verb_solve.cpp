#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/solve_input.h"
#include "app/cli/spec_options.h"
#include "app/cli/state_text.h"
#include "app/cli/sweep.h"
#include "app/cli/train_report.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/cli/world_input.h"
#include "app/pictures/picture.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/files/diagnostic.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/solve_kind.h"
#include "core/run/jobs/solve_result.h"
#include "core/run/run.h"
#include "core/spec/field_effect.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct SolveOptions {
    SolveInput input;
    std::string workspace;
    std::string plot, csv;
    SweepInput sweep;
    bool noHistory = false;
    bool noPlot = false;
    bool printCommits = false;
    bool json = false;
    bool listsFields = false;
};

/// One line when the run begins to wait for the disk, and one when it goes on.
void tellDisk(const RunSnapshot& snapshot, bool& isBlocked, Console& console) {
    if ((snapshot.state == RunState::Blocked) == isBlocked) return;
    isBlocked = !isBlocked;
    if (isBlocked)
        console.message("blocked: " + escaped(snapshot.trouble, 2000) +
                        " The run waits and goes on by itself; TERM and INT stop it.");
    else if (isLive(snapshot.state) || snapshot.state == RunState::Finished)
        console.message("note: the disk has space again, the run went on");
}

/// Waits for the run, passes a stop request on to it and tells what holds it up.
RunOutcome follow(Run& run, VerbContext& context) {
    bool isCancelled = false, isBlocked = false;
    while (!run.waitFor(std::chrono::milliseconds(50))) {
        if (context.stop.stop_requested() && !isCancelled) {
            run.cancel("signal " + std::to_string(context.signals.first()));
            isCancelled = true;
        }
        const auto snapshot = run.snapshot();
        if (!snapshot) continue;
        context.console.progress(snapshot->progress);
        tellDisk(*snapshot, isBlocked, context.console);
    }
    context.console.endProgress();
    return run.wait();
}

/// Everything that the verb tells about the run.
struct Report {
    std::string id;
    RunOutcome outcome;
    double seconds = 0;
    SolveSnapshot solve;
    std::optional<StateValues> root;
    std::vector<std::string> files;
};

Report reportOf(Run& run, RunOutcome outcome) {
    Report report{
        .id = run.id(), .outcome = std::move(outcome), .solve = {}, .root = {}, .files = {}};
    if (const auto snapshot = run.snapshot()) {
        report.seconds = snapshot->seconds;
        if (const auto* solve = std::get_if<SolveSnapshot>(&snapshot->job)) report.solve = *solve;
    }
    if (report.solve.solution) report.root = report.solve.solution->values(State{});
    return report;
}

/// Beside the runs: a run's own folder holds what the run wrote and its manifest lists.
std::filesystem::path plotFile(const Workspace& workspace, const std::string& run) {
    return workspace.folder() / "plots" / (run + "_levels.png");
}

void writePictures(const SolveOptions& options, const Workspace* workspace, Report& report) {
    if (workspace != nullptr && !report.id.empty())
        for (const ArtefactRow& file : workspace->reader().artefacts(report.id))
            report.files.push_back((workspace->folder() / file.file).string());
    if (report.solve.levels.empty()) return;
    if (!options.csv.empty()) {
        writeOutput(options.csv, levelsCsv(report.solve.levels));
        report.files.push_back(options.csv);
    }
    std::filesystem::path plot = options.plot;
    const bool isPlottable = report.outcome.state != RunState::Failed;
    if (plot.empty() && workspace != nullptr && !report.id.empty() && !options.noPlot &&
        isPlottable) {
        plot = plotFile(*workspace, report.id);
        std::filesystem::create_directories(plot.parent_path());
    }
    if (plot.empty()) return;
    saveLevelPlot(*report.solve.world, report.solve.levels, plot);
    report.files.push_back(plot.string());
}

Json reportJson(const Report& report) {
    Json json{{"run", report.id.empty() ? Json() : Json(report.id)},
              {"state", std::string(nameOf(report.outcome.state))},
              {"seconds", report.seconds},
              {"text", report.outcome.text}};
    if (report.solve.world) {
        json["world"] = report.solve.world->name();
        json["world_hash"] = report.solve.world->contentHash();
    }
    if (report.solve.graph) {
        json["states"] = report.solve.counts.states;
        json["configurations"] = report.solve.graph->numConfigs();
        json["entries"] = report.solve.graph->numEntries();
        json["transition_entries"] = report.solve.counts.transitionEntries;
        json["levels_solved"] = report.solve.levels.size();
    }
    if (report.root) json["root"] = valuesJson(*report.solve.solution, *report.root);
    json["warnings"] = report.solve.warnings;
    json["files"] = report.files;
    return json;
}

void printRoot(const Report& report, Console& console) {
    const Solution& solution = *report.solve.solution;
    const World& world = solution.world();
    const StateValues& root = *report.root;
    if (!solution.spec().phase1Only)
        console.line("V_r of the initial state  " +
                     console.inked(Ink::Bold, formatDouble(root.v_r)));
    for (std::size_t h = 0; h < root.x_h.size(); ++h)
        console.line("X_h of " + world.agents()[world.goals()[h].agent].name + "  " +
                     formatDouble(root.x_h[h]));
    if (root.pi_r.empty() || solution.spec().phase1Only) return;
    const RobotProfiles profiles = robotProfiles(world);
    TextTable table({{"robot"}, {"pi_r", true}, {"Q_r", true}});
    for (std::size_t a = 0; a < root.pi_r.size(); ++a)
        table.add({profiles.names[a], shortNumber(root.pi_r[a]), shortNumber(root.q_r[a])});
    table.print(console);
}

void printReport(const Report& report, Console& console) {
    if (report.solve.graph)
        console.line(
            escaped(report.solve.world->name()) + ": " + grouped(report.solve.counts.states) +
            " states, " + grouped(report.solve.graph->numConfigs()) + " configurations, " +
            grouped(report.solve.graph->numEntries()) + " entries, " + secondsText(report.seconds));
    if (report.root) printRoot(report, console);
    if (!report.id.empty())
        console.line("run " + report.id + ": " + std::string(nameOf(report.outcome.state)));
    for (const std::string& file : report.files) console.wrote(file);
}

int statusOf(const RunOutcome& outcome, const VerbContext& context) {
    if (outcome.state == RunState::Finished) return 0;
    if (outcome.state == RunState::Stopped && outcome.lost.empty()) return kStopped;
    if (outcome.state == RunState::Stopped) {
        context.console.error("Stopped before all was stored: " + outcome.lost +
                              " Then repeat the run.");
        return context.signals.exitStatus() == 0 ? 1 : context.signals.exitStatus();
    }
    context.console.error(outcome.text);
    return outcome.exitStatus;
}

int runSolve(const SolveOptions& options, VerbContext& context) {
    Console& console = context.console;
    if (options.listsFields) {
        printFields(solveKind(), console);
        return 0;
    }
    const auto spec = readSolveInput(options.input, console);
    if (!spec) return Error("", Error::Kind::BadInput).exitStatus();
    for (const SpecProblem& note : inertFields(solveFields(), *spec, RunSpec{.job = SolveJob{}}))
        console.message("warning: " + note.field + ' ' + note.text);
    const std::vector<SweepAxis> axes = requireSweep(options.sweep, *spec);
    std::unique_ptr<Workspace> workspace;
    if (!options.noHistory) {
        workspace = openForWriting(options.workspace, console,
                                   commitPrinting(options.printCommits, console));
    }
    if (!axes.empty())
        return carryOutSweep(*spec, axes, workspace.get(),
                             {.csv = options.csv, .json = options.json}, context);
    RunOptions runOptions;
    runOptions.workspace = workspace.get();
    const auto run = Run::start(*spec, runOptions);
    Report report = reportOf(*run, follow(*run, context));
    std::optional<Error> failure;  // of the pictures; the run's results come first
    try {
        if (report.outcome.lost.empty()) writePictures(options, workspace.get(), report);
    } catch (const Error& e) {
        failure = e;
    }
    if (options.json)
        console.json(reportJson(report));
    else
        printReport(report, console);
    if (failure) throw Error(*failure);
    const int status = statusOf(report.outcome, context);
    return status == kStopped && workspace ? kStoppedAndKept : status;
}

}  // namespace

void addSolveVerb(Verb& program) {
    auto options = std::make_shared<SolveOptions>();
    Verb& verb = program.add(
        {.name = "solve",
         .summary = "Explore a world and solve both phases exactly",
         .description =
             "Stores the run in the workspace with its spec, timings, metrics by level and values, "
             "and prints size, time, V_r, X_h and the robot's policy in the initial state, the "
             "run's id and the files written. Options override the fields of a --spec file. TERM "
             "and INT stop it cleanly: what was done is kept, and the status is 143 or 130. A full "
             "disk "
             "halts it until there is space again.",
         .examples = {{"orrery solve first_steps", "solve an example world"},
                      {"orrery solve my.yaml --beta-h inf --gamma-r 0.9 --threads 4",
                       "other parameters, four threads"},
                      {"orrery solve my.yaml --no-history --csv levels.csv --json",
                       "store nothing, print JSON, write a table of the levels"},
                      {"orrery solve my.yaml --sweep beta_r=1,2,5,10 --sweep zeta=1:3:0.5",
                       "twenty runs, one for every combination"},
                      {"orrery solve --spec run.json", "everything from a file"}}},
        [options](VerbContext& context) { return runSolve(*options, context); });
    verb.option("WORLD", &options->input.words,
                "World file (YAML or JSON), the name of an example world, or - for the "
                "standard input; and fields as FIELD=VALUE");
    verb.option("--spec", &options->input.specFile, "Read the fields of the run from this file");
    addFieldsOption(verb, options->listsFields);
    verb.option("--rules", &options->input.rulesFile,
                "Read believed_others and habits from this file");
    addPresetOption(verb, solveKind(), options->input.preset);
    options->input.runFields.declare(verb, runFields());
    std::vector<std::string_view> fields;
    for (const RunField& field : solveFields())
        if (field.name != "world" && field.name != "world_text") fields.push_back(field.name);
    options->input.jobFields.declare(verb, solveFields(), fields);
    addWorkspaceOption(verb, options->workspace);
    verb.option("--no-history", &options->noHistory, "Store nothing in a workspace");
    verb.option("--plot", &options->plot,
                "Write a PNG of level sizes and values here; without it, to plots/ in the "
                "workspace",
                {.writes = Writes::Target});
    verb.option("--no-plot", &options->noPlot, "Write no plot to the workspace");
    verb.option("--csv", &options->csv,
                "Write a table of the levels, or of the runs of a sweep, here too",
                {.writes = Writes::Target});
    addSweepOptions(verb, options->sweep, "--plot");
    verb.option("--print-commits", &options->printCommits,
                "Print a line COMMIT ROWS after each transaction that is safe on disk");
    addJsonOption(verb, options->json, {.excludes = "--print-commits"});
}

}  // namespace orrery
