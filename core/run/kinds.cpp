#include <algorithm>
#include <array>

#include "core/run/import_kind.h"
#include "core/run/run_kind.h"
#include "core/run/solve_kind.h"
#include "core/run/train_kind.h"

namespace orrery {

std::span<const RunKind* const> runKinds() {
    static const std::array kKinds{&solveKind(), &trainKind(), &importKind()};
    return kKinds;
}

const RunKind* findKind(std::string_view name) {
    const auto found = std::ranges::find(runKinds(), name, &RunKind::name);
    return found == runKinds().end() ? nullptr : *found;
}

}  // namespace orrery
