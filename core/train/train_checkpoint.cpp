#include "core/train/train_checkpoint.h"

#include <cmath>
#include <span>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace orrery {

namespace {

constexpr const char* kProgressFile = "progress.safetensors";
constexpr const char* kClockFile = "clock.safetensors";

}  // namespace

TensorMap progressIn(const Checkpoint& checkpoint) {
    return checkpoint.tensors(kProgressFile);
}

void putExtremeValue(TensorMap& progress, const ExtremeValue& extreme) {
    if (extreme.metric.empty()) return;
    progress.copyNumbers<std::byte>("least_metric", std::as_bytes(std::span(extreme.metric)));
    progress.copyNumber<double>("least_value", extreme.value);
    progress.copyNumber<std::int64_t>("least_step", extreme.step);
}

ExtremeValue extremeValueIn(const TensorMap& progress) {
    if (!progress.has("least_metric")) return {};
    const std::span<const std::byte> name = progress.numbers<std::byte>("least_metric");
    return {.metric = std::string(reinterpret_cast<const char*>(name.data()), name.size()),
            .value = progress.number<double>("least_value"),
            .step = progress.number<std::int64_t>("least_step")};
}

double secondsIn(const Checkpoint& checkpoint) {
    return checkpoint.tensors(kClockFile).number<double>("seconds");
}

SavedCheckpoint commitCheckpoint(CheckpointWriter& writer, const std::string& specJson,
                                 const TensorMap& progress, double seconds) {
    writer.tensors(kProgressFile, progress);
    TensorMap clock;  // apart, so that all else is the same however fast it was made
    clock.copyNumber<double>("seconds", seconds);
    writer.tensors(kClockFile, clock);
    return writer.commit(sha256Hex(specJson), {});
}

void requireFinite(const TensorMap& tensors, std::int64_t step) {
    for (const std::string& name : tensors.names()) {
        if (tensors.at(name).type != kTensorTypeOf<float>) continue;
        for (const float number : tensors.numbers<float>(name))
            if (!std::isfinite(number))
                throw Error("Array '" + name + "' holds a number that is not finite at training " +
                                "step " + std::to_string(step) +
                                ", so the training has diverged and this step is not saved. Go on "
                                "from a checkpoint before it, if there is one, or fork the run "
                                "with lower learning rates.",
                            Error::Kind::Diverged);
    }
}

}  // namespace orrery
