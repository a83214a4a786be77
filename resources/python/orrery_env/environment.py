"""What a game of many kinds of things is written with: the names of entity-gym's Environment API.

A game derives from Environment and says what is seen (ObsSpace), what is decided (action spaces),
how an episode begins (reset) and what a step comes to (act). Standard library only.
"""

import abc
import sys


class Entity:
    """A kind of things. features: the names of its numbers, in their order."""

    def __init__(self, features):
        self.features = list(features)

    def __repr__(self):
        return "Entity(features=%r)" % (self.features,)


class ObsSpace:
    """All that can be seen. entities: {name: Entity}; their order is the order of things.

    global_features: names of the numbers that the whole game has.
    """

    def __init__(self, entities=None, global_features=()):
        self.entities = dict(entities or {})
        self.global_features = list(global_features)

    def __repr__(self):
        return "ObsSpace(entities=%r, global_features=%r)" % (self.entities, self.global_features)


class _NamedChoices:
    def __init__(self, index_to_label):
        self.index_to_label = list(index_to_label)

    @property
    def choices(self):
        return self.index_to_label

    def __len__(self):
        return len(self.index_to_label)


class CategoricalActionSpace(_NamedChoices):
    """Each of the things that act takes one of the named choices."""


class GlobalCategoricalActionSpace(_NamedChoices):
    """The game itself takes one of the named choices, once a step."""


class SelectEntityActionSpace:
    """Each of the things that act selects a thing."""


class CategoricalActionMask:
    """Who acts, by ids or by types (neither: everything), and what is allowed.

    mask: [actors][choices] of truths; None: all is allowed.
    """

    def __init__(self, actor_ids=None, actor_types=None, mask=None):
        self.actor_ids = actor_ids
        self.actor_types = actor_types
        self.mask = mask


class GlobalCategoricalActionMask:
    """mask: [1][choices] or [choices] of truths; None: all is allowed."""

    def __init__(self, mask=None):
        self.mask = mask


class SelectEntityActionMask:
    """Who acts and what can be selected, by ids or by types (neither: everything).

    mask: [actors][actees] of truths; None: all is allowed.
    """

    def __init__(self, actor_ids=None, actor_types=None, actee_types=None, actee_ids=None, mask=None):
        self.actor_ids = actor_ids
        self.actor_types = actor_types
        self.actee_types = actee_types
        self.actee_ids = actee_ids
        self.mask = mask


def _numbers(values):
    """An array where the game has loaded numpy, else a list."""
    numpy = sys.modules.get("numpy")
    return values if numpy is None else numpy.array(values, dtype="int64")


class CategoricalAction:
    """actors: ids; indices (also called actions): of the choices, one an actor."""

    def __init__(self, actors, indices, index_to_label=(), probs=None):
        self.actors = actors
        self.indices = _numbers(indices)
        self.index_to_label = index_to_label
        self.probs = probs

    @property
    def actions(self):
        return self.indices

    @property
    def labels(self):
        return [self.index_to_label[i] for i in self.indices]

    def items(self):
        return zip(self.actors, self.indices)

    def __repr__(self):
        return "CategoricalAction(actors=%r, indices=%r)" % (self.actors, self.indices)


class GlobalCategoricalAction:
    """index of the choice, and its label."""

    def __init__(self, index, label, probs=None):
        self.index = index
        self.label = label
        self.probs = probs

    def __repr__(self):
        return "GlobalCategoricalAction(index=%r, label=%r)" % (self.index, self.label)


class SelectEntityAction:
    """actors and actees: ids; each actor selected the actee of the same place."""

    def __init__(self, actors, actees, probs=None):
        self.actors = actors
        self.actees = actees
        self.probs = probs

    def items(self):
        return zip(self.actors, self.actees)

    def __repr__(self):
        return "SelectEntityAction(actors=%r, actees=%r)" % (self.actors, self.actees)


class Observation:
    """What is seen after a step.

    features: {type: [things][features]}; types may be missing. ids: {type: [things]} of what is
    named somewhere. entities: the same in short, {type: features | (features, ids) | None}.
    global_features: numbers. actions: {name: mask}. visible: {type: [things]} truths; what is
    false is known to the value alone. metrics: {name: number}. truncated: the episode was cut off,
    what would have followed has a value of its own.
    """

    def __init__(self, *, features=None, actions=None, done=False, reward=0.0, entities=None,
                 ids=None, global_features=(), visible=None, metrics=None, truncated=False,
                 end_of_episode_info=None):
        self.features = dict(features or {})
        self.ids = dict(ids or {})
        for name, given in (entities or {}).items():
            if given is None:
                continue
            if isinstance(given, tuple) and len(given) == 2:
                self.features[name], self.ids[name] = given
            else:
                self.features[name] = given
        self.global_features = global_features
        self.actions = actions or {}
        self.done = done
        self.reward = reward
        self.visible = visible or {}
        self.metrics = metrics or {}
        self.truncated = truncated
        self.end_of_episode_info = end_of_episode_info


class Environment(abc.ABC):
    """A game. Also looked at, where a game has them: seed(int) before each reset, save() -> what
    can be written as JSON, load(saved) -> Observation, and metric_names, the names of its metrics.
    """

    @abc.abstractmethod
    def obs_space(self):
        """-> ObsSpace"""

    @abc.abstractmethod
    def action_space(self):
        """-> {name: action space}"""

    @abc.abstractmethod
    def reset(self):
        """Begins an episode -> Observation"""

    @abc.abstractmethod
    def act(self, actions):
        """A step. actions: {name: action} of all that was offered -> Observation"""

    def render(self, **kwargs):
        raise NotImplementedError

    def close(self):
        pass
