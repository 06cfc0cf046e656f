"""Arrays of a trace: the values with which a traced Python function computes.

An array wraps an SSA value of graph ops.  Operators broadcast like numpy.  A *weak* array, which
follows from Python numbers only, takes the dtype of the other operand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from types import EllipsisType
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import graph
from ..dialects.dtypes import numpy_dtype
from ..dialects.equal_shapes import broadcast_dims
from ..dialects.shape import Dim, Tensor, dims_of, element_count, normalize_axis, type_of
from ..frontend.te.expr import parse_dtype
from ..support.diagnostics import TypeMismatch
from ..support.size_names import shown_size
from .trace import traced_by, user_line

Size: TypeAlias = "int | Dim"
"""A size of an array: a number, or an expression of named sizes."""

_Operator: TypeAlias = "Callable[[Array, Operand], Array]"


def _operators(op: str) -> tuple[_Operator, _Operator]:
    """Return the methods of a binary operator for an array on its left and on its right side."""

    def of_left(self: Array, other: Operand) -> Array:
        return elementwise(op, self, other)

    def of_right(self: Array, other: Operand) -> Array:
        return elementwise(op, other, self)

    return of_left, of_right


class Array:
    """A tensor of known shape and dtype in a trace.

    value: the SSA value that the array wraps.
    is_weak: whether the array follows from Python numbers only, so that other arrays decide its
    dtype.
    """

    # The operators of numpy arrays leave the operation to this class.
    __array_ufunc__ = None

    def __init__(self, value: SSAValue, *, is_weak: bool = False) -> None:
        self.value, self.is_weak = value, is_weak

    @property
    def type(self) -> Tensor:
        """The tensor type."""
        return type_of(self.value)

    @property
    def element_type(self) -> Attribute:
        """The type of the elements."""
        return self.type.element_type

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The shape as dimensions."""
        return dims_of(self.type)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape: integers, and expressions of named sizes."""
        return tuple(dim if dim.value is None else dim.value for dim in self.dims)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def dtype(self) -> str:
        """The name of the element type."""
        return numpy_dtype(self.element_type).name

    def __repr__(self) -> str:
        return f"Array({self.dtype}[{', '.join(map(shown_size, self.dims))}])"

    def __len__(self) -> int:
        if self.dims and self.dims[0].value is not None:
            return self.dims[0].value
        raise TypeMismatch("an array without a known first size has no len()", got=repr(self))

    __iter__ = None
    """An array is not iterable, because a loop in Python would be unrolled."""

    def __bool__(self) -> bool:
        raise TypeMismatch(
            "the elements of an array are not known while its function is traced",
            got=repr(self),
            hint="choose elements with ops.select",
        ).named(user_line())

    __add__, __radd__ = _operators("add")
    __sub__, __rsub__ = _operators("sub")
    __mul__, __rmul__ = _operators("mul")
    __truediv__, __rtruediv__ = _operators("div")
    __pow__, __rpow__ = _operators("pow")
    # Python has no __rlt__: y > x is x < y.
    __lt__, __gt__ = _operators("lt")
    __le__, __ge__ = _operators("le")

    def __neg__(self) -> Array:
        return elementwise("neg", self)

    def __abs__(self) -> Array:
        return elementwise("abs", self)

    def __eq__(self, other: Operand) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return elementwise("eq", self, other)

    def __ne__(self, other: Operand) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return elementwise("not", elementwise("eq", self, other))

    __hash__ = object.__hash__

    def __matmul__(self, other: Operand) -> Array:
        return _product(self, as_array(other))

    def __rmatmul__(self, other: Operand) -> Array:
        return _product(as_array(other), self)

    def __getitem__(self, index: Any) -> Array:
        """Return a part of the array.

        index: integers, slices with a step of at least 1, None and ``...``, as in numpy.

        Errors: TypeMismatch for another index, and for one outside of the array.
        """
        return _part(self, index if isinstance(index, tuple) else (index,))

    def astype(self, dtype: object) -> Array:
        """Convert the elements to a dtype."""
        name = dtype if isinstance(dtype, str) else np.dtype(cast(Any, dtype)).name
        to = parse_dtype(name)
        same = to == self.element_type
        return Array(self.value) if same else apply(graph.CastOp, self, to)

    def reshape(self, *shape: Size | Sequence[Size]) -> Array:
        """Return the elements in another shape; a size of -1 follows from the others."""
        sizes = _sizes(shape)
        if -1 in sizes:
            rest = element_count([Dim.of(size) for size in sizes if size != -1])
            missing = element_count(self.dims).quotient(rest)
            sizes = [missing if size == -1 else size for size in sizes]
        return apply(graph.ReshapeOp, self, [Dim.of(size) for size in sizes])

    def transpose(self, *perm: int | Sequence[int]) -> Array:
        """Permute the dimensions; without arguments, reverse them."""
        order = _sizes(perm) or list(reversed(range(self.ndim)))
        return apply(graph.TransposeOp, self, [int(axis) for axis in order])  # pyright: ignore

    @property
    def T(self) -> Array:  # noqa: N802 - as numpy names it
        """The array with its dimensions reversed."""
        return self.transpose()

    def sum(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
        """Return the sum along some axes; None: all axes.

        keepdims: whether the summed axes stay, with size 1.
        """
        return self._reduced("sum", axis, keepdims)

    def max(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
        """Return the maximum along some axes; None: all axes.

        keepdims: whether the reduced axes stay, with size 1.
        """
        return self._reduced("max", axis, keepdims)

    def min(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
        """Return the minimum along some axes; None: all axes.

        keepdims: whether the reduced axes stay, with size 1.
        """
        return self._reduced("min", axis, keepdims)

    def mean(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
        """Return the mean along some axes; None: all axes.

        keepdims: whether the reduced axes stay, with size 1.
        """
        count = element_count([self.dims[each] for each in self._axes(axis)])
        return self.sum(axis, keepdims=keepdims) / count

    def _axes(self, axis: int | Sequence[int] | None) -> list[int]:
        axes = range(self.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
        return [normalize_axis(each, self.ndim) for each in axes]

    def _reduced(self, kind: str, axis: int | Sequence[int] | None, keepdims: bool) -> Array:
        return apply(graph.ReduceOp, self, kind=kind, axes=self._axes(axis), keep=keepdims)


Operand: TypeAlias = "Array | np.ndarray[Any, Any] | np.generic | Dim | float"
"""An operand of an elementwise operator."""


def apply(op_class: Callable[..., Operation], *arguments: Any, **named: Any) -> Any:
    """Append a graph op to the current trace; return its result, or a tuple of its results.

    op_class: the class of the op.
    arguments, named: the arguments of the class. Arrays among them, also in lists, are replaced by
    SSA values of the current trace.
    """
    trace = traced_by(getattr(op_class, "name", "an operator"))
    given = [_plain(argument) for argument in arguments]
    results = trace.append(op_class, *given, **{k: _plain(v) for k, v in named.items()})
    arrays = tuple(map(Array, results))
    return arrays[0] if len(arrays) == 1 else arrays


def _plain(argument: Any) -> Any:
    """Replace the arrays in an argument of an op by SSA values."""
    if isinstance(argument, Array):
        return traced_by("an array").local(argument.value)
    if isinstance(argument, list | tuple) and any(isinstance(x, Array) for x in argument):
        return [_plain(each) for each in argument]
    return argument


def as_array(value: object) -> Array:
    """Convert a value to an array of the current trace.

    value: an array, also of an enclosing trace; a numpy array, which becomes a constant; a number;
    or a size.
    Errors: TypeMismatch for another value.
    """
    if isinstance(value, Array):
        return value
    trace = traced_by("an array")
    if isinstance(value, Dim):
        made = apply(graph.ReshapeOp, apply(graph.SizeOp, [value]), [])
        return Array(made.value, is_weak=True)
    if isinstance(value, bool | int | float):
        return Array(trace.constant(np.asarray(value, number_dtype(value))), is_weak=True)
    if isinstance(value, np.ndarray | np.generic) or hasattr(value, "__array__"):
        return Array(trace.constant(np.array(value, order="C")))
    raise TypeMismatch(
        "the operand is no array",
        expected="an array, or a number",
        got=f"{value!r} of type {type(value).__name__}",
    ).named(user_line())


def number_dtype(value: float) -> np.dtype[Any]:
    """Return the dtype that represents a Python number: bool, int64 or float64."""
    return np.dtype(bool if isinstance(value, bool) else np.int64 if type(value) is int else float)


def elementwise(op: str | type[Operation], *operands: Operand, **named: Any) -> Array:
    """Append an elementwise op; return its result.

    op: the mnemonic of the op, or its class.
    operands: arrays or numbers, which are broadcast to each other. For graph.select, the first one
    is the condition.
    named: further arguments of the op's class.
    Errors: TypeMismatch for operands that do not broadcast or differ in dtype.
    """
    op_class: Any = graph.ELEMENTWISE[op] if isinstance(op, str) else op
    arrays = [*map(as_array, operands)]
    first = 1 if op_class is graph.SelectOp else 0
    arrays[first:] = _of_one_dtype(arrays[first:])
    try:
        dims = reduce(broadcast_dims, (array.dims for array in arrays))
    except TypeMismatch as err:
        shapes = " and ".join(map(repr, arrays))
        name = f"{op_class.name} at {user_line()}"
        raise TypeMismatch("the shapes do not broadcast", got=shapes).named(name) from err
    made = apply(op_class, *(broadcast_to(array, dims) for array in arrays), **named)
    made.is_weak = all(array.is_weak for array in arrays[first:])
    return made


def _of_one_dtype(arrays: Sequence[Array]) -> list[Array]:
    """Convert weak arrays, which follow from Python numbers only, to the dtype of the others.

    If all are weak, they get the dtype of a float among them, if there is one.
    """
    strong = [array for array in arrays if not array.is_weak]
    ranked = strong or sorted(arrays, key=lambda a: np.dtype(a.dtype).kind == "f")[-1:]
    to = ranked[0].element_type
    return [as_weak(array, to) if array.is_weak else array for array in arrays]


def as_weak(array: Array, to: Attribute) -> Array:
    """Convert a weak array to an element type; the result is weak, too.

    A constant is converted at once, without a cast op.
    """
    if array.element_type == to:
        return array
    owner = array.value.owner
    if isinstance(owner, graph.ConstantOp):
        values = owner.value.array.astype(numpy_dtype(to))
        return Array(traced_by("a number").constant(values), is_weak=True)
    return Array(apply(graph.CastOp, array, to).value, is_weak=True)


def broadcast_to(array: Array, dims: Sequence[Size]) -> Array:
    """Broadcast an array to a shape: repeat it along new outer axes and along axes of size 1."""
    wanted = tuple(map(Dim.of, dims))
    if array.dims == wanted:
        return array
    axes = range(len(wanted) - array.ndim, len(wanted))
    return apply(graph.BroadcastOp, array, list(wanted), list(axes))


def _product(x: Array, y: Array) -> Array:
    """Return the matrix product of two arrays, as numpy's ``@``.

    A vector on the left is a row, a vector on the right is a column; its dimension is dropped from
    the result.
    """
    if x.ndim == 1:
        made = _product(x.reshape(1, *x.dims), y)
        return made.reshape((*made.dims[:-2], *made.dims[-1:]) if y.ndim > 1 else ())
    if y.ndim == 1:
        made = _product(x, y.reshape(*y.dims, 1))
        return made.reshape(made.dims[:-1])
    return apply(graph.MatmulOp, x, y)


def _sizes(given: Sequence[Any]) -> list[Any]:
    """Return the list of sizes, from arguments such as ``f(2, 3)`` or ``f((2, 3))``."""
    is_one = len(given) == 1 and isinstance(given[0], list | tuple)
    return list(given[0] if is_one else given)


def _part(x: Array, index: Sequence[Any]) -> Array:
    taken = sum(1 for each in index if each is not None and each is not ...)
    if taken > x.ndim:
        raise TypeMismatch("too many indices", expected=f"at most {x.ndim}", got=taken).named(
            user_line()
        )
    full = [slice(None)] * (x.ndim - taken)
    places = [n for n, each in enumerate(index) if each is ...]
    at = places[0] if places else len(index)
    index = [*index[:at], *full, *index[at + 1 :]]
    starts: list[Size] = []
    sizes: list[Size] = []
    steps: list[int] = []
    shape: list[Size] = []
    for each in index:
        if each is None:
            shape.append(1)
            continue
        start, size, step = _range(x, len(starts), each)
        starts.append(start)
        sizes.append(size)
        steps.append(step)
        shape += [size] if isinstance(each, slice) else []
    made = x
    if tuple(map(Dim.of, sizes)) != x.dims:
        made = apply(graph.SliceOp, x, starts, sizes, steps)
    return made if tuple(map(Dim.of, shape)) == made.dims else made.reshape(shape)


def _range(x: Array, axis: int, index: int | slice | EllipsisType) -> tuple[Size, Size, int]:
    """Return which positions of an axis an index selects: the first one, their number, their step.

    An integer selects one position.
    axis: the axis of ``x`` to which the index applies.
    Errors: TypeMismatch for a position outside of the axis, or a slice with a negative step.
    """
    size = x.dims[axis]
    if isinstance(index, int | np.integer) and size.value is not None:
        if -size.value <= index < size.value:
            return int(index) % size.value, 1, 1
    elif isinstance(index, slice):
        if index == slice(None):
            return 0, size, 1
        if size.value is not None and (index.step is None or index.step > 0):
            start, stop, step = index.indices(size.value)
            return start, len(range(start, stop, step)), step
    raise TypeMismatch(
        f"axis {axis} of {x!r} has no such part",
        expected="a position within the axis, or a slice with a positive step",
        got=index,
        hint="gather positions with ops.gather",
    ).named(user_line())
