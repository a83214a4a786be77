#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/entity/files/sample_file.h"
#include "core/entity/files/sample_split.h"
#include "core/entity/vec_obs.h"

namespace orrery {

/// Frames of samples, what was done in them, and with which probability.
struct CloneSet {
    explicit CloneSet(const EntityLayout& layout);

    VecObs frames;
    VecActions chosen;
    std::vector<RaggedBuffer<float>> logProbabilities;  ///< [actions] of the choices
    /// [actions] of all options. Choices: [deciders x choices]. Selections: one a pair, actor by
    /// actor. Without frames: not all samples have them.
    std::vector<RaggedBuffer<float>> logits;

    std::int64_t size() const { return frames.frames(); }
    bool hasLogits() const { return !logits.empty() && logits.front().size0() == size(); }
    /// @throws Error (BadInput) a sample without log-probabilities
    void add(const EntityLayout& layout, const Sample& sample, std::span<const std::int64_t> kept);
};

/// A file of samples, read piece by piece.
class CloneData {
public:
    /// @throws Error as SampleReader, (BadInput) if nothing is left to learn from
    CloneData(const std::filesystem::path& file, double testShare);

    const EntityLayout& layout() const { return m_reader.layout(); }
    const SampleSplit& split() const { return m_split; }
    const CloneSet& train() const { return m_train; }
    const CloneSet& test() const { return m_test; }
    bool isCut() const { return m_reader.isCut(); }
    /// Reads on for a while. @return whether all is there @throws Error as SampleReader
    bool read(std::chrono::milliseconds most);
    std::int64_t bytes() const;

private:
    SampleSplit m_split;
    SampleReader m_reader;
    CloneSet m_train, m_test;
    bool m_isDone = false;
};

}  // namespace orrery
