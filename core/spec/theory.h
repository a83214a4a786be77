#pragma once

#include <string_view>

#include "core/spec/field.h"

namespace orrery {

/// What exact and learned planning have in common beside the discount factors. Defaults are the
/// documented ones of the original. Source: seed 003; spec empo sections 3 and 4.
struct Theory {
    double beta_h = 10.0;  ///< >= 0 or infinity: inverse temperature of the humans
    double beta_r = 10.0;  ///< > 0, or infinity of a solve: power of the robot's policy
    double zeta = 2.0;     ///< > 0, >= 1 learned: risk aversion in X_h = sum_g w_g V_h^e(g)^zeta
    double xi = 1.0;       ///< > 0: inequality aversion in U_r = -(mean_h X_h^-xi)^eta
    double eta = 1.1;      ///< > 0: intertemporal aversion
    double terminal_v_r = -1e-10;  ///< < 0
    bool optimistic = false;       ///< phase 1 takes max instead of min over robot actions

    bool operator==(const Theory&) const = default;
};

/// "beta_h", "zeta", "xi", "eta" or "terminal_v_r" as both have it; zeta is > 0.
SpecField theoryField(std::string_view name);

}  // namespace orrery
