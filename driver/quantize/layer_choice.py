"""The choice of layers to quantize, by the 8-bit error and the speedup of each layer.

In: a model, its products (MatMul, Gemm and Conv nodes), and the limits of their activations.  Out:
a row for each product.  The error of a layer includes only the rounding of its own operands: one
program computes each product twice from the same f32 activations, with f32 operands and with
rounded operands.  Times come from profiles of the whole model in f32 and with all products
quantized, so they include the kernels that quantize and dequantize the operands of a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...frontend.onnx.qdq import (
    QuantizableProduct,
    copied,
    nodes_of,
    quantized,
    with_results,
    with_twins,
)
from ...runtime.spelling import SuggestsNames, suggests_arguments
from ..compile import compile
from .product_times import ROUNDS, product_times

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

    from ..module.compiled_module import CompiledModule


@suggests_arguments
@dataclass(frozen=True)
class LayerLimits(SuggestsNames):
    """The limits of error and speedup that decide whether a layer stays f32.

    error: the largest allowed relative L2 distance between the layer's results with 8-bit and with
    f32 operands.
    gain: the least speedup (the time in f32 divided by the time in 8 bits).  With the default 0,
    times have no influence, so every run makes the same choice.
    """

    error: float = 0.1
    gain: float = 0.0

    def reason(self, error: float, f32_us: float, int8_us: float) -> str:
        """Return why a layer with this error and these times stays f32; empty if it does not."""
        if not error <= self.error:
            return f"error above {self.error:g}"
        if f32_us < self.gain * int8_us:
            return f"gain below {self.gain:g}"
        return ""


@suggests_arguments
@dataclass(frozen=True)
class LayerChoice(SuggestsNames):
    """The choice between f32 and 8 bits for a product (MatMul, Gemm or Conv node) of a model.

    name, operator: the name and the ONNX operator of the node.
    error: the relative L2 distance between its results with 8-bit and with f32 operands.
    f32_us, int8_us: the time of the kernels that compute it; the time to quantize an operand that
    several layers share is divided equally among them.  kept: why the product stays f32; empty if
    it is quantized.
    """

    name: str
    operator: str
    error: float
    f32_us: float
    int8_us: float
    kept: str


def layers_of(
    proto: onnx.ModelProto,
    products: Sequence[QuantizableProduct],
    ranges: Mapping[str, tuple[float, float]],
    runs: Sequence[Mapping[str, NDArray[Any]]],
    limits: LayerLimits,
    threads: int | None,
) -> list[LayerChoice]:
    """Measure errors and times of products, and return the choice between f32 and 8 bits for each.

    ranges: the lower and upper limit of each activation, by tensor name.  runs: inputs of the model
    by name, one mapping per run; times are measured with the first run.

    Before: the names of the products' nodes are unique.

    Cost: three compilations.
    """
    names = [product.node.name for product in products]
    errors = _errors(proto, products, ranges, runs, threads)
    whole = copied(proto, products)
    made = quantized(*whole, ranges)
    before = _times(proto, {name: [name] for name in names}, runs[0], threads)
    after = _times(made, nodes_of(made, names), runs[0], threads)
    rows = zip(products, names, errors, strict=True)
    return [
        LayerChoice(
            name,
            product.node.op_type,
            error,
            before[name],
            after[name],
            limits.reason(error, before[name], after[name]),
        )
        for product, name, error in rows
    ]


def _errors(
    proto: onnx.ModelProto,
    products: Sequence[QuantizableProduct],
    ranges: Mapping[str, tuple[float, float]],
    runs: Iterable[Mapping[str, NDArray[Any]]],
    threads: int | None,
) -> list[float]:
    """Return for each product the relative L2 distance between its f32 and its 8-bit result.

    runs: inputs of the model by name, one mapping per run.  The squares of distances and norms are
    added up over all runs.
    """
    both, twins = with_twins(*copied(proto, products), ranges)
    results = [product.node.output[0] for product in products]
    program = compile(with_results(both, [*results, *twins]), threads=threads)
    squares = np.zeros((2, len(products)))
    for inputs in runs:
        arrays = [np.asarray(array).astype(np.float64) for array in program.run(inputs)]
        exact, rounded = arrays[: len(products)], arrays[len(products) :]
        for number, (want, got) in enumerate(zip(exact, rounded, strict=True)):
            squares[:, number] += np.square(got - want).sum(), np.square(want).sum()
    distances, norms = np.sqrt(squares)
    return [float(d / n) if n else float(d) for d, n in zip(distances, norms, strict=True)]


def _times(
    proto: onnx.ModelProto,
    nodes: Mapping[str, Sequence[str]],
    inputs: Mapping[str, NDArray[Any]],
    threads: int | None,
) -> dict[str, float]:
    """Return the time of each layer in microseconds.

    nodes: for each layer, the names of its nodes; the first one is the product.
    """
    module: CompiledModule = compile(proto, threads=threads)
    own = {layer: names[:1] for layer, names in nodes.items()}
    around = {layer: names[1:] for layer, names in nodes.items()}
    profile = module.profile(dict(inputs), rounds=ROUNDS)
    return product_times(profile, own, around)
