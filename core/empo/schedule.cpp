#include "core/empo/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/text.h"

namespace orrery {

namespace {

std::string titleOf(const std::string& stage) {
    for (const Quantity quantity : kQuantities)
        if (stage == nameOf(quantity)) return symbolOf(quantity);
    if (stage == "q_h") return "Q_h";
    return stage == "ramp" ? "beta_r ramp" : "full beta_r";
}

/// "V_h^e, X_h"
std::string symbolsOf(unsigned active) {
    std::vector<std::string> symbols;
    for (const Quantity quantity : kQuantities)
        if ((active >> static_cast<unsigned>(quantity) & 1U) != 0)
            symbols.push_back(symbolOf(quantity));
    return commaList(symbols);
}

}  // namespace

EmpoSchedule::EmpoSchedule(const EmpoSpec& spec) : m_spec(spec) {
    std::int64_t at = 0;
    unsigned active = 0;
    const auto go = [&](const std::string& name, std::int64_t length) {
        if (length > 0) append(name, at, at + length, active);
        at += length;
    };
    if (spec.learnsHumans()) go("q_h", spec.q_h.warmupSteps);
    m_humansEnd = at;
    for (const Quantity quantity : kQuantities) {
        if (!spec.isUsed(quantity)) continue;
        active |= 1U << static_cast<unsigned>(quantity);
        go(nameOf(quantity), spec.of(quantity).warmupSteps);
    }
    m_rampBegin = at;
    m_rampEnd = at + spec.rampSteps;
    go("ramp", spec.rampSteps);
    append("full", at, std::numeric_limits<std::int64_t>::max(), active);
    m_decayBegin =
        std::max(m_rampEnd, static_cast<std::int64_t>(spec.constantRateFraction *
                                                      static_cast<double>(spec.trainingSteps)));
}

void EmpoSchedule::append(const std::string& name, std::int64_t begin, std::int64_t end,
                          unsigned active) {
    EmpoStage stage;
    stage.name = name;
    stage.title = titleOf(name);
    stage.begin = begin;
    stage.end = end;
    stage.trained = active == 0 ? stage.title : symbolsOf(active);
    stage.active = active;
    if (clearsBuffer(begin)) stage.opening = "the buffer is emptied";
    m_stages.push_back(std::move(stage));
}

int EmpoSchedule::stageIndex(std::int64_t step) const {
    int index = 0;
    while (step >= m_stages[index].end) ++index;
    return index;
}

double EmpoSchedule::stageShare(Quantity quantity, std::int64_t step) const {
    for (const EmpoStage& stage : m_stages) {
        if (stage.name != nameOf(quantity)) continue;
        return std::clamp(
            static_cast<double>(step - stage.begin) / static_cast<double>(stage.end - stage.begin),
            0.0, 1.0);
    }
    return isActive(quantity, step) ? 1 : 0;
}

double EmpoSchedule::powerFactor(std::int64_t step) const {
    if (step < m_rampBegin) return 0;
    if (step >= m_rampEnd) return 1;
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    const double part =
        static_cast<double>(step - m_rampBegin) / static_cast<double>(m_rampEnd - m_rampBegin);
    const double low = sigmoid(-3), high = sigmoid(3);
    return std::clamp((sigmoid(6 * (part - 0.5)) - low) / (high - low), 0.0, 1.0);
}

double EmpoSchedule::rateFactor(std::int64_t step) const {
    if (m_spec.rateDecay == RateDecay::None || step <= m_decayBegin || m_decayBegin == 0) return 1;
    const double part = static_cast<double>(m_decayBegin) / static_cast<double>(step);
    return m_spec.rateDecay == RateDecay::Inverse ? part : std::sqrt(part);
}

double EmpoSchedule::epsilon(double start, double end, std::int64_t step) const {
    const std::int64_t since = std::max<std::int64_t>(0, step - m_humansEnd);
    if (since >= m_spec.epsilonSteps && !isOfHumans(step)) return end;
    if (since == 0) return start;
    const double part = static_cast<double>(since) / static_cast<double>(m_spec.epsilonSteps);
    return start + (end - start) * part;
}

double EmpoSchedule::epsilon_r(std::int64_t step) const {
    return epsilon(m_spec.epsilonStart_r, m_spec.epsilonEnd_r, step);
}

double EmpoSchedule::epsilon_h(std::int64_t step) const {
    return epsilon(m_spec.epsilonStart_h, m_spec.epsilonEnd_h, step);
}

double EmpoSchedule::gamma(double end, const std::optional<double>& start, std::int64_t steps,
                           std::int64_t step) const {
    const std::int64_t since = std::max<std::int64_t>(0, step - m_humansEnd);
    if (!start || since >= steps) return end;
    return *start + (end - *start) * static_cast<double>(since) / static_cast<double>(steps);
}

double EmpoSchedule::gamma_h(std::int64_t step) const {
    return gamma(m_spec.gamma_h, m_spec.gammaStart_h, m_spec.gammaSteps_h, step);
}

double EmpoSchedule::gamma_r(std::int64_t step) const {
    return gamma(m_spec.gamma_r, m_spec.gammaStart_r, m_spec.gammaSteps_r, step);
}

std::int64_t EmpoSchedule::oldestSampled(std::int64_t step) const {
    if (m_spec.bufferClearing != BufferClearing::Gradual || step < m_rampBegin) return 0;
    if (step >= m_decayBegin) return m_rampBegin;
    const double part =
        static_cast<double>(step - m_rampBegin) / static_cast<double>(m_decayBegin - m_rampBegin);
    return static_cast<std::int64_t>(part * static_cast<double>(m_rampBegin));
}

bool EmpoSchedule::clearsBuffer(std::int64_t step) const {
    return m_spec.bufferClearing == BufferClearing::Hard && step > 0 &&
           (step == m_rampBegin || step == m_rampEnd);
}

}  // namespace orrery
