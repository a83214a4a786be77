#include "app/selfcheck/entity_rollouts.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/selfcheck/ragged_values.h"
#include "core/base/error.h"
#include "core/entity/entity_game.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/vec_obs.h"

namespace orrery {

namespace {

using nlohmann::json;

json jsonOf(const OracleNode& node) {
    return json::parse(node.compact());
}

class Rollout {
public:
    Rollout(const OracleNode& rollout, Tally& tally)
        : m_node(rollout),
          m_tally(tally),
          m_name(rollout.at("env").text()),
          m_environment(make()),
          m_layout(entityLayoutOf(m_environment->spaces())),
          m_frame(m_layout) {
        // Angles, and sums of many small steps, in single precision there.
        if (m_name == "Minefield" || m_name == "MoveToOrigin")
            m_tolerance = {.relative = 1e-5, .absolute = 1e-5};
        // Its states have nine digits of numbers in double precision.
        if (m_name == "CherryPick") m_tolerance = {.relative = 1e-6, .absolute = 1e-8};
    }

    void check() {
        checkSpaces();
        json state = jsonOf(m_node.at("initial_state"));
        if (m_name == "Count") state["mask"] = maskOf(m_node.at("initial_obs"));
        m_environment->setState(state.dump(), m_seen);
        checkFrame(m_node.at("initial_obs"), {});
        const OracleNode steps = m_node.at("steps");
        for (std::size_t i = 0; i < steps.size(); ++i) checkStep(steps.at(i));
    }

private:
    std::unique_ptr<Environment> make() const {
        json options = jsonOf(m_node.at("kwargs"));
        options["original"] = true;
        return environmentNamed(entityEnvironments(), m_name).make(options.dump());
    }

    static json maskOf(const OracleNode& frame) {
        json mask = json::array();
        const OracleNode data = frame.at("action_masks").at("count").at("mask").at("data");
        for (std::size_t i = 0; i < data.size(); ++i) mask.push_back(data.at(i).truth() ? 1 : 0);
        return mask;
    }

    void checkSpaces() {
        const OracleNode types = m_node.at("obs_space").at("entities");
        m_tally.number(types.path(), static_cast<double>(types.size()),
                       static_cast<double>(m_layout.numTypes()), {});
        for (std::size_t i = 0; i < std::min(types.size(), m_layout.numTypes()); ++i) {
            m_tally.text(types.path(), types.at(i).at(0).text(), m_layout.types[i].name);
            m_tally.truth(types.at(i).path(), true,
                          types.at(i).at(1).texts() == m_layout.types[i].features);
        }
        const OracleNode globals = m_node.at("obs_space").at("global_features");
        const std::vector<std::string> ours =
            m_layout.hasGlobal ? m_layout.types.back().features : std::vector<std::string>();
        m_tally.truth(globals.path(), true, globals.texts() == ours);
        const OracleNode actions = m_node.at("action_space");
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const ActionSpace& action = m_layout.actions.at(i);
            m_tally.text(actions.path(), actions.at(i).at(0).text(), action.name);
            const OracleNode space = actions.at(i).at(1);
            m_tally.text(space.path(), space.at("type").text(),
                         action.kind == ActionSpace::Kind::Select ? "SelectEntity"
                         : action.isOfActors                      ? "Categorical"
                                                                  : "GlobalCategorical");
            m_tally.truth(space.path(), true, space.at("labels").texts() == action.choices);
        }
    }

    void checkStep(const OracleNode& step) {
        std::vector<ActionTaken> taken(m_layout.actions.size());
        for (std::size_t i = 0; i < taken.size(); ++i) {
            const std::string& name = m_layout.actions[i].name;
            if (step.at("actions").has(name))
                taken[i].indices = wholes(step.at("actions").at(name));
        }
        StepResult result;
        m_environment->step(taken, result, m_seen);
        if (step.has("spawned_food")) takeFood(step);
        checkFrame(step.at("obs"), result);
        compareState(step.at("state"), jsonOf(step.at("state")),
                     json::parse(m_environment->state()));
    }

    /// Food comes where the original put it; all else of it must be the same.
    void takeFood(const OracleNode& step) {
        json state = json::parse(m_environment->state());
        const json due = jsonOf(step.at("state")).at("food");
        const std::size_t numNew = step.at("spawned_food").size();
        json& food = state.at("food");
        m_tally.number(step.path() + ": food", static_cast<double>(due.size()),
                       static_cast<double>(food.size()), {});
        for (std::size_t i = 0; i < std::min(due.size(), food.size()); ++i)
            if (i + numNew >= due.size() && food[i].at("color") == due[i].at("color"))
                food[i] = due[i];
        m_environment->setState(state.dump(), m_seen);
    }

    void checkFrame(const OracleNode& inFile, const StepResult& result) {
        m_frame.take(m_layout, std::span(&m_seen, 1));
        for (std::size_t i = 0; i < m_layout.types.size(); ++i) {
            const std::string& name = m_layout.types[i].name;
            const OracleNode features = inFile.at("features");
            if (features.has(name))
                compareRagged(features.at(name), m_frame.things[i], m_tally, m_tolerance);
            else
                m_tally.truth(features.path() + ": " + name, true,
                              name == kGlobals && m_layout.types[i].features.empty());
            if (inFile.at("visible").has(name))
                compareRagged(inFile.at("visible").at(name), m_frame.visible[i], m_tally);
            else
                m_tally.truth(inFile.path() + ": all are seen", true,
                              m_frame.visible[i].size0() == 0);
        }
        for (std::size_t i = 0; i < m_layout.actions.size(); ++i)
            checkOffer(inFile.at("action_masks").at(m_layout.actions[i].name), m_frame.offers[i]);
        m_tally.number(inFile.path() + ".reward", static_cast<float>(inFile.at("reward").number()),
                       result.rewards.empty() ? 0 : static_cast<float>(result.rewards[0]),
                       m_tolerance);
        m_tally.truth(inFile.path() + ".done", inFile.at("done").truth(),
                      result.end != EpisodeEnd::None);
    }

    void checkOffer(const OracleNode& inFile, const VecObs::Offer& offer) {
        if (m_name == "FloorIsLava")
            compareWholes(inFile.at("actors").at("lengths"), offer.actors.lengths(), m_tally);
        else
            compareRagged(inFile.at("actors"), offer.actors, m_tally);
        if (m_name == "FloorIsLava")
            m_tally.number(inFile.path() + ": the player acts",
                           static_cast<double>(m_frame.numThings(0) - 1),
                           static_cast<double>(offer.actors.flat()[0]), {});
        if (offer.isSelection) return compareRagged(inFile.at("actees"), offer.candidates, m_tally);
        const OracleNode mask = inFile.at("mask");
        if (mask.isNull() || mask.at("data").size() == 0)
            m_tally.truth(mask.path() + ": all is allowed", true, offer.allowed.items() == 0);
        else
            compareRagged(mask, offer.allowed, m_tally);
    }

    /// Each number and text that the file has.
    void compareState(const OracleNode& where, const json& due, const json& ours) {
        if (due.is_object()) {
            for (const auto& [key, value] : due.items())
                if (ours.contains(key))
                    compareState(where, value, ours.at(key));
                else
                    m_tally.fail(where.path(), "our state has no " + key);
        } else if (due.is_array()) {
            if (!m_tally.truth(where.path() + ": as many", true, ours.size() == due.size())) return;
            for (std::size_t i = 0; i < due.size(); ++i) compareState(where, due[i], ours[i]);
        } else if (due.is_number() && ours.is_number()) {
            m_tally.number(where.path(), due.get<double>(), ours.get<double>(),
                           due.is_number_float() ? Tolerance{.relative = 1e-5, .absolute = 1e-5}
                                                 : Tolerance{});
        } else {
            m_tally.text(where.path(), due.dump(), ours.dump());
        }
    }

    OracleNode m_node;
    Tally& m_tally;
    std::string m_name;
    std::unique_ptr<Environment> m_environment;
    EntityLayout m_layout;
    VecObs m_frame;
    Observation m_seen;
    Tolerance m_tolerance;
};

}  // namespace

void checkEntityRollout(const OracleNode& rollout, Tally& tally) {
    Rollout(rollout, tally).check();
}

}  // namespace orrery
