#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

#include "core/empo/learner/archive_parts.h"
#include "core/empo/learner/human_learner.h"
#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

std::string optimiserName(Quantity quantity, const std::string& name) {
    return std::string("optimiser/") + nameOf(quantity) + "." + name;
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
        if (parts.humans) parts.humans->save(arrays);
        for (const Quantity quantity : kQuantities) {
            const std::size_t i = Parts::index(quantity);
            if (parts.tables[i])
                saveTable(arrays, nameOf(quantity), *parts.tables[i], *parts.target.tables[i]);
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
    parts.frozenHumans.store(nullptr);
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
        if (parts.humans) {
            parts.humans->load(arrays, rows);
            parts.freezeHumans();
        }
        for (const Quantity quantity : kQuantities) {
            const std::size_t i = Parts::index(quantity);
            if (parts.tables[i])
                parts.target.tables[i] =
                    loadTable(arrays, nameOf(quantity), *parts.tables[i], rows->size());
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
            const std::shared_ptr<const ActingWeights> acting = parts.acting.load();
            auto values = std::make_shared<QuantityValues>(*acting->values);
            const std::shared_ptr<NoveltyNets> novelty = values->novelty->frozen();
            for (const auto& parameter : novelty->all())
                loadTensor(arrays, "acting." + parameter.name, parameter.tensor);
            values->novelty = novelty;
            parts.acting.store(std::make_shared<const ActingWeights>(
                ActingWeights{acting->step, acting->version, std::move(values)}));
        }
    });
}

}  // namespace orrery
