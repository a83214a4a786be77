#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/empo/learner/human_learner.h"
#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

/// Keeps of every layer what belongs to one human and goal.
class LayersOfOne : public LayerSink {
public:
    /// @param goal  place among all goals of the run
    LayersOfOne(const ActivationWish& wish, int numStates, int numHumans, std::int64_t goal)
        : m_wish(wish), m_numStates(numStates), m_numHumans(numHumans), m_goal(goal) {}

    std::vector<LayerNumbers> take() { return std::move(m_layers); }

    void take(const std::string& name, const at::Tensor& output) override {
        const bool isOfHumans = name.find(".agent_encoder.") != std::string::npos ||
                                name.find(".own_agent_encoder.") != std::string::npos;
        const bool readsHumans =
            m_wish.quantity == Quantity::V_h_e || m_wish.quantity == Quantity::X_h;
        if (isOfHumans && !readsHumans) return;
        const bool isOfGoals = name.find(".goal_encoder.") != std::string::npos;
        const bool isX_h = name.starts_with("x_h.head.");
        at::Tensor rows = output.detach().to(at::kCPU);  // [N, ...]
        if (isX_h) rows = rows.flatten(0, 1);            // of [N, H, F]
        if (isOfHumans || isX_h) rows = rows.slice(0, m_wish.human, rows.size(0), m_numHumans);
        rows = rows.contiguous();
        LayerNumbers layer;
        layer.name = name;
        layer.shape.assign(rows.sizes().begin() + 1, rows.sizes().end());
        layer.isRectified = !name.ends_with(".head.2") && !name.ends_with(".embedding");
        const auto size = static_cast<std::size_t>(rows.select(0, 0).numel());
        const float* number = rows.const_data_ptr<float>();
        const float* shown = number + (isOfGoals ? static_cast<std::size_t>(m_goal) * size : 0);
        layer.values.assign(shown, shown + size);
        layer.active.assign(size, 0);
        for (std::int64_t row = 0; row < rows.size(0); ++row)
            for (std::size_t i = 0; i < size; ++i) layer.active[i] += *number++ != 0 ? 1U : 0U;
        // Goals are the same in all states: what any of them needs is needed everywhere.
        if (isOfGoals)
            for (std::uint32_t& active : layer.active)
                active = active > 0 ? static_cast<std::uint32_t>(m_numStates) : 0;
        m_layers.push_back(std::move(layer));
    }

private:
    ActivationWish m_wish;
    int m_numStates, m_numHumans;
    std::int64_t m_goal;
    std::vector<LayerNumbers> m_layers;
};

std::vector<float> numbersOf(const at::Tensor& tensor) {
    const at::Tensor numbers = tensor.detach().to(at::kCPU).contiguous();
    const float* first = numbers.const_data_ptr<float>();
    return {first, first + numbers.numel()};
}

/// What the learner says of the first state.
std::vector<float> valueOf(const LearnedValues& values, const ActivationWish& wish) {
    const auto human = static_cast<std::size_t>(wish.human);
    switch (wish.quantity) {
        case Quantity::V_h_e:
            return {values.v_h_e.at(human).at(static_cast<std::size_t>(wish.goal))};
        case Quantity::X_h:
            return {values.x_h.at(human)};
        case Quantity::U_r:
            return {values.u_r.at(0)};
        case Quantity::Q_r:
            return values.q_r;
        case Quantity::V_r:
            break;
    }
    return {values.v_r.at(0)};
}

/// Runs the network of one quantity; the reader's sink hears of its layers.
at::Tensor run(ValueReader& reader, const ActivationWish& wish, const FlatBatch::Pairs& pairs) {
    switch (wish.quantity) {
        case Quantity::V_h_e:
            return reader.v_h_e(pairs).select(0, 0);
        case Quantity::X_h:
            return reader.x_h().select(0, 0).select(0, wish.human);
        case Quantity::U_r:
            return reader.u_r().select(0, 0);
        case Quantity::Q_r:
            return reader.q_r().select(0, 0);
        case Quantity::V_r:
            break;
    }
    return reader.v_r().select(0, 0);
}

}  // namespace

NetActivations Learner::activations(int layout, std::span<const std::byte* const> states,
                                    const ActivationWish& wish) {
    Parts& parts = *m_parts;
    const WorldFacts& world = parts.facts->worlds.at(static_cast<std::size_t>(layout));
    const auto& humans = parts.facts->goals.humans[static_cast<std::size_t>(layout)];
    if (states.empty() || wish.human < 0 || wish.human >= std::ssize(humans) || wish.goal < 0 ||
        wish.goal >= humans[static_cast<std::size_t>(wish.human)].count)
        throw Error("World \"" + world.name + "\" has no human " + std::to_string(wish.human) +
                        " with a goal " + std::to_string(wish.goal) + ".",
                    Error::Kind::BadInput);
    const Quantity quantity = wish.quantity;
    NetActivations out{.wish = wish,
                       .kind = parts.facts->spec.of(quantity).kind,
                       .states = static_cast<int>(states.size())};
    if (out.kind != Approximator::Network) {
        out.value = valueOf(evaluate(layout, states.first(1), wish.copy), wish);
        if (out.kind != Approximator::Table) return out;
        out.row = parts.rows->find(
            fingerprintOf({states[0], world.shape.bytes()}, static_cast<std::uint64_t>(layout)));
        const LearnedTable& table = *parts.tables[Parts::index(quantity)];
        const auto row = static_cast<StateRows::Row>(out.row);
        const float* entries =
            wish.copy == ValueCopy::Live ? table.row(row) : parts.target.table(quantity).row(row);
        out.entries.assign(entries, entries + table.columns());
        for (int column = 0; column < table.columns(); ++column)
            out.updates.push_back(row >= 0 && row < table.rows() ? table.updates(row, column) : 0);
        return out;
    }
    const std::int64_t goal = humans[static_cast<std::size_t>(wish.human)].first + wish.goal;
    LayersOfOne sink(wish, out.states, parts.facts->numHumans, goal);
    const QuantityValues values = wish.copy == ValueCopy::Live ? parts.liveValues() : parts.target;
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        StateBatcher batcher(parts.facts);
        const std::vector<std::uint16_t> layouts(states.size(), static_cast<std::uint16_t>(layout));
        const std::vector<StateRows::Row> rows(states.size(), StateRows::kNone);
        FlatBatch::Pairs pairs;
        for (std::int64_t s = 0; s < std::ssize(states); ++s)
            pairs.add(s, wish.human, goal, wish.human * parts.facts->goals.maxGoals + wish.goal);
        ValueReader reader(values, batcher.make(states, layouts, rows, values.nets.get()),
                           NetPass{.sink = &sink});
        out.value = numbersOf(run(reader, wish, pairs));
    });
    out.layers = sink.take();
    return out;
}

void Learner::addBytes(MemoryNumbers& memory) const {
    const Parts& parts = *m_parts;
    memory.tables += static_cast<std::int64_t>(parts.rows->allocatedBytes());
    for (const auto& table : parts.tables)
        if (table) memory.tables += static_cast<std::int64_t>(table->allocatedBytes());
    if (parts.nets)
        memory.parameters +=
            bytesOf(parts.nets->parameters()) + bytesOf(parts.targetNets->parameters());
    for (const auto& optimiser : parts.optimisers)
        if (optimiser) memory.optimisers += bytesOf(optimiser->state());
    if (parts.humans) parts.humans->addBytes(memory);
}

}  // namespace orrery
