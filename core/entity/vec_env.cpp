#include "core/entity/vec_env.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr std::int64_t kChunk = 16;  // environments that a thread takes at a time

}  // namespace

VecEnv::VecEnv(const std::function<std::unique_ptr<Environment>()>& make, const Rules& rules,
               ThreadTeam& team)
    : m_rules(rules),
      m_team(team),
      m_places(placesOf(make, rules)),
      m_layout(entityLayoutOf(m_places.front().environment->spaces())),
      m_seen(m_places.size()),
      m_sizes(m_layout),
      m_frames(m_layout) {
    m_sizes.resize(count());
    for (Place& place : m_places) {
        place.taken.resize(m_layout.actions.size());
        place.deferred = dynamic_cast<DeferredEnvironment*>(place.environment.get());
    }
    m_isTogether =
        std::ranges::all_of(m_places, [](const Place& place) { return place.deferred != nullptr; });
}

std::vector<VecEnv::Place> VecEnv::placesOf(
    const std::function<std::unique_ptr<Environment>()>& make, const Rules& rules) {
    assert(rules.count >= 1);
    std::vector<Place> places;
    for (std::int64_t i = 0; i < rules.count; ++i)
        places.push_back({make(), Rng(rules.seed, static_cast<std::uint64_t>(i))});
    return places;
}

void VecEnv::each(const std::function<void(std::int64_t index)>& body) {
    m_team.forChunks(0, count(), kChunk, {},
                     [&](std::int64_t begin, std::int64_t end, int /*thread*/) {
                         for (std::int64_t i = begin; i < end; ++i) body(i);
                     });
}

void VecEnv::take(std::int64_t index) {
    m_sizes.measure(m_layout, m_seen, index, index + 1);
    if (!m_rules.validates) return;
    const Place& place = m_places[static_cast<std::size_t>(index)];
    const std::vector<std::string> problems =
        problemsOf(place.environment->spaces(), m_seen[static_cast<std::size_t>(index)]);
    if (!problems.empty())
        throw badInput("Environment " + std::to_string(index) + ", step " +
                       std::to_string(place.steps) + ": " + problems.front() + '.');
}

void VecEnv::begin(std::int64_t index) {
    Place& place = m_places[static_cast<std::size_t>(index)];
    place.environment->reset(place.seeds.next(), m_seen[static_cast<std::size_t>(index)]);
}

const VecObs& VecEnv::reset() {
    for (Place& place : m_places) {
        place.steps = 0;
        place.isOver = place.hasLast = false;
        place.result = {};
    }
    if (m_isTogether)
        resetTogether([](const Place&) { return true; });
    else
        each([this](std::int64_t index) { begin(index); });
    each([this](std::int64_t index) {
        m_places[static_cast<std::size_t>(index)].metrics =
            m_seen[static_cast<std::size_t>(index)].metrics;
        take(index);
    });
    assemble();
    return m_frames;
}

/// What is decided in an environment.
void VecEnv::choose(std::int64_t index, const VecActions& actions) {
    Place& place = m_places[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const auto chosen = actions[i].sequence(index);
        place.taken[i].indices.assign(chosen.begin(), chosen.end());
    }
    if (place.isOver) place.steps = 0;
}

void VecEnv::step(std::int64_t index, const VecActions& actions) {
    choose(index, actions);
    Place& place = m_places[static_cast<std::size_t>(index)];
    place.environment->step(place.taken, place.result, m_seen[static_cast<std::size_t>(index)]);
    endStep(index);
    if (place.isOver) begin(index);
    take(index);
}

/// What the step came to; where it ended the episode the next one is to begin.
void VecEnv::endStep(std::int64_t index) {
    Place& place = m_places[static_cast<std::size_t>(index)];
    Observation& seen = m_seen[static_cast<std::size_t>(index)];
    ++place.steps;
    place.metrics = seen.metrics;
    if (place.result.end == EpisodeEnd::None && m_rules.maxEpisodeSteps > 0 &&
        place.steps >= m_rules.maxEpisodeSteps)
        place.result.end = EpisodeEnd::TimeOut;
    place.isOver = place.result.end != EpisodeEnd::None;
    place.hasLast = place.result.end == EpisodeEnd::TimeOut;
    if (place.hasLast) std::swap(place.last, seen);
}

/// The same where all ask first: a line each way for all that are in one process, and another for
/// episodes that begin.
void VecEnv::stepTogether(const VecActions& actions) {
    for (std::int64_t i = 0; i < count(); ++i) choose(i, actions);
    for (Place& place : m_places) place.deferred->askStep(place.taken);
    for (Place& place : m_places) place.deferred->send();
    each([this](std::int64_t index) {
        Place& place = m_places[static_cast<std::size_t>(index)];
        place.deferred->takeStep(place.result, m_seen[static_cast<std::size_t>(index)]);
        endStep(index);
    });
    resetTogether([](const Place& place) { return place.isOver; });
    each([this](std::int64_t index) { take(index); });
}

void VecEnv::resetTogether(const std::function<bool(const Place&)>& isBegun) {
    std::vector<std::int64_t> begun;
    for (std::int64_t i = 0; i < count(); ++i)
        if (isBegun(m_places[static_cast<std::size_t>(i)])) begun.push_back(i);
    const auto placeOf = [this](std::int64_t i) -> Place& {
        return m_places[static_cast<std::size_t>(i)];
    };
    for (const std::int64_t i : begun) placeOf(i).deferred->askReset(placeOf(i).seeds.next());
    for (const std::int64_t i : begun) placeOf(i).deferred->send();
    m_team.forChunks(0, std::ssize(begun), kChunk, {},
                     [&](std::int64_t from, std::int64_t end, int /*thread*/) {
                         for (std::int64_t k = from; k < end; ++k) {
                             const std::int64_t i = begun[static_cast<std::size_t>(k)];
                             placeOf(i).deferred->takeReset(m_seen[static_cast<std::size_t>(i)]);
                         }
                     });
}

const VecObs& VecEnv::act(const VecActions& actions) {
    assert(actions.size() == m_layout.actions.size());
    if (m_isTogether)
        stepTogether(actions);
    else
        each([&](std::int64_t index) { step(index, actions); });
    assemble();
    return m_frames;
}

void VecEnv::assemble() {
    m_frames.shape(m_sizes);
    m_team.forChunks(
        0, count(), kChunk, {}, [&](std::int64_t begin, std::int64_t end, int /*thread*/) {
            m_frames.copy(m_layout, m_seen, begin, end);
            for (std::int64_t i = begin; i < end; ++i) {
                const StepResult& result = m_places[i].result;
                m_frames.reward[i] =
                    result.rewards.empty() ? 0 : static_cast<float>(result.rewards.front());
                m_frames.done[i] = result.end != EpisodeEnd::None ? 1 : 0;
                m_frames.truncated[i] = result.end == EpisodeEnd::TimeOut ? 1 : 0;
            }
        });
}

const Observation* VecEnv::lastOf(std::int64_t environment) const {
    const Place& place = m_places[static_cast<std::size_t>(environment)];
    return place.hasLast ? &place.last : nullptr;
}

std::vector<std::string> VecEnv::states() const {
    std::vector<std::string> states;
    for (const Place& place : m_places)
        states.push_back(nlohmann::json{
            {"state", place.environment->state()},
            {"seeds", place.seeds.words()},
            {"steps", place.steps},
            {"over",
             place.isOver}}.dump());
    return states;
}

void VecEnv::setStates(const std::vector<std::string>& states) {
    if (states.size() != m_places.size())
        throw Error("There are states of " + std::to_string(states.size()) +
                        " environments, not of " + std::to_string(m_places.size()) + '.',
                    Error::Kind::Damaged);
    for (std::size_t i = 0; i < states.size(); ++i) {
        Place& place = m_places[i];
        try {
            const nlohmann::json entry = nlohmann::json::parse(states[i]);
            place.environment->setState(entry.at("state").get<std::string>(), m_seen[i]);
            place.seeds.setWords(entry.at("seeds").get<std::array<std::uint64_t, 4>>());
            place.steps = entry.at("steps");
            place.isOver = entry.at("over");
        } catch (const nlohmann::json::exception& error) {
            throw Error("Environment " + std::to_string(i) + " has no state: " + error.what(),
                        Error::Kind::Damaged);
        }
        if (hasBegunAnew(static_cast<std::int64_t>(i))) {
            place.steps = 0;
            place.isOver = false;
        }
        place.hasLast = false;
        place.result = {};
        place.metrics.clear();
    }
    m_sizes.measure(m_layout, m_seen, 0, count());
    assemble();
}

}  // namespace orrery
