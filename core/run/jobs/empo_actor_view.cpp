#include <algorithm>
#include <array>

#include "core/empo/snapshot.h"
#include "core/run/jobs/empo_display.h"
#include "core/run/snapshot.h"
#include "core/world/world_picture.h"

namespace orrery {

namespace {

std::string facingText(const Piece& agent) {
    constexpr std::array kFacing{"east", "south", "west", "north"};
    return agent.direction < kFacing.size() ? kFacing.at(agent.direction) : "";
}

std::string carriedText(const Piece& agent) {
    constexpr std::array kThings{"", " key", " ball", " box"};
    if (agent.carried == Carried::Nothing) return {};
    return colorName(agent.carriedColor) +
           std::string(kThings.at(static_cast<std::size_t>(agent.carried)));
}

/// The goal that an agent pursues now; empty if it is no human.
/// @param goals  [H] as CollectorNumbers::goals
std::string pursuedGoal(const World& world, int agent, const std::vector<std::uint8_t>& goals) {
    const auto humans = world.goals();
    for (std::size_t h = 0; h < goals.size() && h < humans.size(); ++h)
        if (humans[h].agent == agent && goals[h] < humans[h].goals.size())
            return goalText(humans[h].goals[goals[h]]);
    return {};
}

const std::string& nameOf(const World& world, int agent) {
    return world.agents()[static_cast<std::size_t>(agent)].name;
}

std::vector<TrainingFact::Value> rowOf(const World& world, const Piece& agent,
                                       const CollectorNumbers& own) {
    return {nameOf(world, agent.agent),
            std::int64_t{agent.x},
            std::int64_t{agent.y},
            facingText(agent),
            carriedText(agent),
            std::string(agent.terminated ? "dead"
                        : agent.paused   ? "paused"
                                         : ""),
            pursuedGoal(world, agent.agent, own.goals)};
}

std::string remarkOn(const World& world, const CollectorNumbers& own) {
    if (!own.trouble.empty()) return own.trouble;
    std::string text;
    for (const HumanGoals& human : world.goals()) {
        const std::string goal = pursuedGoal(world, human.agent, own.goals);
        if (goal.empty()) continue;
        if (!text.empty()) text += "; ";
        text += nameOf(world, human.agent) + " goes to " + goal;
    }
    return text;
}

}  // namespace

ActorView empoActorView(const TrainSnapshot& training, std::size_t actor, const PictureWish& wish) {
    const EmpoSnapshot* now = empoOf(training.training.get());
    if (now == nullptr || training.worlds.empty() || actor >= now->collectors.size()) return {};
    const CollectorNumbers& own = now->collectors[actor];
    const auto index =
        std::min(static_cast<std::size_t>(std::max(0, own.world)), training.worlds.size() - 1);
    const World& world = *training.worlds[index];
    const Configuration configuration = std::ssize(own.configuration) == world.keyWords()
                                            ? own.configuration
                                            : world.initialConfiguration();
    ActorView view{.picture = pictureOf(world, configuration, wish, own.goals),
                   .remark = remarkOn(world, own),
                   .columns = {"Agent", "x", "y", "Facing", "Carries", "State", "Goes to"}};
    for (const PictureLayer& layer : view.picture.layers)
        for (const PictureSprite& sprite : layer.sprites)
            if (const Piece piece = pieceOf(sprite); piece.kind == PieceKind::Agent)
                view.rows.push_back(rowOf(world, piece, own));
    return view;
}

}  // namespace orrery
