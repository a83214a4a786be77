#!/usr/bin/env python3
"""Writes the networks of an enn-trainer checkpoint that are pickles as MessagePack.

    python3 enn_msgpack.py CHECKPOINT_FOLDER

Run it with the Python that has enn-trainer, and only on checkpoints that you trust: reading a
pickle runs whatever stands in it. state.agent.pickle becomes state.agent.msgpack, and likewise
state.value_function; state.ron then names these. Afterwards: orrery import CHECKPOINT_FOLDER
"""

import pickle
import sys
from pathlib import Path

import msgpack


def packed(tensors) -> bytes:
    out = {}
    for name, tensor in tensors.items():
        array = tensor.detach().cpu().numpy()
        if array.dtype.kind == "f":
            array = array.astype("<f4")
        else:
            array = array.astype("<i8")
        out[name] = {
            b"__tensor__": "torch",
            b"dtype": array.dtype.str,
            b"shape": list(array.shape),
            b"data": array.tobytes(),
        }
    return msgpack.packb(out)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    state = (folder / "state.ron").read_text()
    for part in ("agent", "value_function"):
        source = folder / f"state.{part}.pickle"
        if not source.exists():
            continue
        with source.open("rb") as file:
            tensors = pickle.load(file)
        (folder / f"state.{part}.msgpack").write_bytes(packed(tensors))
        for mark in ("<blob:pickle>", "<BLOB>"):
            state = state.replace(f'{part}: "{mark}"', f'{part}: "<blob:msgpack>"')
    (folder / "state.ron").write_text(state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
