#include "tests/support/places.h"

namespace orrery {

std::string sourcePath(std::string_view name) {
    return std::string(ORRERY_SOURCE_FOLDER "/").append(name);
}

std::string builtPath(std::string_view name) {
    return std::string(ORRERY_BUILD_FOLDER "/").append(name);
}

}  // namespace orrery
