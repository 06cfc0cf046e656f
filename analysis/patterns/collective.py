"""Matching of a te.compute against an intrinsic of several threads (``threads`` of te.intrinsic).

In: an intrinsic and the view of an innermost compute.  Out: the axes along which the compute is a
whole number of copies of the intrinsic's definition, or the first difference.  Threads load their
elements one by one, so any layout in memory fits.
"""

from __future__ import annotations

from ...dialects.te import ComputeView, IntrinsicOp
from .intrinsics import Match, PatternMismatch, match_sums, users_of


def match_collective(intrinsic: IntrinsicOp, view: ComputeView) -> Match | PatternMismatch:
    """Match the definition of an intrinsic to a compute; return a match or the first difference.

    An axis of the definition maps to the innermost axis that indexes the same operands, and whose
    extent is a multiple of the extent in the definition.  The intrinsic is repeated along all other
    axes of the compute.
    """
    definition = intrinsic.compute.view()
    inputs = match_sums(definition, view)
    if isinstance(inputs, PatternMismatch):
        return inputs
    axes: dict[str, str] = {}
    for name, extent in definition.extents.items():
        users = users_of(definition, name, {n: n for n in inputs})
        found = [
            axis
            for axis, n in view.extents.items()
            if n % extent == 0 and users_of(view, axis, inputs) == users
        ]
        if not found:
            return PatternMismatch(
                f"an axis is a multiple of {name}",
                f"an axis of {extent} * n, in {_shown(users)}",
                ", ".join(f"{a}: {n}" for a, n in view.axes.items()) or "none",
            )
        axes[name] = found[-1]
    return Match(inputs, axes)


def _shown(users: frozenset[int]) -> str:
    return ", ".join("the output" if n < 0 else f"input {n}" for n in sorted(users))
