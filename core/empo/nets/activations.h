#pragma once

#include <ATen/core/Tensor.h>

namespace orrery {

/// x within [low, high], beyond it an exponential approach to a value high - low further out, with
/// slope 1 at the border: low - L (1 - exp((x - low) / L)) below and high + L (1 - exp((high - x) /
/// L)) above, L = max(high - low, 1e-6). Source: spec empo 6.2.
at::Tensor softClamp(const at::Tensor& x, double low, double high);

// z-space of Q_r, V_r < 0 and of y = X^-xi averaged, U_r = -y^eta. Source: spec empo 6.2.
// All elementwise; q < 0, z in (0, 1), y >= 1 are expected, not checked.
at::Tensor zOfQ(const at::Tensor& q, double eta, double xi);  ///< (-q)^(-1 / (eta xi))
at::Tensor qOfZ(const at::Tensor& z, double eta, double xi);  ///< -z^(-eta xi)
at::Tensor zOfY(const at::Tensor& y, double xi);              ///< y^(-1 / xi)
at::Tensor yOfZ(const at::Tensor& z, double xi);              ///< z^-xi
at::Tensor u_rOfY(const at::Tensor& y, double eta);           ///< -y^eta

}  // namespace orrery
