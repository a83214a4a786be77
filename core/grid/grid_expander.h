#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/grid/grid_rules.h"

namespace orrery {

/// Expands grid-world configurations by factoring each action profile: what an agent does alone is
/// a change of bits that combines with the changes of agents it cannot meet by exclusive or; only
/// agents that can meet are run together through GridRules, once for each of their joint actions.
class GridExpander final : public Expander {
public:
    explicit GridExpander(const GridLayout& layout);

    bool expand(std::span<const std::uint64_t> configuration, int step, Expansion& out) override;

private:
    static constexpr int kMaxFootprint = 12;

    /// What one agent (or several that meet) can do to the bits of a configuration.
    struct Effect {
        std::uint32_t begin = 0;  ///< first outcome in m_probability and, times words, in m_delta
        std::uint32_t count = 0;
    };
    /// What an agent's action reads and writes beyond its own fields.
    struct Footprint {
        std::array<std::int32_t, kMaxFootprint> cells{};
        int numCells = 0;
        std::int32_t leaves = -1;  ///< the cell it may leave, which only objects' users notice
        bool movesOnly = false;    ///< a forward: does not notice what leaves a cell
        std::uint8_t lists = 0;    ///< bit 0 blocks, 1 rocks, 2 pickables
        bool everyone = false;     ///< must be run together with all agents
        /// Meets nobody, but for who must be run together with all.
        bool isNowhere() const { return numCells == 0 && leaves < 0 && lists == 0; }
        void add(int cell) {
            if (numCells < kMaxFootprint)
                cells[numCells++] = cell;
            else
                everyone = true;
        }
    };

    void prepareAgent(std::size_t agent);
    bool quickEffect(std::size_t agent, Act act, Footprint& footprint, std::uint32_t& begin);
    void footprintOf(std::size_t agent, Act act, Footprint& footprint) const;
    void addForwardCells(int agentCell, int direction, Footprint& footprint) const;
    bool meet(const Footprint& a, const Footprint& b) const;
    void findMeetings();
    Effect runTogether(std::uint32_t members, const int* actions);
    Effect componentEffect(std::uint32_t members, const int* actions);
    std::int32_t& memo(std::uint64_t slot);
    void clearMemo();
    int numPushers(std::uint32_t members, const int* actions) const;
    std::uint32_t newOutcome(double probability);
    void emitSimple(Expansion& out);
    void emitProfile(const int* actions, Expansion& out);
    void combine(const Effect* effects, int numEffects, Expansion& out);

    const GridLayout& m_layout;
    GridRules m_rules;
    int m_words;
    int m_agents;
    std::uint32_t m_profiles;
    std::vector<std::uint32_t> m_stride;  ///< [agents] of the profile index

    // State of the configuration being expanded.
    const std::uint64_t* m_key = nullptr;
    GridState m_state;
    std::vector<std::vector<Effect>> m_effects;        ///< [agent][action]
    std::vector<std::vector<Footprint>> m_footprints;  ///< [agent][action]
    std::vector<double> m_probability;                 ///< outcomes of all effects
    std::vector<std::uint64_t> m_delta;                ///< [outcome x words]
    std::vector<std::uint32_t>
        m_meets;                    ///< [agent x action][agent] bit b: meets that agent's action b
    std::vector<int> m_actionBase;  ///< [agent] row of its first action in m_meets
    bool m_anyMeeting = false;
    bool m_single = true;  ///< every effect has one outcome
    /// [member mask x profile] index into m_memoEffects, -1: none; empty where that is too large,
    /// as with nine agents, and then those that there are stand in m_sparseMemo.
    std::vector<std::int32_t> m_memo;
    std::vector<std::uint32_t> m_memoUsed;
    std::unordered_map<std::uint64_t, std::int32_t> m_sparseMemo;
    std::vector<Effect> m_memoEffects;
    std::vector<std::uint64_t> m_packed;
    std::vector<int> m_chosen;
    std::vector<double> m_mixProbability;
    std::vector<std::uint64_t> m_mixKey;
};

}  // namespace orrery
