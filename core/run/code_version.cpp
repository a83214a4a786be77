#include "core/run/code_version.h"

namespace orrery {

const char* codeVersion() {
    return ORRERY_CODE_VERSION;
}

}  // namespace orrery
