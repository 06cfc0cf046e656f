"""Einstein sums, Fourier transforms, and windows of signals."""

from __future__ import annotations

import numpy as np

from ..frontend.te.tensor import Tensor
from .arrangement import axis_of
from .converted import converted
from .table import TensorLike


def einsum(equation: str, *xs: TensorLike) -> Tensor:
    """Multiply tensors, and sum over the letters that the result of the equation lacks.

    equation: a letter per axis, such as "bij,bjk->bik"; ``...`` are further axes, which broadcast.
    Errors: ModelError for an equation that does not fit the operands, UnequalSizes for a letter
    with two sizes.
    """
    return converted("einsum", "Einsum", *xs, equation=equation)


def dft(
    x: Tensor,
    axis: int = -2,
    *,
    length: int | None = None,
    inverse: bool = False,
    onesided: bool = False,
) -> Tensor:
    """Return the discrete Fourier transform along an axis.

    length: the size to which the signal is cut or padded with zeros; by default, that of the axis.
    inverse: compute the inverse transform, divided by the length.  onesided: transform a real
    signal to the first ``length // 2 + 1`` values only, or such values to a real signal.
    Shapes: x (…, 1) of real or (…, 2) of complex elements; the result (…, 2), or (…, 1) if real.
    Errors: ModelError for the last axis, NeedsBinding for a symbolic size.
    """
    count = None if length is None else np.int64(length)
    place = np.int64(axis_of(x, axis))
    return converted("dft", "DFT", x, count, place, inverse=int(inverse), onesided=int(onesided))


def stft(
    x: Tensor,
    step: int,
    window: TensorLike | None = None,
    *,
    length: int | None = None,
    onesided: bool = True,
) -> Tensor:
    """Return the Fourier transforms of frames of a signal, each multiplied by a window.

    step: the distance of frames.  length: the size of a frame; by default, that of the window.
    Shapes: x (N, S), or (N, S, 1) real, or (N, S, 2) complex; the result (N, frames, bins, 2).
    Errors: ModelError if neither window nor length is given.
    """
    count = None if length is None else np.int64(length)
    return converted("stft", "STFT", x, np.int64(step), window, count, onesided=int(onesided))


__all__ = ["dft", "einsum", "stft"]
