#include "core/empo/learner/human_learner.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/empo/learner/archive_parts.h"
#include "core/empo/learner/moments.h"

namespace orrery {

namespace {

// Streams of a run's seed: weights, and what is dropped out.
constexpr std::uint64_t kWeightSalt = 0x5EED0E4A;
constexpr std::uint64_t kDropoutSalt = 0x5EEDD20A;

NetSpec netSpecOfHumans(const ValueFacts& facts) {
    NetSpec net = netSpecOf(facts);
    net.has = {true, false, false, false, false};
    net.goalOutputs = mostHumanActions(facts.worlds);
    net.encoders = NetSpec::Encoders::SharedAndOwn;
    return net;
}

}  // namespace

HumanLearner::HumanLearner(const EmpoSpec& spec, std::shared_ptr<const ValueFacts> facts,
                           std::shared_ptr<const ValueFacts> acting, const at::Device& device,
                           std::shared_ptr<const StateRows> rows)
    : m_spec(spec), m_acting(std::move(acting)), m_flattener(facts->worlds, facts->goals, spec) {
    m_target.numActions = mostHumanActions(facts->worlds);
    m_target.rows = std::move(rows);
    if (spec.q_h.kind == Approximator::Table) {
        TableSpec table;
        table.columns = facts->goalColumns() * m_target.numActions;
        table.defaultValue = static_cast<float>(spec.q_h.tableDefault);
        table.rule = spec.adaptiveTables ? TableSpec::Rule::Adaptive : TableSpec::Rule::Adam;
        table.rateFloor = spec.tableRateFloor;
        m_table = std::make_unique<LearnedTable>(table);
        m_target.table = m_table->version();
    } else {
        m_nets = std::make_shared<QuantityNets>(netSpecOfHumans(*facts), spec.seed ^ kWeightSalt);
        m_nets->moveTo(device);
        m_targetNets = m_nets->frozen();
        m_target.nets = m_targetNets;
        m_optimiser = std::make_unique<Adam>(m_nets->parameters(),
                                             AdamSettings{.weightDecay = spec.weightDecay});
    }
    m_target.facts = std::move(facts);
}

const HumanBatch& HumanLearner::flatten(const ReplayBuffer& buffer,
                                        std::span<const ReplayBuffer::Slot> batch, Rng& rng) {
    // A table costs little a goal, a network a pass each.
    return m_flattener.flatten(buffer, batch, isTable(), rng);
}

void HumanLearner::growTo(StateRows::Row rows) {
    if (m_table) m_table->growTo(rows);
}

double HumanLearner::differ(const HumanBatch& batch, const StateBatch& states, std::int64_t step,
                            double rate, QuantityNumbers* numbers) {
    const at::Tensor wanted = humanTargets(batch, states, m_target);
    const double norm = m_table ? differTable(batch, states, wanted, numbers)
                                : differNetwork(batch, states, wanted, step, rate, numbers);
    if (numbers == nullptr) return norm;
    numbers->gradientNorm = norm;
    numbers->learningRate = rate;
    numbers->updates = m_updates + 1;
    if (m_table) {
        numbers->tableRows = m_table->rows();
        numbers->tableEntries = static_cast<std::int64_t>(m_table->visitedEntries());
        return norm;
    }
    double squares = 0;
    for (const auto& parameter : m_nets->parameters())
        squares += numberOf(parameter.tensor.detach().square().sum());
    numbers->parameterNorm = std::sqrt(squares);
    return norm;
}

double HumanLearner::differTable(const HumanBatch& batch, const StateBatch& states,
                                 const at::Tensor& wanted, QuantityNumbers* numbers) {
    m_rows.clear(), m_columns.clear(), m_gradients.clear();
    const at::Tensor onHost = wanted.cpu().contiguous();
    const float* to = onHost.const_data_ptr<float>();
    const auto count = std::ranges::count(batch.hasAction, 1.0F);
    const auto scale =
        static_cast<float>(m_spec.adaptiveTables ? 1.0 : 2.0 / static_cast<double>(count));
    const int numActions = batch.numActions;
    double losses = 0, squares = 0;
    Moments predictions, targets;
    for (std::size_t q = 0; q < batch.questions.size(); ++q) {
        const StateRows::Row row = states.rows[static_cast<std::size_t>(batch.questions.state[q])];
        const auto first = static_cast<std::int32_t>(batch.questions.column[q] * numActions);
        for (int a = 0; a < numActions; ++a) {
            const std::size_t at =
                q * static_cast<std::size_t>(numActions) + static_cast<std::size_t>(a);
            if (batch.hasAction[at] == 0) continue;
            const float value = m_table->at(row, first + a);
            const float difference = value - to[at];
            m_rows.push_back(row);
            m_columns.push_back(first + a);
            m_gradients.push_back(scale * difference);
            losses += double{difference} * difference;
            squares += double{m_gradients.back()} * m_gradients.back();
            if (numbers) predictions.add(value), targets.add(to[at]);
        }
    }
    if (numbers) put(*numbers, losses / static_cast<double>(count), predictions, targets);
    return std::sqrt(squares);
}

double HumanLearner::differNetwork(const HumanBatch& batch, const StateBatch& states,
                                   const at::Tensor& wanted, std::int64_t step, double rate,
                                   QuantityNumbers* numbers) {
    Rng dropout(m_spec.seed ^ kDropoutSalt, static_cast<std::uint64_t>(step));
    HumanValues values = live();
    const at::Tensor predicted = q_hOf(values, states.first(batch.numCurrent), batch.questions,
                                       NetPass{.training = &dropout});  // [Q, A]
    const at::Tensor hasAction =
        asTensor(batch.hasAction, wanted.device()).view({-1, batch.numActions});
    m_optimiser->zeroGradients();
    const at::Tensor loss = ((predicted - wanted).square() * hasAction).sum() / hasAction.sum();
    loss.backward();
    const double most = m_spec.autoClip ? m_spec.clipNorm * rate / kClipRate : m_spec.clipNorm;
    const at::Tensor norm = m_optimiser->clipGradients(m_spec.clipsGradients ? most : 1e30);
    if (numbers) {
        const at::Tensor isThere = hasAction.ne(0);
        put(*numbers, numberOf(loss), momentsOf(predicted.masked_select(isThere)),
            momentsOf(wanted.masked_select(isThere)));
    }
    return numberOf(norm);
}

void HumanLearner::apply(double rate) {
    if (m_table)
        m_table->apply(m_rows, m_columns, m_gradients, m_spec.adaptiveTables ? 1.0 : rate);
    else
        m_optimiser->step(rate);
    ++m_updates;
}

void HumanLearner::copyTarget() {
    if (m_table)
        m_target.table = m_table->version();
    else
        m_targetNets->copyFrom(*m_nets, NetHead::V_h_e);
}

HumanValues HumanLearner::live() {
    HumanValues values = m_target;
    if (m_table)
        values.table = m_table->version();
    else
        values.nets = m_nets;
    return values;
}

std::shared_ptr<const HumanValues> HumanLearner::frozen() {
    auto values = std::make_shared<HumanValues>(live());
    values->facts = m_acting;
    if (m_nets) {
        std::shared_ptr<QuantityNets> copy = m_nets->frozen();
        copy->moveTo(at::kCPU);
        values->nets = std::move(copy);
    }
    return values;
}

void HumanLearner::addBytes(MemoryNumbers& memory) const {
    if (m_table) memory.tables += static_cast<std::int64_t>(m_table->allocatedBytes());
    if (!m_nets) return;
    memory.parameters += bytesOf(m_nets->parameters()) + bytesOf(m_targetNets->parameters());
    memory.optimisers += bytesOf(m_optimiser->state());
}

void HumanLearner::save(NamedArrays& arrays) const {
    arrays.integers["humans.updates"] = {{}, {m_updates}};
    if (m_table) return saveTable(arrays, "q_h", *m_table, *m_target.table);
    for (const auto& parameter : m_nets->parameters())
        saveTensor(arrays, "humans.model." + parameter.name, parameter.tensor);
    for (const auto& parameter : m_targetNets->parameters())
        saveTensor(arrays, "humans.target." + parameter.name, parameter.tensor);
    for (const auto& state : m_optimiser->state())
        saveTensor(arrays, "optimiser/q_h." + state.name, state.tensor);
}

void HumanLearner::load(const NamedArrays& arrays, std::shared_ptr<const StateRows> rows) {
    if (!arrays.integers.contains("humans.updates"))
        throw Error(
            "The checkpoint holds no learned policies of the humans, which human_prior: learned "
            "needs. Take the human_prior that it was made with, or begin a new run.",
            Error::Kind::BadInput);
    m_updates = integers(arrays, "humans.updates", 1).front();
    m_target.rows = std::move(rows);
    if (m_table) {
        m_target.table = loadTable(arrays, "q_h", *m_table, m_target.rows->size());
        return;
    }
    for (const auto& parameter : m_nets->parameters())
        loadTensor(arrays, "humans.model." + parameter.name, parameter.tensor);
    for (const auto& parameter : m_targetNets->parameters())
        loadTensor(arrays, "humans.target." + parameter.name, parameter.tensor);
    for (const auto& state : m_optimiser->state())
        loadTensor(arrays, "optimiser/q_h." + state.name, state.tensor);
}

}  // namespace orrery
