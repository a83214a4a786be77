#include "core/train/entity/driver/sample_recorder.h"

#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/entity/feature_map.h"

namespace orrery {

namespace {

constexpr std::uint64_t kSubsampleStream = (std::uint64_t{1} << 32) + 7;
constexpr std::size_t kRngWords = 4, kFixed = kRngWords + 2;  // generator, bytes, next episode
constexpr std::size_t kEach = 4;  // of an environment: episode, step, reward, done

}  // namespace

SampleRecorder::SampleRecorder(const EntityLayout& layout, SampleWish wish, const TensorMap* state,
                               const std::string& name)
    : m_layout(layout), m_wish(std::move(wish)), m_rng(m_wish.seed, kSubsampleStream) {
    std::uint64_t kept = 0;
    if (state != nullptr && state->has(name)) {
        const std::span<const std::uint64_t> numbers = state->numbers<std::uint64_t>(name);
        if (numbers.size() < kFixed || (numbers.size() - kFixed) % kEach != 0)
            throw Error("The checkpoint's numbers of samples are damaged.", Error::Kind::Damaged);
        std::array<std::uint64_t, kRngWords> words{};
        std::copy_n(numbers.begin(), kRngWords, words.begin());
        m_rng.setWords(words);
        kept = numbers[kRngWords];
        m_next = static_cast<std::int64_t>(numbers[kRngWords + 1]);
        for (std::size_t i = kFixed; i < numbers.size(); i += kEach) {
            m_episodes.push_back(static_cast<std::int64_t>(numbers[i]));
            m_steps.push_back(static_cast<std::int64_t>(numbers[i + 1]));
            m_rewards.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(numbers[i + 2])));
            m_dones.push_back(numbers[i + 3] != 0 ? 1 : 0);
        }
    }
    std::error_code error;
    std::filesystem::create_directories(m_wish.file.parent_path(), error);
    if (error) throwFileError("make", m_wish.file.parent_path(), error.value());
    m_writer.emplace(m_wish.file,
                     SampleHead{.spaces = spacesOf(layout), .subsample = m_wish.subsample}, kept);
}

void SampleRecorder::begin(std::int64_t environments) {
    m_episodes.resize(static_cast<std::size_t>(environments));
    std::iota(m_episodes.begin(), m_episodes.end(), m_next);
    m_next += environments;
    m_steps.assign(m_episodes.size(), 0);
    m_rewards.assign(m_episodes.size(), 0);
    m_dones.assign(m_episodes.size(), 0);
}

void SampleRecorder::record(const VecObs& frames, const Choices& choices) {
    std::vector<std::int64_t> kept;
    kept.reserve(m_episodes.size());
    for (std::int64_t i = 0; i < frames.frames(); ++i)
        if (m_wish.subsample == 1 || m_rng.below(static_cast<std::uint64_t>(m_wish.subsample)) == 0)
            kept.push_back(i);
    if (kept.empty()) return;
    Sample sample(m_layout);
    frames.gatherInto(kept, sample.frames);
    const auto gather = [&kept](const auto& from, auto& to) {
        to.clear();
        to.reserve(from.size());
        for (const auto& buffer : from) to.push_back(buffer.gather(kept));
    };
    gather(choices.chosen, sample.chosen);
    gather(choices.logProbabilities, sample.logProbabilities);
    gather(choices.logits, sample.logits);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const auto i = static_cast<std::size_t>(kept[k]);
        sample.step.push_back(m_steps[i]);
        sample.episode.push_back(m_episodes[i]);
        sample.frames.reward[k] = m_rewards[i];
        sample.frames.done[k] = m_dones[i];
    }
    m_writer->add(m_layout, sample);
}

void SampleRecorder::outcome(const VecObs& after) {
    m_rewards = after.reward;
    m_dones = after.done;
    for (std::size_t i = 0; i < m_episodes.size(); ++i) {
        const bool isOver = m_dones[i] != 0;
        m_steps[i] = isOver ? 0 : m_steps[i] + 1;
        if (isOver) m_episodes[i] = m_next++;
    }
}

std::vector<std::uint64_t> SampleRecorder::numbers() const {
    const std::array<std::uint64_t, kRngWords> words = m_rng.words();
    std::vector<std::uint64_t> numbers(words.begin(), words.end());
    numbers.push_back(m_writer->bytes());
    numbers.push_back(static_cast<std::uint64_t>(m_next));
    for (std::size_t i = 0; i < m_episodes.size(); ++i) {
        numbers.push_back(static_cast<std::uint64_t>(m_episodes[i]));
        numbers.push_back(static_cast<std::uint64_t>(m_steps[i]));
        numbers.push_back(std::bit_cast<std::uint32_t>(m_rewards[i]));
        numbers.push_back(m_dones[i]);
    }
    return numbers;
}

void SampleRecorder::hold() {
    m_held = numbers();
}

void SampleRecorder::save(TensorMap& state, const std::string& name) {
    m_writer->sync();
    const std::vector<std::uint64_t> all = m_held ? *m_held : numbers();
    state.copyNumbers<std::uint64_t>(name, std::span<const std::uint64_t>(all));
}

}  // namespace orrery
