#include "core/entity/vec_obs.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace orrery {

namespace {

/// Truths for all things or rows of frames that said nothing.
void appendTrue(RaggedBuffer<bool>& out, std::span<const std::int64_t> lengths) {
    for (const std::int64_t length : lengths) std::ranges::fill(out.grow(length), 1);
}

/// Makes `own` as long as `frames`, then adds the other's.
void extendTruths(RaggedBuffer<bool>& own, std::span<const std::int64_t> ownLengths,
                  const RaggedBuffer<bool>& other, std::span<const std::int64_t> otherLengths) {
    if (own.size0() == 0) appendTrue(own, ownLengths);
    if (other.size0() == 0)
        appendTrue(own, otherLengths);
    else
        own.extend(other);
}

}  // namespace

VecObs::VecObs(const EntityLayout& layout) {
    for (const EntityLayout::Type& type : layout.types) {
        things.emplace_back(std::ssize(type.features));
        visible.emplace_back(1);
    }
    for (const ActionSpace& action : layout.actions) {
        Offer& offer = offers.emplace_back();
        offer.isSelection = action.kind == ActionSpace::Kind::Select;
        if (!offer.isSelection) offer.allowed = RaggedBuffer<bool>(std::ssize(action.choices));
    }
}

std::vector<std::int64_t> VecObs::Offer::numRows() const {
    std::vector<std::int64_t> rows = actors.lengths();
    if (isSelection)
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] *= candidates.size1(static_cast<std::int64_t>(i));
    return rows;
}

std::int64_t VecObs::numThings(std::int64_t frame) const {
    std::int64_t number = 0;
    for (const RaggedBuffer<float>& type : things) number += type.size1(frame);
    return number;
}

void VecObs::clear() {
    for (auto& type : things) type.clear();
    for (auto& type : visible) type.clear();
    for (Offer& offer : offers) {
        offer.actors.clear();
        offer.candidates.clear();
        offer.allowed.clear();
    }
    reward.clear();
    done.clear();
    truncated.clear();
}

void VecObs::extend(const VecObs& other) {
    assert(&other != this && other.things.size() == things.size());
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (visible[i].size0() > 0 || other.visible[i].size0() > 0)
            extendTruths(visible[i], things[i].lengths(), other.visible[i],
                         other.things[i].lengths());
        things[i].extend(other.things[i]);
    }
    for (std::size_t i = 0; i < offers.size(); ++i) {
        Offer& own = offers[i];
        const Offer& added = other.offers[i];
        if (own.allowed.size0() > 0 || added.allowed.size0() > 0)
            extendTruths(own.allowed, own.numRows(), added.allowed, added.numRows());
        own.actors.extend(added.actors);
        own.candidates.extend(added.candidates);
    }
    reward.insert(reward.end(), other.reward.begin(), other.reward.end());
    done.insert(done.end(), other.done.begin(), other.done.end());
    truncated.insert(truncated.end(), other.truncated.begin(), other.truncated.end());
}

void VecObs::gatherInto(std::span<const std::int64_t> frames, VecObs& out) const {
    assert(&out != this && out.things.size() == things.size());
    const auto truths = [&](const RaggedBuffer<bool>& from, RaggedBuffer<bool>& to) {
        if (from.size0() > 0)
            from.gatherInto(frames, to);
        else
            to.clear();
    };
    for (std::size_t i = 0; i < things.size(); ++i) {
        things[i].gatherInto(frames, out.things[i]);
        truths(visible[i], out.visible[i]);
    }
    for (std::size_t i = 0; i < offers.size(); ++i) {
        offers[i].actors.gatherInto(frames, out.offers[i].actors);
        if (offers[i].isSelection)
            offers[i].candidates.gatherInto(frames, out.offers[i].candidates);
        truths(offers[i].allowed, out.offers[i].allowed);
    }
    const auto numbers = [&](const auto& from, auto& to) {
        to.resize(frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            to[i] = from[static_cast<std::size_t>(frames[i])];
    };
    numbers(reward, out.reward);
    numbers(done, out.done);
    numbers(truncated, out.truncated);
}

namespace {

/// Gives a buffer the shape that a number of items a frame makes.
template <class T>
void reshape(RaggedBuffer<T>& buffer, std::span<const std::int64_t> lengths,
             std::vector<std::int64_t>& rows) {
    rows[0] = 0;
    std::inclusive_scan(lengths.begin(), lengths.end(), rows.begin() + 1);
    buffer.reshape(rows);
}

/// The cells of a frame, to be written.
template <class T>
class FrameCells {
public:
    explicit FrameCells(RaggedBuffer<T>& buffer)
        : m_cells(buffer.flat().data()),
          m_begin(buffer.rowBegin().data()),
          m_features(buffer.size2()) {}
    RaggedCell<T>* operator[](std::int64_t frame) const {
        return m_cells + m_begin[frame] * m_features;
    }
    std::int64_t count(std::int64_t frame) const {
        return (m_begin[frame + 1] - m_begin[frame]) * m_features;
    }

private:
    RaggedCell<T>* m_cells;
    const std::int64_t* m_begin;
    std::int64_t m_features;
};

/// Copies what `of` gives of each frame; all true where nothing is said.
template <class Of>
void copyTruths(RaggedBuffer<bool>& buffer, std::int64_t begin, std::int64_t end, Of&& of) {
    if (buffer.size0() == 0) return;
    const FrameCells<bool> to(buffer);
    for (std::int64_t i = begin; i < end; ++i) {
        const std::vector<std::uint8_t>& from = of(i);
        if (from.empty())
            std::fill_n(to[i], to.count(i), 1);
        else
            std::ranges::copy(from, to[i]);
    }
}

template <class T, class Of>
void copyCells(RaggedBuffer<T>& buffer, std::int64_t begin, std::int64_t end, Of&& of) {
    const FrameCells<T> to(buffer);
    for (std::int64_t i = begin; i < end; ++i) std::ranges::copy(of(i), to[i]);
}

}  // namespace

void VecObs::shape(const FrameSizes& sizes) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(sizes.frames()) + 1);
    for (std::size_t type = 0; type < things.size(); ++type) {
        reshape(things[type], sizes.things(type), rows);
        if (sizes.isHidden(type))
            visible[type].reshape(rows);
        else
            visible[type].clear();
    }
    for (std::size_t i = 0; i < offers.size(); ++i) {
        Offer& offer = offers[i];
        reshape(offer.actors, sizes.deciders(i), rows);
        const bool isLimited = sizes.isLimited(i);
        if (isLimited && !offer.isSelection)
            offer.allowed.reshape(rows);
        else
            offer.allowed.clear();
        if (!offer.isSelection) continue;
        reshape(offer.candidates, sizes.candidates(i), rows);
        if (isLimited) {
            const std::vector<std::int64_t> pairs = offer.numRows();
            reshape(offer.allowed, pairs, rows);
        }
    }
    reward.resize(static_cast<std::size_t>(sizes.frames()));
    done.resize(reward.size());
    truncated.resize(reward.size());
}

void VecObs::copy(const EntityLayout& layout, std::span<const Observation> frames,
                  std::int64_t begin, std::int64_t end) {
    const std::size_t numTypes = layout.numTypes();
    for (std::size_t type = 0; type < numTypes; ++type) {
        const std::size_t part = layout.types[type].part;
        copyCells(
            things[type], begin,
            end, [&](std::int64_t i) -> const auto& { return frames[i].parts[part].values; });
        copyTruths(
            visible[type], begin,
            end, [&](std::int64_t i) -> const auto& { return frames[i].parts[part].visible; });
    }
    if (layout.hasGlobal) {
        const FrameCells<float> to(things[numTypes]);
        for (std::int64_t i = begin; i < end; ++i) {
            float* cell = to[i];
            for (const std::size_t part : layout.globals)
                cell = std::ranges::copy(frames[i].parts[part].values, cell).out;
        }
    }
    for (std::size_t action = 0; action < offers.size(); ++action) {
        Offer& offer = offers[action];
        const auto from = [&](std::int64_t i) -> const ActionOffer& {
            return frames[i].offers[action];
        };
        if (layout.actions[action].isOfActors) {
            copyCells(
                offer.actors, begin,
                end, [&](std::int64_t i) -> const auto& { return from(i).actors; });
        } else {
            const FrameCells<std::int64_t> to(offer.actors);
            // The game's own is the last.
            for (std::int64_t i = begin; i < end; ++i) *to[i] = numThings(i) - 1;
        }
        if (offer.isSelection)
            copyCells(
                offer.candidates, begin,
                end, [&](std::int64_t i) -> const auto& { return from(i).candidates; });
        copyTruths(
            offer.allowed, begin,
            end, [&](std::int64_t i) -> const auto& { return from(i).allowed; });
    }
}

void VecObs::take(const EntityLayout& layout, std::span<const Observation> frames) {
    FrameSizes sizes(layout);
    sizes.resize(std::ssize(frames));
    sizes.measure(layout, frames, 0, sizes.frames());
    shape(sizes);
    copy(layout, frames, 0, sizes.frames());
}

Observation observationOf(const EntityLayout& layout, const EnvironmentSpaces& spaces,
                          const VecObs& frames, std::int64_t frame) {
    Observation seen{.parts = std::vector<ObservedPart>(spaces.observations.size()),
                     .offers = std::vector<ActionOffer>(spaces.actions.size())};
    for (std::size_t type = 0; type < layout.numTypes(); ++type) {
        ObservedPart& part = seen.parts[layout.types[type].part];
        const auto cells = frames.things[type].sequence(frame);
        part.values.assign(cells.begin(), cells.end());
        part.begins = {{0, frames.things[type].size1(frame)}};
        if (frames.visible[type].size0() == 0) continue;
        const auto flags = frames.visible[type].sequence(frame);
        part.visible.assign(flags.begin(), flags.end());
    }
    if (layout.hasGlobal) {
        auto next = frames.things.back().sequence(frame).begin();
        for (const std::size_t global : layout.globals) {
            const auto count =
                static_cast<std::ptrdiff_t>(spaces.observations[global].numbersEach());
            seen.parts[global].values.assign(next, next + count);
            next += count;
        }
    }
    for (std::size_t i = 0; i < frames.offers.size(); ++i) {
        const VecObs::Offer& from = frames.offers[i];
        ActionOffer& offer = seen.offers[i];
        const auto copy = [frame](const auto& buffer, auto& out) {
            const auto cells = buffer.sequence(frame);
            out.assign(cells.begin(), cells.end());
        };
        if (layout.actions[i].isOfActors) copy(from.actors, offer.actors);
        if (from.isSelection) copy(from.candidates, offer.candidates);
        if (from.allowed.size0() > 0) copy(from.allowed, offer.allowed);
    }
    return seen;
}

}  // namespace orrery
