"""Kernels of symbolic sizes whose schedules are slow, because they have no vectors.

In: a module with schedules.  Out: an error that names such a kernel, if its elements can be many.
A kernel of one small compute, such as the positions of a sequence, may do without.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp, TileIrregularOp, VectorizeOp
from ..dialects.shape import Extent
from ..dialects.te import ComputeOp, ComputeView, kernels_of
from ..support.diagnostics import SymbolicSize

LARGE_SIZE = 1024
"""The value of a symbolic size at which a kernel without vectors must be small."""

MOST_POINTS = 1 << 15
"""The most points of a small kernel; 2^15 scalar operations take some 10 us."""


def check_vectors(module: ModuleOp) -> None:
    """Raise SymbolicSize for a large kernel of symbolic sizes whose schedule is slow."""
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    for kernel in kernels_of(module):
        views = [op.view() for op in kernel.body.walk() if isinstance(op, ComputeOp)]
        has_vectors = _has_vectors(scripts.get(kernel.label))
        points = sum(prod(map(_large, view.axes.values())) for view in views)
        if kernel.sizes and not has_vectors and points > MOST_POINTS:
            raise SymbolicSize(
                "no plan handles a kernel of symbolic sizes",
                expected="vectors along some axis",
                got=", ".join(map(_shown, views)),
                hint="give the sizes of the inputs",
            ).at(kernel)


def _has_vectors(script: ScriptOp | None) -> bool:
    steps = () if script is None else script.walk()
    return any(isinstance(step, VectorizeOp | TileIrregularOp) for step in steps)


def _large(extent: Extent) -> int:
    return extent if isinstance(extent, int) else LARGE_SIZE


def _shown(view: ComputeView) -> str:
    axes = ", ".join(f"{axis}: {extent}" for axis, extent in view.axes.items())
    return f"@{view.name} [{axes}]"
