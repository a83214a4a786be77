"""Protocol 1: a line of JSON in, a line of JSON out (environment_protocol.md)."""

import gc
import json
import os
import sys
import traceback

PROTOCOL = 1


def _plain(value):
    """What JSON does not know: arrays and their numbers as they are, names by their text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return repr(value)


_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_plain).encode


class _Failed(Exception):
    """A game threw something; which environment it was."""

    def __init__(self, place):
        super().__init__()
        self.place = place


class Server:
    """make(options) -> a game with spaces, reset, act and perhaps save and load."""

    def __init__(self, make):
        self._make = make
        self._options = {}
        self._games = {}

    def _game(self, place):
        game = self._games.get(place)
        if game is None:
            game = self._games[place] = self._make(self._options)
        return game

    def _each(self, places, call, extras):
        answers = []
        place = None
        try:
            for place, extra in zip(places, extras):
                answers.append(call(self._games.get(place) or self._game(place), extra))
        except Exception as error:
            raise _Failed(place) from error
        return answers

    def answer(self, message):
        ask = message["ask"]
        if ask == "act":
            return {"observations": self._each(
                message["envs"], lambda game, actions: game.act(actions), message["actions"])}
        if ask == "reset":
            return {"observations": self._each(
                message["envs"], lambda game, seed: game.reset(seed), message["seeds"])}
        if ask == "save":
            return {"states": self._each(
                message["envs"], lambda game, _: game.save(), message["envs"])}
        if ask == "load":
            return {"observations": self._each(
                message["envs"], lambda game, state: game.load(state), message["states"])}
        if ask == "spaces":
            if message.get("protocol") != PROTOCOL:
                return {"error": "this speaks protocol %d, not %s"
                                 % (PROTOCOL, message.get("protocol"))}
            self._options = message.get("options") or {}
            return dict({"protocol": PROTOCOL}, **self._game(0).spaces())
        return {"error": "nobody knows how to %s" % ask}


def serve(make, lines, out):
    """Answers lines until they end. -> the exit status"""
    # Frames are many small lists that no cycle holds; looking for cycles costs a tenth of the time.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    server = Server(make)
    for line in lines:
        text, failed = "", None
        try:
            text = _encode(server.answer(json.loads(line)))
        except _Failed as failure:
            failed = failure.__cause__
            text = _encode({"error": _line(failed), "env": failure.place})
        except Exception as error:  # the game's own constructor, or a line that is none
            failed = error
            text = _encode({"error": _line(error)})
        out.write(text.encode() + b"\n")
        out.flush()
        if failed is not None:
            traceback.print_exception(type(failed), failed, failed.__traceback__)
            return 1
    return 0


def _line(error):
    return " ".join(traceback.format_exception_only(type(error), error)[-1].split())


def own_streams():
    """What is asked and answered. Games that read find nothing; what they print goes where errors go."""
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return lines, out
