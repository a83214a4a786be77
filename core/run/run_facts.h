#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Something that is known about a run under a key: "beta_r", "v_r".
struct RunFact {
    std::string key;
    std::string text;              ///< as the spec's file writes it: "5.0", "inf", "none"
    std::optional<double> number;  ///< of numbers and truth values
};

/// A stored run's parameters and results; what it lacks is left out.
struct RunFacts {
    std::string run;        ///< id
    std::string job;        ///< "solve", "train", "import"; empty if the spec cannot be read
    std::string worldName;  ///< by its result, else by the world that it kept, else by its file
    /// "job", then its fields, in the spec's order, without the world; then "seed" of what was
    /// carried out.
    std::vector<RunFact> parameters;
    /// Of a solve: v_r, u_r, x_h (x_h_2, ... for further humans) of the start state; states,
    /// levels, seconds (of both phases), explore_seconds. Of a training: steps,
    /// train_seconds, and error_v_h_e and error_pi_r against the exact solution where there is one.
    std::vector<RunFact> results;

    const RunFact* find(std::string_view key) const;  ///< null if there is none
    /// Of a solve: exploring and solving. Of a training: what it trained, from its start on and
    /// without pauses. Nothing: not known.
    std::optional<double> workSeconds() const;
};

}  // namespace orrery
