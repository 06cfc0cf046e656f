"""Reference semantics of random bits, from the definition of Philox4x32-10."""

from __future__ import annotations

from math import prod

import numpy as np

from ...dialects.graph import RandomBitsOp
from ..scalar import Array
from .context import Evaluator, Sizes, result_shape

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def philox(counter: Array, key: Array) -> Array:
    """Return the Philox blocks (n, 4) of counters (n, 4) and a key (2,), as uint64."""
    words = [counter[:, n].astype(np.uint64) for n in range(4)]
    keys = [int(k) for k in key]
    for _ in range(ROUNDS):
        first = words[0] * np.uint64(MULTIPLIERS[0])
        second = words[2] * np.uint64(MULTIPLIERS[1])
        words = [
            (second >> HALF) ^ words[1] ^ np.uint64(keys[0]),
            second & LOW,
            (first >> HALF) ^ words[3] ^ np.uint64(keys[1]),
            first & LOW,
        ]
        keys = [(k + step) % 2**32 for k, step in zip(keys, KEY_STEPS, strict=True)]
    return np.stack(words, -1)


def random_bits(op: RandomBitsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.random_bits on the arrays of its operands; return the result."""
    key, counter = args
    shape = result_shape(op.out, sizes)
    blocks = -(-prod(shape) // 4)
    start = int(counter[0]) + (int(counter[1]) << 32)
    low = np.arange(blocks, dtype=np.uint64) + np.uint64(start)
    high = [np.full(blocks, word, np.uint64) for word in counter[2:]]
    words = philox(np.stack([low & LOW, low >> HALF, *high], -1), key)
    return (words.reshape(-1)[: prod(shape)].reshape(shape).astype(np.uint32),)


EVALUATORS: dict[type, Evaluator] = {RandomBitsOp: random_bits}
