#include "core/entity/process/game_process.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/env/frame_json.h"

namespace orrery {

namespace {

constexpr std::size_t kShownError = 200;

struct AskWords {
    const char *name, *payload, *answer;
};

AskWords wordsOf(GameProcess::Ask what) {
    switch (what) {
        case GameProcess::Ask::Reset:
            return {"reset", "seeds", "observations"};
        case GameProcess::Ask::Act:
            return {"act", "actions", "observations"};
        case GameProcess::Ask::Load:
            return {"load", "states", "observations"};
        case GameProcess::Ask::Save:
            break;
    }
    return {"save", nullptr, "states"};
}

/// What the game itself says went wrong; empty: nothing.
std::string ownErrorOf(const nlohmann::json& answer) {
    const auto error = answer.find("error");
    if (error == answer.end() || error->is_null()) return {};
    return "the game says: " +
           escaped(error->is_string() ? error->get<std::string>() : error->dump(), kShownError);
}

}  // namespace

std::string gamePlace(int environment, std::int64_t step) {
    return "environment " + std::to_string(environment) + ", step " + std::to_string(step) + ": ";
}

GameProcess::GameProcess(Wish wish) : m_wish(std::move(wish)) {}

GameProcess::~GameProcess() = default;

/// @throws GameFault that says what became of the process
void GameProcess::fail(const std::string& where, const ChildLost& lost) {
    std::string text = where + "the process " + lost.text;
    if (m_child && !lost.isStop)
        if (const std::string words = m_child->lastWords(); !words.empty())
            text += ", its last words: " + words;
    m_fault = GameFault{.text = std::move(text), .isStop = lost.isStop};
    throw GameFault(*m_fault);
}

/// Starts it and asks for its spaces.
void GameProcess::start() {
    if (m_wish.stop.stop_requested()) fail("", {.text = "is not needed any more", .isStop = true});
    try {
        m_child = std::make_unique<ChildProcess>(m_wish.command);
        m_child->send(R"({"protocol":)" + std::to_string(kGameProtocol) +
                          R"(,"ask":"spaces","options":)" + m_wish.optionsJson + '}',
                      m_wish.silence, m_wish.stop);
        const std::string line = m_child->receive(m_wish.silence, m_wish.stop);
        nlohmann::json plain;
        std::string problem = readFrameLine(line, plain);
        if (problem.empty()) problem = ownErrorOf(plain);
        if (problem.empty())
            problem = readGameSpaces(nlohmann::ordered_json::parse(line, nullptr, false), m_spaces);
        if (problem.empty() && m_wish.spaces) {
            problem = differenceOf(m_spaces.spaces, *m_wish.spaces);
            if (!problem.empty())
                problem = "the game " + problem +
                          " than when it was added; add it again with `orrery env add`";
        }
        if (!problem.empty()) {
            m_fault = GameFault{.text = "spaces: " + problem};
            throw GameFault(*m_fault);
        }
    } catch (const ChildLost& lost) {
        fail("spaces: ", lost);
    } catch (const Error& error) {
        std::string text = error.what();
        if (text.ends_with('.')) text.pop_back();
        m_fault = GameFault{.text = std::move(text)};
        throw GameFault(*m_fault);
    }
}

GameSpaces GameProcess::spaces() {
    const MutexLock lock(m_mutex);
    if (m_fault) throw GameFault(*m_fault);
    if (!m_child) start();
    return m_spaces;
}

int GameProcess::generation() const {
    const MutexLock lock(m_mutex);
    return m_generation;
}

bool GameProcess::isRunning() const {
    const MutexLock lock(m_mutex);
    return m_child != nullptr;
}

int GameProcess::ask(int environment, Ask what, std::string_view payload, std::int64_t step) {
    const MutexLock lock(m_mutex);
    Line& line = m_asked[what];
    line.what = what;
    if (!line.environments.empty()) line.payload += ',';
    line.environments.push_back(environment);
    line.steps.push_back(step);
    line.payload += payload;
    return m_generation;
}

/// What goes wrong is told to those who take.
void GameProcess::send() {
    const MutexLock lock(m_mutex);
    if (m_asked.empty() || m_fault) return;
    try {
        if (!m_child) start();
        for (auto& [what, line] : m_asked) {
            const AskWords words = wordsOf(what);
            std::string text = std::string(R"({"ask":")") + words.name + R"(","envs":[)";
            for (std::size_t i = 0; i < line.environments.size(); ++i) {
                if (i > 0) text += ',';
                text += std::to_string(line.environments[i]);
            }
            text += ']';
            if (words.payload != nullptr) {
                text += ",\"";
                text += words.payload;
                text += "\":[";
                text += line.payload;
                text += ']';
            }
            text += '}';
            line.payload.clear();
            m_underWay.push_back(std::move(line));
            try {
                m_child->send(text, m_wish.silence, m_wish.stop);
            } catch (const ChildLost& lost) {
                const Line& failed = m_underWay.back();
                fail(gamePlace(failed.environments.front(), failed.steps.front()), lost);
            }
        }
    } catch (const GameFault&) {
        // It is kept.
    }
    m_asked.clear();
}

/// The answer to the oldest line that is under way.
void GameProcess::readLine() {
    const Line line = std::move(m_underWay.front());
    m_underWay.pop_front();
    const std::string where = gamePlace(line.environments.front(), line.steps.front());
    const auto refuse = [&](const std::string& text) ORRERY_REQUIRES(m_mutex) {
        m_fault = GameFault{.text = text};
        throw GameFault(*m_fault);
    };
    nlohmann::json answer;
    try {
        const std::string problem =
            readFrameLine(m_child->receive(m_wish.silence, m_wish.stop), answer);
        if (!problem.empty()) refuse(where + problem);
    } catch (const ChildLost& lost) {
        fail(where, lost);
    }
    if (const std::string error = ownErrorOf(answer); !error.empty()) {
        const auto place = answer.find("env");
        for (std::size_t i = 0; i < line.environments.size(); ++i)
            if (place != answer.end() && *place == line.environments[i])
                refuse(gamePlace(line.environments[i], line.steps[i]) + error);
        refuse(where + error);
    }
    const char* field = wordsOf(line.what).answer;
    const auto list = answer.find(field);
    if (list == answer.end() || !list->is_array()) refuse(where + field + ": must be a list");
    if (list->size() != line.environments.size())
        refuse(where + field + ": there are " + std::to_string(list->size()) + ", asked for were " +
               std::to_string(line.environments.size()));
    for (std::size_t i = 0; i < line.environments.size(); ++i)
        m_answers[line.environments[i]] = std::move((*list)[i]);
}

nlohmann::json GameProcess::take(int environment, int generation) {
    const MutexLock lock(m_mutex);
    while (true) {
        if (generation != m_generation)
            throw GameFault{.text = "the process was lost", .isKnown = true};
        if (const auto found = m_answers.find(environment); found != m_answers.end()) {
            nlohmann::json answer = std::move(found->second);
            m_answers.erase(found);
            return answer;
        }
        if (m_fault) throw GameFault(*m_fault);
        if (m_underWay.empty() || !m_child)
            throw GameFault{.text =
                                "nothing was asked of environment " + std::to_string(environment)};
        readLine();
    }
}

bool GameProcess::lose(int generation) {
    std::unique_ptr<ChildProcess> ended;  // outside of the mutex
    const MutexLock lock(m_mutex);
    if (generation != m_generation) return false;
    ended = std::move(m_child);
    ++m_generation;
    m_fault.reset();
    m_asked.clear();
    m_underWay.clear();
    m_answers.clear();
    return true;
}

void GameProcess::closeInput() {
    const MutexLock lock(m_mutex);
    if (m_child) m_child->closeInput();
}

}  // namespace orrery
