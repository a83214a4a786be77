#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/encode/compact_state.h"
#include "core/encode/planes.h"

namespace orrery {

/// The learned quantities that can have a network, in the order in which they are listed
/// everywhere.
enum class NetHead : std::uint8_t { V_h_e, X_h, U_r, Q_r, V_r };
inline constexpr int kNumNetHeads = 5;
/// "v_h_e", "x_h", "u_r", "q_r", "v_r": the first part of its parameters' names.
const char* nameOf(NetHead head);

/// What the networks of one run look like. Source: spec empo 6.2.
struct NetSpec {
    EncodingShape shape;  ///< of the encoded states, >= 2 x 2 cells
    PlaneLayout planes = PlaneLayout::Whole;
    int numRobotActions = 1;                                              ///< joint actions, >= 1
    std::array<bool, kNumNetHeads> has = {true, true, true, true, true};  ///< which heads exist

    int goalOutputs = 1;       ///< numbers that the head V_h_e gives, >= 1: [R, goalOutputs] if > 1
    int hiddenSize = 256;      ///< F, in [8, 4096]
    double dropout = 0.5;      ///< [0, 1), after each hidden layer of a head, in training
    bool usesEncoders = true;  ///< false: the inputs themselves, flattened, are the features

    /// What X_h, U_r, Q_r and V_r read. V_h^e always reads and trains the shared encoders.
    enum class Encoders : std::uint8_t {
        SharedAndOwn,   ///< shared features, detached, beside those of encoders of their own
        Shared,         ///< shared features, detached
        SharedTrained,  ///< both, and their losses train the shared encoders too
    };
    Encoders encoders = Encoders::SharedAndOwn;

    bool usesZSpace = false;             ///< Q_r and V_r through z in (0, 1)
    double eta = 1.1, xi = 1.0;          ///< > 0, of the z-space
    double v_h_eLow = 0, v_h_eHigh = 1;  ///< where V_h^e is clamped
    /// Where X_h is clamped; > 0. The original's lower end is the least p w of its goal sampler:
    /// what the least likely goal adds where it is sure to hold at once. Discounted or unlikely
    /// goals give less, and where no goal is in reach X_h is 0, so the end is only kept off 0, for
    /// the powers that U_r takes.
    double x_hLow = 1e-6, x_hHigh = 1;
    /// The first convolution adds kernel columns by the cells' codes. Same function, other order of
    /// sums; used on the CPU only. false: LibTorch's convolution of planes.
    bool usesCellConvolution = true;

    bool hasHead(NetHead head) const { return has[static_cast<std::size_t>(head)]; }
    bool hasOwnEncoders() const { return encoders != Encoders::Shared; }
};

}  // namespace orrery
