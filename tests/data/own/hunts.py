"""Games in Python for the tests of own environments. Standard library only."""

import os
import random
import sys
import time

from entity_gym.env import (CategoricalAction, CategoricalActionMask, CategoricalActionSpace, Entity,
                            Environment, GlobalCategoricalAction, GlobalCategoricalActionMask,
                            GlobalCategoricalActionSpace, Observation, ObsSpace,
                            SelectEntityAction, SelectEntityActionMask, SelectEntityActionSpace)

SIDE = 5
MOVES = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


class TreasureHunt(Environment):
    """A treasure is worth 1, a trap ends it. It prints, which must not disturb anybody."""

    metric_names = ["found"]

    def __init__(self, treasures=3, traps=2):
        self.number = (traps, treasures)

    def obs_space(self):
        return ObsSpace(global_features=["x_pos", "y_pos"],
                        entities={"Trap": Entity(["x_pos", "y_pos"]),
                                  "Treasure": Entity(["x_pos", "y_pos"])})

    def action_space(self):
        return {"move": GlobalCategoricalActionSpace(list(MOVES))}

    def reset(self):
        cells = [(x, y) for x in range(-SIDE, SIDE + 1) for y in range(-SIDE, SIDE + 1)
                 if (x, y) != (0, 0)]
        random.shuffle(cells)
        self.x = self.y = self.found = 0
        traps, treasures = self.number
        self.traps = cells[:traps]
        self.treasures = cells[traps:traps + treasures]
        return self.observe()

    def act(self, actions):
        action = actions["move"]
        assert isinstance(action, GlobalCategoricalAction)
        print("going", action.label)
        assert sys.stdin.read() == ""  # what it is asked is not the game's
        by = MOVES[action.label]
        self.x = max(-SIDE, min(SIDE, self.x + by[0]))
        self.y = max(-SIDE, min(SIDE, self.y + by[1]))
        reward = 0.0
        if (self.x, self.y) in self.treasures:
            self.treasures.remove((self.x, self.y))
            reward = 1.0
            self.found += 1
        return self.observe((self.x, self.y) in self.traps or not self.treasures, reward)

    def observe(self, done=False, reward=0.0):
        return Observation(
            global_features=[self.x, self.y],
            entities={"Trap": [list(trap) for trap in self.traps],
                      "Treasure": [list(treasure) for treasure in self.treasures]},
            actions={"move": GlobalCategoricalActionMask()},
            metrics={"found": self.found}, done=done, reward=reward)


class SavedHunt(TreasureHunt):
    """One that can be kept and gone back to."""

    def save(self):
        return {"at": [self.x, self.y, self.found], "traps": self.traps,
                "treasures": self.treasures}

    def load(self, saved):
        self.x, self.y, self.found = saved["at"]
        self.traps = [tuple(trap) for trap in saved["traps"]]
        self.treasures = [tuple(treasure) for treasure in saved["treasures"]]
        return self.observe()


class Robots(Environment):
    """Robots move and shoot by their ids; what they were told is seen in the next frame."""

    def __init__(self):
        self.told = []

    def obs_space(self):
        return ObsSpace(entities={"Mine": Entity(["x", "y"]), "Robot": Entity(["last"])})

    def action_space(self):
        return {"Move": CategoricalActionSpace(["stay", "go"]), "Fire": SelectEntityActionSpace()}

    def reset(self):
        self.steps = 0
        self.last = {"Marvin": 0.0, ("R", 2): 0.0}
        self.mines = [("M", i) for i in range(3)]
        return self.observe()

    def act(self, actions):
        move, fire = actions["Move"], actions["Fire"]
        assert isinstance(move, CategoricalAction) and isinstance(fire, SelectEntityAction)
        assert list(move.actions) == list(move.indices)
        for actor, index in zip(move.actors, move.indices):
            self.last[actor] = float(index)
        for actor, actee in zip(fire.actors, fire.actees):
            assert actor == ("R", 2)
            self.mines.remove(actee)
        self.steps += 1
        return self.observe(self.steps == 3 or len(self.mines) == 1)

    def observe(self, done=False):
        shooters = [] if self.steps == 1 else [("R", 2)]
        return Observation(
            features={"Mine": [[i, self.steps] for _, i in self.mines],
                      "Robot": [[last] for last in self.last.values()]},
            ids={"Mine": self.mines, "Robot": list(self.last)},
            actions={"Move": CategoricalActionMask(actor_types=["Robot"],
                                                   mask=[[True, True], [False, True]]),
                     "Fire": SelectEntityActionMask(actor_ids=shooters, actee_types=["Mine"])},
            done=done, reward=float(done))


class Faulty(TreasureHunt):
    """Goes wrong in its third step, in the way that it is told; once where `once` names a file."""

    def __init__(self, way="", once=""):
        super().__init__(treasures=40, traps=0)
        self.way = way
        self.once = once

    def reset(self):
        self.steps = 0
        return super().reset()

    def act(self, actions):
        seen = super().act(actions)
        self.steps += 1
        if self.steps != 3 or not self.way:
            return seen
        if self.once:
            try:
                open(self.once, "x").close()
            except FileExistsError:
                return seen
        return getattr(self, "go_" + self.way)(seen)

    def go_death(self, seen):
        os.write(2, b"the dog ate it\n")
        os._exit(3)

    def go_silence(self, seen):
        time.sleep(1000)

    def go_error(self, seen):
        raise ValueError("no way out")

    def go_line(self, seen):
        os.write(4, b"this is no JSON\n")  # where its answers go

    def go_width(self, seen):
        seen.features["Trap"] = [[1, 2, 3]]
        return seen

    def go_mask(self, seen):
        seen.actions["move"] = GlobalCategoricalActionMask(mask=[[True, False]])
        return seen

    def go_nothing(self, seen):
        seen.actions["move"] = GlobalCategoricalActionMask(mask=[[False] * 4])
        return seen

    def go_nan(self, seen):
        seen.features["Treasure"][0][1] = float("nan")
        return seen

    def go_infinity(self, seen):
        seen.global_features = [0, float("-inf")]
        return seen

    def go_name(self, seen):
        seen.features["Tressure"] = [[1, 2]]
        return seen

    def go_reward(self, seen):
        seen.reward = "much"
        return seen

    def go_ids(self, seen):
        seen.ids["Treasure"] = ["a"]
        return seen


class ForGymnasium:
    """With Gymnasium's API, without Gymnasium: cut off after five steps."""

    class Box:
        shape = (2, 1)

    class Discrete:
        def __init__(self, n, start=0):
            self.n, self.start = n, start

    observation_space = Box()
    action_space = Discrete(3, start=1)

    def reset(self, seed=None):
        self.steps, self.start = 0, seed % 7
        return [0, self.start], {}

    def step(self, action):
        assert 1 <= action <= 3
        self.steps += 1
        return [self.steps, action], 0.5, False, self.steps == 5, {}


class Untold(TreasureHunt):
    """It tells a metric that it does not name beforehand."""

    metric_names = []

    def __init__(self):
        super().__init__(traps=30)

    def observe(self, done=False, reward=0.0):
        seen = super().observe(done, reward)
        seen.metrics = {"luck": 0.5} if done else {}
        return seen
