"""The base class for innermost computes (leaves) whose intrinsic computes several rows at once.

Input: a leaf whose tile names an intrinsic.  Output: the match of the leaf and the intrinsic, and
the calls of the intrinsic.  The subclasses load operands to the registers of one thread
(matrix_tile.py), or to those of the threads of a warp (collective.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from ...analysis.patterns.intrinsics import Inputs, PatternMismatch
from ...dialects import loop
from ...dialects.te import Access, ComputeOp, ComputeView, IntrinsicOp, find_intrinsic
from ...support.affine import Key, Range
from ...support.diagnostics import LoweringError
from .emitter import LoopEmitter

_Match = TypeVar("_Match")


class IntrinsicLeaf:
    """An innermost compute (leaf) and the intrinsic that computes it.

    inputs: maps the position of an input in the intrinsic's definition to its position in the
    compute.
    axes: maps an axis of the definition to the axis of the compute.
    """

    def __init__(
        self,
        intrinsic: IntrinsicOp,
        emitter: LoopEmitter,
        view: ComputeView,
        inputs: Inputs,
        axes: Mapping[str, str],
    ) -> None:
        self.intrinsic, self.emitter = intrinsic, emitter
        self.view, self.inputs, self.axes = view, inputs, axes
        self.definition = intrinsic.compute.view()

    def use(self, total: SSAValue, operands: Sequence[SSAValue]) -> SSAValue:
        """Emit the intrinsic; return the new accumulators.

        total: the accumulators so far, as one vector or tile.
        operands: a vector or tile for each input of the definition.
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
        """Return the type of the vector in which a thread holds an operand of the intrinsic.

        access: the operand in the intrinsic's definition.
        """
        assert access.value is not None, "a definition reads buffers"
        return self.intrinsic.vector_at(self.intrinsic.position_of(access.value))

    def range_of(self, key: Key) -> Range:
        """Return the range of a loop variable or of an axis."""
        known = self.emitter.ranges.get(cast(SSAValue, key))
        return known if known is not None else self.view.range_of(key)


def intrinsic_of(op: ComputeOp) -> IntrinsicOp | None:
    """Return the intrinsic for several rows that a compute's register tile names.

    Returns None if the tile names no intrinsic, or one that computes a single row.
    """
    name = op.view().tile.get("intrinsic")
    return find_intrinsic(op, str(name)) if name is not None else None


def exact(found: _Match | PatternMismatch, intrinsic: IntrinsicOp, op: Operation) -> _Match:
    """Return the match of an intrinsic with a compute, if ``found`` is one.

    sched.tensorize matched the intrinsic with the compute before, but later steps may have changed
    the compute.
    Errors: LoweringError that states the difference.
    """
    if isinstance(found, PatternMismatch):
        raise LoweringError(
            f"@{cast(ComputeOp, op).label} is not what @{intrinsic.label} computes: {found.rule}",
            expected=found.expected,
            got=found.got,
            hint="tensorize after the steps that change axes and layouts",
        ).at(op)
    return found
