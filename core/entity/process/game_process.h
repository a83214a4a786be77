#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/entity/process/child_process.h"
#include "core/entity/process/game_spaces.h"

namespace orrery {

/// Why a game cannot continue: a line without its full stop.
struct GameFault {
    std::string text = {};
    bool isStop = false;   ///< nobody waits for it any more
    bool isKnown = false;  ///< it was lost before, and somebody knows
};

/// A program that serves environments of a game, each with a number of its own. Any threads.
///
/// It runs from the first question on; lose() ends it, and the next question starts another. What
/// was asked of several environments before send() is one line, as is the answer.
/// Source: resources/specs/environment_protocol.md.
class GameProcess {
public:
    enum class Ask : std::uint8_t { Reset, Act, Save, Load };

    struct Wish {
        ChildCommand command = {};
        std::string name = {};           ///< of the environment, for messages
        std::string optionsJson = "{}";  ///< for the game
        /// What it must show and take; nothing: whatever it does.
        std::optional<EnvironmentSpaces> spaces = {};
        std::chrono::milliseconds silence{60'000};  ///< that it may keep
        std::stop_token stop = {};
    };

    explicit GameProcess(Wish wish);
    ~GameProcess();
    GameProcess(const GameProcess&) = delete;
    GameProcess& operator=(const GameProcess&) = delete;

    /// What it said of its game; starts it if it does not run. @throws GameFault
    GameSpaces spaces();
    /// Each process has its own; lose() makes the next one.
    int generation() const;
    bool isRunning() const;

    /// To be sent with send(). @param payload  JSON: the seed, the actions, the state
    /// @param step  of the environment, for messages. @return the generation that will answer
    int ask(int environment, Ask what, std::string_view payload, std::int64_t step);
    void send();
    /// What that came to: what is seen, or a state. @throws GameFault
    nlohmann::json take(int environment, int generation);
    /// Ends it. @return false: that generation is gone already
    bool lose(int generation);
    /// Tells it to end.
    void closeInput();

private:
    struct Line {
        Ask what = Ask::Reset;
        std::vector<int> environments = {};
        std::vector<std::int64_t> steps = {};
        std::string payload = {};
    };

    void start() ORRERY_REQUIRES(m_mutex);
    void readLine() ORRERY_REQUIRES(m_mutex);
    [[noreturn]] void fail(const std::string& where, const ChildLost& lost)
        ORRERY_REQUIRES(m_mutex);

    const Wish m_wish;
    mutable Mutex m_mutex;
    std::unique_ptr<ChildProcess> m_child ORRERY_GUARDED_BY(m_mutex);
    GameSpaces m_spaces ORRERY_GUARDED_BY(m_mutex);
    int m_generation ORRERY_GUARDED_BY(m_mutex) = 0;
    std::map<Ask, Line> m_asked ORRERY_GUARDED_BY(m_mutex);  // not sent yet
    std::deque<Line> m_underWay ORRERY_GUARDED_BY(m_mutex);
    std::map<int, nlohmann::json> m_answers ORRERY_GUARDED_BY(m_mutex);  // by environment
    std::optional<GameFault> m_fault ORRERY_GUARDED_BY(m_mutex);
};

/// "environment 3, step 12: ".
std::string gamePlace(int environment, std::int64_t step);

}  // namespace orrery
