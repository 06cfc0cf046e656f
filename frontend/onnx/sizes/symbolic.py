"""Evaluate shape arithmetic at import: operators on small integer tensors that hold known sizes.

Exporters compute shapes with ordinary operators (Shape, Gather, Concat, …). If all inputs are
known, as integers or expressions of size symbols, the result is known, too, and no op is built.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute

from ....dialects.dtypes import element_type, is_float
from ....dialects.equal_shapes import broadcast_dims
from ....dialects.shape import Dim, normalize_axis
from ..builder import MAX_SIZES, Sizes, Tensor, size_array
from ..converters.move import axes_input, reshape_target, slice_range, squeezed, unsqueezed
from ..node import Node

MAX_SIZES_RANK = 2
"""Largest rank of a tensor of known sizes; rank 2 occurs where a file reorders pads as a matrix."""

TRUE, FALSE = Dim.const(1), Dim.const(0)


class UnknownSizeError(Exception):
    """The error of a rule whose result is unknown at import; the node then becomes an op."""


def evaluate(node: Node) -> tuple[Tensor, ...] | None:
    """Return the results of a node on known sizes, or None if they are unknown at import."""
    rule = RULES.get(node.op_type) if not node.definition.domain else None
    if rule is None or node.inputs[0] is None:
        return None
    try:
        out = rule(node)
    except UnknownSizeError:
        return None
    if out.ndim > MAX_SIZES_RANK or out.size > MAX_SIZES:
        return None
    return (Tensor.of_sizes(out, _dtype(node)),)


def _dtype(node: Node) -> Attribute:
    if node.op_type in COMPARISONS or node.op_type == "Not":
        return i1
    if node.op_type == "Cast":
        return node.dtype("to")
    if node.op_type == "ConstantOfShape":
        return element_type(node.array("value").dtype)
    return node[1 if node.op_type == "Where" else 0].dtype


def _sizes(node: Node, index: int) -> Sizes:
    x = node.get(index)
    if x is None or x.sizes is None:
        raise UnknownSizeError
    return x.sizes


def _vector(node: Node) -> Sizes:
    x = _sizes(node, 0)
    if x.ndim > 1:
        raise UnknownSizeError
    return x


def _ints(node: Node, index: int) -> list[int]:
    return [_number(dim) for dim in _sizes(node, index).reshape(-1)]


def _number(dim: Dim) -> int:
    if dim.value is None:
        raise UnknownSizeError
    return dim.value


def map_sizes(function: Callable[..., object], *operands: Sizes) -> Sizes:
    """Apply a function to the elements of arrays of sizes, with broadcasting."""
    out = np.frompyfunc(function, len(operands), 1)(*operands)
    return np.asarray(out, object)


def _divide(x: Dim, y: Dim) -> Dim:
    if x.value is not None and y.value is not None and y.value != 0:
        return Dim.const(int(abs(x.value) // abs(y.value)) * (1 if x.value * y.value >= 0 else -1))
    bounds = x.lower_bound(), y.lower_bound()
    if y.value == 0 or any(bound is None or bound < 0 for bound in bounds):
        raise UnknownSizeError
    return x.quotient(y)


def _less(x: Dim, y: Dim) -> Dim:
    above, below = (y - x).lower_bound(), (x - y).lower_bound()
    if above is not None and above > 0:
        return TRUE
    if below is not None and below >= 0:
        return FALSE
    raise UnknownSizeError


def _equal(x: Dim, y: Dim) -> Dim:
    if x == y:
        return TRUE
    for gap in ((x - y).lower_bound(), (y - x).lower_bound()):
        if gap is not None and gap > 0:
            return FALSE
    raise UnknownSizeError


def _not(x: Dim) -> Dim:
    return Dim.const(1 - _number(x))


def _modulo(x: Dim, y: Dim) -> Dim:
    if y.value == 0:
        raise UnknownSizeError
    return x % y


def _choose(condition: Dim, x: Dim, y: Dim) -> Dim:
    return x if _number(condition) else y


COMPARISONS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "Equal": _equal,
    "Less": _less,
    "Greater": lambda x, y: _less(y, x),
    "LessOrEqual": lambda x, y: _not(_less(y, x)),
    "GreaterOrEqual": lambda x, y: _not(_less(x, y)),
}
ARITHMETIC: dict[str, Callable[..., Dim]] = {
    **COMPARISONS,
    "Add": lambda x, y: x + y,
    "Sub": lambda x, y: x - y,
    "Mul": lambda x, y: x * y,
    "Div": _divide,
    "Mod": _modulo,
    "Neg": lambda x: -x,
    "Not": _not,
    "And": lambda x, y: Dim.const(_number(x) & _number(y)),
    "Or": lambda x, y: Dim.const(_number(x) | _number(y)),
    "Where": _choose,
}
FOLDS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "Sum": lambda x, y: x + y,
    "Max": lambda x, y: x.max(y),
    "Min": lambda x, y: x.min(y),
}
REDUCTIONS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "ReduceSum": lambda x, y: x + y,
    "ReduceProd": lambda x, y: x * y,
    "ReduceMax": lambda x, y: x.max(y),
    "ReduceMin": lambda x, y: x.min(y),
}


def _arithmetic(node: Node) -> Sizes:
    if node.op_type == "Mod" and node.integer("fmod", 0):
        raise UnknownSizeError
    operands = (_sizes(node, i) for i in range(len(node.inputs)))
    return map_sizes(ARITHMETIC[node.op_type], *operands)


def _fold(node: Node) -> Sizes:
    operands = [_sizes(node, i) for i in range(len(node.inputs))]
    return reduce(lambda x, y: map_sizes(FOLDS[node.op_type], x, y), operands)


def _reduction(node: Node) -> Sizes:
    x = _vector(node)
    if node.opset >= 13 and node.get(1) is not None:
        _sizes(node, 1)
    since = 13 if node.op_type == "ReduceSum" else 18
    axes = [normalize_axis(axis, x.ndim) for axis in axes_input(node, since) or ()]
    if x.size == 0 or (not axes and node.integer("noop_with_empty_axes", 0)):
        raise UnknownSizeError
    total = reduce(REDUCTIONS[node.op_type], list(x.reshape(-1)))
    return size_array([total], x.ndim if node.integer("keepdims", 1) else 0)


def _cast(node: Node) -> Sizes:
    if is_float(node.dtype("to")):
        raise UnknownSizeError
    x = _sizes(node, 0)
    return map_sizes(lambda d: _not(_equal(d, FALSE)), x) if node.dtype("to") == i1 else x


def _gather(node: Node) -> Sizes:
    index, x = node[1], _sizes(node, 0)
    positions = np.array(_ints(node, 1), int).reshape(_sizes(node, 1).shape)
    if index.rank > 1 or x.ndim != 1 or np.any((positions < -x.size) | (positions >= x.size)):
        raise UnknownSizeError
    return np.asarray(x[positions], object)


def _concat(node: Node) -> Sizes:
    axis = normalize_axis(node.integer("axis", 0), node[0].rank)
    return np.concatenate([_sizes(node, i) for i in range(len(node.inputs))], axis)


def _slice(node: Node) -> Sizes:
    x = _sizes(node, 0)
    if node.opset < 10:
        starts, ends, steps = list(node.ints("starts")), list(node.ints("ends")), [1]
        axes = list(node.ints("axes", (0,)))
    else:
        starts, ends = _ints(node, 1), _ints(node, 2)
        axes = _ints(node, 3) if node.get(3) is not None else [0]
        steps = _ints(node, 4) if node.get(4) is not None else [1]
    if not len(starts) == len(ends) == len(axes) == len(steps) == 1:
        raise UnknownSizeError
    start, end, axis, step = starts[0], ends[0], axes[0], steps[0]
    axis = normalize_axis(axis, x.ndim)
    first, count = slice_range(Dim.const(x.shape[axis]), Dim.const(start), Dim.const(end), step)
    positions = _number(first) + step * np.arange(_number(count))
    return np.take(x, positions, axis)


def _reshape(node: Node) -> Sizes:
    x, target = _sizes(node, 0), list(_sizes(node, 1))
    dims = [Dim.const(size) for size in x.shape]
    allow_zero = bool(node.integer("allowzero", 0))
    return x.reshape([_number(d) for d in reshape_target(dims, target, allow_zero=allow_zero)])


def _squeeze(node: Node) -> Sizes:
    x = _sizes(node, 0)
    return x.reshape([_number(d) for d in squeezed(node[0].dims, axes_input(node))])


def _unsqueeze(node: Node) -> Sizes:
    x = _sizes(node, 0)
    return x.reshape([_number(d) for d in unsqueezed(node[0].dims, axes_input(node) or ())])


def _transpose(node: Node) -> Sizes:
    x = _sizes(node, 0)
    return x.transpose(node.ints("perm", tuple(reversed(range(x.ndim)))))


def _expand(node: Node) -> Sizes:
    dims = broadcast_dims(node[0].dims, list(_sizes(node, 1)))
    return np.broadcast_to(_sizes(node, 0), [_number(d) for d in dims])


def _constant_of_shape(node: Node) -> Sizes:
    shape = _ints(node, 0)
    value = node.array("value", np.zeros(1, np.float32))
    if value.dtype.kind not in "iub" or len(shape) > 1 or int(np.prod(shape)) > MAX_SIZES:
        raise UnknownSizeError
    return size_array([int(value.item())] * int(np.prod(shape)), len(shape))


def _range(node: Node) -> Sizes:
    start, limit, delta = (_sizes(node, i).item() for i in range(3))
    count = _number((limit - start).ceildiv(delta).max(FALSE)) if delta != FALSE else 0
    if count > MAX_SIZES:
        raise UnknownSizeError
    return size_array([start + delta * i for i in range(count)])


MOVES: dict[str, Callable[[Node], Sizes]] = {
    "Identity": lambda node: _sizes(node, 0),
    "Gather": _gather,
    "Concat": _concat,
    "Slice": _slice,
    "Reshape": _reshape,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Expand": _expand,
    "Transpose": _transpose,
}
"""The rules of operators that move elements without computing with them."""

RULES: dict[str, Callable[[Node], Sizes]] = {
    **MOVES,
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    **dict.fromkeys(FOLDS, _fold),
    **dict.fromkeys(REDUCTIONS, _reduction),
    "Cast": _cast,
    "ConstantOfShape": _constant_of_shape,
    "Range": _range,
}
