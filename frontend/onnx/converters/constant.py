"""Convert operators that produce tensors from attributes and shapes: constants, sizes, ranges."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute

from ....dialects.dtypes import is_float, numpy_dtype
from ....dialects.shape import Dim, element_count
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor, size_array
from ..file.definitions import AttributeValue
from ..node import Node, OpConverter, RunTimeValue

MAX_KNOWN_RANGE = 2**24
# Attributes of Constant and the dtype of their values; None: the dtype of the tensor.
VALUES = {
    "value": None,
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


def constant(node: Node, b: Builder) -> Tensor:
    """Return the tensor in the only attribute of a Constant node.

    The name of the attribute, such as ``value`` or ``value_ints``, depends on the type of the
    value.
    """
    for name, dtype in VALUES.items():
        value: AttributeValue | None = node.definition.attributes.get(name)
        if value is not None:
            return Tensor.of_array(np.asarray(value, dtype), node.definition.outputs[0])
    raise UnsupportedOp("kind of constant is not supported", got=list(node.definition.attributes))


def constant_of_shape(node: Node, b: Builder) -> Tensor:
    """Return a tensor of a given shape in which all elements have the same value."""
    value = Tensor.of_array(node.array("value", np.zeros(1, np.float32)).reshape(()))
    return b.broadcast_to(value, node.sizes_at(0, "shape") or [])


def shape(node: Node, b: Builder) -> Tensor:
    """Return the sizes of the input's axes from ``start`` to ``end`` (exclusive)."""
    dims = node[0].dims
    end = node.integer("end") if node.has("end") else len(dims)
    return Tensor.of_sizes(size_array(dims[node.integer("start", 0) : end]))


def size(node: Node, b: Builder) -> Tensor:
    """Return the number of elements."""
    return Tensor.of_sizes(size_array([element_count(node[0].dims)], 0))


def arange(node: Node, b: Builder) -> Tensor:
    """Build ``start, start + delta, …`` below ``limit``.

    If an operand is unknown at import, the function main computes the number of elements.
    """
    start, limit, delta = node[0], node[1], node[2]
    first, last, step = _whole(start), _whole(limit), _whole(delta)
    if all(x.values() is not None for x in (start, limit, delta)):
        numbers = (node.number_at(i, "range") for i in range(3))
        return _known_range(*numbers, dtype=start.dtype)
    if step is not None and step == Dim.const(0):
        raise _no_step()
    if first is None or last is None or step is None:
        if b.outer is not None:
            unknown = next(x for x in (start, limit, delta) if _whole(x) is None)
            raise RunTimeValue("range", unknown)
        count = b.computed_size(_range_count(start, limit, delta, b))
    else:
        count = (last - first).ceildiv(step).max(0)
    start, delta = b.reshape(start, ()), b.reshape(delta, ())
    index = b.iota((count,), 0, start.dtype)
    return b.apply("add", b.apply("mul", index, delta), start)


def _whole(x: Tensor) -> Dim | None:
    """Return the integer in a scalar tensor as a size; None if the integer is unknown at import."""
    if x.sizes is not None:
        return x.sizes.item()
    if x.ratios is not None and x.ratios.item().divisor == 1:
        return x.ratios.item().size
    value = x.values()
    is_whole = value is not None and float(value.item()).is_integer()
    return Dim.const(int(value.item())) if value is not None and is_whole else None


def _range_count(start: Tensor, limit: Tensor, delta: Tensor, b: Builder) -> Tensor:
    """Compute the number of elements of a range: ``max(ceil((limit - start) / delta), 0)``."""
    dtype = f64 if is_float(start.dtype) else i64
    first, last, step = (b.cast(b.reshape(x, ()), dtype) for x in (start, limit, delta))
    gap = b.apply("sub", last, first)
    if dtype == f64:
        return b.apply("max", b.cast(b.apply("ceil", b.apply("div", gap, step)), i64), 0)
    if delta.sizes is None or delta.sizes.item() != Dim.const(1):
        # The quotient is rounded towards zero.
        gap = b.apply("div", b.apply("sub", b.apply("add", gap, step), b.apply("sign", step)), step)
    return b.apply("max", gap, 0)


def _known_range(start: float, limit: float, delta: float, *, dtype: Attribute) -> Tensor:
    if delta == 0:
        raise _no_step()
    count = (limit - start) / delta
    if not count <= MAX_KNOWN_RANGE:
        raise ModelError(
            "a range of numbers is too long to be computed at import",
            expected=f"at most {MAX_KNOWN_RANGE} numbers",
            got=f"{count:.6g}",
            hint="check start, limit and delta",
        )
    return Tensor.of_array(np.arange(start, limit, delta).astype(numpy_dtype(dtype)))


def _no_step() -> ModelError:
    return ModelError("the step of a range is zero", hint="give a delta other than zero")


def eye_like(node: Node, b: Builder) -> Tensor:
    """Build a matrix of the input's shape with ones on the k-th diagonal."""
    x = node[0]
    dtype = node.dtype("dtype") if node.has("dtype") else x.dtype
    row, column = (b.iota(x.dims, axis) for axis in range(2))
    return b.cast(b.apply("eq", b.apply("add", row, node.integer("k", 0)), column), dtype)


CONVERTERS = (
    OpConverter("Constant", constant),
    OpConverter("ConstantOfShape", constant_of_shape, since=9),
    OpConverter("Shape", shape),
    OpConverter("Size", size),
    OpConverter("Range", arange, since=11),
    OpConverter("EyeLike", eye_like, since=9),
)
