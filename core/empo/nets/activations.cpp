#include "core/empo/nets/activations.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace orrery {

at::Tensor softClamp(const at::Tensor& x, double low, double high) {
    const double length = std::max(high - low, 1e-6);
    const at::Tensor inside = x.clamp(low, high);
    // Each tail is 0 within the range; clamping first keeps exp finite, and its gradient 0 there.
    const at::Tensor below = at::expm1((x - low).clamp_max(0) / length) * length;
    const at::Tensor above = at::expm1((high - x).clamp_max(0) / length) * length;
    return inside + below - above;
}

at::Tensor zOfQ(const at::Tensor& q, double eta, double xi) {
    return q.neg().pow(-1 / (eta * xi));
}

at::Tensor qOfZ(const at::Tensor& z, double eta, double xi) {
    return z.pow(-eta * xi).neg();
}

at::Tensor zOfY(const at::Tensor& y, double xi) {
    return y.pow(-1 / xi);
}

at::Tensor yOfZ(const at::Tensor& z, double xi) {
    return z.pow(-xi);
}

at::Tensor u_rOfY(const at::Tensor& y, double eta) {
    return y.pow(eta).neg();
}

}  // namespace orrery
