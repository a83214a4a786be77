"""Chance by seed: the module `random` speaks with the generator of the game that is at work, so that
games of one process do not disturb each other and an episode follows from its seed."""

import random
import sys

_NAMES = [name for name in (
    "betavariate", "choice", "choices", "expovariate", "gammavariate", "gauss", "getrandbits",
    "getstate", "lognormvariate", "normalvariate", "paretovariate", "randbytes", "randint", "random",
    "randrange", "sample", "seed", "setstate", "shuffle", "triangular", "uniform",
    "vonmisesvariate", "weibullvariate") if hasattr(random.Random, name)]


class _AtWork:
    generator = random.Random()


def _shared(name):
    def call(*args, **kwargs):
        return getattr(_AtWork.generator, name)(*args, **kwargs)
    call.__name__ = name
    return call


def share():
    """From now on; to be called before games are loaded."""
    for name in _NAMES:
        setattr(random, name, _shared(name))


def generator():
    """A new one, for one game."""
    return random.Random()


def use(own):
    """The game that has this generator is at work now."""
    _AtWork.generator = own


def seed(value):
    """Of the game at work. numpy's one generator for all, where numpy is loaded, follows."""
    _AtWork.generator.seed(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(value % 2**32)
