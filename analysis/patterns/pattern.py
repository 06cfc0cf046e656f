"""Classify what a kernel computes as one of six patterns.

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
    """The computes, in order, of a kernel in which some compute reduces, such as a softmax."""

    computes: tuple[ComputeOp, ...]


@dataclass(frozen=True)
class Pointwise:
    """The computes, in order, of a kernel in which no compute reduces."""

    computes: tuple[ComputeOp, ...]


@dataclass(frozen=True)
class Irregular:
    """The ops, in order, of a kernel without computes, such as a scatter or a sort."""

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
    """Return a compute's convolution, or else its contraction; None if it is neither."""
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
