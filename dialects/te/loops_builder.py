"""A builder of te.loops in Python: loops and branches are ``with`` blocks.

    b = LoopsBuilder("row_sums", [x], [TensorType(f32, [4])])
    rows, out = b.buffers
    with b.loop(0, 4) as i:
        with b.fold(0, 8, b.constant(0.0, f32)) as sums:
            (total,) = sums.carried
            sums.next(b.add(total, b.get(rows, i, sums.index)))
        b.put(sums.results[0], out, i)
    op = b.build()

The methods of ``Scalars`` append scalar ops; positions are index values, integers, or index
expressions over index values.  There are no run-time checks: the compiler rejects the loops unless
it proves that each position is inside its buffer for all data.  ``inside`` clamps a position that
depends on data.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...support.affine import Index, Key, Range, divide, variable
from ..dtypes import is_float
from ..index_syntax import INDEX
from ..loop import (
    AllocOp,
    BroadcastOp,
    CompareOp,
    ForOp,
    IfOp,
    IndexOp,
    LoadOp,
    ReduceOp,
    SelectOp,
    SizeOp,
    StoreOp,
    YieldOp,
    lane_type,
    make_loop_body,
    vector_type,
)
from ..shape import Dim, Extent, extent_of
from .build import as_index
from .loops import LoopsOp, buffer_type
from .scalars import FLOAT_PREDICATES, Scalars, scalar_attr

Place: TypeAlias = SSAValue | Index | int
"""A position: an index value, an expression over index values, or an integer."""


@dataclass
class Fold:
    """A loop with carried values, as `LoopsBuilder.fold` builds it.

    index: the loop variable.  carried: the values at the start of an iteration.  yielded: the
    values for the next iteration.  results: the values after the last iteration, set at the end of
    the ``with`` block.
    """

    index: SSAValue
    carried: list[SSAValue]
    yielded: list[SSAValue] | None = None
    results: list[SSAValue] = field(default_factory=list[SSAValue])

    def next(self, *values: SSAValue) -> None:
        """Set the carried values of the next iteration."""
        self.yielded = list(values)


class LoopsBuilder(Scalars):
    """Builder of a te.loops on tensors.

    ins: the operands.  results: the types of the results.  buffers: the operands, followed by the
    results, as buffers of the region.
    """

    def __init__(self, name: str, ins: Sequence[SSAValue], results: Sequence[TensorType]) -> None:
        self.name, self.ins, self.result_types = name, list(ins), list(results)
        types = [*(v.type for v in ins), *results]
        self.entry = Block(arg_types=[buffer_type(t) for t in types])
        super().__init__(self.entry)
        self.buffers = list(self.entry.args)
        self._sizes: dict[Dim, SSAValue] = {}

    def build(self) -> LoopsOp:
        """Complete the region and return the op."""
        return LoopsOp(self.name, self.ins, Region(self.entry), results=self.result_types)

    # ---- values

    def constant(self, number: int | float, element_type: Attribute) -> SSAValue:
        """Return a constant; each constant is created once, at the start of the region."""
        key = (repr(number), element_type)
        if key not in self._constants:
            value = scalar_attr(number, element_type)
            op = arith.ConstantOp.create(result_types=[element_type], properties={"value": value})
            self._constants[key] = self._insert_first(op)
        return self._constants[key]

    def compare(self, name: str, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return a comparison as i1; with a NaN, it is false except for ne.

        name: eq, ne, lt, le, gt or ge.  unsigned: whether integers are compared as unsigned.
        """
        if is_float(lane_type(x.type)):
            predicate = FLOAT_PREDICATES[name]
        else:
            predicate = name if name in ("eq", "ne") else ("u" if unsigned else "s") + name
        return self.append(CompareOp.make(predicate, x, y))

    def is_nan(self, x: SSAValue) -> SSAValue:
        """Return whether x is NaN."""
        return self.append(CompareOp.make("uno", x, x))

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x where the condition is true, else y."""
        op = SelectOp.create(operands=[condition, x, y], result_types=[x.type])
        return self.append(op)

    def index(self, place: Place) -> SSAValue:
        """Return a position, an integer or an expression over index values, as an index value."""
        if isinstance(place, SSAValue):
            return place
        return self.append(IndexOp.make(as_index(place)))

    def size(self, extent: Extent) -> SSAValue:
        """Return a size as an index value; a symbolic size is created once, at the start."""
        if isinstance(extent, int):
            return self.constant(extent, INDEX)
        if extent not in self._sizes:
            self._sizes[extent] = self._insert_first(SizeOp(extent))
        return self._sizes[extent]

    def _insert_first(self, op: Operation) -> SSAValue:
        if self.entry.first_op is None:
            self.entry.add_op(op)
        else:
            self.entry.insert_op_before(op, self.entry.first_op)
        return op.results[0]

    def end(self, extent: Extent) -> Place:
        """Return a size as the upper bound of a loop: an integer or an index value."""
        return extent if isinstance(extent, int) else self.size(extent)

    def inside(self, position: SSAValue, size: Extent) -> SSAValue:
        """Clamp a position to 0..size-1; every position outside becomes size-1."""
        return self.min(position, self.size(size - 1), unsigned=True)

    @contextmanager
    def within(self, position: SSAValue, size: Extent) -> Generator[SSAValue]:
        """Build code that uses a position of an axis, and that runs only if the axis is not empty.

        Yields the position, clamped to 0..size-1 by `inside`.
        """
        dim = Dim.of(size)
        place = self.inside(position, extent_of(dim.max(1)))
        if dim.is_at_least(1):
            yield place
            return
        with self.when(self.compare("lt", place, self.size(size))):
            yield place

    def splat(self, x: SSAValue, lanes: int) -> SSAValue:
        """Return a vector with a scalar in every lane."""
        type_ = vector_type(lanes, x.type)
        return self.append(BroadcastOp.create(operands=[x], result_types=[type_]))

    def reduce(self, kind: str, x: SSAValue) -> SSAValue:
        """Return the reduction of the lanes of a vector: add mul max min and or xor."""
        properties = {"kind": StringAttr(kind)}
        op = ReduceOp.create(operands=[x], result_types=[lane_type(x.type)], properties=properties)
        return self.append(op)

    # ---- memory

    def local(self, element_type: Attribute, *shape: int) -> SSAValue:
        """Return a new local buffer, one per iteration of the enclosing parallel loop."""
        return self.append(AllocOp.make(MemRefType(element_type, shape)))

    def get(self, buffer: SSAValue, *places: Place, lanes: int = 1) -> SSAValue:
        """Load an element of a buffer, or a vector of ``lanes`` adjacent elements.

        places: the position of the first element, one index per dimension.
        """
        indices = [as_index(p) for p in places]
        type_ = vector_type(lanes, self.get_type(buffer))
        return self.append(LoadOp.make(buffer, indices, type_))

    def put(self, value: SSAValue, buffer: SSAValue, *places: Place) -> None:
        """Store an element to a buffer, or a vector to adjacent elements.

        places: the position of the first element, one index per dimension.
        """
        self.block.add_op(StoreOp.make(value, buffer, [as_index(p) for p in places]))

    def get_type(self, buffer: SSAValue) -> Attribute:
        """Return the element type of a buffer."""
        assert isinstance(buffer.type, MemRefType), f"not a buffer: {buffer.type}"
        return buffer.type.get_element_type()

    # ---- control

    @contextmanager
    def loop(
        self, low: Place, high: Place | Sequence[Place], *, parallel: bool = False
    ) -> Generator[SSAValue]:
        """Build a loop over ``low <= position < high`` with the ``with`` block; yield the position.

        high: an upper bound, or several upper bounds, of which the minimum applies.
        parallel: iterations are independent tasks; only for outermost loops whose bounds are sizes.
        """
        body = make_loop_body()
        with self._inside(body):
            yield body.args[0]
            body.add_op(YieldOp(operands=[[]]))
        kind = "parallel" if parallel else "serial"
        ends = [high] if isinstance(high, Place) else high
        upper = [as_index(end) for end in ends]
        self.block.add_op(ForOp.make([as_index(low)], upper, Region(body), kind=kind))

    @contextmanager
    def rows(self, count: Extent, chunk: int | None) -> Generator[SSAValue]:
        """Build a loop over ``0 <= row < count`` with the ``with`` block; yield the row.

        chunk: the number of rows per parallel task.  The loop is serial if ``chunk`` is None, or if
        ``count`` is a number of at most ``chunk`` rows.
        """
        if chunk is None or (isinstance(count, int) and chunk >= count):
            with self.loop(0, self.end(count)) as row:
                yield row
            return
        tasks = extent_of(Dim.of(count).ceildiv(chunk))
        with self.loop(0, self.end(tasks), parallel=True) as task:
            start = variable(task) * chunk
            with self.loop(start, [start + chunk, self.end(count)]) as row:
                yield row

    @contextmanager
    def points(self, shape: Sequence[Extent], chunk: int | None) -> Generator[Sequence[Place]]:
        """Build loops over all positions of a shape; yield a position, as one index per dimension.

        chunk: the number of positions per task; None for serial loops.  If a size is symbolic, a
        task has positions along the last axis only.
        """
        sizes = [size for size in shape if isinstance(size, int)]
        if len(sizes) == len(shape):
            with self.rows(prod(sizes), chunk) as row:
                yield row_major_places(row, sizes)
            return
        is_parallel = chunk is not None
        with ExitStack() as loops:
            outer = [
                loops.enter_context(self.loop(0, self.end(size), parallel=is_parallel))
                for size in shape[:-1]
            ]
            yield [*outer, loops.enter_context(self.rows(shape[-1], chunk))]

    @contextmanager
    def fold(self, low: Place, high: Place, *inits: SSAValue) -> Generator[Fold]:
        """Build a loop over ``low <= index < high``, whose carried values start as ``inits``."""
        body = make_loop_body([v.type for v in inits])
        fold = Fold(body.args[0], list(body.args[1:]))
        with self._inside(body):
            yield fold
            assert fold.yielded is not None, "a fold says what its next iteration starts with"
            body.add_op(YieldOp(operands=[fold.yielded]))
        op = ForOp.make([as_index(low)], [as_index(high)], Region(body), inits)
        self.block.add_op(op)
        fold.results = list(op.results)

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """Build a conditional: the code of the ``with`` block runs if the condition is true."""
        body = Block()
        with self._inside(body):
            yield
            body.add_op(YieldOp(operands=[[]]))
        self.block.add_op(IfOp(operands=[condition], regions=[Region(body)]))

    @contextmanager
    def _inside(self, block: Block) -> Generator[None]:
        outer, self.block = self.block, block
        yield
        self.block = outer

    def append(self, op: Operation) -> SSAValue:
        """Append an op and return its first result."""
        self.block.add_op(op)
        return op.results[0]


def row_major_places(row: SSAValue, shape: Sequence[int]) -> list[Index]:
    """Return the indices of an element of a tensor, one per dimension.

    row: the number of the element in row-major order.  shape: the shape of the tensor.
    """
    count = prod(shape)
    places: list[Index] = []
    inner = 1

    def range_of(_: Key) -> Range:
        return 0, count - 1

    for size in reversed(shape):
        outer = divide("floordiv", variable(row), inner, range_of)
        places.insert(0, divide("mod", outer, size, range_of))
        inner *= size
    return places


__all__ = ["INDEX", "Fold", "LoopsBuilder", "Place", "row_major_places"]
