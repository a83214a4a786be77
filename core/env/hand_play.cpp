#include "core/env/hand_play.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::int64_t kGoOn = -1;  // where nobody has anything to decide

}  // namespace

HandPlay::HandPlay(std::unique_ptr<Environment> environment, std::uint64_t seed)
    : m_environment(std::move(environment)) {
    for (const ActionSpace& space : spaces().actions)
        if (space.kind == ActionSpace::Kind::Numbers)
            throw badInput("The action '" + escaped(space.name, 60) +
                           "' is a vector of numbers; only choices and selections are played by "
                           "hand.");
    m_environment->reset(seed, m_seen);
    see();
}

/// Of a frame that is new.
void HandPlay::see() {
    m_things = observedThings(spaces(), m_seen);
    m_taken.assign(spaces().actions.size(), {});
    m_made.clear();
    findDecision();
}

HandPlay::Decision HandPlay::decisionAt(std::size_t action, std::int64_t decider) const {
    const ActionSpace& space = spaces().actions[action];
    const ActionOffer& offer = m_seen.offers[action];
    const bool isSelection = space.kind == ActionSpace::Kind::Select;
    Decision decision{.action = action, .decider = decider};
    if (space.isOfActors) decision.actor = offer.actors[static_cast<std::size_t>(decider)];
    const std::int64_t count =
        isSelection ? std::ssize(offer.candidates) : std::ssize(space.choices);
    for (std::int64_t i = 0; i < count; ++i) {
        if (!offer.allowed.empty() &&
            offer.allowed[static_cast<std::size_t>(decider * count + i)] == 0)
            continue;
        const std::int64_t thing = isSelection ? offer.candidates[static_cast<std::size_t>(i)] : -1;
        decision.options.push_back(
            {.value = i,
             .thing = thing,
             .name = isSelection ? thingText(thing) : space.choices[static_cast<std::size_t>(i)]});
    }
    return decision;
}

/// The first one that is not made yet; where all are, the step is taken. Who has nothing to choose
/// from is passed over; where that are all, the only option is to go on.
void HandPlay::findDecision() {
    if (isOver() || findOpen()) return;
    if (m_made.empty()) {
        m_decision = {.options = {{.value = kGoOn, .name = "go on"}}};
        return;
    }
    step();
    if (!isOver() && !findOpen()) m_decision = {.options = {{.value = kGoOn, .name = "go on"}}};
}

/// @return whether there is one
bool HandPlay::findOpen() {
    for (std::size_t action = 0; action < m_taken.size(); ++action) {
        const std::int64_t deciders =
            spaces().actions[action].isOfActors ? std::ssize(m_seen.offers[action].actors) : 1;
        auto& indices = m_taken[action].indices;
        while (std::ssize(indices) < deciders) {
            m_decision = decisionAt(action, std::ssize(indices));
            if (!m_decision.options.empty()) return true;
            indices.push_back(-1);
        }
    }
    return false;
}

void HandPlay::step() {
    m_now.state = m_environment->state();
    m_moments.push_back(m_now);
    StepResult result;
    m_environment->step(m_taken, result, m_seen);
    ++m_now.steps;
    m_now.reward = result.rewards.empty() ? 0 : result.rewards.front();
    m_now.total += m_now.reward;
    m_now.end = result.end;
    m_things = observedThings(spaces(), m_seen);
    m_taken.assign(spaces().actions.size(), {});
    m_made.clear();
}

void HandPlay::choose(std::int64_t value) {
    assert(!isOver() && std::ranges::find(m_decision.options, value, &Decision::Option::value) !=
                            m_decision.options.end());
    if (value == kGoOn) {
        step();
    } else {
        m_made.push_back(m_decision.action);
        m_taken[m_decision.action].indices.push_back(value);
    }
    findDecision();
}

void HandPlay::goBack() {
    if (!canGoBack()) return;
    if (!m_made.empty()) {
        // Behind it may stand those who had nothing to choose from.
        std::vector<std::int64_t>& indices = m_taken[m_made.back()].indices;
        while (indices.back() < 0) indices.pop_back();
        indices.pop_back();
        for (std::size_t later = m_made.back() + 1; later < m_taken.size(); ++later)
            m_taken[later].indices.clear();
        m_made.pop_back();
    } else {
        m_now = m_moments.back();
        m_moments.pop_back();
        m_environment->setState(m_now.state, m_seen);
        m_things = observedThings(spaces(), m_seen);
        m_taken.assign(spaces().actions.size(), {});
    }
    findDecision();
}

}  // namespace orrery
