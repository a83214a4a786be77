#include "core/run/code_version.h"

#include "code_version_stamp.h"

namespace orrery {

const char* codeVersion() {
    return ORRERY_CODE_VERSION;
}

}  // namespace orrery
