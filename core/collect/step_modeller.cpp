#include "core/collect/step_modeller.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/collect/facts.h"

namespace orrery {

namespace {

/// Beyond this many joint actions the rows of a single profile are computed one by one.
constexpr ActionProfileIndex kExpandedAtOnce = 4096;

template <typename T>
std::size_t taken(const std::vector<T>& list) {
    return list.capacity() * sizeof(T);
}

std::size_t bytesOf(const ModelledRows& rows) {
    return sizeof(ModelledRows) + rows.model->bytes() + taken(rows.outcomeBegin) +
           taken(rows.outcomeProbability) + taken(rows.outcomeConfiguration) +
           taken(rows.configurations) + taken(rows.encodedAs) + taken(rows.fingerprints);
}

Fingerprint keyOf(std::span<const std::uint64_t> configuration, int step) {
    return fingerprintOf(std::as_bytes(configuration), static_cast<std::uint64_t>(step));
}

}  // namespace

struct StepModeller::Entry {
    ModelledState state;
    std::vector<std::pair<int, std::unique_ptr<const ModelledRows>>> rows;  ///< by profile
    std::size_t bytes = 0;
};

struct StepModeller::Generation {
    std::unordered_map<Fingerprint, std::unique_ptr<Entry>> entries;
    std::size_t bytes = 0;
};

/// Computes what the cache keeps.
class StepModeller::Builder {
public:
    Builder(const World& world, const WorldFacts& facts, std::unique_ptr<GoalPolicy> policy,
            std::uint16_t layout, const StepModellerOptions& options)
        : m_world(world),
          m_facts(facts),
          m_policy(std::move(policy)),
          m_layout(layout),
          m_encoder(world, {.shape = facts.shape,
                            .includesStepCount = options.includesStepCount,
                            .hidesWhatIsUnder = options.hidesWhatIsUnder}),
          m_words(static_cast<std::size_t>(world.keyWords())),
          m_isPlannable(!world.whyNotPlannable()) {
        const ActionProfileIndex first = worldProfile(world, facts, 0, 0);
        for (int a = 0; a < facts.numRobotActions(); ++a)
            m_robotOffset.push_back(worldProfile(world, facts, 0, a) - first);
        m_encoded.resize(facts.shape.bytes());
    }

    void buildState(std::span<const std::uint64_t> configuration, int step, ModelledState& out) {
        out.state.resize(m_facts.shape.bytes());
        m_encoder.encode(configuration, step, out.state);
        out.fingerprint = fingerprintOf(out.state, m_layout);
        out.prior.resize(m_facts.priorNumbers());
        m_policy->fill(configuration, step, out.prior);
    }

    std::unique_ptr<const ModelledRows> buildRows(std::span<const std::uint64_t> configuration,
                                                  int step, int profile,
                                                  const ModelledState& state) {
        if (profile < 0 && !m_isPlannable)
            throw Error("'" + m_world.name() + "' " + *m_world.whyNotPlannable() +
                            ", and so for expected humans. Set human_model to sampled.",
                        Error::Kind::BadInput);
        m_rows = std::make_unique<ModelledRows>();
        m_model = std::make_shared<StepModel>();
        m_indexOf.clear();
        m_model->state = state.state;
        m_model->prior = state.prior;
        m_model->profile = profile;
        m_model->endsWorld = step + 1 >= m_world.maxSteps();
        collectOutcomes(configuration, step, profile);
        encodeSuccessors(step + 1);
        mergeRows();
        m_model->fingerprint = fingerprintOf(*m_model);
        m_rows->state = state.fingerprint;
        m_rows->model = std::move(m_model);
        return std::move(m_rows);
    }

private:
    void collectOutcomes(std::span<const std::uint64_t> configuration, int step, int profile) {
        const bool expands =
            m_isPlannable && (profile < 0 || m_world.profileCount() <= kExpandedAtOnce);
        if (expands) expand(configuration, step);
        const int begin = profile < 0 ? 0 : profile;
        const int end = profile < 0 ? m_facts.numHumanProfiles() : profile + 1;
        bool isUnit = true;
        m_rows->outcomeBegin.push_back(0);
        for (int human = begin; human < end; ++human) {
            const ActionProfileIndex first = worldProfile(m_world, m_facts, human, 0);
            for (const ActionProfileIndex offset : m_robotOffset) {
                const ActionProfileIndex joint = first + offset;
                if (expands)
                    addExpanded(joint);
                else
                    for (const Outcome& outcome : m_world.outcomes(configuration, step, joint))
                        addOutcome(outcome.probability, outcome.successor);
                m_rows->outcomeBegin.push_back(
                    static_cast<std::uint32_t>(m_rows->outcomeProbability.size()));
                m_model->duration.push_back(static_cast<float>(m_world.duration(joint)));
                isUnit = isUnit && m_model->duration.back() == 1.0F;
            }
        }
        if (isUnit) m_model->duration = {};
    }

    void expand(std::span<const std::uint64_t> configuration, int step) {
        if (!m_expander) m_expander = m_world.makeExpander();
        m_expander->expand(configuration, step, m_expansion);
        m_begin.resize(m_expansion.count.size() + 1);
        m_begin[0] = 0;
        for (std::size_t i = 0; i < m_expansion.count.size(); ++i)
            m_begin[i + 1] = m_begin[i] + m_expansion.count[i];
    }

    void addExpanded(ActionProfileIndex joint) {
        for (std::size_t e = m_begin[joint]; e < m_begin[joint + 1]; ++e)
            addOutcome(m_expansion.probability[e],
                       std::span(m_expansion.key).subspan(e * m_words, m_words));
    }

    void addOutcome(double probability, std::span<const std::uint64_t> successor) {
        if (probability <= 0.0) return;
        const auto next = static_cast<std::uint32_t>(m_indexOf.size());
        const auto [at, isNew] = m_indexOf.emplace(keyOf(successor, 0), next);
        if (isNew)
            m_rows->configurations.insert(m_rows->configurations.end(), successor.begin(),
                                          successor.end());
        m_rows->outcomeProbability.push_back(probability);
        m_rows->outcomeConfiguration.push_back(at->second);
    }

    void encodeSuccessors(int step) {
        const std::size_t count = m_indexOf.size();
        m_indexOf.clear();
        m_rows->encodedAs.reserve(count);
        m_model->successors.reserve(count * m_encoded.size());
        for (std::size_t c = 0; c < count; ++c) {
            m_encoder.encode(std::span(m_rows->configurations).subspan(c * m_words, m_words), step,
                             m_encoded);
            const Fingerprint print = fingerprintOf(m_encoded, m_layout);
            const auto next = static_cast<std::uint32_t>(m_indexOf.size());
            const auto [at, isNew] = m_indexOf.emplace(print, next);
            if (isNew) {
                m_model->successors.insert(m_model->successors.end(), m_encoded.begin(),
                                           m_encoded.end());
                m_rows->fingerprints.push_back(print);
            }
            m_rows->encodedAs.push_back(at->second);
        }
    }

    /// Outcomes that look alike become one entry of their row.
    void mergeRows() {
        const std::size_t numRows = m_rows->outcomeBegin.size() - 1;
        m_model->rowBegin.reserve(numRows + 1);
        m_model->rowBegin.push_back(0);
        m_model->probability.reserve(m_rows->outcomeProbability.size());
        m_model->successor.reserve(m_rows->outcomeProbability.size());
        m_merged.assign(m_rows->fingerprints.size(), 0.0);
        for (std::size_t row = 0; row < numRows; ++row) {
            const std::uint32_t begin = m_rows->outcomeBegin[row];
            const std::uint32_t end = m_rows->outcomeBegin[row + 1];
            const auto lookOf = [&](std::uint32_t e) {
                return m_rows->encodedAs[m_rows->outcomeConfiguration[e]];
            };
            for (std::uint32_t e = begin; e < end; ++e)
                m_merged[lookOf(e)] += m_rows->outcomeProbability[e];
            for (std::uint32_t e = begin; e < end; ++e) {
                double& sum = m_merged[lookOf(e)];
                if (sum == 0.0) continue;
                m_model->successor.push_back(lookOf(e));
                m_model->probability.push_back(static_cast<float>(sum));
                sum = 0.0;
            }
            m_model->rowBegin.push_back(static_cast<std::uint32_t>(m_model->successor.size()));
        }
    }

    const World& m_world;
    const WorldFacts& m_facts;
    std::unique_ptr<GoalPolicy> m_policy;
    std::uint16_t m_layout;
    StateEncoder m_encoder;
    std::size_t m_words;
    bool m_isPlannable;
    std::vector<ActionProfileIndex> m_robotOffset;  ///< [A_r] from the robots' first action
    std::unique_ptr<Expander> m_expander;

    // Of the rows being built.
    std::unique_ptr<ModelledRows> m_rows;
    std::shared_ptr<StepModel> m_model;
    std::unordered_map<Fingerprint, std::uint32_t> m_indexOf;
    Expansion m_expansion;
    std::vector<std::size_t> m_begin;  ///< [P + 1] of the expansion
    std::vector<std::byte> m_encoded;
    std::vector<double> m_merged;  ///< [U]
};

StepModeller::StepModeller(std::shared_ptr<const World> world, WorldFacts facts,
                           std::unique_ptr<GoalPolicy> policy, std::uint16_t layout,
                           const StepModellerOptions& options)
    : m_world(std::move(world)),
      m_facts(std::move(facts)),
      m_cacheBytes(options.cacheBytes),
      m_builder(std::make_unique<Builder>(*m_world, m_facts, std::move(policy), layout, options)),
      m_young(std::make_unique<Generation>()),
      m_old(std::make_unique<Generation>()) {}

StepModeller::~StepModeller() = default;

StepModeller::Entry& StepModeller::entryOf(std::span<const std::uint64_t> configuration, int step) {
    const Fingerprint key = keyOf(configuration, step);
    if (const auto at = m_young->entries.find(key); at != m_young->entries.end())
        return *at->second;
    if (m_young->bytes > m_cacheBytes / 2) {
        std::swap(m_young, m_old);
        m_young->entries.clear();
        m_young->bytes = 0;
    }
    std::unique_ptr<Entry> entry;
    if (const auto at = m_old->entries.find(key); at != m_old->entries.end()) {
        entry = std::move(at->second);
        m_old->entries.erase(at);
        m_old->bytes -= entry->bytes;
    } else {
        entry = std::make_unique<Entry>();
        m_builder->buildState(configuration, step, entry->state);
        entry->bytes = sizeof(Entry) + sizeof(void*) * 8 + taken(entry->state.state) +
                       taken(entry->state.prior);
    }
    m_young->bytes += entry->bytes;
    return *m_young->entries.emplace(key, std::move(entry)).first->second;
}

const ModelledState& StepModeller::state(std::span<const std::uint64_t> configuration, int step) {
    return entryOf(configuration, step).state;
}

const ModelledRows& StepModeller::rows(std::span<const std::uint64_t> configuration, int step,
                                       int profile) {
    Entry& entry = entryOf(configuration, step);
    for (const auto& [known, rows] : entry.rows)
        if (known == profile) {
            ++m_hits;
            return *rows;
        }
    ++m_misses;
    auto rows = m_builder->buildRows(configuration, step, profile, entry.state);
    const std::size_t bytes = bytesOf(*rows);
    entry.bytes += bytes;
    m_young->bytes += bytes;
    return *entry.rows.emplace_back(profile, std::move(rows)).second;
}

std::size_t StepModeller::cachedBytes() const {
    return m_young->bytes + m_old->bytes;
}

}  // namespace orrery
