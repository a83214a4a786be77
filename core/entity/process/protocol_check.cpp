#include "core/entity/process/protocol_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/entity/process/game_frame.h"
#include "core/entity/process/game_spaces.h"
#include "core/env/frame_json.h"

namespace orrery {

namespace {

/// What is wrong with an answer behind the first; empty: nothing.
std::string answerProblem(const GameSpaces& game, nlohmann::json& answer) {
    if (answer.contains("error")) return {};
    const auto states = answer.find("states");
    if (states != answer.end())
        return states->is_array() ? std::string() : "states: must be a list";
    const auto seen = answer.find("observations");
    if (seen == answer.end() || !seen->is_array())
        return "observations: must be a list, or states, or an error";
    GameFrame frame;
    for (std::size_t i = 0; i < seen->size(); ++i) {
        const std::string problem = readGameFrame(game.spaces, (*seen)[i], FrameRole::Any, frame);
        if (!problem.empty()) return "observations[" + std::to_string(i) + "]: " + problem;
    }
    return {};
}

}  // namespace

ProtocolProblem checkProtocol(std::string_view answers) {
    GameSpaces game;
    std::int64_t number = 0;
    for (std::size_t begin = 0; begin < answers.size();) {
        const std::size_t end = std::min(answers.find('\n', begin), answers.size());
        const std::string_view line = answers.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        nlohmann::json answer;
        std::string problem = readFrameLine(line, answer);
        if (problem.empty() && number == 1)
            problem = readGameSpaces(nlohmann::ordered_json::parse(line, nullptr, false), game);
        else if (problem.empty())
            problem = answerProblem(game, answer);
        if (!problem.empty()) return {.line = number, .text = problem};
    }
    if (number == 0) return {.line = 1, .text = "there is no line: the first says the spaces"};
    return {};
}

}  // namespace orrery
