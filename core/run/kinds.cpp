#include <algorithm>
#include <utility>

#include "core/run/import_kind.h"
#include "core/run/run_kind.h"
#include "core/run/solve_kind.h"
#include "core/run/train_kind.h"

namespace orrery {

std::vector<const RunKind*> ownKinds() {
    return {&solveKind(), &trainKind(), &importKind()};
}

namespace {

std::vector<const RunKind*>& kindsOfProgram() {
    static std::vector<const RunKind*> kKinds = ownKinds();
    return kKinds;
}

}  // namespace

std::span<const RunKind* const> runKinds() {
    return kindsOfProgram();
}

void useKinds(std::vector<const RunKind*> kinds) {
    kindsOfProgram() = std::move(kinds);
}

const RunKind* findKind(std::string_view name) {
    const auto found = std::ranges::find(runKinds(), name, &RunKind::name);
    return found == runKinds().end() ? nullptr : *found;
}

}  // namespace orrery
