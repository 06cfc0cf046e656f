"""The emitter that appends loop-level ops during the lowering of one compute.

Constants are created once per function, at its entry.  The other ops are shared within a scope,
which is one loop body, and in the scopes nested in it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    UnknownLoc,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...analysis.bounds.loop_ranges import LoopRanges
from ...dialects import loop
from ...dialects.dtypes import is_float
from ...dialects.shape import Dim, Extent
from ...dialects.te.reductions import FLOAT_COMBINERS, INTEGER_COMBINERS
from ...dialects.te.view import positions_of
from ...support.affine import INFINITY, Index, Key, Range, constant, variable
from ...support.names import value_hint

Properties: TypeAlias = Mapping[str, Attribute]
LoopBody: TypeAlias = Callable[[Index, list[SSAValue]], Sequence[SSAValue]]

LANE: Key = "%lane"
"""The lane number, as a variable of index expressions."""

EVERY: Range = (0, INFINITY)
"""The range of the variable of a loop with a symbolic end."""

NO_FLAGS: Properties = {"fastmath": arith.FastMathFlagsAttr("none")}
NO_OVERFLOW: Properties = {"overflowFlags": arith.IntegerOverflowAttr("none")}


@dataclass
class ReuseScope:
    """The ops of a loop body under construction, and values that later ops may reuse.

    ops: the ops so far.
    reads: the value that an access has read, by access and position.
    memo: the result of an op, by op and operands.
    splats: the vector to which a scalar was broadcast, by scalar.
    """

    ops: list[Operation] = field(default_factory=list[Operation])
    reads: dict[Hashable, object] = field(default_factory=dict[Hashable, object])
    memo: dict[Hashable, SSAValue] = field(default_factory=dict[Hashable, SSAValue])
    splats: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def inner(self) -> ReuseScope:
        """Return the scope of a loop inside this one: without ops, with the same values."""
        return ReuseScope([], dict(self.reads), dict(self.memo), dict(self.splats))


class Constants:
    """The constants and symbolic sizes that a function uses, each created once at its entry."""

    def __init__(self, entry: Block) -> None:
        self.entry = entry
        self.last: Operation | None = None
        self.scalars: dict[Attribute, SSAValue] = {}
        self.sizes: dict[Dim, SSAValue] = {}
        self.vectors: dict[tuple[SSAValue, int], SSAValue] = {}

    def scalar(self, value: Attribute) -> SSAValue:
        """Return the SSA value of a scalar constant."""
        if value not in self.scalars:
            assert isinstance(value, FloatAttr | IntegerAttr), f"not a scalar: {value}"
            op = arith.ConstantOp.create(result_types=[value.type], properties={"value": value})
            self.scalars[value] = self._insert(op)
        return self.scalars[value]

    def size(self, dim: Dim) -> SSAValue:
        """Return the SSA value of a symbolic size."""
        if dim not in self.sizes:
            self.sizes[dim] = self._insert(loop.SizeOp(dim))
        return self.sizes[dim]

    def vector(self, scalar: SSAValue, lanes: int) -> SSAValue:
        """Return the broadcast of a scalar constant to a vector.

        scalar: the SSA value of the constant.
        """
        key = scalar, lanes
        if key not in self.vectors:
            self.vectors[key] = self._insert(broadcast(scalar, lanes))
        return self.vectors[key]

    def _insert(self, op: Operation) -> SSAValue:
        # The first op may be a compute that the lowering erases, so later constants follow the
        # last one.
        if self.last is not None:
            self.entry.insert_op_after(op, self.last)
        elif self.entry.first_op is not None:
            self.entry.insert_op_before(op, self.entry.first_op)
        else:
            self.entry.add_op(op)
        self.last = op
        return op.results[0]


class LoopEmitter:
    """An emitter of loop-level ops, which also records the ranges and expressions of index values.

    ranges: the smallest and the largest value of each loop variable.
    positions: the index expression of an index value, if known.  A te.at at such a position has an
    affine address.
    integers: the analysis that bounds integer values.
    """

    def __init__(self, constants: Constants, location: UnknownLoc | Attribute) -> None:
        self.constants, self.location = constants, location
        self.scope = ReuseScope()
        self.ranges: dict[SSAValue, Range] = {}
        self.positions: dict[SSAValue, Index] = {}
        self.integers = LoopRanges(self.ranges)

    def add(self, op: Operation) -> None:
        """Append an op without results to the current scope."""
        op.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        self.scope.ops.append(op)

    def value(self, op: Operation) -> SSAValue:
        """Append an op with one result to the current scope; return the result."""
        op.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        self.scope.ops.append(op)
        return op.results[0]

    def constant(self, value: Attribute, lanes: int = 1) -> SSAValue:
        """Return a constant as a scalar, or as a vector that has it in all ``lanes`` lanes."""
        scalar = self.constants.scalar(value)
        return scalar if lanes == 1 else self.constants.vector(scalar, lanes)

    def extent(self, extent: Extent) -> Index:
        """Return an extent as an index expression: a constant, or the value of a symbolic size."""
        if isinstance(extent, int):
            return constant(extent)
        value = self.constants.size(extent)
        self.ranges.setdefault(value, extent.range(INFINITY))
        return variable(value)

    def splat(self, value: SSAValue, lanes: int) -> SSAValue:
        """Broadcast a scalar to all lanes; return a vector unchanged."""
        if lanes == 1 or isinstance(value.type, VectorType):
            return value
        if isinstance(value.owner, arith.ConstantOp):
            return self.constants.vector(value, lanes)
        vector = self.scope.splats.get(value)
        if vector is None:
            vector = self.scope.splats[value] = self.value(broadcast(value, lanes))
        return vector

    def loop(
        self,
        lower: int | Sequence[Index],
        upper: int | Sequence[Index],
        bounds: Range,
        carried: Sequence[SSAValue],
        body: LoopBody,
        unroll: int = 1,
        kind: str = "serial",
        name: str = "",
    ) -> list[SSAValue]:
        """Append a loop; return its results.

        lower, upper: the bounds.  Of several bounds, the largest lower and the smallest upper one
        hold.
        bounds: the smallest and the largest value of the loop variable.
        carried: the initial values of the loop-carried values.
        body: emits the body; it takes the loop variable and the carried values, and returns the
        next ones.
        unroll: the number of copies of the body per iteration.
        kind: serial or parallel.
        name: the name of the axis, which the loop variable gets.
        """
        block = loop.make_loop_body([v.type for v in carried])
        op = loop.ForOp.make(lower, upper, Region(block), carried, kind=kind, unroll=unroll)
        iv, *arguments = block.args
        self.ranges[iv] = bounds
        if name:
            iv.name_hint = value_hint(name)
        outer, self.scope = self.scope, self.scope.inner()
        yielded = body(variable(iv), list(arguments))
        block.add_ops(self.scope.ops)
        block.add_op(loop.YieldOp.create(operands=list(yielded)))
        self.scope = outer
        self.add(op)
        return list(op.results)

    def nest(
        self,
        axes: Mapping[str, Extent],
        outer: Mapping[Key, Index],
        inside: Callable[[dict[Key, Index]], None],
        *,
        named: bool = True,
    ) -> None:
        """Append a nest of serial loops, one per axis, outermost first.

        outer: the positions along the axes that are fixed outside of the nest.
        inside: emits the body of the innermost loop; it takes the positions along all axes.
        named: whether loop variables get the names of the axes.
        """
        if not axes:
            inside(dict(outer))
            return
        (axis, extent), *inner = axes.items()

        def body(index: Index, _carried: object) -> tuple[()]:
            self.nest(dict(inner), {**outer, axis: index}, inside, named=named)
            return ()

        end, name = [self.extent(extent)], axis if named else ""
        self.loop([constant(0)], end, positions_of(extent), (), body, name=name)

    def when(self, condition: SSAValue, body: Callable[[], None]) -> None:
        """Append a branch that runs some ops if a condition holds.

        body: emits these ops.
        """
        block = Block()
        outer, self.scope = self.scope, self.scope.inner()
        body()
        block.add_ops(self.scope.ops)
        block.add_op(loop.YieldOp.create())
        self.scope = outer
        self.add(loop.IfOp(operands=[condition], regions=[Region(block)]))


def row_chunks(emitter: LoopEmitter, extent: int, chunk: int, row: Callable[[Index], None]) -> None:
    """Append a parallel loop over chunks of rows, and a serial loop over the rows of a chunk.

    extent: the number of all rows.
    chunk: the number of rows of a chunk, which is a task; the last chunk may be shorter.
    row: emits the code of one row, at an index.
    """
    tasks = -(-extent // chunk)

    def task(number: Index, _carried: object) -> tuple[()]:
        start = number * chunk

        def body(index: Index, _carried: object) -> tuple[()]:
            row(start + index)
            return ()

        ends = [constant(chunk)]
        if extent % chunk:
            ends.append(constant(extent) - start)
        emitter.loop([constant(0)], ends, (0, chunk - 1), (), body)
        return ()

    emitter.loop(0, tasks, (0, tasks - 1), (), task, kind="parallel")


def broadcast(value: SSAValue, lanes: int) -> loop.BroadcastOp:
    """Return an op that broadcasts a scalar to all lanes of a vector."""
    return loop.BroadcastOp.create(
        operands=[value], result_types=[loop.vector_type(lanes, value.type)]
    )


def combine(emitter: LoopEmitter, combiner: str, total: SSAValue, value: SSAValue) -> SSAValue:
    """Append the op that combines an accumulator with a value of the same type; return the result.

    combiner: the combiner of an output of a compute, such as ``add`` or ``max``.
    """
    if combiner == "maxnum":
        # The accumulator is never NaN, so one comparison skips NaN values.
        larger = emitter.value(loop.CompareOp.make("ogt", value, total))
        return emitter.value(
            loop.SelectOp.create(operands=[larger, value, total], result_types=[total.type])
        )
    if is_float(loop.lane_type(total.type)):
        kind, properties = FLOAT_COMBINERS[combiner], NO_FLAGS
    else:
        kind = INTEGER_COMBINERS[combiner]
        properties = NO_OVERFLOW if combiner in ("add", "mul") else {}
    return emitter.value(
        kind.create(operands=[total, value], result_types=[total.type], properties=dict(properties))
    )


def fma_op(a: SSAValue, b: SSAValue, c: SSAValue) -> Operation:
    """Return an op that computes ``a * b + c`` with one rounding."""
    return math.FmaOp.create(operands=[a, b, c], result_types=[c.type], properties=dict(NO_FLAGS))
