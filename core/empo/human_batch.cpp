#include "core/empo/human_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orrery {

int mostHumanActions(const std::vector<WorldFacts>& facts) {
    int most = 1;
    for (const WorldFacts& world : facts)
        for (const WorldFacts::Human& human : world.humans) most = std::max(most, human.numActions);
    return most;
}

int mostOtherProfiles(const std::vector<WorldFacts>& facts) {
    int most = 1;
    for (const WorldFacts& world : facts)
        for (const WorldFacts::Human& human : world.humans)
            most = std::max(most, world.numHumanProfiles() / human.numActions);
    return most;
}

HumanFlattener::HumanFlattener(const std::vector<WorldFacts>& facts, const GoalList& goals,
                               const EmpoSpec& spec)
    : m_facts(facts), m_goals(goals), m_gamma_h(spec.gamma_h), m_local(facts.size()) {
    m_batch.numActions = mostHumanActions(facts);
    m_batch.numProfiles = mostOtherProfiles(facts);
    m_batch.numRobotActions = facts.front().numRobotActions();
}

bool HumanFlattener::isGoalIn(const ReplayBuffer& buffer, StateStore::Index state,
                              std::uint16_t layout, int human, int goal) const {
    const WorldFacts& facts = m_facts[layout];
    const WorldFacts::Human& own = facts.humans[static_cast<std::size_t>(human)];
    return isAttained(facts, buffer.states().at(state), own,
                      own.goals[static_cast<std::size_t>(goal)]);
}

const HumanBatch& HumanFlattener::flatten(const ReplayBuffer& buffer,
                                          std::span<const ReplayBuffer::Slot> batch, bool everyGoal,
                                          Rng& rng) {
    m_local.begin();
    HumanBatch& flat = m_batch;
    flat.states.clear();
    flat.layouts.clear();
    flat.questions.clear();
    flat.successors.clear();
    for (auto* list : {&flat.pair, &flat.group}) list->clear();
    for (auto* list :
         {&flat.hasAction, &flat.successorHasAction, &flat.belief, &flat.weight, &flat.attained})
        list->clear();
    for (const ReplayBuffer::Slot slot : batch)
        localOf(buffer.modelOf(slot).state, buffer.at(slot).layout);
    flat.numCurrent = std::ssize(flat.states);
    for (const ReplayBuffer::Slot slot : batch) {
        const StoredModel& model = buffer.modelOf(slot);
        const std::int64_t state = localOf(model.state, model.layout);
        const auto& humans = m_goals.humans[model.layout];
        for (std::size_t h = 0; h < humans.size(); ++h) {
            int first = 0, last = humans[h].count - 1;
            if (!everyGoal) {
                const auto& drawn = humans[h].drawn;
                first = last = static_cast<int>(
                    std::upper_bound(drawn.begin(), drawn.end(), rng.uniform()) - drawn.begin());
            }
            for (int g = first; g <= last; ++g)
                if (!isGoalIn(buffer, model.state, model.layout, static_cast<int>(h), g))
                    ask(buffer, model, state, static_cast<int>(h), g);
        }
    }
    return flat;
}

void HumanFlattener::ask(const ReplayBuffer& buffer, const StoredModel& model, std::int64_t state,
                         int human, int goal) {
    const WorldFacts& facts = m_facts[model.layout];
    const GoalList::Human& own = m_goals.humans[model.layout][static_cast<std::size_t>(human)];
    const int actions = facts.humans[static_cast<std::size_t>(human)].numActions;
    const int profiles = facts.numHumanProfiles() / actions;
    const std::int64_t listed = own.first + goal;
    const std::int64_t column = std::int64_t{human} * m_goals.maxGoals + goal;
    m_batch.questions.add(state, human, listed, column);
    for (int a = 0; a < m_batch.numActions; ++a)
        m_batch.hasAction.push_back(a < actions ? 1.0F : 0.0F);
    for (int p = 0; p < m_batch.numProfiles; ++p)
        m_batch.belief.push_back(p < profiles ? 1.0F / static_cast<float>(profiles) : 0.0F);

    const auto successors = model.successors();
    m_place.resize(successors.size());
    for (std::size_t u = 0; u < successors.size(); ++u) {
        if (isGoalIn(buffer, successors[u], model.layout, human, goal)) {
            m_place[u] = kAttained;
        } else if (model.endsWorld) {
            m_place[u] = kEnd;
        } else {
            m_place[u] = std::ssize(m_batch.successors.state);
            m_batch.successors.add(localOf(successors[u], model.layout), human, listed, column);
            for (int a = 0; a < m_batch.numActions; ++a)
                m_batch.successorHasAction.push_back(a < actions ? 1.0F : 0.0F);
        }
    }
    addRows(model, human, actions);
}

/// What follows each action of the human, each profile of the others and each robot action.
void HumanFlattener::addRows(const StoredModel& model, int human, int actions) {
    assert(model.profile < 0);
    const WorldFacts& facts = m_facts[model.layout];
    const int numRobotActions = m_batch.numRobotActions;
    int below = 1;  // profiles of the humans behind it, whose actions change faster
    for (std::size_t h = static_cast<std::size_t>(human) + 1; h < facts.humans.size(); ++h)
        below *= facts.humans[h].numActions;
    const auto rowBegin = model.rowBegin();
    const auto successor = model.successor();
    const auto probability = model.probability();
    const auto duration = model.duration();
    const std::size_t question = m_batch.questions.size() - 1;
    m_batch.attained.resize((question + 1) * static_cast<std::size_t>(m_batch.numActions) *
                                static_cast<std::size_t>(m_batch.numProfiles * numRobotActions),
                            0.0F);
    for (int whole = 0; whole < facts.numHumanProfiles(); ++whole) {
        const int action = whole / below % actions;
        const int others = whole / (below * actions) * below + whole % below;
        const std::int64_t first =
            ((static_cast<std::int64_t>(question) * m_batch.numActions + action) *
                 m_batch.numProfiles +
             others) *
            numRobotActions;
        for (int r = 0; r < numRobotActions; ++r) {
            const std::size_t row =
                static_cast<std::size_t>(whole) * static_cast<std::size_t>(numRobotActions) +
                static_cast<std::size_t>(r);
            const double decay =
                duration.empty() ? m_gamma_h : std::pow(m_gamma_h, double{duration[row]});
            for (std::uint32_t k = rowBegin[row]; k < rowBegin[row + 1]; ++k) {
                const std::int64_t place = m_place[successor[k]];
                if (place == kAttained) {
                    m_batch.attained[static_cast<std::size_t>(first + r)] += probability[k];
                } else if (place >= 0) {
                    m_batch.pair.push_back(place);
                    m_batch.group.push_back(first + r);
                    m_batch.weight.push_back(static_cast<float>(probability[k] * decay));
                }
            }
        }
    }
}

}  // namespace orrery
