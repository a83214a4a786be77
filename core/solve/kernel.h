#pragma once

#include <cstdint>

#include "core/base/cpu.h"

namespace orrery {

/// What the kernels need to know about a problem; constant during a solve. Rows are action
/// profiles; a row's index is the sum of its parts' offsets. Plain pointers only: the kernels are
/// compiled once for each instruction set and share no inline function of the library.
struct KernelHuman {
    int actions = 0;                              ///< A_h
    int goals = 0;                                ///< G_h
    int laneBegin = 0;                            ///< first lane of this human's goals in a record
    int lanes = 0;                                ///< lanes it has, >= goals
    std::uint32_t actionStride = 0;               ///< row offset of one own action
    int othersCount = 0;                          ///< K: joint profiles of the other humans
    const std::uint32_t* othersOffset = nullptr;  ///< [K] row offsets
    const double* weight = nullptr;               ///< [lanes] w_g, 0 beyond the goals
    const int* othersAgents = nullptr;            ///< [K x (H-1)] action of each other human
};

struct KernelPlan {
    int humans = 0;  ///< H
    const KernelHuman* human = nullptr;
    int lanes = 0;           ///< of a record of continuation values
    int goalStride = 0;      ///< lanes between actions in q_h and pi_h: a multiple of 8
    std::uint32_t rows = 0;  ///< R: action profiles
    int nonHumanCount = 0;   ///< phase 1's robots: every agent but the humans
    const std::uint32_t* nonHumanOffset = nullptr;  ///< [nonHumanCount]
    int robotCount = 0;                             ///< A_r: robot profiles of phase 2
    const std::uint32_t* robotOffset = nullptr;     ///< [A_r]
    int jointCount = 0;                             ///< joint profiles of all humans
    const std::uint32_t* jointOffset = nullptr;     ///< [jointCount]
    const int* jointActions = nullptr;              ///< [jointCount x H]
    const double* palette = nullptr;
    /// Discounts by row where transitions last other than 1; null otherwise (then continuation
    /// values carry the discount already).
    const double* discount_h = nullptr;  ///< [R] e^(-rho_h D)
    const double* discount_r = nullptr;  ///< [R] e^(-rho_r D)
    const double* omega = nullptr;       ///< [R] (1 - e^(-rho_r D)) / rho_r, or 1 if rho_r is 0

    double beta_h = 0, beta_r = 0;  ///< may be infinite
    double zeta = 0, xi = 0, eta = 0;
    double x_h_floor = 0;  ///< 0: none
    double nu = 0;
    bool optimistic = false;
};

/// One configuration's rows and the values of the next level.
struct KernelInput {
    const std::uint32_t* successor = nullptr;    ///< [E]
    const std::uint16_t* count = nullptr;        ///< [R] or null
    const std::uint32_t* probability = nullptr;  ///< [E] or null
    const std::uint64_t* attained = nullptr;     ///< [H] goals that hold in this configuration
    /// Continuation records by successor, `lanes` doubles each: what a goal is worth on arrival.
    /// 1 where it is attained and e^-rho V elsewhere; with row discounts V, and -1 for attained.
    const double* w_h = nullptr;     ///< phase 1
    const double* w_h_e = nullptr;   ///< phase 2
    const double* v_r = nullptr;     ///< by successor, without discount
    double discount_r = 1;           ///< of v_r where there are no row discounts
    const double* belief = nullptr;  ///< [H][A_h][K] or null: uniform
    const double* habit = nullptr;   ///< [H][A_h] or null; used where nu > 0
};

/// Results and scratch of one configuration; arrays are the caller's.
struct KernelOutput {
    double* q_h = nullptr;              ///< [A_max x goalStride] scratch of one human
    double* pi_h = nullptr;             ///< [H x A_max x goalStride] by own goal
    double* v_h = nullptr;              ///< [lanes]
    double* marginal = nullptr;         ///< [H x A_max]
    double* q_r = nullptr;              ///< [A_r]
    double* pi_r = nullptr;             ///< [A_r]
    double* v_h_e = nullptr;            ///< [lanes]
    double* x_h = nullptr;              ///< [H]
    double* mu = nullptr;               ///< [jointCount] scratch
    std::uint32_t* rowBegin = nullptr;  ///< [R + 1] scratch of rows with several outcomes
    double u_r = 0;
    double v_r = 0;
    int failedHuman = -1;  ///< the first human with X_h = 0
    int maxActions = 0;    ///< A_max
};

struct Kernel {
    void (*phase1)(const KernelPlan&, const KernelInput&, KernelOutput&);
    void (*phase2)(const KernelPlan&, const KernelInput&, KernelOutput&);
};

/// The kernels for an instruction set; all give the same bits.
Kernel kernelFor(CpuLevel level);

Kernel kernelBaseline();
Kernel kernelAvx2();
Kernel kernelAvx512();

}  // namespace orrery
