"""Convert Fourier transforms (DFT, STFT) to matrix products; also window functions, mel filters.

A transform of a few hundred points is one product with a constant matrix on interleaved real and
imaginary parts; the matrix also pads, truncates, selects one side and scales. A longer transform of
p * q points is q transforms of p points, a product with constant factors, and p transforms of q
points (Cooley-Tukey). For a large prime number of points, it is a convolution, computed by
transforms whose lengths are powers of two (Bluestein). All computation is in f64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f64

from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import GatherOp, MatmulOp
from ....dialects.shape import Dim, element_count, normalize_axis
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter, static

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

MAX_MATRIX_ELEMENTS = 2**20
"""Maximum number of elements of a transform's matrix: 8 MB, or 512 complex points."""


@dataclass(frozen=True)
class FourierTransform:
    """A discrete Fourier transform of ``length`` points along one axis.

    inverse: whether the transform is the inverse one, from bins to values.  onesided: whether real
    values are transformed to length // 2 + 1 bins or, with ``inverse``, such bins to real values.
    """

    length: int
    inverse: bool = False
    onesided: bool = False

    @property
    def half(self) -> int:
        """The number of bins of a one-sided spectrum: ``length // 2 + 1``."""
        return self.length // 2 + 1

    @property
    def input_length(self) -> int:
        """The number of points or bins that the transform reads; further ones are ignored."""
        return self.half if self.inverse and self.onesided else self.length

    @property
    def output_length(self) -> int:
        """The number of points or bins of the result."""
        return self.half if self.onesided and not self.inverse else self.length

    @property
    def parts(self) -> int:
        """The number of parts of each result element: 1 if it is real, 2 if complex."""
        return 1 if self.onesided and self.inverse else 2

    def matrix(self, count: int, parts: int) -> Floats:
        """Return the matrix that maps ``count`` elements to the result of the transform.

        parts: 1 if the elements are real, 2 if they are complex.
        A row of the matrix stands for a part (real or imaginary) of an input element, and a column
        for a part of a result element.
        """
        sign = 1 if self.inverse else -1
        turns = _roots(self.length, sign)[
            np.outer(np.arange(count), np.arange(self.output_length)) % self.length
        ]
        turns = turns / self.length if self.inverse else turns
        if self.parts == 1:
            turns = turns * np.where(_own_mirror(self.length, count), 1.0, 2.0)[:, None]
        # (element, part) to (element, part): (re, im) * (c + is) = (re c - im s, re s + im c)
        blocks = np.stack([turns, 1j * turns])[:parts]
        both = np.stack([blocks.real, blocks.imag][: self.parts])
        return np.ascontiguousarray(both.transpose(2, 1, 3, 0)).reshape(
            count * parts, self.output_length * self.parts
        )


def _own_mirror(length: int, count: int) -> NDArray[np.bool_]:
    """Return a mask of the bins of a real signal's spectrum that are their own mirror.

    Bin k mirrors bin ``length - k``, so these are the first bin and, for even length, the middle
    one.
    length: the number of points of the transform.  count: the number of bins in the mask.
    """
    bins = np.arange(count)
    return 2 * bins % length == 0


def _roots(length: int, sign: int) -> Complex:
    """Return the powers 0 to ``length - 1`` of ``exp(sign * 2 * pi * i / length)``."""
    return np.exp(sign * 2j * np.pi * np.arange(length) / length)


def dft_attributes(node: Node, b: Builder) -> Tensor:
    """Transform along the axis that an attribute specifies (opset < 20)."""
    return _dft(node, b, node.integer("axis", 1))


def dft_inputs(node: Node, b: Builder) -> Tensor:
    """Transform along the axis that the third input specifies."""
    (axis,) = node.ints_at(2, "axis") or (-2,)
    return _dft(node, b, axis)


def _dft(node: Node, b: Builder, axis: int) -> Tensor:
    x = node[0]
    axis = normalize_axis(axis, x.rank)
    if axis == x.rank - 1:
        raise ModelError("axis of the transform holds real and imaginary parts", got=axis)
    inverse, onesided = bool(node.integer("inverse", 0)), bool(node.integer("onesided", 0))
    size = static(x.dims[axis], "the length of a Fourier transform")
    default = 2 * (size - 1) if inverse and onesided else size
    (length,) = node.ints_at(1, "dft_length") or (default,)
    if length < 1:
        raise ModelError("length of the transform is not positive", got=length)
    return transformed(b, x, axis, FourierTransform(length, inverse, onesided))


def transformed(b: Builder, x: Tensor, axis: int, transform: FourierTransform) -> Tensor:
    """Transform a tensor along an axis.

    The last axis of x has the real and imaginary parts of each element, or only real parts.
    """
    parts = static(x.dims[-1], "the last size of a signal")
    if parts not in (1, 2):
        raise ModelError("last axis does not hold complex parts", expected="1 or 2", got=parts)
    order = [n for n in range(x.rank - 1) if n != axis]
    perm = [*order, axis, x.rank - 1]
    size = min(static(x.dims[axis], "the length of a Fourier transform"), transform.input_length)
    x = b.slice(x, axis, 0, size) if size != x.dims[axis].value else x
    outer = [x.dims[n] for n in order]
    rows = b.reshape(b.transpose(x, perm), (element_count(outer), size, parts))
    done = _rows(b, b.cast(rows, f64), size, parts, transform)
    out = b.reshape(b.cast(done, x.dtype), (*outer, transform.output_length, transform.parts))
    return b.transpose(out, [perm.index(n) for n in range(x.rank)])


def _rows(b: Builder, x: Tensor, size: int, parts: int, transform: FourierTransform) -> Tensor:
    """Transform the rows of an f64 tensor of shape (rows, size, parts)."""
    if size * parts * transform.output_length * transform.parts <= MAX_MATRIX_ELEMENTS:
        matrix = transform.matrix(size, parts)
        return _product(b, x, matrix, (transform.output_length, transform.parts))
    if parts == 1:
        x = b.concat([x, b.apply("mul", x, 0.0)], 2)
    x = _padded(b, x, transform.input_length)
    if transform.input_length != transform.length:
        x = _mirrored(b, x, transform.length)
    sign = 1 if transform.inverse else -1
    out = _fast(b, x, transform.length, sign)
    if transform.inverse:
        out = b.apply("mul", out, 1 / transform.length)
    if transform.output_length < transform.length:
        out = b.slice(out, 1, 0, transform.output_length)
    return b.slice(out, 2, 0, 1) if transform.parts == 1 else out


def _product(b: Builder, x: Tensor, matrix: Floats, shape: tuple[int, int]) -> Tensor:
    rows = x.dims[0]
    flat = b.reshape(x, (rows, matrix.shape[0]))
    out = b.emit(MatmulOp(b.ssa(flat), b.ssa(Tensor.of_array(matrix))))
    return b.reshape(out, (rows, *shape))


def _padded(b: Builder, x: Tensor, size: int) -> Tensor:
    missing = max(size - static(x.dims[1], "the length of a Fourier transform"), 0)
    return b.padded(x, 1, Dim.const(0), Dim.const(missing), 0.0)


def _mirrored(b: Builder, x: Tensor, length: int) -> Tensor:
    """Extend a one-sided spectrum to both sides, by its inner bins, reversed and conjugated.

    The imaginary parts of the bins that mirror themselves become 0, as in numpy.
    length: the number of points of the transform.
    """
    count = length // 2 + 1
    real = Tensor.of_array(np.stack([np.ones(count), ~_own_mirror(length, count)], -1))
    x = b.apply("mul", x, real)
    inner = length - count
    back = b.slice(x, 1, inner, inner, -1)
    return b.concat([x, b.apply("mul", back, Tensor.of_array(np.array([1.0, -1.0])))], 1)


def _fast(b: Builder, x: Tensor, n: int, sign: int) -> Tensor:
    """Transform rows of shape (rows, n, 2), real and imaginary parts, by a fast Fourier transform.

    sign: the sign of the exponent; an inverse transform (sign 1) is not divided by n.
    """
    if 4 * n * n <= MAX_MATRIX_ELEMENTS:
        matrix = FourierTransform(n, inverse=sign > 0).matrix(n, 2) * (n if sign > 0 else 1)
        return _product(b, x, matrix, (n, 2))
    p = next(d for d in range(isqrt(n), 0, -1) if n % d == 0)
    if p == 1:
        return _by_convolution(b, x, n, sign)
    q, rows = n // p, x.dims[0]
    # x[i * q + j] over i, then times a root, then over j: bin k + l * p.
    x = b.transpose(b.reshape(x, (rows, p, q, 2)), (0, 2, 1, 3))
    x = _fast(b, b.reshape(x, (rows * q, p, 2)), p, sign)
    turns = _roots(n, sign)[np.outer(np.arange(q), np.arange(p)) % n]
    x = _times(b, b.reshape(x, (rows, q, p, 2)), turns)
    x = b.reshape(b.transpose(x, (0, 2, 1, 3)), (rows * p, q, 2))
    x = b.reshape(_fast(b, x, q, sign), (rows, p, q, 2))
    return b.reshape(b.transpose(x, (0, 2, 1, 3)), (rows, n, 2))


def _by_convolution(b: Builder, x: Tensor, n: int, sign: int) -> Tensor:
    """Transform rows of shape (rows, n, 2) by a convolution (Bluestein).

    The exponent t * k is written as (t² + k² - (k - t)²) / 2.  sign: the sign of the exponent.
    """
    size = 1 << (2 * n - 2).bit_length()
    chirp = _roots(2 * n, sign)[np.arange(n) ** 2 % (2 * n)]
    kernel = np.zeros(size, np.complex128)
    kernel[:n] = chirp.conj()
    kernel[size - n + 1 :] = chirp[:0:-1].conj()
    spectrum = np.fft.fft(kernel) / size
    y = _fast(b, _padded(b, _times(b, x, chirp), size), size, -1)
    y = _fast(b, _times(b, y, spectrum), size, 1)
    return _times(b, b.slice(y, 1, 0, n), chirp)


def _times(b: Builder, x: Tensor, factors: Complex) -> Tensor:
    """Multiply complex numbers by constants; the last axis of x has real and imaginary parts."""
    real, imag = (b.slice(x, x.rank - 1, part, 1) for part in range(2))
    c, s = (
        Tensor.of_array(np.ascontiguousarray(v)[..., None]) for v in (factors.real, factors.imag)
    )
    return b.concat(
        [
            b.apply("sub", b.apply("mul", real, c), b.apply("mul", imag, s)),
            b.apply("add", b.apply("mul", real, s), b.apply("mul", imag, c)),
        ],
        x.rank - 1,
    )


def stft(node: Node, b: Builder) -> Tensor:
    """Transform windowed frames of a signal.

    Shapes: the result is (batch, frame, bin, 2).
    """
    signal, window = node[0], node.get(2)
    (step,) = node.ints_at(1, "frame_step") or (0,)
    given = node.ints_at(3, "frame_length")
    if given is None and window is None:
        raise ModelError("STFT has neither a window nor frame_length")
    length = given[0] if given else static(node[2].dims[0], "the size of the window")
    if step < 1 or length < 1:
        raise ModelError("frame_step and frame_length are not positive", got=(step, length))
    onesided = bool(node.integer("onesided", 1))
    frames = _frames(b, signal, step, length)
    if window is not None:
        frames = b.apply("mul", frames, b.broadcast_to(window, frames.dims, 2))
    return transformed(b, frames, 2, FourierTransform(length, onesided=onesided))


def _frames(b: Builder, signal: Tensor, step: int, length: int) -> Tensor:
    if signal.rank == 2:
        signal = b.reshape(signal, (*signal.dims, 1))
    count = (signal.dims[1] - length) // step + 1
    dims = (count, Dim.const(length))
    first = b.apply("mul", b.iota(dims, 0), step)
    return b.emit(GatherOp(b.ssa(signal), b.ssa(b.apply("add", first, b.iota(dims, 1))), 1))


WINDOWS: dict[str, Sequence[float]] = {
    "HannWindow": (0.5, -0.5),
    "HammingWindow": (25 / 46, -21 / 46),
    "BlackmanWindow": (0.42, -0.5, 0.08),
}
"""By operator, the coefficients of the cosine terms with 0, 1 and 2 periods in the window."""


def _window(coefficients: Sequence[float]) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        size = int(node.number_at(0, "size"))
        last = size if node.integer("periodic", 1) else size - 1
        turns = 2 * np.pi * np.arange(size) / max(last, 1)
        total = sum(c * np.cos(k * turns) for k, c in enumerate(coefficients))
        return _constant(node, np.asarray(total, np.float64).reshape(size))

    return convert


def _constant(node: Node, values: NDArray[Any]) -> Tensor:
    return Tensor.of_array(values.astype(numpy_dtype(node.dtype("output_datatype", 1))))


def mel_weight_matrix(node: Node, b: Builder) -> Tensor:
    """Build a matrix of triangular filters, from spectrum bins to bands on the mel scale.

    Band i rises from edge i to edge i + 1 and falls to edge i + 2; edges are at integer bins.
    """
    bands, length, rate = (int(node.number_at(n, "size of the filters")) for n in range(3))
    low, high = (2595 * np.log10(1 + node.number_at(n, "edge") / 700) for n in (3, 4))
    mels = low + np.arange(bands + 2) * ((high - low) / (bands + 2))
    hertz = 700 * (10 ** (mels / 2595) - 1)
    edges = np.floor((length + 1) * hertz / rate)
    left, center, right = edges[:-2], edges[1:-1], edges[2:]
    bins = np.arange(length // 2 + 1)[:, None]
    rising = np.where(center > left, (bins - left) / np.maximum(center - left, 1), bins == center)
    falling = (right - bins) / np.maximum(right - center, 1)
    rises = (left <= bins) & (bins <= center)
    falls = (center <= bins) & (bins < right)
    return _constant(node, np.where(falls, falling, np.where(rises, rising, 0.0)))


CONVERTERS = (
    OpConverter("DFT", dft_attributes, since=17, until=19),
    OpConverter("DFT", dft_inputs, since=20),
    OpConverter("STFT", stft, since=17),
    *(OpConverter(name, _window(c), since=17) for name, c in WINDOWS.items()),
    OpConverter("MelWeightMatrix", mel_weight_matrix, since=17),
)
