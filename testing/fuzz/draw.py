"""Random choices that are the same on every machine and with every version of numpy.

All draws are integer arithmetic on the raw words of a Philox generator whose key is the digest of
a text, without a library's distributions and without logarithms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from inspect import isfunction, signature
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")

AWKWARD = (
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 97, 101, 127, 131,
    197, 251, 257, 331, 509, 521, 769, 1021, 1031, 1499, 2039, 2053, 3001, 4093, 4099,
)  # fmt: skip
"""Primes, many of them next to a multiple of a vector length."""

USUAL = (
    10, 12, 14, 20, 24, 28, 40, 48, 49, 50, 56, 72, 77, 80, 96, 100, 112, 125, 144, 160, 192, 196,
    224, 240, 250, 288, 300, 320, 333, 375, 384, 400, 448, 480, 500, 576, 577, 600, 640, 672, 750,
    768, 960, 1000, 1152, 1280, 1500, 1536, 2000, 2304, 3000, 3072,
)  # fmt: skip
"""Sizes that occur in networks and are not powers of two."""

_WORDS = 256


def functions_of(module: ModuleType, parameter: str) -> dict[str, Callable[..., Any]]:
    """Return by name the public functions that a module defines with only this parameter."""
    return {
        name: member
        for name, member in vars(module).items()
        if isfunction(member)
        and member.__module__ == module.__name__
        and not name.startswith("_")
        and [*signature(member).parameters] == [parameter]
    }


class Draw:
    """A stream of random choices that a text, such as a family and a seed, determines."""

    def __init__(self, text: str) -> None:
        key = np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], "<u8")
        self._bits = np.random.Philox(key=key)
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            self._words = self._bits.random_raw(_WORDS).tolist()
        return self._words.pop()

    def integer(self, low: int, high: int) -> int:
        """Return a random integer from ``low`` to ``high``, both included."""
        return low + self._word() % (high - low + 1)

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self._word() < probability * 2.0**64

    def one(self, *items: T) -> T:
        """Return a random one of the items; an item that is passed twice is twice as likely."""
        return items[self._word() % len(items)]

    def some(self, items: Sequence[T], probability: float = 0.5) -> list[T]:
        """Return a random subsequence of items, with at least one item.

        probability: the probability of each item.
        """
        return [item for item in items if self.chance(probability)] or [self.one(*items)]

    def permutation(self, count: int) -> list[int]:
        """Return the integers from 0 to ``count - 1`` in random order."""
        rest = list(range(count))
        return [rest.pop(self._word() % len(rest)) for _ in range(count)]

    def size(self, most: int, least: int = 1) -> int:
        """Return a random size from ``least`` to ``most``.

        First draw the kind of size: one that kernels handle badly, one that models use, a small
        one, one at or near a power of two, or one of any magnitude.
        """
        kind = self.integer(0, 5)
        bits = self.integer(0, most.bit_length() - 1)
        drawn = (
            self.one(*AWKWARD),
            self.one(*USUAL),
            self.integer(1, 9),
            1 << bits,
            (1 << bits) + self.one(-1, 1),
            (1 << bits) + self._word() % (1 << bits),
        )[kind]
        return drawn if least <= drawn <= most else least + drawn % (most - least + 1)

    def shape(self, rank: int, most_elements: float) -> list[int]:
        """Return the sizes of a tensor with at most ``most_elements`` elements."""
        each = {1: 100_000, 2: 4096, 3: 1024, 4: 256}.get(rank, 64)
        return self.fitting(
            lambda: [self.size(each) for _ in range(rank)],
            lambda sizes: float(np.prod(sizes, dtype=np.float64)),
            most_elements,
        )

    def fitting(self, make: Callable[[], T], cost: Callable[[T], float], most: float) -> T:
        """Draw many times; return the first result that costs at most ``most``, else the cheapest.

        make: draws once.  cost: the cost of a result.
        """
        draws: list[tuple[float, T]] = []
        for _ in range(300):
            drawn = make()
            draws.append((cost(drawn), drawn))
            if draws[-1][0] <= most:
                return drawn
        return min(draws, key=lambda pair: pair[0])[1]

    def uniform(self, shape: Sequence[int], low: float = -1.0, high: float = 1.0) -> Array:
        """Return an array of random f32 numbers from ``low`` to ``high``.

        Their steps are 2**-24 of the range.
        """
        words = self._raw(shape) >> np.uint64(40)
        unit = words.astype(np.float32) * np.float32(2**-24)
        return np.float32(low) + unit * np.float32(high - low)

    def integers(self, shape: Sequence[int], low: int, high: int) -> Array:
        """Return an array of random int64 numbers from ``low`` to ``high``, both included."""
        words = (self._raw(shape) >> np.uint64(1)).astype(np.int64)
        return low + words % (high - low + 1)

    def _raw(self, shape: Sequence[int]) -> Array:
        count = int(np.prod(shape, dtype=np.int64))
        return np.asarray(self._bits.random_raw(count), np.uint64).reshape(shape)
