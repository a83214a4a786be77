#include <chrono>
#include <string>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/entity/process/own_games.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "tests/perf/entity_parts.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds of a step of one of 128 environments in a process; what is done is drawn before.
double microsecondsPerStep(const char* game) {
    constexpr std::int64_t kEnvironments = 128;
    OwnGame own{.name = game,
                .command = {.words = {"python3", "-m", "orrery_env", std::string("bridge:") + game},
                            .folder = ORRERY_OWN_GAMES,
                            .pythonPath = ORRERY_PYTHON}};
    own.told = GameProcess({.command = own.command, .name = own.name}).spaces();
    ThreadTeam team(1);
    VecEnv env(entryOfOwnGame(own).together("{}", {.recordsSteps = false}),
               {.count = kEnvironments, .seed = 1, .validates = false}, team);
    env.reset();
    Rng rng(1, 1);
    double seconds = 0;
    std::int64_t steps = 0;
    while (seconds < 3) {
        const VecActions actions = drawChoices(env.layout(), env.frames(), rng);
        const auto begin = Clock::now();
        env.act(actions);
        seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        ++steps;
    }
    return 1e6 * seconds / static_cast<double>(steps * kEnvironments);
}

}  // namespace

void bridgingProcesses() {
    // A game whose own step is next to nothing, so that what is left is the bridge: the frame of a
    // treasure hunt, eleven things with two features, two global ones and an action of the game.
    rows().push_back({.name = "own_bridge",
                      .value = microsecondsPerStep("Still"),
                      .unit = "us/step",
                      .reference = "128 environments in a process of Python, its side included",
                      .target = 40,
                      .lessIsBetter = true});
    rows().push_back({.name = "own_bridge_actors",
                      .value = microsecondsPerStep("StillRobots"),
                      .unit = "us/step",
                      .reference = "seven things with names, two of which act by a mask",
                      .target = 40,
                      .lessIsBetter = true});
}

}  // namespace orrery::perf
