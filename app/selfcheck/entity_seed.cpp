#include "app/selfcheck/entity_seed.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "app/selfcheck/ragged_values.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/vec_obs.h"
#include "core/ragged/packed_rows.h"

namespace orrery {

namespace {

class SeedCheck {
public:
    SeedCheck(const OracleNode& seed, Tally& tally)
        : m_seed(seed),
          m_tally(tally),
          m_environment(environmentNamed(entityEnvironments(), "MineSweeper")
                            .make(R"({"width": 3, "height": 3, "original": true})")),
          m_layout(entityLayoutOf(m_environment->spaces())),
          m_frames(m_layout) {
        const OracleNode states = seed.at("states_3x3");
        std::vector<Observation> seen(states.size());
        for (std::size_t i = 0; i < seen.size(); ++i)
            m_environment->setState(states.at(i).compact(), seen[i]);
        m_frames.take(m_layout, seen);
    }

    void check() {
        checkBatch();
        checkOrder();
        checkPacking();
        checkHead();
        checkActions();
    }

private:
    void checkBatch() {
        const OracleNode batch = m_seed.at("vec_obs");
        const std::vector<std::string> order = m_seed.at("entity_order").texts();
        for (std::size_t i = 0; i < order.size(); ++i) {
            m_tally.text("entity_order", order[i], m_layout.types[i].name);
            compareRagged(batch.at("features").at(order[i]), m_frames.things[i], m_tally);
        }
        for (std::size_t i = 0; i < m_layout.actions.size(); ++i) {
            const OracleNode inFile = batch.at("action_masks").at(m_layout.actions[i].name);
            compareRagged(inFile.at("actors"), m_frames.offers[i].actors, m_tally);
            if (inFile.has("mask"))
                compareRagged(inFile.at("mask"), m_frames.offers[i].allowed, m_tally);
            else
                compareRagged(inFile.at("actees"), m_frames.offers[i].candidates, m_tally);
        }
        compareCells<float>(batch.at("reward"), m_frames.reward, m_tally);
        compareCells<bool>(batch.at("done"), m_frames.done, m_tally);
    }

    /// Things of the same type and features have the same embedding.
    void checkOrder() {
        struct Thing {
            std::size_t type;
            std::vector<float> features;
            bool operator==(const Thing&) const = default;
        };
        std::vector<Thing> things;
        for (std::int64_t frame = 0; frame < m_frames.frames(); ++frame)
            for (std::size_t type = 0; type < m_frames.things.size(); ++type) {
                const auto cells = m_frames.things[type].sequence(frame);
                const auto width = static_cast<std::size_t>(m_frames.things[type].size2());
                for (std::size_t i = 0; i < cells.size(); i += width)
                    things.push_back({type,
                                      {cells.begin() + static_cast<std::ptrdiff_t>(i),
                                       cells.begin() + static_cast<std::ptrdiff_t>(i + width)}});
            }
        const OracleNode embedding = m_seed.at("embedding_d5");
        m_tally.number(embedding.path() + ": rows", static_cast<double>(embedding.size()),
                       static_cast<double>(things.size()), {});
        for (std::size_t a = 0; a < std::min(things.size(), embedding.size()); ++a)
            for (std::size_t b = 0; b < a; ++b)
                m_tally.truth(embedding.at(a).path() + " is row " + std::to_string(b),
                              embedding.at(a).compact() == embedding.at(b).compact(),
                              things[a] == things[b]);
    }

    std::vector<std::int64_t> rowBegin() const {
        std::vector<std::int64_t> begin{0};
        for (std::int64_t frame = 0; frame < m_frames.frames(); ++frame)
            begin.push_back(begin.back() + m_frames.numThings(frame));
        return begin;
    }

    void checkPacking() {
        const OracleNode packing = m_seed.at("packing");
        const auto packed = packRows(rowBegin());
        if (!packed) return m_tally.fail(packing.path(), "nothing is packed");
        for (std::size_t row = 0; row < packing.at("index").size(); ++row) {
            const auto width = static_cast<std::size_t>(packed->width);
            compareCells<std::int64_t>(packing.at("index").at(row),
                                       std::span(packed->index).subspan(row * width, width),
                                       m_tally);
            compareCells<float>(packing.at("batch").at(row),
                                std::span(packed->batch).subspan(row * width, width), m_tally);
        }
        compareCells<std::int64_t>(packing.at("inverse_index"), packed->inverse, m_tally);
    }

    /// Rows of those who decide about a move.
    void checkHead() {
        const OracleNode head = m_seed.at("categorical_head");
        const std::vector<std::int64_t> begin = rowBegin();
        const RaggedBuffer<std::int64_t>& actors = m_frames.offers[0].actors;
        compareCells<std::int64_t>(head.at("offsets").at("data"),
                                   std::span(begin).first(begin.size() - 1), m_tally);
        std::vector<std::int64_t> rows;
        for (std::int64_t frame = 0; frame < actors.size0(); ++frame)
            for (const std::int64_t actor : actors.sequence(frame))
                rows.push_back(begin[static_cast<std::size_t>(frame)] + actor);
        compareCells<std::int64_t>(head.at("indices"), rows, m_tally);
        compareCells<std::int64_t>(head.at("sum").at("data"), rows, m_tally);
    }

    /// What was chosen, as it is given back: who acts by type and number, and on what.
    void checkActions() {
        const OracleNode given = m_seed.at("env_actions");
        for (std::size_t action = 0; action < m_layout.actions.size(); ++action) {
            const ActionSpace& space = m_layout.actions[action];
            const OracleNode chosen = m_seed.at("ragged_actions").at(space.name);
            const auto& offer = m_frames.offers[action];
            compareWholes(chosen.at("lengths"), offer.actors.lengths(), m_tally);
            const Wholes choices = wholes(chosen.at("data"));
            std::size_t at = 0;
            for (std::int64_t frame = 0; frame < m_frames.frames(); ++frame) {
                const OracleNode own = given.at(static_cast<std::size_t>(frame)).at(space.name);
                std::size_t k = 0;
                for (const std::int64_t actor : offer.actors.sequence(frame)) {
                    checkThing(own.at("actors").at(k), frame, actor);
                    const std::int64_t choice = choices.at(at++);
                    if (offer.isSelection)
                        checkThing(
                            own.at("actees").at(k), frame,
                            offer.candidates.sequence(frame)[static_cast<std::size_t>(choice)]);
                    else
                        m_tally.number(own.path(), own.at("indices").at(k).number(),
                                       static_cast<double>(choice), {});
                    ++k;
                }
                m_tally.number(own.path() + ": actors",
                               static_cast<double>(own.at("actors").size()), static_cast<double>(k),
                               {});
            }
        }
    }

    /// ["Robot", 1] of a thing by its index in the frame.
    void checkThing(const OracleNode& inFile, std::int64_t frame, std::int64_t thing) {
        std::size_t type = 0;
        for (; thing >= m_frames.things[type].size1(frame); ++type)
            thing -= m_frames.things[type].size1(frame);
        m_tally.text(inFile.path(), inFile.at(0).text(), m_layout.types[type].name);
        m_tally.number(inFile.path(), inFile.at(1).number(), static_cast<double>(thing), {});
    }

    OracleNode m_seed;
    Tally& m_tally;
    std::unique_ptr<Environment> m_environment;
    EntityLayout m_layout;
    VecObs m_frames;
};

}  // namespace

void checkEntitySeed(const OracleNode& seed, Tally& tally) {
    SeedCheck(seed, tally).check();
}

}  // namespace orrery
