"""Find, make and redirect local buffers, and make computes that copy to or from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from ....dialects.loop import AllocOp
from ....dialects.shape import Extent, memref_type
from ....dialects.spans import Span
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, Key
from ..engine.placement import users
from ..engine.step import Step


def output_of(step: Step, view: ComputeView, out: int) -> Access:
    """Return output number ``out`` of the compute ``view``.

    Errors: ScheduleError if it does not exist.
    """
    if not 0 <= out < len(view.outputs):
        numbers = ", ".join(map(str, range(len(view.outputs))))
        raise step.error(f"@{view.name} has no output {out}", expected=f"one of {numbers}")
    return view.outputs[out]


def local_outputs(step: Step, hint: str) -> list[AllocOp]:
    """Return the allocs of the local buffers that a step's computes write.

    The output of each compute is the one that the step's option ``out`` selects.
    Errors: ScheduleError with ``hint`` if this output is an argument of the kernel.
    """
    out = step.number("out", 0)
    found: dict[AllocOp, None] = {}
    for view in [op.view() for op in step.computes()]:
        buffer = output_of(step, view, out).value
        assert buffer is not None, "scheduled kernels are in buffer form"
        if not isinstance(buffer.owner, AllocOp):
            raise step.error(f"output {out} of @{view.name} is not a local buffer", hint=hint)
        found[buffer.owner] = None
    return list(found)


def read_of(step: Step, view: ComputeView, operand: int, *, is_input: bool = False) -> Access:
    """Return the read of buffer operand number ``operand`` of the compute ``view``.

    Inputs count first, then post operands.
    is_input: whether post operands are refused.
    Errors: ScheduleError if the operand does not exist.
    """
    reads = view.inputs if is_input else view.reads
    if not 0 <= operand < len(reads) or reads[operand].value is None:
        buffers = [str(i) for i, access in enumerate(reads) if access.value is not None]
        raise step.error(
            f"@{view.name} has no buffer input {operand}",
            expected=f"one of {', '.join(buffers) or 'none'}",
        )
    return reads[operand]


def replace_read(view: ComputeView, operand: int, access: Access) -> None:
    """Replace read number ``operand`` of a view; inputs count first, then post operands."""
    inputs = len(view.inputs)
    reads, at = (view.inputs, operand) if operand < inputs else (view.post, operand - inputs)
    reads[at] = access


def make_buffer(element: Attribute, shape: Sequence[Extent], scope: str = "local") -> AllocOp:
    """Return a new loop.alloc, which the caller inserts.

    element, shape: the element type and the sizes.
    scope: the memory, such as local or shared.
    """
    return AllocOp.make(memref_type(element, shape), scope)


def computes_using(step: Step, buffer: SSAValue) -> list[ComputeOp]:
    """Return the computes that use a buffer.

    Errors: ScheduleError if another op uses it.
    """
    found: list[ComputeOp] = []
    for op in users(buffer):
        if not isinstance(op, ComputeOp):
            raise step.error("only computes use such a buffer", expected="te.compute", got=op.name)
        found.append(op)
    return found


def shown(index: Index) -> str:
    """Return an index expression as text for error messages, with loop variables by name."""

    def name(key: Key) -> str:
        return f"%{getattr(key, 'name_hint', None) or 'loop'}" if not isinstance(key, str) else key

    return index.show(name)


def axes_in(view: ComputeView, indices: Sequence[Index]) -> list[str]:
    """Return the axes of a view that occur in index expressions, in order of appearance."""
    found = [k for e in indices for k in e.variables() if isinstance(k, str)]
    return [a for a in dict.fromkeys(found) if a in view.axes]


def stored_plainly(access: Access, buffer: SSAValue, indices: list[Index]) -> Access:
    """Return an output that stores to ``buffer`` at ``indices``, at all points (without a clip).

    access: the output from which the new one takes all other properties.
    """
    return replace(access, value=buffer, indices=indices, clip=None)


def redirect_access(
    access: Access, buffer: SSAValue, indices: list[Index], clip: Sequence[Span | None]
) -> None:
    """Let an access use another buffer, in place.

    buffer, indices: the new buffer, and the positions in it.
    clip: for each dimension of the new buffer, the range of positions that an output with a clip
    stores; None: the whole dimension. Storing a whole dimension is correct even if the old clip was
    narrower: the elements outside of the old range have no reader, or a later compute stores them.
    """
    assert isinstance(buffer.type, MemRefType)
    access.value, access.indices = buffer, indices
    if access.clip is not None:
        spans = zip(clip, buffer.type.get_shape(), strict=True)
        access.clip = tuple((0, size) if span is None else span for span, size in spans)
