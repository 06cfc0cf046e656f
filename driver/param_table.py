"""The table from which the runtime computes constants for new values of parameters.

In: the parameters of a model, and the offset and the recipe of each constant in its packed weights
(dialects/recipes.py). Out: the bytes that runtime/native/repack.c reads. Each step of a recipe
becomes a *node*, except for reshapes. A node that moves elements has a *walk*: loops, each with its
size and the strides at which it reads and writes, which are constants because shapes are constant.
So the runtime knows no shapes, layouts or names of steps.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np

from ..dialects.params import Param
from ..dialects.recipes import CONSTANT, PARAM, Recipe, digits_of, positions_of
from ..runtime.abi.constants import DTYPES
from ..runtime.abi.ndarray import numpy_dtype

Shape: TypeAlias = "tuple[int, ...]"
Axis: TypeAlias = "tuple[int, int, int]"
"""One loop of a walk: its size, and its strides in the source and in the destination."""

_VERSION = 2
_HEADER, _PARAM, _CONSTANT = struct.Struct("<6q"), struct.Struct("<7q"), struct.Struct("<5q")
_NODE = struct.Struct("<8q")
_KINDS = (
    "param", "constant", "move", "scatter", "convert", "lookup", "winograd", "add", "sub", "mul",
    "div", "neg", "sqrt",
)  # fmt: skip
_KIND = {name: number for number, name in enumerate(_KINDS)}


def param_table(
    params: Sequence[Param], constants: Sequence[tuple[int, Recipe]], weights_bytes: int
) -> bytes:
    """Return the table from which the runtime computes constants for new values of parameters.

    constants: the offset of each constant in the packed weights, and the recipe that computes it.
    weights_bytes: the size of the packed weights.
    """
    numbers = {param.name: number for number, param in enumerate(params)}
    ends = len(params) * _PARAM.size, len(constants) * _CONSTANT.size
    data = _Data(_HEADER.size + sum(ends))
    folded = _folded(constants)
    rows = [_param_row(param, folded.get(param.name, _UNUSED), data) for param in params]
    for offset, recipe in constants:
        nodes = _Nodes(params, numbers, data)
        nodes.add(recipe)
        own = [numbers[name] for name in recipe.params]
        where = data.add(struct.pack(f"<{len(own)}q", *own))
        place, count = data.add(b"".join(nodes.rows)), len(nodes.rows)
        rows.append(_CONSTANT.pack(offset, place, count, where, len(own)))
    header = _HEADER.pack(
        _VERSION, weights_bytes, len(params), _HEADER.size, len(constants), _HEADER.size + ends[0]
    )
    return b"".join((header, *rows, *data.parts))


_UNUSED = "the code does not use it"


def combined_params(constants: Sequence[tuple[int, Recipe]]) -> dict[str, list[str]]:
    """Return, for each parameter, the names of the other parameters that are in a recipe with it.

    constants: the offset of each constant, and the recipe that computes it from parameters.  Only
    parameters from which some constant is computed have an entry.
    """
    found: dict[str, dict[str, None]] = {}
    for _, recipe in constants:
        for name in recipe.params:
            found.setdefault(name, {}).update(dict.fromkeys(recipe.params))
    return {name: [other for other in own if other != name] for name, own in found.items()}


def _folded(constants: Sequence[tuple[int, Recipe]]) -> dict[str, str]:
    """Return, for parameters that are stored only in changed form, a text that says why.

    Constants of the packed weights may be computed from one such parameter, or combine it with
    others, so its values cannot be read back.
    """
    return {
        name: f"it is combined with {', '.join(others)}" if others else "it was transformed"
        for name, others in combined_params(constants).items()
    }


def _param_row(param: Param, folded: str, data: _Data) -> bytes:
    texts = [data.text(each) for each in (param.name, param.reason, folded, param.digest)]
    shape = data.add(struct.pack(f"<{len(param.shape)}q", *param.shape))
    return _PARAM.pack(*texts, _code(numpy_dtype(param.dtype)), len(param.shape), shape)


def _code(dtype: np.dtype[Any]) -> int:
    code, bits = DTYPES[dtype.name]
    return code | bits << 8


class _Data:
    """The data section of a table, which follows the rows; equal byte strings are stored once.

    parts: the byte strings in order, each padded to a multiple of 8 bytes.
    """

    def __init__(self, start: int) -> None:
        self.parts: list[bytes] = []
        self._end, self._known = start, dict[bytes, int]()

    def add(self, data: bytes) -> int:
        """Store a byte string unless it is already stored; return its offset in the table."""
        if data not in self._known:
            self._known[data] = self._end
            self.parts.append(data.ljust(-(-len(data) // 8) * 8, b"\0"))
            self._end += len(self.parts[-1])
        return self._known[data]

    def text(self, text: str) -> int:
        """Store a text with a NUL at its end; return its offset in the table."""
        return self.add(text.encode() + b"\0")


@dataclass(frozen=True)
class _NodeArray:
    """The result of a node, which is one step in the computation of a constant.

    The result is a dense row-major array.  node: the number of the node in the table.
    """

    node: int
    dtype: np.dtype[Any]
    shape: Shape

    @property
    def strides(self) -> Shape:
        """The strides in elements."""
        return _row_major(self.shape)


def _row_major(shape: Sequence[int]) -> Shape:
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


@dataclass
class _Nodes:
    """The encoded steps ("nodes") that compute one constant; equal steps share a node.

    params: the parameters from which constants are computed.  numbers: the index of each parameter
    in the table, by name.  data: the section of the table that holds the nodes' data.  rows: the
    encoded nodes, in order.  known: for each recipe that has been added, its result.
    """

    params: Sequence[Param]
    numbers: dict[str, int]
    data: _Data
    rows: list[bytes] = field(default_factory=list[bytes])
    known: dict[Recipe, _NodeArray] = field(default_factory=dict[Recipe, _NodeArray])

    def add(self, recipe: Recipe) -> _NodeArray:
        """Add the nodes that compute a recipe; return the result of the last node."""
        if recipe not in self.known:
            if recipe.step == PARAM:
                made = self._param(recipe.arguments[0])
            elif recipe.step == CONSTANT:
                made = self._constant(*recipe.arguments)
            else:
                operands = [self.add(each) for each in recipe.operands]
                step = getattr(self, f"_{recipe.step}", None)
                if step is None:
                    made = self._arithmetic(recipe.step, *operands)
                else:
                    made = step(*operands, *recipe.arguments)
            self.known[recipe] = made
        return self.known[recipe]

    def _node(
        self,
        kind: str,
        dtype: np.dtype[Any],
        shape: Sequence[int],
        a: int,
        b: int = -1,
        *,
        origin: np.dtype[Any] | None = None,
        rank: int = 0,
        walk: int = 0,
    ) -> _NodeArray:
        codes = _code(dtype if origin is None else origin), _code(dtype)
        self.rows.append(_NODE.pack(_KIND[kind], *codes, prod(shape), a, b, rank, walk))
        return _NodeArray(len(self.rows) - 1, dtype, tuple(shape))

    def _param(self, name: str) -> _NodeArray:
        number = self.numbers[name]
        param = self.params[number]
        return self._node("param", numpy_dtype(param.dtype), param.shape, number)

    def _constant(self, dtype: str, shape: Shape, text: str) -> _NodeArray:
        return self._node("constant", numpy_dtype(dtype), shape, self.data.add(bytes.fromhex(text)))

    def _walk(self, axes: Sequence[Axis], starts: tuple[int, int] = (0, 0)) -> tuple[int, int]:
        """Store the loops of a node that moves elements; return their number and table offset.

        axes: the size of each loop, and its strides in source and destination, outermost first;
        loops over contiguous elements are merged.  starts: the first position in source and
        destination.
        """
        merged: list[Axis] = []
        for size, first, second in axes:
            if size == 1:
                continue
            if merged and merged[-1][1:] == (first * size, second * size):
                merged[-1] = merged[-1][0] * size, first, second
            else:
                merged.append((size, first, second))
        if not merged or any(size == 0 for size, *_ in merged):
            merged = [(0 if merged else 1, 1, 1)]
        numbers = (*starts, *(number for axis in merged for number in axis))
        return len(merged), self.data.add(struct.pack(f"<{len(numbers)}q", *numbers))

    def _move(
        self,
        x: _NodeArray,
        shape: Sequence[int],
        axes: Sequence[Axis],
        starts: tuple[int, int] = (0, 0),
        into: int = -1,
    ) -> _NodeArray:
        """Add a node that copies elements of ``x`` to an array of zeros, or into an earlier result.

        shape: the shape of the node's result.
        axes: the size of each loop of the copy, and its strides in source and destination,
        outermost first.  starts: the first position in source and destination.
        into: the number of the node whose result is overwritten; -1 for an array of zeros.
        """
        rank, walk = self._walk(axes, starts)
        return self._node("move", x.dtype, shape, x.node, into, rank=rank, walk=walk)

    # ---- the steps of recipes

    def _reshape(self, x: _NodeArray, shape: Sequence[int]) -> _NodeArray:
        known = -prod(shape) if -1 in shape else 1
        sizes = tuple(prod(x.shape) // known if size < 0 else size for size in shape)
        return _NodeArray(x.node, x.dtype, sizes)

    def _bits(self, x: _NodeArray, dtype: str) -> _NodeArray:
        assert x.dtype.itemsize == numpy_dtype(dtype).itemsize, "the shape stays"
        return _NodeArray(x.node, numpy_dtype(dtype), x.shape)

    def _transpose(self, x: _NodeArray, perm: Sequence[int]) -> _NodeArray:
        shape = [x.shape[axis] for axis in perm]
        steps = [x.strides[axis] for axis in perm]
        return self._move(x, shape, [*zip(shape, steps, _row_major(shape), strict=True)])

    def _broadcast(self, x: _NodeArray, shape: Shape) -> _NodeArray:
        return self._move(
            x, shape, [*zip(shape, _repeated(x, shape), _row_major(shape), strict=True)]
        )

    def _slice(self, x: _NodeArray, starts: Sequence[int], ends: Sequence[int]) -> _NodeArray:
        bounds = [slice(s, e).indices(n) for s, e, n in zip(starts, ends, x.shape, strict=True)]
        shape = [len(range(*each)) for each in bounds]
        first = sum(each[0] * step for each, step in zip(bounds, x.strides, strict=True))
        axes = [*zip(shape, x.strides, _row_major(shape), strict=True)]
        return self._move(x, shape, axes, (first, 0))

    def _pad(self, x: _NodeArray, shape: Sequence[int]) -> _NodeArray:
        return self._move(x, shape, [*zip(x.shape, x.strides, _row_major(shape), strict=True)])

    def _store(self, x: _NodeArray, shape: Shape, layout: Sequence[Any]) -> _NodeArray:
        digits = digits_of(x.shape, layout)
        if digits is not None:
            padded = x if digits.padded == x.shape else self._pad(x, digits.padded)
            return self._transpose(self._reshape(padded, digits.shape), digits.order)
        places = np.broadcast_arrays(*positions_of(x.shape, layout), np.empty(x.shape))[:-1]
        numbers = np.ravel_multi_index(places, shape).astype("<i8").tobytes()
        where = self.data.add(numbers)
        return self._node("scatter", x.dtype, shape, x.node, rank=prod(x.shape), walk=where)

    def _concat(self, *given: Any) -> _NodeArray:
        arrays, axis = cast("Sequence[_NodeArray]", given[:-1]), cast("int", given[-1])
        shape = list(arrays[0].shape)
        shape[axis] = sum(x.shape[axis] for x in arrays)
        into, strides, first = -1, _row_major(shape), 0
        for x in arrays:
            axes = [*zip(x.shape, x.strides, strides, strict=True)]
            into = self._move(x, shape, axes, (0, first * strides[axis]), into).node
            first += x.shape[axis]
        return _NodeArray(into, arrays[0].dtype, tuple(shape))

    def _convert(self, x: _NodeArray, name: str) -> _NodeArray:
        dtype = numpy_dtype(name)
        if dtype == x.dtype:
            return x
        if x.dtype.itemsize > 1:
            return self._node("convert", dtype, x.shape, x.node, origin=x.dtype)
        _, bits = DTYPES[x.dtype.name]
        with np.errstate(all="ignore"):
            values = np.arange(1 << bits, dtype=np.uint8).view(x.dtype).astype(dtype)
        where = self.data.add(values.tobytes().ljust(dtype.itemsize << 8, b"\0"))
        return self._node("lookup", dtype, x.shape, x.node, origin=x.dtype, walk=where)

    def _finite(self, x: _NodeArray, name: str) -> _NodeArray:
        assert x.dtype.itemsize > 1, "batch normalizations are folded in float64"
        return self._node("convert", numpy_dtype(name), x.shape, x.node, 1, origin=x.dtype)

    def _winograd(self, x: _NodeArray, matrix: Sequence[Sequence[float]]) -> _NodeArray:
        assert x.dtype == np.float32, "other types have no such kernels"
        products = len(matrix)
        where = self.data.add(np.array(matrix, "<f8").tobytes())
        shape = products * products, *x.shape[2:]
        return self._node("winograd", x.dtype, shape, x.node, rank=products, walk=where)

    def _arithmetic(self, step: str, x: _NodeArray, y: _NodeArray | None = None) -> _NodeArray:
        assert x.dtype.name in ("float32", "float64"), "others are not folded by recipes"
        lhs, rhs = x, x if y is None else y
        shape = np.broadcast_shapes(lhs.shape, rhs.shape)
        axes = [*zip(shape, _repeated(lhs, shape), _repeated(rhs, shape), strict=True)]
        rank, walk = self._walk(axes)
        other = -1 if y is None else y.node
        return self._node(step, x.dtype, shape, x.node, other, rank=rank, walk=walk)


def _repeated(x: _NodeArray, shape: Sequence[int]) -> list[int]:
    added = len(shape) - len(x.shape)
    own = zip(x.shape, x.strides, strict=True)
    return [0] * added + [0 if size == 1 else step for size, step in own]
