#include "core/run/span_file.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSpanFormat = 1;
constexpr std::int64_t kMaxSpanBytes = 128 << 20;

constexpr std::array<std::pair<const char*, std::int64_t MemoryNumbers::*>, 6> kMemory = {{
    {"buffer", &MemoryNumbers::buffer},
    {"tables", &MemoryNumbers::tables},
    {"parameters", &MemoryNumbers::parameters},
    {"optimisers", &MemoryNumbers::optimisers},
    {"recording", &MemoryNumbers::recording},
    {"process", &MemoryNumbers::process},
}};

[[noreturn]] void refuse(const char* why) {
    throw Error(why, Error::Kind::Damaged);
}

Json burstJson(const SpanBurst& burst) {
    Json spans = Json::array();
    for (const StageSpan& span : burst.spans) {
        spans.push_back(static_cast<int>(span.kind()));
        spans.push_back(span.lengthNs());
    }
    return {{"begin", burst.beginNs()},
            {"ends", burst.stepEnds},
            {"partial", burst.isFirstPartial},
            {"spans", std::move(spans)},
            {"step", burst.firstStep}};
}

SpanBurst burstOf(const Json& json) {
    SpanBurst burst{.firstStep = json.at("step").get<std::int64_t>(),
                    .isFirstPartial = json.at("partial").get<bool>(),
                    .stepEnds = json.at("ends").get<std::vector<std::uint32_t>>()};
    auto begin = json.at("begin").get<std::int64_t>();
    const Json& spans = json.at("spans");
    if (spans.empty() || spans.size() % 2 != 0) refuse("a sample without spans");
    for (std::size_t i = 0; i < spans.size(); i += 2) {
        const int kind = spans[i].get<int>();
        const auto length = spans[i + 1].get<std::int64_t>();
        if (kind < 0 || kind >= kNumSpanKinds || length < 0) refuse("a span that cannot be");
        burst.spans.emplace_back(static_cast<SpanKind>(kind), begin, length);
        begin += length;
    }
    std::uint32_t last = 0;
    for (const std::uint32_t end : burst.stepEnds)
        if (std::exchange(last, end) > end || end > burst.spans.size()) refuse("a step's end");
    return burst;
}

/// [begin, end, first step, steps, kind, ns, kind, ns, ...]
Json binJson(const SpanBin& bin) {
    Json row = {bin.beginNs, bin.endNs, bin.firstStep, bin.steps};
    for (std::size_t kind = 0; kind < bin.ns.size(); ++kind)
        if (bin.ns[kind] != 0) {
            row.push_back(kind);
            row.push_back(bin.ns[kind]);
        }
    return row;
}

SpanBin binOf(const Json& row) {
    SpanBin bin{.beginNs = row.at(0).get<std::int64_t>(),
                .endNs = row.at(1).get<std::int64_t>(),
                .firstStep = row.at(2).get<std::int64_t>(),
                .steps = row.at(3).get<std::int64_t>()};
    if (bin.endNs < bin.beginNs || bin.steps < 0) refuse("a bin that cannot be");
    for (std::size_t i = 4; i + 1 < row.size(); i += 2)
        bin.ns.at(row[i].get<std::size_t>()) = row[i + 1].get<std::int64_t>();
    return bin;
}

std::shared_ptr<const SpanLane> laneOf(const Json& json) {
    auto lane = std::make_shared<SpanLane>();
    lane->name = json.at("name").get<std::string>();
    for (const Json& burst : json.at("samples"))
        lane->bursts.push_back(std::make_shared<const SpanBurst>(burstOf(burst)));
    for (const Json& row : json.at("bins")) lane->bins.push_back(binOf(row));
    return lane;
}

}  // namespace

std::string spansJson(const SpanTimeline& timeline, const MemoryNumbers& memory) {
    Json json;
    json["version"] = kSpanFormat;
    json["kinds"] = Json::array();
    for (int kind = 0; kind < kNumSpanKinds; ++kind)
        json["kinds"].push_back(nameOf(static_cast<SpanKind>(kind)));
    for (const auto& [name, number] : kMemory) json["memory"][name] = memory.*number;
    json["threads"] = Json::array();
    for (const auto& lane : timeline.lanes) {
        Json bursts = Json::array(), bins = Json::array();
        for (const auto& burst : lane->bursts) bursts.push_back(burstJson(*burst));
        for (const SpanBin& bin : lane->bins) bins.push_back(binJson(bin));
        json["threads"].push_back(
            {{"name", lane->name}, {"bins", std::move(bins)}, {"samples", std::move(bursts)}});
    }
    return json.dump() + "\n";
}

StoredSpans spansFromJson(std::string_view text, const std::string& what) {
    try {
        const Json json = Json::parse(text);
        if (json.at("version").get<int>() != kSpanFormat) refuse("it is of another version");
        auto timeline = std::make_shared<SpanTimeline>();
        for (const Json& lane : json.at("threads")) timeline->lanes.push_back(laneOf(lane));
        StoredSpans stored{.timeline = std::move(timeline)};
        for (const auto& [name, number] : kMemory)
            stored.memory.*number = json.at("memory").at(name).get<std::int64_t>();
        return stored;
    } catch (const std::exception& e) {
        throw Error(what + " is no recording of a training (" + e.what() + ").",
                    Error::Kind::Damaged);
    }
}

std::shared_ptr<const StoredSpans> storedSpans(const Workspace& workspace, const std::string& run) {
    const std::string id = workspace.reader().findRun(run).id;
    const std::filesystem::path file = workspace.runFolder(id) / kSpanFile;
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return nullptr;
    return std::make_shared<const StoredSpans>(
        spansFromJson(readFile(file, kMaxSpanBytes), file.string()));
}

}  // namespace orrery
