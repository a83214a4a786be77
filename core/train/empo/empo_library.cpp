#include "core/train/empo/empo_training.h"
#include "core/train/learn_library.h"

namespace orrery {

const EmpoLibrary& empoLibrary() {
    return *static_cast<const EmpoLibrary*>(loadLearnMethod("empo"));
}

}  // namespace orrery
