"""Games whose own step is next to nothing: what is measured of them is the bridge."""

from orrery_env import (CategoricalActionMask, CategoricalActionSpace, Entity, Environment,
                        GlobalCategoricalActionMask, GlobalCategoricalActionSpace, Observation,
                        ObsSpace)


class Still(Environment):
    """The frame of a treasure hunt."""

    traps = [[i, 2 * i] for i in range(5)]
    treasures = [[i, -i] for i in range(5)]
    mask = GlobalCategoricalActionMask()
    steps = 0

    def obs_space(self):
        return ObsSpace(global_features=["x_pos", "y_pos"],
                        entities={"Trap": Entity(["x_pos", "y_pos"]),
                                  "Treasure": Entity(["x_pos", "y_pos"])})

    def action_space(self):
        return {"move": GlobalCategoricalActionSpace(["up", "down", "left", "right"])}

    def reset(self):
        self.steps = 0
        return self.observe()

    def act(self, actions):
        self.steps += 1
        return self.observe()

    def observe(self):
        return Observation(features={"Trap": self.traps, "Treasure": self.treasures},
                           global_features=[self.steps, 1], actions={"move": self.mask},
                           reward=0.5, done=self.steps == 100)


class StillRobots(Still):
    """The frame of a mine sweeper."""

    ids = {"Mine": [("Mine", i) for i in range(5)], "Robot": [("Robot", 0), ("Robot", 1)]}
    robots = [[0, 1], [2, 3]]
    mask = CategoricalActionMask(actor_types=["Robot"], mask=[[True, False, True, True, True]] * 2)

    def obs_space(self):
        return ObsSpace(entities={"Mine": Entity(["x", "y"]), "Robot": Entity(["x", "y"])})

    def action_space(self):
        return {"move": CategoricalActionSpace(["up", "down", "left", "right", "defuse"])}

    def observe(self):
        return Observation(features={"Mine": self.traps, "Robot": self.robots}, ids=self.ids,
                           actions={"move": self.mask}, reward=0.5, done=self.steps == 100)
