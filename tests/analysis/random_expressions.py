"""Random sizes, index expressions and loop nests, and their values by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from xdsl.ir import Block, Region

from tilewright.dialects.loop import ForOp, YieldOp, make_loop_body
from tilewright.dialects.shape import Dim
from tilewright.support.affine import Atom, Index, Key, RangeOf, constant, divide, variable

from ..sweeps import NIGHTLY

NIGHTLY_DRAWS = 5_000
"""Draws of one seed by night."""

SEEDS = [pytest.param(n, marks=[pytest.mark.nightly] * (n > 0)) for n in range(20)]
"""Seeds of each sweep: by night 20, of 100,000 draws in all; by day one, of a small sample."""

SIZES: tuple[Mapping[str, int], ...] = tuple(
    {"n": n, "m": m, "u0": u}
    for n, m, u in itertools.product((1, 2, 3, 5, 8, 17), (1, 2, 3, 4, 9, 16), (0, 1, 2, 7))
)
"""Values of the sizes at which expressions are evaluated; u0 may be 0, the others may not."""


def draws(count: int) -> range:
    """Return the numbers of the draws of one seed; ``count`` is the size of the daily sample."""
    return range(NIGHTLY_DRAWS if NIGHTLY else count)


def random_size(rng: Random, depth: int) -> Dim:
    """Return a size with quotients, remainders and extrema of up to ``depth`` levels."""
    if not depth or rng.random() < 0.25:
        symbols = [Dim.sym("n"), Dim.sym("m"), Dim.sym("u0")]
        return rng.choice([*symbols, Dim.const(rng.randint(-3, 8))])
    size, divisor = random_size(rng, depth - 1), rng.choice([2, 3, 4, 8])
    symbolic = rng.choice([Dim.sym("n"), Dim.sym("m") + 1])
    other: Callable[[], Dim] = lambda: random_size(rng, depth - 1)  # noqa: E731
    operations: list[Callable[[], Dim]] = [
        lambda: size + other(),
        lambda: size - other(),
        lambda: size * (other() if depth < 2 else Dim.sym("m")),
        lambda: size * rng.choice([2, 3, -1, -2, 4]),
        lambda: size // divisor,
        lambda: size % divisor,
        lambda: size // symbolic,
        lambda: size % symbolic,
        lambda: size.min(other()),
        lambda: size.max(other()),
    ]
    return rng.choice(operations)()


def random_index(rng: Random, keys: Sequence[Key], range_of: RangeOf, depth: int = 2) -> Index:
    """Return an expression over some keys, with quotients and remainders by numbers."""
    total = constant(rng.choice([0, 0, 1, -1, 3, 7]))
    for _ in range(rng.randint(1, 3) if keys else 0):
        term = variable(rng.choice(keys))
        if depth and rng.random() < 0.4:
            inner = random_index(rng, keys, range_of, depth - 1)
            kind = "floordiv" if rng.random() < 0.5 else "mod"
            term = divide(kind, inner, rng.choice([2, 3, 4, 8]), range_of)
        total = total + term * rng.choice([1, 1, 2, -1, -2, 4, 8, -3])
    return total


def evaluate(index: Index, values: Mapping[Key, int]) -> int:
    """Return the value of an expression."""
    total = index.const
    for key, factor in index.terms.items():
        if isinstance(key, Atom):
            inner = evaluate(key.operand, values)
            value = inner // key.divisor if key.kind == "floordiv" else inner % key.divisor
        else:
            value = values[key]
        total += value * factor
    return total


@dataclass(frozen=True)
class Nest:
    """Nested loops, outermost first, whose bounds depend on the variables of outer loops."""

    loops: Sequence[ForOp]
    bounds: Sequence[tuple[Sequence[Index], Sequence[Index]]]

    def points(self) -> list[dict[Key, int]]:
        """Return the values of the variables in every iteration."""
        return list(self._points(0, {}))

    def _points(self, depth: int, values: dict[Key, int]) -> Iterator[dict[Key, int]]:
        if depth == len(self.loops):
            yield dict(values)
            return
        lows, highs = self.bounds[depth]
        first = max(evaluate(low, values) for low in lows)
        for number in range(first, min(evaluate(high, values) for high in highs)):
            yield from self._points(depth + 1, {**values, self.loops[depth].variable: number})


def random_nest(rng: Random, range_of: RangeOf, enter: Callable[[ForOp], bool]) -> Nest | None:
    """Return one to three nested loops; None if ``enter`` says that one of them never runs."""
    loops: list[ForOp] = []
    bounds: list[tuple[list[Index], list[Index]]] = []
    block = Block()
    for _ in range(rng.randint(1, 3)):
        keys = [op.variable for op in loops]
        depends = keys and rng.random() < 0.4
        start = random_index(rng, keys, range_of, 1) if depends else constant(rng.randint(0, 3))
        ends = [constant(rng.randint(1, 9))]
        if keys and rng.random() < 0.7:
            ends.append(random_index(rng, keys, range_of, 1))
        body = make_loop_body()
        body.add_op(YieldOp.create())
        op = ForOp.make([start], ends, Region(body))
        block.insert_op_before(op, block.last_op) if block.last_op else block.add_op(op)
        block = body
        loops.append(op)
        bounds.append(([start], ends))
        if not enter(op):
            assert not Nest(loops, bounds).points(), "a loop that never runs has no iteration"
            return None
    return Nest(loops, bounds)
