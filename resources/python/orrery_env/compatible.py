"""`import entity_gym` where that is not installed: our classes under its names."""

import importlib.util
import sys
import types

from . import environment

NAMES = [name for name in vars(environment) if name[0].isupper()]
_MODULES = ("entity_gym", "entity_gym.env", "entity_gym.environment", "entity_gym.env.environment",
            "entity_gym.env.action")


def _is_installed():
    if "entity_gym" in sys.modules:
        return True
    return importlib.util.find_spec("entity_gym") is not None


def offer():
    """Puts them in the place of a missing entity_gym. -> whether that was missing"""
    if _is_installed():
        return False
    for path in _MODULES:
        module = types.ModuleType(path, "orrery_env in the place of entity-gym")
        module.__all__ = list(NAMES)
        module.__path__ = []
        for name in NAMES:
            setattr(module, name, getattr(environment, name))
        module.EntityID = module.EntityName = module.ActionName = object
        sys.modules[path] = module
        parent, _, name = path.rpartition(".")
        if parent:
            setattr(sys.modules[parent], name, module)
    return True
