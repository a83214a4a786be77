#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/empo/snapshot.h"

namespace orrery {

/// Mean and standard deviation of n numbers.
struct Moments {
    double sum = 0, squares = 0;
    std::int64_t count = 0;
    void add(double x) { sum += x, squares += x * x, ++count; }
    double mean() const {
        return count > 0 ? sum / static_cast<double>(count)
                         : std::numeric_limits<double>::quiet_NaN();
    }
    double deviation() const {
        if (count == 0) return std::numeric_limits<double>::quiet_NaN();
        const double average = mean();
        return std::sqrt(std::max(0.0, squares / static_cast<double>(count) - average * average));
    }
};

inline Moments momentsOf(const at::Tensor& tensor) {
    Moments moments;
    const at::Tensor numbers = tensor.detach().cpu().contiguous();
    for (std::int64_t i = 0; i < numbers.numel(); ++i)
        moments.add(numbers.const_data_ptr<float>()[i]);
    return moments;
}

inline void put(QuantityNumbers& numbers, double loss, const Moments& predicted,
                const Moments& target) {
    numbers.loss = loss;
    numbers.mean = predicted.mean();
    numbers.deviation = predicted.deviation();
    numbers.targetMean = target.mean();
    numbers.targetDeviation = target.deviation();
}

/// Of a 0-dimensional tensor on any device.
inline double numberOf(const at::Tensor& scalar) {
    return double{*scalar.detach().cpu().const_data_ptr<float>()};
}

}  // namespace orrery
