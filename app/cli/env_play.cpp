#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/env_input.h"
#include "core/base/text.h"
#include "core/env/hand_play.h"

namespace orrery {

namespace {

void show(const HandPlay& play, Console& console) {
    const char* end = !play.isOver()                      ? ""
                      : play.end() == EpisodeEnd::TimeOut ? "; cut off"
                                                          : "; the end";
    console.line(console.inked(Ink::Bold, "step " + std::to_string(play.steps())) + "  reward " +
                 shortNumber(play.reward()) + ", " + shortNumber(play.total()) + " so far" + end);
    const EnvironmentSpaces& spaces = play.spaces();
    for (std::size_t i = 0; i < spaces.observations.size(); ++i)
        if (spaces.observations[i].kind == ObservedSpace::Kind::Array)
            console.line(escaped(arrayText(spaces.observations[i], play.seen().parts[i])));
    for (std::int64_t i = 0; i < std::ssize(play.things()); ++i)
        console.line(std::to_string(i) + ' ' + escaped(play.thingText(i)));
}

/// A number that a person types for an option: the thing's, or that of the choice.
std::string numberOf(const HandPlay::Decision::Option& option) {
    return std::to_string(option.thing >= 0 ? option.thing : option.value);
}

/// What the agent gives an option of the decision that is to be made.
double shareOf(const HandPlay& play, const Advice& advice, std::int64_t value) {
    const HandPlay::Decision& decision = *play.decision();
    const ActionSpace& space = play.spaces().actions[decision.action];
    const std::int64_t options = space.kind == ActionSpace::Kind::Select
                                     ? std::ssize(play.seen().offers[decision.action].candidates)
                                     : std::ssize(space.choices);
    return value < 0
               ? 1
               : advice.probabilities[decision.action]
                                     [static_cast<std::size_t>(decision.decider * options + value)];
}

/// The option that the agent would take.
std::int64_t likeliestOf(const HandPlay& play, const Advice& advice) {
    std::int64_t best = play.decision()->options.front().value;
    for (const auto& option : play.decision()->options)
        if (shareOf(play, advice, option.value) > shareOf(play, advice, best)) best = option.value;
    return best;
}

void askFor(const HandPlay& play, const std::optional<Advice>& advice, Console& console) {
    const HandPlay::Decision& decision = *play.decision();
    std::string question = play.spaces().actions[decision.action].name;
    if (decision.actor >= 0)
        question += " of " + std::to_string(decision.actor) + ' ' + play.thingText(decision.actor);
    std::vector<std::string> options;
    for (const auto& option : decision.options)
        options.push_back(
            numberOf(option) + ' ' + option.name +
            (advice ? ' ' + shortNumber(100 * shareOf(play, *advice, option.value)) + " %" : ""));
    console.line(console.inked(Ink::Blue, escaped(question)) + "? " +
                 escaped(joined(options, ", ")) +
                 console.inked(Ink::Dim, advice ? "  (Enter: the agent's choice; back, quit)"
                                                : "  (back, quit)"));
    console.flush();
}

std::optional<std::int64_t> chosenBy(const HandPlay::Decision& decision, const std::string& word) {
    for (const auto& option : decision.options)
        if (word == numberOf(option) || word == option.name) return option.value;
    return std::nullopt;
}

}  // namespace

int playEnvironment(std::unique_ptr<Environment> environment, std::uint64_t seed,
                    AdvisingPolicy* agent, VerbContext& context) {
    HandPlay play(std::move(environment), seed);
    std::int64_t shown = -1;
    std::optional<Advice> advice;
    while (!play.isOver()) {
        if (context.stop.stop_requested()) return kStopped;
        if (std::exchange(shown, play.steps()) != play.steps()) {
            show(play, context.console);
            if (agent != nullptr) {
                advice = agent->advise(play.seen());
                context.console.line("the agent expects " + shortNumber(advice->value) + " more");
            }
        }
        askFor(play, advice, context.console);
        std::string word;
        if (!std::getline(std::cin, word) || word == "quit" || word == "q") return 0;
        if (word == "back" || word == "b") {
            play.goBack();
            shown = -1;
        } else if (word.empty() && advice) {
            play.choose(likeliestOf(play, *advice));
        } else if (const auto chosen = chosenBy(*play.decision(), word)) {
            play.choose(*chosen);
        } else {
            context.console.message("'" + escaped(word, 60) +
                                    "' is none of them; type a number or a name.");
        }
    }
    show(play, context.console);
    return 0;
}

}  // namespace orrery
