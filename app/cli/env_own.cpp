#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/env_input.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/jobs/environments.h"

namespace orrery {

namespace {

struct OwnEnvOptions {
    std::string name;
    std::vector<std::string> command;
    bool json = false;
};

int runAdd(const OwnEnvOptions& options, VerbContext& context) {
    if (options.command.empty())
        throw Error(
            "A command is needed: orrery env add NAME -- python3 -m orrery_env my_game:MyGame",
            Error::Kind::BadInput);
    const OwnGameTrial trial = registerEnvironment(
        options.name, options.command, std::filesystem::current_path(), {}, context.stop);
    const EnvironmentSpaces& spaces = trial.game.told.spaces;
    if (options.json) {
        context.console.json({{"id", options.name},
                              {"command", options.command},
                              {"kind", kindOf(spaces)},
                              {"steps", trial.steps},
                              {"episodes", trial.episodes},
                              {"seconds_per_step", trial.secondsPerStep},
                              {"saves", trial.game.told.canSave}});
        return 0;
    }
    const auto counted = [](std::size_t count, const char* what) {
        return std::to_string(count) + what + (count == 1 ? "" : "s");
    };
    context.console.line(
        options.name + " is added: " + counted(spaces.observations.size(), " observation") + ", " +
        counted(spaces.actions.size(), " action") + "; " + grouped(trial.steps) +
        " steps by chance were right, each took " + shortNumber(1e6 * trial.secondsPerStep, 3) +
        " us." +
        (trial.game.told.canSave ? ""
                                 : " It does not save its state: a training that is resumed begins "
                                   "its episodes anew."));
    return 0;
}

int runRemove(const OwnEnvOptions& options, VerbContext& context) {
    unregisterEnvironment(options.name);
    if (options.json)
        context.console.json({{"id", options.name}, {"removed", true}});
    else
        context.console.line(options.name + " is removed.");
    return 0;
}

}  // namespace

void addOwnEnvironmentVerbs(Verb& group) {
    auto options = std::make_shared<OwnEnvOptions>();
    Verb& add = group.add(
        {.name = "add",
         .summary = "Add an environment of your own, which a command serves",
         .description =
             "The command is started in this folder, asked what it shows and takes, and played "
             "some "
             "hundred steps by chance; then this user has an environment of that name. It speaks "
             "lines of JSON over its standard input and output; classes with entity-gym's "
             "Environment API and environments of Gymnasium are served by `python3 -m orrery_env`, "
             "which the program brings. No shell is started but the one that the command names. A "
             "name that exists is replaced.",
         .examples = {{"orrery env add Hunt -- python3 -m orrery_env my_game:TreasureHunt",
                       "a class of my_game.py in this folder"},
                      {"orrery env add Cart -- python3 -m orrery_env gymnasium:CartPole-v1",
                       "an environment of Gymnasium"}}},
        [options](VerbContext& context) { return runAdd(*options, context); });
    add.option("NAME", &options->name, "Its name: letters and digits, and - _ . behind the first",
               {.isRequired = true});
    add.option("COMMAND", &options->command, "What serves it, behind --", {.isRequired = true});
    addJsonOption(add, options->json);

    options = std::make_shared<OwnEnvOptions>();
    Verb& remove = group.add(
        {.name = "remove",
         .summary = "Remove an environment that you added",
         .description = "Runs that learned in it stay; they can be resumed once it is added again.",
         .examples = {{"orrery env remove Hunt", "the command itself stays where it is"}}},
        [options](VerbContext& context) { return runRemove(*options, context); });
    remove.option("NAME", &options->name, "Name of one of your own", {.isRequired = true});
    addJsonOption(remove, options->json);
}

}  // namespace orrery
