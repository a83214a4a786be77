#include "core/empo/flat_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace orrery {

namespace {

/// gamma^D of a row.
float decay(double gamma, std::span<const float> duration, std::size_t row) {
    return static_cast<float>(duration.empty() ? gamma : std::pow(gamma, duration[row]));
}

}  // namespace

GoalList::GoalList(const std::vector<WorldFacts>& facts) {
    for (const WorldFacts& world : facts) {
        auto& list = humans.emplace_back();
        for (const WorldFacts::Human& human : world.humans) {
            Human& own = list.emplace_back();
            own.first = static_cast<int>(rectangles.size());
            own.count = static_cast<int>(human.goals.size());
            own.weights = human.weights;
            own.weightSum = std::accumulate(own.weights.begin(), own.weights.end(), 0.0);
            double sum = 0;
            for (const double weight : own.weights)
                own.drawn.push_back((sum += weight) / own.weightSum);
            own.drawn.back() = 1;  // rounding must not leave a draw without a goal
            rectangles.insert(rectangles.end(), human.goals.begin(), human.goals.end());
            humanOf.insert(humanOf.end(), human.goals.size(),
                           static_cast<std::int64_t>(list.size() - 1));
            maxGoals = std::max(maxGoals, own.count);
        }
        maxHumans = std::max(maxHumans, static_cast<int>(list.size()));
    }
}

Flattener::Flattener(const std::vector<WorldFacts>& facts, const GoalList& goals,
                     const EmpoSpec& spec)
    : m_facts(facts),
      m_goals(goals),
      m_spec(spec),
      m_numActions(facts.front().numRobotActions()),
      m_gamma_h(spec.gamma_h),
      m_gamma_r(spec.gamma_r),
      m_local(facts.size()) {}

const FlatBatch& Flattener::flatten(const ReplayBuffer& buffer, std::span<const Slot> batch,
                                    std::span<const Slot> xBatch, const FlatNeeds& needs,
                                    Rng& rng) {
    m_local.begin();
    m_gamma_h = needs.gamma_h.value_or(m_spec.gamma_h);
    m_gamma_r = needs.gamma_r.value_or(m_spec.gamma_r);
    FlatBatch& flat = m_batch;
    flat.numTransitions = std::ssize(batch);
    const std::size_t numHumans = batch.size() * m_goals.maxHumans;
    for (auto* list : {&flat.qSuccessor, &flat.qGroup, &flat.uState, &flat.uGroup, &flat.vPair,
                       &flat.vGroup, &flat.xGroup, &flat.stateOf, &flat.takenGroup, &flat.xStateOf})
        list->clear();
    for (auto* list : {&flat.qWeight, &flat.uWeight, &flat.vWeight, &flat.xWeight, &flat.xHasHuman})
        list->clear();
    flat.goal.assign(numHumans, 0);
    flat.goalColumn.assign(numHumans, 0);
    flat.hasHuman.assign(numHumans, 0);
    flat.qConstant.assign(needs.forRobot ? batch.size() * m_numActions : 0, 0);
    flat.attained.assign(needs.forV_h_e ? numHumans * m_numActions : 0, 0);
    flat.successorPairs.clear();
    flat.ownPairs.clear();
    flat.xPairs.clear();
    flat.isTakenOnly = m_spec.numSteps != 1;

    // First of all: what is learned of the states where transitions start reads a prefix of them.
    const bool hasOwnX = needs.forX_h && !xBatch.empty();
    addCurrent(buffer, batch, hasOwnX ? xBatch : std::span<const Slot>{});
    for (std::int64_t b = 0; b < std::ssize(batch); ++b) {
        drawGoals(buffer.at(batch[b]), b, rng);
        if (flat.isTakenOnly)
            addPath(buffer, batch[b], b, needs);
        else
            addTransition(buffer, batch[b], b, needs);
    }
    if (needs.forX_h || needs.x_hIsComputed)
        addGoalsOfX(buffer, hasOwnX ? xBatch : batch, needs, rng);
    return flat;
}

void Flattener::addCurrent(const ReplayBuffer& buffer, std::span<const Slot> batch,
                           std::span<const Slot> xBatch) {
    m_batch.states.clear();
    m_batch.layouts.clear();
    for (std::size_t b = 0; b < batch.size(); ++b) {
        const StoredTransition& transition = buffer.at(batch[b]);
        m_batch.stateOf.push_back(localOf(buffer.modelOf(batch[b]).state, transition.layout));
        m_batch.takenGroup.push_back(static_cast<std::int64_t>(b) * m_numActions +
                                     transition.robotAction);
    }
    m_batch.numCurrent = std::ssize(m_batch.states);
    for (const Slot slot : xBatch)
        m_batch.xStateOf.push_back(localOf(buffer.modelOf(slot).state, buffer.at(slot).layout));
    m_batch.numCurrentX = std::ssize(m_batch.states);
}

void Flattener::drawGoals(const StoredTransition& transition, std::int64_t b, Rng& rng) {
    const auto& humans = m_goals.humans[transition.layout];
    for (std::size_t h = 0; h < static_cast<std::size_t>(m_goals.maxHumans); ++h) {
        const std::size_t at = static_cast<std::size_t>(b) * m_goals.maxHumans + h;
        if (h < humans.size()) {
            std::int64_t column = static_cast<int>(transition.goals[h]);
            if (m_spec.humanModel == HumanModel::Expected) {
                const double u = rng.uniform();
                const auto& drawn = humans[h].drawn;
                column = std::upper_bound(drawn.begin(), drawn.end(), u) - drawn.begin();
            }
            m_batch.goalColumn[at] = column;
            m_batch.goal[at] = humans[h].first + column;
            m_batch.hasHuman[at] = 1;
        }
        // Also without such a human: the arrays are rectangular, and hasHuman masks it later.
        m_batch.ownPairs.add(
            m_batch.stateOf[b], static_cast<std::int64_t>(h), m_batch.goal[at],
            static_cast<std::int64_t>(h) * m_goals.maxGoals + m_batch.goalColumn[at]);
    }
}

bool Flattener::isGoalIn(const ReplayBuffer& buffer, StateStore::Index state, std::uint16_t layout,
                         int human, std::int64_t goal) const {
    const WorldFacts& facts = m_facts[layout];
    return isAttained(facts, buffer.states().at(state), facts.humans[human],
                      m_goals.rectangles[goal]);
}

void Flattener::computeMu(const StoredModel& model, std::int64_t b,
                          const StoredTransition& transition) {
    const WorldFacts& facts = m_facts[model.layout];
    const auto numHumans = static_cast<int>(facts.humans.size());
    // What the humans did stands for what they may do: no sum over profiles.
    if (m_spec.humanModel == HumanModel::Sampled || model.profile >= 0) {
        m_numProfiles = 1;
        m_firstProfile = model.profile >= 0 ? 0 : facts.humanProfile(transition.humanActions);
        m_mu.assign(1 + static_cast<std::size_t>(numHumans), 1.0F);
        return;
    }
    m_firstProfile = 0;
    m_numProfiles = facts.numHumanProfiles();
    m_mu.resize(static_cast<std::size_t>(1 + numHumans) * m_numProfiles);

    // The robot does not know the goals, so its values average each human over its goals. V_h^e is
    // about a human who pursues one goal, among others who are averaged in the same way.
    // [0] the marginals of the human, [1] its policy for the drawn goal; human after human.
    m_marginal.clear();
    const float* prior = model.prior().data();
    for (int h = 0; h < numHumans; ++h) {
        const GoalList::Human& human = m_goals.humans[model.layout][h];
        const int actions = facts.humans[h].numActions;
        const std::size_t begin = m_marginal.size();
        m_marginal.resize(begin + 2 * static_cast<std::size_t>(actions), 0.0);
        double sum = 0;
        for (int g = 0; g < human.count; ++g)
            for (int a = 0; a < actions; ++a) {
                const double part = human.weights[g] * prior[g * actions + a];
                m_marginal[begin + a] += part;
                sum += part;
            }
        const float* own = prior + m_batch.goalColumn[b * m_goals.maxHumans + h] * actions;
        for (int a = 0; a < actions; ++a) {
            m_marginal[begin + a] /= sum;
            m_marginal[begin + actions + a] = own[a];
        }
        prior += static_cast<std::ptrdiff_t>(human.count) * actions;
    }
    for (int p = 0; p < m_numProfiles; ++p)
        for (int own = -1; own < numHumans; ++own) {
            double product = 1;
            int rest = p;
            std::size_t end = m_marginal.size();
            for (int h = numHumans - 1; h >= 0; --h) {  // the first human is slowest
                const int actions = facts.humans[h].numActions;
                const std::size_t begin = end - 2 * static_cast<std::size_t>(actions);
                product *= m_marginal[begin + (h == own ? actions : 0) + rest % actions];
                rest /= actions;
                end = begin;
            }
            m_mu[static_cast<std::size_t>(1 + own) * m_numProfiles + p] =
                static_cast<float>(product);
        }
}

void Flattener::addTransition(const ReplayBuffer& buffer, Slot slot, std::int64_t b,
                              const FlatNeeds& needs) {
    const StoredTransition& transition = buffer.at(slot);
    const StoredModel& model = buffer.modelOf(slot);
    const std::size_t numSuccessors = model.successors().size();
    computeMu(model, b, transition);
    if (m_places.size() < numSuccessors) m_places.resize(numSuccessors);
    m_pairOf.assign(numSuccessors * m_goals.maxHumans, -1);

    FlatNeeds own = needs;
    // The original takes every last step of an episode for the end of all.
    if (m_spec.originalRules && transition.endsEpisode) own.forV_h_e = false;
    for (int action = 0; action < m_numActions; ++action) addAction(buffer, model, b, action, own);
}

void Flattener::addAction(const ReplayBuffer& buffer, const StoredModel& model, std::int64_t b,
                          int action, const FlatNeeds& needs) {
    const std::size_t width = 1 + m_facts[model.layout].humans.size();
    const auto rowBegin = model.rowBegin();
    const auto successor = model.successor();
    const auto probability = model.probability();
    const auto duration = model.duration();
    // Many profiles lead to few successors. They are summed up here, so that the networks see each
    // successor once and the batch does not grow with the profiles. A place counts as empty unless
    // it has this action's token: nothing has to be cleared.
    m_touched.clear();
    m_mass.clear();
    ++m_token;
    for (int p = 0; p < m_numProfiles; ++p) {
        const std::size_t row =
            static_cast<std::size_t>(m_firstProfile + p) * m_numActions + action;
        const float decay_r = decay(m_gamma_r, duration, row);
        const float decay_h = decay(m_gamma_h, duration, row);
        for (std::uint32_t k = rowBegin[row]; k < rowBegin[row + 1]; ++k) {
            Place& place = m_places[successor[k]];
            if (place.token != m_token) {
                place = {m_token, static_cast<std::uint32_t>(m_touched.size())};
                m_touched.push_back(successor[k]);
                m_mass.resize(m_mass.size() + 2 * width - 1, 0.0F);
            }
            // Robot's mass with its discount; for each human its mass and its discounted mass, as
            // a goal attained by this step counts 1 without a discount.
            float* mass = m_mass.data() + place.entry * (2 * width - 1);
            mass[0] += probability[k] * m_mu[p] * decay_r;
            for (std::size_t h = 1; h < width; ++h) {
                const float own = probability[k] * m_mu[h * m_numProfiles + p];
                mass[2 * h - 1] += own;
                mass[2 * h] += own * decay_h;
            }
        }
    }

    const bool isTerminal = model.endsWorld && !m_spec.originalRules;
    const std::int64_t group = b * m_numActions + action;
    for (std::size_t i = 0; i < m_touched.size(); ++i) {
        const float* mass = m_mass.data() + i * (2 * width - 1);
        const StateStore::Index state = model.successors()[m_touched[i]];
        if (needs.forRobot && mass[0] != 0) {
            if (isTerminal) {
                m_batch.qConstant[group] += mass[0] * static_cast<float>(m_spec.terminal_v_r);
            } else {
                m_batch.qSuccessor.push_back(localOf(state, model.layout));
                m_batch.qGroup.push_back(group);
                m_batch.qWeight.push_back(mass[0]);
            }
        }
        if (!needs.forV_h_e) continue;
        for (std::size_t h = 1; h < width; ++h) {
            if (mass[2 * h - 1] == 0) continue;
            const std::int64_t at = b * m_goals.maxHumans + static_cast<std::int64_t>(h) - 1;
            const std::int64_t vGroup = at * m_numActions + action;
            if (isGoalIn(buffer, state, model.layout, static_cast<int>(h) - 1, m_batch.goal[at]))
                m_batch.attained[vGroup] += mass[2 * h - 1];
            else if (!isTerminal)
                addPair(b, static_cast<int>(h) - 1, state, model.layout, m_touched[i], vGroup,
                        mass[2 * h]);
        }
    }
}

void Flattener::addPair(std::int64_t b, int human, StateStore::Index state, std::uint16_t layout,
                        std::uint32_t place, std::int64_t group, float weight) {
    // One pair for all robot actions that lead there: it is evaluated once.
    std::int64_t& pair = m_pairOf[std::size_t{place} * m_goals.maxHumans + human];
    if (pair < 0) {
        const std::int64_t at = b * m_goals.maxHumans + human;
        pair = std::ssize(m_batch.successorPairs.state);
        m_batch.successorPairs.add(
            localOf(state, layout), human, m_batch.goal[at],
            static_cast<std::int64_t>(human) * m_goals.maxGoals + m_batch.goalColumn[at]);
    }
    m_batch.vPair.push_back(pair);
    m_batch.vGroup.push_back(group);
    m_batch.vWeight.push_back(weight);
}

void Flattener::addPath(const ReplayBuffer& buffer, Slot slot, std::int64_t b,
                        const FlatNeeds& needs) {
    const StoredTransition& first = buffer.at(slot);
    const WorldFacts& facts = m_facts[first.layout];
    const std::int64_t group = m_batch.takenGroup[b];
    const int action = first.robotAction;
    const auto numHumans = facts.humans.size();
    m_pairOf.assign(m_goals.maxHumans, -1);
    std::vector<bool> isDone(numHumans,
                             !needs.forV_h_e || (m_spec.originalRules && first.endsEpisode));
    // The humans' discount is a step behind: the step that attains a goal is not discounted.
    double discount_r = 1, discount_h = 1;
    for (int k = 1;; ++k) {
        const StoredTransition& transition = buffer.at(slot);
        const StoredModel& model = buffer.modelOf(slot);
        const int profile = model.profile >= 0 ? 0 : facts.humanProfile(transition.humanActions);
        const std::size_t row =
            static_cast<std::size_t>(profile) * m_numActions + transition.robotAction;
        const double steps = model.duration().empty() ? 1.0 : model.duration()[row];
        discount_r *= std::pow(m_gamma_r, steps);
        const StateStore::Index reached = buffer.reachedState(slot);
        const bool isTerminal = model.endsWorld && !m_spec.originalRules;
        const Slot next = buffer.next(slot);
        const bool isLast = k == m_spec.numSteps || next == ReplayBuffer::kNone || isTerminal;

        for (std::size_t h = 0; h < numHumans; ++h) {
            if (isDone[h]) continue;
            const std::int64_t at = b * m_goals.maxHumans + static_cast<std::int64_t>(h);
            const std::int64_t vGroup = at * m_numActions + action;
            if (isGoalIn(buffer, reached, first.layout, static_cast<int>(h), m_batch.goal[at])) {
                m_batch.attained[vGroup] = static_cast<float>(discount_h);
                isDone[h] = true;
            } else if (isLast && !isTerminal) {
                addPair(b, static_cast<int>(h), reached, first.layout, 0, vGroup,
                        static_cast<float>(discount_h * std::pow(m_gamma_h, steps)));
            }
        }
        discount_h *= std::pow(m_gamma_h, steps);

        if (needs.forRobot) {
            if (isTerminal) {
                m_batch.qConstant[group] += static_cast<float>(discount_r * m_spec.terminal_v_r);
            } else if (isLast) {
                m_batch.qSuccessor.push_back(localOf(reached, first.layout));
                m_batch.qGroup.push_back(group);
                m_batch.qWeight.push_back(static_cast<float>(discount_r));
            } else {
                m_batch.uState.push_back(localOf(reached, first.layout));
                m_batch.uGroup.push_back(group);
                m_batch.uWeight.push_back(static_cast<float>(discount_r));
            }
        }
        if (isLast) return;
        slot = next;
    }
}

void Flattener::addGoalsOfX(const ReplayBuffer& buffer, std::span<const Slot> xBatch,
                            const FlatNeeds& needs, Rng& rng) {
    if (m_batch.xStateOf.empty()) m_batch.xStateOf = m_batch.stateOf;
    const int maxHumans = m_goals.maxHumans;
    for (const Slot slot : xBatch)
        for (int h = 0; h < maxHumans; ++h)
            m_batch.xHasHuman.push_back(
                h < static_cast<int>(m_facts[buffer.at(slot).layout].humans.size()) ? 1.0F : 0.0F);

    m_batch.xIsOfStates = m_spec.humanModel == HumanModel::Expected || needs.x_hIsComputed;
    if (m_batch.xIsOfStates) return goalsOfStates(needs, rng);
    for (std::size_t x = 0; x < xBatch.size(); ++x) {
        const StoredTransition& transition = buffer.at(xBatch[x]);
        const auto& humans = m_goals.humans[transition.layout];
        for (std::size_t h = 0; h < humans.size(); ++h) {
            const std::int64_t column = static_cast<int>(transition.goals[h]);
            m_batch.xPairs.add(m_batch.xStateOf[x], static_cast<std::int64_t>(h),
                               humans[h].first + column,
                               static_cast<std::int64_t>(h) * m_goals.maxGoals + column);
            m_batch.xGroup.push_back(static_cast<std::int64_t>(x) * maxHumans +
                                     static_cast<std::int64_t>(h));
            m_batch.xWeight.push_back(transition.goalWeights[h]);
        }
    }
}

void Flattener::goalsOfStates(const FlatNeeds& needs, Rng& rng) {
    m_batch.xStates = needs.x_hIsComputed ? std::ssize(m_batch.states) : m_batch.numCurrentX;
    std::vector<int> chosen;
    for (std::int64_t s = 0; s < m_batch.xStates; ++s) {
        const auto& humans = m_goals.humans[m_batch.layouts[s]];
        for (std::size_t h = 0; h < humans.size(); ++h) {
            const GoalList::Human& human = humans[h];
            chosen.resize(human.count);
            std::iota(chosen.begin(), chosen.end(), 0);
            int count = human.count;
            if (!needs.usesEveryGoal && count > m_spec.goalsPerHuman) {
                // The first of a shuffled list: each goal with the same chance.
                count = m_spec.goalsPerHuman;
                for (int i = 0; i < count; ++i)
                    std::swap(chosen[i], chosen[i + static_cast<int>(rng.below(human.count - i))]);
            }
            // Each goal is chosen with the chance count / human.count: the mean is the whole sum.
            const double scale = static_cast<double>(human.count) / count;
            for (int i = 0; i < count; ++i) {
                m_batch.xPairs.add(s, static_cast<std::int64_t>(h), human.first + chosen[i],
                                   static_cast<std::int64_t>(h) * m_goals.maxGoals + chosen[i]);
                m_batch.xGroup.push_back(s * m_goals.maxHumans + static_cast<std::int64_t>(h));
                m_batch.xWeight.push_back(static_cast<float>(human.weights[chosen[i]] * scale));
            }
        }
    }
}

}  // namespace orrery
