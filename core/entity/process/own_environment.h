#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/entity/process/game_frame.h"
#include "core/entity/process/game_process.h"
#include "core/env/deferred.h"
#include "core/env/outside.h"

namespace orrery {

/// A game that a user brought, as its registry has it.
struct OwnGame {
    std::string name = {};
    ChildCommand command = {};
    GameSpaces told = {};  ///< with the usual options
};

/// Processes that serve one game, and its environments in them: the i-th one is in process i modulo
/// their number. It lives as long as any of its environments. Any threads.
class OwnGamePool : public std::enable_shared_from_this<OwnGamePool> {
public:
    /// @param spaces  what the game shows and takes with these options
    OwnGamePool(const OwnGame& game, const GameSpaces& told, const std::string& optionsJson,
                OutsideRules rules);
    ~OwnGamePool();
    OwnGamePool(const OwnGamePool&) = delete;
    OwnGamePool& operator=(const OwnGamePool&) = delete;

    /// The environment with the least free number.
    std::unique_ptr<DeferredEnvironment> make();

    const std::string& name() const { return m_name; }
    const GameSpaces& told() const { return m_told; }
    bool recordsSteps() const { return m_rules.recordsSteps; }
    GameProcess& processOf(int environment) {
        return *m_processes[static_cast<std::size_t>(environment) % m_processes.size()];
    }
    /// Ends a process with which something went wrong, and says so.
    /// @throws Error if it may not be started again and nobody is told
    void lose(GameProcess& process, int generation, const GameFault& fault);
    void release(int environment);

private:
    std::string m_name;
    GameSpaces m_told;
    OutsideRules m_rules;
    std::stop_source m_stop;  ///< the rules' stop, or all was given up
    std::stop_callback<std::function<void()>> m_stopped;
    std::vector<std::unique_ptr<GameProcess>> m_processes;
    Mutex m_mutex;
    std::set<int> m_taken ORRERY_GUARDED_BY(m_mutex);
};

/// One environment of a pool.
///
/// Where its process is lost and may be started again, its episode is cut off where it was seen
/// last. Its state is what the game saves; of games that do not save, where steps are recorded, the
/// seed and all that was decided since, else the seed alone.
class OwnEnvironment : public DeferredEnvironment {
public:
    OwnEnvironment(std::shared_ptr<OwnGamePool> pool, int number);
    ~OwnEnvironment() override;

    const EnvironmentSpaces& spaces() const override { return m_pool->told().spaces; }
    void askReset(std::uint64_t seed) override;
    void askStep(std::span<const ActionTaken> taken) override;
    void send() override { m_process.send(); }
    void takeReset(Observation& out) override;
    void takeStep(StepResult& result, Observation& out) override;
    bool hasGoneOn() const override { return m_hasGoneOn; }
    std::string state() const override;
    void setState(std::string_view json, Observation& out) override;
    Picture picture(const PictureWish& wish) const override;

    /// Names of what the game told beside the metrics that it has.
    const std::set<std::string>& otherMetrics() const { return m_otherMetrics; }

private:
    void readSeen(nlohmann::json frame, FrameRole role, StepResult& result);
    void appendThing(std::int64_t thing, std::string& text) const;
    std::string actionsText(std::span<const ActionTaken> taken) const;
    void replay(const nlohmann::json& state, Observation& out);

    std::shared_ptr<OwnGamePool> m_pool;
    int m_number;
    GameProcess& m_process;
    int m_generation = -1;  // that has its episode; -1: none
    bool m_isCut = false;   // the process was lost: the step under way cuts the episode off
    std::uint64_t m_seed = 0;
    std::int64_t m_steps = 0;
    bool m_hasGoneOn = false;
    Observation m_seen;
    GameFrame m_next;                       // is read, and is seen once it is whole
    std::unique_ptr<nlohmann::json> m_ids;  // of the things seen, by type
    std::vector<std::string> m_taken;       // [steps] what was decided, as indices, where recorded
    std::set<std::string> m_otherMetrics;
};

}  // namespace orrery
