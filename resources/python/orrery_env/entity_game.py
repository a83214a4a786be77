"""A game with entity-gym's Environment API, as the protocol asks for it."""

import inspect

from . import chance, environment


def _kind(space):
    """By names, so that the classes of entity-gym are as good as ours."""
    name = type(space).__name__
    for kind in ("GlobalCategorical", "Categorical", "SelectEntity"):
        if name.startswith(kind):
            return kind
    raise TypeError("%s is no action space; there are CategoricalActionSpace, "
                    "GlobalCategoricalActionSpace and SelectEntityActionSpace" % name)


def _takes(function, name):
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


class EntityGame:
    def __init__(self, make):
        self._chance = chance.generator()
        chance.use(self._chance)
        self._game = make()
        self._types = list(self._game.obs_space().entities)
        self._actions = [(name, _kind(space), space)
                         for name, space in self._game.action_space().items()]
        self._seeds = callable(getattr(self._game, "seed", None))
        self._takes_seed = _takes(self._game.reset, "seed")
        self._seen = None
        # Classes of the real entity-gym where that is installed: games may ask what they got.
        module = environment
        try:
            import entity_gym.env as theirs
            if all(hasattr(theirs, name) for name in (
                    "CategoricalAction", "GlobalCategoricalAction", "SelectEntityAction")):
                module = theirs
        except ImportError:
            pass
        self._make_choice = module.CategoricalAction
        self._make_global = module.GlobalCategoricalAction
        self._make_selection = module.SelectEntityAction

    def spaces(self):
        space = self._game.obs_space()
        actions = []
        for name, kind, own in self._actions:
            entry = {"name": name, "type": kind}
            if kind != "SelectEntity":
                entry["index_to_label"] = [str(label) for label in own.index_to_label]
            actions.append(entry)
        return {
            "kind": "entities",
            "obs_space": {
                "global_features": list(getattr(space, "global_features", ())),
                "entities": [{"name": name, "features": list(entity.features)}
                             for name, entity in space.entities.items()]},
            "action_space": actions,
            "metrics": list(getattr(self._game, "metric_names", ())),
            "save": all(callable(getattr(self._game, name, None)) for name in ("save", "load"))}

    def reset(self, seed):
        chance.use(self._chance)
        chance.seed(seed)
        if self._seeds:
            self._game.seed(seed)
        return self._frame(self._game.reset(seed=seed) if self._takes_seed else self._game.reset())

    def act(self, wire):
        chance.use(self._chance)
        actions = {}
        for name, kind, space in self._actions:
            mask = self._seen.actions.get(name)
            if mask is None:
                continue
            chosen = wire.get(name) or {}
            if kind == "GlobalCategorical":
                index = chosen["index"]
                actions[name] = self._make_global(index, space.index_to_label[index])
                continue
            indices = chosen.get("indices", ())
            actors = self._things(mask, "actor_ids", "actor_types")
            if indices and min(indices) < 0:  # nobody has anything to choose there
                pairs = [pair for pair in zip(actors, indices) if pair[1] >= 0]
                actors, indices = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            if kind == "Categorical":
                actions[name] = self._make_choice(actors, environment._numbers(indices),
                                                  space.index_to_label)
            else:
                actees = self._things(mask, "actee_ids", "actee_types") if indices else ()
                actions[name] = self._make_selection(actors, [actees[index] for index in indices])
        return self._frame(self._game.act(actions))

    def save(self):
        chance.use(self._chance)
        version, words, gauss = self._chance.getstate()
        return {"game": self._game.save(), "random": [version, list(words), gauss]}

    def load(self, saved):
        chance.use(self._chance)
        version, words, gauss = saved["random"]
        frame = self._frame(self._game.load(saved["game"]))
        self._chance.setstate((version, tuple(words), gauss))
        return frame

    def _ids(self, name):
        """Of a type: what the game calls its things, else the type and the place in it."""
        ids = self._seen.ids.get(name)
        if ids is None:
            ids = [(name, i) for i in range(len(self._seen.features.get(name, ())))]
        return ids

    def _things(self, mask, by_ids, by_types):
        ids = getattr(mask, by_ids, None)
        if ids is not None:
            return list(ids)
        types = getattr(mask, by_types, None)
        if types is None:
            types = self._types
        if len(types) == 1:
            return list(self._ids(types[0]))
        return [thing for name in types for thing in self._ids(name)]

    def _frame(self, seen):
        if seen is None:
            raise TypeError("reset, act and load must return an Observation, got None")
        self._seen = seen
        # Arrays become lists as the frame is written.
        frame = {"features": seen.features, "reward": seen.reward, "done": bool(seen.done),
                 "actions": {name: {field: value for field, value in vars(mask).items()
                                    if value is not None}
                             for name, mask in seen.actions.items() if mask is not None}}
        if seen.ids:
            frame["ids"] = seen.ids
        if len(seen.global_features):
            frame["global_features"] = seen.global_features
        for field in ("truncated", "visible", "metrics"):
            value = getattr(seen, field, None)
            if value:
                frame[field] = value
        return frame
