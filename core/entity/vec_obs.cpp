#include "core/entity/vec_obs.h"

#include <algorithm>
#include <cassert>

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

std::int64_t numThingsOf(const EntityLayout& layout, std::size_t type, const Observation& frame) {
    return type < layout.numTypes() ? frame.parts[layout.types[type].part].begins[0][1] : 1;
}

std::int64_t numDeciders(const ActionSpace& action, const ActionOffer& offer) {
    return action.isOfActors ? std::ssize(offer.actors) : 1;
}

/// Gives a buffer the shape that a number of items a frame makes.
template <class T, class Length>
void reshape(RaggedBuffer<T>& buffer, std::span<const Observation> frames,
             std::vector<std::int64_t>& rows, Length&& lengthOf) {
    rows[0] = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) rows[i + 1] = rows[i] + lengthOf(frames[i]);
    buffer.reshape(rows);
}

template <class T>
std::span<RaggedCell<T>> rowsOf(RaggedBuffer<T>& buffer, std::int64_t frame) {
    const std::int64_t begin = buffer.rowBegin()[frame];
    return buffer.flat().subspan(begin * buffer.size2(),
                                 (buffer.rowBegin()[frame + 1] - begin) * buffer.size2());
}

/// All true where nothing is said.
void copyTruths(RaggedBuffer<bool>& buffer, std::int64_t frame,
                const std::vector<std::uint8_t>& from) {
    if (buffer.size0() == 0) return;
    const std::span<std::uint8_t> to = rowsOf(buffer, frame);
    if (from.empty())
        std::ranges::fill(to, 1);
    else
        std::ranges::copy(from, to.begin());
}

}  // namespace

void VecObs::shape(const EntityLayout& layout, std::span<const Observation> frames) {
    std::vector<std::int64_t> rows(frames.size() + 1);
    for (std::size_t type = 0; type < things.size(); ++type) {
        reshape(things[type], frames, rows,
                [&](const Observation& frame) { return numThingsOf(layout, type, frame); });
        const bool isHidden =
            type < layout.numTypes() && std::ranges::any_of(frames, [&](const Observation& frame) {
                return !frame.parts[layout.types[type].part].visible.empty();
            });
        if (isHidden)
            visible[type].reshape(rows);
        else
            visible[type].clear();
    }
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const ActionSpace& action = layout.actions[i];
        Offer& offer = offers[i];
        reshape(offer.actors, frames, rows,
                [&](const Observation& frame) { return numDeciders(action, frame.offers[i]); });
        const bool isLimited = std::ranges::any_of(
            frames, [&](const Observation& frame) { return !frame.offers[i].allowed.empty(); });
        if (!isLimited)
            offer.allowed.clear();
        else if (!offer.isSelection)
            offer.allowed.reshape(rows);
        else
            reshape(offer.allowed, frames, rows, [&](const Observation& frame) {
                return numDeciders(action, frame.offers[i]) *
                       std::ssize(frame.offers[i].candidates);
            });
        if (offer.isSelection)
            reshape(offer.candidates, frames, rows, [&](const Observation& frame) {
                return std::ssize(frame.offers[i].candidates);
            });
    }
    reward.resize(frames.size());
    done.resize(frames.size());
    truncated.resize(frames.size());
}

void VecObs::copy(const EntityLayout& layout, std::span<const Observation> frames,
                  std::int64_t begin, std::int64_t end) {
    const std::size_t numTypes = layout.numTypes();
    for (std::int64_t i = begin; i < end; ++i) {
        const Observation& frame = frames[static_cast<std::size_t>(i)];
        std::int64_t numThings = 0;
        for (std::size_t type = 0; type < numTypes; ++type) {
            const ObservedPart& part = frame.parts[layout.types[type].part];
            std::ranges::copy(part.values, rowsOf(things[type], i).begin());
            copyTruths(visible[type], i, part.visible);
            numThings += part.begins[0][1];
        }
        if (layout.hasGlobal) {
            auto to = rowsOf(things[numTypes], i).begin();
            for (const std::size_t part : layout.globals)
                to = std::ranges::copy(frame.parts[part].values, to).out;
        }
        for (std::size_t action = 0; action < offers.size(); ++action) {
            const ActionOffer& from = frame.offers[action];
            Offer& to = offers[action];
            if (layout.actions[action].isOfActors)
                std::ranges::copy(from.actors, rowsOf(to.actors, i).begin());
            else
                rowsOf(to.actors, i)[0] = numThings;  // the game's own is the last
            if (to.isSelection)
                std::ranges::copy(from.candidates, rowsOf(to.candidates, i).begin());
            copyTruths(to.allowed, i, from.allowed);
        }
    }
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
