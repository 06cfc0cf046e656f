"""The nest of a scheduled kernel: its ordered loops, innermost computes and accesses, as data.

In: a kernel after te-apply-schedule, of known sizes.  Out: a tree of `CountedLoop` and `NestLeaf`,
and the bytes that its parts touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, prod
from typing import TypeAlias

from xdsl.ir import Block, SSAValue

from ....analysis.patterns.contraction import sums_products
from ....analysis.patterns.sharing import element_bytes, lane_bits
from ....analysis.strides import axis_stride
from ....dialects.loop import ForOp
from ....dialects.te import Access, ComputeOp, ComputeView
from ....machines.target import Target
from ....support.affine import Index, Key
from ..plan.epilogue import operations_of
from .cycles import LINE_BYTES
from .footprint import BufferAccess, buffer_bytes, loaded_vectors


@dataclass(frozen=True)
class NestLeaf:
    """An innermost compute: a register tile of rows x vectors, and the steps of its sums.

    extents: the extents of its axes.  accesses: its accesses to buffers.  bits: the width of a
    vector.  steps: the number of steps.  operations: the instructions of a step for a vector of
    results; 0 for a multiply-add.  epilogue: the instructions after the sum, for a vector of
    results.  starts: whether the sums start here, instead of continuing from memory.  sums_lanes:
    whether the lanes of a vector are terms of one sum.  loads: the vectors of all operands that a
    step of such a sum loads; 0 for others.  spreads: whether a tile prefetches a part
    of the next weights.  prefetched: the steps ahead of its loads that a tile prefetches weights
    otherwise.  pitch_bytes: the distance between the rows of the operand that is
    broadcast; 0 if a tile has no such operand or a single row, or if rows are adjacent elements.
    scalars: that operand; None if there is none.  line_steps: the steps that read one cache line of
    a pixel of an image; 0 for other operands.  trips: the iterations of each loop over the steps,
    the outermost first; 1 for a loop that is unrolled completely.  rest: the elements of the last
    vector of a row if it is not full; else 0.  adjacent: the steps that read adjacent elements of
    the operand that is broadcast.  span_bytes: the distance between the elements of this operand
    that the steps of a row read.  ahead: the operand that is prefetched; None without prefetches.
    """

    extents: Mapping[str, int]
    accesses: tuple[BufferAccess, ...]
    bits: int
    rows: int
    vectors: int
    steps: int
    operations: int
    epilogue: int
    starts: bool
    sums_lanes: bool
    loads: int
    spreads: bool
    prefetched: int
    pitch_bytes: int = 0
    scalars: SSAValue | None = None
    line_steps: int = 0
    trips: tuple[int, ...] = ()
    rest: int = 0
    adjacent: int = 1
    span_bytes: int = 0
    ahead: BufferAccess | None = None


@dataclass(frozen=True)
class CountedLoop:
    """A loop around other loops and innermost computes.

    variable: its loop variable.  trips: the number of its iterations.  is_parallel: whether the
    iterations are parallel tasks.  body: the loops and computes in it, in order.
    """

    variable: SSAValue
    trips: int
    is_parallel: bool
    body: tuple[Node, ...]


Node: TypeAlias = CountedLoop | NestLeaf


def nest_of(block: Block, target: Target) -> tuple[Node, ...]:
    """Return the loops and innermost computes of a block, in order."""
    return tuple(_nodes(block, target))


def _nodes(block: Block, target: Target) -> Iterator[Node]:
    for op in block.ops:
        if isinstance(op, ForOp):
            low, high = op.static_bounds or (0, 1)
            inner = op.body.block
            yield CountedLoop(inner.args[0], high - low, op.is_parallel, nest_of(inner, target))
        elif isinstance(op, ComputeOp):
            yield _leaf(op, target)


def _leaf(op: ComputeOp, target: Target) -> NestLeaf:
    view = op.view()
    extents, tile = view.extents, view.register_tile
    vector, lanes = str(tile.get("vec", "")), int(tile.get("lanes", 1))
    reduced, parallel = view.reduced_axes(), view.parallel_axes()
    steps = prod(extents[axis] for axis in reduced)
    is_product = sums_products(view)
    vectors = ceil(extents[vector] / lanes) if vector in parallel else 1
    prefetch, spreads = view.prefetch, bool(view.prefetch.get("prefetch_spread", 0))
    body = 0 if is_product else max(1, operations_of(view.body, target)) + bool(reduced)
    return NestLeaf(
        extents,
        tuple(each for a in view.accesses() if (each := _buffer_access(a))),
        lanes * lane_bits(view.accesses()),
        prod(extents[axis] for axis in parallel if axis != vector),
        vectors,
        steps // extents[vector] * ceil(extents[vector] / lanes) if vector in reduced else steps,
        body,
        operations_of(view.then, target) if view.then.blocks else 0,
        not reduced or all(out.init is not None for out in view.outputs),
        vector in reduced,
        loaded_vectors(view.inputs, {a: extents[a] for a in parallel}) if vector in reduced else 0,
        spreads,
        0 if spreads else int(prefetch.get("prefetch", 0)) // (vectors * lanes),
        *_scalars(view, vector),
        tuple(ceil(extents[a] / (view.unrolls.get(a, 1) or extents[a])) for a in reduced),
        extents[vector] % lanes if vector in parallel else 0,
        *_steps_of_scalars(view, vector),
        _buffer_access(view.inputs[int(prefetch["prefetch_operand"])]) if prefetch else None,
    )


def _buffer_access(access: Access) -> BufferAccess | None:
    if access.value is None or access.indices is None:
        return None
    return BufferAccess(access.value, tuple(access.indices))


def _scalars(view: ComputeView, vector: str) -> tuple[int, SSAValue | None, int]:
    """Return the pitch, the buffer, and the steps per line of the operand that is broadcast."""
    rows = [a for a in view.parallel_axes() if a != vector and view.extents[a] > 1]
    for access in view.inputs:
        if rows and access.indices is not None and vector not in access.axes():
            stride, item = axis_stride(access, rows[-1]) or 0, element_bytes(access.type)
            pitch = stride * item if stride > 1 else 0
            steps = prod(view.extents.get(str(v), 1) for v in access.indices[-1].variables())
            is_pixel = pitch >= LINE_BYTES >= steps * item
            return pitch, access.value, steps if is_pixel else 0
    return 0, None, 0


def _steps_of_scalars(view: ComputeView, vector: str) -> tuple[int, int]:
    """Return the steps that read adjacent scalars, and the bytes between those of all steps."""
    reduced = {axis: view.extents[axis] for axis in view.reduced_axes()}
    for access in view.inputs:
        if access.indices is not None and vector not in access.axes():
            adjacent = prod(reduced.get(str(v), 1) for v in access.indices[-1].variables())
            strides = {axis: axis_stride(access, axis) or 0 for axis in reduced}
            elements = sum((n - 1) * abs(strides[axis]) for axis, n in reduced.items())
            return adjacent, elements * element_bytes(access.type)
    return 1, 0


def leaves_of(node: Node) -> Iterator[tuple[NestLeaf, dict[Key, int]]]:
    """Yield each innermost compute in a node, with the trip counts of its loops by variable."""
    if isinstance(node, NestLeaf):
        yield node, {}
        return
    for child in node.body:
        for leaf, trips in leaves_of(child):
            yield leaf, {node.variable: node.trips, **trips}


def footprints(nodes: Sequence[Node], way: int = 0) -> dict[SSAValue, float]:
    """Return, by buffer, the bytes that one execution of some loops and computes touches.

    way: the bytes of one way of a cache, for the bytes of the cache that they fill.
    """
    touched: dict[tuple[SSAValue, tuple[Index, ...]], float] = {}
    for node in nodes:
        for leaf, trips in leaves_of(node):
            for access in leaf.accesses:
                size = access.bytes_in({**trips, **leaf.extents}, way)
                key = access.buffer, access.indices
                touched[key] = max(size, touched.get(key, 0))
    found: dict[SSAValue, float] = {}
    for (buffer, _), size in touched.items():
        most = inf if way else buffer_bytes(buffer)
        found[buffer] = min(found.get(buffer, 0) + size, most)
    return found


def reads_of(node: Node) -> dict[SSAValue, float]:
    """Return the bytes that the innermost computes of a node read or write, by buffer.

    Bytes that several iterations or computes touch count as often.
    """
    if isinstance(node, NestLeaf):
        return footprints([node])
    found: dict[SSAValue, float] = {}
    for child in node.body:
        for buffer, size in reads_of(child).items():
            found[buffer] = found.get(buffer, 0.0) + node.trips * size
    return found
