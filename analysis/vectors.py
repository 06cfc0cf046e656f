"""Kernels of symbolic sizes whose schedules are slow, because they have no vectors.

In: a module with schedules.  Out: an error that names such a kernel, if it slows the program down.
A kernel of one small compute, such as the positions of a sequence, may do without, and so may one
that is a small part of the cycles that the cost model predicts for the program, or one that has no
vectors for numbers either.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from xdsl.dialects.builtin import ModuleOp

from ..dialects.packed import CallOp
from ..dialects.sched import ScriptOp, TileIrregularOp, VectorizeOp
from ..dialects.shape import Extent
from ..dialects.te import Access, ComputeOp, ComputeView, KernelOp, kernels_of
from ..support.diagnostics import SymbolicSize
from ..support.target import Target
from .cost import kernel_cycles, scalar_cycles

LARGE_SIZE = 1024
"""The value of a symbolic size at which a kernel without vectors must be small."""

MOST_POINTS = 1 << 15
"""The most points of a small kernel; 2^15 scalar operations take some 10 us."""

MOST_SHARE = 1 / 16
"""The most cycles that scalar code may add to a program, as a part of its own."""


def check_vectors(module: ModuleOp, target: Target) -> None:
    """Raise SymbolicSize for a large kernel of symbolic sizes whose schedule is slow."""
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    kernels = kernels_of(module)
    slow = [k for k in kernels if k.sizes and not _has_vectors(scripts.get(k.label))]
    slow = [k for k in slow if _points(k) > MOST_POINTS]
    if not slow:
        return
    calls = Counter(op.kernel_name for op in module.walk() if isinstance(op, CallOp))
    total = sum(calls[k.label] * kernel_cycles(k, target) for k in kernels)
    added = {k: calls[k.label] * scalar_cycles(k) for k in slow}
    if sum(added.values()) <= MOST_SHARE * total:
        return
    kernel = max(slow, key=lambda k: added[k])
    raise SymbolicSize(
        "no plan handles a kernel of symbolic sizes",
        expected="vectors along some axis",
        got=", ".join(map(_shown, _views(kernel))),
        hint="give the sizes of the inputs",
    ).at(kernel)


def _views(kernel: KernelOp) -> list[ComputeView]:
    return [op.view() for op in kernel.body.walk() if isinstance(op, ComputeOp)]


def _points(kernel: KernelOp) -> int:
    views = [view for view in _views(kernel) if not _is_scalar(view)]
    return sum(prod(map(_large, view.axes.values())) for view in views)


def _is_scalar(view: ComputeView) -> bool:
    """Return whether vectors would not help: prefix sums, and elements at computed positions."""
    if view.scan is not None:
        return all(_runs_along(output, view.scan) for output in view.outputs)
    return not view.reduced_axes() and any(access.is_whole for access in view.inputs)


def _runs_along(access: Access, axis: str) -> bool:
    """Return whether neighbours in memory are neighbours along an axis."""
    return bool(access.indices) and access.indices[-1].variable() == axis


def _has_vectors(script: ScriptOp | None) -> bool:
    steps = () if script is None else script.walk()
    return any(isinstance(step, VectorizeOp | TileIrregularOp) for step in steps)


def _large(extent: Extent) -> int:
    if isinstance(extent, int):
        return extent
    return extent.evaluate(dict.fromkeys(extent.symbols(), LARGE_SIZE))


def _shown(view: ComputeView) -> str:
    axes = ", ".join(f"{axis}: {extent}" for axis, extent in view.axes.items())
    return f"@{view.name} [{axes}]"
