#include "core/run/timeline_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kTimelineFormat = 1;
constexpr std::size_t kMostIntervals = 8192;
constexpr std::int64_t kMaxTimelineBytes = 8 << 20;

/// The numbers of an interval in the order of "columns".
Json rowOf(const WorkInterval& i) {
    return {nameOf(i.kind), i.thread, i.level,    i.lastLevel, i.beginNs,
            i.endNs,        i.busyNs, i.phase1Ns, i.states,    i.entries};
}

WorkKind kindOf(const std::string& name) {
    for (int k = 0; k < kNumWorkKinds; ++k)
        if (name == nameOf(static_cast<WorkKind>(k))) return static_cast<WorkKind>(k);
    throw Error("unknown kind of work '" + name + "'", Error::Kind::Damaged);
}

WorkInterval intervalOf(const Json& row, int threads) {
    WorkInterval i;
    i.kind = kindOf(row.at(0).get<std::string>());
    i.thread = row.at(1).get<int>();
    i.level = row.at(2).get<int>();
    i.lastLevel = row.at(3).get<int>();
    std::int64_t* const rest[] = {&i.beginNs,  &i.endNs,  &i.busyNs,
                                  &i.phase1Ns, &i.states, &i.entries};
    for (std::size_t k = 0; k < std::size(rest); ++k) {
        *rest[k] = row.at(4 + k).get<std::int64_t>();
        if (*rest[k] < 0) throw Error("a negative number", Error::Kind::Damaged);
    }
    if (i.thread < 0 || i.thread >= threads || i.endNs < i.beginNs || i.level > i.lastLevel)
        throw Error("an interval that cannot be", Error::Kind::Damaged);
    return i;
}

}  // namespace

std::string timelineJson(const WorkTimeline& timeline) {
    const WorkTimeline thin = thinned(timeline, kMostIntervals);
    Json json;
    json["version"] = kTimelineFormat;
    json["threads"] = thin.threads;
    json["untilNs"] = thin.untilNs;
    json["columns"] = {"kind",  "thread", "level",    "lastLevel", "beginNs",
                       "endNs", "busyNs", "phase1Ns", "states",    "entries"};
    Json rows = Json::array();
    for (const WorkInterval& interval : thin.intervals) rows.push_back(rowOf(interval));
    json["intervals"] = std::move(rows);
    return json.dump() + "\n";
}

WorkTimeline timelineFromJson(std::string_view text, const std::string& what) {
    try {
        const Json json = Json::parse(text);
        if (json.at("version").get<int>() != kTimelineFormat)
            throw Error("it is of another version", Error::Kind::Damaged);
        WorkTimeline timeline;
        timeline.threads = json.at("threads").get<int>();
        timeline.untilNs = json.at("untilNs").get<std::int64_t>();
        for (const auto& row : json.at("intervals"))
            timeline.intervals.push_back(intervalOf(row, timeline.threads));
        return timeline;
    } catch (const Json::exception& e) {
        throw Error(what + " is no timeline (" + e.what() + ").", Error::Kind::Damaged);
    } catch (const Error& e) {
        throw Error(what + " is no timeline (" + e.what() + ").", Error::Kind::Damaged);
    }
}

std::shared_ptr<const WorkTimeline> storedTimeline(const Workspace& workspace,
                                                   const std::string& run) {
    const HistoryReader reader = workspace.reader();
    const std::vector<ArtefactRow> rows = reader.artefacts(reader.findRun(run).id);
    const auto row = std::ranges::find(rows, "timeline", &ArtefactRow::kind);
    if (row == rows.end()) return nullptr;
    const std::filesystem::path file = workspace.folder() / row->file;
    return std::make_shared<const WorkTimeline>(
        timelineFromJson(readFile(file, kMaxTimelineBytes), file.string()));
}

}  // namespace orrery
