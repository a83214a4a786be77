#include "core/train/train.h"

extern "C" __attribute__((visibility("default"))) const orrery::LearnLibrary* orreryLearnLibrary() {
    static const orrery::LearnLibrary kLibrary{.version = orrery::kLearnLibraryVersion,
                                               .train = orrery::trainEmpo,
                                               .evaluate = orrery::evaluateEmpo,
                                               .values = orrery::valuesOfCheckpoint};
    return &kLibrary;
}
