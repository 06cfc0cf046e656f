"""Loops whose iterations the interpreters of rows and threads run at once.

    loop.for %k = 0 to 16 iter_args(%sum = %zero) {
      %x = loop.load %a[%k, %ty]          once, for all iterations: an array (16, threads)
      %y = loop.load %b[%k, %tx]
      %next = math.fma %x, %y, %sum       16 times, each time for one row of both arrays
      loop.yield %next
    }

In: a loop.for.  Out: its ops in two groups, or None if the loop must run iteration by iteration.
Values of the first group get a further axis, the first, with one element per iteration.  Memory
that the loop stores is not loaded in the loop, so the order of loads and stores does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from .memory import Array
from .row_code import Code, Values

_MOST_ELEMENTS = 1 << 19
"""The most elements of all values of one op in the iterations that run at once."""
_FREE_OPS: tuple[type[Operation], ...] = (
    arith.ConstantOp,
    loop.LoadOp,
    loop.StoreOp,
    loop.ForOp,
    loop.IndexOp,
    loop.SizeOp,
    loop.PrefetchOp,
    loop.BroadcastOp,
    loop.CastOp,
    loop.CompareOp,
    loop.SelectOp,
    loop.ExtractOp,
    loop.PackOp,
    loop.RepeatOp,
    loop.SliceOp,
    loop.JoinOp,
    loop.KeepLanesOp,
    loop.ReduceOp,
    loop.ReduceRowsOp,
)


class NarrowLoop(Exception):
    """The loops around an access must run iteration by iteration, for example to raise an error."""


class WideRun(Protocol):
    """The interface of the run of a block for all rows, which a loop uses.

    size: the number of rows.  depth: the number of loops around the op whose iterations all run at
    once.
    """

    size: int
    depth: int

    @property
    def values(self) -> Values:
        """The SSA values of the run."""
        ...

    def code_of(self, op: Operation) -> Code:
        """Return a function that runs an op for all rows."""
        ...


@dataclass(frozen=True)
class WideLoop:
    """The ops of a loop in two groups.

    free: the ops that do not depend on the values that iterations pass on.  products: multiply-adds
    of f32 that only add a product of free values to a value that the loop passes on; all of them
    run at once.  chain: all other ops, which run iteration by iteration.  inputs: the values that
    the ops of the chain read and the free ops compute.
    """

    op: loop.ForOp
    free: Sequence[Operation]
    products: Sequence[math.FmaOp]
    chain: Sequence[Operation]
    inputs: Sequence[SSAValue]

    def run(self, run: WideRun, low: int, high: int, carried: list[Array]) -> list[Array]:
        """Run the iterations from ``low`` to ``high``; return the values that the last one yields.

        carried: the initial values.
        Errors: NarrowLoop if an access is outside of its buffer.
        """
        codes = [run.code_of(op) for op in self.free]
        chain = [run.code_of(op) for op in self.chain]
        lanes = max((prod(_lanes(v.type)) for op in self.free for v in op.results), default=1)
        count = max(1, _MOST_ELEMENTS // (run.size * lanes * max(1, len(self.products))))
        for first in range(low, high, count):
            numbers = np.arange(first, min(first + count, high), dtype=np.int64)
            run.depth += 1
            try:
                run.values[self.op.variable] = numbers.reshape(-1, *[1] * run.depth)
                for code in codes:
                    code()
            finally:
                run.depth -= 1
            carried = self._run_chain(run, chain, numbers, carried)
        return carried

    def _run_chain(
        self, run: WideRun, codes: Sequence[Code], numbers: Array, carried: list[Array]
    ) -> list[Array]:
        """Run the ops that depend on passed values; return the values after the last iteration.

        codes: the functions that run the ops of the chain.  numbers: the iterations.
        """
        values, block = run.values, self.op.body.block
        yielded = cast(loop.YieldOp, block.last_op).operands
        wide = [(v, each) for v in self.inputs if (each := _by_iteration(run, v)) is not None]
        if not codes:
            sums = self._sums(run, len(numbers), carried)
            values.update((v, each[-1]) for v, each in wide)
            return [sums[v] if v in sums else np.asarray(values[v]) for v in yielded]
        for i, number in enumerate(numbers):
            values[self.op.variable] = np.asarray(number)
            values.update((v, each[i]) for v, each in wide)
            values.update(zip(block.args[1:], carried, strict=True))
            for code in codes:
                code()
            carried = [np.asarray(values[v]) for v in yielded]
        return carried

    def _sums(self, run: WideRun, trips: int, carried: Sequence[Array]) -> dict[SSAValue, Array]:
        """Add the products to the passed values, in order, and round every sum to f32.

        trips: the number of iterations.  Return the last sum of each multiply-add.
        """
        arguments, found = self.op.body.block.args[1:], dict[SSAValue, Array]()
        for type_ in {op.results[0].type for op in self.products}:
            group = [op for op in self.products if op.results[0].type == type_]
            sums = [carried[arguments.index(op.c)] for op in group]
            axes = run.depth + 2 + len(_lanes(type_))
            terms = [_product(run, op, axes) for op in group]
            shape = np.broadcast_shapes(*(x.shape for x in sums), *(x.shape[1:] for x in terms))
            total = np.stack([np.broadcast_to(x, shape) for x in sums])
            shape = trips, *shape
            for each in np.stack([np.broadcast_to(x, shape) for x in terms], axis=1):
                total = np.add(each, total).astype(np.float32)
            found.update((op.results[0], x) for op, x in zip(group, total, strict=True))
        return found


def _product(run: WideRun, op: math.FmaOp, axes: int) -> Array:
    """Return the product of a multiply-add in f64, where it is exact, with this number of axes."""
    lhs, rhs = (np.asarray(run.values[v]) for v in (op.a, op.b))
    product = np.multiply(lhs, rhs, dtype=np.float64)
    return product[(None,) * (axes - product.ndim)]


def _by_iteration(run: WideRun, value: SSAValue) -> Array | None:
    """Return the array of a value with one element per iteration; None if all are equal."""
    array = np.asarray(run.values[value])
    return array if array.ndim == run.depth + 2 + len(_lanes(value.type)) else None


def _lanes(type_: object) -> tuple[int, ...]:
    return type_.get_shape() if isinstance(type_, VectorType) else ()


def wide_loop(op: loop.ForOp) -> WideLoop | None:
    """Return the two groups of ops of a loop; None if its iterations must run one by one."""
    block = op.body.block
    body = [each for each in block.ops if not isinstance(each, loop.YieldOp)]
    bound: set[SSAValue] = set(block.args[1:])
    free: list[Operation] = []
    chain: list[Operation] = []
    for each in body:
        is_bound = any(v in bound for inner in each.walk() for v in inner.operands)
        (chain if is_bound else free).append(each)
        if is_bound:
            bound.update(each.results)
    if not free or not all(map(_is_free, free)) or not _memory_is_apart(free, chain):
        return None
    yielded = cast(loop.YieldOp, block.last_op).operands
    if any(v in block.args for v in yielded):
        return None
    products = [
        each
        for each in chain
        if isinstance(each, math.FmaOp) and _is_sum_of_products(each, op, bound)
    ]
    if len(products) < len(chain):
        products = []
    rest = [each for each in chain if each not in products]
    made = {v for each in free for v in each.results}
    read = {v for each in rest for inner in each.walk() for v in inner.operands if v in made}
    read.update(v for v in yielded if v in made)
    if rest and any(v in made for v in yielded):
        return None
    return WideLoop(op, free, products, rest, list(read))


def _is_free(op: Operation) -> bool:
    """Return whether one run of an op can serve all iterations of a loop around it."""
    if isinstance(op, loop.LoadOp | loop.StoreOp):
        is_plain = op.rows is None and op.lanes is None
        return is_plain and not (isinstance(op, loop.StoreOp) and op.clip_ranges())
    if isinstance(op, loop.ForOp):
        is_fixed = not op.syms and all(
            isinstance(each, loop.YieldOp) or _is_free(each) for each in op.body.block.ops
        )
        return is_fixed
    is_scalar = op.name.startswith(("arith.", "math."))
    return is_scalar or isinstance(op, _FREE_OPS)


def _memory_is_apart(free: Sequence[Operation], chain: Sequence[Operation]) -> bool:
    """Return whether no buffer is loaded and stored, or stored by free ops and by the chain."""
    groups = [[inner for op in ops for inner in op.walk()] for ops in (free, chain)]
    stored = [{op.mem for op in ops if isinstance(op, loop.StoreOp)} for ops in groups]
    used = [{v for op in ops for v in op.operands} for ops in groups]
    loaded = {op.mem for ops in groups for op in ops if isinstance(op, loop.LoadOp)}
    return not (stored[0] & (loaded | used[1]) or stored[1] & (loaded | used[0]))


def _is_sum_of_products(op: math.FmaOp, around: loop.ForOp, bound: set[SSAValue]) -> bool:
    """Return whether an op adds a product of free values to a passed value, and yields the sum."""
    if op.a in bound or op.b in bound:
        return False
    type_, block = op.results[0].type, around.body.block
    is_single = (type_.element_type if isinstance(type_, VectorType) else type_) == f32
    uses = [use.operation for use in op.results[0].uses]
    yielded = cast(loop.YieldOp, block.last_op)
    return (
        is_single
        and op.c in block.args
        and uses == [yielded]
        and len([*op.c.uses]) == 1
        and yielded.operands[block.args.index(op.c) - 1] is op.results[0]
    )
