"""Classify the axes of a compute: sliceable axes, and elementwise computes."""

from __future__ import annotations

from ....dialects.te import ComputeView


def sliceable_axes(view: ComputeView) -> list[str]:
    """Return the axes that a loop may divide: they index every output and are not scanned."""
    outputs = [o.axes() for o in view.outputs]
    return [a for a in view.axes if a != view.scan and all(a in axes for axes in outputs)]


def is_pointwise(view: ComputeView) -> bool:
    """Return whether a compute is elementwise: one output, stored once per point of the axes."""
    return (
        len(view.outputs) == 1
        and not view.outputs[0].reduces
        and view.scan is None
        and not view.reduced_axes()
    )
