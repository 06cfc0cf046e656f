"""Local buffers that every iteration of a serial loop refills, with their writers and readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.loop import AllocOp, ForOp
from ....dialects.spans import Span
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, Key, RangeOf
from ..engine.placement import block_of, computes_in, computes_of
from ..engine.step import Step
from .local_buffers import computes_using, local_outputs, redirect_access


@dataclass
class LoopBuffer:
    """A buffer that is allocated in the body of a serial loop, which starts at a constant.

    step: the schedule step that changes the buffer.  alloc, loop: the allocation and the loop.
    low: the start of the loop.  high: its end if its bounds are constant, else None.
    """

    step: Step
    alloc: AllocOp
    loop: ForOp
    low: int
    high: int | None

    @property
    def name(self) -> str:
        """The labels of the computes that fill the buffer, for error messages."""
        return ", ".join(dict.fromkeys(f"@{op.label}" for op in self.writers()))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the buffer."""
        type_ = self.alloc.res.type
        assert isinstance(type_, MemRefType)
        return type_.get_shape()

    @property
    def variable(self) -> Key:
        """The variable of the loop."""
        return self.loop.variable

    def computes(self) -> list[ComputeOp]:
        """Return the computes that use the buffer.

        Errors: ScheduleError if another op uses it.
        """
        return computes_using(self.step, self.alloc.res)

    def writers(self) -> list[ComputeOp]:
        """Return the computes that write the buffer, in program order."""
        return [op for op in computes_in(self.loop) if self.alloc.res in op.outs]

    def fills(self) -> list[Operation]:
        """Return the ops of the loop's body that are or contain a compute that writes the buffer.

        Errors: ScheduleError if they contain a compute that writes another buffer.
        """
        body = self.loop.body.block
        tops = dict.fromkeys(body.find_ancestor_op_in_block(op) for op in self.writers())
        found = [top for top in tops if top is not None]
        for op in (c for top in found for c in computes_of(top)):
            if any(v is not self.alloc.res for v in op.outs):
                raise self.step.error(
                    f"@{op.label} writes another buffer in addition to {self.name}",
                    hint="keep what fills the buffer in loops of its own",
                )
        return found

    def written_inside(self, view: ComputeView) -> Iterator[tuple[SSAValue, ComputeOp]]:
        """Yield the buffers that a compute reads and that computes in the loop write.

        Yields pairs of a buffer and a compute that writes it; the LoopBuffer itself is left out.
        view: the compute.
        """
        for value in dict.fromkeys(a.value for a in view.reads):
            for op in computes_in(self.loop):
                if value is not None and value is not self.alloc.res and value in op.outs:
                    yield value, op

    def move(
        self,
        shape: list[int],
        before: Operation,
        rewrite: Callable[[Access, RangeOf], list[Index]],
    ) -> AllocOp:
        """Replace the buffer by one of another shape, rewrite all accesses, return the new alloc.

        shape: the shape of the new buffer.
        before: the op before which the new buffer is allocated.
        rewrite: returns the new indices of an access; gets the access, and the function that gives
        the ranges of the access's variables.
        """
        moved = self.alloc.resized(shape)
        block_of(before).insert_op_before(moved, before)
        for op in self.computes():
            view = op.view()
            for access in view.accesses():
                if access.value is self.alloc.res:
                    indices = rewrite(access, view.range_of)
                    redirect_access(access, moved.res, indices, _same_clip(access, indices))
            op.update(view)
        Rewriter.erase_op(self.alloc)
        return moved


def _same_clip(access: Access, indices: Sequence[Index]) -> list[Span | None]:
    """Return the clip of an access after its indices change: a range or None per new dimension.

    A dimension keeps its range if its index does not change. None, no restriction, for a changed
    index and for the new dimensions, which come before the old ones.
    indices: the new indices.
    """
    old = access.indices or []
    clip: Sequence[Span | None] = access.clip or [None] * len(old)
    last = zip(clip, old, indices[len(indices) - len(old) :], strict=True)
    same = [span if before == now else None for span, before, now in last]
    return [*[None] * (len(indices) - len(old)), *same]


def loop_buffers(step: Step, *, has_end: bool) -> list[LoopBuffer]:
    """Return the buffers that the computes of a step's handle fill in serial loops.

    Buffers of loops that run once (remainders) are left out.
    has_end: whether the end of each loop must be a constant, too.
    Errors: ScheduleError if all loops run once, or if a buffer is not allocated in a serial loop
    that starts at a constant, or is read as a whole.
    """
    allocs = local_outputs(step, "use cache_read, or move it into a loop: both make local buffers")
    found = [_loop_buffer(step, alloc, has_end=has_end) for alloc in allocs]
    repeated = [buffer for buffer in found if buffer.high is None or buffer.high - buffer.low > 1]
    if not repeated:
        raise step.error(
            f"the loop around the buffer of @{step.computes()[0].label} runs once",
            expected="at least two iterations",
        )
    return repeated


def _loop_buffer(step: Step, alloc: AllocOp, *, has_end: bool) -> LoopBuffer:
    loop = alloc.parent_op()
    label = step.computes()[0].label
    if not isinstance(loop, ForOp):
        raise step.error(
            f"the buffer of @{label} belongs to no loop",
            expected="a buffer that one loop fills and uses",
            hint="move it into a loop of its reader first: compute_at, or fuse_into in a script",
        )
    if loop.is_parallel:
        raise step.error(
            f"the loop around the buffer of @{label} is parallel: its iterations are not in order",
            expected="a serial loop",
            hint="tile again: a parallel outer loop and a serial inner one",
        )
    (low, *others), _ = loop.bounds()
    bounds = loop.static_bounds
    if others or not low.is_constant or (has_end and bounds is None):
        raise step.error(
            f"the bounds of the loop around the buffer of @{label} are not constant",
            hint="fuse the producer into a loop around that one",
        )
    buffer = LoopBuffer(step, alloc, loop, low.const, bounds[1] if bounds else None)
    for op in buffer.computes():
        if any(a.value is alloc.res and a.indices is None for a in op.view().accesses()):
            raise step.error(
                f"@{op.label} reads the whole buffer at computed positions",
                hint="keep this buffer as it is",
            )
    return buffer
