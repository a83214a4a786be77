#include "core/entity/envs/entity_environments.h"

#include <utility>
#include <vector>

#include "core/entity/envs/cart_pole.h"
#include "core/entity/envs/cherry_pick.h"
#include "core/entity/envs/count.h"
#include "core/entity/envs/floor_is_lava.h"
#include "core/entity/envs/mine_sweeper.h"
#include "core/entity/envs/minefield.h"
#include "core/entity/envs/move_to_origin.h"
#include "core/entity/envs/multi_armed_bandit.h"
#include "core/entity/envs/multi_snake.h"
#include "core/entity/envs/not_hotdog.h"
#include "core/entity/envs/pick_matching_balls.h"
#include "core/entity/envs/rock_paper_scissors.h"
#include "core/entity/envs/treasure_hunt.h"
#include "core/entity/envs/xor.h"

namespace orrery {

namespace {

/// Reads what can be set; those without rules of their own only know "original".
template <class Game>
std::unique_ptr<Environment> made(EnvOptions& options) {
    if constexpr (requires { Game::rulesOf(options); }) {
        const auto rules = Game::rulesOf(options);
        if (!options.knows("original")) options.truth("original", false, "the same rules");
        options.check();
        return std::make_unique<Game>(rules);
    } else {
        options.truth("original", false, "the same rules");
        options.check();
        return std::make_unique<Game>();
    }
}

template <class Game>
EnvironmentEntry entryOf(const char* id, const char* title, const char* summary) {
    EnvOptions usual("{}", id);
    (void)made<Game>(usual);
    return {.id = id,
            .title = title,
            .summary = summary,
            .options = usual.lines(),
            .make = [id](std::string_view json) {
                EnvOptions options(json, id);
                return made<Game>(options);
            }};
}

}  // namespace

EnvironmentCatalogue entityEnvironments() {
    static const std::vector<EnvironmentEntry> kEntries{
        entryOf<MineSweeper>("MineSweeper", "Mine sweeper",
                             "Robots defuse all mines without stepping on one."),
        entryOf<CherryPick>("CherryPick", "Cherry pick", "Pick the best half of many cherries."),
        entryOf<PickMatchingBalls>("PickMatchingBalls", "Pick matching balls",
                                   "Pick all balls of one colour."),
        entryOf<Count>("Count", "Count", "Say how many beans there are."),
        entryOf<Xor>("Xor", "Xor", "Say whether one of two bits is set, or the contrary."),
        entryOf<NotHotdog>("NotHotdog", "Not hot dog", "Say whether it is a hot dog."),
        entryOf<RockPaperScissors>("RockPaperScissors", "Rock, paper, scissors",
                                   "Beat an opponent who likes rock."),
        entryOf<FloorIsLava>("FloorIsLava", "The floor is lava",
                             "Step onto the one neighbour that is no lava."),
        entryOf<MultiArmedBandit>("MultiArmedBandit", "Multi-armed bandit",
                                  "Find the arm that pays."),
        entryOf<MoveToOrigin>("MoveToOrigin", "Move to the origin",
                              "Steer a spaceship towards the middle."),
        entryOf<Minefield>("Minefield", "Minefield", "Drive to the target between mines."),
        entryOf<MultiSnake>("MultiSnake", "Snakes", "Snakes grow by food of their own colour."),
        entryOf<TreasureHunt>("TreasureHunt", "Treasure hunt", "Find five treasures and no trap."),
        entryOf<CartPole>("CartPole", "Cart and pole", "Keep a pole on a cart upright.")};
    return kEntries;
}

}  // namespace orrery
