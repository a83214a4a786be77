"""python3 -m orrery_env MODULE:CLASS: serves environments of that class (see serve.py)."""

import importlib
import os
import sys

from . import chance, compatible, gymnasium_game, serve
from .entity_game import EntityGame

USAGE = ("usage: python3 -m orrery_env MODULE:CLASS | gymnasium:ID\n"
         "MODULE lies in this folder or on PYTHONPATH; CLASS is a class, or a function that makes "
         "an environment.")


def _maker(word):
    """-> what makes a game of options"""
    module, _, name = word.partition(":")
    if module in ("gymnasium", "gym"):
        make = gymnasium_game.maker(name)
        return lambda options: gymnasium_game.GymnasiumGame(lambda: make(**options))
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    loaded = importlib.import_module(module)
    make = loaded
    for part in name.split("."):
        make = getattr(make, part)

    def game(options):
        made = make(**options)
        if gymnasium_game.is_game(made):
            return gymnasium_game.GymnasiumGame(lambda: made)
        return EntityGame(lambda: made)
    return game


def main(words):
    if len(words) != 1 or ":" not in words[0]:
        print(USAGE, file=sys.stderr)
        return 2
    lines, out = serve.own_streams()
    compatible.offer()
    chance.share()
    try:
        make = _maker(words[0])
    except gymnasium_game.MissingGymnasium as missing:
        print(missing, file=sys.stderr)
        return 1
    return serve.serve(make, lines, out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
