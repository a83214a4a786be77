"""`import entity_gym` where that is not installed: our classes under its names."""

import abc
import dataclasses
import importlib.util
import sys
import types
import typing

from . import environment

NAMES = [name for name in vars(environment) if name[0].isupper()]
# Games that take all of entity_gym.env get these, too, and may count on it.
_BESIDE = {name: getattr(typing, name) for name in (
    "Any", "Callable", "Dict", "Generator", "List", "Mapping", "Optional", "Sequence", "Tuple",
    "Union")}
_BESIDE.update(ABC=abc.ABC, abstractmethod=abc.abstractmethod, dataclass=dataclasses.dataclass,
               field=dataclasses.field, EntityID=typing.Any, EntityName=str, ActionName=str,
               Action=typing.Any, ActionSpace=typing.Any, ActionMask=typing.Any)


class CliRunner:
    """Games may name it; here they are played by `orrery env play`."""

    def __init__(self, env, agent=None):
        self.env = env

    def run(self):
        raise SystemExit("Add the game with `orrery env add NAME -- python3 -m orrery_env "
                         "MODULE:CLASS`, then play it with `orrery env play NAME`.")


def _is_installed():
    if "entity_gym" in sys.modules:
        return True
    return importlib.util.find_spec("entity_gym") is not None


def _add(path, names):
    module = types.ModuleType(path, "orrery_env in the place of entity-gym")
    module.__path__ = []
    module.__all__ = list(names)
    vars(module).update(names)
    sys.modules[path] = module
    parent, _, name = path.rpartition(".")
    if parent:
        setattr(sys.modules[parent], name, module)


def offer():
    """Puts them in the place of a missing entity_gym. -> whether that was missing"""
    if _is_installed():
        return False
    names = dict(_BESIDE, **{name: getattr(environment, name) for name in NAMES})
    for path in ("entity_gym", "entity_gym.env", "entity_gym.env.environment",
                 "entity_gym.env.action", "entity_gym.environment"):
        _add(path, names)
    _add("entity_gym.runner", {"CliRunner": CliRunner})
    return True
