#include "core/empo/learner/plasticity.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/empo/learner/moments.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

/// A unit is dormant at or below this share of its layer's mean activation.
constexpr double kDormantShare = 0.025;
constexpr std::size_t kStates = 128;  ///< that are looked at, at most

at::Tensor singularValuesOf(const at::Tensor& matrix) {
    return at::linalg_svdvals(matrix.detach().cpu().to(at::kDouble)).contiguous();
}

double sumOfSquares(const at::Tensor& numbers) {
    const double* value = numbers.const_data_ptr<double>();
    double sum = 0;
    for (std::int64_t i = 0; i < numbers.numel(); ++i) sum += value[i] * value[i];
    return sum;
}

/// [rows, units] of a layer: maps are units of convolutions.
at::Tensor byUnit(const at::Tensor& output) {
    if (output.dim() == 4) return output.transpose(0, 1).flatten(1).t();
    return output.dim() == 2 ? output : output.flatten(0, -2);
}

}  // namespace

double effectiveRankOf(const at::Tensor& singularValues) {
    const at::Tensor numbers = singularValues.to(at::kDouble).cpu().contiguous();
    const double* value = numbers.const_data_ptr<double>();
    double sum = 0, entropy = 0;
    for (std::int64_t i = 0; i < numbers.numel(); ++i) sum += value[i];
    if (sum <= 0) return 0;
    for (std::int64_t i = 0; i < numbers.numel(); ++i)
        if (value[i] > 0) entropy -= value[i] / sum * std::log(value[i] / sum);
    return std::exp(entropy);
}

void PlasticityListener::take(const std::string& name, const at::Tensor& output) {
    if (name.ends_with(".head.2") || name.ends_with(".embedding")) return;  // not rectified
    const at::Tensor rows = byUnit(output.detach()).cpu().to(at::kDouble);
    const at::Tensor active = rows.abs().mean(0).contiguous();  // [units]
    const double* share = active.const_data_ptr<double>();
    double mean = 0;
    for (std::int64_t i = 0; i < active.numel(); ++i)
        mean += share[i] / static_cast<double>(active.numel());
    Layer& layer = m_layers[name];
    layer = {.units = static_cast<double>(active.numel())};
    for (std::int64_t i = 0; i < active.numel(); ++i) {
        layer.dormant += share[i] <= kDormantShare * mean ? 1 : 0;
        layer.dead += share[i] == 0 ? 1 : 0;
    }
    if (!name.ends_with(".head.1")) return;
    const double most = static_cast<double>(std::min(rows.size(0), rows.size(1)));
    m_featureRank[name.substr(0, name.find('.') + 1)] =
        effectiveRankOf(singularValuesOf(rows)) / most;
}

PlasticityNumbers PlasticityListener::numbersOf(const std::string& prefix,
                                                const std::vector<NetParameter>& parameters) const {
    PlasticityNumbers numbers;
    double squares = 0, matrices = 0;
    for (const auto& [name, tensor] : parameters) {
        squares += numberOf(tensor.detach().square().sum());
        if (tensor.dim() < 2 || tensor.size(0) < 2) continue;
        const at::Tensor values = singularValuesOf(tensor.flatten(1));
        const auto most = static_cast<double>(values.numel());
        const double greatest = values.const_data_ptr<double>()[0];  // they are in descending order
        numbers.effectiveRank += effectiveRankOf(values) / most;
        if (greatest > 0) numbers.stableRank += sumOfSquares(values) / (greatest * greatest) / most;
        ++matrices;
    }
    numbers.weightNorm = std::sqrt(squares);
    numbers.effectiveRank /= std::max(1.0, matrices);
    numbers.stableRank /= std::max(1.0, matrices);
    double units = 0;
    for (const auto& [name, layer] : m_layers) {
        if (!name.starts_with(prefix)) continue;
        units += layer.units;
        numbers.dormantUnits += layer.dormant;
        numbers.deadUnits += layer.dead;
    }
    numbers.dormantUnits /= std::max(1.0, units);
    numbers.deadUnits /= std::max(1.0, units);
    const auto rank = m_featureRank.find(prefix);
    if (rank != m_featureRank.end()) numbers.featureRank = rank->second;
    return numbers;
}

std::vector<MetricValue> Learner::plasticity(const ReplayBuffer& buffer) {
    Parts& parts = *m_parts;
    std::vector<MetricValue> metrics;
    if (!parts.nets || buffer.size() == 0) return metrics;
    std::vector<const std::byte*> states;
    std::vector<std::uint16_t> layouts;
    FlatBatch::Pairs pairs;
    const std::size_t count = std::min(kStates, buffer.size());
    for (std::size_t i = 0; i < count; ++i) {
        const ReplayBuffer::Slot slot = buffer.slotOfAge(i * buffer.size() / count);
        const StoredModel& model = buffer.modelOf(slot);
        const auto& humans = parts.facts->goals.humans[model.layout];
        const std::int64_t state = std::ssize(states);
        for (std::size_t h = 0; h < humans.size(); ++h) {
            // Each goal in its turn.
            const std::int64_t column = state % humans[h].count;
            pairs.add(state, static_cast<std::int64_t>(h), humans[h].first + column,
                      static_cast<std::int64_t>(h) * parts.facts->goals.maxGoals + column);
        }
        states.push_back(buffer.states().at(model.state).data());
        layouts.push_back(model.layout);
    }
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        const QuantityValues values = parts.liveValues();
        StateBatcher batcher(parts.facts);
        const std::vector<StateRows::Row> rows(states.size(), StateRows::kNone);
        PlasticityListener listener;
        ValueReader reader(values, batcher.make(states, layouts, rows, values.nets.get()),
                           NetPass{.sink = &listener});
        if (parts.isNetwork(Quantity::V_h_e)) reader.v_h_e(pairs);
        if (parts.isNetwork(Quantity::X_h)) reader.x_h();
        if (parts.isNetwork(Quantity::U_r)) reader.u_rY();
        if (parts.isNetwork(Quantity::Q_r)) reader.q_r();
        if (parts.isNetwork(Quantity::V_r)) reader.v_r();
        for (const Quantity quantity : kQuantities) {
            if (!parts.isNetwork(quantity)) continue;
            const std::string name = nameOf(quantity);
            const PlasticityNumbers numbers = listener.numbersOf(
                name + ".", parts.nets->parametersOf(static_cast<NetHead>(Parts::index(quantity))));
            const auto add = [&](const char* metric, double value) {
                metrics.push_back({"Plasticity/" + name + "/" + metric, value});
            };
            add("effective_rank", numbers.effectiveRank);
            add("stable_rank", numbers.stableRank);
            add("feature_rank", numbers.featureRank);
            add("weight_norm", numbers.weightNorm);
            add("dormant_units", numbers.dormantUnits);
            add("dead_units", numbers.deadUnits);
        }
    });
    return metrics;
}

}  // namespace orrery
