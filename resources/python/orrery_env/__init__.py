"""Games of many kinds of things for Orrery, written in Python.

    from orrery_env import Environment, Observation, ObsSpace, Entity, ...

    python3 -m orrery_env my_game:TreasureHunt        a class with entity-gym's Environment API
    python3 -m orrery_env gymnasium:CartPole-v1       an environment of Gymnasium
"""

from .environment import (  # noqa: F401
    CategoricalAction, CategoricalActionMask, CategoricalActionSpace, Entity, Environment,
    GlobalCategoricalAction, GlobalCategoricalActionMask, GlobalCategoricalActionSpace, Observation,
    ObsSpace, SelectEntityAction, SelectEntityActionMask, SelectEntityActionSpace)

__version__ = "1"
