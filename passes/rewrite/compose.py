"""Fuse a producer and a consumer by composing their index maps and bodies.

``inline_producer`` and ``absorb_consumer`` work on views of te.compute, on tensors as well as on
buffers, and return a new view, or None if fusion is impossible.  Per element, the composed body
runs the producer's body and then the consumer's, on the same values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.shape import Extent
from ...dialects.te import Access, ComputeView, YieldOp
from ...support.affine import MOST_NESTED, Index, Key, constant, variable
from ...support.blocks import copy_ops, returned
from ...support.names import Names


def is_elementwise(view: ComputeView) -> bool:
    """Return whether a compute has one output, and stores one of its elements at each point.

    Each index of the output must be a single axis, and no axis may be reduced.
    """
    if len(view.outputs) != 1 or view.outputs[0].reduces or view.scan or view.reduced_axes():
        return False
    return all(isinstance(e.variable(), str) for e in view.outputs[0].indices or [])


def is_movement(view: ComputeView) -> bool:
    """Return whether each result is an unchanged element of one operand, or depends on no data."""
    if not is_elementwise(view):
        return False
    if all(a.is_index for a in view.inputs):
        return True
    if len(view.inputs) != 1:
        return False
    return returned(view.body.block)[0] is view.body.block.args[0]


def drop_unit_axes(view: ComputeView) -> ComputeView:
    """Replace axes of extent 1 by 0 in the indices of the reads; return the new view."""
    units: dict[Key, Index] = {a: constant(0) for a, extent in view.axes.items() if extent == 1}
    if not units:
        return view
    outputs = view.outputs
    return replace(view.substitute(units), outputs=outputs)


def inline_producer(
    consumer: ComputeView, access: Access, producer: ComputeView
) -> ComputeView | None:
    """Compute an elementwise producer inside its consumer, at the points that the consumer reads.

    access: a read of the producer's result in ``consumer.inputs`` or ``consumer.post``.
    Returns the new consumer; None if the read is padded, because the producer does not compute the
    pad value, if the read is of the whole operand, or if indices would nest more than MOST_NESTED
    quotients.
    """
    if access.pad is not None or access.indices is None or not is_elementwise(producer):
        return None
    positions: dict[Key, Index] = {}
    for out_index, read_index in zip(
        producer.outputs[0].indices or [], access.indices, strict=True
    ):
        positions[out_index.variable()] = read_index
    moved = [_substitute(a, positions, consumer) for a in producer.inputs]
    if any(e.depth > MOST_NESTED for a in moved for e in a.indices or ()):
        return None
    in_post = any(a is access for a in consumer.post)
    reads = consumer.post if in_post else consumer.inputs
    at = next(i for i, a in enumerate(reads) if a is access)
    kept = [*reads[:at], *reads[at + 1 :]]
    fresh = [a for i, a in enumerate(moved) if a not in kept and a not in moved[:i]]
    merged = [*kept[:at], *fresh, *kept[at:]]
    leading = [o for o in consumer.outputs if o.reduces] if in_post else []
    region = consumer.then if in_post else consumer.body
    block = _compose_bodies(region, reads, access, producer, moved, merged, len(leading))
    if in_post:
        return replace(consumer, post=merged, then=Region(block))
    return replace(consumer, inputs=merged, body=Region(block))


def _substitute(access: Access, values: dict[Key, Index], view: ComputeView) -> Access:
    if access.indices is None:
        return access
    return replace(access, indices=[e.substitute(values, view.range_of) for e in access.indices])


def _compose_bodies(
    region: Region,
    reads: list[Access],
    access: Access,
    producer: ComputeView,
    moved: list[Access],
    merged: list[Access],
    n_leading: int,
) -> Block:
    """Return a block that runs the producer's body, then ``region``.

    region: the consumer's body or ``then``.
    reads: the operands of ``region``.
    access: the one of ``reads`` that reads the producer's result.
    moved: the producer's reads in the axes of the consumer.
    merged: the operands of the new block: all reads.
    n_leading: the number of accumulators, which are the first arguments of ``region``.
    """
    old = region.block
    leading_types = [a.type for a in old.args[:n_leading]]
    block = Block(arg_types=[*leading_types, *(a.argument_type for a in merged)])
    new_args = list(block.args)[n_leading:]

    def argument(wanted: Access) -> SSAValue:
        return new_args[merged.index(wanted)]

    (value,) = copy_body(block, producer.body.block, [argument(a) for a in moved])
    values: list[SSAValue] = list(block.args[:n_leading])
    values += [value if a is access else argument(a) for a in reads]
    finish_body(block, copy_body(block, old, values))
    return block


def copy_body(target: Block, source: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Append copies of a block's ops except te.yield; return the copies of the yielded values.

    arguments: values in ``target`` that replace the arguments of ``source``.
    """
    mapping: dict[SSAValue, SSAValue] = dict(zip(source.args, arguments, strict=True))
    return copy_ops(source, mapping, target.add_op)


def finish_body(block: Block, values: Sequence[SSAValue]) -> None:
    """End a block with a te.yield of these values, and erase its dead scalar ops."""
    block.add_op(YieldOp(values))
    erase_unused(block)


def erase_unused(block: Block) -> None:
    """Erase the ops of a block whose results are all unused; ops without results stay."""
    for op in reversed(list(block.ops)):
        if op.results and not any(r.uses for r in op.results):
            Rewriter.erase_op(op)


def absorb_consumer(
    producer: ComputeView, access: Access, consumer: ComputeView
) -> ComputeView | None:
    """Compute an elementwise consumer in the ``then`` region of the reduction that it reads.

    access: the only read of the producer's result in ``consumer.inputs``.
    Returns the new reduction; None unless producer and consumer have the same points, up to the
    order of the axes and axes of extent 1.
    """
    if not is_elementwise(consumer) or len(producer.outputs) != 1:
        return None
    # A te.at reads at any position, so its operand has no fixed points.
    if not producer.outputs[0].reduces or access.pad is not None or access.indices is None:
        return None
    renamed = match_points(producer, access, consumer)
    if renamed is None:
        return None
    axes, values = renamed
    consumer_out = consumer.outputs[0]
    base = replace(producer, axes=axes).substitute(
        {a: constant(0) for a in producer.axes if a not in axes}
    )
    others = [a for a in consumer.inputs if a is not access]
    moved = [_substitute(a, values, base) for a in others]
    post = list(base.post)
    post += [a for a in moved if a not in post]
    block = _then_block(producer, consumer, access, others, moved, post)
    output = replace(
        base.outputs[0],
        indices=[e.substitute(values, base.range_of) for e in consumer_out.indices or []],
        value=consumer_out.value,
        result_type=consumer_out.result_type,
        layout=consumer_out.layout,
    )
    return replace(base, post=post, outputs=[output], then=Region(block))


def match_points(
    producer: ComputeView, access: Access, consumer: ComputeView
) -> tuple[dict[str, Extent], dict[Key, Index]] | None:
    """Match the points of a consumer with those of its producer; None if they differ.

    access: the consumer's read of the producer's result.
    Returns the axes of the fused compute, and each axis of the consumer as an index of these axes.
    """
    axes = dict(producer.axes)
    values: dict[Key, Index] = {}
    for out_index, read in zip(
        producer.outputs[0].indices or [], access.indices or [], strict=True
    ):
        out_axis, read_axis = out_index.variable(), read.variable()
        if not isinstance(out_axis, str):
            return None
        if read.is_constant and producer.axes[out_axis] == 1 and out_axis != producer.scan:
            axes.pop(out_axis)
        elif (
            isinstance(read_axis, str)
            and consumer.axes[read_axis] == producer.axes[out_axis]
            and read_axis not in values
        ):
            values[read_axis] = variable(out_axis)
        else:
            return None
    for axis, extent in consumer.axes.items():
        if axis in values:
            continue
        if extent != 1:
            return None
        name = Names(axes).fresh(axis)
        axes = {name: 1, **axes}
        values[axis] = variable(name)
    return axes, values


def _then_block(
    producer: ComputeView,
    consumer: ComputeView,
    access: Access,
    others: list[Access],
    moved: list[Access],
    post: list[Access],
) -> Block:
    """Return a block that runs the producer's ``then`` region, then the consumer's body.

    access: the consumer's read of the producer's result.
    others: the consumer's other reads.
    moved: ``others`` as reads in the axes of the fused compute.
    post: the operands of the fused ``then`` region.
    """
    combined = producer.outputs[0]
    assert combined.reduces
    (accumulator,) = returned(producer.body.block)
    block = Block(arg_types=[accumulator.type, *(a.argument_type for a in post)])
    n_old = len(producer.post)
    value: SSAValue = block.args[0]
    if producer.then.blocks:
        (value,) = copy_body(block, producer.then.block, block.args[: 1 + n_old])
    by_other = {
        id(old): block.args[1 + post.index(new)] for old, new in zip(others, moved, strict=True)
    }
    values = [value if a is access else by_other[id(a)] for a in consumer.inputs]
    finish_body(block, copy_body(block, consumer.body.block, values))
    return block
