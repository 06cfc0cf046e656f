"""Memory effects: the elements of each argument that a kernel may read or write.

In: a kernel in buffer form, before it is scheduled.  Out: per argument, boxes of the elements that
the kernel may access, to decide whether two kernels depend on each other.  statements.py does the
same for the statements of one kernel at the loop level.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ..dialects.spans import ranges_of
from ..dialects.te import Access, ComputeOp, ComputeView, KernelOp, TensorOp
from ..support.affine import Range


@dataclass(frozen=True)
class Effect:
    """A set of elements of one buffer that a kernel may read (or write, if ``is_write``).

    box: a range of indices per dimension; None for the whole buffer.
    lines: further bounds of the same elements, as ranges of linearized indices over the whole
    buffer or over several of its dimensions. All effects on one buffer have ranges over the same
    dimensions, in the same order, so that range n of one is compared with range n of the other.
    """

    is_write: bool
    box: tuple[Range, ...] | None
    lines: tuple[Range, ...] = ()

    def conflicts(self, other: Effect) -> bool:
        """Return whether two effects on one buffer must stay in order.

        They must if at least one of them writes, and their elements may overlap.
        """
        if not (self.is_write or other.is_write):
            return False
        if self.box is None or other.box is None or len(self.box) != len(other.box):
            return True
        ranges = (*self.box, *self.lines), (*other.box, *other.lines)
        return all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(*ranges, strict=True))


def kernel_effects(kernel: KernelOp) -> tuple[tuple[Effect, ...], ...]:
    """Return, for each argument of a kernel, the effects of one call on it, without duplicates."""
    block = kernel.body.block
    found: dict[SSAValue, list[Effect]] = {argument: [] for argument in block.args}
    for op in kernel.body.walk():
        if isinstance(op, ComputeOp):
            view = op.view()
            for access in view.accesses():
                if access.value is not None and access.value in found:
                    found[access.value].append(_effect(access, view))
        elif isinstance(op, TensorOp):
            for value in op.operands:
                if value in found and isinstance(value.type, MemRefType):
                    found[value].append(Effect(True, None))
    return tuple(tuple(dict.fromkeys(found[argument])) for argument in block.args)


def _effect(access: Access, view: ComputeView) -> Effect:
    is_write = any(access is out for out in view.outputs)
    if access.indices is None:
        return Effect(is_write, None)
    box = [e.range(view.range_of) for e in access.indices]
    if access.clip is not None:
        spans = zip(box, ranges_of(access.clip), strict=True)
        box = [(max(low, first), min(high, end - 1)) for (low, high), (first, end) in spans]
    return Effect(is_write, tuple(box))
