#pragma once

#include <span>

#include "core/train/learn_library.h"

namespace orrery {

/// The methods that the learners' library offers.
std::span<const LearnMethod> learnMethods();

}  // namespace orrery
