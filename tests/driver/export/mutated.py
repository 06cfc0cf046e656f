"""The worker process of test_damaged.py: load damaged files, and run those that load."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError


def attempts(folder: str, name: str, seed: int, count: int, x: np.ndarray) -> dict[str, int]:
    """Damage copies of a module's files; return how many of them load, with verify or without.

    A byte is changed, or the file is cut off, or two blocks of it are exchanged.
    """
    rng, path = np.random.default_rng(seed), Path(folder)
    originals = {file.name: file.read_bytes() for file in path.iterdir()}
    sizes = np.array([len(data) for data in originals.values()])
    found = {"verified": 0, "loaded": 0, "refused": 0}
    for _ in range(count):
        chosen = str(rng.choice([*originals], p=sizes / sizes.sum()))
        (path / chosen).write_bytes(_damaged(originals[chosen], rng))
        for verify in (True, False):
            try:
                np.array(load_module(path / name, verify=verify)(x))
                found["verified" if verify else "loaded"] += 1
            except LoadError:
                found["refused"] += 1
        (path / chosen).write_bytes(originals[chosen])
    return found


def _damaged(data: bytes, rng: np.random.Generator) -> bytes:
    made = bytearray(data)
    while bytes(made) == data:
        kind, at = rng.integers(4), int(rng.integers(len(data)))
        if kind == 0:
            del made[at:]
        elif kind == 1:
            block = int(rng.integers(1, 512))
            other = int(rng.integers(len(data)))
            size = min(block, len(data) - max(at, other))
            made[at : at + size], made[other : other + size] = (
                data[other : other + size],
                data[at : at + size],
            )
        else:
            made[at] = int(rng.integers(256))
    return bytes(made)
