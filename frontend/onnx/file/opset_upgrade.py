"""Upgrade nodes of opsets 1 to 6 to opset 7, which every converter understands.

Opset 7 introduced numpy's broadcasting. Earlier operators had attributes for broadcasting, some had
attributes that are inputs today, and some had an attribute about reuse of memory.

Errors: UnsupportedOp for semantics that opset 7 cannot express, ModelError for a contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ....dialects.equal_shapes import broadcast_dims
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, TypeMismatch, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import OLDEST_FORM, Node
from .definitions import AttributeValue
from .tensors import type_code

Rule: TypeAlias = Callable[[Node, Builder], Node]


def modernized(node: Node, b: Builder) -> Node:
    """Rewrite a node to the form of opset 7; return newer nodes and other domains unchanged."""
    if node.opset >= OLDEST_FORM or node.definition.domain:
        return node
    # A hint about inputs that may be overwritten.
    node = _with(node, {}, drop=("consumed_inputs",))
    rule = _RULES.get(node.op_type)
    return replace(node if rule is None else rule(node, b), opset=OLDEST_FORM)


def _with(node: Node, attributes: Mapping[str, AttributeValue], drop: tuple[str, ...] = ()) -> Node:
    """Return a node with added or changed attributes, and without the attributes in ``drop``."""
    old = node.definition.attributes
    kept = {name: value for name, value in old.items() if name not in drop}
    return replace(node, definition=replace(node.definition, attributes={**kept, **attributes}))


def _sizes(dims: tuple[Dim, ...]) -> str:
    return "x".join(map(str, dims)) or "one number"


def _binary(node: Node, b: Builder) -> Node:
    """Align the operands of a binary operator, so that numpy's broadcasting applies.

    Without the attribute ``broadcast``, both shapes must be equal. With it, the second operand is
    aligned with the first one from ``axis`` on, by trailing axes of size 1.
    """
    lhs, rhs = node[0], node[1]
    if node.integer("broadcast", 0):
        if node.has("axis"):
            rhs = _placed(b, rhs, node.axis("axis", None, lhs.rank), lhs)
        _check_within(lhs, rhs)
    elif lhs.rank != rhs.rank or any(map(_differ, lhs.dims, rhs.dims)):
        raise ModelError(
            "before opset 7 shapes are equal unless broadcast is set",
            expected=_sizes(lhs.dims),
            got=_sizes(rhs.dims),
            hint="set broadcast to 1",
        )
    return replace(_with(node, {}, drop=("broadcast", "axis")), inputs=(lhs, rhs))


def _placed(b: Builder, x: Tensor, axis: int, target: Tensor) -> Tensor:
    behind = target.rank - axis - x.rank
    if behind < 0:
        raise ModelError(
            "the second tensor does not fit into the first one from the axis on",
            expected=f"at most {target.rank - axis} dimensions",
            got=x.rank,
            hint="correct axis",
        )
    return b.reshape(x, (*x.dims, *[Dim.const(1)] * behind)) if behind else x


def _check_within(target: Tensor, x: Tensor) -> None:
    try:
        dims = tuple(broadcast_dims(target.dims, x.dims))
    except (TypeMismatch, ValueError):
        dims = ()
    if len(dims) != target.rank or any(map(_differ, dims, target.dims)):
        raise ModelError(
            "the second tensor does not stretch to the first one",
            expected=_sizes(target.dims),
            got=_sizes(x.dims),
            hint="correct axis, or the order of the inputs",
        )


def _differ(x: Dim, y: Dim) -> bool:
    return x != y and x.value is not None and y.value is not None


def _gemm(node: Node, b: Builder) -> Node:
    """Check that the addend of Gemm has the result's shape, unless ``broadcast`` is set."""
    addend = node[2]
    rows = node.ranked(0, 2).dims[1 if node.integer("transA", 0) else 0]
    columns = node.ranked(1, 2).dims[0 if node.integer("transB", 0) else 1]
    same = addend.rank == 2 and not any(map(_differ, addend.dims, (rows, columns)))
    if not same and not node.integer("broadcast", 0):
        raise ModelError(
            "before opset 7 the addend has the result's shape unless broadcast is set",
            expected=_sizes((rows, columns)),
            got=_sizes(addend.dims),
            hint="set broadcast to 1",
        )
    return _with(node, {}, drop=("broadcast",))


def _prelu(node: Node, b: Builder) -> Node:
    """Align the slopes of PRelu with axis 1, the channels; a single slope becomes a scalar."""
    x, slope = node[0], node[1]
    if slope.rank == 1 and slope.dims[0] != Dim.const(1) and x.rank > 1:
        slope = _placed(b, slope, 1, x)
    elif slope.rank == 1:
        slope = b.reshape(slope, ())
    return replace(node, inputs=(x, slope))


def _for_inference(node: Node, b: Builder) -> Node:
    if not node.integer("is_test", 0):
        raise UnsupportedOp(
            "training is not supported before opset 12", expected="is_test = 1", got="is_test = 0"
        )
    return _with(node, {}, drop=("is_test",))


def _cast(node: Node, b: Builder) -> Node:
    """Replace the type's name in the attribute of Cast by the type's ONNX code (opset < 6)."""
    if isinstance(node.definition.attributes.get("to"), int):
        return node
    name = node.text("to").upper()
    code = type_code(name)
    if code is None:
        raise ModelError("unknown type name", got=name, hint="write it as TensorProto does")
    return _with(node, {"to": code})


def _concat(node: Node, b: Builder) -> Node:
    """Set the default axis of Concat, which was 1 before opset 4."""
    return _with(node, {"axis": node.integer("axis", 1)})


def _selu(node: Node, b: Builder) -> Node:
    """Set absent attributes of Selu to the five-digit defaults of opset 1 (opset < 6)."""
    if node.opset >= 6:
        return node
    alpha, gamma = node.number("alpha", 1.6732), node.number("gamma", 1.0507)
    return _with(node, {"alpha": alpha, "gamma": gamma})


def _power(node: Node, b: Builder) -> Node:
    p = node.definition.attributes.get("p", 2)
    if not isinstance(p, int | float) or p != int(p):
        raise UnsupportedOp("norm is not supported", expected="a whole p", got=p)
    return _with(node, {"p": int(p)})


def _pad(node: Node, b: Builder) -> Node:
    """Rename the attribute ``paddings`` of Pad to ``pads`` (opset < 2)."""
    if not node.has("paddings"):
        return node
    return _with(node, {"pads": node.ints("paddings")}, drop=("paddings",))


def _reshape(node: Node, b: Builder) -> Node:
    """Convert the attribute ``shape`` of Reshape to an input (opset < 5)."""
    if node.opset >= 5:
        return node
    shape = Tensor.of_array(np.array(node.ints("shape"), np.int64))
    return replace(_with(node, {}, drop=("shape",)), inputs=(node[0], shape))


def _split(node: Node, b: Builder) -> Node:
    """Convert the optional input of Split with the part sizes to an attribute (opset < 2)."""
    if node.get(1) is None:
        return node
    sizes = node.values_at(1, "split")
    assert sizes is not None, "it is present"
    if node.has("split") or np.any(sizes != np.round(sizes)):
        raise ModelError(
            "sizes of a split must be integers, given once",
            got=sizes.tolist(),
            hint="give them as attribute or as input",
        )
    attributes = {"split": tuple(int(size) for size in sizes.reshape(-1))}
    return replace(_with(node, attributes), inputs=(node[0],))


def _tile(node: Node, b: Builder) -> Node:
    """Convert the inputs of Tile, a number of tiles along one axis, to repeats for all axes."""
    if node.opset >= 6:
        return node
    tiles, axis = (int(node.number_at(i, what)) for i, what in ((1, "tiles"), (2, "axis")))
    rank = node[0].rank
    if not 0 <= axis < rank:
        raise ModelError("axis is out of range", expected=f"0..{rank - 1}", got=axis)
    repeats = np.array([tiles if i == axis else 1 for i in range(rank)], np.int64)
    return replace(node, inputs=(node[0], Tensor.of_array(repeats)))


def _upsample(node: Node, b: Builder) -> Node:
    """Combine Upsample's scales of height and width in one attribute, and rename the mode."""
    node.ranked(0, 4)
    scales = (1.0, 1.0, node.number("height_scale"), node.number("width_scale"))
    mode = node.text("mode", "nearest")
    return _with(
        node,
        {"scales": scales, "mode": "linear" if mode == "bilinear" else mode},
        drop=("height_scale", "width_scale"),
    )


def _recurrent(node: Node, b: Builder) -> Node:
    return _with(node, {}, drop=("output_sequence",))


_BINARY = ("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Less", "Greater")
_RULES: Mapping[str, Rule] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(("GRU", "LSTM", "RNN"), _recurrent),
    "BatchNormalization": _for_inference,
    "Cast": _cast,
    "Concat": _concat,
    "Dropout": _for_inference,
    "Gemm": _gemm,
    "GlobalLpPool": _power,
    "LpPool": _power,
    "PRelu": _prelu,
    "Pad": _pad,
    "Reshape": _reshape,
    "Selu": _selu,
    "Split": _split,
    "Tile": _tile,
    "Upsample": _upsample,
}
