#include "app/selfcheck/entity_batches.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/selfcheck/ragged_values.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/entity_game.h"
#include "core/entity/vec_env.h"
#include "core/entity/vec_metrics.h"
#include "core/entity/vec_obs.h"
#include "core/env/frame_json.h"

namespace orrery {

namespace {

EnvironmentSpaces spacesOf(const OracleNode& batch) {
    EnvironmentSpaces spaces;
    const OracleNode types = batch.at("obs_space").at("entities");
    for (std::size_t i = 0; i < types.size(); ++i)
        spaces.observations.push_back(
            thingsOf(types.at(i).at(0).text(), types.at(i).at(1).texts()));
    if (const auto globals = batch.at("obs_space").at("global_features").texts(); !globals.empty())
        spaces.observations.push_back(globalsOf(globals));
    const OracleNode actions = batch.at("action_space");
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const std::string name = actions.at(i).at(0).text(),
                          type = actions.at(i).at(1).at("type").text();
        const auto labels = actions.at(i).at(1).at("labels").texts();
        spaces.actions.push_back(type == "SelectEntity"  ? selectionOf(name)
                                 : type == "Categorical" ? choiceOf(name, labels)
                                                         : globalChoiceOf(name, labels));
    }
    return spaces;
}

std::vector<Observation> framesOf(const OracleNode& batch, const EnvironmentSpaces& spaces) {
    std::vector<Observation> frames;
    const OracleNode list = batch.at("observations");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto problems =
            readFrame(spaces, nlohmann::json::parse(list.at(i).compact()), frames.emplace_back());
        if (!problems.empty()) throw badInput(list.at(i).path() + ": " + joined(problems, "; "));
    }
    return frames;
}

/// The first frame that gives something; as many as there are: none does.
template <class Gives>
std::int64_t firstFrame(const OracleNode& observations, Gives&& gives) {
    for (std::size_t i = 0; i < observations.size(); ++i)
        if (gives(observations.at(i))) return static_cast<std::int64_t>(i);
    return static_cast<std::int64_t>(observations.size());
}

class BatchCheck {
public:
    BatchCheck(const OracleNode& batch, Tally& tally)
        : m_batch(batch),
          m_tally(tally),
          m_spaces(spacesOf(batch)),
          m_layout(entityLayoutOf(m_spaces)),
          m_seen(framesOf(batch, m_spaces)),
          m_frames(m_layout) {
        m_frames.take(m_layout, m_seen);
    }

    void check() {
        const OracleNode expect = m_batch.at("expect");
        for (std::size_t i = 0; i < m_layout.types.size(); ++i) {
            const std::string& name = m_layout.types[i].name;
            compareRagged(expect.at("features").at(name), m_frames.things[i], m_tally);
            checkVisible(expect.at("visible"), name, m_frames.visible[i]);
        }
        for (std::size_t i = 0; i < m_layout.actions.size(); ++i)
            checkOffer(expect.at("action_masks").at(m_layout.actions[i].name),
                       m_layout.actions[i].name, m_frames.offers[i]);
    }

private:
    /// Rows of frames from one on, as the file has them, which may end sooner; all else is true.
    void checkTruths(const OracleNode& inFile, const RaggedBuffer<bool>& ours,
                     std::int64_t firstGiven) {
        const Wholes lengths = wholes(inFile.at("lengths"));
        const OracleNode data = inFile.at("data");
        std::size_t at = 0;
        for (std::int64_t frame = 0; frame < ours.size0(); ++frame) {
            const bool isGiven = frame >= firstGiven && frame < std::ssize(lengths);
            const auto row = ours.sequence(frame);
            if (frame < std::ssize(lengths)) {
                const auto numbers = static_cast<std::size_t>(
                    lengths[static_cast<std::size_t>(frame)] * ours.size2());
                if (isGiven &&
                    m_tally.truth(inFile.path() + ": as many", true, numbers == row.size()))
                    for (std::size_t i = 0; i < numbers; ++i)
                        m_tally.truth(data.at(at + i).path(), data.at(at + i).truth(), row[i] != 0);
                at += numbers;
            }
            if (!isGiven)
                m_tally.truth(
                    inFile.path() + ": all true where nothing is said", true,
                    std::ranges::all_of(row, [](std::uint8_t flag) { return flag == 1; }));
        }
    }

    void checkVisible(const OracleNode& inFile, const std::string& name,
                      const RaggedBuffer<bool>& ours) {
        if (!inFile.has(name))
            m_tally.truth(inFile.path() + ": all are seen", true, ours.size0() == 0);
        else
            checkTruths(inFile.at(name), ours, 0);
    }

    void checkOffer(const OracleNode& inFile, const std::string& name, const VecObs::Offer& ours) {
        compareRagged(inFile.at("actors"), ours.actors, m_tally);
        if (ours.isSelection) return compareRagged(inFile.at("actees"), ours.candidates, m_tally);
        const OracleNode mask = inFile.at("mask");
        if (mask.isNull() || mask.at("data").size() == 0)
            m_tally.truth(mask.path() + ": all is allowed", true, ours.allowed.size0() == 0);
        else
            checkTruths(mask, ours.allowed,
                        firstFrame(m_batch.at("observations"), [&](const OracleNode& frame) {
                            return frame.at("actions").has(name) &&
                                   !frame.at("actions").at(name).at("mask").isNull();
                        }));
    }

    OracleNode m_batch;
    Tally& m_tally;
    EnvironmentSpaces m_spaces;
    EntityLayout m_layout;
    std::vector<Observation> m_seen;
    VecObs m_frames;
};

/// The file's scripted environment: at time t of an episode it shows 1 + t mod 3 things with the
/// feature t and tells t; a step is worth the script's number and the sum of the choices.
class ScriptedEnvironment : public EntityGame {
public:
    explicit ScriptedEnvironment(std::vector<double> script)
        : EntityGame("the script", {.observations = {thingsOf("A", {"t"})},
                                    .actions = {choiceOf("cat", {"0", "1"})},
                                    .metrics = {"m"}}),
          m_script(std::move(script)) {}

private:
    void begin(Rng& /*rng*/) override { m_time = 0; }
    void act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) override {
        double reward = m_script[m_time++];
        for (const std::int64_t choice : taken[0].indices) reward += static_cast<double>(choice);
        end(result, reward, m_time == m_script.size() ? EpisodeEnd::Success : EpisodeEnd::None);
    }
    void observe(FrameWriter& out) const override {
        const auto things = static_cast<std::int64_t>(1 + m_time % 3);
        std::ranges::fill(out.things(0, things), static_cast<float>(m_time));
        out.addActors(0, 0, things);
        out.tell(static_cast<double>(m_time));
    }
    nlohmann::json toJson() const override { return {{"time", m_time}}; }
    void fromJson(const nlohmann::json& state) override { m_time = state.at("time"); }

    std::vector<double> m_script;
    std::size_t m_time = 0;
};

class ScriptCheck {
public:
    ScriptCheck(const OracleNode& script, Tally& tally)
        : m_script(script), m_tally(tally), m_team(1), m_env(made(), {.count = count()}, m_team) {}

    void check() {
        VecMetrics metrics(m_env);
        std::vector<bool> isFirst(static_cast<std::size_t>(count()), true);
        const OracleNode rows = m_script.at("rows");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const OracleNode row = rows.at(i);
            const VecObs& frames =
                i == 0 ? m_env.reset() : m_env.act(actionsOf(row, m_env.frames()));
            metrics.clear();
            metrics.add(m_env, i == 0);
            const OracleNode obs = row.at("obs");
            compareRagged(obs.at("features").at("A"), frames.things[0], m_tally);
            compareRagged(obs.at("action_masks").at("cat").at("actors"), frames.offers[0].actors,
                          m_tally);
            compareCells<float>(obs.at("reward"), frames.reward, m_tally,
                                {.relative = 1e-6, .absolute = 1e-6});
            compareCells<bool>(obs.at("done"), frames.done, m_tally);
            checkMetrics(row.at("metrics"), metrics, isFirst);
            for (std::size_t k = 0; k < isFirst.size(); ++k)
                isFirst[k] = isFirst[k] && frames.done[k] == 0;
        }
    }

private:
    std::int64_t count() const {
        return static_cast<std::int64_t>(m_script.at("rewards_per_env").size());
    }

    std::function<std::unique_ptr<Environment>()> made() const {
        return [this, next = std::size_t{0}]() mutable {
            return std::make_unique<ScriptedEnvironment>(
                m_script.at("rewards_per_env").at(next++).numbers());
        };
    }

    static VecActions actionsOf(const OracleNode& row, const VecObs& frames) {
        VecActions actions;
        actions.push_back(RaggedBuffer<std::int64_t>::fromFlattened(
            wholes(row.at("actions").at("cat")), 1, frames.offers[0].actors.lengths()));
        return actions;
    }

    /// The original counts the reset as a step of each environment's first episode.
    void checkMetrics(const OracleNode& inFile, const VecMetrics& metrics,
                      const std::vector<bool>& isFirst) {
        for (const auto& [name, sum] : metrics.sums()) {
            MetricSum ours = sum;
            if (name == "step") ours = {};
            if (name == "episode_length") ours = {};
            for (std::size_t i = 0; i < isFirst.size(); ++i) {
                const auto environment = static_cast<std::int64_t>(i);
                const double steps =
                    static_cast<double>(m_env.episodeSteps(environment)) + (isFirst[i] ? 1 : 0);
                if (name == "step") ours.add(steps);
                if (name == "episode_length" && m_env.frames().done[i] != 0) ours.add(steps);
            }
            const OracleNode due = inFile.at(name);
            const Tolerance tolerance{.relative = 1e-5, .absolute = 1e-6};
            m_tally.number(due.path() + ".count", due.at("count").number(),
                           static_cast<double>(ours.count), {});
            m_tally.number(due.path() + ".sum", due.at("sum").number(), ours.sum, tolerance);
            m_tally.number(due.path() + ".min", due.at("min").number(), ours.min, tolerance);
            m_tally.number(due.path() + ".max", due.at("max").number(), ours.max, tolerance);
        }
    }

    OracleNode m_script;
    Tally& m_tally;
    ThreadTeam m_team;
    VecEnv m_env;
};

}  // namespace

void checkEntityBatch(const OracleNode& batch, Tally& tally) {
    BatchCheck(batch, tally).check();
}

void checkEntityScript(const OracleNode& script, Tally& tally) {
    ScriptCheck(script, tally).check();
}

}  // namespace orrery
