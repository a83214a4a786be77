#pragma once

#include <sys/types.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/entity/process/own_games.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "core/env/random_actions.h"
#include "tests/support/places.h"

namespace orrery::test {

/// A class of tests/data/own/hunts.py, served by orrery_env.
inline OwnGame gameOfClass(const std::string& name) {
    OwnGame game{.name = name,
                 .command = {.words = {"python3", "-m", "orrery_env", "hunts:" + name},
                             .folder = sourcePath("tests/data/own"),
                             .pythonPath = sourcePath("resources/python")}};
    static std::map<std::string, GameSpaces> asked;
    if (!asked.contains(name)) {
        try {
            asked[name] = GameProcess({.command = game.command, .name = name}).spaces();
        } catch (const GameFault& fault) {
            throw Error(fault.text);
        }
    }
    game.told = asked[name];
    return game;
}

inline std::string faultOptions(const char* way, const std::string& once = {}) {
    nlohmann::json options{{"way", way}};
    if (!once.empty()) options["once"] = once;
    return options.dump();
}

inline TogetherMaker maker(const std::string& name, const std::string& options = "{}",
                           const OutsideRules& rules = {}) {
    return entryOfOwnGame(gameOfClass(name)).together(options, rules);
}

/// What an environment was and showed over some steps by chance.
struct Played {
    std::vector<Observation> seen = {};
    std::vector<double> rewards = {};
    int ends = 0;
};

inline Played play(Environment& environment, std::uint64_t seed, int steps) {
    Played played;
    Rng rng(seed, 9);
    Observation seen;
    StepResult result;
    std::vector<ActionTaken> taken;
    environment.reset(seed, seen);
    for (int i = 0; i < steps; ++i) {
        played.seen.push_back(seen);
        drawActions(environment.spaces(), seen, rng, taken);
        environment.step(taken, result, seen);
        played.rewards.push_back(result.rewards.at(0));
        if (result.end == EpisodeEnd::None) continue;
        ++played.ends;
        environment.reset(++seed, seen);
    }
    return played;
}

/// What goes wrong when four steps are made in an environment that goes wrong in its third.
inline std::string troubleOf(Environment& environment) {
    try {
        play(environment, 1, 4);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// One that nobody has reaped yet is not.
inline bool isAlive(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const std::size_t name = stat.rfind(')');
    return name != std::string::npos && !stat.substr(name).starts_with(") Z");
}

/// Steps of many environments by chance.
struct ManyPlayed {
    std::vector<float> rewards = {};
    std::int64_t done = 0, truncated = 0;
};

inline ManyPlayed playMany(VecEnv& env, int steps, std::uint64_t seed = 3) {
    ManyPlayed played;
    Rng rng(seed, 1);
    for (int i = 0; i < steps; ++i) {
        const VecObs& frames = env.act(drawChoices(env.layout(), env.frames(), rng));
        played.rewards.insert(played.rewards.end(), frames.reward.begin(), frames.reward.end());
        for (std::size_t k = 0; k < frames.done.size(); ++k) {
            played.done += frames.done[k];
            played.truncated += frames.truncated[k];
        }
    }
    return played;
}

}  // namespace orrery::test
