#include "core/grid/grid_expander.h"

#include <algorithm>
#include <bit>

namespace orrery {

namespace {

constexpr std::uint8_t kBlocks = 1;
constexpr std::uint8_t kRocks = 2;
constexpr std::uint8_t kPickables = 4;

}  // namespace

GridExpander::GridExpander(const GridLayout& layout)
    : m_layout(layout),
      m_rules(layout),
      m_words(layout.keyWords),
      m_agents(static_cast<int>(layout.agents.size())) {
    std::uint32_t stride = 1;
    int base = 0;
    for (const GridAgent& agent : layout.agents) {
        m_stride.push_back(stride);
        m_actionBase.push_back(base);
        stride *= static_cast<std::uint32_t>(agent.acts.size());
        base += static_cast<int>(agent.acts.size());
        m_effects.emplace_back(agent.acts.size());
        m_footprints.emplace_back(agent.acts.size());
    }
    m_profiles = stride;
    m_meets.resize(static_cast<std::size_t>(base) * m_agents);
    constexpr std::size_t kMostDense = std::size_t{1} << 24;  // 64 MiB
    const std::size_t memos = (std::size_t{1} << m_agents) * m_profiles;
    if (memos <= kMostDense) m_memo.assign(memos, -1);
    m_packed.resize(m_words);
    m_chosen.resize(m_agents);
}

std::uint32_t GridExpander::newOutcome(double probability) {
    m_probability.push_back(probability);
    m_delta.resize(m_delta.size() + m_words, 0);
    return static_cast<std::uint32_t>(m_probability.size() - 1);
}

void GridExpander::addForwardCells(int agentCell, int direction, Footprint& footprint) const {
    const int step = m_layout.step(direction);
    int cell = agentCell + step;
    footprint.add(cell);
    for (int mobile = m_rules.mobileAt(m_state, cell); mobile >= 0;
         mobile = m_rules.mobileAt(m_state, cell)) {
        footprint.lists |= m_state.mobiles[mobile].isRock ? kRocks : kBlocks;
        cell += step;
        footprint.add(cell);
    }
}

void GridExpander::footprintOf(std::size_t agent, Act act, Footprint& footprint) const {
    const GridState::Agent& who = m_state.agents[agent];
    const int front = m_layout.frontOf(who);
    for (std::size_t k = 0; k < m_state.controls.size(); ++k) {
        const GridState::Control& control = m_state.controls[k];
        if (control.awaiting && control.controlledAgent == static_cast<int>(agent))
            footprint.add(m_layout.controlCells[k]);
    }
    switch (act) {
        case Act::Forward:
            footprint.leaves = who.cell;
            footprint.movesOnly = true;
            addForwardCells(who.cell, who.direction, footprint);
            if (m_layout.cells[who.cell].terrain == Terrain::Unsteady) {
                addForwardCells(who.cell, (who.direction + 1) % 4, footprint);
                addForwardCells(who.cell, (who.direction + 3) % 4, footprint);
            }
            if (!m_layout.spec.fixMagicAll && m_rules.facesMagicAll(m_state, agent))
                footprint.everyone = true;
            break;
        case Act::Drop:
            footprint.add(front);
            if (who.carried != Carried::Nothing) footprint.lists |= kPickables;
            break;
        case Act::Pickup:
        case Act::Toggle:
            footprint.add(front);
            if (m_rules.pickableAt(m_state, front) >= 0) footprint.lists |= kPickables;
            switch (m_layout.cells[front].terrain) {
                case Terrain::KillButton:
                case Terrain::PauseSwitch:
                case Terrain::DisablingSwitch:
                case Terrain::ControlButton:
                    footprint.everyone = true;
                    break;
                default:
                    break;
            }
            break;
        default:
            break;
    }
}

bool GridExpander::quickEffect(std::size_t agent, Act act, Footprint& footprint,
                               std::uint32_t& begin) {
    const GridState::Agent& who = m_state.agents[agent];
    if (who.forcedAction >= 0 || !m_state.controls.empty()) return false;
    const GridLayout::AgentFields& fields = m_layout.agentFields[agent];
    const auto flip = [&](BitField field, std::uint64_t bits) {
        BitString::put(&m_delta[static_cast<std::size_t>(begin) * m_words], field, bits);
    };
    if (who.terminated || who.paused || act == Act::Still || act == Act::Done ||
        act == Act::Build) {
        begin = newOutcome(1.0);
        return true;
    }
    if (act == Act::Left || act == Act::Right) {
        begin = newOutcome(1.0);
        const unsigned turned = (who.direction + (act == Act::Left ? 3U : 1U)) % 4U;
        flip(fields.direction, turned ^ who.direction);
        return true;
    }
    if (act != Act::Forward || m_layout.cells[who.cell].terrain == Terrain::Unsteady) return false;
    const int front = m_layout.frontOf(who);
    const Terrain terrain = m_layout.cells[front].terrain;
    if (terrain == Terrain::Wall) {
        begin = newOutcome(1.0);
        return true;
    }
    const bool open = terrain == Terrain::Floor || terrain == Terrain::GoalTile ||
                      terrain == Terrain::SwitchTile || terrain == Terrain::Unsteady;
    if (!open || m_rules.mobileAt(m_state, front) >= 0 || m_rules.pickableAt(m_state, front) >= 0)
        return false;
    footprint.leaves = who.cell;
    footprint.movesOnly = true;
    footprint.add(front);
    begin = newOutcome(1.0);
    if (m_rules.agentAt(m_state, front) >= 0) return true;
    const auto from = static_cast<std::uint64_t>(fields.codeOfCell[who.cell]);
    const auto to = static_cast<std::uint64_t>(fields.codeOfCell[front]);
    flip(fields.cell, from ^ to);
    return true;
}

void GridExpander::prepareAgent(std::size_t agent) {
    const GridAgent& who = m_layout.agents[agent];
    const int forced = m_state.agents[agent].forcedAction;
    for (std::size_t a = 0; a < who.acts.size(); ++a) {
        Footprint& footprint = m_footprints[agent][a];
        footprint.numCells = 0;
        footprint.leaves = -1;
        footprint.movesOnly = false;
        footprint.lists = 0;
        footprint.everyone = false;
        if (forced >= 0 && a > 0) {
            // Whatever is chosen, the forced action happens.
            m_effects[agent][a] = m_effects[agent][0];
            footprint = m_footprints[agent][0];
            continue;
        }
        const Act act = who.acts[forced >= 0 ? forced : static_cast<int>(a)];
        Effect& effect = m_effects[agent][a];
        if (quickEffect(agent, act, footprint, effect.begin)) {
            effect.count = 1;
            continue;
        }
        const GridState::Agent& state = m_state.agents[agent];
        if (!state.terminated && !state.paused && act != Act::Still)
            footprintOf(agent, act, footprint);
        std::ranges::fill(m_chosen, -1);
        m_chosen[agent] = static_cast<int>(a);
        effect = runTogether(1U << agent, m_chosen.data());
        m_single = m_single && effect.count == 1;
    }
}

GridExpander::Effect GridExpander::runTogether(std::uint32_t members, const int* actions) {
    std::vector<int> group(m_agents, -1);
    for (int i = 0; i < m_agents; ++i)
        if (members >> i & 1U) group[i] = actions[i];
    Effect effect{static_cast<std::uint32_t>(m_probability.size()), 0};
    for (const GridRules::Branch& branch : m_rules.step(m_state, group)) {
        m_layout.pack(branch.state, m_packed.data());
        for (int w = 0; w < m_words; ++w) m_packed[w] ^= m_key[w];
        std::uint32_t same = effect.begin;
        const std::uint32_t end = effect.begin + effect.count;
        while (same < end && !std::equal(m_packed.begin(), m_packed.end(),
                                         &m_delta[static_cast<std::size_t>(same) * m_words]))
            ++same;
        if (same == end) {
            newOutcome(branch.probability);
            std::ranges::copy(m_packed, &m_delta[static_cast<std::size_t>(end) * m_words]);
            ++effect.count;
        } else {
            m_probability[same] += branch.probability;
        }
    }
    if (effect.count == 1) m_probability[effect.begin] = 1.0;
    return effect;
}

bool GridExpander::meet(const Footprint& a, const Footprint& b) const {
    if ((a.lists & b.lists) != 0) return true;
    for (int k = 0; k < a.numCells; ++k)
        for (int m = 0; m < b.numCells; ++m)
            if (a.cells[k] == b.cells[m]) return true;
    const auto notices = [](const Footprint& one, const Footprint& other) {
        if (one.movesOnly || other.leaves < 0) return false;
        return std::find(one.cells.begin(), one.cells.begin() + one.numCells, other.leaves) !=
               one.cells.begin() + one.numCells;
    };
    return notices(a, b) || notices(b, a);
}

void GridExpander::findMeetings() {
    m_anyMeeting = false;
    std::ranges::fill(m_meets, 0U);
    const auto row = [this](int agent, std::size_t action) {
        return &m_meets[(m_actionBase[agent] + action) * m_agents];
    };
    for (int i = 0; i < m_agents; ++i)
        for (int j = i + 1; j < m_agents; ++j)
            for (std::size_t a = 0; a < m_footprints[i].size(); ++a)
                for (std::size_t b = 0; b < m_footprints[j].size(); ++b) {
                    const Footprint &one = m_footprints[i][a], &other = m_footprints[j][b];
                    const bool always = one.everyone || other.everyone;
                    if (!always && (one.isNowhere() || other.isNowhere() || !meet(one, other)))
                        continue;
                    m_anyMeeting = true;
                    // Who walks against a wall touches no cell and needs nobody for its own step.
                    if (always || one.numCells > 0) row(i, a)[j] |= 1U << b;
                    if (always || other.numCells > 0) row(j, b)[i] |= 1U << a;
                }
}

GridExpander::Effect GridExpander::componentEffect(std::uint32_t members, const int* actions) {
    std::uint32_t index = 0;
    for (int i = 0; i < m_agents; ++i)
        if (members >> i & 1U) index += m_stride[i] * static_cast<std::uint32_t>(actions[i]);
    std::int32_t& known = memo(std::uint64_t{members} * m_profiles + index);
    if (known < 0) {
        known = static_cast<std::int32_t>(m_memoEffects.size());
        m_memoEffects.push_back(runTogether(members, actions));
    }
    return m_memoEffects[known];
}

std::int32_t& GridExpander::memo(std::uint64_t slot) {
    if (m_memo.empty()) return m_sparseMemo.try_emplace(slot, -1).first->second;
    if (m_memo[slot] < 0) m_memoUsed.push_back(static_cast<std::uint32_t>(slot));
    return m_memo[slot];
}

void GridExpander::clearMemo() {
    for (const std::uint32_t slot : m_memoUsed) m_memo[slot] = -1;
    m_memoUsed.clear();
    m_sparseMemo.clear();
    m_memoEffects.clear();
}

void GridExpander::combine(const Effect* effects, int numEffects, Expansion& out) {
    m_mixProbability.assign(1, 1.0);
    m_mixKey.assign(m_key, m_key + m_words);
    for (int e = 0; e < numEffects; ++e) {
        const std::size_t have = m_mixProbability.size();
        for (std::uint32_t o = 1; o < effects[e].count; ++o)
            for (std::size_t k = 0; k < have; ++k) {
                m_mixProbability.push_back(m_mixProbability[k] *
                                           m_probability[effects[e].begin + o]);
                for (int w = 0; w < m_words; ++w)
                    m_mixKey.push_back(
                        m_mixKey[k * m_words + w] ^
                        m_delta[static_cast<std::size_t>(effects[e].begin + o) * m_words + w]);
            }
        for (std::size_t k = 0; k < have; ++k) {
            m_mixProbability[k] *= m_probability[effects[e].begin];
            for (int w = 0; w < m_words; ++w)
                m_mixKey[k * m_words + w] ^=
                    m_delta[static_cast<std::size_t>(effects[e].begin) * m_words + w];
        }
    }
    // Effects of agents that cannot meet change different bits, so their combinations differ.
    const std::size_t count = m_mixProbability.size();
    out.count.push_back(static_cast<std::uint16_t>(count));
    if (count > 1 || m_mixProbability[0] != 1.0) out.deterministic = false;
    const std::size_t first = out.probability.size();
    for (std::size_t k = 0; k < count; ++k) {
        // Insertion keeps equal probabilities in enumeration order.
        std::size_t at = first + k;
        out.probability.push_back(m_mixProbability[k]);
        out.key.resize(out.key.size() + m_words);
        while (at > first && out.probability[at - 1] < m_mixProbability[k]) {
            out.probability[at] = out.probability[at - 1];
            std::copy_n(&out.key[(at - 1) * m_words], m_words, &out.key[at * m_words]);
            --at;
        }
        out.probability[at] = m_mixProbability[k];
        std::copy_n(&m_mixKey[k * m_words], m_words, &out.key[at * m_words]);
    }
}

int GridExpander::numPushers(std::uint32_t members, const int* actions) const {
    int pushers = 0;
    for (int i = 0; i < m_agents; ++i)
        if ((members >> i & 1U) && (m_footprints[i][actions[i]].lists & (kBlocks | kRocks)))
            ++pushers;
    return pushers;
}

void GridExpander::emitProfile(const int* actions, Expansion& out) {
    Effect effects[32];
    int numEffects = 0;
    std::uint32_t left = (1U << m_agents) - 1;
    while (left != 0) {
        // The agents that the lowest one left meets, directly or through others.
        std::uint32_t members = left & (~left + 1);
        for (std::uint32_t open = members; open != 0;) {
            const int i = std::countr_zero(open);
            open &= open - 1;
            const std::size_t action = m_actionBase[i] + actions[i];
            const std::uint32_t* row = &m_meets[action * m_agents];
            for (int j = 0; j < m_agents; ++j)
                if ((row[j] >> actions[j] & 1U) && !(members >> j & 1U)) {
                    members |= 1U << j;
                    open |= 1U << j;
                }
        }
        if (numPushers(members, actions) > 1) {
            // Runs that grow while they are pushed can reach cells of anyone.
            members = (1U << m_agents) - 1;
            numEffects = 0;
            left = members;
        }
        left &= ~members;
        const int lowest = std::countr_zero(members);
        effects[numEffects++] = std::has_single_bit(members) ? m_effects[lowest][actions[lowest]]
                                                             : componentEffect(members, actions);
    }
    combine(effects, numEffects, out);
}

void GridExpander::emitSimple(Expansion& out) {
    // No agent meets another and nothing is left to chance: one exclusive or a row.
    out.count.assign(m_profiles, 1);
    out.probability.assign(m_profiles, 1.0);
    out.key.resize(static_cast<std::size_t>(m_profiles) * m_words);
    std::copy_n(m_key, m_words, out.key.data());
    std::size_t filled = 1;
    for (int i = 0; i < m_agents; ++i) {
        const std::vector<Effect>& effects = m_effects[i];
        for (std::size_t a = effects.size(); a-- > 0;)
            for (std::size_t k = 0; k < filled; ++k)
                for (int w = 0; w < m_words; ++w)
                    out.key[(a * filled + k) * m_words + w] =
                        out.key[k * m_words + w] ^
                        m_delta[static_cast<std::size_t>(effects[a].begin) * m_words + w];
        filled *= effects.size();
    }
}

bool GridExpander::expand(std::span<const std::uint64_t> configuration, int /*step*/,
                          Expansion& out) {
    m_key = configuration.data();
    m_layout.unpack(m_key, m_state);
    m_probability.clear();
    m_delta.clear();
    m_single = true;
    for (int i = 0; i < m_agents; ++i) prepareAgent(i);
    findMeetings();
    out.deterministic = true;
    if (!m_anyMeeting && m_single) {
        if (m_profiles > out.mostEntries) return false;
        emitSimple(out);
        return true;
    }
    clearMemo();
    out.count.clear();
    out.probability.clear();
    out.key.clear();
    std::vector<int>& actions = m_chosen;
    std::ranges::fill(actions, 0);
    for (std::uint32_t profile = 0; profile < m_profiles; ++profile) {
        if (out.isEnough(profile) || m_probability.size() > out.mostEntries) return false;
        emitProfile(actions.data(), out);
        for (int i = 0; i < m_agents; ++i) {
            if (++actions[i] < static_cast<int>(m_layout.agents[i].acts.size())) break;
            actions[i] = 0;
        }
    }
    return true;
}

}  // namespace orrery
