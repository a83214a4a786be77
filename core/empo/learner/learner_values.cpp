#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/nn/segmented_sum.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

constexpr std::size_t kValueStates = 1024;  ///< evaluated at once

void append(std::vector<float>& to, const at::Tensor& tensor) {
    const at::Tensor numbers = tensor.cpu().contiguous();
    const float* from = numbers.const_data_ptr<float>();
    to.insert(to.end(), from, from + numbers.numel());
}

/// The pairs of all states with all goals of their humans, and X_h's weights.
struct EveryGoal {
    FlatBatch::Pairs pairs;
    std::vector<std::int64_t> group;  ///< state * H + h
    std::vector<float> weight;

    EveryGoal(const ValueFacts& facts, int layout, std::int64_t states) {
        const auto& humans = facts.goals.humans[layout];
        for (std::int64_t s = 0; s < states; ++s)
            for (std::size_t h = 0; h < humans.size(); ++h)
                for (int g = 0; g < humans[h].count; ++g) {
                    const auto human = static_cast<std::int64_t>(h);
                    pairs.add(s, human, humans[h].first + g, human * facts.goals.maxGoals + g);
                    group.push_back(s * facts.numHumans + human);
                    weight.push_back(static_cast<float>(humans[h].weights[g]));
                }
    }
};

/// V_h^e of all pairs into [H] of [N, G].
void splitByHuman(const at::Tensor& values, const GoalList& goals, int layout, std::int64_t states,
                  std::vector<std::vector<float>>& out) {
    const at::Tensor numbers = values.cpu().contiguous();
    const float* from = numbers.const_data_ptr<float>();
    const auto& humans = goals.humans[layout];
    for (std::int64_t s = 0; s < states; ++s)
        for (std::size_t h = 0; h < humans.size(); ++h) {
            out[h].insert(out[h].end(), from, from + humans[h].count);
            from += humans[h].count;
        }
}

}  // namespace

/// Appends the values of one chunk of states.
static void evaluateChunk(const QuantityValues& values, const StateBatch& states, int layout,
                          double beta_eff, LearnedValues& out) {
    const ValueFacts& facts = *values.facts;
    const EmpoSpec& spec = facts.spec;
    const at::Device device = facts.rectangles.device();
    ValueReader reader(values, states);
    const EveryGoal every(facts, layout, states.size);
    const at::Tensor v_h_e = reader.v_h_e(every.pairs);
    splitByHuman(v_h_e, facts.goals, layout, states.size, out.v_h_e);

    at::Tensor x_h;  // [N, H]
    if (values.kindOf(Quantity::X_h) == Approximator::Computed)
        x_h = segmentedSum(v_h_e.pow(spec.zeta) * asTensor(every.weight, device),
                           asTensor(every.group, device), states.size * facts.numHumans)
                  .view({states.size, facts.numHumans})
                  .clamp_min(1e-10);
    else
        x_h = reader.x_h();
    const auto numHumans = static_cast<std::int64_t>(facts.worlds[layout].humans.size());
    append(out.x_h, x_h.narrow(1, 0, numHumans));

    const at::Tensor u_r = values.kindOf(Quantity::U_r) == Approximator::Computed
                               ? u_rOfX(x_h, states.hasHuman, spec)
                               : reader.u_r();
    const at::Tensor q_r = reader.q_r();
    const at::Tensor pi_r = robotPolicy(q_r, beta_eff, spec.originalRules);
    append(out.u_r, u_r);
    append(out.q_r, q_r);
    append(out.pi_r, pi_r);
    append(out.v_r, values.kindOf(Quantity::V_r) == Approximator::Computed
                        ? u_r + (pi_r * q_r).sum(1)
                        : reader.v_r());
}

LearnedValues Learner::evaluate(int layout, std::span<const std::byte* const> states,
                                ValueCopy copy) {
    Parts& parts = *m_parts;
    const WorldFacts& world = parts.facts->worlds.at(layout);
    LearnedValues out;
    out.numStates = static_cast<int>(states.size());
    out.numRobotActions = parts.facts->numRobotActions;
    out.v_h_e.resize(world.humans.size());
    out.isVisited_v_h_e.resize(world.humans.size());
    const QuantityValues values = copy == ValueCopy::Live ? parts.liveValues() : parts.target;
    StateBatcher batcher(parts.facts);
    std::vector<StateRows::Row> rows;
    std::vector<std::uint16_t> layouts;
    const LearnedTable* q_r = parts.tables[Parts::index(Quantity::Q_r)].get();
    const LearnedTable* v_h_e = parts.tables[Parts::index(Quantity::V_h_e)].get();
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        for (std::size_t first = 0; first < states.size(); first += kValueStates) {
            const auto chunk = states.subspan(first, std::min(kValueStates, states.size() - first));
            rows.clear();
            for (const std::byte* state : chunk)
                rows.push_back(parts.rows->find(fingerprintOf({state, world.shape.bytes()},
                                                              static_cast<std::uint64_t>(layout))));
            layouts.assign(chunk.size(), static_cast<std::uint16_t>(layout));
            evaluateChunk(values, batcher.make(chunk, layouts, rows, values.nets.get()), layout,
                          beta_eff(), out);
            for (const StateRows::Row row : rows) {
                const auto isVisited = [&](const LearnedTable* table, int column) {
                    return !table ||
                           (row >= 0 && row < table->rows() && table->updates(row, column) > 0);
                };
                bool any = false;
                for (int a = 0; a < out.numRobotActions; ++a) any |= isVisited(q_r, a);
                for (std::size_t h = 0; h < world.humans.size(); ++h)
                    for (int g = 0; g < std::ssize(world.humans[h].goals); ++g) {
                        const bool isOne =
                            isVisited(v_h_e, static_cast<int>(h) * parts.facts->goals.maxGoals + g);
                        out.isVisited_v_h_e[h].push_back(isOne);
                        any |= isOne;
                    }
                out.isVisited.push_back(any);
            }
        }
    });
    return out;
}

/// What a reader keeps between calls.
struct ActingReader::Parts {
    std::unique_ptr<StateBatcher> batcher;
    std::shared_ptr<const ValueFacts> facts;  ///< the batcher's
};

ActingReader::ActingReader(const std::vector<WorldFacts>&) : m_parts(std::make_unique<Parts>()) {}
ActingReader::~ActingReader() = default;

void ActingReader::use(std::shared_ptr<const ActingWeights> weights) {
    useOneThread();
    m_weights = std::move(weights);
    if (m_parts->facts == m_weights->values->facts) return;
    m_parts->facts = m_weights->values->facts;
    m_parts->batcher = std::make_unique<StateBatcher>(m_parts->facts);
}

void ActingReader::q_r(std::span<const std::byte> state, int layout, std::span<float> out) {
    const QuantityValues& values = *m_weights->values;
    if (values.kindOf(Quantity::Q_r) == Approximator::Table) {
        const TableVersion& table = values.table(Quantity::Q_r);
        const float* from =
            table.row(values.rows->find(fingerprintOf(state, static_cast<std::uint64_t>(layout))));
        std::transform(from, from + out.size(), out.begin(),
                       [](float q) { return std::min(q, -1e-12F); });
        return;
    }
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        const std::byte* place = state.data();
        const auto number = static_cast<std::uint16_t>(layout);
        const StateBatch& batch =
            m_parts->batcher->make({&place, 1}, {&number, 1}, {}, values.nets.get());
        const at::Tensor q_r = ValueReader(values, batch).q_r().contiguous();
        std::copy_n(q_r.const_data_ptr<float>(), out.size(), out.begin());
    });
}

void ActingReader::novelty(std::span<const std::byte> states, int layout, std::span<float> out) {
    const QuantityValues& values = *m_weights->values;
    const std::size_t bytes = values.facts->worlds.front().shape.bytes();
    assert(values.novelty && states.size() == out.size() * bytes);
    std::vector<const std::byte*> places;
    for (std::size_t i = 0; i < out.size(); ++i) places.push_back(states.data() + i * bytes);
    const std::vector<std::uint16_t> layouts(out.size(), static_cast<std::uint16_t>(layout));
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        const StateBatch& batch = m_parts->batcher->make(places, layouts, {}, values.nets.get());
        const at::Tensor novelty =
            values.novelty->novelty(noveltyFeatures(values, batch, values.noveltyWeights))
                .contiguous();
        std::copy_n(novelty.const_data_ptr<float>(), out.size(), out.begin());
    });
}

}  // namespace orrery
