#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/random_world.h"
#include "app/cli/verb.h"
#include "app/cli/world_input.h"
#include "app/cli/world_json.h"
#include "app/cli/world_text.h"
#include "app/pictures/picture.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct WorldOptions {
    WorldChoice choice;
    std::string png, svg;
    bool json = false;
};

int runShowWorld(const WorldOptions& options, VerbContext& context) {
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    Console& console = context.console;
    for (const std::string& file : {options.png, options.svg})
        if (!file.empty()) saveWorldPicture(*world, world->initialConfiguration(), file);
    if (options.json) {
        console.json(worldJson(*world));
        return 0;
    }
    console.line(console.inked(Ink::Bold, escaped(world->name())) + "  " +
                 std::to_string(world->width()) + " x " + std::to_string(world->height()) +
                 " cells, " + std::to_string(world->maxSteps()) + " steps, " +
                 formatDouble(world->profileCount()) + " joint actions");
    for (const std::string& line : drawWorld(*world, world->initialConfiguration(), console))
        console.line(line);
    for (const HumanGoals& human : world->goals()) {
        std::string line = world->agents()[human.agent].name + " may want:";
        for (std::size_t g = 0; g < human.goals.size(); ++g)
            line += (g == 0 ? " " : "; ") + goalText(human.goals[g]) + " (weight " +
                    shortNumber(human.weights[g]) + ")";
        console.line(line);
    }
    for (const std::string& file : {options.png, options.svg})
        if (!file.empty()) console.line("written: " + escaped(file));
    return 0;
}

/// What a reader says about a file, and the world if it can be made.
Json validationJson(const WorldFile& file) {
    auto diagnostics = Json::array();
    for (const Diagnostic& diagnostic : file.diagnostics)
        diagnostics.push_back(Json::parse(diagnosticJson(diagnostic)));
    Json result{{"valid", !file.hasErrors},
                {"diagnostics", std::move(diagnostics)},
                {"omitted", file.omitted}};
    if (file.hasErrors) return result;
    const auto world = makeWorld(file.spec);
    result["name"] = world->name();
    result["hash"] = world->contentHash();
    result["warnings"] = world->warnings();
    return result;
}

int runValidate(const WorldOptions& options, VerbContext& context) {
    if (options.json) {
        const WorldFile file = readWorld(options.choice);
        context.console.json(validationJson(file));
        return file.hasErrors ? Error("", Error::Kind::BadInput).exitStatus() : 0;
    }
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    context.console.line(escaped(options.choice.world) + ": valid, " +
                         std::to_string(world->numAgents()) + " agents, " +
                         formatDouble(world->profileCount()) + " joint actions, " +
                         std::to_string(world->keyBits()) + " bits a configuration");
    return 0;
}

struct StepOptions {
    WorldChoice choice;
    std::vector<std::string> actions;
    std::optional<std::uint64_t> seed;
    bool json = false;
};

/// The outcome to continue from: the likeliest, or a drawn one.
const Outcome& chooseOutcome(const std::vector<Outcome>& outcomes, Rng* rng) {
    if (rng == nullptr) return outcomes.front();
    double rest = rng->uniform();
    for (const Outcome& outcome : outcomes)
        if ((rest -= outcome.probability) < 0) return outcome;
    return outcomes.front();  // rounding: the likeliest
}

void printOutcomes(const World& world, const std::vector<Outcome>& outcomes, Console& console) {
    TextTable table({{"probability", true}, {"successor"}});
    for (const Outcome& outcome : outcomes)
        table.add({shortNumber(outcome.probability), escaped(describe(world, outcome.successor))});
    table.print(console);
}

int runStep(const StepOptions& options, VerbContext& context) {
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    std::vector<ActionProfileIndex> profiles;
    for (const std::string& action : options.actions)
        profiles.push_back(parseJointAction(*world, action));
    if (std::ssize(profiles) > world->maxSteps())
        throw Error("The world ends after " + std::to_string(world->maxSteps()) +
                        " steps; give at most so many joint actions.",
                    Error::Kind::BadInput);
    std::optional<Rng> rng;
    if (options.seed) rng.emplace(*options.seed);
    Configuration at = world->initialConfiguration();
    std::vector<Outcome> outcomes;
    for (int step = 0; step < static_cast<int>(profiles.size()); ++step) {
        if (step > 0) at = chooseOutcome(outcomes, rng ? &*rng : nullptr).successor;
        outcomes = world->outcomes(at, step, profiles[step]);
    }
    const int last = static_cast<int>(profiles.size()) - 1;
    if (options.json) {
        auto list = Json::array();
        for (const Outcome& outcome : outcomes)
            list.push_back({{"probability", outcome.probability},
                            {"successor", valuationJson(*world, outcome.successor)},
                            {"text", describe(*world, outcome.successor)}});
        context.console.json({{"step", last},
                              {"joint_action", world->profileText(profiles[last])},
                              {"state", valuationJson(*world, at)},
                              {"outcomes", std::move(list)}});
        return 0;
    }
    for (const std::string& line : drawWorld(*world, at, context.console))
        context.console.line(line);
    context.console.line("step " + std::to_string(last) + ", " +
                         world->profileText(profiles[last]) + ":");
    printOutcomes(*world, outcomes, context.console);
    return 0;
}

struct RandomOptions {
    RandomWorldRequest request;
    std::string output;
    bool json = false;
};

int runRandom(const RandomOptions& options, VerbContext& context) {
    const std::string text = randomWorldYaml(options.request);
    const bool isFile = !options.output.empty();
    if (isFile && !writeOutput(options.output, text, context.stop)) return kStopped;
    if (options.json)
        context.console.json(isFile ? Json{{"files", {options.output}}} : Json{{"yaml", text}});
    else
        context.console.line(isFile ? "written: " + escaped(options.output)
                                    : text.substr(0, text.size() - 1));
    return 0;
}

int runListWorlds(bool json, VerbContext& context) {
    auto list = Json::array();
    TextTable table({{"world"}, {"what it teaches"}});
    for (const std::string& name : builtinWorlds()) {
        const WorldFile file = readWorldFile(builtinWorldFile("builtin:" + name));
        const std::string& description = file.spec->metadata.description;
        list.push_back({{"name", name}, {"description", description}});
        table.add({escaped(name, 60), escaped(description, 160)});
    }
    if (json)
        context.console.json(list);
    else
        table.print(context.console);
    return 0;
}

void addList(Verb& group) {
    auto json = std::make_shared<bool>(false);
    Verb& verb =
        group.add({.name = "list",
                   .summary = "List the example worlds",
                   .description = "",
                   .examples = {{"orrery world list", "names that every verb takes for a world"}}},
                  [json](VerbContext& context) { return runListWorlds(*json, context); });
    addJsonOption(verb, *json);
}

void addShow(Verb& group) {
    auto options = std::make_shared<WorldOptions>();
    Verb& verb = group.add(
        {.name = "show",
         .summary = "Draw a world in the terminal or as a picture",
         .description = "",
         .examples = {{"orrery world show first_steps", "draw a built-in world with its legend"},
                      {"orrery world show my.yaml --svg my.svg", "write a vector picture too"}}},
        [options](VerbContext& context) { return runShowWorld(*options, context); });
    addWorldOptions(verb, options->choice);
    verb.option("--png", &options->png, "Also write a PNG picture to this file",
                {.writes = Writes::Target});
    verb.option("--svg", &options->svg, "Also write an SVG picture to this file",
                {.writes = Writes::Target});
    addJsonOption(verb, options->json);
}

void addValidate(Verb& group) {
    auto options = std::make_shared<WorldOptions>();
    Verb& verb = group.add(
        {.name = "validate",
         .summary = "Check a world file and report everything that is wrong in it",
         .description = "Each problem is one line FILE:LINE:COLUMN: message. The status is 2 if "
                        "there is an error; warnings alone leave it 0.",
         .examples = {{"orrery world validate my.yaml", "check a file before solving it"}}},
        [options](VerbContext& context) { return runValidate(*options, context); });
    addWorldOptions(verb, options->choice);
    addJsonOption(verb, options->json);
}

void addStep(Verb& group) {
    auto options = std::make_shared<StepOptions>();
    Verb& verb = group.add(
        {.name = "step",
         .summary = "Apply joint actions and print the distribution of outcomes",
         .description =
             "A joint action names one action an agent between commas, in agent order, or some "
             "agents by name while the others take their first action. All joint actions but the "
             "last are followed to their likeliest outcome, or to a drawn one with --seed.",
         .examples = {{"orrery world step first_steps forward,left", "one step from the start"},
                      {"orrery world step my.yaml robot0=forward robot0=toggle",
                       "two steps in which only the robot acts"}}},
        [options](VerbContext& context) { return runStep(*options, context); });
    addWorldOptions(verb, options->choice);
    verb.option("ACTIONS", &options->actions, "Joint actions, one a step", {.isRequired = true});
    verb.option("--seed", &options->seed, "Draw the outcomes followed, with this seed");
    addJsonOption(verb, options->json);
}

void addRandom(Verb& group) {
    auto options = std::make_shared<RandomOptions>();
    Verb& verb = group.add(
        {.name = "random",
         .summary = "Make a small random world file",
         .description = "",
         .examples = {{"orrery world random --seed 7 --output w7.yaml",
                       "the same seed, the same world"},
                      {"orrery world random --humans 2 --width 7", "print one to the terminal"}}},
        [options](VerbContext& context) { return runRandom(*options, context); });
    RandomWorldRequest& request = options->request;
    verb.option("--seed", &request.seed, "Seed", {.showsDefault = true});
    verb.option("--width", &request.width, "Cells across, walls included", {.showsDefault = true});
    verb.option("--height", &request.height, "Cells down, walls included", {.showsDefault = true});
    verb.option("--humans", &request.humans, "Number of humans", {.showsDefault = true});
    verb.option("--robots", &request.robots, "Number of robots", {.showsDefault = true});
    verb.option("--max-steps", &request.maxSteps, "Steps until the end", {.showsDefault = true});
    verb.option("--objects", &request.objects, "Share of inner cells with an object",
                {.showsDefault = true});
    verb.option("-o,--output", &options->output, "File to write; without it, the terminal",
                {.writes = Writes::Target});
    addJsonOption(verb, options->json);
}

}  // namespace

void addWorldVerbs(Verb& program) {
    Verb& group =
        program.addGroup({.name = "world",
                          .summary = "Look at, check, step and make worlds",
                          .description = "",
                          .examples = {{"orrery world list", "the built-in worlds"},
                                       {"orrery world show first_steps", "draw one of them"}}});
    addList(group);
    addShow(group);
    addValidate(group);
    addStep(group);
    addRandom(group);
}

}  // namespace orrery
