"""Convert batch normalization, by a mean and a variance that are operands or computed.

Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.dtypes import is_float
from ...support.diagnostics import ModelError
from ..onnx.builder import Builder, Tensor
from ..onnx.converters.norm import batch_factors, statistics
from .move import broadcast
from .node import Converter, StablehloNode


def _normalized(
    node: StablehloNode, b: Builder, mean: Tensor, variance: Tensor, scale: Tensor, offset: Tensor
) -> Tensor:
    x, axis = node[0], node.integer("feature_index")
    epsilon = node.op.attributes.get("epsilon")
    if not isinstance(epsilon, float) or not is_float(x.dtype):
        raise ModelError("attribute 'epsilon' is missing or no number", got=epsilon)
    factor, shift = batch_factors(b, scale, offset, mean, variance, epsilon)
    factor, shift = (broadcast(b, each, x.dims, (axis,)) for each in (factor, shift))
    return b.apply("add", b.apply("mul", x, factor), shift)


def batch_norm_inference(node: StablehloNode, b: Builder) -> Tensor:
    """Normalize by a mean and variance that are operands."""
    _, scale, offset, mean, variance = node.inputs
    return _normalized(node, b, mean, variance, scale, offset)


def batch_norm_training(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Normalize by the mean and variance over all axes except the feature axis.

    Results: the normalized operand, the mean and the variance.
    """
    x, scale, offset = node.inputs
    axis = node.integer("feature_index")
    mean, variance = statistics(b, x, [n for n in range(x.rank) if n != axis])
    return _normalized(node, b, mean, variance, scale, offset), mean, variance


CONVERTERS: dict[str, Converter] = {
    "stablehlo.batch_norm_inference": batch_norm_inference,
    "stablehlo.batch_norm_training": batch_norm_training,
}
