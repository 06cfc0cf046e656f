"""What a kernel computes, as one of six patterns: the only recogniser of whole kernels.

    attention     two products around a softmax, by five computes
    convolution   a sum of products whose filters slide over an image
    contraction   a sum of products, or another reduction over pairs of elements
    reduction     computes of which some reduce
    pointwise     computes of which none reduces
    irregular     a scatter, a sort, or a nest of loops

In: a kernel in value or buffer form, of any sizes.  Out: its pattern, as data without any policy.
Computes that fill the border of an image do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...dialects.te import ComputeOp, ComputeView, IrregularOp, KernelOp
from ...dialects.te.role import Border
from .attention import Attention, find_attention
from .contraction import Contraction, contraction_of, slides
from .convolution import Convolution, find_convolution


@dataclass(frozen=True)
class Reduction:
    """Computes of which some reduce, in order, such as those of a softmax."""

    computes: tuple[ComputeOp, ...]


@dataclass(frozen=True)
class Pointwise:
    """Computes of which none reduces, in order."""

    computes: tuple[ComputeOp, ...]


@dataclass(frozen=True)
class Irregular:
    """A kernel without computes: its other ops that define tensors, in order."""

    ops: tuple[IrregularOp, ...]


Pattern: TypeAlias = Attention | Convolution | Contraction | Reduction | Pointwise | Irregular


def computes_of(kernel: KernelOp) -> list[ComputeOp]:
    """Return the computes of a kernel in order, except those that fill a border."""
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    return [op for op in computes if not op.has_role(Border)]


def pattern_of(kernel: KernelOp) -> Pattern:
    """Return what a kernel computes."""
    computes = computes_of(kernel)
    if not computes:
        return Irregular(tuple(op for op in kernel.body.walk() if isinstance(op, IrregularOp)))
    attention = find_attention(computes[-1])
    if attention is not None and attention.members == computes:
        return attention
    if len(computes) == 1 and (single := pattern_of_compute(computes[0].view())) is not None:
        return single
    return _of_rows(computes)


def pattern_of_compute(view: ComputeView) -> Convolution | Contraction | None:
    """Return the contraction that a compute is, as a convolution if it is one; else None."""
    found = contraction_of(view)
    if found is None or not any(slides(view, access) for access in view.inputs):
        return found
    return find_convolution(view) or found


def _of_rows(computes: Sequence[ComputeOp]) -> Reduction | Pointwise:
    reduces = any(access.reduces for op in computes for access in op.view().outputs)
    return Reduction(tuple(computes)) if reduces else Pointwise(tuple(computes))


__all__ = [
    "Attention", "Irregular", "Pattern", "Pointwise", "Reduction", "computes_of", "pattern_of",
    "pattern_of_compute",
]  # fmt: skip
