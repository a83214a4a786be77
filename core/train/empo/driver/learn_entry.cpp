#include <array>

#include "core/train/empo/driver/empo_method.h"
#include "core/train/learn_library.h"

// The methods that the learners' library offers.

extern "C" __attribute__((visibility("default"))) const orrery::LearnLibrary* orreryLearnLibrary() {
    static const std::array<orrery::LearnMethod, 1> kMethods{
        {{.name = "empo", .entries = &orrery::kEmpoLibrary}}};
    static const orrery::LearnLibrary kLibrary{.version = orrery::kLearnLibraryVersion,
                                               .methods = kMethods};
    return &kLibrary;
}
