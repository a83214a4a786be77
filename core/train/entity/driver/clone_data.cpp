#include "core/train/entity/driver/clone_data.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

std::vector<RaggedBuffer<float>> logitBuffers(const EntityLayout& layout) {
    std::vector<RaggedBuffer<float>> buffers;
    for (const ActionSpace& action : layout.actions)
        buffers.emplace_back(action.kind == ActionSpace::Kind::Select ? 1
                                                                      : std::ssize(action.choices));
    return buffers;
}

/// Of rows as wide as the most candidates, those that a frame has: pairs, actor by actor.
RaggedBuffer<float> pairsOf(const RaggedBuffer<float>& rows, const VecObs::Offer& offer) {
    RaggedBuffer<float> pairs(1);
    const std::int64_t width = rows.size2();
    for (std::int64_t frame = 0; frame < rows.size0(); ++frame) {
        const std::int64_t deciders = rows.size1(frame), options = offer.candidates.size1(frame);
        const auto from = rows.sequence(frame);
        auto* to = pairs.grow(deciders * options).data();
        for (std::int64_t k = 0; k < deciders; ++k)
            to = std::copy_n(from.data() + k * width, options, to);
    }
    return pairs;
}

}  // namespace

CloneSet::CloneSet(const EntityLayout& layout)
    : frames(layout),
      chosen(layout.actions.size(), RaggedBuffer<std::int64_t>(1)),
      logProbabilities(layout.actions.size(), RaggedBuffer<float>(1)),
      logits(logitBuffers(layout)) {}

void CloneSet::add(const EntityLayout& layout, const Sample& sample,
                   std::span<const std::int64_t> kept) {
    if (kept.empty()) return;
    if (sample.logProbabilities.empty())
        throw badInput("A sample has no log-probabilities ('probs'), from which is learned.");
    const bool keepsLogits = hasLogits() && !sample.logits.empty();
    VecObs part(layout);
    sample.frames.gatherInto(kept, part);
    frames.extend(part);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i].extend(sample.chosen[i].gather(kept));
        logProbabilities[i].extend(sample.logProbabilities[i].gather(kept));
        if (!keepsLogits) {
            logits[i].clear();
            continue;
        }
        const RaggedBuffer<float> rows = sample.logits[i].gather(kept);
        logits[i].extend(part.offers[i].isSelection ? pairsOf(rows, part.offers[i]) : rows);
    }
}

CloneData::CloneData(const std::filesystem::path& file, double testShare)
    : m_split(splitSamples(file, testShare)),
      m_reader(file),
      m_train(m_reader.layout()),
      m_test(m_reader.layout()) {
    if (m_split.trainFrames == 0)
        throw badInput("'" + escaped(file.string(), 160) + "' has nothing to learn from: " +
                       (m_split.testFrames == 0 ? "it has no sample."
                                                : "all episodes are among the tests. Set a smaller "
                                                  "cloning.test_share, or 0."));
}

bool CloneData::read(std::chrono::milliseconds most) {
    const auto end = std::chrono::steady_clock::now() + most;
    std::vector<std::int64_t> kept;
    while (!m_isDone && std::chrono::steady_clock::now() < end) {
        const bool isTest = m_reader.samples() < m_split.testSamples;
        const std::optional<Sample> sample = m_reader.next();
        m_isDone = !sample;
        if (m_isDone) break;
        kept.clear();
        for (std::int64_t i = 0; i < sample->frames.frames(); ++i)
            if (isTest || m_split.isLearned(sample->episode[static_cast<std::size_t>(i)]))
                kept.push_back(i);
        (isTest ? m_test : m_train).add(m_reader.layout(), *sample, kept);
    }
    return m_isDone;
}

std::int64_t CloneData::bytes() const {
    std::int64_t bytes = 0;
    for (const CloneSet* set : {&m_train, &m_test})
        for (const RaggedBuffer<float>& type : set->frames.things)
            bytes += static_cast<std::int64_t>(type.flat().size_bytes());
    return bytes;
}

}  // namespace orrery
