#pragma once

#include <utility>

#include "core/run/field_parts.h"

namespace orrery {

inline constexpr double kMostSteps = 1e12;  ///< of a field that counts training steps

/// Binds a field of the learning itself.
template <typename Reach>
SpecField learned(SpecField field, Reach reach) {
    return boundTo<TrainJob>(
        std::move(field), [reach](TrainJob & job) -> auto& { return reach(job.empo); });
}

inline SpecField plain(SpecField field) {
    field.isExpert = false;
    return field;
}

inline SpecField expert(SpecField field) {
    field.isExpert = true;
    return field;
}

}  // namespace orrery
