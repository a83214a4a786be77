#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/entity/entity_layout.h"
#include "core/entity/vec_obs.h"
#include "core/env/spaces.h"

namespace orrery {

/// What stands at the begin of a file of samples.
struct SampleHead {
    EnvironmentSpaces spaces;    ///< things, then global features; their actions
    std::int64_t subsample = 1;  ///< one of so many frames was kept, chosen by chance; >= 1
};

/// What was seen and done in some environments at one step.
struct Sample {
    explicit Sample(const EntityLayout& layout);

    VecObs frames;
    std::vector<std::int64_t> step;     ///< [frames] of the episode
    std::vector<std::int64_t> episode;  ///< [frames]
    VecActions chosen;                  ///< [actions]
    /// [actions] of the choices, one a decider; empty: they were not kept.
    std::vector<RaggedBuffer<float>> logProbabilities;
    /// [actions][deciders x choices or most candidates] of all; what is not allowed is -infinity,
    /// of candidates -1e9; empty: they were not kept.
    std::vector<RaggedBuffer<float>> logits;
};

/// As MessagePack, without its length.
std::string packSampleHead(const SampleHead& head);
std::string packSample(const EntityLayout& layout, const Sample& sample);
/// @throws Error (BadInput) what is wrong, with its name in the sample
SampleHead unpackSampleHead(std::string_view bytes);
Sample unpackSample(const EntityLayout& layout, std::string_view bytes);
std::vector<std::int64_t> unpackEpisodes(std::string_view bytes);  ///< [frames] of it alone

/// Reads a file of samples: a number of version, then the head and the samples, each behind its
/// length (all 64 bits, little-endian). Takes memory for one sample at a time.
/// Source: spec entity, section 7.
class SampleReader {
public:
    /// @throws Error (Resource) if it cannot be read, (BadInput) if it is no such file
    explicit SampleReader(const std::filesystem::path& path);

    const SampleHead& head() const { return m_head; }
    const EntityLayout& layout() const { return m_layout; }
    /// The next one; nothing behind the last whole one.
    /// @throws Error (BadInput) naming file, sample and what is wrong
    std::optional<Sample> next();
    /// Of the next one the episode of each frame alone.
    std::optional<std::vector<std::int64_t>> nextEpisodes();
    std::int64_t samples() const { return m_samples; }  ///< that were read
    std::uint64_t bytes() const { return m_end; }       ///< up to the end of the last one
    /// Behind the last whole sample something follows that is none.
    bool isCut() const { return m_isCut; }

private:
    std::optional<std::string> block();
    template <class Read>
    auto readNext(Read read) -> std::optional<decltype(read(std::string_view()))>;
    [[noreturn]] void refuse(const std::string& where, const std::string& why) const;

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_end = 0, m_size = 0;
    std::int64_t m_samples = 0;
    bool m_isCut = false;
    SampleHead m_head;
    EntityLayout m_layout;
};

/// Writes one, sample by sample: what a crash leaves is whole but for the last sample.
class SampleWriter {
public:
    /// @param keptBytes  of a file that goes on: up to there its samples stay, as far as they are
    ///                   whole; 0: a new file
    /// @throws Error (Resource)
    SampleWriter(std::filesystem::path path, const SampleHead& head, std::uint64_t keptBytes = 0);

    /// @throws Error (Resource; DiskFullError), and then the file is as it was before
    void add(const EntityLayout& layout, const Sample& sample);
    /// A power cut does not lose what was added before.
    void sync();
    std::uint64_t bytes() const { return m_bytes; }
    const std::filesystem::path& path() const { return m_path; }

private:
    void append(std::string_view packed);

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_bytes = 0;
};

}  // namespace orrery
