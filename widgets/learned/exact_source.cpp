#include "widgets/learned/exact_source.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/run/archive/reopen.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "widgets/common/number_text.h"
#include "widgets/world/draft_check.h"

namespace orrery {

namespace {

constexpr double kSameFactor = 1e-12;  ///< discount factors that were given in two ways

QString offerText(const char* text) {
    return QCoreApplication::translate("ExactSource", text);
}

bool isSameFactor(const std::optional<double>& gamma, const std::optional<double>& rho,
                  double wanted) {
    return std::abs((gamma ? *gamma : std::exp(-rho.value_or(0))) - wanted) < kSameFactor;
}

bool saysTheSame(const SolveSpec& stored, const SolveSpec& wanted) {
    SolveSpec other = stored;
    if (!isSameFactor(stored.gamma_h, stored.rho_h, *wanted.gamma_h) ||
        !isSameFactor(stored.gamma_r, stored.rho_r, *wanted.gamma_r) ||
        stored.storage == ValueStorage::Half)
        return false;
    if (stored.x_h_floor && stored.x_h_floor != wanted.x_h_floor) return false;
    if (stored.nu == 0) other.habits = wanted.habits;
    // Beyond these everything must be equal.
    other.gamma_h = wanted.gamma_h;
    other.gamma_r = wanted.gamma_r;
    other.rho_h = wanted.rho_h;
    other.rho_r = wanted.rho_r;
    other.x_h_floor = wanted.x_h_floor;
    other.storage = wanted.storage;
    other.threads = wanted.threads;
    other.memoryBudget = wanted.memoryBudget;
    other.seed = wanted.seed;
    return other == wanted;
}

bool isSolveOf(const RunRecord& run, const SolveSpec& wanted) {
    if (!hasValues(run)) return false;
    try {
        const RunSpec spec = runSpecFromJson(run.configJson, run.id);
        const auto& job = requireSolve(spec, run.id);
        return job.saveValues && saysTheSame(job.solve, wanted);
    } catch (const Error&) {
        return false;  // of another version
    }
}

/// What the values of a state take: V_r, and V and V_h^e of every goal.
std::int64_t bytesOfState(const World& world) {
    std::size_t goals = 0;
    for (const HumanGoals& human : world.goals()) goals += human.goals.size();
    return static_cast<std::int64_t>((1 + 2 * goals) * sizeof(double));
}

}  // namespace

std::shared_ptr<const Solution> storedSolution(const Workspace& workspace, const World& world,
                                               const SolveSpec& wanted, const std::stop_token& stop,
                                               const ProgressSink& progress) {
    const RunFilter solves{.states = {RunState::Finished}, .worldHash = world.contentHash()};
    for (const RunRecord& run : workspace.reader().listRuns(solves)) {
        if (stop.stop_requested()) return nullptr;
        if (!isSolveOf(run, wanted)) continue;
        try {
            const auto reopened = reopenSolution(workspace, run.id, stop, progress);
            if (reopened) return reopened->solution;
        } catch (const Error&) {
            continue;  // damaged, say: the world can still be solved again
        }
    }
    return nullptr;
}

SolveOffer solveOffer(const std::shared_ptr<const World>& world, const std::stop_token& stop) {
    const auto estimate = estimateStates(world, stop);
    if (!estimate) return {};
    SolveOffer offer;
    offer.text = estimate->whyNot;
    if (!offer.text.isEmpty()) return offer;
    const std::int64_t states =
        estimate->isExact
            ? estimate->states
            : estimate->configs * std::max<std::int64_t>(1, world->maxSteps() - estimate->step);
    const std::int64_t bytes = states * bytesOfState(*world);
    const auto free = static_cast<std::int64_t>(availableMemory());
    offer.fits = states <= kMostSolvedStates && bytes <= free / 10 * 7;
    offer.text =
        (offer.fits ? offerText("It has about %1 states, whose values take %2 of %3 free memory")
                    : offerText("It is too large to be solved here: about %1 states, whose "
                                "values take %2 of %3 free memory"))
            .arg(countText(states), bytesText(bytes), bytesText(free));
    return offer;
}

}  // namespace orrery
