#include "core/train/empo/driver/error_curves.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::int64_t kErrorPoints = 100;
constexpr std::int64_t kManyStates = 20'000;  ///< then a tenth of them
constexpr int kErrorDigits = 4;               ///< of the summary; curves have them all

}  // namespace

ErrorCurves::ErrorCurves(const EmpoRequest& request, Training& training)
    : m_request(request), m_training(training) {
    compareWith(m_training.worlds.exact);
    for (const auto& comparison : m_comparisons)
        if (comparison) m_numStates += comparison->numStates();
}

bool ErrorCurves::isDue(std::int64_t step) const {
    if (m_numStates == 0) return false;
    const std::int64_t points = m_numStates > kManyStates ? kErrorPoints / 10 : kErrorPoints;
    return step % std::max<std::int64_t>(1, m_training.spec.trainingSteps / points) == 0;
}

/// Prepares comparisons of the worlds that have a solution for the parameters in force.
void ErrorCurves::compareWith(const std::vector<std::shared_ptr<const Solution>>& exact) {
    TrainWorlds worlds = m_training.worlds;
    worlds.exact = exact;
    worlds.exact.resize(worlds.worlds.size());
    m_beta_r = m_training.spec.beta_r;
    m_numbers.assign(worlds.worlds.size(), std::nullopt);
    m_comparisons.clear();
    for (std::size_t w = 0; w < worlds.worlds.size(); ++w)
        m_comparisons.push_back(worlds.exact[w] ? std::make_unique<ExactComparison>(
                                                      m_training.spec, worlds, static_cast<int>(w))
                                                : nullptr);
}

/// Solutions for another beta_r than the last ones. @return false if there are none
bool ErrorCurves::renewSolutions(TrainHost& host) {
    const double beta_r = m_training.spec.beta_r;
    if (beta_r == m_beta_r) return true;
    m_numbers.assign(m_numbers.size(), std::nullopt);
    host.forgetMetrics("Exact/");
    if (beta_r != m_request.spec.beta_r && !m_request.solveAgain) {
        if (!std::exchange(m_hasToldUnsolved, true))
            host.say({.level = MessageLevel::Warning,
                      .code = "exact",
                      .text = "The exact solution is the one of beta_r " +
                              formatDouble(m_request.spec.beta_r) +
                              ", so errors are not measured while beta_r is another one."});
        return false;
    }
    const auto begin = TrainHost::Clock::now();
    compareWith(m_request.solveAgain ? m_request.solveAgain(m_training.spec)
                                     : m_training.worlds.exact);
    host.wasNoTraining(begin);  // as the first time
    return true;
}

void ErrorCurves::measure(TrainHost& host) {
    if (m_numStates == 0 || !renewSolutions(host)) return;
    for (std::size_t w = 0; w < m_comparisons.size(); ++w)
        if (!measure(w, host)) return;
}

/// @return false if stopped
bool ErrorCurves::measure(std::size_t world, TrainHost& host) {
    std::optional<ErrorNumbers>& numbers = m_numbers[world];
    const std::int64_t step = m_training.learner.stepsDone();
    if (!m_comparisons[world] || (numbers && numbers->step == step)) return true;
    const auto error =
        m_comparisons[world]->compare(m_training.learner, m_training.visits, false, host.stop());
    if (!error) return false;
    numbers = ErrorNumbers{.step = step,
                           .v_h_e = error->v_h_e,
                           .pi_r = error->pi_r,
                           .x_h = error->x_h,
                           .v_r = error->v_r,
                           .worst_v_h_e = error->worst_v_h_e,
                           .worst_pi_r = error->worst_pi_r,
                           .pi_h = error->pi_h,
                           .states = error->states,
                           .unvisited = error->unvisited};
    const std::string suffix = world == 0 ? "" : "_" + std::to_string(world + 1);
    const auto tell = [&](const std::string& name, double value) {
        host.metric(std::string("Exact/").append(name).append(suffix), value);
    };
    tell("v_h_e", error->v_h_e);
    tell("pi_r", error->pi_r);
    tell("x_h", error->x_h);
    tell("v_r", error->v_r);
    tell("worst_v_h_e", error->worst_v_h_e);
    tell("worst_pi_r", error->worst_pi_r);
    tell("unvisited", static_cast<double>(error->unvisited));
    if (error->pi_h) tell("pi_h", *error->pi_h);
    return true;
}

std::string ErrorCurves::summary() const {
    std::string text;
    for (const auto& error : m_numbers)
        if (error)
            text += "; error of V_h^e " + shortNumber(error->v_h_e, kErrorDigits) +
                    ", of \u03c0_r " + shortNumber(error->pi_r, kErrorDigits);
    return text;
}

}  // namespace orrery
