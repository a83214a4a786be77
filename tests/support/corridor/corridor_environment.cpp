#include "tests/support/corridor/corridor_environment.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery::test {

namespace {

EnvironmentSpaces spacesOf(const CorridorRules& rules) {
    return {.observations = {{.name = "cell", .categories = rules.length}},
            .actions = {{.name = "move", .choices = {"left", "right"}}},
            .rewards = {"goal"},
            .facts = {"steps to the goal"}};
}

}  // namespace

CorridorEnvironment::CorridorEnvironment(CorridorRules rules)
    : m_rules(std::move(rules)), m_spaces(spacesOf(m_rules)) {}

void CorridorEnvironment::observe(Observation& out) const {
    out.parts.resize(1);
    out.parts[0].values.assign(1, static_cast<float>(m_cell));
    out.offers.resize(1);
}

void CorridorEnvironment::reset(std::uint64_t seed, Observation& out) {
    m_cell = static_cast<int>(m_rules.starts[seed % m_rules.starts.size()]);
    m_steps = 0;
    observe(out);
}

void CorridorEnvironment::step(std::span<const ActionTaken> taken, StepResult& result,
                               Observation& out) {
    Observation offered;
    observe(offered);
    if (const std::string problem = problemOf(m_spaces, offered, taken); !problem.empty())
        throw badInput("The corridor's " + problem + ".");
    const auto direction = static_cast<int>(taken[0].indices[0]);
    m_cell = std::max(0, m_cell + 2 * direction - 1);
    ++m_steps;
    const bool isThere = m_cell == m_rules.length - 1;
    result.rewards.assign(1, isThere ? 1 : 0);
    result.end = isThere                      ? EpisodeEnd::Success
                 : m_steps >= m_rules.timeOut ? EpisodeEnd::TimeOut
                                              : EpisodeEnd::None;
    observe(out);
}

std::string CorridorEnvironment::state() const {
    return nlohmann::json{{"cell", m_cell}, {"steps", m_steps}}.dump();
}

void CorridorEnvironment::setState(std::string_view json, Observation& out) {
    const nlohmann::json state = nlohmann::json::parse(json, nullptr, false);
    const auto wholeOf = [&](const char* key, int most) {
        const auto found = state.is_object() ? state.find(key) : state.end();
        if (found == state.end() || !found->is_number_unsigned() || *found > most)
            throw Error("The corridor's state has no " + std::string(key) + " in [0, " +
                            std::to_string(most) + "].",
                        Error::Kind::Damaged);
        return found->get<int>();
    };
    const int cell = wholeOf("cell", m_rules.length - 1);
    m_steps = wholeOf("steps", m_rules.timeOut);
    m_cell = cell;
    observe(out);
}

void CorridorEnvironment::facts(std::span<double> out) const {
    out[0] = m_rules.length - 1 - m_cell;
}

Picture CorridorEnvironment::picture(const PictureWish& wish) const {
    return corridorPicture(m_rules.length, m_cell, {}, wish);
}

Picture corridorPicture(int length, int cell, std::span<const double> values,
                        const PictureWish& wish) {
    PictureLayer floor, things;
    for (int x = 0; x < length; ++x) {
        const PicturePoint corner{static_cast<float>(x), 0};
        if (!wish.shows(corner, 1, 1)) continue;
        const float value =
            values.empty() ? 0.F : static_cast<float>(values[static_cast<std::size_t>(x)]);
        floor.tiles.push_back({.corner = corner, .fill = {.tone = Tone::Ground}});
        floor.tiles.push_back(
            {.corner = corner, .fill = {.tone = Tone::Accent, .opacity = value / 2}});
    }
    const auto middleOf = [](int x) { return PicturePoint{static_cast<float>(x) + 0.5F, 0.5F}; };
    things.sprites = {{.name = "goal",
                       .shape = PictureSprite::Shape::Flag,
                       .center = middleOf(length - 1),
                       .fill = {.tone = Tone::Good}},
                      {.name = "walker",
                       .shape = PictureSprite::Shape::Disc,
                       .center = middleOf(cell),
                       .size = 0.6F,
                       .fill = {.tone = Tone::Data},
                       .label = "w"}};
    return {.width = static_cast<float>(length),
            .height = 1,
            .hasGrid = true,
            .layers = {std::move(floor), std::move(things)}};
}

const EnvironmentEntry& corridorEntry() {
    static const EnvironmentEntry kEntry{
        .id = "corridor",
        .title = "Corridor",
        .summary = "Walk to the last cell; a step against a wall stays.",
        .options = {"length: [2, 1000] cells, 10"},
        .make = [](std::string_view text) -> std::unique_ptr<Environment> {
            const nlohmann::json options = nlohmann::json::parse(text, nullptr, false);
            CorridorRules rules;
            if (!options.is_object()) throw badInput("Options must be a JSON object.");
            for (const auto& [key, value] : options.items()) {
                if (key != "length") throw badInput("A corridor has no option \"" + key + "\".");
                if (!value.is_number_unsigned() || value < 2 || value > 1000)
                    throw badInput("length must be a whole number in [2, 1000].");
                rules.length = value;
            }
            return std::make_unique<CorridorEnvironment>(rules);
        }};
    return kEntry;
}

}  // namespace orrery::test
