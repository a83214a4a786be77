#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/solved_input.h"
#include "app/cli/verb.h"
#include "app/export/export_episodes.h"
#include "app/pictures/picture.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/solve/attainment.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct RolloutOptions {
    SolvedChoice choice;
    std::int64_t episodes = 1;
    std::optional<std::uint64_t> seed;        ///< absent: that of the run or the world
    std::string gif, mp4, webm, pngSequence;  ///< where a film goes; empty: not wanted
    double framesPerSecond = 4;
    int cellSize = 48;
    std::string theme = "light";
    std::string output, format = "csv";  ///< data of the episodes; empty: not wanted
    bool json = false;
};

/// The films that were asked for.
std::vector<FilmSpec> filmsOf(const RolloutOptions& options, bool mayReplace) {
    std::vector<FilmSpec> films;
    const auto add = [&](FilmKind kind, const std::string& target) {
        if (target.empty()) return;
        films.push_back({.kind = kind,
                         .target = target,
                         .framesPerSecond = options.framesPerSecond,
                         .cellSize = options.cellSize,
                         .isDark = options.theme == "dark",
                         .mayReplace = mayReplace});
    };
    add(FilmKind::Gif, options.gif);
    add(FilmKind::Mp4, options.mp4);
    add(FilmKind::WebM, options.webm);
    add(FilmKind::PngSequence, options.pngSequence);
    return films;
}

/// Writes the states of all episodes. False if stopped.
bool saveEpisodes(const Solution& solution, std::uint64_t seed, const RolloutOptions& options,
                  VerbContext& context) {
    const bool isWhole = exportEpisodes(
        solution.world(), options.episodes,
        [&](std::int64_t number) { return sampledEpisode(solution, seed, number); },
        exportFormats().at(options.format), options.output, context.stop,
        context.console.progressSink());
    context.console.endProgress();
    return isWhole;
}

/// Writes an episode as films. False if stopped.
bool saveFilms(const Solution& solution, const std::vector<RolloutStep>& episode,
               const std::vector<FilmSpec>& films, VerbContext& context) {
    const std::shared_ptr<const World> world = solution.graph().worldPointer();
    std::vector<std::vector<std::uint64_t>> configurations;
    for (const RolloutStep& step : episode) {
        const auto words = solution.graph().configuration(step.state.config);
        configurations.emplace_back(words.begin(), words.end());
    }
    for (const FilmSpec& film : films) {
        const bool isWhole =
            saveEpisode(world, configurations, film, context.stop, context.console.progressSink());
        context.console.endProgress();
        if (!isWhole) return false;
    }
    return true;
}

State rootOf(const StateGraph& graph) {
    return {.step = 0, .config = graph.levelMember(0, 0)};
}

/// Which episodes reached the goals that the humans drew.
struct Attainment {
    std::vector<std::int64_t> pursued, attained;  // [H]
};

void countGoals(const Solution& solution, const std::vector<RolloutStep>& episode,
                Attainment& attainment) {
    const std::vector<int> places = attainedAt(solution, episode);
    for (std::size_t h = 0; h < places.size(); ++h) {
        attainment.pursued[h] += episode.front().goals[h] >= 0 ? 1 : 0;
        attainment.attained[h] += places[h] != kNeverAttained ? 1 : 0;
    }
}

Json episodeJson(const Solution& solution, const std::vector<RolloutStep>& episode) {
    auto steps = Json::array();
    for (std::size_t i = 0; i < episode.size(); ++i) {
        const RolloutStep& step = episode[i];
        Json entry{{"step", step.state.step},
                   {"config", step.state.config},
                   {"state",
                    describe(solution.world(), solution.graph().configuration(step.state.config))},
                   {"v_r", jsonNumber(solution.v_r(step.state))}};
        if (i + 1 < episode.size())
            entry["joint_action"] = solution.world().profileText(step.profile);
        steps.push_back(std::move(entry));
    }
    auto goals = Json::array();
    for (const int goal : episode.front().goals) goals.push_back(goal);
    return {{"goals", std::move(goals)}, {"steps", std::move(steps)}};
}

std::string goalWords(const World& world, const std::vector<int>& goals) {
    std::string text;
    for (std::size_t h = 0; h < goals.size(); ++h) {
        const HumanGoals& human = world.goals()[h];
        text += (h == 0 ? "" : ", ") + world.agents()[human.agent].name + " wants " +
                (goals[h] < 0 ? std::string("nothing") : goalText(human.goals[goals[h]]));
    }
    return text;
}

void printEpisode(const Solution& solution, const std::vector<RolloutStep>& episode,
                  std::int64_t number, Console& console) {
    console.line(console.inked(Ink::Bold, "episode " + std::to_string(number)) + ": " +
                 goalWords(solution.world(), episode.front().goals));
    TextTable table({{"step", true}, {"V_r", true}, {"state"}, {"joint action"}});
    for (std::size_t i = 0; i < episode.size(); ++i) {
        const RolloutStep& step = episode[i];
        table.add(
            {std::to_string(step.state.step), shortNumber(solution.v_r(step.state)),
             escaped(describe(solution.world(), solution.graph().configuration(step.state.config)),
                     120),
             i + 1 < episode.size() ? solution.world().profileText(step.profile) : ""});
    }
    table.print(console);
}

Json attainmentJson(const World& world, const Attainment& attainment) {
    auto list = Json::array();
    for (std::size_t h = 0; h < attainment.pursued.size(); ++h)
        list.push_back({{"human", world.agents()[world.goals()[h].agent].name},
                        {"pursued", attainment.pursued[h]},
                        {"attained", attainment.attained[h]}});
    return list;
}

int runRollout(const RolloutOptions& options, VerbContext& context) {
    const std::vector<FilmSpec> films = filmsOf(options, context.mayReplace);
    if (!films.empty() && options.episodes != 1)
        throw Error("A film shows one episode: leave --episodes at 1 and choose it by --seed.",
                    Error::Kind::BadInput);
    int status = 0;
    const auto solved = obtainSolution(options.choice, context, status);
    if (!solved) return status;
    const Solution& solution = *solved->solution;
    const World& world = solution.world();
    const std::uint64_t seed = options.seed.value_or(solution.spec().seed);
    if (!options.output.empty() && !saveEpisodes(solution, seed, options, context)) return kStopped;
    Attainment attainment;
    attainment.pursued.assign(world.goals().size(), 0);
    attainment.attained = attainment.pursued;
    const std::vector<int> anyGoals(world.goals().size(), -1);
    auto episodes = Json::array();
    for (std::int64_t e = 0; e < options.episodes; ++e) {
        if (context.stop.stop_requested()) return kStopped;
        Rng rng(seed, static_cast<std::uint64_t>(e));
        const auto episode = solution.rollout(rootOf(solution.graph()), anyGoals, rng);
        countGoals(solution, episode, attainment);
        if (!films.empty() && !saveFilms(solution, episode, films, context)) return kStopped;
        if (!options.output.empty()) continue;  // they are in the file
        if (options.json)
            episodes.push_back(episodeJson(solution, episode));
        else
            printEpisode(solution, episode, e, context.console);
    }
    std::vector<std::string> written;
    if (!options.output.empty()) written.push_back(options.output);
    for (const FilmSpec& film : films) written.push_back(film.target.string());
    if (options.json) {
        context.console.json({{"source", solved->name},
                              {"seed", seed},
                              {"goals", attainmentJson(world, attainment)},
                              {"episodes", std::move(episodes)},
                              {"files", written}});
        return 0;
    }
    for (std::size_t h = 0; h < attainment.pursued.size(); ++h)
        context.console.line(world.agents()[world.goals()[h].agent].name + ": goal attained in " +
                             std::to_string(attainment.attained[h]) + " of " +
                             std::to_string(attainment.pursued[h]) + " episodes");
    for (const std::string& file : written) context.console.wrote(file);
    return 0;
}

}  // namespace

void addRolloutVerb(Verb& program) {
    auto options = std::make_shared<RolloutOptions>();
    Verb& verb = program.add(
        {.name = "rollout",
         .summary = "Sample episodes under the solved policies",
         .description =
             "Each human draws a goal by its weight and keeps it for the episode. Episode "
             "e of a seed is the same on every machine. A film shows the episode, one frame a "
             "state; it needs no display.",
         .examples = {{"orrery rollout 12 --episodes 5 --seed 1", "five episodes of a stored run"},
                      {"orrery rollout first_steps --beta-r 5", "solve a world and play it once"},
                      {"orrery rollout 12 --gif episode.gif --fps 8", "an episode to look at"},
                      {"orrery rollout 12 --episodes 1000 -o episodes.csv",
                       "a row for each state of a thousand episodes"}}},
        [options](VerbContext& context) { return runRollout(*options, context); });
    addSolvedOptions(verb, options->choice);
    verb.option("--episodes", &options->episodes, "Number of episodes",
                {.showsDefault = true, .range = NumberRange{1, 1'000'000}});
    verb.option("--seed", &options->seed,
                "Seed of the episodes; without it that of the run, or the world's");
    verb.option("-o,--output", &options->output,
                "Write the states of all episodes into a file, and print none",
                {.writes = Writes::Target});
    verb.option("--format", &options->format, "csv, json or npz, for --output",
                {.showsDefault = true, .choices = {"csv", "json", "npz"}});
    verb.option("--gif", &options->gif, "Write the episode as a GIF that loops",
                {.writes = Writes::Target});
    verb.option("--mp4", &options->mp4, "Write the episode as an MP4 video",
                {.writes = Writes::Target});
    verb.option("--webm", &options->webm, "Write the episode as a WebM video",
                {.writes = Writes::Target});
    verb.option("--png-sequence", &options->pngSequence,
                "Write the episode into a new folder: 00000.png, 00001.png, ...",
                {.writes = Writes::Target});
    verb.option("--fps", &options->framesPerSecond, "Frames a second of a film",
                {.showsDefault = true, .range = NumberRange{0.1, 60.0}});
    verb.option("--cell-size", &options->cellSize, "Pixels of a cell in a film",
                {.showsDefault = true, .range = NumberRange{8, 256}});
    verb.option("--theme", &options->theme, "Colours of a film: light or dark",
                {.showsDefault = true, .choices = {"light", "dark"}});
    addJsonOption(verb, options->json);
}

}  // namespace orrery
