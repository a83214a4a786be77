#include <chrono>
#include <string>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "tests/perf/entity_parts.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

/// Steps a second of so many environments; what is done is drawn before the clock runs.
double stepsPerSecond(const char* id, const char* options, std::int64_t environments, int threads) {
    ThreadTeam team(threads);
    const EnvironmentEntry& entry = environmentNamed(entityEnvironments(), id);
    VecEnv env([&] { return entry.make(options); },
               {.count = environments, .seed = 1, .validates = false}, team);
    env.reset();
    Rng rng(1, 1);
    double seconds = 0;
    std::int64_t steps = 0;
    while (seconds < 1) {
        const VecActions actions = drawChoices(env.layout(), env.frames(), rng);
        const auto begin = Clock::now();
        env.act(actions);
        seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        ++steps;
    }
    return static_cast<double>(steps * environments) / seconds;
}

}  // namespace

void steppingEnvironments() {
    struct Case {
        const char* id;
        const char* options;
        double original;
    };
    for (const Case& each : {Case{"MineSweeper", "{}", 32.0e3}, Case{"Count", "{}", 38.7e3},
                             Case{"CherryPick", "{}", 44.3e3}, Case{"MultiSnake", "{}", 31.2e3},
                             Case{"Minefield", "{}", 43.2e3}})
        rows().push_back({.name = std::string("envs_") + each.id,
                          .value = stepsPerSecond(each.id, each.options, 128, 1),
                          .unit = "steps/s",
                          .reference = "original " + std::to_string(each.original),
                          .target = 100 * each.original});
    const double one = stepsPerSecond("MineSweeper", "{}", 1024, 1),
                 two = stepsPerSecond("MineSweeper", "{}", 1024, 2);
    rows().push_back({.name = "envs_two_threads",
                      .value = two / one,
                      .unit = "times one",
                      .reference = "MineSweeper, 1,024 environments",
                      .target = 1.7});
}

}  // namespace orrery::perf
