#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/empo/snapshot.h"
#include "core/train/empo/driver/exact_error.h"
#include "core/train/empo/driver/training.h"
#include "core/train/empo/empo_training.h"
#include "core/train/method.h"

namespace orrery {

/// The curves Exact/*: how far what a training learned is from the exact solutions of its worlds,
/// for the parameters in force. One thread.
class ErrorCurves {
public:
    /// @param request  lives as long as this
    ErrorCurves(const EmpoRequest& request, Training& training);

    /// Whether they get a point after that many training steps: 100 points in a training, 10 where
    /// there are many states.
    bool isDue(std::int64_t step) const;
    /// Measures and tells; nothing where it was measured at this step.
    void measure(TrainHost& host);

    const std::vector<std::optional<ErrorNumbers>>& numbers() const { return m_numbers; }
    /// "; error of V_h^e 0.01, of pi_r 0.02" for each world.
    std::string summary() const;

private:
    void compareWith(const std::vector<std::shared_ptr<const Solution>>& exact);
    bool renewSolutions(TrainHost& host);
    bool measure(std::size_t world, TrainHost& host);

    const EmpoRequest& m_request;
    Training& m_training;
    std::vector<std::unique_ptr<ExactComparison>> m_comparisons;  ///< [worlds], null: none
    std::vector<std::optional<ErrorNumbers>> m_numbers;           ///< [worlds]
    std::int64_t m_numStates = 0;  ///< of all worlds, in the first comparisons
    double m_beta_r = 0;           ///< what the comparisons' solutions were made with
    bool m_hasToldUnsolved = false;
};

}  // namespace orrery
