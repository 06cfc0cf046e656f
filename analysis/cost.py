"""Cost of a kernel: its operations and bytes, counted from its te ops or loops.

A multiply-add counts as two operations; conversions between bf16 and f32 count as none.
In: a kernel, in value or buffer form, before it is scheduled; or statements of the loop level.
Out: counts for one call.  If a kernel has symbolic sizes, each counts as `LIKELY_SIZE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from math import prod
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    ModuleOp,
    TensorType,
    UnitAttr,
    VectorType,
    bf16,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ..dialects.functions import recorded_cost
from ..dialects.loop import (
    CastOp,
    CompareOp,
    ForOp,
    IntrinsicOp,
    ReduceOp,
    SelectOp,
    SizeOp,
    StoreOp,
    lanes_of,
)
from ..dialects.packed import CallOp
from ..dialects.shape import (
    LIKELY_SIZE,
    MOST,
    Dim,
    dims_of,
    element_count,
    extent_of,
    likely,
    size_parameters,
    symbols_of,
)
from ..dialects.te import (
    ComputeOp,
    ComputeView,
    Cost,
    KernelOp,
    LoopsOp,
    ScatterOp,
    SortOp,
    TensorOp,
    kernels_of,
)
from ..machines.target import Target
from ..support.blocks import enclosing
from ..support.entry import kernel_functions
from ..support.locations import node_names
from .bounds.loop_ranges import LoopRanges
from .patterns.sharing import element_bytes
from .threads.statements import Statement, statements_of

_LIKELY_SIZES = (LIKELY_SIZE, *(2**n for n in range(7, 17)), 32, 16, 8, 4, 2, 1)
"""Candidate values for symbolic sizes, in the order in which they are tried."""

UNKNOWN_TRIPS = 16
"""The trip count assumed for a loop of te.loops whose trip count depends on data."""


def kernel_cost(kernel: KernelOp) -> Cost:
    """Return the cost of one call of a kernel that is not scheduled yet."""
    ops = tuple(op.label for op in kernel.body.walk() if isinstance(op, TensorOp))
    work = kernel_work(kernel)
    flops = work.evaluate(_likely_sizes(kernel))
    return Cost(flops, ops, work if size_parameters(kernel) else None)


def recorded_costs(module: ModuleOp) -> dict[str, Cost]:
    """Return, by kernel name, the costs that attributes of a module's kernels record.

    A kernel without the attribute is left out.
    """
    found = {kernel.label: kernel.cost.data for kernel in kernels_of(module) if kernel.cost}
    for function in kernel_functions(module):
        if (cost := recorded_cost(function)) is not None:
            found[function.sym_name.data] = cost
    return found


def call_bytes(module: ModuleOp) -> dict[str, int]:
    """Return, for each kernel that the main function calls, the total bytes of one call's buffers.

    Symbolic sizes count as `LIKELY_SIZE`.
    """
    found: dict[str, int] = {}
    for op in module.walk():
        if isinstance(op, CallOp) and op.kernel_name not in found:
            types = [value.type for value in dict.fromkeys((*op.arguments, *op.results))]
            found[op.kernel_name] = sum(map(_buffer_bytes, types))
    return found


def _buffer_bytes(type_: Attribute) -> int:
    if not isinstance(type_, MemRefType | TensorType):
        return 0
    buffer = cast("MemRefType | TensorType", type_)
    sizes = dict.fromkeys(symbols_of(buffer), LIKELY_SIZE)
    return element_bytes(buffer) * prod(max(0, dim.evaluate(sizes)) for dim in dims_of(buffer))


def kernel_flops(kernel: KernelOp) -> int:
    """Return the scalar operations of one call of a kernel; a multiply-add counts as two."""
    return kernel_work(kernel).evaluate(_likely_sizes(kernel))


def kernel_work(kernel: KernelOp) -> Dim:
    """Return the scalar operations of one call of a kernel, as an expression over its sizes."""
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    return sum((op_work(op) * _trips(op) for op in ops), Dim.const(0))


def _likely_sizes(kernel: KernelOp | FuncOp) -> dict[str, int]:
    """Return likely values of a kernel's symbolic sizes, for which no dimension is negative."""
    names = size_parameters(kernel)
    if not names:
        return {}
    # Compare types by identity: buffers share their types, and hashing a type takes longer.
    types = {id(value.type): value.type for value in _buffers(kernel.body.block)}.values()
    sized = (dim for type_ in types if symbols_of(type_) for dim in dims_of(type_))
    dims = [dim for dim in dict.fromkeys(sized) if not dim.is_at_least(0)]
    for number in _LIKELY_SIZES:
        sizes = dict.fromkeys(names, number)
        if all(dim.evaluate(sizes) >= 0 for dim in dims):
            return sizes
    return dict.fromkeys(names, LIKELY_SIZE)


def _buffers(block: Block) -> Iterator[SSAValue]:
    """Yield the arguments and the results of ops in a kernel, except those inside te ops.

    The values inside a te op are single elements, not buffers.
    """
    yield from block.args
    for op in block.ops:
        yield from op.results
        if not isinstance(op, TensorOp):
            for inner in (inner for region in op.regions for inner in region.blocks):
                yield from _buffers(inner)


def _trips(op: Operation, inside: Operation | None = None, unknown: int = 1) -> Dim:
    """Return the product of the trip counts of the loops that enclose an op.

    inside: count only the loops inside this op; None: all loops.  unknown: the trip count assumed
    for a loop whose bounds are not sizes.
    """
    trips = Dim.const(1)
    for around in takewhile(lambda each: each is not inside, enclosing(op)):
        if isinstance(around, ForOp):
            low, high = around.size_bounds or (Dim.const(0), Dim.const(unknown))
            trips = trips * (high - low).max(0)
    return trips


def op_work(op: TensorOp) -> Dim:
    """Return the number of scalar operations of a te op.

    The operations of a sort are its comparisons; those of a te.loops are all its ops. A loop in a
    te.loops whose trip count depends on data counts as UNKNOWN_TRIPS iterations.
    """
    match op:
        case ComputeOp():
            return compute_work(op.view())
        case ScatterOp():
            view = op.view()
            points = element_count(map(Dim.of, view.axes.values()))
            return points * (_count(view.body) + _count(view.combine))
        case SortOp():
            shape = dims_of(cast("TensorType | MemRefType", op.x.type))
            return element_count(shape) * likely(extent_of(shape[op.axis.data])).bit_length()
        case LoopsOp():
            ops = op.body.walk()
            return sum((_trips(inner, op, UNKNOWN_TRIPS) for inner in ops), Dim.const(0))


def compute_work(view: ComputeView) -> Dim:
    """Return a compute's scalar operations: body and combiner per point, epilogue per result."""
    extents = {axis: Dim.of(extent) for axis, extent in view.axes.items()}
    combined = any(o.reduces for o in view.outputs)
    per_point = _count(view.body) + (1 if combined else 0)
    results = element_count(extents[axis] for axis in view.parallel_axes())
    return element_count(extents.values()) * per_point + results * _count(view.then)


def kernel_bytes(kernel: KernelOp) -> int:
    """Return the bytes that one call of a kernel in buffer form accesses.

    Each buffer counts at most once, and only the part that is accessed.  Likely values replace
    symbolic sizes.
    """
    sizes, touched = _likely_sizes(kernel), dict[SSAValue, int]()
    for op in kernel.body.walk():
        if not isinstance(op, TensorOp):
            continue
        reached = _reached(op.view(), sizes) if isinstance(op, ComputeOp) else {}
        trips = _trips(op).evaluate(sizes)
        for value in op.operands:
            if isinstance(value.type, MemRefType):
                elements = prod(dim.evaluate(sizes) for dim in dims_of(value.type))
                count = reached.get(value, elements) * trips
                size = min(count, elements) * element_bytes(value.type)
                touched[value] = max(touched.get(value, 0), size)
    return sum(touched.values())


def _reached(view: ComputeView, sizes: Mapping[str, int]) -> dict[SSAValue, int]:
    """Return, for each buffer, an upper bound on the number of elements that a compute accesses."""
    extents = {
        axis: n if isinstance(n, int) else n.evaluate(sizes) for axis, n in view.axes.items()
    }
    reached: dict[SSAValue, int] = {}
    for access in view.accesses():
        if access.value is not None:
            axes = extents if access.is_whole else access.axes()
            points = prod(n for axis, n in extents.items() if axis in axes)
            reached[access.value] = reached.get(access.value, 0) + points
    return reached


def kernel_cycles(kernel: KernelOp, target: Target) -> float:
    """Return a lower bound of the cycles of one call of a kernel in buffer form, on one core.

    The bound is the larger of two cycle counts: arithmetic at the peak rate of the vector units,
    and memory accesses at one vector per cycle.  Ops other than te.compute, scans and reads at
    computed positions count as scalar code.  Likely values replace symbolic sizes.
    """
    is_scalar = any(
        not isinstance(op, ComputeOp) or op.scan is not None or _reads_whole_operands(op)
        for op in kernel.body.walk()
        if isinstance(op, TensorOp)
    )
    flops = kernel_flops(kernel) if kernel.cost is None else kernel.cost.data.flops
    return _cycles(flops, kernel_bytes(kernel), target, is_scalar=is_scalar)


def _reads_whole_operands(op: ComputeOp) -> bool:
    """Return whether an input of a compute has no index map; its body may read any element."""
    return any(isinstance(map_, UnitAttr) for map_ in op.maps.data[: len(op.pads)])


def _cycles(flops: int, size_bytes: int, target: Target, *, is_scalar: bool) -> float:
    lanes = target.lanes(32)
    per_cycle = 2 * target.fma_ports * (1 if is_scalar else lanes)
    return max(flops / per_cycle, size_bytes / (4 * lanes))


def loops_cost(function: FuncOp) -> Cost:
    """Return the cost of one call of a kernel of the loop level.

    The names of computes come from the locations of ops. Likely values replace symbolic sizes.
    """
    locations = (op.location for op in function.body.walk())
    names = dict.fromkeys(name for location in locations for name in node_names(location))
    return Cost(_loops_flops(function), tuple(names))


def _loops_flops(function: FuncOp) -> int:
    """Return the scalar operations of one call of a kernel of the loop level."""
    sizes = _likely_sizes(function)
    if not sizes:
        _, statements = statements_of(function.body.block)
        return sum(map(statement_flops, statements))
    # Ranges of loops over symbolic sizes reach to the largest possible size, so count in a copy.
    copy = function.clone()
    for op in [op for op in copy.body.walk() if isinstance(op, SizeOp)]:
        number = arith.ConstantOp.from_int_and_width(op.dim.evaluate(sizes), IndexType())
        Rewriter.replace_op(op, number)
    ranges, trips = LoopRanges(), dict[ForOp, int]()
    for op in copy.body.walk():
        if isinstance(op, ForOp):
            ranges.enter(op)
            low, high = ranges.range_of(op.variable)
            trips[op] = max(0, high - low + 1) if high <= MOST else 1
    return sum(_nested_flops(op, trips.__getitem__) for op in copy.body.block.ops)


_ARITHMETIC = (CastOp, CompareOp, IntrinsicOp, ReduceOp, SelectOp)
"""Loop-level ops that count as arithmetic, in addition to arith and math ops."""


def statement_flops(statement: Statement) -> int:
    """Return the scalar operations of a statement, with the largest trip count of each loop."""
    return sum(_nested_flops(op, statement.trips) for op in statement.ops)


def _nested_flops(op: Operation, trips_of: Callable[[ForOp], int]) -> int:
    if op.regions:
        inner = [o for region in op.regions for block in region.blocks for o in block.ops]
        trips = trips_of(op) if isinstance(op, ForOp) else 1
        return trips * sum(_nested_flops(o, trips_of) for o in inner)
    computes = op.name.split(".")[0] in ("arith", "math") and not isinstance(op, arith.ConstantOp)
    if not computes and not isinstance(op, _ARITHMETIC):
        return 0
    return lanes_of(op.operands[0].type) * (2 if isinstance(op, math.FmaOp) else 1)


def statement_cycles(statement: Statement, target: Target) -> float:
    """Return a lower bound of the cycles of a statement, computed as in `kernel_cycles`."""
    accesses = (op for ops in statement.accesses.values() for op in ops)
    stores = (op for op in accesses if isinstance(op, StoreOp))
    is_scalar = not any(isinstance(op.value.type, VectorType) for op in stores)
    touched = sum(_touched_bytes(statement, buffer) for buffer in statement.accesses)
    return _cycles(statement_flops(statement), touched, target, is_scalar=is_scalar)


def _touched_bytes(statement: Statement, buffer: SSAValue) -> int:
    shape = cast(MemRefType, buffer.type).get_shape()
    ranges = zip(statement.hull(buffer).box or (), shape, strict=True)
    points = prod(max(0, min(high, n - 1) - max(low, 0) + 1) for (low, high), n in ranges)
    return points * element_bytes(buffer.type)


def _count(region: Region) -> int:
    if not region.blocks:
        return 0
    ops = [op for op in region.block.ops if not isinstance(op, arith.ConstantOp)]
    return sum(not _converts_bf16(op) for op in ops) - 1


def _converts_bf16(op: Operation) -> bool:
    """Return whether an op converts between bf16 and f32, which does not count as arithmetic.

    Instructions for matrix products take bf16 operands, and elsewhere the conversion is a shift of
    bits.
    """
    if not isinstance(op, arith.ExtFOp | arith.TruncFOp):
        return False
    return bf16 in (op.operands[0].type, op.results[0].type)
