"""simt-form-warpgroups: let the four warps of a warpgroup multiply together, from shared memory.

    %a = loop.pack ..                                   (a fragment of %s, 16 rows per warp)
    %b = loop.pack ..                                   (a fragment of %u, 8 columns)
    %d = simt.mma %a, %b, %c ..                         (and for further columns and steps)
==>
    %a = simt.matrix_descriptor %s[%k mod 4, 0, 0, 0]
    %b = simt.matrix_descriptor %u[%k mod 4, 0, 0, 0]
    %p:16 = simt.warpgroup_mma f16 [%a], [%b] rows, %c..
    %d:16 = simt.warpgroup_wait 0 %p..

The pass joins the simt.mma ops of a block that multiply the rows of four warps by adjacent columns
of 16-bit floats, and the steps of one sum.  It evaluates the positions of all threads, so any index
expressions with these positions qualify.  The tiles that the instructions read are stored swizzled
(dialects/simt/warpgroup.py), and barriers make them visible.  A kernel changes only if all of its
matrix instructions can be joined, and nothing else reads the tiles.

Before: kernels that simt-map-threads mapped, without loop.intrinsic.
After: on a target with the feature ``wgmma``, no simt.mma is left of a kernel whose schedule gives
each warp 16 rows of 16-bit floats in tiles with rows of 128 bytes.
Exact: the same sums of products; the hardware may add the terms in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from xdsl.context import Context
from xdsl.dialects.arith import XOrIOp
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr, bf16, f16
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import AllocOp, IndexOp, LoadOp, PackOp, StoreOp
from ...dialects.simt import (
    ASYNC,
    GROUP_COLUMNS,
    GROUP_ROWS,
    GROUP_STEP,
    SHAPES,
    SWIZZLED_PART,
    SWIZZLED_ROW,
    SWIZZLED_ROWS,
    WARP,
    WARPGROUP,
    BarrierOp,
    Fragment,
    IdOp,
    MatrixDescriptorOp,
    MmaOp,
    ThreadIdOp,
    WarpgroupMmaOp,
    WarpgroupWaitOp,
    copied_bytes,
    launch_of,
)
from ...dialects.te.view import loop_variable_range
from ...machines.target_passes import TargetedPass
from ...support.affine import Index, Key, Range, divide, variable
from ..rewrite.loops import set_indices
from .fragments import LoadedFragment, element_of, erase_unused
from .kernels import mapped_kernels

_FEATURE = "wgmma"
_WARPS = WARPGROUP // WARP
_WARP_ROWS = GROUP_ROWS // _WARPS


@dataclass(frozen=True)
class FormWarpgroups(TargetedPass):
    """Replace matrix instructions of warps by instructions of warpgroups in all mapped kernels."""

    name = "simt-form-warpgroups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(_FEATURE):
            for function in mapped_kernels(op):
                form_warpgroups(function)


def form_warpgroups(function: FuncOp) -> None:
    """Replace matrix instructions of one kernel by warpgroup instructions, where possible."""
    launch = launch_of(function)
    assert launch is not None, "a mapped kernel"
    ids = {op.dimension.data: op.res for op in function.walk() if isinstance(op, ThreadIdOp)}
    x, y, z = launch.block
    uses = [op for op in function.walk() if isinstance(op, MmaOp)]
    if not uses or (x, y, z % _WARPS) != (WARP, 1, 0) or not {"x", "z"} <= set(ids):
        return
    blocks = [block for block in dict.fromkeys(op.parent for op in uses) if block is not None]
    steps = [step for block in blocks for step in _steps(block, ids["x"], ids["z"])]
    if sum(len(step.uses) for step in steps) < len(uses):
        return
    loads = {load for step in steps for use in step.uses for load in _loads(use)}
    tiles = list(dict.fromkeys(part.mem for step in steps for part in (step.lhs, step.rhs)))
    if not all(_can_swizzle(tile, loads) for tile in tiles):
        return
    for product in _products(steps):
        _join(product)
    for tile in tiles:
        _swizzle(cast(AllocOp, tile.owner))
    for op in function.walk():
        if isinstance(op, BarrierOp):
            op.properties["fence"] = StringAttr(ASYNC)


def _loads(use: MmaOp) -> Iterator[LoadOp]:
    for pack in (use.lhs.owner, use.rhs.owner):
        for value in cast(PackOp, pack).values:
            element = element_of(value)
            assert element is not None, "the operands are loaded"
            yield element[0]


# ---- matching


@dataclass(frozen=True)
class _SharedOperand:
    """A matrix in shared memory that is an operand of a matrix instruction: a part of a tile.

    mem: the tile.
    first: the indices, in the tile, of the first element of the matrix.
    along_rows: whether rows of the matrix are rows of the tile; otherwise they are its columns.
    """

    mem: SSAValue
    first: Sequence[Index]
    along_rows: bool

    def axis(self, number: int) -> int:
        """Return the dimension of the tile along which an axis of the operand runs.

        This is one of the last two dimensions of the tile.
        number: the axis of the operand, 0 or 1.
        """
        return len(self.first) - (2 if (number == 0) == self.along_rows else 1)

    def moved(self, dimension: int, index: Index) -> _SharedOperand:
        """Return the part that starts at another index along one dimension."""
        first = [index if n == dimension else e for n, e in enumerate(self.first)]
        return _SharedOperand(self.mem, first, self.along_rows)


@dataclass(frozen=True)
class _MatrixRows:
    """Matrix instructions that one instruction of a warpgroup can replace.

    The warpgroup multiplies its rows by adjacent columns.
    lhs: the left operand, with the rows of all four warps.
    rhs: the right operand, with all columns.
    uses: the instructions of one warp, one per 8 columns.
    """

    lhs: _SharedOperand
    rhs: _SharedOperand
    uses: Sequence[MmaOp]


def _steps(block: Block, lane: SSAValue, warp: SSAValue) -> Iterator[_MatrixRows]:
    """Yield the groups of matrix instructions of a block that a warpgroup can compute at once.

    lane: the number of a thread in its warp.
    warp: the number of a warp in the block.
    """
    by_rows: dict[SSAValue, list[MmaOp]] = {}
    for op in block.ops:
        if isinstance(op, MmaOp):
            by_rows.setdefault(op.lhs, []).append(op)
    for value, uses in by_rows.items():
        element = uses[0].element_type
        if element not in (f16, bf16):
            return
        shape = SHAPES[element]
        rows = _part(value, shape.lhs, lane)
        parts = [(_part(op.rhs, shape.rhs, lane), op) for op in uses]
        columns = [(part, op) for part, op in parts if part is not None]
        lhs = None if rows is None else _rows_of_group(rows, warp)
        if lhs is None or len(columns) < len(parts):
            return
        columns.sort(key=lambda each: each[0].first[each[0].axis(1)].const)
        rhs = columns[0][0]
        if _are_adjacent([part for part, _ in columns]) and _is_aligned(lhs, rhs, len(columns)):
            yield _MatrixRows(lhs, rhs, [op for _, op in columns])


def _part(value: SSAValue, fragment: Fragment, lane: SSAValue) -> _SharedOperand | None:
    """Return the part of a shared buffer from which a warp loads an operand.

    None if the operand is not loaded from one part of a shared buffer.
    value: the operand.  fragment: its distribution over the threads of a warp.  lane: the number of
    a thread in its warp.
    """
    pack = value.owner
    loaded = LoadedFragment.of(pack, lane) if isinstance(pack, PackOp) else None
    if loaded is None or len(loaded.rest) < 2:
        return None
    rows = zip(fragment.places(), loaded.places, strict=True)
    held = {place: at for row in rows for place, at in zip(*row, strict=True)}
    start = held[0, 0]
    *outer, row, column = start
    for along_rows in (True, False):
        if all(
            at == (*outer, row + (i if along_rows else j), column + (j if along_rows else i))
            for (i, j), at in held.items()
        ):
            first = [rest + at for rest, at in zip(loaded.rest, start, strict=True)]
            return _SharedOperand(loaded.mem, first, along_rows)
    return None


def _rows_of_group(part: _SharedOperand, warp: SSAValue) -> _SharedOperand | None:
    """Return the rows of the warpgroup to which a warp belongs.

    None unless the rows of each warp directly follow the 16 rows of the warp before it.
    part: the rows of the warp.  warp: the number of the warp.
    """
    dimension = part.axis(0)
    own = part.first[dimension]
    rest = own.without(warp)
    others = [e for n, e in enumerate(part.first) if n != dimension]
    if own.coefficient(warp) != _WARP_ROWS or any(warp in e.variables() for e in (rest, *others)):
        return None
    group = divide("floordiv", variable(warp), _WARPS, _range_of)
    return part.moved(dimension, rest + group * GROUP_ROWS)


def _are_adjacent(parts: Sequence[_SharedOperand]) -> bool:
    """Return whether parts with eight columns each are next to each other in one buffer."""
    if len({(part.mem, part.along_rows) for part in parts}) > 1:
        return False
    dimension = parts[0].axis(1)
    return all(
        other.first == one.moved(dimension, one.first[dimension] + SWIZZLED_PART).first
        for one, other in pairwise(parts)
    )


def _is_aligned(lhs: _SharedOperand, rhs: _SharedOperand, count: int) -> bool:
    """Return whether the operands start where a matrix descriptor can address them.

    count: the number of parts of 8 columns in ``rhs``.
    """
    columns = count * SWIZZLED_PART
    sides = ((lhs, 0, GROUP_ROWS), (rhs, 1, columns))
    if columns > GROUP_COLUMNS:
        return False
    for part, own, extent in sides:
        *_, row, column = part.first
        is_summed = part.axis(own) != len(part.first) - 1
        step = GROUP_STEP if is_summed else min(extent, SWIZZLED_ROW)
        if SWIZZLED_ROW % step or (extent % step and not is_summed):
            return False
        if not _divides(SWIZZLED_ROWS, row) or not _divides(step, column):
            return False
    return True


def _divides(divisor: int, index: Index) -> bool:
    return not any(n % divisor for n in (index.const, *index.terms.values()))


def _can_swizzle(tile: SSAValue, loads: set[LoadOp]) -> bool:
    """Return whether a tile can be stored swizzled: only instructions of warpgroups read it.

    loads: the loads that these instructions replace.
    """
    alloc = tile.owner
    if not isinstance(alloc, AllocOp) or alloc.scope.data != "shared":
        return False
    *_, rows, columns = alloc.res.type.get_shape()
    if rows % SWIZZLED_ROWS or columns % SWIZZLED_ROW:
        return False
    users = [use.operation for use in tile.uses]
    stores = [op for op in users if isinstance(op, StoreOp)]
    reads = [op for op in users if not isinstance(op, StoreOp)]
    return all(op in loads for op in reads) and all(map(_is_in_part, stores))


def _is_in_part(store: StoreOp) -> bool:
    lanes = copied_bytes(store.value.type) // 2
    is_plain = set(store.properties) == {"map"} and SWIZZLED_PART % lanes == 0
    return is_plain and _divides(lanes, store.indices()[-1])


# ---- joining


def _products(steps: Sequence[_MatrixRows]) -> Iterator[list[_MatrixRows]]:
    """Divide steps into products, each a list of steps that add to one result, and yield these.

    steps: the groups of matrix instructions, in program order.
    """
    product: list[_MatrixRows] = []
    for step in steps:
        if product and not _continues(product[-1], step):
            yield product
            product = []
        product.append(step)
    yield product


def _continues(one: _MatrixRows, other: _MatrixRows) -> bool:
    """Return whether step ``other`` alone uses the results of step ``one``, and adds to them."""
    sides = ((one.lhs, other.lhs), (one.rhs, other.rhs))
    is_alike = all(a.along_rows == b.along_rows for a, b in sides)
    if not is_alike or len(one.uses) != len(other.uses):
        return False
    uses = zip(one.uses, other.uses, strict=True)
    is_chain = all(b.acc is a.res and len(list(a.res.uses)) == 1 for a, b in uses)
    return is_chain and _is_quiet(one.uses[0], other.uses[-1])


def _is_quiet(first: Operation, last: Operation) -> bool:
    """Return whether no op from ``first`` to ``last`` writes memory or waits.

    Both ops are in one block.
    """
    op: Operation | None = first
    while op is not None and op is not last:
        if isinstance(op, StoreOp | BarrierOp) or op.regions:
            return False
        op = op.next_op
    return op is last


def _join(product: Sequence[_MatrixRows]) -> None:
    """Replace the matrix instructions of a product by one warpgroup instruction and its wait."""
    first, last = product[0], product[-1]
    block = last.uses[-1].parent
    order = {op: number for number, op in enumerate(block.ops)} if block else {}
    place = max(last.uses, key=lambda op: order[op])
    lhs, rhs = (
        [MatrixDescriptorOp.make(part.mem, part.first) for part in parts]
        for parts in ([step.lhs for step in product], [step.rhs for step in product])
    )
    made = WarpgroupMmaOp.make(
        first.uses[0].element_type,
        [op.res for op in lhs],
        [op.res for op in rhs],
        [op.acc for op in first.uses],
        lhs_rows=not first.lhs.along_rows,
        rhs_rows=first.rhs.along_rows,
    )
    wait = WarpgroupWaitOp(0, made.res)
    for op in (made, wait):
        op.location = place.location
    assert block is not None, "a product stands in a kernel"
    block.insert_ops_before([*lhs, *rhs, made, wait], place)
    for op, result in zip(last.uses, wait.res, strict=True):
        op.res.replace_all_uses_with(result)
    uses = [op for step in product for op in step.uses]
    packs = dict.fromkeys(cast(PackOp, v.owner) for op in uses for v in (op.lhs, op.rhs))
    for op in reversed(uses):
        Rewriter.erase_op(op)
    for pack in packs:
        erase_unused(pack)


# ---- swizzling


def _swizzle(old: AllocOp) -> None:
    """Store a tile in rows of 128 bytes whose parts of 16 bytes are permuted (swizzled)."""
    *outer, rows, columns = old.res.type.get_shape()
    new = old.resized([*outer, columns // SWIZZLED_ROW, rows, SWIZZLED_ROW])
    Rewriter.insert_op(new, InsertPoint.before(old))
    for use in list(old.res.uses):
        op = use.operation
        assert isinstance(op, StoreOp | MatrixDescriptorOp), "nothing else uses the tile"
        *outside, row, column = op.indices()
        panel = divide("floordiv", column, SWIZZLED_ROW, _range_of)
        column = divide("mod", column, SWIZZLED_ROW, _range_of)
        if isinstance(op, StoreOp):
            column = _exchanged(op, row, column)
        set_indices(op, [*outside, panel, row, column], new.res)
    Rewriter.erase_op(old)


def _exchanged(store: StoreOp, row: Index, column: Index) -> Index:
    """Return the column to which a store writes after swizzling.

    A row of 128 bytes has 8 parts of 16 bytes. The number of the part is xored with the row modulo
    8.
    row, column: the position of the store before swizzling.
    """
    part = IndexOp.make(divide("floordiv", column, SWIZZLED_PART, _range_of))
    turn = IndexOp.make(divide("mod", row, SWIZZLED_ROWS, _range_of))
    moved = XOrIOp(part.res, turn.res, IndexType())
    value = store.value.owner
    # simt-async-copies joins a load and the store behind it.
    place = value if isinstance(value, LoadOp) and value.next_op is store else store
    Rewriter.insert_op([part, turn, moved], InsertPoint.before(place))
    rest = divide("mod", column, SWIZZLED_PART, _range_of)
    return variable(moved.result) * SWIZZLED_PART + rest


def _range_of(key: Key) -> Range:
    owner = cast(SSAValue, key).owner
    if isinstance(owner, IdOp) and owner.bound.value is not None:
        return 0, owner.bound.value - 1
    return loop_variable_range(key)
