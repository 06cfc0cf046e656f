"""Iterations that are proved to be independent, in loops of symbolic sizes, against all sizes.

Each draw is a parallel loop, maybe in a serial one.  Its statements store or load elements of one
buffer, in inner loops and under conditions whose bounds depend on the size n, on sizes derived from
it, and on outer variables.  The oracle runs all iterations for small n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FloatAttr, MemRefType, f32
from xdsl.ir import Block, Region, SSAValue

from tilewright.analysis.bounds.independence import find_clash
from tilewright.dialects.loop import (
    AllocOp,
    CompareOp,
    ForOp,
    IfOp,
    IndexOp,
    LoadOp,
    SizeOp,
    StoreOp,
    YieldOp,
    make_loop_body,
)
from tilewright.dialects.shape import Dim
from tilewright.support.affine import Index, Key, constant, divide, unknown_range, variable

from .random_expressions import SEEDS, draws, evaluate

NUMBERS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 13)
"""The values of n."""

Values = Mapping[Key, int]
Names = Mapping[Key, SSAValue]


def named(index: Index, keys: Names) -> Index:
    """Return an expression over values in the places of names."""
    return index.substitute({k: variable(v) for k, v in keys.items()}, unknown_range)


@dataclass(frozen=True)
class Statement:
    """A store or load at a position, in a loop from lows to highs, where a condition holds.

    condition: an expression that is less than 0; None for no condition.
    """

    is_store: bool
    position: Index
    low: Index
    highs: Sequence[Index]
    condition: Index | None

    def touched(self, values: Values) -> Iterator[int]:
        """Yield the positions of one iteration of the parallel loop."""
        ends = [evaluate(high, values) for high in self.highs]
        for i in range(evaluate(self.low, values), min(ends)):
            inside = {**values, "%i": i}
            if self.condition is None or evaluate(self.condition, inside) < 0:
                yield evaluate(self.position, inside)

    def add_to(self, block: Block, buffer: SSAValue, value: SSAValue, keys: Names) -> None:
        """Add the statement to the body of the parallel loop."""
        inner = make_loop_body()
        around = ForOp.make(
            [named(self.low, keys)], [named(e, keys) for e in self.highs], Region(inner)
        )
        block.add_op(around)
        keys = {**keys, "%i": around.variable}
        where = inner
        if self.condition is not None:
            index, zero = IndexOp.make(named(self.condition, keys)), IndexOp.make(constant(0))
            test = CompareOp.make("slt", index.res, zero.res)
            where = Block()
            inner.add_ops([index, zero, test, IfOp(operands=[test.res], regions=[Region(where)])])
        position = [named(self.position, keys)]
        if self.is_store:
            where.add_op(StoreOp.make(value, buffer, position))
        else:
            where.add_op(LoadOp.make(buffer, position, f32))
        for each in {where, inner}:
            each.add_op(YieldOp.create())


@dataclass(frozen=True)
class Program:
    """A parallel loop over %p, in a serial one over %o.  sizes: the values that depend on n."""

    sizes: Mapping[Key, Dim]
    low: Index
    high: Index
    outer: int
    statements: Sequence[Statement]

    def built(self) -> ForOp:
        """Return the parallel loop."""
        start, middle, inside = Block(), make_loop_body(), make_loop_body()
        buffer, value = AllocOp.make(MemRefType(f32, [4096])), ConstantOp(FloatAttr(0.0, f32))
        sizes = {name: SizeOp(size) for name, size in self.sizes.items()}
        start.add_ops([buffer, value, *sizes.values()])
        outer = ForOp.make(0, self.outer, Region(middle))
        start.add_op(outer)
        keys = {name: op.res for name, op in sizes.items()} | {"%o": outer.variable}
        ends = [named(end, keys) for end in (self.low, self.high)]
        found = ForOp.make(ends[:1], ends[1:], Region(inside), kind="parallel")
        middle.add_ops([found, YieldOp.create()])
        keys["%p"] = found.variable
        for each in self.statements:
            each.add_to(inside, buffer.res, value.result, keys)
        inside.add_op(YieldOp.create())
        return found

    def has_clash(self, n: int) -> bool:
        """Return whether two iterations touch one element, and one of them writes it."""
        values: dict[Key, int] = {
            name: size.evaluate({"n": n}) for name, size in self.sizes.items()
        }
        for outer in range(self.outer):
            values["%o"] = outer
            writers: dict[int, set[int]] = {}
            readers: dict[int, set[int]] = {}
            for p in range(evaluate(self.low, values), evaluate(self.high, values)):
                for each in self.statements:
                    touching = writers if each.is_store else readers
                    for position in each.touched({**values, "%p": p}):
                        touching.setdefault(position, set()).add(p)
            if any(len(found | readers.get(x, found)) > 1 for x, found in writers.items()):
                return True
        return False


def random_program(rng: Random) -> Program:
    """Return a program whose statements touch tiles of a few positions, or remainders of them."""
    n, size = Dim.sym("n"), rng.choice([2, 3, 4, 6])
    full, tiles = n // size, n.ceildiv(size)
    larger = (n - tiles * (size - 1)).max(0).min(tiles)  # tiles of the larger of two near sizes
    derived = [full, tiles, full * size, n % size, (n + 1) // 2, n - full * (size - 1), larger]
    derived += [(n - 3).max(0), n.min(size + 2), larger * size]
    sizes: dict[Key, Dim] = {"%n": n, "%s": rng.choice(derived), "%r": full * size}
    p, i, tile = variable("%p"), variable("%i"), variable("%p") * size
    names = [variable("%n"), variable("%s")]
    places: list[tuple[Index, Index, list[Index]]] = [
        (tile + i, constant(0), [constant(size)]),
        (tile + i, constant(0), [constant(size), variable("%n") - tile]),
        (i, tile, [tile + size]),
        (i, tile, [tile + size, variable("%n")]),
        (i + variable("%r"), p, [variable("%n") - variable("%r"), p + 1]),
        (p + variable("%r"), constant(0), [variable("%n") - variable("%r") - p]),
        (p + i, constant(0), [constant(1)]),
        (i * size + p, constant(0), [constant(2)]),
        (i * rng.choice([1, 2]) + rng.choice(names), p, [p + rng.choice([1, 2])]),
    ]  # fmt: skip

    def statement(is_store: bool, place: tuple[Index, Index, list[Index]]) -> Statement:
        position, low, highs = place
        draw = rng.random()
        if draw < 0.2:
            kind = rng.choice(["floordiv", "mod"])
            inner = position if rng.random() < 0.5 else i
            part = divide("mod" if kind == "mod" else "floordiv", inner, size, unknown_range)
            position = position + part * rng.choice([1, -1, size])
        elif draw < 0.3:
            position = position * rng.choice([2, -1]) + variable("%o") * rng.choice([1, 3])
        elif draw < 0.4:
            position = position + rng.choice([1, -1, size])
        condition = None
        if rng.random() < 0.25:
            condition = rng.choice([position, i, p]) - rng.choice([*names, constant(3)])
        return Statement(is_store, position, low, highs, condition)

    chosen = rng.choice(places)
    statements = [statement(True, chosen)]
    for _ in range(rng.choice([0, 1, 1, 2])):
        again = rng.random() < 0.5
        statements.append(statement(rng.random() < 0.4, chosen if again else rng.choice(places)))
    low, high = constant(rng.choice([0, 0, 1])), rng.choice([*names, constant(4)])
    return Program(sizes, low, high, rng.choice([1, 1, 2]), statements)


def compare_with_all_sizes(seed: int, numbers: range) -> tuple[int, int]:
    """Return the numbers of independent loops and of proofs; assert that no proof is wrong."""
    rng, independent, proved = Random(seed), 0, 0
    for _ in numbers:
        program = random_program(rng)
        is_proved = find_clash(program.built()) is None
        clashes = any(map(program.has_clash, NUMBERS))
        assert not (is_proved and clashes), program
        independent, proved = independent + (not clashes), proved + is_proved
    return independent, proved


@pytest.mark.parametrize("seed", SEEDS)
def test_no_proof_about_symbolic_loops_is_wrong(seed: int) -> None:
    independent, proved = compare_with_all_sizes(seed + 1, draws(300))
    assert proved > 0.6 * independent > 20
