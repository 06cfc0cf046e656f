"""A leaf whose intrinsic computes several rows: what tiles in registers and warps have in common.

In: a leaf whose tile names an intrinsic.  Out: the match of both, and uses of the intrinsic; the
subclasses place operands in registers (matrix_tile.py) or in those of several threads
(collective.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from ...analysis.intrinsics import Difference, Inputs
from ...dialects import loop
from ...dialects.te import Access, ComputeOp, ComputeView, IntrinsicOp, find_intrinsic
from ...support.affine import Key, Range
from ...support.diagnostics import LoweringError
from .emitter import Emitter

_Match = TypeVar("_Match")


class IntrinsicLeaf:
    """A leaf and the intrinsic that computes it.

    inputs: input of the leaf for each input of the definition.  axes: axis of the leaf by axis of
    the definition.
    """

    def __init__(
        self,
        intrinsic: IntrinsicOp,
        emitter: Emitter,
        view: ComputeView,
        inputs: Inputs,
        axes: Mapping[str, str],
    ) -> None:
        self.intrinsic, self.emitter = intrinsic, emitter
        self.view, self.inputs, self.axes = view, inputs, axes
        self.definition = intrinsic.compute.view()

    def use(self, total: SSAValue, operands: Sequence[SSAValue]) -> SSAValue:
        """Emit the intrinsic; return the sums.

        operands: registers of each input of the definition.
        """
        values: dict[SSAValue, SSAValue] = {self.intrinsic.compute.outs[0]: total}
        for access, operand in zip(self.definition.inputs, operands, strict=True):
            assert access.value is not None, "a definition reads buffers"
            values[access.value] = operand
        arguments = [values[a] for a in self.intrinsic.definition.block.args]
        return self.emitter.value(
            loop.IntrinsicOp.make(self.intrinsic.label, arguments, total.type)
        )

    def vector_of(self, access: Access) -> VectorType:
        """Return the register of a buffer of the definition, or those of a thread."""
        assert access.value is not None, "a definition reads buffers"
        return self.intrinsic.vector_at(self.intrinsic.position_of(access.value))

    def range_of(self, key: Key) -> Range:
        """Return the range of a loop variable, or of an axis."""
        known = self.emitter.ranges.get(cast(SSAValue, key))
        return known if known is not None else self.view.range_of(key)


def intrinsic_of(op: ComputeOp) -> IntrinsicOp | None:
    """Return the intrinsic that a leaf names; None if it names none, or the module has it not."""
    name = op.view().tile.get("intrinsic")
    return find_intrinsic(op, str(name)) if name is not None else None


def exact(found: _Match | Difference, intrinsic: IntrinsicOp, op: ComputeOp) -> _Match:
    """Return the match of a leaf, which later steps than tensorize may have changed.

    Errors: LoweringError for a difference.
    """
    if isinstance(found, Difference):
        raise LoweringError(
            f"@{op.label} is not what @{intrinsic.label} computes: {found.rule}",
            expected=found.expected,
            got=found.got,
            hint="tensorize after the steps that change axes and layouts",
        ).at(op)
    return found


__all__ = ["IntrinsicLeaf", "exact", "intrinsic_of"]
