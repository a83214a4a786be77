#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/error.h"
#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

void saveTensor(NamedArrays& arrays, const std::string& name, const at::Tensor& tensor) {
    const at::Tensor numbers = tensor.detach().cpu().contiguous();
    const float* from = numbers.const_data_ptr<float>();
    arrays.floats[name] = {numbers.sizes().vec(), {from, from + numbers.numel()}};
}

template <typename T>
const ShapedArray<T>& need(const std::map<std::string, ShapedArray<T>>& arrays,
                           const std::string& name) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        throw Error("The checkpoint has no array \"" + name +
                        "\", which this run's learner needs. Resume from another checkpoint.",
                    Error::Kind::Damaged);
    return found->second;
}

void loadTensor(const NamedArrays& arrays, const std::string& name, const at::Tensor& tensor) {
    const ShapedArray<float>& from = need(arrays.floats, name);
    if (from.shape != tensor.sizes().vec())
        throw Error("Array \"" + name + "\" of the checkpoint has another shape than this run's " +
                        "learner. Resume with the spec that the checkpoint was made with.",
                    Error::Kind::Damaged);
    tensor.detach().copy_(
        at::from_blob(const_cast<float*>(from.values.data()), from.shape, at::kFloat));
}

const std::vector<std::int64_t>& integers(const NamedArrays& arrays, const std::string& name,
                                          std::size_t count) {
    const ShapedArray<std::int64_t>& found = need(arrays.integers, name);
    if (found.values.size() != count)
        throw Error("Array \"" + name + "\" of the checkpoint has " +
                        std::to_string(found.values.size()) + " numbers instead of " +
                        std::to_string(count) + ". Resume from another checkpoint.",
                    Error::Kind::Damaged);
    return found.values;
}

ShapedArray<float> matrix(std::vector<float> values, int columns) {
    const auto rows = std::ssize(values) / columns;
    return {{rows, columns}, std::move(values)};
}

std::string optimiserName(Quantity quantity, const std::string& name) {
    return std::string("optimiser/") + nameOf(quantity) + "." + name;
}

std::string tableName(Quantity quantity) {
    return std::string("table.") + nameOf(quantity);
}

void saveTable(NamedArrays& arrays, Quantity quantity, const LearnedTable& table,
               const TableVersion& target) {
    const std::string name = tableName(quantity);
    LearnedTable::Arrays own = table.arrays();
    std::vector<float> copy(static_cast<std::size_t>(target.rows()) * target.columns());
    for (StateRows::Row row = 0; row < target.rows(); ++row)
        std::copy_n(target.row(row), target.columns(),
                    copy.data() + static_cast<std::size_t>(row) * target.columns());
    arrays.floats[name + ".values"] = matrix(std::move(own.values), table.columns());
    arrays.floats[name + ".target"] = matrix(std::move(copy), table.columns());
    if (!own.firstMoment.empty()) {
        arrays.floats["optimiser/" + name + ".first_moment"] =
            matrix(std::move(own.firstMoment), table.columns());
        arrays.floats["optimiser/" + name + ".second_moment"] =
            matrix(std::move(own.secondMoment), table.columns());
    }
    arrays.integers[name + ".updates"] = {{table.rows(), table.columns()},
                                          {own.updates.begin(), own.updates.end()}};
}

/// @return the target copy
std::shared_ptr<const TableVersion> loadTable(const NamedArrays& arrays, Quantity quantity,
                                              LearnedTable& table, StateRows::Row rows) {
    const std::string name = tableName(quantity);
    LearnedTable::Arrays own;
    const ShapedArray<float>& target = need(arrays.floats, name + ".target");
    // The copy may have fewer rows than the table; those it has not hold the default all the same.
    own.values = target.values;
    own.updates.assign(own.values.size(), 0);
    if (table.spec().rule == TableSpec::Rule::Adam) {
        own.firstMoment.assign(own.values.size(), 0);
        own.secondMoment.assign(own.values.size(), 0);
    }
    table.restore(own);
    std::shared_ptr<const TableVersion> copy = table.version();

    const std::size_t count = static_cast<std::size_t>(rows) * table.columns();
    own.values = need(arrays.floats, name + ".values").values;
    if (table.spec().rule == TableSpec::Rule::Adam) {
        own.firstMoment = need(arrays.floats, "optimiser/" + name + ".first_moment").values;
        own.secondMoment = need(arrays.floats, "optimiser/" + name + ".second_moment").values;
    }
    const auto& updates = integers(arrays, name + ".updates", own.values.size());
    if (own.values.size() > count)
        throw Error("Table \"" + name +
                        "\" of the checkpoint has more rows than states were met. "
                        "Resume from another checkpoint.",
                    Error::Kind::Damaged);
    own.updates.assign(updates.begin(), updates.end());
    table.restore(own);
    return copy;
}

}  // namespace

NamedArrays Learner::save() const {
    const Parts& parts = *m_parts;
    NamedArrays arrays;
    const auto number = [&](const std::string& name, std::int64_t value) {
        arrays.integers[name] = {{}, {value}};
    };
    number("steps_done", parts.stepsDone);
    number("skipped_steps", parts.skippedSteps);
    number("skipped_in_a_row", parts.skippedInARow);
    number("published", parts.published);
    number("acting_step", actingWeights()->step);
    arrays.integers["updates"] = {{kNumQuantities}, {parts.updates.begin(), parts.updates.end()}};
    if (parts.spec.hasTables()) {
        auto& prints = arrays.integers["table.rows"];
        for (const Fingerprint& print : parts.rows->fingerprints()) {
            prints.values.push_back(static_cast<std::int64_t>(print.high));
            prints.values.push_back(static_cast<std::int64_t>(print.low));
        }
        prints.shape = {std::ssize(prints.values) / 2, 2};
    }
    translatingTorchErrors([&] {
        if (parts.nets) {
            for (const auto& parameter : parts.nets->parameters())
                saveTensor(arrays, "model." + parameter.name, parameter.tensor);
            for (const auto& parameter : parts.targetNets->parameters())
                saveTensor(arrays, "target." + parameter.name, parameter.tensor);
        }
        if (parts.novelty) {
            for (const auto& parameter : parts.novelty->all())
                saveTensor(arrays, parameter.name, parameter.tensor);
            for (const auto& state : parts.noveltyOptimiser->state())
                saveTensor(arrays, "optimiser/" + state.name, state.tensor);
            // What collectors act by is a little older.
            for (const auto& parameter : actingWeights()->values->novelty->all())
                saveTensor(arrays, "acting." + parameter.name, parameter.tensor);
        }
        for (const Quantity quantity : kQuantities) {
            const std::size_t i = Parts::index(quantity);
            if (parts.tables[i])
                saveTable(arrays, quantity, *parts.tables[i], *parts.target.tables[i]);
            if (parts.optimisers[i])
                for (const auto& state : parts.optimisers[i]->state())
                    saveTensor(arrays, optimiserName(quantity, state.name), state.tensor);
        }
    });
    return arrays;
}

void Learner::load(const NamedArrays& arrays) {
    Parts& parts = *m_parts;
    const auto number = [&](const std::string& name) { return integers(arrays, name, 1).front(); };
    parts.stepsDone = number("steps_done");
    parts.skippedSteps = number("skipped_steps");
    parts.skippedInARow = number("skipped_in_a_row");
    std::ranges::copy(integers(arrays, "updates", kNumQuantities), parts.updates.begin());
    auto rows = std::make_shared<StateRows>();
    if (parts.spec.hasTables()) {
        const auto& prints = need(arrays.integers, "table.rows").values;
        for (std::size_t i = 0; i + 1 < prints.size(); i += 2)
            rows->add(
                {static_cast<std::uint64_t>(prints[i]), static_cast<std::uint64_t>(prints[i + 1])});
    }
    parts.rows = rows;
    parts.live.rows = parts.target.rows = rows;
    translatingTorchErrors([&] {
        const at::NoGradGuard withoutGradients;
        if (parts.nets) {
            for (const auto& parameter : parts.nets->parameters())
                loadTensor(arrays, "model." + parameter.name, parameter.tensor);
            for (const auto& parameter : parts.targetNets->parameters())
                loadTensor(arrays, "target." + parameter.name, parameter.tensor);
        }
        if (parts.novelty) {
            for (const auto& parameter : parts.novelty->all())
                loadTensor(arrays, parameter.name, parameter.tensor);
            for (const auto& state : parts.noveltyOptimiser->state())
                loadTensor(arrays, "optimiser/" + state.name, state.tensor);
        }
        for (const Quantity quantity : kQuantities) {
            const std::size_t i = Parts::index(quantity);
            if (parts.tables[i])
                parts.target.tables[i] =
                    loadTable(arrays, quantity, *parts.tables[i], rows->size());
            if (parts.optimisers[i])
                for (const auto& state : parts.optimisers[i]->state())
                    loadTensor(arrays, optimiserName(quantity, state.name), state.tensor);
        }
        parts.published = number("published") - 1;
        const std::int64_t stepsDone = parts.stepsDone;
        parts.stepsDone = number("acting_step");
        parts.publish();
        parts.stepsDone = stepsDone;
        if (parts.novelty) {
            auto values = std::make_shared<QuantityValues>(*parts.acting->values);
            const std::shared_ptr<NoveltyNets> novelty = values->novelty->frozen();
            for (const auto& parameter : novelty->all())
                loadTensor(arrays, "acting." + parameter.name, parameter.tensor);
            values->novelty = novelty;
            const std::scoped_lock lock(parts.actingMutex);
            parts.acting = std::make_shared<const ActingWeights>(
                ActingWeights{parts.acting->step, parts.acting->version, std::move(values)});
        }
    });
}

}  // namespace orrery
