#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/run_state.h"

namespace orrery {

enum class MessageLevel { Debug, Info, Warning, Error };

/// The word that the database uses: "debug" to "error".
std::string_view nameOf(MessageLevel level);

/// What an event can be.
namespace event {

/// One point of a curve. NaN and infinities are allowed and are kept as such.
struct Metric {
    std::int64_t step = 0;
    std::string key{};  ///< for example "phase1.level_seconds"
    double value = 0;
};

/// A sentence for the log.
struct Message {
    MessageLevel level = MessageLevel::Info;
    std::string code{};  ///< short and stable, for filters: "graph.estimate"
    std::string text{};
    std::optional<std::int64_t> step{};  ///< of the run, where it belongs to one
    std::string data{};                  ///< JSON, where programs have to know what happened
};

struct State {
    RunState newState = RunState::Running;
};

/// A file that the run made and that is complete on disk.
struct Artefact {
    std::string kind{};  ///< "values", "plot", ...
    std::string file{};  ///< relative to the workspace folder
    std::string sha256{};
    std::uint64_t bytes = 0;
};

/// The last event of a run that broke off.
struct Failed {
    std::string text{};  ///< what, where, and what to do
    int exitStatus = 1;  ///< see Error::exitStatus
};

/// The last event of a run that ended by itself, on request (Stopped), or diverged.
struct Finished {
    RunState endState = RunState::Finished;
    std::string summary{};  ///< one line
};

}  // namespace event

/// One thing that happened in a run. Views show events and history stores them; none may be lost.
struct RunEvent {
    using Metric = event::Metric;
    using Message = event::Message;
    using State = event::State;
    using Artefact = event::Artefact;
    using Failed = event::Failed;
    using Finished = event::Finished;
    using Body = std::variant<Metric, Message, State, Artefact, Failed, Finished>;

    std::uint64_t seq = 0;  ///< 1, 2, ... in the order of emission within one Feed
    Body body;
};

/// Bytes that decodeEvent reads back; the format is private to one run of the program.
std::string encodeEvent(const RunEvent& event);

/// @return nothing if the bytes are not a whole event
std::optional<RunEvent> decodeEvent(std::string_view bytes);

}  // namespace orrery
