#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

/// Kernels of several instruction sets include this header; nothing of it may be shared by the
/// linker.
#define ORRERY_LANE [[gnu::always_inline]] static inline

namespace orrery::simd {

/// L doubles that are computed together. Only +, -, *, / and comparisons are used, never a fused
/// multiply-add, so every lane gives the same bits whatever L is and on every processor.
template <int L>
struct Lanes {
    typedef double Vector __attribute__((vector_size(L * sizeof(double))));
    typedef std::int64_t Integer __attribute__((vector_size(L * sizeof(double))));
    typedef double Unaligned
        __attribute__((vector_size(L * sizeof(double)), aligned(sizeof(double)), may_alias));

    ORRERY_LANE Vector load(const double* from) {
        return *reinterpret_cast<const Unaligned*>(from);
    }
    ORRERY_LANE void store(double* to, Vector v) { *reinterpret_cast<Unaligned*>(to) = v; }
    ORRERY_LANE Vector fill(double value) { return Vector{} + value; }
    ORRERY_LANE Vector select(Integer mask, Vector yes, Vector no) {
        return reinterpret_cast<Vector>((mask & reinterpret_cast<Integer>(yes)) |
                                        (~mask & reinterpret_cast<Integer>(no)));
    }
    ORRERY_LANE Vector min(Vector a, Vector b) { return a < b ? a : b; }
    ORRERY_LANE Vector max(Vector a, Vector b) { return a > b ? a : b; }

    /// e^x within 2 units in the last place for x in [-708, 709]; 0 below, infinity above.
    ORRERY_LANE Vector exp(Vector x) {
        constexpr double kLog2e = 1.4426950408889634074;
        constexpr double kLn2High = 6.93147180369123816490e-01;
        constexpr double kLn2Low = 1.90821492927058770002e-10;
        constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to integers
        const Vector low = fill(-708.0);
        const Vector high = fill(709.0);
        const Integer tooLow = x < low;
        const Integer tooHigh = x > high;
        const Vector clamped = max(min(x, high), low);
        const Vector shifted = clamped * kLog2e + kRound;
        const Vector n = shifted - kRound;
        const Vector r = (clamped - n * kLn2High) - n * kLn2Low;
        // Taylor's series: |r| <= 0.347, so the term after r^13 / 13! is below 2^-57.
        Vector p = fill(1.0 / 6227020800.0);
        p = p * r + 1.0 / 479001600.0;
        p = p * r + 1.0 / 39916800.0;
        p = p * r + 1.0 / 3628800.0;
        p = p * r + 1.0 / 362880.0;
        p = p * r + 1.0 / 40320.0;
        p = p * r + 1.0 / 5040.0;
        p = p * r + 1.0 / 720.0;
        p = p * r + 1.0 / 120.0;
        p = p * r + 1.0 / 24.0;
        p = p * r + 1.0 / 6.0;
        p = p * r + 0.5;
        p = p * (r * r) + r + 1.0;
        const Integer exponent = reinterpret_cast<Integer>(shifted) << 52;
        Vector result = reinterpret_cast<Vector>(reinterpret_cast<Integer>(p) + exponent);
        result = select(tooLow, Vector{}, result);
        return select(tooHigh, fill(std::numeric_limits<double>::infinity()), result);
    }

    /// ln x within 2 units in the last place for normal x > 0; not for 0 or subnormal numbers.
    ORRERY_LANE Vector log(Vector x) {
        constexpr double kLn2High = 6.93147180369123816490e-01;
        constexpr double kLn2Low = 1.90821492927058770002e-10;
        constexpr double kRoot2 = 1.4142135623730951;
        const Integer bits = reinterpret_cast<Integer>(x);
        Vector m = reinterpret_cast<Vector>((bits & 0x000FFFFFFFFFFFFFLL) | 0x3FF0000000000000LL);
        const Integer isHigh = m > fill(kRoot2);
        m = select(isHigh, m * 0.5, m);
        const Integer e = (bits >> 52) - 1023 - isHigh;  // a true comparison is -1
        // Small integers to doubles by way of the rounding constant's bits.
        const Vector n = reinterpret_cast<Vector>(e + 0x4338000000000000LL) - 6755399441055744.0;
        const Vector s = (m - 1.0) / (m + 1.0);
        const Vector z = s * s;
        // 2 atanh(s): |s| <= 0.1716, so the term after s^23 / 23 is below 2^-63.
        Vector p = fill(1.0 / 23.0);
        p = p * z + 1.0 / 21.0;
        p = p * z + 1.0 / 19.0;
        p = p * z + 1.0 / 17.0;
        p = p * z + 1.0 / 15.0;
        p = p * z + 1.0 / 13.0;
        p = p * z + 1.0 / 11.0;
        p = p * z + 1.0 / 9.0;
        p = p * z + 1.0 / 7.0;
        p = p * z + 0.2;
        p = p * z + 1.0 / 3.0;
        const Vector series = s * z * p * 2.0;
        return (n * kLn2Low + series + s * 2.0) + n * kLn2High;
    }

    /// x^y for x >= 0 through ln x; 0 stays 0 (y > 0). Numbers below 1e-300 count as 0.
    ORRERY_LANE Vector pow(Vector x, double y) {
        const Integer isZero = x < fill(1e-300);
        const Vector safe = select(isZero, fill(1.0), x);
        return select(isZero, Vector{}, exp(log(safe) * y));
    }
};

/// The same functions for one number.
ORRERY_LANE double exp(double x) {
    return Lanes<2>::exp(Lanes<2>::fill(x))[0];
}
ORRERY_LANE double log(double x) {
    return Lanes<2>::log(Lanes<2>::fill(x))[0];
}

}  // namespace orrery::simd
