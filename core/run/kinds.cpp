#include <algorithm>
#include <iterator>
#include <utility>

#include "core/run/run_kind.h"

namespace orrery {

namespace {

std::vector<const RunKind*>& kindsOfProgram() {
    static std::vector<const RunKind*> kinds = ownKinds();
    return kinds;
}

}  // namespace

std::span<const RunKind* const> runKinds() {
    return kindsOfProgram();
}

void useKinds(std::vector<const RunKind*> kinds) {
    kindsOfProgram() = std::move(kinds);
}

std::vector<const RunKind*> trainingKinds() {
    std::vector<const RunKind*> kinds;
    std::ranges::copy_if(runKinds(), std::back_inserter(kinds), [](const RunKind* kind) {
        return kind->isTraining() && kind->canStart();
    });
    return kinds;
}

const RunKind* findKind(std::string_view name) {
    const auto found = std::ranges::find(runKinds(), name, &RunKind::name);
    return found == runKinds().end() ? nullptr : *found;
}

}  // namespace orrery
