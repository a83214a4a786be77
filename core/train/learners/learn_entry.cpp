#include "core/train/learn_library.h"
#include "core/train/learners/learn_methods.h"

extern "C" __attribute__((visibility("default"))) const orrery::LearnLibrary* orreryLearnLibrary() {
    static const orrery::LearnLibrary kLibrary{.version = orrery::kLearnLibraryVersion,
                                               .methods = orrery::learnMethods()};
    return &kLibrary;
}
