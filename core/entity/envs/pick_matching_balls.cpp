#include "core/entity/envs/pick_matching_balls.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr int kColors = 6, kLeastRandom = 3;

}  // namespace

PickMatchingBalls::Rules PickMatchingBalls::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.maxBalls = options.whole("max_balls", rules.maxBalls, 1, 10'000, "balls");
    rules.oneHot = options.truth("one_hot", rules.oneHot, "a feature a colour");
    rules.randomize = options.truth("randomize", rules.randomize, "3 to max_balls balls");
    return rules;
}

PickMatchingBalls::PickMatchingBalls(const Rules& rules)
    : EntityGame("PickMatchingBalls",
                 {.observations = {thingsOf("Ball", {"color0", "color1", "color2", "color3",
                                                     "color4", "color5", "selected"}),
                                   thingsOf("Player", {})},
                  .actions = {selectionOf("Pick Ball")}}),
      m_rules(rules) {
    if (rules.randomize && rules.maxBalls < kLeastRandom)
        throw badInput("PickMatchingBalls: randomize needs max_balls of at least 3.");
}

void PickMatchingBalls::begin(Rng& rng) {
    int balls = m_rules.maxBalls;
    if (m_rules.randomize)
        balls = kLeastRandom +
                static_cast<int>(rng.below(static_cast<std::uint64_t>(balls) - kLeastRandom + 1));
    m_colors.resize(static_cast<std::size_t>(balls));
    for (int& color : m_colors) color = static_cast<int>(rng.below(kColors));
    m_isSelected.assign(m_colors.size(), false);
}

void PickMatchingBalls::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    // The choice counts those that are left.
    for (std::int64_t left = taken[0].indices[0], i = 0; left >= 0 && i < std::ssize(m_colors); ++i)
        if (!m_isSelected[static_cast<std::size_t>(i)] && left-- == 0)
            m_isSelected[static_cast<std::size_t>(i)] = true;
    std::array<int, kColors> all{}, picked{};
    int numPicked = 0;
    for (std::size_t i = 0; i < m_colors.size(); ++i) {
        ++all[static_cast<std::size_t>(m_colors[i])];
        if (!m_isSelected[i]) continue;
        ++picked[static_cast<std::size_t>(m_colors[i])];
        ++numPicked;
    }
    const bool areAll = numPicked == static_cast<int>(m_colors.size());
    const bool areMixed = std::ranges::count_if(picked, [](int n) { return n > 0; }) > 1;
    if (areAll)
        end(result, 1, EpisodeEnd::Success);
    else if (areMixed)
        end(result, static_cast<double>(numPicked - 1) / std::ranges::max(all),
            EpisodeEnd::Failure);
    else
        end(result, 0, EpisodeEnd::None);
}

void PickMatchingBalls::observe(FrameWriter& out) const {
    std::span<float> ball = out.things(kBall, std::ssize(m_colors));
    out.things(kPlayer, 1);
    for (std::size_t i = 0; i < m_colors.size(); ++i, ball = ball.subspan(kColors + 1)) {
        for (int color = 0; color < kColors; ++color)
            ball[static_cast<std::size_t>(color)] = !m_rules.oneHot
                                                        ? static_cast<float>(m_colors[i])
                                                    : color == m_colors[i] ? 1.F
                                                                           : 0.F;
        ball[kColors] = m_isSelected[i] ? 1.F : 0.F;
        if (!m_isSelected[i]) out.addCandidate(0, static_cast<std::int64_t>(i));
    }
    out.addActors(0, out.first(kPlayer), 1);
}

nlohmann::json PickMatchingBalls::toJson() const {
    return {{"colors", m_colors}, {"selected", m_isSelected}};
}

void PickMatchingBalls::fromJson(const nlohmann::json& state) {
    const auto colors = state.at("colors").get<std::vector<int>>();
    const auto isSelected = state.at("selected").get<std::vector<bool>>();
    if (colors.size() != isSelected.size() ||
        !std::ranges::all_of(colors, [](int color) { return color >= 0 && color < kColors; }))
        throw badInput("each ball has one of 6 colours, and is selected or not");
    m_colors = colors;
    m_isSelected = isSelected;
}

}  // namespace orrery
