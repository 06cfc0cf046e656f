"""sched.transform_layout: store an operand or an output, local or not, in another layout."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.loop import AllocOp
from ..engine.step import Handles, Step
from .cache_read import cache_read
from .cache_write import copy_outputs
from .layout import store_through
from .local_buffers import output_of, read_of
from .pack import store_packed


def transform_layout(step: Step) -> Handles:
    """Store a buffer through a layout map: a weight, a local buffer, or a copy of an argument.

        te.kernel @k(%A: memref<64x32xf32>, ..) { te.compute @mm .. ins(%A[m, k] : .., ..) .. }
        %t = sched.transform_layout %c {operand = 0,
               map = affine_map<(m, k) -> (m floordiv 8, k, m mod 8)>}
    ==>
        %a = loop.alloc "local" : memref<8x32x8xf32>
        te.compute @mm_in0 [c0: 64, c1: 32]
            ins(%A[c0, c1] : ..) outs(%a[c0 floordiv 8, c1, c0 mod 8] : ..)
        te.compute @mm .. ins(%a[m floordiv 8, k, m mod 8] : .., ..) ..

    ``operand`` counts inputs, then post operands; ``out`` counts outputs.  A local buffer is
    changed in place (``relayout``); a constant argument is packed at compile time (``pack``); any
    other argument is copied (``cache_read``, or ``cache_write`` for an output).  To move the copy
    into a loop, match it by its name, ``<name>_in<operand>`` or ``<name>_out<out>``.
    Before: exactly one of ``operand`` and ``out`` is given; all innermost computes (leaves) of the
    handle use the same buffer as that operand or output.
    Errors: ScheduleError otherwise; for a map that is not a blocked layout.
    """
    layout = step.layout("map")
    if ("operand" in step.params) == ("out" in step.params):
        raise step.error(
            "the layout is of one buffer",
            expected="operand or out",
            got="both" if "out" in step.params else "none",
        )
    if "operand" in step.params:
        _transform_operand(step, layout)
    else:
        _transform_output(step, layout)
    return [step.computes()]


def _transform_operand(step: Step, layout: AffineMapAttr) -> None:
    operand = step.number("operand")
    reads = [read_of(step, op.view(), operand).value for op in step.computes()]
    buffer = _the_buffer(step, reads, f"input {operand}")
    if isinstance(buffer.owner, AllocOp):
        store_through(step, buffer, layout)
    elif isinstance(buffer, BlockArgument) and buffer.index in step.kernel.constant_positions:
        store_packed(step, buffer, layout)
    else:
        cache_read(step)
        copied = read_of(step, step.computes()[0].view(), operand).value
        assert copied is not None
        store_through(step, copied, layout)


def _transform_output(step: Step, layout: AffineMapAttr) -> None:
    out = step.number("out")
    written = [output_of(step, op.view(), out).value for op in step.computes()]
    if not all(v is not None and isinstance(v.owner, AllocOp) for v in written):
        copy_outputs(step, out)
        written = [op.view().outputs[out].value for op in step.computes()]
    for buffer in dict.fromkeys(written):
        assert buffer is not None, "scheduled kernels are in buffer form"
        store_through(step, buffer, layout)


def _the_buffer(step: Step, values: Sequence[SSAValue | None], what: str) -> SSAValue:
    first, *others = dict.fromkeys(values)
    assert first is not None, "scheduled kernels are in buffer form"
    if others:
        raise step.error(
            f"the leaves use different buffers as {what}",
            hint="use transform_layout before the compute is tiled or split",
        )
    return first
