#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/workspace_lock.h"
#include "core/run/command_file.h"
#include "core/run/steering.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kPause{50};

struct SteerOptions {
    std::string run, workspace;
    std::vector<std::string> changes;  // KEY=VALUE
    bool undo = false, pause = false, goOn = false, stop = false, checkpoint = false;
    bool json = false;
};

/// What the run answered to one command.
struct Answer {
    bool isRefused = false;
    std::string text;
};

RunCommand commandOf(const std::string& text, const std::string& source, const RunKind* kind) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("A change is written KEY=VALUE, got '" + escaped(text, 80) + "'.",
                    Error::Kind::BadInput);
    const std::string key = text.substr(0, equals);
    return {RunCommand::Kind::Set, source, kind == nullptr ? key : steeredName(*kind, key),
            text.substr(equals + 1)};
}

std::vector<RunCommand> commandsOf(const SteerOptions& options, const HistoryReader& reader,
                                   const RunRecord& run) {
    const std::string source = "orrery steer, process " + std::to_string(::getpid());
    std::vector<RunCommand> commands;
    if (options.pause) commands.push_back({RunCommand::Kind::Pause, source});
    if (options.undo) {
        const auto last = lastUndoable(reader.events(run.id));
        if (!last)
            throw Error("Run " + run.id + " has no change that could be taken back.",
                        Error::Kind::BadInput);
        commands.push_back(
            {RunCommand::Kind::Set, source + ", undo", last->change.key, last->oldValue, true});
    }
    std::vector<RunCommand> changes;
    for (const std::string& text : options.changes)
        changes.push_back(commandOf(text, source, kindOf(run)));
    std::ranges::stable_sort(changes, {}, [](const RunCommand& change) {
        return orderOfChange(change.key, change.value);
    });
    commands.insert(commands.end(), changes.begin(), changes.end());
    if (options.checkpoint) commands.push_back({RunCommand::Kind::Checkpoint, source});
    if (options.goOn) commands.push_back({RunCommand::Kind::Resume, source});
    if (options.stop) commands.push_back({RunCommand::Kind::Cancel, source});
    if (commands.empty())
        throw Error(
            "Say what to change: KEY=VALUE, --undo, --pause, --resume, --checkpoint or "
            "--stop.",
            Error::Kind::BadInput);
    return commands;
}

/// @throws Error if nobody works on the run
void requireLive(const Workspace& workspace, const RunRecord& record) {
    if (!record.state || !isLive(*record.state))
        throw Error("Run " + record.id + " is " +
                        std::string(record.state ? nameOf(*record.state) : "of a newer version") +
                        "; only a live run can be steered. `orrery fork " + record.id +
                        " KEY=VALUE` begins a new one with its checkpoint.",
                    Error::Kind::BadInput);
    const auto holder = WorkspaceLock::readHolder(workspace.folder());
    if (holder && !holder->isAlive())
        throw Error("Run " + record.id + " is not worked on: " + holder->text() +
                        " has died. `orrery resume " + record.id + "` resumes it.",
                    Error::Kind::Failed);
}

/// What an event says of a command; nothing if it is about something else.
std::optional<Answer> answerIn(const EventRow& event, const RunCommand& command) {
    if (command.kind != RunCommand::Kind::Set) {
        if (isAbout(event, command))
            return Answer{.isRefused = event.level >= MessageLevel::Warning, .text = event.text};
        return std::nullopt;
    }
    const auto change = steeringOf(event);
    if (change && change->change.source == command.source && change->change.key == command.key)
        return Answer{.isRefused = !change->problem.empty(), .text = event.text};
    return isAbout(event, command) ? std::optional(Answer{.isRefused = true, .text = event.text})
                                   : std::nullopt;
}

/// Leaves the command and waits for the run's answer, or for `stop`.
std::optional<Answer> ask(const Workspace& workspace, const HistoryReader& reader,
                          const std::string& id, const RunCommand& command,
                          const std::stop_token& stop) {
    const std::vector<EventRow> before = reader.events(id);
    const std::int64_t seen = before.empty() ? 0 : before.back().seq;
    leaveCommand(workspace.runFolder(id), command);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline && !stop.stop_requested()) {
        std::this_thread::sleep_for(kPause);
        for (const EventRow& event : reader.events(id, seen))
            if (auto answer = answerIn(event, command)) return answer;
    }
    const auto record = reader.run(id);
    if (command.kind == RunCommand::Kind::Set && record && record->state == RunState::Paused)
        return Answer{.text = "run " + id + " is paused and changes " + command.key +
                              " when it goes on"};
    return std::nullopt;
}

int runSteer(const SteerOptions& options, VerbContext& context) {
    const auto workspace = openForReading(options.workspace, context.console);
    const HistoryReader reader = workspace->reader();
    const RunRecord record = reader.findRun(options.run);
    requireLive(*workspace, record);
    auto list = Json::array();
    bool isRefused = false;
    for (const RunCommand& command : commandsOf(options, reader, record)) {
        const auto answer = ask(*workspace, reader, record.id, command, context.stop);
        if (context.stop.stop_requested()) return kStopped;
        if (!answer)
            throw Error("Run " + record.id +
                            " did not answer within 5 s. It obeys as soon as its "
                            "step is done; `orrery show " +
                            record.id + " --events` tells.",
                        Error::Kind::Failed);
        isRefused |= answer->isRefused;
        list.push_back({{"command", nameOf(command.kind)},
                        {"key", command.key},
                        {"value", command.value},
                        {"refused", answer->isRefused},
                        {"text", answer->text}});
        if (options.json) continue;
        if (answer->isRefused)
            context.console.error(answer->text);
        else
            context.console.line(escaped(answer->text));
    }
    if (options.json) context.console.json(list);
    return isRefused ? Error("", Error::Kind::BadInput).exitStatus() : 0;
}

/// "lr_*, beta_r, batch_size": the fields of trainings that are live, the learning rates as one.
std::string liveFields() {
    std::vector<std::string> names;
    for (const RunKind* kind : trainingKinds())
        for (const RunField& field : kind->fields) {
            const std::string name = field.name.starts_with("lr_") ? "lr_*" : field.name;
            if (field.isLive && std::ranges::find(names, name) == names.end())
                names.push_back(name);
        }
    return commaList(names);
}

}  // namespace

void addSteerVerb(Verb& program) {
    auto options = std::make_shared<SteerOptions>();
    Verb& verb = program.add(
        {.name = "steer",
         .summary = "Change a parameter of a live training, pause or stop it",
         .description =
             "Works on a run of any process on this machine, the window's too, and waits until it "
             "has been obeyed at a step boundary. Safe parameters: " +
             liveFields() +
             " (lr_*: the learning rates), actor.N=paused or running for one "
             "actor, and what ends the run: stop_step, stop_after (seconds), stop_metric with "
             "stop_at_most, stop_at_least or stop_plateau (steps); none clears one. Each change is "
             "stored with its step, so that `orrery fork RUN --repeat` can repeat a steered run; "
             "other fields are changed by a fork too. The status is 2 if a change is refused.",
         .examples = {{"orrery steer 12 lr_q_r=0.0005 beta_r=8", "two changes"},
                      {"orrery steer 12 --undo", "take the last one back"},
                      {"orrery steer 12 actor.1=paused", "let one actor rest"},
                      {"orrery steer 12 --checkpoint --stop", "save and stop"}}},
        [options](VerbContext& context) { return runSteer(*options, context); });
    verb.option("RUN", &options->run, "Id, number or name of a live run", {.isRequired = true});
    verb.option("CHANGE", &options->changes, "What changes: KEY=VALUE");
    verb.option("--undo", &options->undo, "Take the last change back");
    verb.option("--pause", &options->pause, "Halt the run");
    verb.option("--resume", &options->goOn, "Let a halted run go on");
    verb.option("--checkpoint", &options->checkpoint, "Make a checkpoint now");
    verb.option("--stop", &options->stop, "Make a checkpoint and end the run");
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
