#include <map>
#include <span>
#include <string>

#include "app/selfcheck/oracle_world.h"
#include "app/selfcheck/selfcheck_parts.h"
#include "core/base/error.h"
#include "core/solve/solution.h"

namespace orrery {
namespace {

/// The values of a solution at the states of a file, each computed once.
class ValueTable {
public:
    ValueTable(const Solution& solution, const OracleContext& context)
        : m_solution(solution), m_context(context) {}

    const StateValues* at(const OracleNode& index, Tally& tally) {
        const auto state = m_context.state(index, tally);
        if (!state) return nullptr;
        const int key = index.integer();
        const auto found = m_values.find(key);
        if (found != m_values.end()) return &found->second;
        return &m_values.emplace(key, m_solution.values(*state)).first->second;
    }

    const Solution& solution() const { return m_solution; }

private:
    const Solution& m_solution;
    const OracleContext& m_context;
    std::map<int, StateValues> m_values;
};

/// Compares the numbers of one block of a setting with one solution.
class ValueCheck {
public:
    ValueCheck(const Solution& solution, const OracleContext& context, Tolerance values,
               Tolerance sums, Tally& tally)
        : m_table(solution, context),
          m_context(context),
          m_values(values),
          m_sums(sums),
          m_tally(tally) {}

    void phase1(const OracleNode& list) {
        for (std::size_t i = 0; i < list.size() && !m_context.stop.stop_requested(); ++i) {
            const OracleNode row = list.at(i);
            if (!checkKeys(row,
                           {.required = {"state", "human", "goal", "V", "policy"},
                            .nullable = {},
                            .optional = {}},
                           m_tally))
                continue;
            const StateValues* values = m_table.at(row.at("state"), m_tally);
            const auto human = humanIndex(row.at("human"));
            if (values == nullptr || !human) continue;
            const int goal = row.at("goal").integer();
            if (goal < 0 || goal >= std::ssize(goals()[*human].goals)) {
                m_tally.fail(row.at("goal").path(), "there is no goal " + std::to_string(goal));
                continue;
            }
            number(row.at("V"), values->v_h[*human][goal]);
            numbers(row.at("policy"),
                    values->terminal ? std::span<const double>{} : values->pi_h[*human][goal]);
        }
    }

    /// @param whole false for the blocks that hold pi_r, V_r and V_h_e only
    void phase2(const OracleNode& list, bool whole) {
        OracleKeys keys{
            .required = {"state", "pi_r", "V_r", "V_h_e"}, .nullable = {}, .optional = {}};
        if (whole)
            keys.required.insert(keys.required.end(), {"Q_r", "U_r", "X_h", "human_marginal"});
        for (std::size_t i = 0; i < list.size() && !m_context.stop.stop_requested(); ++i) {
            const OracleNode row = list.at(i);
            if (!checkKeys(row, keys, m_tally)) continue;
            const StateValues* values = m_table.at(row.at("state"), m_tally);
            if (values == nullptr) continue;
            numbers(row.at("pi_r"), values->pi_r);
            number(row.at("V_r"), values->v_r);
            perHuman(row.at("V_h_e"), [&](const OracleNode& node, std::size_t h) {
                numbers(node, values->v_h_e[h]);
            });
            if (!whole) continue;
            numbers(row.at("Q_r"), values->q_r);
            number(row.at("U_r"), values->u_r);
            perHuman(row.at("X_h"),
                     [&](const OracleNode& node, std::size_t h) { number(node, values->x_h[h]); });
            perHuman(row.at("human_marginal"), [&](const OracleNode& node, std::size_t h) {
                numbers(node, values->terminal ? std::span<const double>{} : values->marginal[h]);
            });
        }
    }

    void checksums(const OracleNode& node) {
        const OracleKeys keys{
            .required = {"sum_V_r", "min_V_r", "sum_V_h_e", "sum_V_phase1", "V_r_root"},
            .nullable = {},
            .optional = {}};
        if (!checkKeys(node, keys, m_tally)) return;
        const Solution::Checksums sums = m_table.solution().checksums(m_context.threads);
        const auto sum = [&](const char* key, double computed, Tolerance tolerance) {
            m_tally.number(node.at(key).path(), node.at(key).number(), computed, tolerance);
        };
        sum("sum_V_r", sums.sum_v_r, m_sums);
        sum("min_V_r", sums.min_v_r, m_values);
        sum("sum_V_h_e", sums.sum_v_h_e, m_sums);
        sum("sum_V_phase1", sums.sumPhase1, m_sums);
        sum("V_r_root", sums.v_r_root, m_values);
    }

private:
    std::span<const HumanGoals> goals() const { return m_context.graph->world().goals(); }

    void number(const OracleNode& node, double computed) {
        m_tally.number(node.path(), node.number(), computed, m_values);
    }

    void numbers(const OracleNode& node, std::span<const double> computed) {
        if (node.size() != computed.size()) {
            m_tally.number(node.path() + " (length)", static_cast<double>(node.size()),
                           static_cast<double>(computed.size()), {});
            return;
        }
        for (std::size_t i = 0; i < computed.size(); ++i) number(node.at(i), computed[i]);
    }

    /// Index into World::goals() of the human with the agent index of the file.
    std::optional<std::size_t> humanIndex(const OracleNode& agent) {
        for (std::size_t h = 0; h < goals().size(); ++h)
            if (goals()[h].agent == agent.integer()) return h;
        m_tally.fail(agent.path(), "agent " + agent.compact() + " is no human with goals");
        return std::nullopt;
    }

    template <typename Compare>
    void perHuman(const OracleNode& node, const Compare& compare) {
        OracleKeys keys;
        for (const HumanGoals& human : goals())
            keys.required.push_back(std::to_string(human.agent));
        checkKeys(node, keys, m_tally);
        for (std::size_t h = 0; h < goals().size(); ++h)
            if (node.has(keys.required[h])) compare(node.at(keys.required[h]), h);
    }

    ValueTable m_table;
    const OracleContext& m_context;
    Tolerance m_values, m_sums;
    Tally& m_tally;
};

void compareRobotProfiles(const OracleNode& list, const World& world, Tally& tally) {
    const RobotProfiles profiles = robotProfiles(world);
    tally.number(list.path() + " (length)", static_cast<double>(list.size()),
                 static_cast<double>(profiles.actions.size()), {});
    for (std::size_t i = 0; i < list.size() && i < profiles.actions.size(); ++i)
        tally.text(list.at(i).path(), list.at(i).compact(), compactText(profiles.actions[i]));
}

/// Null if it was stopped or if the world cannot be solved with these parameters.
std::shared_ptr<const Solution> solveSetting(const OracleNode& setting, const SolveSpec& spec,
                                             const OracleContext& context, Tally& tally) {
    try {
        return solve(context.graph, spec, {}, context.stop);
    } catch (const Error& e) {
        tally.fail(setting.path(), std::string("Orrery cannot solve this: ") + e.what());
        return nullptr;
    }
}

/// @param first the first setting also holds what upstream returns in half precision
void checkSetting(const OracleNode& setting, bool first, const OracleContext& context,
                  Tally& tally) {
    OracleKeys keys{.required = {"params", "terminal_V_r", "robot_action_profiles", "phase1",
                                 "phase2", "checksums", "generator_seconds"},
                    .nullable = {"believed_others"},
                    .optional = {}};
    (first ? keys.required : keys.optional).emplace_back("upstream_float16");
    checkKeys(setting, keys, tally);
    const auto usable = [&](const char* key) {
        return setting.has(key) && !setting.at(key).isEmpty();
    };
    if (usable("robot_action_profiles"))
        compareRobotProfiles(setting.at("robot_action_profiles"), context.graph->world(), tally);
    if (!usable("params") || !usable("terminal_V_r") || !setting.has("believed_others")) return;
    const OracleKeys paramKeys{.required = {"id", "beta_h", "gamma_h", "beta_r", "gamma_r", "zeta",
                                            "xi", "eta", "optimistic"},
                               .nullable = {},
                               .optional = {}};
    if (!checkKeys(setting.at("params"), paramKeys, tally)) return;
    SolveSpec spec = readOracleSetting(setting, context.graph->world());
    spec.threads = context.threads;
    if (const auto solution = solveSetting(setting, spec, context, tally)) {
        ValueCheck check(*solution, context, kValueTolerance, kSumTolerance, tally);
        if (usable("phase1")) check.phase1(setting.at("phase1"));
        if (usable("phase2")) check.phase2(setting.at("phase2"), true);
        if (usable("checksums")) check.checksums(setting.at("checksums"));
    }
    if (!usable("upstream_float16")) return;
    const OracleNode half = setting.at("upstream_float16");
    if (!checkKeys(half,
                   {.required = {"phase1", "phase2", "checksums"}, .nullable = {}, .optional = {}},
                   tally))
        return;
    spec.storage = ValueStorage::Half;
    if (const auto solution = solveSetting(setting, spec, context, tally)) {
        ValueCheck check(*solution, context, kHalfTolerance, kHalfTolerance, tally);
        check.phase1(half.at("phase1"));
        check.phase2(half.at("phase2"), false);
        check.checksums(half.at("checksums"));
    }
}

}  // namespace

void checkSettings(const OracleNode& settings, const OracleContext& context, Tally& tally) {
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (context.stop.stop_requested()) return;
        checkSetting(settings.at(i), i == 0, context, tally);
    }
}

}  // namespace orrery
