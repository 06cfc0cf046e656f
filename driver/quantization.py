"""quantize: write a model whose products compute in 8-bit integers.

The ranges of activations are the smallest and largest values of a few runs of the model itself,
compiled by this compiler.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..frontend.onnx.qdq import products_of, quantized, read, with_results, write
from ..support.diagnostics import ModelError
from .compile import compile

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray


def quantize(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    calibration: Iterable[Mapping[str, NDArray[Any]]],
    output: str | PathLike[str] | None = None,
    *,
    keep: Collection[str] = (),
    threads: int | None = None,
) -> onnx.ModelProto:
    """Return a model with QuantizeLinear and DequantizeLinear around its products.

    `MatMul`, `Gemm` and `Conv` nodes with constant f32 weights get 8-bit operands: weights i8 with
    a scale per channel, activations u8 with a scale and zero point per tensor.
    calibration: inputs by name, such as those of some dozen typical calls; their smallest and
    largest activations are the limits of the 8 bits.  output: a file to write.  keep: names of
    nodes, or of their results, that stay f32.
    Errors: ModelError for opsets below 13, and for calibrations without numbers; see compile.
    """
    proto = read(model)
    products = products_of(proto, keep)
    if products:
        ranges = _ranges(proto, {p.activation for p in products}, calibration, threads)
        proto = quantized(proto, products, ranges)
    if output is not None:
        write(proto, output)
    return proto


def _ranges(
    proto: onnx.ModelProto,
    names: Collection[str],
    calibration: Iterable[Mapping[str, NDArray[Any]]],
    threads: int | None,
) -> dict[str, tuple[float, float]]:
    """Return the smallest and largest value of tensors in all runs."""
    given = {value.name for value in proto.graph.input}
    made = sorted(name for name in names if name not in given)
    program = compile(with_results(proto, made), threads=threads) if made else None
    found: dict[str, tuple[float, float]] = {}
    for inputs in calibration:
        results = () if program is None else program.run(inputs)
        arrays = {name: inputs[name] for name in names if name in given}
        arrays |= {name: np.asarray(array) for name, array in zip(made, results, strict=True)}
        for name, array in arrays.items():
            low, high = found.get(name, (np.inf, -np.inf))
            found[name] = min(low, float(array.min())), max(high, float(array.max()))
    for name in names:
        low, high = found.get(name, (np.inf, -np.inf))
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ModelError(
                "the calibration has no finite range of a tensor",
                expected="inputs of some runs, with finite activations",
                got=f"{low} to {high} of {name!r}",
            )
    return found
