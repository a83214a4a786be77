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
    checkActions();
    m_environment->reset(seed, m_seen);
    see();
    findDecision();
}

HandPlay::HandPlay(std::unique_ptr<Environment> environment, std::string_view state)
    : m_environment(std::move(environment)) {
    checkActions();
    m_environment->setState(state, m_seen);
    see();
    findDecision();
}

void HandPlay::checkActions() const {
    for (const ActionSpace& space : spaces().actions)
        if (space.kind == ActionSpace::Kind::Numbers)
            throw badInput("The action '" + escaped(space.name, 60) +
                           "' is a vector of numbers; only choices and selections are played by "
                           "hand.");
}

/// Of a frame that is new: nothing is decided but what nobody can decide.
void HandPlay::see() {
    m_things = observedThings(spaces(), m_seen);
    m_taken.assign(spaces().actions.size(), {});
    m_made.clear();
    for (std::size_t action = 0; action < m_taken.size(); ++action) {
        const std::int64_t deciders =
            spaces().actions[action].isOfActors ? std::ssize(m_seen.offers[action].actors) : 1;
        for (std::int64_t decider = 0; decider < deciders; ++decider)
            m_taken[action].indices.push_back(canDecide(action, decider) ? kUndecided : -1);
    }
}

bool HandPlay::canDecide(std::size_t action, std::int64_t decider) const {
    const ActionSpace& space = spaces().actions[action];
    const ActionOffer& offer = m_seen.offers[action];
    const std::int64_t count = space.kind == ActionSpace::Kind::Select
                                   ? std::ssize(offer.candidates)
                                   : std::ssize(space.choices);
    if (offer.allowed.empty()) return count > 0;
    const auto begin = offer.allowed.begin() + decider * count;
    return std::any_of(begin, begin + count, [](std::uint8_t flag) { return flag != 0; });
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

std::vector<HandPlay::Open> HandPlay::open() const {
    std::vector<Open> all;
    if (isOver()) return all;
    for (std::size_t action = 0; action < m_taken.size(); ++action)
        for (std::size_t decider = 0; decider < m_taken[action].indices.size(); ++decider)
            if (m_taken[action].indices[decider] == kUndecided)
                all.push_back({action, static_cast<std::int64_t>(decider),
                               spaces().actions[action].isOfActors
                                   ? m_seen.offers[action].actors[decider]
                                   : -1});
    return all;
}

void HandPlay::turnTo(const Open& open) {
    m_decision = decisionAt(open.action, open.decider);
}

/// The first one that is not made yet; where all are, the step is taken. Where nobody has anything
/// to choose from, the only option is to go on.
void HandPlay::findDecision() {
    if (isOver()) return;
    std::vector<Open> left = open();
    if (left.empty() && !m_made.empty()) {
        step();
        if (isOver()) return;
        left = open();
    }
    if (left.empty())
        m_decision = {.options = {{.value = kGoOn, .name = "go on"}}};
    else
        turnTo(left.front());
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
    see();
}

void HandPlay::choose(std::int64_t value) {
    assert(!isOver() && std::ranges::find(m_decision.options, value, &Decision::Option::value) !=
                            m_decision.options.end());
    if (value == kGoOn) {
        step();
    } else {
        const auto decider = static_cast<std::size_t>(m_decision.decider);
        m_made.push_back({m_decision.action, decider});
        m_taken[m_decision.action].indices[decider] = value;
    }
    findDecision();
}

void HandPlay::goBack() {
    if (!canGoBack()) return;
    if (!m_made.empty()) {
        const Made last = m_made.back();
        m_made.pop_back();
        m_taken[last.action].indices[last.decider] = kUndecided;
        m_decision = decisionAt(last.action, static_cast<std::int64_t>(last.decider));
        return;
    }
    m_now = m_moments.back();
    m_moments.pop_back();
    m_environment->setState(m_now.state, m_seen);
    see();
    findDecision();
}

}  // namespace orrery
