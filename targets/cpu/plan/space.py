"""The plans of a kernel as points: the interface for tuners and other searches.

In: a kernel in buffer form, as cpu-plan gets it, and the target.  A *point* is a frozen dataclass
of numbers, one class per kind of kernel (`KINDS`).  The contract:

    point = plan_point(kernel, target)            the point of the rules; None: no such kind
    axes = space_of(point, kernel, target)        {field: values}, only fields with several values
    other = replace(point, tile=axes["tile"][3])  each value alone gives a legal point
    fault_of(other, kernel, target)               "" for a legal point, else the reason
    script = script_of(kernel, other, target)     the schedule, a sched.script op; print it for text
    point_of(kind_of(other), data_of(other))      equal to ``other``; ``data_of`` is JSON data

`script_of(kernel, plan_point(kernel, target), target)` is the script of cpu-plan.  A legal point
gives a script that applies to the kernel for all values of its symbolic sizes, and computes the
same sums up to rounding; only fields in `ROUNDING` change the order of sums.  Values are numbers,
booleans, strings and register tiles; the value of the rules comes first.  Changing one field may
change the values of another, so ask again after each change.  A kernel with several products or
row loops has one point, which all of them share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from ....dialects.sched import ScriptOp
from ....dialects.te import KernelOp
from ....machines.target import Target
from ....support.diagnostics import ScheduleError
from .kernel import plan_kernel
from .points.choice import Axes, Choice, P
from .points.convolution import ConvolutionPoint
from .points.dot_products import DotPoint
from .points.product import ProductPoint
from .tiles import RegisterTile

Point: TypeAlias = ProductPoint | ConvolutionPoint | DotPoint

KINDS: Mapping[str, type[Point]] = {
    "product": ProductPoint,
    "convolution": ConvolutionPoint,
    "dot_products": DotPoint,
}
"""The classes of points by the name of the kind, which records contain."""

ROUNDING = frozenset({"k_block", "lanes"})
"""The fields that change the order of sums, and hence the last bits of results."""


class _ChoiceRecorder:
    """A chooser that records a plan's choices; it returns ``point`` for each choice of its kind."""

    def __init__(self, point: Point | None = None) -> None:
        self.point = point
        self.choices: list[Choice[Any]] = []

    def __call__(self, choice: Choice[P]) -> P:
        self.choices.append(choice)
        point = self.point
        return point if isinstance(point, type(choice.default)) else choice.default


def _choice(
    kernel: KernelOp, target: Target, kind: type[Point] | None = None
) -> Choice[Any] | None:
    """Return the last choice that the plan of a kernel makes; None if it makes none.

    kind: consider only choices of points of this class.
    """
    recorder = _ChoiceRecorder()
    plan_kernel(kernel, target, recorder)
    found = (c for c in reversed(recorder.choices) if isinstance(c.default, kind or object))
    return next(found, None)


def plan_point(kernel: KernelOp, target: Target) -> Point | None:
    """Return the point that cpu-plan chooses for a kernel.

    None if the kernel is of none of the `KINDS`, so that its plan has no choices.
    """
    choice = _choice(kernel, target)
    return None if choice is None else choice.default


def space_of(point: Point, kernel: KernelOp, target: Target) -> Axes:
    """Return the legal values of each field, while the other fields keep those of ``point``."""
    choice = _choice(kernel, target, type(point))
    return {} if choice is None else choice.axes(point)


def fault_of(point: Point, kernel: KernelOp, target: Target) -> str:
    """Return why a point is illegal for a kernel, as a sentence; "" if it is legal."""
    choice = _choice(kernel, target, type(point))
    return "the kernel is of another kind" if choice is None else choice.fault(point)


def script_of(kernel: KernelOp, point: Point, target: Target) -> ScriptOp:
    """Return the schedule of a kernel that a point describes.

    The script may use intrinsics, which `declare_intrinsics` adds to the kernel's module.
    Errors: ScheduleError for an illegal point.
    """
    fault = fault_of(point, kernel, target)
    if fault:
        raise ScheduleError(
            f"the point does not fit kernel {kernel.label}: {fault}", got=str(point)
        )
    return plan_kernel(kernel, target, _ChoiceRecorder(point))


def kind_of(point: Point) -> str:
    """Return the name of a point's kind, a key of `KINDS`."""
    return next(name for name, kind in KINDS.items() if isinstance(point, kind))


def data_of(point: Point) -> dict[str, Any]:
    """Return the fields of a point as JSON data."""
    return asdict(point)


def point_of(kind: str, data: Mapping[str, Any]) -> Point:
    """Return the point that `data_of` returned as JSON data.

    kind: the kind of the point, a key of `KINDS`.
    data: its fields.

    Errors: KeyError for an unknown kind, TypeError for unknown or missing fields.
    """
    fields: dict[str, Any] = dict(data)
    if "tile" in fields:
        fields["tile"] = RegisterTile(**fields["tile"])
    return KINDS[kind](**fields)
