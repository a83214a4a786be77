#include "widgets/common/motion.h"

namespace orrery {

namespace {

bool& reduced() {
    static bool isReduced = false;
    return isReduced;
}

}  // namespace

void setReducedMotion(bool isReduced) {
    reduced() = isReduced;
}

bool hasReducedMotion() {
    return reduced();
}

}  // namespace orrery
