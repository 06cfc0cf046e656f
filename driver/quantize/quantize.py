"""quantize: rewrite a model so that its products compute in 8-bit integers.

The limits of activations follow from their values in a few runs of the model, which is compiled for
that purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ...frontend.onnx.qdq import (
    QuantizableProduct,
    products_of,
    quantized,
    read,
    with_names,
    with_results,
    write,
)
from ...frontend.onnx.smoothing import apply_factors, smoothable
from ...runtime.spelling import suggests_arguments
from ...support.diagnostics import TilewrightError
from ..compile import compile
from .calibration import Method, Observed, check_finite, parse_method
from .layer_choice import LayerChoice, LayerLimits, layers_of

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

SHARE = 0.9999
"""The default fraction of values that lie between the limits of the method "percentile"."""


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
    """Return a model with QuantizeLinear and DequantizeLinear nodes around its products.

    `MatMul`, `Gemm` and `Conv` nodes with constant f32 weights get 8-bit operands: i8 weights with
    a scale per channel, u8 activations with a scale and zero point per tensor.
    calibration: the inputs, by name, of several typical calls; some dozen calls suffice.
    output: a file to write.  keep: names of the nodes, or of node results, that stay f32.
    method: how to choose the two limits that the 8 bits represent.  "min-max" takes the smallest
    and largest activation.  "percentile" leaves out the extreme values, so that the fraction
    ``share`` lies between the limits.  "entropy" takes the limits at which the distribution changes
    least.
    smooth: between 0 and 1, how much of the range of each channel moves from activations to weights
    (SmoothQuant), such as 0.5 for transformers; 0 for none.  It applies where a normalization or a
    product with constants computes the activation.
    Errors: ModelError for opsets below 13, and for calibrations without finite activations; see
    compile.

    >>> rng = np.random.default_rng(0)
    >>> calls = [{"x": rng.standard_normal((8, 4), np.float32)} for _ in range(4)]
    >>> proto = tilewright.quantize("model.onnx", calls)
    >>> "QuantizeLinear" in {node.op_type for node in proto.graph.node}
    True
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
    """Quantize the products that lose little accuracy; return the model and all choices.

    limits: the largest error of a quantized product and, if measured times should count, its least
    speedup; `LayerLimits(error=0.1, gain=0)` by default.
    Times are measured with the first inputs of the calibration.
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
    """The options of `quantize` that determine how the limits of activations are chosen.

    share: for the method "percentile".  smooth: the exponent of SmoothQuant; 0: no smoothing.
    """

    method: Method
    share: float
    smooth: float
    threads: int | None

    def products(
        self,
        proto: onnx.ModelProto,
        keep: Collection[str],
        runs: Sequence[Mapping[str, NDArray[Any]]],
    ) -> tuple[list[QuantizableProduct], dict[str, tuple[float, float]]]:
        """Return the products of a model, and the limits of each activation by its name.

        With ``smooth``, first move part of the ranges of channels from activations to weights,
        which changes the model.
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
    products: Sequence[QuantizableProduct],
    runs: Sequence[Mapping[str, NDArray[Any]]],
    share: float,
    threads: int | None,
) -> None:
    """Move part of the ranges of activation channels to the weights of a model, in place.

    runs: inputs of the model by name, one mapping per run.
    share: the exponent of SmoothQuant, between 0 (no part of a range moves) and 1 (all of it).
    """
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
    """Run a model; return the distribution of each named tensor over all runs.

    counts_values: whether to record histograms in addition to the extremes.
    Errors: ModelError for a tensor without finite values.
    """
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
