"""packed-plan-memory: assign the buffers of the main function to offsets in one arena.

    %a = packed.alloc : memref<1024xf32>     packed.call @f(%x, %a)     packed.call @g(%a, %y)
==>
    func.func @main(..) attributes {tw.arena_bytes = 4096 : i64}
    %a = packed.alloc at 0 : memref<1024xf32>
    packed.call @f(%x, %a)     packed.call @g(%a, %y) workspace at 4096

Before: main has packed ops on memrefs.  After: every packed.alloc has an offset, a multiple of 64;
buffers with overlapping live ranges do not overlap in the arena; tw.arena_bytes is the size of the
arena. If a buffer has symbolic sizes, the allocs move to the start of main, and instead of an
offset each alloc names the buffers directly below it (arena.py):
    %a = packed.alloc at 0 : memref<?xf32, #te.dims<s>>
    %b = packed.alloc above (%a : memref<?xf32, #te.dims<s>>) : memref<64xf32>
The sizes of a call give the offsets; if they are multiples of more than 64 bytes, the attribute
tw.arena_alignment of main is this number.
The arena has one block per stage of main. A buffer whose size depends on a computed size is in the
block of the stage that packed.bind begins, and its alloc moves directly after that op. All other
buffers are in the first block, for the whole run. So no buffer moves in memory when main computes a
size. A kernel's workspace depends on the number of threads, so the call records the offset where
the workspace may begin: after the buffers that are live at the call, or with symbolic sizes after
all buffers.

A buffer of the host is not in the arena. A buffer whose size depends on the iteration number of a
loop is allocated with its largest size; a packed.view takes its first elements.

The live range of a buffer runs from the first to the last use of its alloc or of an alias: a view
or slice, or a value that control flow carries, yields or returns. A use in a loop extends the range
to the whole loop, unless the alloc is in that loop. Branches of one packed.if may share bytes.
Exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.dtypes import buffer_bytes, buffer_size
from ...dialects.functions import (
    ARENA_BYTES,
    WORKSPACE_BYTES,
    record_alignment,
    record_bytes,
    recorded_bytes,
)
from ...dialects.iteration_sizes import with_largest
from ...dialects.loop import ALIGNMENT_BYTES
from ...dialects.packed import (
    AllocOp,
    CallOp,
    IfOp,
    LoopOp,
    SectionsOp,
    SliceOp,
    ViewOp,
    YieldOp,
    check_stages,
    host_ops,
    stage_of_type,
    start_of_stage,
)
from ...dialects.packed.arena import Life, aligned, assign_offsets, sample_sizes, stack
from ...dialects.shape import Dim, symbols_of
from ...support.blocks import enclosing
from ...support.passes import ExactPass

Span: TypeAlias = tuple[int, int]
"""The first and last position of an op and the ops nested in it."""


def live_ranges(function: FuncOp) -> dict[AllocOp, Span]:
    """Return the live range of each buffer of the arena: the first and the last op that need it.

    An op is given as its index in `host_ops`, the ops of the main function in program order.
    """
    allocations = _allocations(function)
    spans = _spans(function.body.block) if allocations else {}
    lives = _lives(allocations, spans, [0] * len(allocations))
    return {op: (life.first, life.last) for op, life in zip(allocations, lives, strict=True)}


@dataclass(frozen=True)
class PlanMemory(ExactPass):
    """Assign an offset in the arena to every buffer of the main function.

    alignment: a divisor of all offsets, a multiple of 64.
    """

    name = "packed-plan-memory"
    alignment: int = ALIGNMENT_BYTES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.ops if isinstance(f, FuncOp)]
        spacious = {f.sym_name.data for f in functions if recorded_bytes(f, WORKSPACE_BYTES)}
        for function in functions:
            if _allocations(function):
                _plan(function, spacious, self.alignment)


def _allocations(function: FuncOp) -> list[AllocOp]:
    if not function.body.blocks:
        return []
    ops = host_ops(function.body.block)
    return [op for op in ops if isinstance(op, AllocOp) and not op.is_host]


def _plan(function: FuncOp, spacious: Collection[str], alignment: int) -> None:
    """Assign offsets to the buffers of a function.

    spacious: the names of the kernels that need workspace.  alignment: a divisor of all offsets.
    """
    check_stages(function)
    for op in _allocations(function):
        _enlarge(op)
    allocations, spans = _allocations(function), _spans(function.body.block)
    if any(symbols_of(op.res.type) for op in allocations):
        record_alignment(function, alignment)
        _stack_stages(function, allocations, spans)
        return
    lives = _lives(allocations, spans, [buffer_bytes(op.res.type) for op in allocations])
    offsets, size = assign_offsets(lives, alignment)
    for op, offset in zip(allocations, offsets, strict=True):
        op.properties["offset"] = IntegerAttr(offset, i64)
    record_bytes(function, ARENA_BYTES, size)
    for op, (position, _) in spans.items():
        if isinstance(op, CallOp) and op.kernel_name in spacious:
            op.workspace = IntegerAttr(_end(lives, offsets, position), i64)


def _enlarge(op: AllocOp) -> None:
    """Allocate a buffer with the largest size that it has in any iteration of the loops around it.

    This is for buffers whose size depends on iteration numbers. The users of the buffer get a view
    of its first elements, of the original type.
    """
    type_, largest = op.res.type, op.res.type
    for parent in enclosing(op):
        if isinstance(parent, LoopOp) and parent.symbol is not None:
            assert parent.steps is not None, "checked by the verifier"
            largest = with_largest(largest, parent.symbol, Dim.of(parent.steps))
    if largest == type_:
        return
    made = Rewriter.replace_value_with_new_type(op.res, largest)
    view = ViewOp(made, type_)
    made.replace_uses_with_if(view.res, lambda use: use.operation is not view)
    Rewriter.insert_op(view, InsertPoint.after(op))


def _stack_stages(
    function: FuncOp, allocations: Sequence[AllocOp], spans: Mapping[Operation, Span]
) -> None:
    """Assign the buffers of each stage of the main function to one block of the arena.

    The allocations of a stage move to the start of that stage, the buffer with the lowest address
    first.
    spans: the index of each op in program order, and of the last op nested in it.
    """
    stages: dict[int, list[AllocOp]] = {}
    for op in allocations:
        stages.setdefault(stage_of_type(function, op.res.type), []).append(op)
    for stage, made in stages.items():
        order = _stacked(made, spans)
        for op in made:
            op.detach()
        following = start_of_stage(function, stage)
        for op in order:
            Rewriter.insert_op(op, InsertPoint.before(following))


def _stacked(allocations: Sequence[AllocOp], spans: Mapping[Operation, Span]) -> list[AllocOp]:
    """Record on each alloc the buffers directly below it; return the allocs, lowest address first.

    spans: the index of each op in program order, and of the last op nested in it.
    """
    sizes = [Dim.of(buffer_size(op.res.type)) for op in allocations]
    names = sorted({name for size in sizes for name in size.symbols()})
    samples = [[size.evaluate(given) for size in sizes] for given in sample_sizes(names)]
    order = stack([_lives(allocations, spans, sample) for sample in samples])
    for position, below in order.items():
        op = allocations[position]
        op.operands = [allocations[other].res for other in below]
        if not below:
            op.properties["offset"] = IntegerAttr(0, i64)
    return [allocations[position] for position in order]


def _end(lives: Sequence[Life], offsets: Sequence[int], position: int) -> int:
    """Return the largest end offset, in bytes, of the buffers that are live at an op; 0 if none is.

    lives, offsets: the live range and the offset of each buffer.
    position: the index of the op in program order.
    """
    placed = zip(lives, offsets, strict=True)
    ends = (o + aligned(b.size_bytes) for b, o in placed if b.first <= position <= b.last)
    return max(ends, default=0)


def _lives(
    allocations: Sequence[AllocOp], spans: Mapping[Operation, Span], sizes: Sequence[int]
) -> list[Life]:
    out: list[Life] = []
    for op, size in zip(allocations, sizes, strict=True):
        uses = [span for alias in _aliases(op.res) for span in _uses(alias, op, spans)]
        uses = uses or [spans[op]]
        first, last = min(first for first, _ in uses), max(last for _, last in uses)
        out.append(Life(size, first, last))
    return out


def _spans(block: Block) -> dict[Operation, Span]:
    """Return for every op its index in program order, and the index of the last op nested in it.

    Both indices are equal for an op without regions.
    """
    ops = list(host_ops(block))
    spans: dict[Operation, Span] = {op: (i, i) for i, op in enumerate(ops)}
    for op in reversed(ops):
        last = spans[op][1]
        parent = op.parent_op()
        if parent is not None and parent in spans:
            spans[parent] = spans[parent][0], max(spans[parent][1], last)
    return spans


def _aliases(value: SSAValue) -> set[SSAValue]:
    """Return the values that may alias a buffer or a part of it."""
    found: set[SSAValue] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += [v for use in one.uses for v in _passed_on(use)]
    return found


def _passed_on(use: Use) -> Sequence[SSAValue]:
    """Return the values that alias an operand because the using op passes the buffer on.

    These are the result of a view or slice, and the values that control flow carries and returns.
    use: the use of the operand.
    """
    op = use.operation
    match op:
        case ViewOp() | SliceOp():
            return op.results
        case LoopOp():
            position = use.index - (len(op.operands) - len(op.inits))
            return (op.carried[position], op.res[position]) if position >= 0 else ()
        case YieldOp():
            return _yielded(op, use.index)
        case _:
            return ()


def _yielded(op: YieldOp, position: int) -> Sequence[SSAValue]:
    parent = op.parent_op()
    if isinstance(parent, IfOp):
        return (parent.res[position],)
    assert isinstance(parent, LoopOp), "only control flow yields"
    position -= int(parent.condition is not None)
    return (parent.carried[position], parent.res[position]) if position >= 0 else ()


def _uses(alias: SSAValue, made: AllocOp, spans: Mapping[Operation, Span]) -> Iterator[Span]:
    """Yield the spans of the ops, or of loops around them, that use an alias of a buffer.

    made: the alloc of the buffer.  spans: the index of each op in program order, and of the last op
    nested in it.
    """
    for use in alias.uses:
        if not isinstance(use.operation, ViewOp | SliceOp):
            yield _outermost_loop(use.operation, made, spans)
        if isinstance(use.operation, YieldOp) and isinstance(use.operation.parent_op(), LoopOp):
            # The next iteration reads the yielded buffer.
            yield spans[cast(Operation, use.operation.parent_op())]


def _outermost_loop(op: Operation, made: AllocOp, spans: Mapping[Operation, Span]) -> Span:
    """Return the span of an op, or of the outermost loop around it that does not contain ``made``.

    A packed.sections around the op counts as such a loop, because its calls run concurrently.
    made: the alloc of the buffer.  spans: the index of each op in program order, and of the last op
    nested in it.
    """
    span = spans[op]
    while op.parent is not made.parent:
        parent = op.parent_op()
        if parent is None or parent not in spans:
            # A sibling or nested region allocates the buffer and yields it to this region.
            return span
        op = parent
        if isinstance(op, LoopOp | SectionsOp):
            span = spans[op]
    return span
