#include <algorithm>

#include "core/base/error.h"
#include "core/dag/block_file.h"
#include "core/dag/state_graph.h"
#include "core/dag/state_graph_storage.h"

namespace orrery {

namespace {

constexpr BlockFileKind kGraphFile{"graph   ", 1, "graph"};

template <typename T>
std::span<const std::byte> raw(const BigArray<T>& array) {
    return std::as_bytes(array.span());
}

/// Checks that every index of a mapped graph stays inside its arrays, so that a file which passes
/// its checksums but was made by other hands cannot lead anyone astray.
bool checkShape(const StateGraph::Storage& s, const std::filesystem::path& file,
                const std::stop_token& stop) {
    const auto bad = [&file](const char* why) {
        throw Error("The graph file '" + file.string() + "' is damaged: " + why +
                        ". Delete it; it can be computed again",
                    Error::Kind::Damaged);
    };
    const std::size_t expanded = s.stochastic.size();
    const ConfigIndex configs = s.numConfigs();
    if (s.key.size() % s.keyWords != 0 || configs == 0 || expanded > configs ||
        s.rowBegin.size() != expanded + 1 || s.chanceBegin.empty() ||
        s.count.size() != (s.chanceBegin.size() - 1) * s.profiles)
        bad("its arrays do not fit together");
    if (s.numLevels() != s.world->maxSteps() + 1 || s.isRange.size() != s.layerEnd.size() ||
        !std::ranges::is_sorted(s.layerEnd) || s.layerEnd.back() != configs)
        bad("its levels do not fit the world");
    if (s.numLevels() > 1 && s.layerEnd[s.numLevels() - 2] > expanded) bad("rows are missing");
    if (!std::ranges::is_sorted(s.rowBegin.span()) || s.rowBegin[expanded] != s.successor.size() ||
        !std::ranges::is_sorted(s.chanceBegin.span()) ||
        s.chanceBegin[s.chanceBegin.size() - 1] != s.probability.size())
        bad("its row offsets are out of order");
    for (std::size_t c = 0; c < expanded; ++c) {
        const std::uint64_t entries = s.rowBegin[c + 1] - s.rowBegin[c];
        const std::uint32_t chance = s.stochastic[c];
        if (c % 65536 == 0 && stop.stop_requested()) return false;
        if (chance == kNoIndex) {
            if (entries != s.profiles) bad("a row is missing");
            continue;
        }
        if (chance + 1 >= s.chanceBegin.size() ||
            s.chanceBegin[chance + 1] - s.chanceBegin[chance] != entries)
            bad("a row's probabilities are missing");
        std::uint64_t sum = 0;
        for (std::size_t r = 0; r < s.profiles; ++r) {
            const std::uint16_t count = s.count[chance * std::size_t{s.profiles} + r];
            if (count == 0) bad("a row is empty");
            sum += count;
        }
        if (sum != entries) bad("a row's counts are wrong");
    }
    const auto below = [&stop](auto span, std::uint64_t limit) {
        constexpr std::size_t kPiece = 1 << 22;
        for (std::size_t at = 0; at < span.size() && !stop.stop_requested(); at += kPiece)
            if (std::ranges::any_of(span.subspan(at, std::min(kPiece, span.size() - at)),
                                    [limit](auto v) { return v >= limit; }))
                return false;
        return true;
    };
    if (!below(s.successor.span(), configs)) bad("a successor does not exist");
    if (!below(s.probability.span(), s.palette.size())) bad("a probability does not exist");
    return !stop.stop_requested();
}

}  // namespace

bool saveGraph(const StateGraph& graph, const std::filesystem::path& file, std::stop_token stop,
               const ProgressSink& progress) {
    const StateGraph::Storage& s = graph.storage();
    std::vector<std::uint64_t> members;
    for (const auto& level : s.member) members.insert(members.end(), level.begin(), level.end());
    const Block blocks[] = {
        {"key", raw(s.key)},
        {"rowBegin", raw(s.rowBegin)},
        {"stochastic", raw(s.stochastic)},
        {"chanceBegin", raw(s.chanceBegin)},
        {"successor", raw(s.successor)},
        {"count", raw(s.count)},
        {"probability", raw(s.probability)},
        {"palette", std::as_bytes(std::span(s.palette))},
        {"layerEnd", std::as_bytes(std::span(s.layerEnd))},
        {"isRange", std::as_bytes(std::span(s.isRange))},
        {"member", std::as_bytes(std::span(members))},
    };
    return writeBlockFile(file, kGraphFile, graph.contentHash(), blocks, std::move(stop), progress);
}

std::shared_ptr<const StateGraph> openGraph(std::shared_ptr<const World> world,
                                            const std::filesystem::path& file, std::stop_token stop,
                                            const ProgressSink& progress) {
    auto graph = std::make_shared<StateGraph>();
    StateGraph::Storage& s = graph->storage();
    s.world = std::move(world);
    std::vector<std::string> hashes{graphContentHash(*s.world, false)};
    if (!s.world->dependsOnStep()) hashes.push_back(graphContentHash(*s.world, true));
    const auto mapped = MappedBlocks::open(file, kGraphFile, hashes, stop, progress);
    if (!mapped) return nullptr;
    s.folded = mapped->contentHash() != hashes.front();
    s.words = s.world->keyWords();
    s.keyWords = s.words + (s.folded ? 0 : 1);
    s.profiles = s.world->numProfiles();
    s.key = BigArray<std::uint64_t>::view(mapped->block<std::uint64_t>("key"));
    s.rowBegin = BigArray<std::uint64_t>::view(mapped->block<std::uint64_t>("rowBegin"));
    s.stochastic = BigArray<std::uint32_t>::view(mapped->block<std::uint32_t>("stochastic"));
    s.chanceBegin = BigArray<std::uint64_t>::view(mapped->block<std::uint64_t>("chanceBegin"));
    s.successor = BigArray<ConfigIndex>::view(mapped->block<ConfigIndex>("successor"));
    s.count = BigArray<std::uint16_t>::view(mapped->block<std::uint16_t>("count"));
    s.probability = BigArray<std::uint32_t>::view(mapped->block<std::uint32_t>("probability"));
    const auto copy = [](auto span, auto& vector) { vector.assign(span.begin(), span.end()); };
    copy(mapped->block<double>("palette"), s.palette);
    copy(mapped->block<ConfigIndex>("layerEnd"), s.layerEnd);
    copy(mapped->block<std::uint8_t>("isRange"), s.isRange);
    if (!checkShape(s, file, stop)) return nullptr;
    std::span<const std::uint64_t> members = mapped->block<std::uint64_t>("member");
    s.member.resize(s.layerEnd.size());
    for (int t = 0; t < s.numLevels(); ++t) {
        if (s.isRange[t]) continue;
        const std::size_t words = (std::size_t{s.layerEnd[t]} + 63) / 64;
        if (words > members.size())
            throw Error(
                "The graph file '" + file.string() +
                    "' is damaged: level sets are missing. Delete it; it can be computed again",
                Error::Kind::Damaged);
        copy(members.first(words), s.member[t]);
        members = members.subspan(words);
    }
    s.mapping = mapped;
    if (!s.buildSlots(stop)) return nullptr;
    return graph;
}

}  // namespace orrery
