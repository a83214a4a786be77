#!/usr/bin/env python3
"""Makes the files beside it once: a checkpoint and a sample file as enn-trainer leaves them.

    python3 -m venv /tmp/enn
    /tmp/enn/bin/pip install hyperstate==0.3.12 python-ron==0.2.5 msgpack-numpy typing_extensions \
        click 'dill<0.4' 'docstring-parser<0.14'
    /tmp/enn/bin/python make_enn_files.py

config.ron and state.ron are written by hyperstate, all else by msgpack and msgpack-numpy. No test
runs this. Numbers of parameters follow a formula that the tests know: parameter k (in the order
of the file), number i: ((37 k + 11 i) mod 101 - 50) / 512; a count is 8, squares are made positive.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional

import hyperstate
import msgpack
import msgpack_numpy
import numpy as np

HERE = Path(__file__).resolve().parent


# --- what a configuration and a state are -----------------------------------------------------


@dataclass
class EnvConfig:
    kwargs: str = "{}"
    id: str = "NotHotdog"
    validate: bool = True


@dataclass
class RogueNetConfig:
    embd_pdrop: float = 0.0
    resid_pdrop: float = 0.0
    attn_pdrop: float = 0.0
    n_layer: int = 1
    n_head: int = 2
    d_model: int = 8
    pooling: Optional[str] = None
    relpos_encoding: Optional[str] = None
    d_qk: int = 16
    translation: Optional[str] = None


@dataclass
class OptimizerConfig:
    lr: float = 0.003
    lr_warmup_steps: Optional[int] = None
    bs: int = 64
    weight_decay: float = 0.0
    micro_bs: Optional[int] = None
    anneal_lr: bool = True
    update_epochs: int = 3
    max_grad_norm: float = 2.0


@dataclass
class PPOConfig:
    gae: bool = True
    gamma: float = 0.99
    gae_lambda: float = 0.95
    norm_adv: bool = True
    clip_coef: float = 0.2
    clip_vloss: bool = True
    ent_coef: float = 0.1
    vf_coef: float = 0.5
    target_kl: Optional[float] = None
    anneal_entropy: bool = True


@dataclass
class RolloutConfig:
    steps: int = 1
    num_envs: int = 64
    processes: int = 4


@dataclass
class TrainConfig(hyperstate.Versioned):
    env: EnvConfig = field(default_factory=EnvConfig)
    net: RogueNetConfig = field(default_factory=RogueNetConfig)
    optim: OptimizerConfig = field(default_factory=OptimizerConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    eval: Optional[str] = None
    vf_net: Optional[RogueNetConfig] = None
    name: str = "hotdogs"
    seed: int = 7
    total_timesteps: int = 4096
    max_train_time: Optional[int] = None
    torch_deterministic: bool = True
    cuda: bool = True
    track: bool = False
    wandb_project_name: str = "enn-ppo"
    wandb_entity: str = "nobody"
    capture_samples: Optional[str] = None
    capture_logits: bool = False
    capture_samples_subsample: int = 1
    trial: Optional[int] = None
    data_dir: str = "."
    cuda_empty_cache: bool = False

    @classmethod
    def version(cls) -> int:
        return 4


@dataclass
class Entity:
    features: List[str]


@dataclass
class CategoricalActionSpace:
    index_to_label: List[str]


@dataclass
class ObsSpace:
    global_features: List[str]
    entities: Dict[str, Entity]


@dataclass
class State:
    step: int
    restart: int
    next_eval_step: Optional[int]
    agent: str
    value_function: Optional[str]
    optimizer: str
    vf_optimizer: Optional[str]
    obs_space: Any
    action_space: Any


def named(value: Any) -> Any:
    """Dataclasses inside maps, which hyperstate 0.3 leaves to its caller."""
    return hyperstate.serde.asdict(value, named_tuples=True)


OBS = ObsSpace(
    global_features=[],
    entities={
        "Player": named(Entity(["step"])),
        "Object": named(Entity(["is_hotdog"])),
        "Hotdog": named(Entity([])),
    },
)
ACTIONS = {
    "classify": named(CategoricalActionSpace(["hotdog", "not_hotdog"])),
    "unused_action": named(CategoricalActionSpace(["0", "1"])),
}


# --- the checkpoint ---------------------------------------------------------------------------


def shapes(d: int) -> Dict[str, tuple]:
    all: Dict[str, tuple] = {}
    for name in ("Player", "Object"):
        e = f"embedding.embeddings.{name}."
        all[e + "0.count"] = ()
        all[e + "0.mean"] = (1,)
        all[e + "0.squares_sum"] = (1,)
        all[e + "1.weight"] = (d, 1)
        all[e + "1.bias"] = (d,)
        all[e + "3.weight"] = (d,)
        all[e + "3.bias"] = (d,)
    all["embedding.embeddings.Hotdog.embedding"] = (1, d)
    b = "backbone.blocks.0."
    for ln in ("ln1", "ln2"):
        all[b + ln + ".weight"] = (d,)
        all[b + ln + ".bias"] = (d,)
    for part in ("key", "query", "value", "proj"):
        all[b + f"attn.{part}.weight"] = (d, d)
        all[b + f"attn.{part}.bias"] = (d,)
    all[b + "mlp.0.weight"] = (4 * d, d)
    all[b + "mlp.0.bias"] = (4 * d,)
    all[b + "mlp.2.weight"] = (d, 4 * d)
    all[b + "mlp.2.bias"] = (d,)
    for action in ("classify", "unused_action"):
        all[f"action_heads.{action}.proj.weight"] = (2, d)
        all[f"action_heads.{action}.proj.bias"] = (2,)
    all["auxiliary_heads.value.weight"] = (1, d)
    all["auxiliary_heads.value.bias"] = (1,)
    return all


def tensor(k: int, name: str, shape: tuple) -> Dict[bytes, Any]:
    if name.endswith(".count"):
        array = np.array(8, dtype=np.float32)
    else:
        i = np.arange(int(np.prod(shape)), dtype=np.int64)
        array = (((37 * k + 11 * i) % 101 - 50) / 512).astype(np.float32).reshape(shape)
        if name.endswith(".squares_sum"):
            array = np.abs(array) + np.float32(1)
    return {
        b"__tensor__": "torch",
        b"dtype": array.dtype.str,
        b"shape": list(array.shape),
        b"data": array.tobytes(),
    }


def make_checkpoint() -> None:
    folder = HERE / "latest-step000000002048"
    folder.mkdir(exist_ok=True)
    hyperstate.dump(TrainConfig(), folder / "config.ron")
    hyperstate.dump(
        State(2048, 0, None, "<blob:msgpack>", None, "<blob:msgpack>", None, OBS, ACTIONS),
        folder / "state.ron",
    )
    state = {name: tensor(k, name, s) for k, (name, s) in enumerate(shapes(8).items())}
    (folder / "state.agent.msgpack").write_bytes(msgpack.packb(state))


# --- the sample file --------------------------------------------------------------------------


@dataclass
class VecCategoricalActionMask:
    actors: Any
    mask: Any


@dataclass
class VecSelectEntityActionMask:
    actors: Any
    actees: Any


class GlobalCategoricalActionSpace:
    def __init__(self, index_to_label: List[str]) -> None:
        self.index_to_label = index_to_label


class SelectEntityActionSpace:
    pass


@dataclass
class VecObs:
    features: Any
    visible: Any
    action_masks: Any
    reward: Any
    done: Any
    metrics: Any


@dataclass
class Ragged:
    """Stands for a ragged buffer: items one below the other, and how many each sequence has."""

    flattened: np.ndarray
    lengths: np.ndarray


def ragged(dtype: Any, width: int, *sequences: list) -> Ragged:
    rows = [row for sequence in sequences for row in sequence]
    return Ragged(
        np.array(rows, dtype=dtype).reshape(len(rows), width),
        np.array([len(s) for s in sequences], dtype=np.int64),
    )


def encode(value: Any) -> Any:
    if isinstance(value, Ragged):
        return {
            "__flattened__": msgpack_numpy.encode(value.flattened),
            "__lengths__": msgpack_numpy.encode(value.lengths),
        }
    if hasattr(value, "__dict__"):
        return {"__classname__": value.__class__.__name__, "data": vars(value)}
    return value


def pack(value: Any) -> bytes:
    data = msgpack_numpy.dumps(value, default=encode)
    return np.uint64(len(data)).tobytes() + data


def make_samples() -> None:
    """Two mine fields over three steps; the second one's episode ends behind the second step."""
    f4, i8 = np.float32, np.int64
    out = np.uint64(1).tobytes() + pack(
        {
            "act_space": {
                "Move": CategoricalActionSpace(["Up", "Down"]),
                "Fire": SelectEntityActionSpace(),
                "Wait": GlobalCategoricalActionSpace(["no", "yes"]),
            },
            "obs_space": ObsSpace(
                ["time"], {"Mine": Entity(["x", "y"]), "Robot": Entity(["x", "y"])}
            ),
            "subsample": 1,
        }
    )
    for t in range(3):
        mines = [[[0, 1], [2, 3]], [[1, 1]]] if t < 2 else [[[0, 1], [2, 3]], [[5, 0.5], [3, 3]]]
        robots = [[[t, 0.25]], []]
        obs = VecObs(
            features={
                "Mine": ragged(f4, 2, *mines),
                "Robot": ragged(f4, 2, *robots),
                "__global__": ragged(f4, 1, [[t]], [[t % 2]]),
            },
            visible={"Mine": ragged(np.bool_, 1, *[[[m[0] > 0] for m in s] for s in mines])}
            if t == 1
            else {},
            action_masks={
                "Move": VecCategoricalActionMask(
                    ragged(i8, 1, [[2]], []),
                    ragged(np.bool_, 2, [[True, t == 0]], []) if t < 2 else None,
                ),
                "Fire": VecSelectEntityActionMask(
                    ragged(i8, 1, [[2]], []), ragged(i8, 1, [[0], [1]], [])
                ),
                "Wait": VecCategoricalActionMask(
                    ragged(i8, 1, [[3]], [[len(mines[1])]]), None
                ),
            },
            reward=np.array([0.5 * t, 1 if t == 2 else 0], dtype=f4),
            done=np.array([t == 0, t != 1]),
            metrics={},
        )
        sample = {
            "obs": obs,
            "step": [t, t if t < 2 else 0],
            "episode": [0, 1 if t < 2 else 2],
            "actions": {
                "Move": ragged(i8, 1, [[0]], []),
                "Fire": ragged(i8, 1, [[t % 2]], []),
                "Wait": ragged(i8, 1, [[1]], [[0]]),
            },
            "probs": {
                "Move": ragged(f4, 1, [[-0.5 - t]], []),
                "Fire": ragged(f4, 1, [[-0.25]], []),
                "Wait": ragged(f4, 1, [[-0.75]], [[-1.5]]),
            },
            "logits": {
                "Move": ragged(f4, 2, [[-0.5 - t, -np.inf if t else -1.0]], []),
                "Fire": ragged(f4, 2, [[-0.25, -1.5]], []),
                "Wait": ragged(f4, 2, [[-0.625, -0.75]], [[-1.5, -0.25]]),
            }
            if t == 2
            else None,
        }
        out += pack(sample)
    (HERE / "three_steps.samples").write_bytes(out)


make_checkpoint()
make_samples()
