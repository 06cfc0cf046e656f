"""sched.fuse_epilogue: make an elementwise consumer the epilogue of a reduction."""

from __future__ import annotations

from dataclasses import replace

from ....dialects.loop import AllocOp
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....support.affine import Index, Key
from ...rewrite.compose import absorb_consumer
from ..engine.placement import block_of, erase_compute, users
from ..engine.step import Handles, Step


def fuse_epilogue(step: Step) -> Handles:
    """Fuse an elementwise consumer into a reduction as its epilogue.

        te.compute @mm [m: 6, n: 16, k: 8 red] .. outs(%t[m, n] add 0.0 : ..) body ..
        te.compute @relu [i: 6, j: 16] ins(%t[i, j] : .., %r[i, j] : ..) outs(%C[i, j] : ..) body ..
        %f = sched.fuse_epilogue %mm, %relu
    ==>
        te.compute @mm [m: 6, n: 16, k: 8 red] .. post(%r[m, n] : ..) outs(%C[m, n] add 0.0 : ..)
            body .. then ..

    The consumer's axes take the producer's names; its other operands are read after the reduction.
    Before: the producer reduces into one local buffer that only the consumer reads, once, at the
    same points; both are in the same block, and neither is tiled.
    Errors: ScheduleError otherwise.
    """
    producer, consumer = step.only_compute(0), step.only_compute(1)
    first, second = producer.view(), consumer.view()
    read = _the_read(step, first, second)
    _require_fusible(step, producer, consumer, first, second)
    plain = [replace(second.outputs[0], indices=identity_indices(second.extents))]
    fused = absorb_consumer(first, read, replace(second, outputs=plain))
    if fused is None:
        raise step.error(
            f"@{second.name} does not compute the points of @{first.name}",
            expected=f"{', '.join(str(e) for e in first.outputs[0].indices or [])}",
            got=", ".join(str(e) for e in read.indices or []),
        )
    output = fused.outputs[0]
    points: dict[Key, Index] = dict(zip(second.extents, output.indices or [], strict=True))
    written = second.outputs[0].indices or []
    output.indices = [e.substitute(points, fused.range_of) for e in written]
    result = ComputeOp.from_view(fused)
    result.location = producer.location
    block_of(consumer).insert_op_before(result, consumer)
    erase_compute(consumer)
    erase_compute(producer)
    return [[result]]


def _the_read(step: Step, producer: ComputeView, consumer: ComputeView) -> Access:
    if len(producer.outputs) != 1 or not producer.outputs[0].reduces:
        raise step.error(f"@{producer.name} is not a reduction with one output", hint="use inline")
    buffer = producer.outputs[0].value
    reads = [a for a in consumer.inputs if a.value is buffer]
    if len(reads) != 1 or any(a.value is buffer for a in consumer.post):
        raise step.error(
            f"@{consumer.name} does not read @{producer.name} exactly once",
            expected="one read among its inputs",
            got=len(reads),
        )
    return reads[0]


def _require_fusible(
    step: Step,
    producer: ComputeOp,
    consumer: ComputeOp,
    first: ComputeView,
    second: ComputeView,
) -> None:
    (buffer,) = producer.outs
    others = [u for u in users(buffer) if u is not producer and u is not consumer]
    if others or not isinstance(buffer.owner, AllocOp):
        raise step.error(
            f"the result of @{first.name} is needed elsewhere",
            got=", ".join(getattr(u, "label", u.name) for u in others) or "a kernel argument",
            hint="use fuse_into: the consumer then reads the result while it is in a cache",
        )
    if producer.parent is not consumer.parent:
        raise step.error(
            f"@{first.name} and @{second.name} are in different loops",
            hint="fuse before tile, or use fuse_into",
        )
    step.require_elementwise(second, "use fuse_into")
    if not first.then.blocks:
        step.require_stored_accumulator(first, first.outputs[0], "use fuse_into")
