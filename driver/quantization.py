"""quantize: write a model whose products compute in 8-bit integers.

The limits of activations follow from the values of a few runs of the model itself, compiled by this
compiler.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..frontend.onnx.qdq import (
    Product,
    products_of,
    quantized,
    read,
    with_names,
    with_results,
    write,
)
from ..frontend.onnx.smoothing import apply_factors, smoothable
from ..runtime.spelling import suggests_arguments
from ..support.diagnostics import TilewrightError
from .calibration import Method, Observed, check_finite, parse_method
from .compile import compile
from .layer_choice import LayerChoice, LayerLimits, layers_of

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

SHARE = 0.9999
"""The share of values between the limits that percentiles choose."""


@suggests_arguments
def quantize(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    calibration: Iterable[Mapping[str, NDArray[Any]]],
    output: str | PathLike[str] | None = None,
    *,
    keep: Collection[str] = (),
    method: str = Method.MINMAX,
    share: float = SHARE,
    smooth: float = 0.0,
    threads: int | None = None,
) -> onnx.ModelProto:
    """Return a model with QuantizeLinear and DequantizeLinear around its products.

    `MatMul`, `Gemm` and `Conv` nodes with constant f32 weights get 8-bit operands: weights i8 with
    a scale per channel, activations u8 with a scale and zero point per tensor.
    calibration: inputs by name, such as those of some dozen typical calls.  output: a file to
    write.  keep: names of nodes, or of their results, that stay f32.
    method: "min-max" takes the smallest and largest activations as the limits of the 8 bits,
    "percentile" the limits between which a share of them lies, "entropy" those at which their
    distribution changes least.
    smooth: how much of the ranges of channels moves from activations to weights where a
    normalization or a product with constants is before a product, such as 0.5 for transformers.
    Errors: ModelError for opsets below 13, and for calibrations without numbers; see compile.
    """
    proto, runs = read(model), list(calibration)
    how = _Calibration(parse_method(method), share, smooth, threads)
    products, ranges = how.products(proto, keep, runs)
    if products:
        proto = quantized(proto, products, ranges)
    if output is not None:
        write(proto, output)
    return proto


@suggests_arguments
def quantize_by_layer(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    calibration: Iterable[Mapping[str, NDArray[Any]]],
    output: str | PathLike[str] | None = None,
    *,
    limits: LayerLimits | None = None,
    keep: Collection[str] = (),
    method: str = Method.MINMAX,
    share: float = SHARE,
    smooth: float = 0.0,
    threads: int | None = None,
) -> tuple[onnx.ModelProto, list[LayerChoice]]:
    """Quantize the products that lose little; return the model and all products.

    limits: the largest error, and the least gain of measured time if the choice is to depend on
    it: `LayerLimits(error=0.1, gain=0)` by default.
    The first inputs of the calibration are those that times are measured with.
    See `quantize` for the other arguments.  Cost: four compilations more than `quantize`.
    """
    proto, runs = read(model), list(calibration)
    how = _Calibration(parse_method(method), share, smooth, threads)
    products, ranges = how.products(proto, keep, runs)
    with_names(proto, products)
    layers: list[LayerChoice] = []
    if products:
        layers = layers_of(proto, products, ranges, runs, limits or LayerLimits(), threads)
        chosen = [p for p, layer in zip(products, layers, strict=True) if not layer.kept]
        proto = quantized(proto, chosen, ranges)
    if output is not None:
        write(proto, output)
    return proto, layers


@dataclass(frozen=True)
class _Calibration:
    """How the limits of activations are found."""

    method: Method
    share: float
    smooth: float
    threads: int | None

    def products(
        self,
        proto: onnx.ModelProto,
        keep: Collection[str],
        runs: Sequence[Mapping[str, NDArray[Any]]],
    ) -> tuple[list[Product], dict[str, tuple[float, float]]]:
        """Return the products of a model, and the limits of their activations.

        The ranges of channels may move to weights.
        """
        products = products_of(proto, keep)
        if products and self.smooth:
            _smoothed(proto, products, runs, self.smooth, self.threads)
            products = products_of(proto, keep)
        names = {p.activation for p in products}
        needs_counts = self.method is not Method.MINMAX
        found = observed(proto, names, runs, self.threads, counts_values=needs_counts)
        return products, {n: each.limits(self.method, self.share) for n, each in found.items()}


def _smoothed(
    proto: onnx.ModelProto,
    products: Sequence[Product],
    runs: Sequence[Mapping[str, NDArray[Any]]],
    share: float,
    threads: int | None,
) -> None:
    """Move ranges of channels to weights."""
    if not 0 < share < 1:
        raise TilewrightError("no share of a range", expected="0 to 1", got=share)
    groups = smoothable(proto, products)
    names = {group.activation for group in groups}
    found = observed(proto, names, runs, threads, counts_values=False)
    largest = {name: each.channels for name, each in found.items() if each.channels is not None}
    apply_factors(proto, groups, largest, share)


def observed(
    proto: onnx.ModelProto,
    names: Collection[str],
    calibration: Iterable[Mapping[str, NDArray[Any]]],
    threads: int | None,
    *,
    counts_values: bool = True,
) -> dict[str, Observed]:
    """Return the distributions of tensors in all runs; counts_values: with histograms."""
    found = {name: Observed(counts_values) for name in sorted(names)}
    if not found:
        return found
    # The program returns even the tensors that are inputs, so that each call checks all arguments.
    results = list(found)
    program = compile(with_results(proto, results), threads=threads)
    for inputs in calibration:
        for name, array in zip(results, program.run(inputs), strict=True):
            found[name].add(np.asarray(array))
    for name, each in found.items():
        check_finite(name, each.low, each.high)
    return found
