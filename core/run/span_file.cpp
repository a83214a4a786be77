#include "core/run/span_file.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/run/run_kind.h"
#include "core/trace/work_trace.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSpanFormat = 1;
constexpr std::int64_t kMaxSpanBytes = 128 << 20, kMaxTimelineBytes = 8 << 20;
constexpr int kMostThreads = 1 << 16;

[[noreturn]] void refuse(const char* why) {
    throw Error(why, Error::Kind::Damaged);
}

/// Numbers that the file has for kinds of spans: places in its list of names.
class KindNumbers {
public:
    explicit KindNumbers(const std::vector<SpanWords>& words) {
        for (const SpanWords& each : words) m_kinds.push_back(each.kind);
    }
    /// Of a file: kinds by their names.
    KindNumbers(const Json& names, const std::vector<SpanWords>& words) {
        for (const Json& name : names) {
            const auto known = std::ranges::find(words, name.get<std::string>(), &SpanWords::name);
            if (known == words.end()) refuse("a kind of span that is not known");
            m_kinds.push_back(known->kind);
        }
    }

    std::ptrdiff_t numberOf(SpanKind kind) const {
        return std::ranges::find(m_kinds, kind) - m_kinds.begin();
    }
    SpanKind kindOf(std::int64_t number) const {
        if (number < 0 || number >= std::ssize(m_kinds)) refuse("a span that cannot be");
        return m_kinds[static_cast<std::size_t>(number)];
    }

private:
    std::vector<SpanKind> m_kinds;
};

Json burstJson(const SpanBurst& burst, const KindNumbers& numbers) {
    Json spans = Json::array();
    for (const StageSpan& span : burst.spans) {
        spans.push_back(numbers.numberOf(span.kind()));
        spans.push_back(span.lengthNs());
    }
    return {{"begin", burst.beginNs()},
            {"ends", burst.stepEnds},
            {"partial", burst.isFirstPartial},
            {"spans", std::move(spans)},
            {"step", burst.firstStep}};
}

SpanBurst burstOf(const Json& json, const KindNumbers& numbers) {
    SpanBurst burst{.firstStep = json.at("step").get<std::int64_t>(),
                    .isFirstPartial = json.at("partial").get<bool>(),
                    .stepEnds = json.at("ends").get<std::vector<std::uint32_t>>()};
    auto begin = json.at("begin").get<std::int64_t>();
    const Json& spans = json.at("spans");
    if (spans.empty() || spans.size() % 2 != 0) refuse("a sample without spans");
    for (std::size_t i = 0; i < spans.size(); i += 2) {
        const auto length = spans[i + 1].get<std::int64_t>();
        if (length < 0) refuse("a span that cannot be");
        burst.spans.emplace_back(numbers.kindOf(spans[i].get<std::int64_t>()), begin, length);
        begin += length;
    }
    std::uint32_t last = 0;
    for (const std::uint32_t end : burst.stepEnds)
        if (std::exchange(last, end) > end || end > burst.spans.size()) refuse("a step's end");
    return burst;
}

/// [begin, end, first step, steps, kind, ns, kind, ns, ...]
Json binJson(const SpanBin& bin, const KindNumbers& numbers) {
    Json row = {bin.beginNs, bin.endNs, bin.firstStep, bin.steps};
    for (std::size_t kind = 0; kind < bin.ns.size(); ++kind)
        if (bin.ns[kind] != 0) {
            row.push_back(numbers.numberOf(static_cast<SpanKind>(kind)));
            row.push_back(bin.ns[kind]);
        }
    return row;
}

SpanBin binOf(const Json& row, const KindNumbers& numbers) {
    SpanBin bin{.beginNs = row.at(0).get<std::int64_t>(),
                .endNs = row.at(1).get<std::int64_t>(),
                .firstStep = row.at(2).get<std::int64_t>(),
                .steps = row.at(3).get<std::int64_t>()};
    if (bin.endNs < bin.beginNs || bin.steps < 0) refuse("a bin that cannot be");
    for (std::size_t i = 4; i + 1 < row.size(); i += 2)
        bin.ns[static_cast<std::size_t>(numbers.kindOf(row[i].get<std::int64_t>()))] =
            row[i + 1].get<std::int64_t>();
    return bin;
}

/// The numbers of a solve's span in the order of "columns".
Json rowOf(const SpanTimeline& timeline, const SpanPlace& place) {
    const StageSpan& span = timeline.spanAt(place);
    const SpanWork& work = timeline.workAt(place);
    return {wordsOf(timeline.words, span.kind()).name,
            place.lane,
            work.level,
            work.lastLevel,
            span.beginNs(),
            span.endNs(),
            work.busyNs,
            work.phase1Ns,
            work.states,
            work.entries};
}

WorkInterval intervalOf(const Json& row, int threads) {
    WorkInterval i;
    const auto name = row.at(0).get<std::string>();
    const auto words = std::ranges::find(workSpans(), name, &SpanWords::name);
    if (words == workSpans().end() || words->kind == WorkKind::kPhase1)
        refuse(("unknown kind of work '" + name + "'").c_str());
    i.kind = words->kind;
    i.thread = row.at(1).get<int>();
    i.work.level = row.at(2).get<int>();
    i.work.lastLevel = row.at(3).get<int>();
    std::int64_t* const rest[] = {&i.beginNs,       &i.endNs,       &i.work.busyNs,
                                  &i.work.phase1Ns, &i.work.states, &i.work.entries};
    for (std::size_t k = 0; k < std::size(rest); ++k) {
        *rest[k] = row.at(4 + k).get<std::int64_t>();
        if (*rest[k] < 0) refuse("a negative number");
    }
    if (i.thread < 0 || i.thread >= threads || i.endNs < i.beginNs ||
        i.work.level > i.work.lastLevel)
        refuse("an interval that cannot be");
    return i;
}

SpanTimeline timelineOf(const Json& json) {
    SpanTimeline timeline{.words = workSpans(), .untilNs = json.at("untilNs").get<std::int64_t>()};
    const int threads = json.at("threads").get<int>();
    if (threads < 0 || threads > kMostThreads) refuse("a number of threads that cannot be");
    std::vector<std::vector<WorkInterval>> byThread(static_cast<std::size_t>(threads));
    for (const Json& row : json.at("intervals")) {
        const WorkInterval interval = intervalOf(row, threads);
        byThread[static_cast<std::size_t>(interval.thread)].push_back(interval);
    }
    for (int thread = 0; thread < threads; ++thread)
        timeline.lanes.push_back(workLane(thread, byThread[static_cast<std::size_t>(thread)]));
    return timeline;
}

/// What `make` finds in a file's text. @throws Error (Damaged) if that is "no `noun`"
template <typename Make>
auto parsed(std::string_view text, const std::string& what, const char* noun, const Make& make) {
    try {
        const Json json = Json::parse(text);
        if (json.at("version").get<int>() != kSpanFormat) refuse("it is of another version");
        return make(json);
    } catch (const std::exception& e) {
        throw Error(what + " is no " + noun + " (" + e.what() + ").", Error::Kind::Damaged);
    }
}

std::shared_ptr<const SpanLane> laneOf(const Json& json, const KindNumbers& numbers) {
    auto lane = std::make_shared<SpanLane>();
    lane->name = json.at("name").get<std::string>();
    for (const Json& burst : json.at("samples"))
        lane->bursts.push_back(std::make_shared<const SpanBurst>(burstOf(burst, numbers)));
    for (const Json& row : json.at("bins")) lane->bins.push_back(binOf(row, numbers));
    return lane;
}

}  // namespace

std::string spansJson(const SpanTimeline& timeline,
                      const std::map<std::string, std::int64_t>& memory) {
    Json json;
    json["version"] = kSpanFormat;
    json["kinds"] = Json::array();
    for (const SpanWords& each : timeline.words) json["kinds"].push_back(each.name);
    const KindNumbers numbers(timeline.words);
    json["memory"] = memory;
    json["threads"] = Json::array();
    for (const auto& lane : timeline.lanes) {
        Json bursts = Json::array(), bins = Json::array();
        for (const auto& burst : lane->bursts) bursts.push_back(burstJson(*burst, numbers));
        for (const SpanBin& bin : lane->bins) bins.push_back(binJson(bin, numbers));
        json["threads"].push_back(
            {{"name", lane->name}, {"bins", std::move(bins)}, {"samples", std::move(bursts)}});
    }
    return json.dump() + "\n";
}

StoredSpans spansFromJson(std::string_view text, const std::vector<SpanWords>& words,
                          const std::string& what) {
    return parsed(text, what, "recording of a training", [&](const Json& json) {
        auto timeline = std::make_shared<SpanTimeline>();
        timeline->words = words;
        const KindNumbers numbers(json.at("kinds"), words);
        for (const Json& lane : json.at("threads"))
            timeline->lanes.push_back(laneOf(lane, numbers));
        return StoredSpans{.timeline = std::move(timeline),
                           .memory = json.at("memory").get<std::map<std::string, std::int64_t>>()};
    });
}

std::string timelineJson(const SpanTimeline& timeline) {
    Json json;
    json["version"] = kSpanFormat;
    json["threads"] = timeline.lanes.size();
    json["untilNs"] = timeline.untilNs;
    json["columns"] = {"kind",  "thread", "level",    "lastLevel", "beginNs",
                       "endNs", "busyNs", "phase1Ns", "states",    "entries"};
    Json rows = Json::array();
    for (const SpanPlace& place : timeline.places()) rows.push_back(rowOf(timeline, place));
    json["intervals"] = std::move(rows);
    return json.dump() + "\n";
}

SpanTimeline timelineFromJson(std::string_view text, const std::string& what) {
    return parsed(text, what, "timeline", timelineOf);
}

std::shared_ptr<const StoredSpans> storedSpans(const Workspace& workspace, const std::string& run) {
    const RunRecord record = workspace.reader().findRun(run);
    const RunKind* kind = kindOf(record);
    const std::filesystem::path file = workspace.runFolder(record.id) / kSpanFile;
    std::error_code none;
    if (kind == nullptr || !std::filesystem::exists(file, none)) return nullptr;
    return std::make_shared<const StoredSpans>(
        spansFromJson(readFile(file, kMaxSpanBytes), kind->display.spans, file.string()));
}

std::shared_ptr<const SpanTimeline> storedTimeline(const Workspace& workspace,
                                                   const std::string& run) {
    const HistoryReader reader = workspace.reader();
    const std::vector<ArtefactRow> rows = reader.artefacts(reader.findRun(run).id);
    const auto row = std::ranges::find(rows, "timeline", &ArtefactRow::kind);
    if (row == rows.end()) return nullptr;
    const std::filesystem::path file = workspace.folder() / row->file;
    return std::make_shared<const SpanTimeline>(
        timelineFromJson(readFile(file, kMaxTimelineBytes), file.string()));
}

}  // namespace orrery
