"""Kernels of symbolic sizes whose schedules are slow: without vectors, or convolutions.

In: a module with schedules.  Out: an error that names such a kernel, if its elements can be many.
A kernel of one small compute, such as the positions of a sequence, may do without.  Convolutions
over a symbolic height or width have vectors, but neither packed weights nor tiles of pixels (three
times the time of a plan for numbers).
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp, TileIrregularOp, VectorizeOp
from ..dialects.shape import Dim, Extent
from ..dialects.te import ComputeOp, ComputeView, kernels_of
from ..support.affine import Index
from ..support.diagnostics import SymbolicSize
from .window import slides

LARGE_SIZE = 1024
"""The value of a symbolic size at which a kernel without vectors must be small."""

MOST_POINTS = 1 << 15
"""The most points of a small kernel; 2^15 scalar operations take some 10 us."""


def check_vectors(module: ModuleOp) -> None:
    """Raise SymbolicSize for a large kernel of symbolic sizes whose schedule is slow."""
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    for kernel in kernels_of(module):
        views = [op.view() for op in kernel.body.walk() if isinstance(op, ComputeOp)]
        is_slow = not _has_vectors(scripts.get(kernel.label)) or any(map(_is_convolution, views))
        points = sum(prod(map(_large, view.axes.values())) for view in views)
        if kernel.sizes and is_slow and points > MOST_POINTS:
            raise SymbolicSize(
                "no plan handles a kernel of symbolic sizes",
                expected="vectors along some axis, and no convolution",
                got=", ".join(map(_shown, views)),
                hint="give the sizes of the inputs",
            ).at(kernel)


def _has_vectors(script: ScriptOp | None) -> bool:
    steps = () if script is None else script.walk()
    return any(isinstance(step, VectorizeOp | TileIrregularOp) for step in steps)


def _is_convolution(view: ComputeView) -> bool:
    """Return whether a compute sums products over overlapping windows of a symbolic number.

    In ``x[h * 64 + k]`` with k below 64 the axes are parts of one, and no windows.
    """
    return len(view.inputs) > 1 and any(
        slides(view, access) and any(_overlaps(view, index) for index in access.indices or ())
        for access in view.inputs
    )


def _overlaps(view: ComputeView, index: Index) -> bool:
    reduced = set(view.reduced_axes())
    axes = [a for a in index.terms if isinstance(a, str)]
    reach = sum(index.terms[a] * _large(view.axes[a]) for a in axes if a in reduced)
    steps = [index.terms[a] for a in axes if a not in reduced]
    is_symbolic = any(isinstance(view.axes[a], Dim) for a in axes)
    return is_symbolic and bool(reach and steps) and min(steps) < reach


def _large(extent: Extent) -> int:
    return extent if isinstance(extent, int) else LARGE_SIZE


def _shown(view: ComputeView) -> str:
    axes = ", ".join(f"{axis}: {extent}" for axis, extent in view.axes.items())
    return f"@{view.name} [{axes}]"
