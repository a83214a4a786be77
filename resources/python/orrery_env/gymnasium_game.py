"""A Gymnasium environment as one thing with a feature a number and one action of the whole game."""


class MissingGymnasium(Exception):
    """It is not installed."""


def maker(name):
    """What makes the environment of that id, such as "CartPole-v1"."""
    try:
        import gymnasium
    except ImportError:
        raise MissingGymnasium(
            "Gymnasium is not installed for this Python; install it with: "
            "python3 -m pip install gymnasium") from None
    return lambda **options: gymnasium.make(name, **options)


def is_game(thing):
    """Whether it has Gymnasium's API."""
    return all(hasattr(thing, name) for name in ("observation_space", "step", "reset"))


def _is(space, kind):
    return any(each.__name__ == kind for each in type(space).__mro__)


class GymnasiumGame:
    def __init__(self, make):
        self._game = make()
        seen, done = self._game.observation_space, self._game.action_space
        if _is(seen, "Box"):
            self._width = 1
            for length in seen.shape:
                self._width *= int(length)
            self._start = None
        elif _is(seen, "Discrete"):
            self._width = int(seen.n)
            self._start = int(getattr(seen, "start", 0))
        else:
            raise TypeError("the observations are %s; Box and Discrete are served" % seen)
        if not _is(done, "Discrete"):
            raise TypeError("the actions are %s; Discrete is served" % done)
        self._choices = int(done.n)
        self._first = int(getattr(done, "start", 0))

    def spaces(self):
        return {
            "kind": "entities",
            "obs_space": {"global_features": [],
                          "entities": [{"name": "Observation",
                                        "features": ["f%d" % i for i in range(self._width)]}]},
            "action_space": [{"name": "action", "type": "GlobalCategorical",
                              "index_to_label": self._labels()}],
            "metrics": [],
            "save": False}

    def _labels(self):
        ask = getattr(getattr(self._game, "unwrapped", None), "get_action_meanings", None)
        labels = [str(label) for label in ask()] if callable(ask) else []
        if len(labels) == self._choices and len(set(labels)) == len(labels):
            return labels
        return [str(self._first + i) for i in range(self._choices)]

    def _frame(self, seen, reward=0.0, done=False, truncated=False):
        if self._start is None:
            if hasattr(seen, "reshape"):
                seen = seen.reshape(-1).tolist()
            numbers = list(seen)
        else:
            numbers = [0] * self._width
            numbers[int(seen) - self._start] = 1
        return {"features": {"Observation": [numbers]}, "actions": {"action": {}},
                "reward": float(reward), "done": bool(done), "truncated": bool(truncated)}

    def reset(self, seed):
        return self._frame(self._game.reset(seed=seed)[0])

    def act(self, wire):
        seen, reward, terminated, truncated, _ = self._game.step(
            self._first + wire["action"]["index"])
        return self._frame(seen, reward, terminated or truncated, truncated and not terminated)
