"""sched.inline: compute an elementwise producer inside its consumer."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from ....dialects.loop import AllocOp
from ....dialects.te import Access, ComputeOp, ComputeView
from ...rewrite.compose import inline_producer
from ..engine.placement import erase_compute, users
from ..engine.step import Handles, Step


def inline(step: Step) -> Handles:
    """Compute an elementwise producer at the points that a consumer reads.

        te.compute @scale [i: 64, d: 32] ins(%q[i, d] : ..) outs(%t[i, d] : ..) body { q * c }
        te.compute @score [i: 64, j: 64, d: 32 red] ins(%t[i, d] : .., %k[j, d] : ..) ..
        %s = sched.inline %scale, %score
    ==>
        te.compute @score [..] ins(%q[i, d] : .., %k[j, d] : ..) .. body { (q * c) * k }

    The consumer's handle may hold several innermost computes (leaves). The producer is erased if no
    other op reads its buffer.
    Before: the producer stores one output, with one axis as each index; the consumer does not pad
    its reads.
    Errors: ScheduleError otherwise.
    """
    producer = step.only_compute()
    source = producer.view()
    require_pointwise(step, source)
    result: list[Operation] = []
    for op in step.computes(1):
        view = op.view()
        if not _reads(view, source):
            raise step.error(
                f"@{view.name} does not read @{source.name}",
                expected="the computes that read it",
            )
        op.become(inlined(step, view, source))
        result.append(op)
    erase_if_unread(producer)
    return [result]


def erase_if_unread(producer: ComputeOp) -> None:
    """Erase a compute whose local output has no readers left."""
    (buffer,) = producer.outs
    alone = all(user is producer for user in users(buffer))
    if alone and isinstance(buffer.owner, AllocOp):
        erase_compute(producer)


def inlined(step: Step, view: ComputeView, producer: ComputeView) -> ComputeView:
    """Return a consumer with the producer's body inlined in place of all reads of its result."""
    while reads := _reads(view, producer):
        view = _inline_read(step, view, reads[0], producer)
    return view


def require_pointwise(step: Step, view: ComputeView) -> None:
    """Raise ScheduleError unless a compute can be inlined: it stores one result per point."""
    step.require_elementwise(view, "use fuse_into")
    indices = view.outputs[0].indices or []
    if not all(isinstance(e.variable(), str) for e in indices):
        raise step.error(
            f"@{view.name} does not write at plain axes",
            got=", ".join(map(str, indices)),
            hint="inline before tile and relayout",
        )


def _reads(view: ComputeView, producer: ComputeView) -> list[Access]:
    buffer = producer.outputs[0].value
    return [a for a in [*view.inputs, *view.post] if a.value is buffer]


def _inline_read(step: Step, view: ComputeView, read: Access, producer: ComputeView) -> ComputeView:
    if read.pad is not None:
        if not _stays_inside(view, read):
            raise step.error(
                f"@{view.name} pads its reads of @{producer.name}",
                hint="use fuse_into with halo = 1",
            )
        read.pad = None
    fused = inline_producer(view, read, producer)
    if fused is None:
        raise step.error(
            f"@{view.name} reads @{producer.name} as a whole",
            expected="reads of single elements at known positions",
            hint="use fuse_into, or leave it outside",
        )
    return fused


def _stays_inside(view: ComputeView, read: Access) -> bool:
    assert isinstance(read.type, MemRefType)
    if read.indices is None:
        return False
    ranges = [e.range(view.range_of) for e in read.indices]
    return all(
        low >= 0 and high < n for (low, high), n in zip(ranges, read.type.get_shape(), strict=True)
    )
