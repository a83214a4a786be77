#include <algorithm>

#include "core/base/text.h"
#include "core/encode/agent_order.h"
#include "core/encode/state_encoder.h"
#include "core/files/world_fields.h"
#include "core/files/world_format.h"
#include "core/world/world_editing.h"
#include "tests/support/line/line_world.h"

namespace orrery::test {

namespace {

// ---- files ----

bool readLine(WorldReader& reader, MapReader& map) {
    auto rows = map.wordRows();
    if (rows && rows->size() > 1) {
        reader.values().diagnostics().error(map.place(1, 0), "E118", "a line has one row",
                                            "remove the others");
        return false;
    }
    if (rows) reader.specAs<LineSpec>().cells = std::move(rows->front());
    return rows.has_value();
}

std::vector<AgentRole> rolesOf(const WorldSpec& spec, std::size_t most) {
    std::vector<AgentRole> roles;
    for (const std::string& cell : spec.as<LineSpec>()->cells)
        if (cell != "." && roles.size() < most)
            roles.push_back(cell == "H" ? AgentRole::Human : AgentRole::Robot);
    return roles;
}

void writeLine(const WorldSpec& world, WorldFields& fields) {
    const LineSpec& spec = *world.as<LineSpec>();
    fields.value("family", jsonText("line"));
    std::string row;
    for (const std::string& cell : spec.cells) row += (row.empty() ? "" : " ") + cell;
    fields.map({row});
    fields.unlessDefault("slip", spec.slip, LineSpec().slip);
}

const WorldFormat& lineFormat() {
    static const WorldFormat kFormat = [] {
        std::vector<WorldFileKey> keys = keysBefore("one row of H, R and .");
        keys.push_back({"slip", "number", 0, 1, "", "0", "Probability that a human's step fails.",
                        readKey<&LineSpec::slip>});
        keys.push_back(stepsKey());
        for (const WorldFileKey& key : goalKeys()) keys.push_back(key);
        return WorldFormat{.keys = keys,
                           .telling = {"slip"},
                           .standard = [] { return WorldSpec(LineSpec()); },
                           .readMap = readLine,
                           .mapSize =
                               [](const WorldSpec& spec) {
                                   return MapSize{spec.as<LineSpec>()->cells.size(), 1};
                               },
                           .roles = rolesOf,
                           .write = writeLine};
    }();
    return kFormat;
}

// ---- learning ----

/// Where agents are is all that there is.
class LineEncoder final : public StateEncoder::Family {
public:
    explicit LineEncoder(const World& world) : m_world(world), m_order(encodedAgentOrder(world)) {}

    void encode(std::span<const std::uint64_t> configuration, const EncodingShape& shape,
                CompactParts<std::byte> out) override {
        for (int x = 0; x < m_world.width(); ++x)
            out.cells[static_cast<std::size_t>(x)] = CellBits{}.packed();
        (void)shape;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const int cell = m_world.cellOf(configuration, m_order[i]);
            CellBits bits;
            bits.agent =
                static_cast<int>(m_world.agents()[static_cast<std::size_t>(m_order[i])].color);
            out.cells[static_cast<std::size_t>(cell)] = bits.packed();
            const auto numbers =
                out.agents.subspan(i * EncodingShape::kAgentNumbers, EncodingShape::kAgentNumbers);
            std::ranges::fill(numbers, std::int16_t{0});
            numbers[0] = static_cast<std::int16_t>(cell);
            numbers[8] = numbers[9] = numbers[12] = -1;
        }
    }

private:
    const World& m_world;
    std::vector<int> m_order;
};

}  // namespace

const WorldEncoding* LineWorld::encoding() const {
    static constexpr WorldEncoding kEncoding{
        .make = [](const World& world, bool) -> std::unique_ptr<StateEncoder::Family> {
            return std::make_unique<LineEncoder>(world);
        }};
    return &kEncoding;
}

const WorldFamily& familyOf(const LineSpec* /*spec*/) {
    static const WorldFamily kFamily{
        .name = "line",
        .validate = [](const WorldSpec& spec) { return validateLine(*spec.as<LineSpec>()); },
        .make = [](const WorldSpec& spec) -> std::shared_ptr<const World> {
            return std::make_shared<const LineWorld>(*spec.as<LineSpec>());
        },
        .format = &lineFormat(),
        .editing = &lineEditing(),
    };
    return kFamily;
}

}  // namespace orrery::test
