#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint_folder.h"

/// A checkpoint of the shape that a learner writes, a few KB, whose numbers depend on its step.
inline constexpr const char* kSmallSchema = "small records, version 1";

inline void fillSmallCheckpoint(orrery::CheckpointWriter& writer, std::int64_t step) {
    orrery::TensorMap model, optim, state;
    std::vector<float> weights(256);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<float>(step) + 0.25F * static_cast<float>(i);
    model.copyNumbers<float>("q_r/weight", weights, {16, 16});
    model.copyNumber("q_r/bias", static_cast<float>(step));
    optim.copyNumbers<float>("q_r/weight.m", weights, {16, 16});
    optim.copyNumber<std::int64_t>("q_r/steps", step);
    state.copyNumbers<std::uint64_t>("rng", std::array<std::uint64_t, 4>{1, 2, 3, 4});
    state.copyNumber<std::int64_t>("step", step);
    writer.text("spec.json", "{\"step\": " + std::to_string(step) + "}\n");
    writer.tensors("model.safetensors", model);
    writer.tensors("optim.safetensors", optim);
    writer.tensors("state.safetensors", state);
    writer.records("replay.records", kSmallSchema, [step](orrery::RecordWriter& records) {
        for (int i = 0; i < 10; ++i) {
            const std::string record = std::to_string(step) + " " + std::to_string(i);
            records.append(std::as_bytes(std::span(record)));
        }
    });
}

inline orrery::SavedCheckpoint saveSmallCheckpoint(const std::filesystem::path& runFolder,
                                                   std::int64_t step) {
    orrery::CheckpointWriter writer(runFolder, step);
    fillSmallCheckpoint(writer, step);
    return writer.commit("c0ffee", {{"orrery", "0.1.0"}, {"libtorch", "2.11.0"}});
}

/// What is wrong with the content of a small checkpoint; "" if nothing is.
inline std::string faultOfSmallCheckpoint(const orrery::Checkpoint& checkpoint, std::int64_t step) {
    if (checkpoint.manifest().step != step) return "step";
    if (checkpoint.manifest().configHash != "c0ffee") return "config hash";
    if (checkpoint.manifest().versions.at("libtorch") != "2.11.0") return "versions";
    if (checkpoint.manifest().files.size() != 5) return "number of files";
    if (checkpoint.text("spec.json") != "{\"step\": " + std::to_string(step) + "}\n") return "spec";
    const orrery::TensorMap model = checkpoint.tensors("model.safetensors");
    if (model.number<float>("q_r/bias") != static_cast<float>(step)) return "bias";
    if (model.numbers<float>("q_r/weight")[255] != static_cast<float>(step) + 63.75F)
        return "weight";
    if (checkpoint.tensors("optim.safetensors").number<std::int64_t>("q_r/steps") != step)
        return "optimiser";
    if (checkpoint.tensors("state.safetensors").numbers<std::uint64_t>("rng")[3] != 4)
        return "generator";
    std::string last;
    int count = 0;
    checkpoint.records("replay.records", kSmallSchema, [&](orrery::RecordReader& reader) {
        std::span<const std::byte> record;
        while (reader.next(record)) {
            last.assign(reinterpret_cast<const char*>(record.data()), record.size());
            ++count;
        }
    });
    return count == 10 && last == std::to_string(step) + " 9" ? "" : "records";
}
