#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/selfcheck/canonical_states.h"
#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"
#include "core/dag/state_graph.h"

namespace orrery {

inline constexpr Tolerance kValueTolerance{.relative = 1e-10, .absolute = 1e-14};
inline constexpr Tolerance kSumTolerance{.relative = 1e-9, .absolute = 1e-14};
inline constexpr Tolerance kHalfTolerance{.relative = 5e-4, .absolute = 5e-4};

/// What the parts of selfcheck share about one file.
struct OracleContext {
    std::shared_ptr<const StateGraph> graph;
    const CanonicalStates& states;
    /// The file's table of states, by index; nothing where Orrery does not reach the state.
    const std::vector<std::optional<State>>& table;
    int threads = 1;
    std::stop_token stop;

    /// The state that `index` names, counting a failure where there is none.
    std::optional<State> state(const OracleNode& index, Tally& tally) const;
};

/// Compares counts, hash and checksum of the section `dag`.
void checkDag(const OracleNode& dag, const OracleContext& context, Tally& tally);
/// Compares the sampled rows with the stored graph and with the world's own transition function.
void checkTransitions(const OracleNode& transitions, const OracleContext& context, Tally& tally);
/// Solves with each setting and compares values and policies.
void checkSettings(const OracleNode& settings, const OracleContext& context, Tally& tally);
/// Compares compact states and their planes with what networks read of the sampled states.
void checkEncodings(const OracleNode& encodings, const OracleContext& context, Tally& tally);

}  // namespace orrery
