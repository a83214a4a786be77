#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_event.h"
#include "core/base/run_state.h"

namespace orrery {

/// What a run is born with.
struct NewRun {
    std::string name{};         ///< for people; need not be unique
    std::string parent{};       ///< id of the run it was forked or resumed from; empty: none
    std::string kind{};         ///< what it does: the section of its spec, "solve"
    std::string configJson{};   ///< the whole effective spec
    std::string worldHash{};    ///< hash of the world's content; empty: no world
    std::string codeVersion{};  ///< of the program
    std::uint64_t seed = 0;
    std::string note{};
    std::vector<std::string> tags{};
};

/// One line of the table `run`.
struct RunRecord {
    std::string id{};          ///< "r00012": sorts in the order of creation, never used twice
    std::int64_t ordinal = 0;  ///< 12
    std::string name{};
    std::string parent{};           ///< empty: none
    std::optional<RunState> state;  ///< none: a word of a newer version
    std::string kind{};             ///< as NewRun::kind; empty: its spec could not be read
    std::string configJson{};
    std::string worldHash{};
    std::string codeVersion{};
    std::uint64_t seed = 0;
    std::string createdUtc{};
    std::string endedUtc{};         ///< empty: not ended
    std::int64_t heartbeatSeq = 0;  ///< grows with every batch written for the run
    std::string heartbeatUtc{};     ///< of the last one; empty: none yet
    std::string note{};
    std::vector<std::string> tags{};  ///< in alphabetical order
    std::string trashedUtc{};         ///< when it was put into the trash; empty: it is not there
};

struct MetricRow {
    std::int64_t seq = 0;  ///< order within the run, events included
    std::int64_t step = 0;
    double value = 0;  ///< NaN and infinities as they were recorded
};

struct EventRow {
    std::int64_t seq = 0;
    std::string utc{};
    MessageLevel level = MessageLevel::Info;
    std::string code{};
    std::string text{};
    std::optional<std::int64_t> step{};  ///< of the run, where it belongs to one
    std::string data{};                  ///< JSON; empty: what happened stands in the text alone
};

/// A file of a run that is complete on disk.
struct ArtefactRow {
    std::string kind{};
    std::string file{};  ///< relative to the workspace folder
    std::string sha256{};
    std::uint64_t bytes = 0;
};

/// One generation of a run's checkpoint, "ready" or "best" (ready too); the newest is the latest.
struct CheckpointRow {
    std::int64_t generation = 0;
    std::int64_t step = 0;
    std::string file{};  ///< its MANIFEST.json, relative to the workspace folder
    std::string sha256{};
    std::uint64_t bytes = 0;  ///< of that file
    std::string state = "ready";
};

/// Which runs HistoryReader::listRuns gives. Empty fields do not restrict.
struct RunFilter {
    std::vector<RunState> states{};
    std::string text{};  ///< part of id, name or note; ASCII case ignored
    std::string worldHash{};
    std::string parent{};
    bool withTrash = false;  ///< runs in the trash too
    bool newestFirst = true;
    std::int64_t limit = -1;  ///< -1: all
    std::int64_t offset = 0;
};

}  // namespace orrery
