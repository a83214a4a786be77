#include "core/train/driver/training.h"

#include <cmath>
#include <string>

#include "core/base/byte_buffer.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/replay/fingerprint.h"

namespace orrery {

namespace {

constexpr const char* kReplaySchema = "orrery replay buffer 1";
constexpr std::string_view kOptimiser = "optimiser/";

/// What the learner gives as plain arrays: weights and tables, the optimisers' numbers, the rest.
struct LearnerFiles {
    TensorMap model, optimiser, state;
};

LearnerFiles filesOf(const NamedArrays& arrays) {
    LearnerFiles files;
    for (const auto& [name, array] : arrays.floats)
        (name.starts_with(kOptimiser) ? files.optimiser : files.model)
            .copyNumbers<float>(name, array.values, array.shape);
    for (const auto& [name, array] : arrays.integers)
        files.state.copyNumbers<std::int64_t>(name, array.values, array.shape);
    for (const auto& [name, bytes] : arrays.bytes)
        files.state.copyNumbers<std::byte>("bytes/" + name, std::span<const std::byte>(bytes));
    return files;
}

template <typename T>
void readInto(const TensorMap& map, std::map<std::string, ShapedArray<T>>& arrays) {
    for (const std::string& name : map.names()) {
        if (map.at(name).type != kTensorTypeOf<T>) continue;
        const std::span<const T> numbers = map.numbers<T>(name);
        arrays[name] = {map.at(name).shape, {numbers.begin(), numbers.end()}};
    }
}

NamedArrays arraysOf(const LearnerFiles& files) {
    NamedArrays arrays;
    readInto(files.model, arrays.floats);
    readInto(files.optimiser, arrays.floats);
    readInto(files.state, arrays.integers);
    const TensorMap bytes = files.state.below("bytes/");
    for (const std::string& name : bytes.names()) {
        const std::span<const std::byte> all = bytes.numbers<std::byte>(name);
        arrays.bytes[name] = {all.begin(), all.end()};
    }
    return arrays;
}

/// Nothing in checkpoints of trainings that watched no metric.
LeastValue leastValueOf(const TensorMap& progress) {
    if (!progress.has("least_metric")) return {};
    const std::span<const std::byte> name = progress.numbers<std::byte>("least_metric");
    return {.metric = std::string(reinterpret_cast<const char*>(name.data()), name.size()),
            .value = progress.number<double>("least_value"),
            .step = progress.number<std::int64_t>("least_step")};
}

std::string collectorName(std::size_t index) {
    return "collector." + std::to_string(index);
}

/// So that a checkpoint which is no use never takes the place of a good one.
void requireFinite(const LearnerFiles& files, std::int64_t step) {
    for (const TensorMap* const map : {&files.model, &files.optimiser})
        for (const std::string& name : map->names())
            for (const float number : map->numbers<float>(name))
                if (!std::isfinite(number))
                    throw Error("Array '" + name + "' holds a number that is not finite at " +
                                    "training step " + std::to_string(step) +
                                    ", so the training has diverged and this step is not saved. " +
                                    "Go on from a checkpoint before it, if there is one, or fork " +
                                    "the run with lower learning rates.",
                                Error::Kind::Diverged);
}

/// What belongs to the training itself.
TensorMap progressOf(const Training& training,
                     const std::vector<std::vector<std::byte>>& collectors) {
    TensorMap progress;
    progress.copyNumber<std::int64_t>("environment_steps", training.environmentSteps);
    progress.copyNumber<std::int64_t>("episodes", training.episodes);
    if (const LeastValue& least = training.least; !least.metric.empty()) {
        progress.copyNumbers<std::byte>("least_metric", std::as_bytes(std::span(least.metric)));
        progress.copyNumber<double>("least_value", least.value);
        progress.copyNumber<std::int64_t>("least_step", least.step);
    }
    ByteWriter visits;
    training.visits.save(visits);
    progress.copyNumbers<std::byte>("visits", std::span<const std::byte>(visits.bytes()));
    for (std::size_t i = 0; i < collectors.size(); ++i)
        progress.copyNumbers<std::byte>(collectorName(i),
                                        std::span<const std::byte>(collectors[i]));
    return progress;
}

}  // namespace

Training::Training(const EmpoSpec& givenSpec, TrainWorlds trainWorlds)
    : spec(givenSpec),
      worlds(std::move(trainWorlds)),
      learner(spec, worlds.facts),
      buffer(worlds.facts.front().shape, static_cast<std::size_t>(spec.bufferCapacity)) {}

void Training::takeHumans() {
    buffer.clear();
    worlds.humans = learner.humanPolicies();
}

void Training::take(const Transition& transition) {
    buffer.add(transition, learner.stepsDone());
    visits.visit(transition.stateFingerprint == Fingerprint{}
                     ? fingerprintOf(transition.model->state, transition.layout)
                     : transition.stateFingerprint);
    ++environmentSteps;
    if (transition.endsEpisode) ++episodes;
}

TrainCheckpoint saveTraining(const Training& training,
                             const std::vector<std::vector<std::byte>>& collectors,
                             const TrainRequest& request, double seconds) {
    const std::int64_t step = training.learner.stepsDone();
    const LearnerFiles files = filesOf(training.learner.save());
    requireFinite(files, step);
    CheckpointWriter writer(request.folder, step);
    writer.text("spec.json", request.specJson);
    writer.tensors("model.safetensors", files.model);
    writer.tensors("optim.safetensors", files.optimiser);
    writer.tensors("state.safetensors", files.state);
    writer.tensors("progress.safetensors", progressOf(training, collectors));
    TensorMap clock;  // apart, so that all else is the same however fast it was made
    clock.copyNumber<double>("seconds", seconds);
    writer.tensors("clock.safetensors", clock);
    writer.records("replay.records", kReplaySchema, [&](RecordWriter& records) {
        training.buffer.save([&](auto record) { records.append(record); });
    });
    const SavedCheckpoint saved = writer.commit(sha256Hex(request.specJson), {});
    return {step, request.folder / ("step_" + std::to_string(step)), saved.sha256,
            saved.totalBytes};
}

namespace {

Checkpoint opened(const std::filesystem::path& folder) {
    const std::string name = folder.filename().string();
    const auto step = parseInt(name.substr(name.find('_') + 1));
    if (!step)
        throw Error("'" + folder.string() + "' is no checkpoint: its name must be step_N.",
                    Error::Kind::BadInput);
    return Checkpoint::open(folder.parent_path(), *step);
}

void loadLearnerOf(const Checkpoint& checkpoint, Learner& learner) {
    LearnerFiles files;
    files.model = checkpoint.tensors("model.safetensors");
    files.optimiser = checkpoint.tensors("optim.safetensors");
    files.state = checkpoint.tensors("state.safetensors");
    learner.load(arraysOf(files));
}

}  // namespace

void loadLearner(const std::filesystem::path& folder, Learner& learner) {
    loadLearnerOf(opened(folder), learner);
}

void loadTraining(const std::filesystem::path& folder, Training& training,
                  std::vector<std::vector<std::byte>>& collectors) {
    const Checkpoint checkpoint = opened(folder);
    loadLearnerOf(checkpoint, training.learner);
    training.worlds.humans = training.learner.humanPolicies();
    const TensorMap progress = checkpoint.tensors("progress.safetensors");
    training.environmentSteps = progress.number<std::int64_t>("environment_steps");
    training.episodes = progress.number<std::int64_t>("episodes");
    training.least = leastValueOf(progress);
    training.seconds = checkpoint.tensors("clock.safetensors").number<double>("seconds");
    ByteReader visits(progress.numbers<std::byte>("visits"), "visits");
    training.visits.load(visits);
    collectors.clear();
    for (std::size_t i = 0; progress.has(collectorName(i)); ++i) {
        const std::span<const std::byte> bytes = progress.numbers<std::byte>(collectorName(i));
        collectors.emplace_back(bytes.begin(), bytes.end());
    }
    checkpoint.records("replay.records", kReplaySchema, [&](RecordReader& records) {
        training.buffer.load([&](auto& record) { return records.next(record); });
    });
}

}  // namespace orrery
