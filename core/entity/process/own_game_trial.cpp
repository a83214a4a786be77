#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/entity/process/own_games.h"
#include "core/env/random_actions.h"

// A game is tried before it is written down.

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kTriedSteps = 300;
constexpr std::uint64_t kTrialSeed = 1;
constexpr std::chrono::seconds kLongestTrial{20};  // slow games are tried less

}  // namespace

OwnGameTrial tryOwnGame(OwnGame game, const ProgressSink& progress, const std::stop_token& stop) {
    const auto told = [&](std::int64_t done) {
        if (progress)
            progress({.phase = "try", .done = done, .total = kTriedSteps, .unit = "steps"});
    };
    const auto requireGoing = [&] {
        if (stop.stop_requested())
            throw Error(game.name + ": it was stopped.", Error::Kind::Failed);
    };
    told(0);
    if (const std::string problem = ownNameProblem(game.name); !problem.empty())
        throw badInput(problem + '.');
    try {
        GameProcess process({.command = game.command, .name = game.name, .stop = stop});
        game.told = process.spaces();
    } catch (const GameFault& fault) {
        requireGoing();
        throw Error(game.name + ": " + fault.text + '.', Error::Kind::Failed);
    }
    OwnGameTrial trial{.game = game};
    const auto pool = std::make_shared<OwnGamePool>(
        game, game.told, "{}", OutsideRules{.stop = stop, .recordsSteps = false});
    OwnEnvironment environment(pool, 0);
    Observation seen;
    StepResult result;
    std::vector<ActionTaken> taken;
    Rng rng(kTrialSeed);
    environment.reset(kTrialSeed, seen);
    const Clock::time_point begin = Clock::now();
    while (trial.steps < kTriedSteps && Clock::now() - begin < kLongestTrial) {
        requireGoing();
        drawActions(environment.spaces(), seen, rng, taken);
        environment.step(taken, result, seen);
        ++trial.steps;
        if (result.end != EpisodeEnd::None) {
            ++trial.episodes;
            environment.reset(kTrialSeed + static_cast<std::uint64_t>(trial.episodes), seen);
        }
        told(trial.steps);
    }
    trial.secondsPerStep = std::chrono::duration<double>(Clock::now() - begin).count() /
                           static_cast<double>(trial.steps);
    if (game.told.canSave) {
        Observation again;
        environment.setState(environment.state(), again);
        if (again.parts != seen.parts || again.offers != seen.offers)
            throw Error(game.name + ": what it saved comes back as something else than was seen.",
                        Error::Kind::Failed);
    }
    for (const std::string& metric : environment.otherMetrics())
        trial.game.told.spaces.metrics.push_back(metric);
    return trial;
}

}  // namespace orrery
