#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/empo/nets/net_spec.h"
#include "core/empo/nets/state_tensors.h"
#include "core/nn/net_pass.h"
#include "core/nn/parameters.h"

namespace orrery {

/// What encoders made of N states, computed once and read by several heads.
struct StateFeatures {
    at::Tensor state;   ///< [N, stateFeatures()]
    at::Tensor humans;  ///< [N, H, humanFeatures()]; undefined unless humans were asked for
};

/// Who the humans of each state are.
struct HumanPlaces {
    at::Tensor slots;   ///< int64 [H] or [N, H]: place among the agents of the encoded state
    at::Tensor agents;  ///< int64 [H] or [N, H]: agent index, >= 0
};

/// Values of robot actions or states, all < 0.
struct RobotOutput {
    at::Tensor value;  ///< [N, A_r] or [N]
    at::Tensor z;      ///< the same in z-space, in (0, 1); undefined unless NetSpec::usesZSpace
};

/// The networks of one run: shared encoders, encoders of single quantities, and heads.
///
/// Weights follow from the seed alone, each parameter by its name, so that leaving a head out
/// changes no other. Forward passes are const and may run in several threads at once as long as
/// nobody writes the parameters. Whether gradients are recorded is the caller's affair (NoGradGuard
/// around targets); a copy made by frozen() never records any.
class QuantityNets {
public:
    QuantityNets(const NetSpec& spec, std::uint64_t seed);
    ~QuantityNets();
    QuantityNets(QuantityNets&&) noexcept;
    QuantityNets& operator=(QuantityNets&&) noexcept;

    const NetSpec& spec() const;

    /// A copy of all weights that records no gradients: a target, or an immutable version for
    /// collectors.
    std::unique_ptr<QuantityNets> frozen() const;
    /// Copies the weights of one quantity, with the encoders that it trains: its own, or the shared
    /// ones for V_h^e. Both must have the same spec.
    void copyFrom(const QuantityNets& other, NetHead head);
    /// Moves every parameter to a device; optimisers made before must be made anew.
    void moveTo(const at::Device& device);
    at::Device device() const;

    /// All parameters, quantity by quantity in a fixed order. The tensors are the live ones.
    const std::vector<NetParameter>& parameters() const;
    /// What the loss of one quantity trains: see copyFrom. With Encoders::SharedTrained its loss
    /// also reaches the shared encoders, which are listed under V_h^e only.
    std::vector<NetParameter> parametersOf(NetHead head) const;

    std::int64_t stateFeatures() const;  ///< F, or the number of inputs without encoders
    std::int64_t humanFeatures() const;  ///< 80, or the number of inputs
    std::int64_t goalFeatures() const;   ///< 64, or 4

    // Encoders. `humans` may be null where no head of humans follows.

    /// Brings the cells into the form that encoders read, once for all that follow; without it each
    /// does so itself. For networks of one spec and device.
    void prepare(StateTensors& states) const;

    /// The shared encoders, which V_h^e trains.
    StateFeatures encodeShared(const StateTensors& states, const HumanPlaces* humans,
                               LayerSink* sink = nullptr) const;
    /// The encoders of one quantity; undefined tensors if it has none. X_h needs `humans`.
    StateFeatures encodeOwn(NetHead head, const StateTensors& states, const HumanPlaces* humans,
                            LayerSink* sink = nullptr) const;
    /// @param goals  float [K, 4]: x1, y1, x2, y2
    /// @return [K, goalFeatures()]
    at::Tensor encodeGoals(const at::Tensor& goals, LayerSink* sink = nullptr) const;

    // Heads. `shared` enters them detached unless the spec says otherwise.

    /// V_h^e of every state and goal.
    /// @param goals      [K, goalFeatures()] of encodeGoals, all humans' goals in one list
    /// @param goalHuman  int64 [K]: the human of each goal, in [0, H)
    /// @return [N, K] in [v_h_eLow, v_h_eHigh] in evaluation
    at::Tensor v_h_eOfAll(const StateFeatures& shared, const at::Tensor& goals,
                          const at::Tensor& goalHuman, NetPass pass) const;
    /// V_h^e of R triples.
    /// @param state, human, goal  int64 [R]: rows of `shared`, of its humans, of `goals`
    /// @return [R], or [R, goalOutputs] if the spec wants more than one
    at::Tensor v_h_e(const StateFeatures& shared, const at::Tensor& goals, const at::Tensor& state,
                     const at::Tensor& human, const at::Tensor& goal, NetPass pass) const;
    /// X_h: [N, H], in [x_hLow, x_hHigh] in evaluation.
    at::Tensor x_h(const StateFeatures& shared, const StateFeatures& own, NetPass pass) const;
    /// y > 1 of U_r = -y^eta: [N]. See u_rOfY.
    at::Tensor u_rY(const StateFeatures& shared, const StateFeatures& own, NetPass pass) const;
    /// Q_r of every joint action: [N, A_r].
    RobotOutput q_r(const StateFeatures& shared, const StateFeatures& own, NetPass pass) const;
    /// V_r: [N].
    RobotOutput v_r(const StateFeatures& shared, const StateFeatures& own, NetPass pass) const;

private:
    struct Parts;
    explicit QuantityNets(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

}  // namespace orrery
