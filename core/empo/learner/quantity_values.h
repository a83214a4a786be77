#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/empo/batch_profile.h"
#include "core/empo/flat_batch.h"
#include "core/empo/nets/quantity_nets.h"
#include "core/empo/spec.h"
#include "core/nn/learned_table.h"
#include "core/nn/state_rows.h"
#include "core/replay/world_facts.h"

namespace orrery {

class NoveltyNets;

/// X_h of a table is never read lower: its powers stay finite.
inline constexpr double kLeastX = 1e-10;

/// What values of one run have in common. Immutable.
struct ValueFacts {
    EmpoSpec spec;
    std::vector<WorldFacts> worlds;
    GoalList goals;
    int numRobotActions = 1;  ///< A
    int numHumans = 1;        ///< H, at most in a world
    double x_hHigh = 1;       ///< X_h is at most the sum of a human's goal weights

    at::Tensor rectangles;  ///< float [K, 4] x1, y1, x2, y2, on the device
    at::Tensor goalHuman;   ///< int64 [K]
    HumanPlaces places;     ///< int64 [layouts, H]; missing humans repeat the first
    at::Tensor hasHuman;    ///< float [layouts, H]

    /// @throws Error (BadInput) if the worlds do not go together
    ValueFacts(const EmpoSpec& spec, std::vector<WorldFacts> worlds, const at::Device& device);

    /// Of V_h^e's tables.
    int goalColumns() const { return numHumans * goals.maxGoals; }
    int columnsOf(Quantity quantity) const;
    bool isUniform() const { return worlds.size() == 1; }  ///< all states are of one layout
};

/// N states as values read them: as tensors where there are networks, as rows where there are
/// tables.
struct StateBatch {
    std::int64_t size = 0;
    StateTensors tensors = {};                  ///< undefined without networks
    std::span<const StateRows::Row> rows = {};  ///< [N], empty without tables
    HumanPlaces places = {};                    ///< undefined without networks
    at::Tensor hasHuman = {};                   ///< float [N, H]; undefined: all are there

    StateBatch first(std::int64_t count) const;  ///< the first of them
};

/// V_h^e, X_h, U_r, Q_r and V_r by networks or tables: live ones, target copies, or what collectors
/// act by.
class QuantityValues {
public:
    std::shared_ptr<const ValueFacts> facts;
    std::shared_ptr<const QuantityNets> nets;  ///< null without networks
    std::shared_ptr<const StateRows> rows;     ///< of the tables
    std::array<std::shared_ptr<const TableVersion>, kNumQuantities> tables;  ///< null: none
    std::shared_ptr<const NoveltyNets> novelty;                              ///< null without
    std::array<double, kNumQuantities> noveltyWeights = {};  ///< of noveltyFeatures()

    Approximator kindOf(Quantity quantity) const { return facts->spec.of(quantity).kind; }
    const TableVersion& table(Quantity quantity) const {
        return *tables[static_cast<std::size_t>(quantity)];
    }
};

/// Reads values of one batch; encoders run once. Keeps references to both.
class ValueReader {
public:
    /// @param profile  of what is copied to the device; null: nobody measures
    ValueReader(const QuantityValues& values, const StateBatch& states, NetPass pass = {},
                StageClock* profile = nullptr)
        : m_values(values), m_states(states), m_pass(pass), m_profile(profile) {}

    at::Tensor q_r() { return robot(Quantity::Q_r).value; }  ///< [N, A], < 0
    /// Q_r or V_r; z where the spec uses it.
    RobotOutput robot(Quantity quantity);
    at::Tensor x_h();   ///< [N, H], > 0
    at::Tensor u_rY();  ///< [N] y >= 1 of U_r = -y^eta, by a network
    at::Tensor u_r();   ///< [N], by a network or table
    at::Tensor v_r() { return robot(Quantity::V_r).value; }  ///< [N], by a network or table
    /// [R] of pairs of these states, in [0, 1] unless a network trains.
    at::Tensor v_h_e(const FlatBatch::Pairs& pairs);

private:
    const StateFeatures& shared();
    const at::Tensor& goalFeatures();
    at::Tensor gather(Quantity quantity) const;

    const QuantityValues& m_values;
    const StateBatch& m_states;
    NetPass m_pass;
    StageClock* m_profile;
    StateFeatures m_shared;
    bool m_hasShared = false;
    at::Tensor m_goalFeatures;
};

/// pi_r proportional to (-q)^(-beta), in log space; uniform at beta = 0.
/// @param q_r  [N, A], < 0
/// @param isFloored  as the original: at least 1e-10 each, normalised again
at::Tensor robotPolicy(const at::Tensor& q_r, double beta, bool isFloored = false);

/// U_r = -(mean_h X_h^-xi)^eta over the humans that are there. @param x_h [N, H] @return [N]
at::Tensor u_rOfX(const at::Tensor& x_h, const at::Tensor& hasHuman, const EmpoSpec& spec);
/// y = mean_h X_h^-xi. [N]
at::Tensor yOfX(const at::Tensor& x_h, const at::Tensor& hasHuman, const EmpoSpec& spec);

/// Numbers of a vector as a tensor: a view on the CPU, valid as long as the vector is not changed;
/// a copy on another device.
/// @param profile  its Conversion is what the copy takes; null: nobody measures
at::Tensor asTensor(const std::vector<std::int64_t>& numbers, const at::Device& device,
                    StageClock* profile = nullptr);
at::Tensor asTensor(const std::vector<float>& numbers, const at::Device& device,
                    StageClock* profile = nullptr);

}  // namespace orrery
