"""Matching of a te.compute against an intrinsic of several threads (``threads`` of te.intrinsic).

In: an intrinsic and the view of a leaf.  Out: the axes along which the leaf is a whole number of
the intrinsic's definitions, or the first difference.  Threads load their elements one by one, so
any layout in memory fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..dialects.te import ComputeView, IntrinsicOp
from .intrinsics import Difference, Inputs, match_bodies


@dataclass(frozen=True)
class CollectiveMatch:
    """The mapping of a definition to a compute.

    inputs: input of the compute for each input of the definition.  axes: axis of the compute for
    each axis of the definition, a multiple as long.  The other axes repeat the definition.
    """

    inputs: Inputs
    axes: Mapping[str, str]


def match_collective(intrinsic: IntrinsicOp, view: ComputeView) -> CollectiveMatch | Difference:
    """Match the definition of an intrinsic to a leaf; return a match or the first difference.

    An axis of the definition is the innermost one that indexes the same operands.
    """
    definition = intrinsic.compute.view()
    inputs = match_bodies(definition, view)
    if isinstance(inputs, Difference):
        return inputs
    own = view.outputs[0]
    if view.then.blocks or view.post or own.clip is not None:
        return Difference("the leaf stores its sums", "nothing behind the sums", "then, or clip")
    if any(not isinstance(n, int) for n in view.axes.values()):
        return Difference("the leaf has integers as extents", "integers", dict(view.axes))
    axes: dict[str, str] = {}
    for name, extent in definition.extents.items():
        users = _users(definition, name, {n: n for n in inputs})
        found = [
            axis
            for axis, n in view.extents.items()
            if n % extent == 0 and _users(view, axis, inputs) == users
        ]
        if not found:
            return Difference(
                f"an axis is a multiple of {name}",
                f"an axis of {extent} * n, in {_shown(users)}",
                ", ".join(f"{a}: {n}" for a, n in view.axes.items()) or "none",
            )
        axes[name] = found[-1]
    return CollectiveMatch(inputs, axes)


def _users(view: ComputeView, axis: str, inputs: Inputs) -> frozenset[int]:
    """Return the inputs of the definition that an axis indexes; -1 is the output."""
    used = {n for n, own in inputs.items() if axis in view.inputs[own].axes()}
    return frozenset(used | ({-1} if axis in view.outputs[0].axes() else set()))


def _shown(users: frozenset[int]) -> str:
    return ", ".join("the output" if n < 0 else f"input {n}" for n in sorted(users))


__all__ = ["CollectiveMatch", "match_collective"]
