#pragma once

#include <cstdint>
#include <vector>

#include "core/env/catalogue.h"

namespace orrery::test {

struct CorridorRules {
    int length = 10;                         ///< [2, 1000] cells; the last one is the goal
    std::vector<std::int64_t> starts = {0};  ///< one of them, by the seed; each before the goal
    int timeOut = 20'000;                    ///< steps, at least 1
};

/// A walk to the last of some cells in a row, where the reward is 1; a step against a wall stays.
class CorridorEnvironment : public Environment {
public:
    explicit CorridorEnvironment(CorridorRules rules);

    const EnvironmentSpaces& spaces() const override { return m_spaces; }
    void reset(std::uint64_t seed, Observation& out) override;
    void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) override;
    std::string state() const override;
    void setState(std::string_view json, Observation& out) override;
    void facts(std::span<double> out) const override;
    Picture picture(const PictureWish& wish) const override;

    int cell() const { return m_cell; }

private:
    void observe(Observation& out) const;

    CorridorRules m_rules;
    EnvironmentSpaces m_spaces;
    int m_cell = 0, m_steps = 0;
};

/// Of a corridor with somebody in it, and how good each cell is; empty: not known.
Picture corridorPicture(int length, int cell, std::span<const double> values,
                        const PictureWish& wish);

/// "corridor", with the option `length`.
const EnvironmentEntry& corridorEntry();

}  // namespace orrery::test
