#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/policy_input.h"
#include "app/cli/verb.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/env/frame_json.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of a line

struct ActOptions {
    PolicyChoice agent;
    bool isGreedy = false;
    std::uint64_t seed = 1;
};

/// One of the options by their probabilities; -1 where none is possible.
std::int64_t drawn(const std::vector<double>& probabilities, std::size_t begin,
                   std::int64_t options, Rng& rng) {
    double left = rng.uniform();
    std::int64_t chosen = -1;
    for (std::int64_t i = 0; i < options; ++i) {
        const double share = probabilities[begin + static_cast<std::size_t>(i)];
        if (share <= 0) continue;
        chosen = i;  // the last one, where rounding leaves something
        if ((left -= share) < 0) break;
    }
    return chosen;
}

Json answerTo(const Observation& seen, AdvisingPolicy& policy, bool isGreedy, Rng& rng) {
    const Advice advice = policy.advise(seen);
    Json answer{{"actions", Json::object()}, {"value", advice.value}};
    for (std::size_t i = 0; i < advice.probabilities.size(); ++i) {
        const ActionSpace& space = policy.spaces().actions[i];
        const ActionOffer& offer = seen.offers[i];
        const std::int64_t deciders = space.isOfActors ? std::ssize(offer.actors) : 1,
                           options = space.kind == ActionSpace::Kind::Select
                                         ? std::ssize(offer.candidates)
                                         : std::ssize(space.choices);
        Json action{
            {"actors", offer.actors}, {"indices", Json::array()}, {"probabilities", Json::array()}};
        for (std::int64_t k = 0; k < deciders; ++k) {
            const auto begin = static_cast<std::size_t>(k * options);
            const std::int64_t chosen = isGreedy
                                            ? advice.likeliest(i, k, options)
                                            : drawn(advice.probabilities[i], begin, options, rng);
            action["indices"].push_back(chosen);
            action["probabilities"].push_back(std::vector<double>(
                advice.probabilities[i].begin() + static_cast<std::ptrdiff_t>(begin),
                advice.probabilities[i].begin() + static_cast<std::ptrdiff_t>(begin) + options));
        }
        if (space.kind == ActionSpace::Kind::Select) action["actees"] = offer.candidates;
        answer["actions"][space.name] = std::move(action);
    }
    return answer;
}

/// What is wrong with a line, as an answer to it.
Json refusalOf(const std::string& problem) {
    return {{"error", problem}};
}

Json answerTo(const std::string& line, AdvisingPolicy& policy, bool isGreedy, Rng& rng) {
    if (line.size() > kMostBytes) return refusalOf("the line is longer than 16 MiB");
    nlohmann::json frame;
    if (const std::string problem = readFrameLine(line, frame); !problem.empty())
        return refusalOf(problem);
    Observation seen;
    std::vector<std::string> problems = readFrame(policy.spaces(), frame, seen);
    if (problems.empty()) problems = problemsOf(policy.spaces(), seen);
    if (!problems.empty()) return refusalOf(joined(problems, "; "));
    return answerTo(seen, policy, isGreedy, rng);
}

int runAct(const ActOptions& options, VerbContext& context) {
    const StoredPolicy stored = policyOf(options.agent, context.console);
    Rng rng(options.seed);
    bool isRight = true;
    std::string line;
    while (!context.stop.stop_requested() && std::getline(std::cin, line)) {
        const Json answer = answerTo(line, *stored.policy, options.isGreedy, rng);
        isRight = isRight && !answer.contains("error");
        context.console.line(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
        context.console.flush();
    }
    if (context.stop.stop_requested()) return kStopped;
    return isRight ? 0 : Error("", Error::Kind::BadInput).exitStatus();
}

}  // namespace

void addActVerb(Verb& program) {
    auto options = std::make_shared<ActOptions>();
    Verb& verb = program.add(
        {.name = "act",
         .summary = "Let what a training learned decide: observations in, choices out",
         .description =
             "Reads one observation a line from the standard input, a JSON object with features, "
             "actions and the like by name, as environments show it, and answers each with a line: "
             "of each action who decides, the indices of what is chosen, and the probabilities; "
             "and "
             "the value. A line that does not fit is answered by one with an error, and the status "
             "is then 2. So the agent plays in a program of your own.",
         .examples = {{"my_game | orrery act 12 --greedy", "the likeliest choices of run r00012"}}},
        [options](VerbContext& context) { return runAct(*options, context); });
    verb.option("RUN", &options->agent.run, "Id, number or name of a training that acts",
                {.isRequired = true});
    verb.option("--greedy", &options->isGreedy, "Take the likeliest choices instead of drawing");
    verb.option("--seed", &options->seed, "Seed of what is drawn", {.showsDefault = true});
    addPolicyOptions(verb, options->agent);
}

}  // namespace orrery
