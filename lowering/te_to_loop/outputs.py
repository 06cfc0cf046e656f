"""Split a compute whose outputs have different axes into one group per set of axes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from ...dialects.te import ComputeOp, ComputeView
from ...support.affine import Key
from ...support.blocks import returned
from ...support.diagnostics import LoweringError


@dataclass(frozen=True, slots=True)
class OutputGroup:
    """The outputs of a compute that have the same axes.

    view: the compute with only these outputs.
    positions: the positions of these outputs among all outputs of the compute.
    combined: the positions of all outputs of the compute that are reductions; their accumulators
    are the first arguments of the region ``then``.
    """

    view: ComputeView
    positions: list[int]
    combined: list[int]

    def yielded(self) -> list[SSAValue]:
        """Return the values that the body yields for these outputs."""
        results = returned(self.view.body.block)
        return [results[i] for i in self.positions]

    def then_positions(self) -> list[int]:
        """Return the positions of the results of ``then`` for the reductions of this group."""
        return [self.combined.index(i) for i in self.positions if i in self.combined]


def output_groups(op: ComputeOp) -> list[OutputGroup]:
    """Divide the outputs of a compute into groups with the same axes, in their first order.

    Errors: LoweringError if a later group would read a buffer that an earlier group overwrites, or
    if outputs that one ``by`` combiner combines have different axes.
    """
    view = op.view()
    by_axes: dict[frozenset[Key], list[int]] = {}
    for position, output in enumerate(view.outputs):
        axes = frozenset(a for a in output.axes() if isinstance(a, str) and view.axes[a] != 1)
        by_axes.setdefault(axes, []).append(position)
    combined = [i for i, o in enumerate(view.outputs) if o.reduces]
    if len(by_axes) > 1:
        _check_separable(op, view, list(by_axes.values()))
    return [
        OutputGroup(
            replace(view, outputs=[view.outputs[i] for i in positions]), positions, combined
        )
        for positions in by_axes.values()
    ]


def _check_separable(op: ComputeOp, view: ComputeView, groups: list[list[int]]) -> None:
    folded = [g for g in groups if any(view.outputs[i].combiner == "by" for i in g)]
    if len(folded) > 1:
        raise LoweringError(
            f"@{view.name}: outputs of one 'by' combiner have different axes",
            hint="split the compute",
        ).at(op)
    written = {view.outputs[i].value for g in groups[:-1] for i in g}
    if any(a.value in written for a in view.inputs if a.value is not None):
        raise LoweringError(
            f"@{view.name}: outputs with different axes overwrite an input",
            hint="store the output in another buffer",
        ).at(op)
