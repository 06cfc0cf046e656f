"""Op cases of random bits."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import RandomBitsOp

from .case import Array, Input, OpCase, Reference

WORDS = 2**32


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Return a block of four words by the rounds of the paper, on Python integers."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        high, low = divmod(0xCD9E8D57 * c, WORDS)
        up, down = divmod(0xD2511F53 * a, WORDS)
        a, b, c, d = high ^ b ^ k, low, up ^ d ^ m, down
        k, m = (k + 0x9E3779B9) % WORDS, (m + 0xBB67AE85) % WORDS
    return [a, b, c, d]


def _expected(*shape: int) -> Reference:
    def run(key: Array, counter: Array) -> Array:
        words: list[int] = []
        low, high, *rest = (int(c) for c in counter)
        for block in range(int(np.prod(shape)) // 4 + 1):
            over, start = divmod(low + block, WORDS)
            words += philox([start, (high + over) % WORDS, *rest], [int(k) for k in key])
        return np.array(words[: int(np.prod(shape))], np.uint32).reshape(shape)

    return run


def random_cases() -> list[OpCase]:
    """Return words of whole and partial blocks."""
    ins = (Input("uint32", (2,), 0, WORDS - 1), Input("uint32", (4,), 0, WORDS - 1))
    return [
        OpCase(
            f"random_bits_{'x'.join(map(str, shape))}",
            lambda k, c, shape=shape: RandomBitsOp(k, c, shape),
            ins,
            _expected(*shape),
        )
        for shape in ((3, 7), (64,))
    ]
