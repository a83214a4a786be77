#include "core/entity/net/net_frames.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/entity/feature_map.h"

namespace orrery {

namespace {

constexpr char kDistance[] = "TranslatePositions.distance";

/// Where features are among those of a type, by their first occurrence; nothing if one is not
/// there.
std::optional<std::vector<std::size_t>> columnsOf(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& features) {
    std::vector<std::size_t> columns;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(features, name);
        if (found == features.end()) return {};
        columns.push_back(static_cast<std::size_t>(found - features.begin()));
    }
    return columns;
}

at::Tensor tensorOf(const std::vector<std::int64_t>& numbers) {
    return at::tensor(numbers, at::kLong);
}

/// Things of a type in all frames, feature by feature, while they are made.
struct TypeRows {
    std::vector<float> cells;
    std::size_t width = 0;
    std::span<const std::int64_t> begin;  // [frames + 1]
};

/// From where and in which direction a frame is seen.
struct Viewpoint {
    float x = 0, y = 0, angle = 0;
    bool isTurned = false;
};

/// How a type's features say in which direction a thing is turned.
struct DirectionColumns {
    std::vector<std::size_t> columns;  // of an angle, or of a vector's x and y; empty: they do not

    template <class Spec>
    DirectionColumns(const Spec& spec, const std::vector<std::string>& features) {
        std::optional<std::vector<std::size_t>> found;
        if (spec.rotationAngleFeature)
            found = columnsOf({*spec.rotationAngleFeature}, features);
        else if (spec.rotationVecFeatures.size() == 2)
            found = columnsOf(spec.rotationVecFeatures, features);
        if (found) columns = *found;
    }
    /// Radians; nothing if the type has none.
    std::optional<float> of(const float* cells) const {
        if (columns.empty()) return {};
        if (columns.size() == 1) return cells[columns[0]];
        return std::atan2(cells[columns[1]], cells[columns[0]]);
    }
};

class FrameMaker {
public:
    FrameMaker(const NetInputs& inputs, const VecObs& from) : m_inputs(inputs), m_from(from) {}

    NetFrames make() {
        for (const NetInputs::Type& type : m_inputs.types) addType(type);
        if (m_inputs.spec.translation) translate(*m_inputs.spec.translation);
        for (const TypeRows& rows : m_rows) {
            const auto count = static_cast<std::int64_t>(rows.begin.back());
            m_out.perType.push_back(count);
            m_out.features.push_back(at::tensor(rows.cells, at::kFloat)
                                         .reshape({count, static_cast<std::int64_t>(rows.width)}));
        }
        addOrder();
        if (m_inputs.spec.relpos) addPairs(*m_inputs.spec.relpos);
        for (std::size_t i = 0; i < m_from.offers.size(); ++i) addOffer(i);
        return std::move(m_out);
    }

private:
    /// Own features, then those of the game.
    void addType(const NetInputs::Type& type) {
        const RaggedBuffer<float>& things = m_from.things[type.layoutType];
        const EntityLayout& layout = m_inputs.layout;
        const bool isGame = layout.hasGlobal && type.layoutType + 1 == layout.types.size();
        const RaggedBuffer<float>* const game =
            layout.hasGlobal && !isGame ? &m_from.things.back() : nullptr;
        const auto shown = static_cast<std::size_t>(things.size2());
        const std::size_t own = m_inputs.isChosen ? type.columns.size() : shown;
        const std::size_t added = game == nullptr     ? 0
                                  : m_inputs.isChosen ? m_inputs.globalColumns.size()
                                                      : static_cast<std::size_t>(game->size2());
        TypeRows rows{.cells = {}, .width = type.features.size(), .begin = things.rowBegin()};
        rows.cells.reserve(static_cast<std::size_t>(things.items()) * rows.width);
        for (std::int64_t frame = 0; frame < things.size0(); ++frame)
            for (std::int64_t item = rows.begin[frame]; item < rows.begin[frame + 1]; ++item) {
                take(things.flat().subspan(static_cast<std::size_t>(item) * shown, shown),
                     type.columns, rows.cells);
                if (added > 0) take(game->sequence(frame), m_inputs.globalColumns, rows.cells);
                rows.cells.resize(rows.cells.size() + rows.width - own - added);  // the distance
            }
        m_rows.push_back(std::move(rows));
    }

    /// What the network reads of what is shown.
    void take(std::span<const float> cells, const std::vector<std::size_t>& columns,
              std::vector<float>& out) const {
        if (!m_inputs.isChosen) {
            out.insert(out.end(), cells.begin(), cells.end());
            return;
        }
        for (const std::size_t column : columns) out.push_back(cells[column]);
    }

    void translate(const TranslationSpec& spec) {
        const auto reference =
            std::ranges::find(m_inputs.types, spec.referenceEntity, &NetInputs::Type::name) -
            m_inputs.types.begin();
        m_reference = static_cast<std::size_t>(reference);
        const TypeRows& seenFrom = m_rows[m_reference];
        const auto place = columnsOf(spec.positionFeatures, m_inputs.types[m_reference].features);
        const DirectionColumns direction(spec, m_inputs.types[m_reference].features);
        for (std::size_t frame = 0; frame + 1 < seenFrom.begin.size(); ++frame) {
            if (seenFrom.begin[frame + 1] - seenFrom.begin[frame] != 1)
                throw badInput("Frame " + std::to_string(frame) + " has " +
                               std::to_string(seenFrom.begin[frame + 1] - seenFrom.begin[frame]) +
                               " things of type " + spec.referenceEntity +
                               ", from which the others are seen; it needs exactly one.");
            const float* const cells =
                seenFrom.cells.data() +
                static_cast<std::size_t>(seenFrom.begin[frame]) * seenFrom.width;
            const std::optional<float> angle = direction.of(cells);
            m_viewpoints.push_back({.x = cells[(*place)[0]],
                                    .y = cells[(*place)[1]],
                                    .angle = angle.value_or(0),
                                    .isTurned = angle.has_value()});
        }
        for (std::size_t type = 0; type < m_rows.size(); ++type)
            if (type != m_reference) translateType(spec, type);
    }

    void translateType(const TranslationSpec& spec, std::size_t type) {
        const std::vector<std::string>& features = m_inputs.types[type].features;
        const auto place = columnsOf(spec.positionFeatures, features);
        if (!place) return;
        TypeRows& rows = m_rows[type];
        for (std::size_t frame = 0; frame < m_viewpoints.size(); ++frame) {
            const Viewpoint& from = m_viewpoints[frame];
            const float dx = std::cos(from.angle), dy = std::sin(from.angle);
            for (std::int64_t item = rows.begin[frame]; item < rows.begin[frame + 1]; ++item) {
                float* const cells =
                    rows.cells.data() + static_cast<std::size_t>(item) * rows.width;
                float& x = cells[(*place)[0]];
                float& y = cells[(*place)[1]];
                x -= from.x;
                y -= from.y;
                if (from.isTurned) {
                    const float turned = dx * x + dy * y;
                    y = -dy * x + dx * y;
                    x = turned;
                }
                if (features.back() == kDistance) cells[rows.width - 1] = std::sqrt(x * x + y * y);
            }
        }
    }

    void addOrder() {
        const std::int64_t frames = m_from.frames();
        std::vector<std::int64_t> order;
        const bool isHidden = std::ranges::any_of(m_inputs.types, [&](const auto& type) {
            return m_from.visible[type.layoutType].size0() > 0;
        });
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            std::int64_t first = 0;  // of the type among all rows by type
            for (std::size_t type = 0; type < m_rows.size(); ++type) {
                const TypeRows& rows = m_rows[type];
                const RaggedBuffer<bool>& visible = m_from.visible[m_inputs.types[type].layoutType];
                for (std::int64_t item = rows.begin[frame]; item < rows.begin[frame + 1]; ++item) {
                    order.push_back(first + item);
                    m_out.typeOf.push_back(static_cast<std::int32_t>(type));
                    if (isHidden)
                        m_out.visible.push_back(visible.size0() > 0
                                                    ? visible.flat()[static_cast<std::size_t>(item)]
                                                    : 1);
                }
                first += rows.begin.back();
            }
            m_out.rowBegin.push_back(std::ssize(order));
        }
        m_out.order = tensorOf(order);
    }

    void addPairs(const RelposSpec& spec) {
        const std::size_t dimensions = spec.positionFeatures.size();
        std::vector<float> positions, directions;
        std::vector<std::vector<std::size_t>> places;     // [types]
        std::vector<DirectionColumns> directionsOfTypes;  // [types]
        for (const NetInputs::Type& type : m_inputs.types) {
            places.push_back(*columnsOf(spec.positionFeatures, type.features));
            directionsOfTypes.emplace_back(spec, type.features);
        }
        for (std::int64_t frame = 0; frame < m_from.frames(); ++frame)
            for (std::size_t type = 0; type < m_rows.size(); ++type) {
                const TypeRows& rows = m_rows[type];
                const bool isReference = !m_viewpoints.empty() && type == m_reference;
                const float turned =
                    m_viewpoints.empty() ? 0 : m_viewpoints[static_cast<std::size_t>(frame)].angle;
                for (std::int64_t item = rows.begin[frame]; item < rows.begin[frame + 1]; ++item) {
                    const float* const cells =
                        rows.cells.data() + static_cast<std::size_t>(item) * rows.width;
                    // Others are seen from the reference, which lies at the origin then.
                    for (std::size_t d = 0; d < dimensions; ++d)
                        positions.push_back(isReference ? 0 : cells[places[type][d]]);
                    const std::optional<float> direction = directionsOfTypes[type].of(cells);
                    directions.push_back(direction ? *direction - turned : 0);
                }
            }
        const bool withFeatures = spec.keyProjection || spec.valueProjection;
        auto pairs = std::make_shared<RelativePairs>(
            relativePairs(spec,
                          {.rowBegin = m_out.rowBegin,
                           .positions = positions,
                           .directions = directions,
                           .dimensions = static_cast<int>(dimensions)},
                          withFeatures));
        if (withFeatures)
            m_out.pairFeatures = at::tensor(pairs->features, at::kFloat).reshape({-1, 3});
        m_out.pairs = std::move(pairs);
    }

    /// Where a thing of a frame is among its rows.
    std::int64_t placeOf(std::int64_t frame, std::int64_t thing) const {
        if (!m_inputs.isReordered) return thing;
        const auto numOf = [&](std::size_t shown) { return m_from.things[shown].size1(frame); };
        std::size_t shown = 0;
        for (; thing >= numOf(shown); ++shown) thing -= numOf(shown);
        for (const NetInputs::Type& type : m_inputs.types) {
            if (type.layoutType == shown) break;
            thing += numOf(type.layoutType);
        }
        return thing;
    }

    void addOffer(std::size_t action) {
        const VecObs::Offer& from = m_from.offers[action];
        NetFrames::Offer& out = m_out.offers.emplace_back();
        std::vector<std::int64_t> actors, candidates, pairDecider, pairCandidate, pairOption;
        out.actorBegin.push_back(0);
        for (std::int64_t frame = 0; frame < m_from.frames(); ++frame) {
            const std::int64_t row = m_out.rowBegin[static_cast<std::size_t>(frame)],
                               firstCandidate = std::ssize(candidates);
            if (from.isSelection)
                for (const std::int64_t candidate : from.candidates.sequence(frame))
                    candidates.push_back(row + placeOf(frame, candidate));
            const std::int64_t numCandidates = std::ssize(candidates) - firstCandidate;
            for (const std::int64_t actor : from.actors.sequence(frame)) {
                for (std::int64_t k = 0; k < numCandidates; ++k) {
                    pairDecider.push_back(std::ssize(actors));
                    pairCandidate.push_back(firstCandidate + k);
                    pairOption.push_back(k);
                }
                actors.push_back(row + placeOf(frame, actor));
            }
            if (from.isSelection) out.options = std::max(out.options, numCandidates);
            out.actorBegin.push_back(std::ssize(actors));
        }
        if (!from.isSelection) out.options = std::ssize(m_inputs.layout.actions[action].choices);
        addAllowed(from, out, pairDecider, pairOption);
        out.actors = tensorOf(actors);
        if (!from.isSelection) return;
        out.candidates = tensorOf(candidates);
        out.pairDecider = tensorOf(pairDecider);
        out.pairCandidate = tensorOf(pairCandidate);
        out.pairOption = tensorOf(pairOption);
    }

    /// Of selections also what lies behind a frame's own candidates.
    static void addAllowed(const VecObs::Offer& from, NetFrames::Offer& out,
                           const std::vector<std::int64_t>& pairDecider,
                           const std::vector<std::int64_t>& pairOption) {
        const std::int64_t deciders = from.actors.items();
        const auto flags = from.allowed.flat();
        if (!from.isSelection) {
            if (from.allowed.size0() > 0)
                out.allowed =
                    at::tensor(at::ArrayRef<std::uint8_t>(flags.data(), flags.size()), at::kByte)
                        .reshape({deciders, out.options})
                        .to(at::kBool);
            return;
        }
        std::vector<std::uint8_t> allowed(static_cast<std::size_t>(deciders * out.options));
        for (std::size_t pair = 0; pair < pairDecider.size(); ++pair)
            allowed[static_cast<std::size_t>(pairDecider[pair] * out.options + pairOption[pair])] =
                flags.empty() ? 1 : flags[pair];
        out.allowed = at::tensor(allowed, at::kByte).reshape({deciders, out.options}).to(at::kBool);
    }

    const NetInputs& m_inputs;
    const VecObs& m_from;
    NetFrames m_out;
    std::vector<TypeRows> m_rows;         // [types]
    std::vector<Viewpoint> m_viewpoints;  // [frames]; empty: things are where they are
    std::size_t m_reference = 0;
};

}  // namespace

NetInputs::NetInputs(const RogueNetSpec& wanted, const EntityLayout& offered)
    : layout(offered), learned(offered), spec(wanted) {
    const std::vector<std::string> globals =
        layout.hasGlobal ? layout.types.back().features : std::vector<std::string>();
    for (std::size_t i = 0; i < layout.types.size(); ++i) {
        const bool isGame = layout.hasGlobal && i + 1 == layout.types.size();
        if (isGame && !layout.hasGlobalAction) continue;
        Type type{layout.types[i].name, layout.types[i].features, i};
        if (!isGame) type.features.insert(type.features.end(), globals.begin(), globals.end());
        if (spec.relpos && !columnsOf(spec.relpos->positionFeatures, type.features))
            throw badInput("Things of type " + type.name +
                           " lack features of relpos_encoding.position_features.");
        if (spec.translation && spec.translation->addDistFeature &&
            type.name != spec.translation->referenceEntity &&
            columnsOf(spec.translation->positionFeatures, type.features))
            type.features.emplace_back(kDistance);
        types.push_back(std::move(type));
    }
    if (!spec.translation) return;
    const auto reference = std::ranges::find(types, spec.translation->referenceEntity, &Type::name);
    if (reference == types.end() ||
        !columnsOf(spec.translation->positionFeatures, reference->features))
        throw badInput(
            "translation.reference_entity must be a type that has the features of "
            "translation.position_features.");
}

void NetInputs::readFrom(const EntityLayout& offered) {
    const FeatureMap map = featureMapOf(learned, offered);
    layout = offered;
    isChosen = !map.isSame;
    isReordered = false;
    globalColumns = learned.hasGlobal ? map.types.back().columns : std::vector<std::size_t>();
    for (std::size_t i = 0; i < types.size(); ++i) {
        types[i].layoutType = map.types[i].offered;
        types[i].columns = map.types[i].columns;
        isReordered = isReordered || (i > 0 && types[i].layoutType < types[i - 1].layoutType);
    }
}

NetFrames netFramesOf(const NetInputs& inputs, const VecObs& frames) {
    return FrameMaker(inputs, frames).make();
}

}  // namespace orrery
