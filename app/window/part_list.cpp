#include "app/window/part_list.h"

#include <utility>

namespace orrery {

namespace {

std::vector<MakePart>& partsOfProgram() {
    static std::vector<MakePart> parts;
    return parts;
}

}  // namespace

void useParts(std::vector<MakePart> more) {
    partsOfProgram() = std::move(more);
}

const std::vector<MakePart>& moreParts() {
    return partsOfProgram();
}

}  // namespace orrery
