#include "core/train/empo/driver/training.h"

#include <string>

#include "core/base/byte_buffer.h"
#include "core/replay/fingerprint.h"
#include "core/train/train_checkpoint.h"

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

std::string collectorName(std::size_t index) {
    return "collector." + std::to_string(index);
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

void saveTraining(const Training& training, const std::vector<std::vector<std::byte>>& collectors,
                  CheckpointWriter& writer, TensorMap& progress) {
    const LearnerFiles files = filesOf(training.learner.save());
    for (const TensorMap* const map : {&files.model, &files.optimiser})
        requireFinite(*map, training.learner.stepsDone());
    writer.tensors("model.safetensors", files.model);
    writer.tensors("optim.safetensors", files.optimiser);
    writer.tensors("state.safetensors", files.state);
    writer.records("replay.records", kReplaySchema, [&](RecordWriter& records) {
        training.buffer.save([&](auto record) { records.append(record); });
    });
    progress.copyNumber<std::int64_t>("environment_steps", training.environmentSteps);
    progress.copyNumber<std::int64_t>("episodes", training.episodes);
    ByteWriter visits;
    training.visits.save(visits);
    progress.copyNumbers<std::byte>("visits", std::span<const std::byte>(visits.bytes()));
    for (std::size_t i = 0; i < collectors.size(); ++i)
        progress.copyNumbers<std::byte>(collectorName(i),
                                        std::span<const std::byte>(collectors[i]));
}

void loadLearner(const Checkpoint& checkpoint, Learner& learner) {
    LearnerFiles files;
    files.model = checkpoint.tensors("model.safetensors");
    files.optimiser = checkpoint.tensors("optim.safetensors");
    files.state = checkpoint.tensors("state.safetensors");
    learner.load(arraysOf(files));
}

void loadTraining(const Checkpoint& checkpoint, const TensorMap& progress, Training& training,
                  std::vector<std::vector<std::byte>>& collectors) {
    loadLearner(checkpoint, training.learner);
    training.worlds.humans = training.learner.humanPolicies();
    training.environmentSteps = progress.number<std::int64_t>("environment_steps");
    training.episodes = progress.number<std::int64_t>("episodes");
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
