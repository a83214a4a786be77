#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/env_input.h"
#include "app/cli/policy_input.h"
#include "app/cli/verb.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "core/env/observation_text.h"
#include "core/env/random_actions.h"
#include "core/run/jobs/environments.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct EnvOptionsTyped {
    EnvChoice choice;
    std::uint64_t seed = 1;
    std::int64_t episodes = 100, steps = 1000, environments = 128;
    int threads = 1;
    bool json = false;
    PolicyChoice agent;
};

/// What makes environments for a verb, which waits for other programs until it is stopped.
TogetherMaker makerFor(const EnvOptionsTyped& options, const VerbContext& context,
                       bool recordsSteps) {
    return makerTogether(
        entryOf(options.choice), optionsOf(options.choice),
        {.processes = options.threads, .stop = context.stop, .recordsSteps = recordsSteps});
}

std::unique_ptr<Environment> made(const EnvOptionsTyped& options, const VerbContext& context) {
    return makerFor(options, context, true)();
}

int runList(const EnvOptionsTyped& options, VerbContext& context) {
    auto list = Json::array();
    TextTable table({{"name"}, {"sees"}, {"what is to be done"}}),
        own({{"your own"}, {"sees"}, {"command"}});
    bool hasOwn = false;
    for (const EnvironmentEntry& entry : knownEnvironments()) {
        const std::string kind = kindOf(entry.make("{}")->spaces());
        (entry.isOwn() ? own : table).add({entry.id, kind, escaped(entry.summary)});
        hasOwn = hasOwn || entry.isOwn();
        list.push_back({{"id", entry.id},
                        {"title", entry.title},
                        {"summary", entry.summary},
                        {"kind", kind},
                        {"own", entry.isOwn()},
                        {"options", entry.options}});
    }
    if (options.json) {
        context.console.json(list);
    } else {
        table.print(context.console);
        if (hasOwn) {
            context.console.line("");
            own.print(context.console);
        }
    }
    if (const std::string trouble = ownEnvironmentsTrouble(); !trouble.empty())
        context.console.message(trouble);
    return 0;
}

const char* nameOf(ActionSpace::Kind kind) {
    return kind == ActionSpace::Kind::Choice   ? "choice"
           : kind == ActionSpace::Kind::Select ? "selection"
                                               : "numbers";
}

Json spacesJson(const EnvironmentSpaces& spaces) {
    Json json{{"kind", kindOf(spaces)},
              {"observations", Json::array()},
              {"actions", Json::array()},
              {"metrics", spaces.metrics}};
    for (const ObservedSpace& space : spaces.observations)
        json["observations"].push_back(
            {{"name", space.name},
             {"kind", space.kind == ObservedSpace::Kind::Entities ? "entities"
                      : space.kind == ObservedSpace::Kind::Array  ? "array"
                                                                  : "sequence"},
             {"features", space.features},
             {"shape", space.shape}});
    for (const ActionSpace& space : spaces.actions)
        json["actions"].push_back({{"name", space.name},
                                   {"kind", nameOf(space.kind)},
                                   {"choices", space.choices},
                                   {"of_actors", space.isOfActors}});
    return json;
}

void printSpaces(const EnvironmentSpaces& spaces, Console& console) {
    for (const ObservedSpace& space : spaces.observations)
        console.line(
            std::string(space.kind == ObservedSpace::Kind::Entities ? "things " : "numbers ") +
            escaped(space.name) + '(' + escaped(joined(space.features, ", ")) + ')');
    for (const ActionSpace& space : spaces.actions)
        console.line("action " + escaped(space.name) + ": " +
                     (space.kind == ActionSpace::Kind::Choice ? escaped(joined(space.choices, ", "))
                                                              : std::string(nameOf(space.kind))) +
                     (space.isOfActors ? "" : ", of the whole game"));
}

int runShow(const EnvOptionsTyped& options, VerbContext& context) {
    const EnvironmentEntry& entry = entryOf(options.choice);
    const auto environment = made(options, context);
    Observation seen;
    environment->reset(options.seed, seen);
    if (options.json) {
        Json json = spacesJson(environment->spaces());
        json["id"] = entry.id;
        json["options"] = entry.options;
        json["state"] = Json::parse(environment->state());
        context.console.json(json);
        return 0;
    }
    Console& console = context.console;
    console.line(console.inked(Ink::Bold, entry.title) + "  " + entry.summary);
    printSpaces(environment->spaces(), console);
    for (const std::string& option : entry.options) console.line("option " + option);
    console.line("begins, for instance, with:");
    std::size_t number = 0;
    for (const ObservedThing& thing : observedThings(environment->spaces(), seen))
        console.line("  " + std::to_string(number++) + ' ' +
                     escaped(textOf(environment->spaces(), thing)));
    return 0;
}

/// How an environment is checked.
struct CheckWish {
    std::int64_t mostSteps = 0;
    bool isExact = true;  ///< it gives and takes states; else two episodes of a seed are held apart
    std::int64_t steps = 0;  ///< that were made
    bool isRepeated = true;  ///< a seed and what is decided lead to the same
};

/// Plays an episode by chance. @return what is wrong; empty: nothing
std::string checkEpisode(Environment& environment, Environment& other, std::uint64_t seed,
                         CheckWish& wish) {
    Rng rng(seed, 1);
    Observation seen, seenAgain;
    StepResult result, resultAgain;
    std::vector<ActionTaken> taken;
    environment.reset(seed, seen);
    if (!wish.isExact && wish.isRepeated) other.reset(seed, seenAgain);
    for (std::int64_t step = 0;; ++step, ++wish.steps) {
        const auto at = [&] {
            return "seed " + std::to_string(seed) + ", step " + std::to_string(step);
        };
        if (!wish.isExact)
            wish.isRepeated = wish.isRepeated && seenAgain.parts == seen.parts &&
                              seenAgain.offers == seen.offers && resultAgain.end == result.end;
        // Of an episode that is over nothing need be offered.
        const bool isOver = result.end != EpisodeEnd::None;
        const std::vector<std::string> problems = isOver && !wish.isExact
                                                      ? std::vector<std::string>()
                                                      : problemsOf(environment.spaces(), seen);
        if (!problems.empty()) return at() + ": " + problems.front();
        if (isOver || step == wish.mostSteps) return {};
        if (!wish.isExact) {
            drawActions(environment.spaces(), seen, rng, taken);
            environment.step(taken, result, seen);
            if (wish.isRepeated) other.step(taken, resultAgain, seenAgain);
            continue;
        }
        other.setState(environment.state(), seenAgain);
        if (seenAgain.parts != seen.parts || seenAgain.offers != seen.offers)
            return at() + ": a state that is given back shows something else";
        drawActions(environment.spaces(), seen, rng, taken);
        environment.step(taken, result, seen);
        other.step(taken, resultAgain, seenAgain);
        if (seenAgain.parts != seen.parts || resultAgain.rewards != result.rewards ||
            resultAgain.end != result.end)
            return at() + ": the same step from the same state comes to something else";
    }
}

int runCheck(const EnvOptionsTyped& options, VerbContext& context) {
    const TogetherMaker make = makerFor(options, context, false);
    const auto environment = make(), other = make();
    std::int64_t episodes = 0;
    std::string wrong;
    CheckWish wish{.mostSteps = options.steps, .isExact = entryOf(options.choice).isExact};
    for (; episodes < options.episodes && wrong.empty(); ++episodes) {
        if (context.stop.stop_requested()) return kStopped;
        wrong = checkEpisode(*environment, *other,
                             options.seed + static_cast<std::uint64_t>(episodes), wish);
    }
    if (!wrong.empty())
        throw Error(entryOf(options.choice).id + ", " + wrong + '.', Error::Kind::BadInput);
    if (options.json)
        context.console.json({{"id", entryOf(options.choice).id},
                              {"episodes", episodes},
                              {"steps", wish.steps},
                              {"saves", wish.isExact},
                              {"repeats", wish.isRepeated},
                              {"problems", Json::array()}});
    else
        context.console.line(grouped(episodes) + " episodes, " + grouped(wish.steps) +
                             " steps by chance: what is seen fits the spaces, and " +
                             (wish.isExact ? "states given back go on alike."
                              : wish.isRepeated
                                  ? "a seed leads to the same again. It does not save its state: a "
                                    "training that is resumed begins its episodes anew."
                                  : "a seed does not lead to the same again: an episode cannot be "
                                    "repeated, nor taken back when it is played."));
    return 0;
}

int runBench(const EnvOptionsTyped& options, VerbContext& context) {
    using Clock = std::chrono::steady_clock;
    ThreadTeam team(options.threads);
    const EnvironmentEntry& entry = entryOf(options.choice);
    VecEnv env(makerFor(options, context, false),
               {.count = options.environments, .seed = options.seed, .validates = false}, team);
    env.reset();
    Rng rng(options.seed, 1);
    double seconds = 0;
    std::int64_t steps = 0;
    for (; steps < options.steps && !context.stop.stop_requested(); ++steps) {
        const VecActions actions = drawChoices(env.layout(), env.frames(), rng);
        const auto begin = Clock::now();
        env.act(actions);
        seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    if (context.stop.stop_requested()) return kStopped;
    const double rate = static_cast<double>(steps * options.environments) / seconds;
    if (options.json)
        context.console.json({{"id", entry.id},
                              {"environments", options.environments},
                              {"threads", options.threads},
                              {"steps", steps},
                              {"seconds", seconds},
                              {"environment_steps_per_second", rate}});
    else
        context.console.line(entry.id + ": " + grouped(static_cast<std::int64_t>(rate)) +
                             " environment steps a second, in " + grouped(options.environments) +
                             " environments on " + std::to_string(options.threads) +
                             (options.threads == 1 ? " thread" : " threads") +
                             "; choosing by chance is not counted");
    return 0;
}

int runPlay(const EnvOptionsTyped& options, VerbContext& context) {
    std::unique_ptr<Environment> environment = made(options, context);
    if (options.agent.run.empty())
        return playEnvironment(std::move(environment), options.seed, nullptr, context);
    const StoredPolicy stored = policyOf(options.agent, context.console);
    try {
        stored.policy->actIn(environment->spaces());
    } catch (const Error& error) {
        throw Error("Run " + stored.run + " cannot act in " + entryOf(options.choice).id +
                        " with these options: " + error.what(),
                    error.kind());
    }
    return playEnvironment(std::move(environment), options.seed, stored.policy.get(), context);
}

Verb& addEnv(Verb& group, const VerbText& text, int (*run)(const EnvOptionsTyped&, VerbContext&),
             const std::shared_ptr<EnvOptionsTyped>& options) {
    Verb& verb =
        group.add(text, [options, run](VerbContext& context) { return run(*options, context); });
    addEnvOptions(verb, options->choice);
    return verb;
}

void addSeed(Verb& verb, EnvOptionsTyped& options) {
    verb.option("--seed", &options.seed, "Seed of the episode", {.showsDefault = true});
}

}  // namespace

void addEnvVerbs(Verb& program) {
    const auto fresh = [] { return std::make_shared<EnvOptionsTyped>(); };
    Verb& group = program.addGroup(
        {.name = "env",
         .summary = "List, show, check, time and play environments, and add your own",
         .description = "Environments are what is only sampled: games of many kinds of things. "
                        "`orrery train NAME` learns to act in one.",
         .examples = {{"orrery env show MineSweeper", "what is seen and done there"}}});
    const auto list = fresh();
    Verb& listing =
        group.add({.name = "list",
                   .summary = "List the environments",
                   .examples = {{"orrery env list", "what can be played and learned in"}}},
                  [list](VerbContext& context) { return runList(*list, context); });
    addJsonOption(listing, list->json);

    auto options = fresh();
    Verb& show = addEnv(group,
                        {.name = "show",
                         .summary = "Show what an environment shows and takes, and its options",
                         .examples = {{"orrery env show MineSweeper", "the usual field"},
                                      {"orrery env show MineSweeper nmines=10 width=9 --json",
                                       "a larger one, with its first state"}}},
                        runShow, options);
    addSeed(show, *options);
    addJsonOption(show, options->json);

    options = fresh();
    Verb& check = addEnv(
        group,
        {.name = "check",
         .summary = "Play episodes by chance and hold all that is seen against the spaces",
         .examples = {{"orrery env check Minefield --episodes 1000", "a thousand episodes"}}},
        runCheck, options);
    addSeed(check, *options);
    check.option("--episodes", &options->episodes, "Episodes to play",
                 {.showsDefault = true, .range = kNotNegative});
    check.option("--steps", &options->steps, "Steps of an episode at most",
                 {.showsDefault = true, .range = kNotNegative});
    addJsonOption(check, options->json);

    options = fresh();
    Verb& bench = addEnv(group,
                         {.name = "bench",
                          .summary = "Measure how many steps a second an environment makes",
                          .examples = {{"orrery env bench MineSweeper --threads 2",
                                        "128 environments on two threads"}}},
                         runBench, options);
    addSeed(bench, *options);
    bench.option("--environments", &options->environments, "Environments at once",
                 {.showsDefault = true, .range = NumberRange{.least = 1, .most = 1e6}});
    bench.option("--steps", &options->steps, "Steps of each",
                 {.showsDefault = true, .range = NumberRange{.least = 1, .most = 1e9}});
    bench.option("--threads", &options->threads, "Threads",
                 {.showsDefault = true, .range = NumberRange{.least = 1, .most = 1024}});
    addJsonOption(bench, options->json);

    options = fresh();
    Verb& play = addEnv(
        group,
        {.name = "play",
         .summary = "Play an environment in the terminal",
         .description =
             "Things are numbered; decisions are typed by number or name. `back` takes "
             "a step back, `quit` ends the game. With an agent each choice has its percentage, "
             "and Enter takes the likeliest.",
         .examples = {{"orrery env play TreasureHunt --agent 12", "with the advice of r00012"}}},
        runPlay, options);
    addOwnEnvironmentVerbs(group);
    addSeed(play, *options);
    play.option("--agent", &options->agent.run, "A training whose policy gives advice",
                {.takes = "RUN"});
    addPolicyOptions(play, options->agent);
}

}  // namespace orrery
