#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/solve/value_of.h"
#include "core/train/empo/empo_training.h"
#include "core/world/world.h"
#include "widgets/bridge/world_loader.h"

namespace orrery {

/// What is both learned and known exactly, in the order in which a session counts it. Without a
/// human such a ValueOf means all humans and goals, always all actions.
inline constexpr std::array kLearnedKinds = {ValueKind::V_h_e, ValueKind::X_h, ValueKind::V_r,
                                             ValueKind::Pi_r,  ValueKind::Q_r, ValueKind::U_r};

/// A checkpoint of a training beside the exact solution of one of its worlds. Immutable.
struct LearnedErrors {
    QString runId, runName;
    std::int64_t step = 0;  ///< of the checkpoint
    int worldIndex = 0;     ///< of the run's worlds
    LoadedWorld loaded;     ///< the run's world, to be opened
    std::shared_ptr<const World> world;
    std::shared_ptr<const Solution> exact;
    ExactError error;

    std::size_t numStates() const { return error.byState.size(); }
    const StateGraph& graph() const;
    /// The index in error.byState of a state; -1 if it is not among them.
    std::int64_t indexOf(const State& state) const;
};

/// One quantity over all states. A state has `each` pairs of numbers: one for every goal, human or
/// joint action that the quantity covers.
struct LearnedPairs {
    ValueOf quantity = {};
    std::size_t each = 0;
    std::vector<float> learned = {}, exact = {};  ///< [S, each]
    std::vector<std::uint8_t> isSeen = {};        ///< [S, each] 0: learned is a table's default
    std::vector<float> error = {};                ///< [S] see errorUnit
    std::vector<float> seenError = {};            ///< [S] of the seen pairs alone; -1: it has none
    std::vector<QString> names = {};              ///< [each] "A, cell 3,1"; "forward"
    std::int64_t numUnseen = 0;                   ///< entries of isSeen that are 0

    std::size_t numStates() const { return error.size(); }
    /// The pair of a state that differs most; among its seen ones, where it has any.
    std::size_t worstOf(std::size_t state) const;
    std::size_t worstSeenOf(std::size_t state) const;
};

/// A quantity of one state.
struct NumbersOfState {
    std::vector<float> exact = {}, learned = {};
    std::vector<bool> isSeen = {};
    std::vector<QString> names = {};
};
NumbersOfState numbersOf(const LearnedErrors& errors, const ValueOf& quantity, std::size_t state);

LearnedPairs pairsOf(const LearnedErrors& errors, const ValueOf& quantity);

/// All quantities that were compared, the ones over all humans and goals first.
std::vector<ValueOf> learnedQuantities(const LearnedErrors& errors);
/// "V_h^e of A, cell 3,1"
QString textOf(const ValueOf& quantity, const World& world);
/// "|learned − exact|", "total variation", ...
QString errorUnit(ValueKind kind);

/// Mean errors over all states, and of the worst hundredth.
struct ErrorSummary {
    double mean = 0, worst = 0;
    std::int64_t states = 0, unvisited = 0;
};
ErrorSummary summaryOf(const LearnedErrors& errors, const LearnedPairs& pairs);

/// Mean error of some states, those that the training never started from apart.
struct ErrorBin {
    QString label, tip;
    double visited = 0, unvisited = 0;  ///< mean errors; meaningless where the count is 0
    std::int64_t numVisited = 0, numUnvisited = 0;
    int step = -1;  ///< of a level
};

/// By step, first step first.
std::vector<ErrorBin> errorByLevel(const LearnedErrors& errors, const LearnedPairs& pairs);
/// By how often a transition started in the state: never, 1, 2-3, 4-7, ...
std::vector<ErrorBin> errorByVisits(const LearnedErrors& errors, const LearnedPairs& pairs);

/// Mean error by the cell of one agent, over the states of some steps.
struct ErrorField {
    int width = 0, height = 0;
    std::vector<double> mean = {};          ///< [height * width]
    std::vector<std::int64_t> states = {};  ///< [height * width] averaged over; 0: no value
    std::vector<std::int64_t> worst =
        {};                    ///< [height * width] the state (index) of the largest error
    double low = 0, high = 0;  ///< of the means; low is 0
};
/// @param steps  first and last
ErrorField errorByCell(const LearnedErrors& errors, const LearnedPairs& pairs, int agent,
                       std::pair<int, int> steps);

/// Indices of the states with the largest errors, the largest first; equal ones by index.
/// @param errors  [S] negative: the state is left out
std::vector<std::int64_t> worstStates(std::span<const float> errors, std::size_t count);

}  // namespace orrery
