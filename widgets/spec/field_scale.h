#pragma once

#include <cstdint>

#include "core/run/run_fields.h"

namespace orrery {

/// How a number lies on a slider of kPlaces + 1 places. Values beyond the slider's ends can be
/// typed.
struct FieldScale {
    static constexpr int kPlaces = 1000;

    enum class Way : std::uint8_t {
        Even,
        Log,      ///< evenly in its logarithm
        Horizon,  ///< a discount, evenly in the logarithm of 1 / (1 - value); `high` is 1
    };

    double low = 0, high = 1;  ///< at the ends of the slider
    Way way = Way::Even;
    double least = 0, most = 1;  ///< that can be typed
    bool isWhole = false;
    bool takesZero = false;      ///< the first place is 0
    bool takesInfinity = false;  ///< the last place is infinity
    int digits = 2;              ///< significant ones of a place's value

    /// The nearest place of a value.
    int place(double value) const;
    double value(int place) const;
    /// A number after so many steps up: of a tenth of it, or on an even scale of a hundredth.
    double stepped(double value, int steps) const;
};

/// The scale of a field that may be changed while a run trains.
FieldScale scaleOf(const RunField& field);

}  // namespace orrery
