"""cpu-plan-graph: store the channels of convolutions in blocks of vector length.

    %y = graph.conv %x, %w … : … -> tensor<1x64x56x56xf32>
==>
    %y = graph.conv %x, %w … {layout = (n, c, h, w) -> (n, c floordiv 8, h, w, c mod 8)}

A vector then holds adjacent channels of one pixel, so one load is valid for every position of a
convolution's window, and rows of any width fill the vectors.  Blocks start at convolutions whose
channels they divide, and at elementwise ops that only convolutions read.  Bytes whose channels no
vector divides have one block for all channels, rounded up to whole steps of dot products: 100 ->
100 channels of bytes, 1x1 on 14 x 14: 70 -> 18 us (Zen 4).  Results of f32 have one block of whole
vectors if that takes fewer modelled cycles (row_layouts.py).  Blocks propagate forward through
pools, elementwise ops, lookups in tables, normalizations of each channel, spatial pads and
concatenations.
Types of the graph do not change; te-bufferize gives buffers the layouts.

Before: graph ops of main; an existing `layout` of an op is not changed.
After: only values of shape (N, C, X…) that are not arguments of main have a layout (te-bufferize
still stores the results of main row-major); a blocked depthwise convolution reads a value with the
same block, or an argument.
Exact: only layouts change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, f32, i8, i32
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.dtypes import bit_width
from ....dialects.graph import (
    BitcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    ConvTransposeOp,
    DequantizeOp,
    ElementwiseOp,
    GatherOp,
    GraphOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    QuantizeOp,
    ResampleOp,
    SelectOp,
    SliceOp,
    TransposeOp,
    XorOp,
)
from ....dialects.shape import dims_of, type_of
from ....dialects.te.layout import FEW_CHANNELS, blocked_layout
from ....lowering.graph_to_te.resample import window_of
from ....lowering.graph_to_te.resample_periods import is_affine
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....passes.graph.quantized_values import POINTWISE
from ....support.entry import find_entry
from ....support.passes import ChoosingPass, ExactPass
from ..layouts import CHANNELS, channel_block
from ..plan.instruction import byte_blocks, fewest_lanes, fewest_terms
from .row_layouts import WIDE_ROWS, fills_block, has_narrow_rows, returns_rows

MIN_BLOCK = 4
"""The fewest channels in a block of half or a quarter of a vector."""

RANKS = (3, 4, 5)


@dataclass
class BlockPlan:
    """The channel blocks chosen so far: numbers of channels that are stored together.

    target: the target.  lanes: returns the elements per vector for a width in bits; 0 if the target
    plans no vectors.  fixed: values that stay row-major: arguments of main, and results for which a
    caller has chosen this.  blocks: the block of each value that is stored in blocks.
    """

    target: Target
    lanes: Callable[[int], int]
    fixed: set[SSAValue]
    blocks: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    @cached_property
    def byte_blocks(self) -> Sequence[int]:
        """The blocks for values that products read as bytes.

        Only blocks of the instructions on bytes that take more channels than a vector has lanes.
        """
        return byte_blocks(self.target, self.lanes(bit_width(i32)))

    @cached_property
    def byte_step(self) -> int:
        """The bytes that a dot product multiplies and adds at least.

        0 if the target has no such instruction, or plans no vectors; a block of bytes then does not
        hold all channels.
        """
        step = fewest_terms(self.target, [i8, i8]) if self.lanes(bit_width(i32)) else 1
        return step if step > 1 else 0

    @cached_property
    def byte_lanes(self) -> int:
        """The fewest sums that a dot product of bytes computes at once."""
        return fewest_lanes(self.target)

    def of(self, values: Sequence[SSAValue]) -> list[int | None]:
        """Return the channel block of each value; None for a value that is stored row-major."""
        return [self.blocks.get(value) for value in values]

    def preferred(self, value: SSAValue, groups: int = 1) -> int | None:
        """Return the first of the blocks that `fitting` returns; None if no block fits."""
        return next(iter(self.fitting(value, groups)), None)

    def fitting(self, value: SSAValue, groups: int = 1) -> list[int]:
        """Return the blocks for the channels of a group, the preferred one first.

        These are a vector, its half and its quarter, if they divide the channels.  Bytes have one
        block for all channels, rounded up to whole steps of dot products, instead of a quarter.
        With several groups a quarter is never used, because row-major storage is then better:
        vectors along a row are full, and all channels of a group use the loaded rows.
        groups: the groups of the convolution that computes the value.
        """
        channels = (channels_of(value) or 0) // groups
        lanes = self.lanes(max(32, bit_width(type_of(value).element_type)))
        holds_bytes = self.holds_bytes(value)
        joins_all = holds_bytes and groups == 1 and channels > FEW_CHANNELS and self.byte_step
        parts = (lanes // 2,) if groups > 1 or joins_all else (lanes // 2, lanes // 4)
        least = self.byte_lanes if joins_all else MIN_BLOCK
        smaller = [part for part in parts if part >= least]
        larger = self.byte_blocks if holds_bytes else ()
        found = [b for b in (*larger, lanes, *smaller) if b and channels and channels % b == 0]
        return [*found, whole_steps(channels, self.byte_step)] if joins_all else found

    def holds_bytes(self, value: SSAValue) -> bool:
        """Return whether products may read a value, or a value derived from it, as bytes.

        This is so for integers: bytes, and sums, which may be quantized to bytes.
        """
        element = type_of(value).element_type
        return isinstance(element, IntegerType) and bit_width(element) > 1

    def accepts(self, value: SSAValue) -> bool:
        """Return whether a value may be stored in blocks of channels."""
        op = value.owner
        if not isinstance(op, GraphOp) or isinstance(op, ConstantOp) or value in self.fixed:
            return False
        if op.regions:
            return False
        return value is op.results[0] and len(dims_of(type_of(value))) in RANKS

    def annotate(self, value: SSAValue, block: int) -> None:
        """Set the layout of a value to blocks of channels."""
        op = value.owner
        assert isinstance(op, GraphOp), f"no op defines {value}"
        op.layout = blocked_layout(len(dims_of(type_of(value))), CHANNELS, block)
        self.blocks[value] = block


def whole_steps(channels: int, step: int) -> int:
    """Return a number of channels, rounded up to whole steps."""
    return -(-channels // step) * step


Rule: TypeAlias = Callable[[Any, BlockPlan], int | None]
"""A function from an op to the block of the op's first result; None: row-major."""


def channels_of(value: SSAValue) -> int | None:
    """Return the number of channels of a value; None if it is symbolic."""
    return dims_of(type_of(value))[CHANNELS].value


def is_depthwise(op: ConvOp | ConvTransposeOp) -> bool:
    """Return whether a convolution is depthwise: each output channel reads one input channel."""
    if isinstance(op, ConvTransposeOp):
        return False
    return op.groups > 1 and channels_of(op.x) == channels_of(op.out) == op.groups


def block_of_conv(op: ConvOp, plan: BlockPlan) -> int | None:
    """Return the channel block for the result of a convolution; None: row-major.

    A block lies within a group.  It holds all channels, rounded up to whole vectors, if only a
    quarter of a vector or no block divides them, and the convolution is then faster.  A depthwise
    convolution needs its input in the same blocks.  If the input is an argument of main, which has
    no blocks, the result gets blocks only if its rows are narrow, or if a transpose reads it: a
    transpose loads vectors from blocks, but single elements from rows.
    """
    if not is_depthwise(op):
        store_for_sums(op.x, plan)
        if op.x not in plan.blocks and returns_rows(op, plan.target) and is_returned(op.out, plan):
            return None
        block = block_of_sums(op.out, op.groups, plan)
        lanes = plan.lanes(bit_width(f32))
        if lanes and (block is None or 2 * block < lanes):
            copied = copied_elements(op.out, plan)
            if fills_block(op, block, copied, plan.target):
                return whole_steps(channels_of(op.out) or 0, lanes)
        return block
    known = plan.blocks.get(op.x)
    if known is not None:
        return known
    if any(wants_rows(use.operation, plan) for use in op.out.uses):
        return None
    block = plan.preferred(op.out)
    if block is None:
        return None
    is_transposed = any(isinstance(use.operation, TransposeOp) for use in op.out.uses)
    if op.x in plan.fixed and (is_transposed or has_narrow_rows(op, block, plan.target)):
        return block
    return block if require(op.x, block, plan) else None


def store_for_sums(x: SSAValue, plan: BlockPlan) -> None:
    """Store the row-major result x of an elementwise op in blocks, if only convolutions read it.

    Group normalization yields rows, and convolutions that read rows are not split into passes whose
    weights stay in the caches.  GroupNorm, SiLU and 3x3 from 2560 to 1280 channels on 8 x 8, twice:
    94 -> 53 ms.
    """
    made = _flipped_by(x) or x.owner
    if not is_stored_in_rows(x, made, plan):
        return
    users = [use.operation for use in x.uses]
    groups = [u.groups for u in users if isinstance(u, ConvOp) and not is_depthwise(u)]
    if len(groups) < len(users) or (max(groups) > 1 and made is x.owner):
        return
    block = plan.preferred(x, max(groups))
    if block is not None:
        plan.annotate(x, block)


def is_stored_in_rows(x: SSAValue, made: Operation | Block, plan: BlockPlan) -> bool:
    """Return whether a value is an elementwise result that may get blocks, but has none.

    made: the elementwise op, for which no convolution or pool chose rows.
    """
    if not isinstance(made, POINTWISE) or x in plan.blocks or not plan.accepts(x):
        return False
    return not chose_rows(made)


def _flipped_by(x: SSAValue) -> ElementwiseOp | None:
    """Return the op that flipped the unsigned bytes of a value for the pass cpu-sign-bytes.

    x: the value, a bitcast of the result of a graph.xor.  None for any other value.
    """
    made = x.owner.x.owner if isinstance(x.owner, BitcastOp) else None
    return made if isinstance(made, ElementwiseOp) and made.name == XorOp.name else None


def chose_rows(op: GraphOp) -> bool:
    """Return whether a convolution or pool computes, row-major, an operand of an elementwise op.

    There may be further elementwise ops between the two.  The convolution or pool then got no
    blocks of channels, and the elementwise op should stay row-major, too.  Before: no operand of
    the op is stored in blocks.
    """
    seen, waiting = {op}, [op]
    while waiting:
        for owner in (operand.owner for operand in waiting.pop().operands):
            if isinstance(owner, ConvOp | ConvTransposeOp | PoolOp):
                return True
            if isinstance(owner, POINTWISE) and owner not in seen:
                seen.add(owner)
                waiting.append(owner)
    return False


def wants_rows(op: Operation, plan: BlockPlan) -> bool:
    """Return whether a convolution's result should be row-major.

    True for a grouped, not depthwise convolution if no block divides the channels of a group.
    """
    if not isinstance(op, ConvOp) or op.groups == 1 or is_depthwise(op):
        return False
    return plan.preferred(op.out, op.groups) is None


def block_of_conv_transpose(op: ConvTransposeOp, plan: BlockPlan) -> int | None:
    """Return the channel block for the result of a transposed convolution; None: row-major.

    With strides, the op becomes several convolutions (phases), whose results are interleaved
    (lowering/graph_to_te/conv_transpose.py); the phases then have the same blocks.  If main returns
    such a result, it is row-major, because the interleaving writes rows anyway.
    """
    if max(op.strides) > 1 and is_returned(op.out, plan):
        return None
    return block_of_sums(op.out, op.groups, plan)


def block_of_sums(out: SSAValue, groups: int, plan: BlockPlan) -> int | None:
    """Return the channel block for the result of a convolution of any kind; None: row-major.

    out: the result.  groups: the groups of the convolution; a block lies within one group.

    A block shorter than a vector only pays if a reader of the result uses blocks. If main returns
    the result and its rows are wide, it is therefore stored row-major, where whole vectors run
    along the rows: 12 channels of 954: 400 -> 200 us; 1016 channels of 285: 388 -> 275 us.
    """
    block = plan.preferred(out, groups)
    lanes = plan.lanes(max(32, bit_width(type_of(out).element_type)))
    width = dims_of(type_of(out))[-1].value or 0
    if block is None or block == lanes or groups > 1 or width < WIDE_ROWS * lanes:
        return block
    return None if is_returned(out, plan) else block


def copied_elements(value: SSAValue, plan: BlockPlan) -> int:
    """Return the elements of a value that are copied to rows if the value is stored in blocks.

    These are all or none: all if an op reads the value that no rule stores in the same block.
    """
    users = _readers(value, _keeps_blocks)
    if all(isinstance(user, ConvOp | PoolOp | ResampleOp) for user in users):
        return 0
    return prod(dim.value or 1 for dim in dims_of(type_of(value)))


def _keeps_blocks(op: Operation) -> bool:
    """Return whether an op of single elements or channels has the blocks of its operand."""
    return isinstance(op, POINTWISE) or (isinstance(op, NormalizeOp) and CHANNELS not in op.axes)


def is_returned(value: SSAValue, plan: BlockPlan) -> bool:
    """Return whether main returns a value, and no other op uses it.

    Elementwise ops between the value and the return are allowed if none of their operands is stored
    in blocks.
    """

    def is_between(op: Operation) -> bool:
        return isinstance(op, ElementwiseOp) and not any(plan.of(op.operands))

    return not any(user.results for user in _readers(value, is_between))


def _readers(value: SSAValue, is_between: Callable[[Operation], bool]) -> Iterator[Operation]:
    """Yield the ops that read a value, also through the first results of ops between them.

    is_between: whether an op is between a value and its readers.
    """
    seen, waiting = {value}, [value]
    while waiting:
        for op in (use.operation for use in waiting.pop().uses):
            if not is_between(op):
                yield op
            elif op.results[0] not in seen:
                seen.add(op.results[0])
                waiting.append(op.results[0])


def require(value: SSAValue, block: int, plan: BlockPlan) -> bool:
    """Store a value in blocks for a reader that needs blocks; return whether that is possible.

    value: the value.  block: the number of channels in a block.  If a depthwise convolution
    computes the value, the convolution's input gets the same blocks.
    """
    if value in plan.blocks:
        return plan.blocks[value] == block
    if not plan.accepts(value):
        return False
    op = value.owner
    if isinstance(op, ConvOp) and is_depthwise(op) and not require(op.x, block, plan):
        return False
    plan.annotate(value, block)
    return True


def block_of_operand(op: PoolOp, plan: BlockPlan) -> int | None:
    """Return the channel block for the result of a pool: that of its operand; None: row-major.

    A pool does not mix channels, so the result can be stored like the operand.
    """
    return plan.blocks.get(op.x)


def block_of_normalize(op: NormalizeOp, plan: BlockPlan) -> int | None:
    """Return the channel block for normalized values: that of the operand; None: row-major.

    The values are row-major also if the op normalizes across channels.
    """
    return None if CHANNELS in op.axes else plan.blocks.get(op.x)


def block_of_resample(op: ResampleOp, plan: BlockPlan) -> int | None:
    """Return the channel block for a resampled value: that of the operand; None: row-major.

    The result is row-major also if the op resamples channels, or if it reads its operand by a
    table.
    """
    block = plan.blocks.get(op.x)
    if block is None or op.axis == CHANNELS:
        return None
    return block if is_affine(op) or window_of(op) is not None else None


def block_of_elementwise(op: GraphOp, plan: BlockPlan) -> int | None:
    """Return the channel block for an elementwise result: that of the first blocked operand.

    None if no operand is stored in blocks.  All operands have the shape of the result.
    """
    return next((block for block in plan.of(op.operands) if block is not None), None)


def block_of_lookup(op: GatherOp, plan: BlockPlan) -> int | None:
    """Return the channel block for the results of lookups in a table of one dimension.

    It is that of the indices; None if they are row-major, or if the table has more dimensions.
    Convolution of bytes 67 -> 85, 3x3, after a table for ELU: 1750 -> 210 us (Zen 4).
    """
    return plan.blocks.get(op.indices) if len(dims_of(type_of(op.x))) == 1 else None


def block_of_bitcast(op: BitcastOp, plan: BlockPlan) -> int | None:
    """Return the channel block for the result of a bitcast: that of its operand; None: row-major.

    The result is row-major also if the elements change width, and thus the shape.
    """
    one = dims_of(type_of(op.x)) == dims_of(type_of(op.out))
    return plan.blocks.get(op.x) if one else None


def block_of_concat(op: ConcatOp, plan: BlockPlan) -> int | None:
    """Return the channel block that all operands of a concatenation have.

    The boundaries between operands are then boundaries of blocks, so the operands can be computed
    in place.  That is so, too, if one block has all channels of the result: bytes get such a block
    if the blocks of the operands differ or are not whole.  None otherwise, or without blocks.
    """
    blocks = plan.of(op.xs)
    first = blocks[0]
    if first is not None and set(blocks) == {first}:
        whole = all((channels_of(x) or 1) % first == 0 for x in op.xs)
        if whole or op.axis != CHANNELS:
            return first
    channels = channels_of(op.out)
    if channels is None or not any(blocks) or not plan.holds_bytes(op.out) or not plan.byte_step:
        return None
    return whole_steps(channels, plan.byte_step)


def block_of_slice(op: SliceOp, plan: BlockPlan) -> int | None:
    """Return the channel block for a slice: that of its operand; None: row-major.

    The slice must start and end at boundaries of blocks.  A 1x1 convolution of the Concat of two
    such slices and two sums, to 64 channels of 160 x 160: 4.4 -> 1.6 ms.
    """
    block = plan.blocks.get(op.x)
    start, size = op.starts[CHANNELS].value, channels_of(op.out)
    if block is None or start is None or size is None or op.steps[CHANNELS] != 1:
        return None
    return None if start % block or size % block else block


def block_of_pad(op: PadOp, plan: BlockPlan) -> int | None:
    """Return the channel block for a pad: that of its operand; None if it pads channels.

    Bytes behind the channels may fill the only block; if the operand is row-major, the result gets
    the block of a convolution.  So does the operand if it is an elementwise result that no other op
    reads; te-bufferize then computes it in place.
    """
    block, channels = plan.blocks.get(op.x), channels_of(op.out)
    if op.low[CHANNELS] == op.high[CHANNELS] == 0:
        return block
    if op.low[CHANNELS] or channels is None or not plan.holds_bytes(op.out) or not plan.byte_step:
        return None
    if block is not None:
        return block if channels <= block else None
    block = plan.preferred(op.out)
    if block is not None and op.x.has_one_use() and is_stored_in_rows(op.x, op.x.owner, plan):
        plan.annotate(op.x, block)
    return block


RULES: Mapping[type[GraphOp], Rule] = {
    ConvOp: block_of_conv,
    ConvTransposeOp: block_of_conv_transpose,
    PoolOp: block_of_operand,
    NormalizeOp: block_of_normalize,
    ResampleOp: block_of_resample,
    ElementwiseOp: block_of_elementwise,
    SelectOp: block_of_elementwise,
    CastOp: block_of_elementwise,
    BitcastOp: block_of_bitcast,
    GatherOp: block_of_lookup,
    QuantizeOp: block_of_elementwise,
    DequantizeOp: block_of_elementwise,
    ConcatOp: block_of_concat,
    SliceOp: block_of_slice,
    PadOp: block_of_pad,
}
"""The rules of ops that choose or propagate a block; results of all others are row-major."""


@dataclass(frozen=True)
class CpuPlanGraph(ChoosingPass, TargetedPass, ExactPass):
    """Choose blocked layouts for values, and record them on ops."""

    name = "cpu-plan-graph"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        if main is None:
            return
        self.check_nodes(op)
        plan = self._plan(main.body.block.args)
        for each in main.body.block.ops:
            given = each.layout if isinstance(each, GraphOp) else None
            if given is not None:
                if (known := channel_block(given)) is not None:
                    plan.blocks[each.results[0]] = known
            elif isinstance(each, GraphOp) and each.results and plan.accepts(each.results[0]):
                self._choose(each, plan)

    def _choose(self, op: GraphOp, plan: BlockPlan) -> None:
        """Choose the block of an op's first result: by the caller's choice, or by the op's rule."""
        rule = next((rule for base, rule in RULES.items() if isinstance(op, base)), None)
        block, word = None if rule is None else rule(op, plan), self.chosen(op)
        if word:
            block = int(word)
        if block:
            plan.annotate(op.results[0], block)
        elif word:
            plan.fixed.add(op.results[0])

    def words(self, op: Operation) -> tuple[str, ...]:
        """Return the possible blocks of a convolution; 0: row-major.

        A depthwise convolution has no choice, because it has the blocks of its input.
        """
        if not isinstance(op, ConvOp | ConvTransposeOp) or is_depthwise(op):
            return ()
        blocks = self._plan(()).fitting(op.out, op.groups)
        return ("0", *map(str, blocks)) if blocks else ()

    def _plan(self, fixed: Iterable[SSAValue]) -> BlockPlan:
        """Return a plan without blocks.

        fixed: the values that stay row-major.

        C source has blocks of channels only for values that are read as bytes, because the C
        compiler, not the plan, chooses vectors.
        """
        target = self.target
        lanes = target.lanes if target.kind == "llvm" else lambda _: 0
        return BlockPlan(target, lanes, {*fixed})
