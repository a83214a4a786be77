#include "core/train/learners/learn_methods.h"

#include <array>

#include "core/train/empo/driver/empo_method.h"
#include "core/train/entity/driver/entity_method.h"

namespace orrery {

std::span<const LearnMethod> learnMethods() {
    static const std::array<LearnMethod, 2> kMethods{
        {{.name = "empo", .entries = &kEmpoLibrary},
         {.name = "entity", .entries = &kEntityLibrary}}};
    return kMethods;
}

}  // namespace orrery
