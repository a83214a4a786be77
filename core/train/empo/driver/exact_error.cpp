#include "core/train/empo/driver/exact_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery {

namespace {

constexpr std::size_t kEvaluatedStates = 512;  ///< at once

EncoderOptions encoderOptions(const EmpoSpec& spec, const EncodingShape& shape) {
    return {.shape = shape,
            .includesStepCount = spec.includesStepCount,
            .hidesWhatIsUnder = spec.originalRules};
}

double unitWeight(double gamma_r) {
    return gamma_r == 1 ? 1 : (1 - gamma_r) / -std::log(gamma_r);
}

/// The mean of the greatest hundredth, at least one.
double meanOfWorst(std::vector<float>& errors) {
    if (errors.empty()) return 0;
    const std::size_t count = std::max<std::size_t>(1, errors.size() / 100);
    std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                             std::ranges::greater{});
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += errors[i];
    return sum / static_cast<double>(count);
}

}  // namespace

struct ExactComparison::Sums {
    double v_h_e = 0, pi_r = 0, x_h = 0, v_r = 0;
    std::int64_t unvisited = 0;
    std::vector<float> worst_v_h_e, worst_pi_r;  ///< [S] of each state
};

ExactComparison::ExactComparison(const EmpoSpec& spec, const TrainWorlds& worlds, int layout,
                                 bool keepsAll)
    : m_world(worlds.worlds[static_cast<std::size_t>(layout)]),
      m_exact(worlds.exact[static_cast<std::size_t>(layout)]),
      m_facts(worlds.facts[static_cast<std::size_t>(layout)]),
      m_layout(layout),
      m_weight(unitWeight(spec.gamma_r)),
      m_encoder(*m_world, encoderOptions(spec, m_facts.shape)),
      m_comparesHumans(spec.learnsHumans()),
      m_keepsAll(keepsAll) {
    const StateGraph& graph = m_exact->graph();
    for (int step = 0; step < m_world->maxSteps() && step < graph.numLevels(); ++step)
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c)
            if (graph.inLevel(step, c)) m_states.push_back({step, c});
    for (const WorldFacts::Human& human : m_facts.humans) m_numGoals += human.goals.size();
}

bool ExactComparison::prepare(const std::stop_token& stop) {
    const auto numActions = static_cast<std::size_t>(m_facts.numRobotActions());
    const std::size_t numHumans = m_facts.humans.size();
    m_v_h_e.resize(m_states.size() * m_numGoals);
    m_pi_r.resize(m_states.size() * numActions);
    m_x_h.resize(m_states.size() * numHumans);
    m_v_r.resize(m_states.size());
    for (; m_prepared < m_states.size(); ++m_prepared) {
        if (m_prepared % 64 == 0 && stop.stop_requested()) return false;
        const StateValues values = m_exact->values(m_states[m_prepared]);
        float* v_h_e = m_v_h_e.data() + m_prepared * m_numGoals;
        for (const std::vector<double>& goals : values.v_h_e)
            for (const double value : goals) *v_h_e++ = static_cast<float>(value);
        for (std::size_t a = 0; a < numActions; ++a)
            m_pi_r[m_prepared * numActions + a] = static_cast<float>(values.pi_r[a]);
        for (std::size_t h = 0; h < numHumans; ++h)
            m_x_h[m_prepared * numHumans + h] = static_cast<float>(values.x_h[h]);
        m_v_r[m_prepared] = static_cast<float>(values.v_r / m_weight);
        if (m_keepsAll) {
            for (const double value : values.q_r) m_q_r.push_back(static_cast<float>(value));
            m_u_r.push_back(static_cast<float>(values.u_r));
        }
        if (!m_comparesHumans) continue;
        for (const auto& goals : values.pi_h)
            for (const std::vector<double>& actions : goals)
                for (const double probability : actions)
                    m_pi_h.push_back(static_cast<float>(probability));
    }
    return true;
}

void ExactComparison::addState(const LearnedValues& learned, std::size_t place, std::size_t state,
                               bool visited, Sums& sums) const {
    const auto numActions = static_cast<std::size_t>(m_facts.numRobotActions());
    const std::size_t numHumans = m_facts.humans.size();
    const float* exact_v_h_e = m_v_h_e.data() + state * m_numGoals;
    double v_h_e = 0;
    for (std::size_t h = 0; h < numHumans; ++h) {
        const std::size_t numGoals = m_facts.humans[h].goals.size();
        for (std::size_t g = 0; g < numGoals; ++g)
            v_h_e += std::abs(learned.v_h_e[h][place * numGoals + g] - *exact_v_h_e++);
        const float exact_x_h = m_x_h[state * numHumans + h];
        sums.x_h += std::abs(learned.x_h[place * numHumans + h] / exact_x_h - 1) /
                    static_cast<double>(numHumans);
    }
    v_h_e /= static_cast<double>(m_numGoals);
    double pi_r = 0;
    for (std::size_t a = 0; a < numActions; ++a)
        pi_r += std::abs(learned.pi_r[place * numActions + a] - m_pi_r[state * numActions + a]) / 2;
    sums.v_h_e += v_h_e;
    sums.pi_r += pi_r;
    sums.v_r += std::abs(learned.v_r[place] / m_v_r[state] - 1);
    sums.unvisited += visited ? 0 : 1;
    sums.worst_v_h_e.push_back(static_cast<float>(v_h_e));
    sums.worst_pi_r.push_back(static_cast<float>(pi_r));
}

/// Sum of the total variations of a chunk's policies, and of how many.
double ExactComparison::humansError(Learner& learner, std::span<const std::byte* const> states,
                                    std::size_t first, std::int64_t& pairs) const {
    const StateGraph& graph = m_exact->graph();
    const std::vector<float> learned = learner.evaluateHumans(m_layout, states);
    const float* exact = m_pi_h.data() + first * m_facts.priorNumbers();
    auto at = learned.begin();
    double sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t h = 0; h < m_facts.humans.size(); ++h) {
            const std::uint64_t attained = m_world->attainedGoals(
                graph.configuration(m_states[first + i].config), static_cast<int>(h));
            for (std::size_t g = 0; g < m_facts.humans[h].goals.size(); ++g) {
                const bool isOver = (attained >> g & 1U) != 0;
                pairs += isOver ? 0 : 1;
                for (int a = 0; a < m_facts.humans[h].numActions; ++a, ++at, ++exact)
                    if (!isOver) sum += std::abs(*at - *exact) / 2;
            }
        }
    return sum;
}

/// Puts what was learned of one state behind what is there.
void ExactComparison::addNumbers(const LearnedValues& learned, std::size_t place,
                                 ExactError& error) const {
    const auto append = [place](auto& to, const auto& from, std::size_t width) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(place * width);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    const std::size_t numHumans = m_facts.humans.size();
    for (std::size_t h = 0; h < numHumans; ++h) {
        const std::size_t numGoals = m_facts.humans[h].goals.size();
        append(error.learned.v_h_e, learned.v_h_e[h], numGoals);
        append(error.isSeen_v_h_e, learned.isVisited_v_h_e[h], numGoals);
    }
    append(error.learned.x_h, learned.x_h, numHumans);
    append(error.learned.pi_r, learned.pi_r, static_cast<std::size_t>(m_facts.numRobotActions()));
    error.learned.v_r.push_back(static_cast<float>(learned.v_r[place] * m_weight));
    if (m_keepsAll) {
        const auto numActions = static_cast<std::size_t>(m_facts.numRobotActions());
        for (std::size_t i = place * numActions; i < (place + 1) * numActions; ++i)
            error.learned.q_r.push_back(static_cast<float>(learned.q_r[i] * m_weight));
        error.learned.u_r.push_back(learned.u_r[place]);
    }
    error.isSeen.push_back(learned.isVisited[place]);
}

void ExactComparison::addExactNumbers(ExactError& error) const {
    error.exact = {
        .v_h_e = m_v_h_e, .x_h = m_x_h, .v_r = m_v_r, .pi_r = m_pi_r, .q_r = m_q_r, .u_r = m_u_r};
    for (float& value : error.exact.v_r) value = static_cast<float>(value * m_weight);
}

std::optional<ExactError> ExactComparison::compare(Learner& learner, const VisitCounts& visits,
                                                   bool isByState, const std::stop_token& stop,
                                                   const std::function<void(std::int64_t)>& tell) {
    if (!prepare(stop)) return std::nullopt;
    const StateGraph& graph = m_exact->graph();
    const std::size_t bytes = m_facts.shape.bytes();
    std::vector<std::int32_t> encoded(kEvaluatedStates * bytes / sizeof(std::int32_t));
    const auto all = std::as_writable_bytes(std::span(encoded));
    std::vector<const std::byte*> states;
    Sums sums;
    ExactError error;
    double pi_h = 0;
    std::int64_t pairs = 0;  // of states and goals in pi_h
    for (std::size_t begin = 0; begin < m_states.size(); begin += kEvaluatedStates) {
        if (stop.stop_requested()) return std::nullopt;
        if (tell) tell(static_cast<std::int64_t>(begin));
        const std::size_t count = std::min(kEvaluatedStates, m_states.size() - begin);
        states.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const State& state = m_states[begin + i];
            m_encoder.encode(graph.configuration(state.config), state.step,
                             all.subspan(i * bytes, bytes));
            states.push_back(all.data() + i * bytes);
        }
        const LearnedValues learned = learner.evaluate(m_layout, states);
        if (m_comparesHumans) pi_h += humansError(learner, states, begin, pairs);
        for (std::size_t i = 0; i < count; ++i) {
            const Fingerprint key =
                fingerprintOf(all.subspan(i * bytes, bytes), static_cast<std::uint64_t>(m_layout));
            const std::uint32_t numVisits = visits.countOf(key);
            addState(learned, i, begin + i, numVisits > 0, sums);
            if (!isByState) continue;
            error.byState.push_back({m_states[begin + i], sums.worst_v_h_e.back(),
                                     sums.worst_pi_r.back(), numVisits > 0, numVisits});
            addNumbers(learned, i, error);
        }
    }
    if (isByState) addExactNumbers(error);
    const double count = std::max<double>(1, static_cast<double>(m_states.size()));
    error.v_h_e = sums.v_h_e / count;
    error.pi_r = sums.pi_r / count;
    error.x_h = sums.x_h / count;
    error.v_r = sums.v_r / count;
    if (m_comparesHumans) error.pi_h = pi_h / std::max<double>(1, static_cast<double>(pairs));
    error.states = std::ssize(m_states);
    error.unvisited = sums.unvisited;
    error.worst_v_h_e = meanOfWorst(sums.worst_v_h_e);
    error.worst_pi_r = meanOfWorst(sums.worst_pi_r);
    return error;
}

}  // namespace orrery
