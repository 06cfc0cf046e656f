"""Convert Fourier transforms, whose complex operands and results are two real values each.

Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.shape import Dim
from ...support.diagnostics import ModelError
from ..onnx.builder import Builder, Tensor
from ..onnx.converters.signal import FourierTransform, transformed
from .node import Converter, StablehloNode

KINDS = {"FFT": (False, False), "IFFT": (True, False), "RFFT": (False, True), "IRFFT": (True, True)}
"""By kind of transform: whether it is inverse, and whether its operand or result is real."""


def fft(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Compute a Fourier transform of the last axes, one for each length in the attribute.

    If the operand or the result is real (RFFT, IRFFT), the spectrum is one-sided along the last
    axis. A complex operand or result is a pair of tensors: real and imaginary parts.
    """
    kind = node.word("fft_type") or node.word("type")
    lengths = node.ints("fft_length", ()) or node.ints("length", ())
    parts = 1 if kind == "RFFT" else 2
    if kind not in KINDS or len(node.inputs) != parts or not 0 < len(lengths) <= node[0].rank:
        raise ModelError(
            "the attributes of the transform do not fit its operand",
            expected=f"one of {', '.join(KINDS)}, and a length for each transformed axis",
            got=f"{kind}, {lengths}",
        )
    inverse, onesided = KINDS[kind]
    x = b.concat(
        [b.reshape(each, (*each.dims, Dim.const(1))) for each in node.inputs], node[0].rank
    )
    last = node[0].rank - 1
    axes = [(last - n, length) for n, length in enumerate(reversed(lengths))]
    for axis, length in reversed(axes) if inverse else axes:
        is_real = onesided and axis == last
        x = transformed(b, x, axis, FourierTransform(length, inverse, is_real))
    count = 1 if kind == "IRFFT" else 2
    results = [b.slice(x, last + 1, n, 1) for n in range(count)]
    return [b.reshape(each, each.dims[:-1]) for each in results]


CONVERTERS: dict[str, Converter] = {"stablehlo.fft": fft}
