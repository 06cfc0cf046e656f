"""Smoothing: move ranges of channels from activations to weights, by the normalization's scale.

    MatMul(LayerNormalization(x, g, b), w)  ==>  MatMul(LayerNormalization(x, g / s, b / s), s * w)

A few channels of a transformer's activations are much larger than the others, so a common scale
leaves only a few quantization steps for the other channels.  The factors `s` are powers of two, so
results in f32 do not change unless numbers become subnormal.  If a residual connection reads the
normalization, too, as in BERT, the products read a copy that is divided by `s`; the kernel that
quantizes this copy also divides it.

In: products of a model, and the largest magnitude of each channel of their activations.  Out: the
same model with other constants.
Source: Xiao et al., SmoothQuant, ICML 2023.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .qdq import (
    QuantizableProduct,
    add_constant,
    constants_of,
    fresh_name,
    insert_after,
    names_in,
    read_names,
)

if TYPE_CHECKING:
    import onnx

_NORMALIZATIONS = {
    "LayerNormalization": (1, 2),
    "SimplifiedLayerNormalization": (1,),
    "RMSNormalization": (1,),
}
"""By operator, the positions of the inputs that scale and shift channels."""


@dataclass(frozen=True)
class Smoothable:
    """An activation whose channels are multiplied by constants, and the products that read it.

    constants: the constants that scale and shift the channels, each as the node that reads it and
    the input position.  is_shared: whether nodes other than these products read the activation.
    """

    activation: str
    constants: tuple[tuple[onnx.NodeProto, int], ...]
    products: tuple[QuantizableProduct, ...]
    is_shared: bool


def smoothable(proto: onnx.ModelProto, products: Sequence[QuantizableProduct]) -> list[Smoothable]:
    """Return the activations of matrix products whose channels are scaled by constants.

    products: the products of the model that can be quantized.
    """
    graph = proto.graph
    stored = constants_of(proto)
    producers = {name: node for node in graph.node for name in node.output if name}
    reads = Counter(name for node in graph.node for name in read_names(node))
    reads.update(value.name for value in graph.output)
    found: list[Smoothable] = []
    for name in dict.fromkeys(p.activation for p in products):
        group = [p for p in products if p.activation == name]
        if not all(map(_multiplies_rows, group)):
            continue
        channels = {_channels(p, stored) for p in group}
        constants = _constants(producers, name, reads, stored)
        if len(channels) == 1 and constants and _fit(constants, stored, channels.pop()):
            is_shared = reads[name] != len(group)
            found.append(Smoothable(name, constants, tuple(group), is_shared))
    return found


def _multiplies_rows(product: QuantizableProduct) -> bool:
    turned = any(a.name == "transA" and a.i for a in product.node.attribute)
    return product.node.op_type in ("MatMul", "Gemm") and not turned


def _channels(product: QuantizableProduct, stored: Mapping[str, NDArray[Any]]) -> int:
    return stored[product.weights].shape[1 - product.axis]


def _constants(
    producers: Mapping[str, onnx.NodeProto],
    name: str,
    reads: Mapping[str, int],
    stored: Container[str],
) -> tuple[tuple[onnx.NodeProto, int], ...]:
    """Return the constants that scale and shift the channels of a tensor, or () if there are none.

    Each constant is a pair of the node that reads it and the input position.  name: the tensor.
    producers: by tensor name, the node that computes the tensor.  reads: by tensor name, the number
    of its reads.  stored: the names of the model's constants.
    """
    node = producers.get(name)
    if node is None:
        return ()
    if node.op_type in _NORMALIZATIONS and node.output[0] == name:
        places = _NORMALIZATIONS[node.op_type]
        return tuple((node, at) for at in places if at < len(node.input) and node.input[at])
    if node.op_type == "Mul":
        return _operand(node, stored)
    if node.op_type == "Add":
        for shift, scaled in ((1, 0), (0, 1)):
            before = producers.get(node.input[scaled])
            if before is None or before.op_type != "Mul" or node.input[shift] not in stored:
                continue
            if reads[node.input[scaled]] == 1:
                factor = _operand(before, stored)
                return (*factor, (node, shift)) if factor else ()
    return ()


def _operand(
    node: onnx.NodeProto, stored: Container[str]
) -> tuple[tuple[onnx.NodeProto, int], ...]:
    given = [at for at in range(2) if node.input[at] in stored]
    return ((node, given[0]),) if len(given) == 1 else ()


def _fit(
    constants: Sequence[tuple[onnx.NodeProto, int]],
    stored: Mapping[str, NDArray[Any]],
    channels: int,
) -> bool:
    arrays = [stored.get(node.input[at]) for node, at in constants]
    return all(
        array is not None
        and array.dtype == np.float32
        and array.size == channels
        and array.shape[-1:] == (channels,)
        for array in arrays
    )


def apply_factors(
    proto: onnx.ModelProto,
    found: Sequence[Smoothable],
    largest: Mapping[str, NDArray[np.float32]],
    share: float,
) -> None:
    """Change the constants of a model so that ranges move from activations to weights.

    found: the activations and their products.  largest: the largest magnitude of each channel, by
    activation.  share: how much of the ranges moves to the weights, between 0 (nothing) and 1; the
    alpha of SmoothQuant.
    """
    stored, names = constants_of(proto), names_in(proto)

    def replaced(node: onnx.NodeProto, at: int, array: NDArray[Any]) -> None:
        name = fresh_name(f"{node.input[at]}_smooth", names)
        node.input[at] = name
        add_constant(proto, name, array.astype(np.float32))

    for each in found:
        weights = [stored[p.weights] for p in each.products]
        rows = [1 - p.axis for p in each.products]
        factors = _factors(
            largest[each.activation], weights, [p.axis for p in each.products], share
        )
        if each.is_shared:
            _divide(proto, each, factors, names)
        for node, at in () if each.is_shared else each.constants:
            replaced(node, at, stored[node.input[at]] / factors)
        for product, array, axis in zip(each.products, weights, rows, strict=True):
            spread = factors[:, None] if axis == 0 else factors
            replaced(product.node, 1, array * spread)


def _divide(
    proto: onnx.ModelProto, each: Smoothable, factors: NDArray[np.float32], names: set[str]
) -> None:
    """Insert a copy of an activation, divided by factors, and make the products read the copy.

    factors: one per channel.  names: the names of the model's tensors; the new names are added.
    """
    inverse = fresh_name(f"{each.activation}_factors", names)
    copy = fresh_name(f"{each.activation}_smooth", names)
    add_constant(proto, inverse, 1 / factors)
    insert_after(proto, each.activation, "Mul", [each.activation, inverse], copy)
    for product in each.products:
        product.node.input[0] = copy


def _factors(
    largest: NDArray[np.float32],
    weights: Sequence[NDArray[np.float32]],
    axes: Sequence[int],
    share: float,
) -> NDArray[np.float32]:
    """Return the factors, powers of two, by which the channels of an activation are divided.

    largest: the largest magnitude of each channel.  weights: the weights that multiply the
    activation.
    axes: for each weight, the axis of the result's channels.  share: how much of the ranges moves
    to the weights, between 0 (nothing) and 1 (all).
    """
    of_weights = np.max(
        [np.abs(w).max(axis=axis) for w, axis in zip(weights, axes, strict=True)], 0
    )
    used = (largest > 0) & (of_weights > 0)
    ratio = np.ones(largest.shape, np.float64)
    ratio[used] = largest[used] ** share / of_weights[used].astype(np.float64) ** (1 - share)
    return np.exp2(np.rint(np.log2(ratio))).astype(np.float32)
