#include "core/entity/net/relative_pairs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery {

namespace {

/// One or two places along one way of looking, with weights.
struct Places {
    std::int32_t place[2] = {0, 0};
    float share[2] = {1, 0};
};

constexpr auto kWhole = static_cast<float>(2 * std::numbers::pi);

float modulo(float value, float by) {
    const float rest = std::fmod(value, by);
    return rest < 0 ? rest + by : rest;
}

Places byAngle(float dx, float dy, float direction, std::int64_t count, bool interpolates) {
    const auto n = static_cast<float>(count);
    const float at = modulo((std::atan2(dy, dx) - direction + kWhole) / kWhole * n, n);
    auto first = static_cast<std::int32_t>(at);
    if (first >= count) first = 0;  // it was rounded up to n
    Places places;
    places.place[0] = first;
    if (!interpolates) return places;
    places.place[1] = static_cast<std::int32_t>((first + 1) % count);
    places.share[0] = modulo(static_cast<float>(places.place[1]) - at, 1);
    places.share[1] = 1 - places.share[0];
    return places;
}

Places byDistance(float distance, std::int64_t count, const RelposSpec& spec) {
    const float at = distance / static_cast<float>(spec.scale);
    const auto last = static_cast<std::int32_t>(count - 1);
    Places places;
    places.place[0] =
        at >= static_cast<float>(last) ? last : std::min(static_cast<std::int32_t>(at), last);
    if (!spec.interpolate) return places;
    places.place[1] = std::min(places.place[0] + 1, last);
    const float share = static_cast<float>(places.place[1]) - at;
    places.share[0] = spec.negativeDistanceWeights ? share : std::max(share, 0.F);
    places.share[1] = 1 - places.share[0];
    return places;
}

class PairMaker {
public:
    PairMaker(const RelposSpec& spec, const ThingPositions& things, bool withFeatures)
        : m_spec(spec), m_things(things), m_withFeatures(withFeatures) {}

    RelativePairs make() {
        reserve();
        for (std::size_t frame = 0; frame + 1 < m_things.rowBegin.size(); ++frame) {
            const std::int64_t begin = m_things.rowBegin[frame], end = m_things.rowBegin[frame + 1];
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t j = begin; j < end; ++j) addPair(i, j);
        }
        return std::move(m_out);
    }

private:
    void reserve() {
        std::size_t pairs = 0;
        for (std::size_t frame = 0; frame + 1 < m_things.rowBegin.size(); ++frame) {
            const auto items =
                static_cast<std::size_t>(m_things.rowBegin[frame + 1] - m_things.rowBegin[frame]);
            pairs += items * items;
        }
        const std::size_t rows = pairs * static_cast<std::size_t>(m_spec.rowsEach());
        m_out.row.reserve(rows);
        if (m_spec.interpolate) m_out.share.reserve(rows);
        if (m_withFeatures) m_out.features.reserve(3 * pairs);
    }

    float between(std::int64_t i, std::int64_t j, int dimension) const {
        const int width = m_things.dimensions;
        return m_things.positions[i * width + dimension] -
               m_things.positions[j * width + dimension];
    }

    void addPair(std::int64_t i, std::int64_t j) {
        float squares = 0;
        for (int d = 0; d < m_things.dimensions; ++d)
            squares += between(i, j, d) * between(i, j, d);
        const float distance = std::sqrt(squares);
        if (m_withFeatures)
            for (const float feature : {between(i, j, 0), between(i, j, 1), distance})
                m_out.features.push_back(feature);
        if (!m_spec.radial && !m_spec.distance) return addCell(i, j);
        const std::int64_t angles = m_spec.radial ? m_spec.extent[0] : 1;
        Places angle, ring;
        if (m_spec.radial)
            angle = byAngle(between(i, j, 0), between(i, j, 1),
                            m_things.directions.empty() ? 0 : m_things.directions[i], angles,
                            m_spec.interpolate);
        if (m_spec.distance) ring = byDistance(distance, m_spec.extent.back(), m_spec);
        const int numAngles = m_spec.radial && m_spec.interpolate ? 2 : 1,
                  numRings = m_spec.distance && m_spec.interpolate ? 2 : 1;
        for (int r = 0; r < numRings; ++r)
            for (int a = 0; a < numAngles; ++a) {
                m_out.row.push_back(angle.place[a] +
                                    static_cast<std::int32_t>(ring.place[r] * angles));
                if (m_spec.interpolate) m_out.share.push_back(angle.share[a] * ring.share[r]);
            }
    }

    void addCell(std::int64_t i, std::int64_t j) {
        float sum = 0, stride = 1;
        for (int d = 0; d < m_things.dimensions; ++d) {
            const auto extent = static_cast<float>(m_spec.extent[static_cast<std::size_t>(d)]);
            const float cells = between(i, j, d) / static_cast<float>(m_spec.scale);
            sum += (std::clamp(cells, -extent, extent) + extent) * stride;
            stride *= 2 * extent + 1;
        }
        m_out.row.push_back(static_cast<std::int32_t>(std::nearbyint(sum)));
    }

    const RelposSpec& m_spec;
    const ThingPositions& m_things;
    bool m_withFeatures;
    RelativePairs m_out;
};

}  // namespace

RelativePairs relativePairs(const RelposSpec& spec, const ThingPositions& things,
                            bool withFeatures) {
    return PairMaker(spec, things, withFeatures).make();
}

}  // namespace orrery
