#include "widgets/replay/exact_match.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/encode/state_encoder.h"

namespace orrery {

namespace {

constexpr ConfigIndex kStopEvery = 1024;

}  // namespace

std::optional<State> stateOfEncoded(const StateGraph& graph, const ReplaySource& source,
                                    const EncodedPlace& place, const std::stop_token& stop) {
    if (place.step < 0 || place.step >= graph.numLevels()) return std::nullopt;
    StateEncoder encoder(*source.worlds[static_cast<std::size_t>(place.layout)],
                         {.shape = source.replay->shape(),
                          .includesStepCount = source.spec.includesStepCount,
                          .hidesWhatIsUnder = source.spec.originalRules});
    std::vector<std::int32_t> words(encoder.shape().bytes() / sizeof(std::int32_t));
    const auto out = std::as_writable_bytes(std::span<std::int32_t>(words));
    for (ConfigIndex config = graph.levelBegin(place.step); config < graph.levelEnd(place.step);
         ++config) {
        if (config % kStopEvery == 0 && stop.stop_requested()) return std::nullopt;
        if (!graph.inLevel(place.step, config)) continue;
        encoder.encode(graph.configuration(config), place.step, out);
        if (std::ranges::equal(out, place.encoded)) return State{place.step, config};
    }
    return std::nullopt;
}

}  // namespace orrery
