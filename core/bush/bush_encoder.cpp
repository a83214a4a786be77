#include <algorithm>
#include <memory>

#include "core/bush/bush_world.h"
#include "core/encode/agent_order.h"
#include "core/encode/state_encoder.h"

namespace orrery {

namespace {

class BushEncoder final : public StateEncoder::Family {
public:
    BushEncoder(const BushWorld& world, bool hidesWhatIsUnder)
        : m_world(world), m_order(encodedAgentOrder(world)), m_hides(hidesWhatIsUnder) {}

    void encode(std::span<const std::uint64_t> configuration, const EncodingShape& shape,
                CompactParts<std::byte> out) override {
        const int width = m_world.width();
        const auto at = [&](int cell) -> std::int32_t& {
            const int place = cell / width * shape.width + cell % width;
            return out.cells[static_cast<std::size_t>(place)];
        };
        for (int cell = 0; cell < width * m_world.height(); ++cell) {
            const int density = m_world.densityOf(configuration, cell);
            CellBits bits;
            if (density > 0) bits = {.type = kBushPlane, .density = density - 1};
            at(cell) = bits.packed();
        }
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const int agent = m_order[i];
            const int cell = m_world.cellOf(configuration, agent);
            CellBits bits = m_hides ? CellBits{} : CellBits::of(at(cell));
            bits.agent = static_cast<int>(m_world.agents()[static_cast<std::size_t>(agent)].color);
            at(cell) = bits.packed();
            const auto numbers =
                out.agents.subspan(i * EncodingShape::kAgentNumbers, EncodingShape::kAgentNumbers);
            std::ranges::fill(numbers, std::int16_t{0});
            numbers[0] = static_cast<std::int16_t>(cell % width);
            numbers[1] = static_cast<std::int16_t>(cell / width);
            numbers[8] = numbers[9] = numbers[12] = -1;
        }
    }

private:
    const BushWorld& m_world;
    std::vector<int> m_order;
    bool m_hides;
};

}  // namespace

const WorldEncoding* BushWorld::encoding() const {
    static constexpr WorldEncoding kEncoding{
        .make = [](const World& world, bool hides) -> std::unique_ptr<StateEncoder::Family> {
            return std::make_unique<BushEncoder>(static_cast<const BushWorld&>(world), hides);
        }};
    return &kEncoding;
}

}  // namespace orrery
