#include <algorithm>

#include "app/selfcheck/selfcheck_parts.h"
#include "core/encode/state_encoder.h"

namespace orrery {
namespace {

const OracleKeys kEncodingKeys{
    .required = {"state", "channels", "compressed", "direct_nonzero", "decompressed_nonzero",
                 "decompressed_batch_nonzero_equal", "global_features", "agent_color_order",
                 "agent_features", "interactive_features"},
    .nullable = {},
    .optional = {}};

/// The numbers of an agent that the original takes from the state: x, y and direction.
constexpr std::size_t kAgentNumbersOfState = 6;

class EncodingCheck {
public:
    EncodingCheck(const OracleContext& context, Tally& tally)
        : m_context(context),
          m_tally(tally),
          // The file's original hides what is under an agent.
          m_encoder(context.graph->world(), {.hidesWhatIsUnder = true}),
          m_bytes(m_encoder.shape().bytes()),
          m_planes(m_encoder.shape().cells() * kNumPlanes) {}

    void check(const OracleNode& encoding) {
        if (!checkKeys(encoding, kEncodingKeys, m_tally)) return;
        const auto state = m_context.state(encoding.at("state"), m_tally);
        if (!state) return;
        m_encoder.encode(m_context.graph->configuration(state->config), state->step, m_bytes);
        const auto parts = partsOf(m_encoder.shape(), std::span<const std::byte>(m_bytes));
        checkCells(encoding.at("compressed"), parts.cells);
        checkPlanes(encoding.at("direct_nonzero"), parts.cells);
        number(encoding.at("global_features").at(0), parts.globals[0]);
        const OracleNode agents = encoding.at("agent_features");
        const bool isInitial = state->step == 0;
        for (std::size_t i = 0; i < agents.size() && i < parts.agents.size(); ++i)
            if (isInitial || i % EncodingShape::kAgentNumbers < kAgentNumbersOfState)
                number(agents.at(i), parts.agents[i]);
        if (!isInitial) return;
        const OracleNode things = encoding.at("interactive_features");
        for (std::size_t i = 0; i < things.size() && i < parts.interactive.size(); ++i)
            number(things.at(i), parts.interactive[i]);
    }

private:
    void number(const OracleNode& inFile, double computed) {
        m_tally.number(inFile.path(), inFile.number(), computed, {});
    }

    /// Cells with our code for "nothing here" written as the original does, which leaves some bits
    /// of a door under an agent behind.
    void checkCells(const OracleNode& rows, std::span<const std::int32_t> cells) {
        const auto width = static_cast<std::size_t>(m_encoder.shape().width);
        for (std::size_t y = 0; y < rows.size(); ++y)
            for (std::size_t x = 0; x < width; ++x) {
                const OracleNode inFile = rows.at(y).at(x);
                CellBits theirs = CellBits::of(inFile.integer());
                CellBits ours = CellBits::of(cells[y * width + x]);
                if (ours.type == CellBits::kEmpty) ours.type = kWallPlane;
                if (theirs.agent != CellBits::kNoAgent) theirs.door = theirs.color = 0;
                m_tally.number(inFile.path(), theirs.packed(), ours.packed(), {});
            }
    }

    /// Our planes, through our compact cells, against the original's direct ones.
    void checkPlanes(const OracleNode& nonzero, std::span<const std::int32_t> cells) {
        decompress(cells, PlaneLayout::Whole, m_planes);
        const auto width = static_cast<std::size_t>(m_encoder.shape().width);
        for (std::size_t i = 0; i < nonzero.size(); ++i) {
            const OracleNode entry = nonzero.at(i);
            const auto place = [&](std::size_t k) {
                return static_cast<std::size_t>(entry.at(k).integer());
            };
            const std::size_t at = place(0) * cells.size() + place(1) * width + place(2);
            number(entry.at(3), at < m_planes.size() ? m_planes[at] : -1.0F);
        }
        const auto ours = std::ranges::count_if(m_planes, [](float n) { return n != 0; });
        m_tally.number(nonzero.path() + ".length", static_cast<double>(nonzero.size()),
                       static_cast<double>(ours), {});
    }

    const OracleContext& m_context;
    Tally& m_tally;
    StateEncoder m_encoder;
    std::vector<std::byte> m_bytes;
    std::vector<float> m_planes;
};

}  // namespace

void checkEncodings(const OracleNode& encodings, const OracleContext& context, Tally& tally) {
    EncodingCheck check(context, tally);
    for (std::size_t i = 0; i < encodings.size(); ++i) check.check(encodings.at(i));
    tally.note("encodings",
               "not compared, faults of the original: its decompression, globals 1 to 3, and what "
               "it reads of the live world instead of the state after the first step");
}

}  // namespace orrery
