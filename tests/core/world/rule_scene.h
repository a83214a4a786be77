#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/reference_world.h"

namespace orrery::test {

/// A tiny world in which one rule is looked at. The state may be changed before the step; the
/// outcomes of one joint action are then compared with what the test has worked out by hand, for
/// the plain reference, the product's single row and the product's expansion of all rows.
class RuleScene {
public:
    /// One outcome: what is different after the step, and how likely that is.
    struct Expected {
        double probability = 1.0;
        std::function<void(reference::RefState&)> change;
    };

    /// `directions` has one letter of E S W N per agent. Every agent has ObjectActions unless
    /// `parameters` say otherwise.
    RuleScene(const std::vector<std::string>& map, const std::string& directions,
              reference::RefParameters parameters = {});

    reference::RefState state;

    reference::AgentState& agent(int i) { return state.agents[i]; }
    /// Stands agent i elsewhere.
    void put(int i, reference::Cell at) { state.agents[i].at = at; }

    /// One letter per agent: . still, L left, R right, F forward, P pickup, D drop, T toggle,
    /// X done, B build.
    /// @return empty if everybody gives the expected outcomes (to 1e-12), else what differs
    std::string check(const std::string& actions, const std::vector<Expected>& expected) const;
    /// The same with one outcome.
    std::string check(const std::string& actions,
                      const std::function<void(reference::RefState&)>& change) const;

private:
    std::vector<std::string> m_map;
    reference::RefParameters m_parameters;
    reference::RefWorld m_world;
};

/// A map row put together from several codes.
inline std::string rowOf(const char* before, const char* code, const char* after) {
    std::string row(before);
    row.append(code);
    row.append(after);
    return row;
}

/// No change but the step count.
inline void nothing(reference::RefState&) {}

}  // namespace orrery::test

/// Fails the test with both distributions if they differ.
#define RULE_CHECK(text)                              \
    do {                                              \
        const std::string ruleText = (text);          \
        QVERIFY2(ruleText.empty(), ruleText.c_str()); \
    } while (false)
