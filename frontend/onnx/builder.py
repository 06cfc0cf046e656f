"""Build graph ops from ONNX values, and track the values that are known at import.

A `Tensor` is an SSA value, or an array or integers known at import, which become an SSA value when
an op reads them. `Builder` inserts the ops that ONNX leaves implicit: broadcasts, casts of scalars,
constants.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import (
    LocationAttr,
    UnknownLoc,
    f16,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.dtypes import element_type, numpy_dtype
from ...dialects.graph import (
    ELEMENTWISE,
    BindingOp,
    BindOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    IotaOp,
    ReduceOp,
    ResampleOp,
    ReshapeOp,
    SelectOp,
    SizeOp,
    SliceOp,
    TransposeOp,
    YieldOp,
    bound_by,
)
from ...dialects.shape import Dim, dims_of, element_count, type_of
from ...dialects.weights import WeightAttr
from ...support.diagnostics import ModelError
from ...support.locations import name_location
from .sizes.equal_sizes import NO_FACTS, SizeFacts

# An object array of Dim, rank 0 to 2: integers known at import, or expressions of size symbols.
Sizes: TypeAlias = np.ndarray[Any, np.dtype[np.object_]]
# An object array of `float_sizes.Ratio`, rank 0 or 1.
Ratios: TypeAlias = np.ndarray[Any, np.dtype[np.object_]]
# Largest number of elements of known sizes; larger integer tensors are data, not shapes.
MAX_SIZES = 64
MAX_RANK = 32
MAX_TENSOR_BYTES = 2**40
"""No tensor that fits into memory exceeds this limit, so 64-bit offsets cannot overflow."""
_MOST_HALVES = 2048
"""The largest number up to which f16 has every integer."""


@dataclass(eq=False)
class Tensor:
    """The value of an ONNX name; at least one of ``ssa``, ``array``, ``sizes``, ``weight`` is set.

    ssa: the SSA value.  array: the elements, if they are known at import.
    sizes: the elements, if they are a few integers that are known at import; each is a number or an
    expression of symbolic sizes.
    name: the name of an initializer, or "".
    weight: a parameter of the model; its values are read into ``array`` only if the generated code
    may depend on them.
    ratios: for a tensor of floats that is computed from sizes, each element as a size divided by a
    number.
    """

    dtype: Attribute
    dims: tuple[Dim, ...]
    ssa: SSAValue | None = None
    array: np.ndarray | None = None
    sizes: Sizes | None = None
    name: str = ""
    weight: WeightAttr | None = None
    ratios: Ratios | None = None

    @staticmethod
    def of_ssa(value: SSAValue) -> Tensor:
        """Wrap an SSA value of tensor type."""
        tensor = type_of(value)
        return Tensor(tensor.get_element_type(), dims_of(tensor), ssa=value)

    @staticmethod
    def of_array(array: np.ndarray, name: str = "") -> Tensor:
        """Wrap an array; for an array of a few integers, also set ``sizes``."""
        dims = tuple(Dim.const(size) for size in array.shape)
        sizes = None
        if array.dtype.kind in "iub" and array.ndim <= 1 and array.size <= MAX_SIZES:
            # Convert to Python integers; `values` converts back to the dtype.
            sizes = size_array([int(v) for v in array.reshape(-1)], array.ndim)
        return Tensor(element_type(array.dtype), dims, array=array, sizes=sizes, name=name)

    @staticmethod
    def of_weight(weight: WeightAttr, name: str) -> Tensor:
        """Wrap a parameter of the model, whose values are not read yet."""
        dims = tuple(Dim.const(size) for size in weight.stored.shape)
        return Tensor(weight.type.element_type, dims, name=name, weight=weight)

    @staticmethod
    def of_sizes(sizes: Sizes, dtype: Attribute = i64) -> Tensor:
        """Wrap a few integers, each of which is a number known at import or a symbolic size."""
        return Tensor(dtype, tuple(Dim.const(size) for size in sizes.shape), sizes=sizes)

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.dims)

    @property
    def is_known(self) -> bool:
        """Whether all elements are known at import."""
        return self.weight is not None or self.values() is not None

    def values(self) -> np.ndarray | None:
        """Return the elements as an array, or None if not all are known at import.

        If the tensor is a parameter of the model, the code now depends on its values, so they can
        no longer be replaced after the compilation.
        """
        if self.array is None and self.weight is not None:
            self.array = self.weight.array
        if self.array is None and self.sizes is not None:
            numbers = [dim.value for dim in self.sizes.reshape(-1)]
            if None not in numbers:
                dtype = numpy_dtype(self.dtype)
                wrapped = [(n or 0) % 2**64 for n in numbers]
                self.array = np.array(wrapped, np.uint64).astype(dtype).reshape(self.sizes.shape)
        return self.array


def size_array(values: Sequence[Dim | int], rank: int = 1) -> Sizes:
    """Convert sizes to `Dim`s; return an array of them.

    rank: 1 for a vector of all sizes, or 0 for a scalar that holds the only size.
    """
    out = np.empty(len(values), object)
    out[:] = [Dim.of(v) for v in values]
    return out.reshape(()) if rank == 0 else out


class Builder:
    """A builder that appends graph ops to a block; operands and results are `Tensor`s.

    Operands may be Python numbers, which become constants of the first tensor's dtype. The builder
    of a region creates constants in the enclosing builder, so that all regions may read them.
    outer: the enclosing builder, if the block belongs to a region.
    facts: the known equations and limits of symbolic sizes.
    disputed: names of nodes whose result has other sizes according to ``onnx.shape_inference`` than
    according to the standard's text.
    positions: for each mask that a node has computed, the positions of its nonzero elements; the
    key describes how the mask is computed, so that equal masks share the positions.
    iteration: the size symbol of the iteration number, if the block is the body of a loop in which
    this number is used as a size.
    """

    iteration: str | None = None

    def __init__(self, block: Block, outer: Builder | None = None, facts: SizeFacts = NO_FACTS):
        self.block, self.outer = block, outer
        self.facts = facts if outer is None else outer.facts
        self.location: LocationAttr = UnknownLoc() if outer is None else outer.location
        self.disputed: list[str] = [] if outer is None else outer.disputed
        self._scalars: dict[tuple[Attribute, bytes], SSAValue] = {}
        self._data_symbols = self._computed_sizes = self._iteration_symbols = 0
        self.positions: dict[Hashable, Tensor] = {} if outer is None else {**outer.positions}

    def locate(self, name: str) -> None:
        """Use the name of a node as the location of all ops that are appended from now on."""
        self.location = name_location(name)

    def data_symbol(self) -> str:
        """Return a new name for a data-dependent size."""
        if self.outer is not None:
            return self.outer.data_symbol()
        self._data_symbols += 1
        return f"u{self._data_symbols - 1}"

    def data_size(self) -> tuple[str, Dim]:
        """Return a new symbol for a data-dependent size, and the size to use for it in types.

        The second result is the symbol as a size, unless the facts state that another size equals
        the symbol; then it is that other size.
        """
        symbol = self.data_symbol()
        return symbol, self.facts.of(Dim.sym(symbol))

    def iteration_symbol(self) -> str:
        """Return a new size symbol, such as ``i.0``, for the iteration number of a loop."""
        if self.outer is not None:
            return self.outer.iteration_symbol()
        self._iteration_symbols += 1
        return f"i.{self._iteration_symbols - 1}"

    def computed_size(self, x: Tensor) -> Dim:
        """Append an op that makes the integer in a one-element tensor a size; return this size.

        The function main computes the size during a run; a negative integer is then an error. The
        returned size is a new symbol, or the size that equals this symbol according to the facts.
        Before: the builder fills the body of the function main, not a nested region.
        """
        assert self.outer is None, "main binds sizes"
        symbol = f"v{self._computed_sizes}"
        self._computed_sizes += 1
        value = self.reshape(self.cast(x, i64), ())
        self.emit_all(BindOp(self.ssa(value), [symbol]))
        return self.facts.of(Dim.sym(symbol))

    def emit(self, op: Operation) -> Tensor:
        """Append an op with the current location; return its first result as a `Tensor`."""
        op.location = self.location
        for result in op.results:
            tensor = type_of(result)
            check_extent(tensor.get_element_type(), dims_of(tensor), "a result")
        self._append(op)
        return Tensor.of_ssa(op.results[0])

    def _append(self, op: Operation) -> None:
        self.block.add_op(op)
        if self.outer is None and isinstance(op, BindOp | BindingOp):
            self.facts = self.facts.with_computed(bound_by(op))

    def region(
        self, types: Sequence[Attribute], iteration: tuple[str, Dim] | None = None
    ) -> Builder:
        """Return a builder for the block of a new region, whose arguments have these types.

        iteration: if the iteration number of a loop is a size in the region, its size symbol and
        the trip count of the loop.
        """
        inner = Builder(Block(arg_types=types), self)
        if iteration is not None:
            inner.iteration = iteration[0]
            inner.facts = self.facts.with_iteration(*iteration)
        return inner

    def arguments(self) -> list[Tensor]:
        """Return the arguments of the builder's block as tensors."""
        return [Tensor.of_ssa(argument) for argument in self.block.args]

    def yields(self, *values: Tensor) -> Region:
        """End the builder's block with a graph.yield of values; return the block's region."""
        op = YieldOp([self.ssa(x) for x in values])
        op.location = self.location
        self.block.add_op(op)
        return Region(self.block)

    def emit_all(self, op: Operation) -> list[Tensor]:
        """Append an op with the current location; return all its results as `Tensor`s."""
        op.location = self.location
        self._append(op)
        return [Tensor.of_ssa(result) for result in op.results]

    def ssa(self, x: Tensor) -> SSAValue:
        """Return the SSA value of a tensor.

        If the elements are known at import, and no op has made them yet, first append this op.
        """
        if x.ssa is None and self.outer is not None and not self._is_of_iteration(x):
            return self.outer.ssa(x)
        if x.ssa is None:
            value = x.values() if x.weight is None else x.weight
            x.ssa = self._constant(value, x.name) if value is not None else self._sizes(x)
        return x.ssa

    def _is_of_iteration(self, x: Tensor) -> bool:
        if self.iteration is None or x.sizes is None:
            return False
        return any(self.iteration in dim.symbols() for dim in x.sizes.reshape(-1))

    def _constant(self, value: np.ndarray | WeightAttr, name: str) -> SSAValue:
        key = None
        if isinstance(value, np.ndarray) and value.ndim == 0:
            key = element_type(value.dtype), value.tobytes()
        if key in self._scalars:
            return self._scalars[key]
        op = ConstantOp(value)
        op.location = name_location(name) if name else self.location
        self.block.add_op(op)
        if key is not None:
            self._scalars[key] = op.results[0]
        return op.results[0]

    def _sizes(self, x: Tensor) -> SSAValue:
        assert x.sizes is not None, "a tensor needs a value, an array or sizes"
        flat = self.emit(SizeOp(tuple(x.sizes.reshape(-1))))
        return self.ssa(self.reshape(self.cast(flat, x.dtype), x.dims))

    def scalar(self, value: float, dtype: Attribute) -> Tensor:
        """Return a constant of rank 0."""
        return Tensor.of_array(np.asarray(value).astype(numpy_dtype(dtype)))

    def size(self, dim: Dim, dtype: Attribute = i64) -> Tensor:
        """Return a rank-0 tensor whose value is a size."""
        if dim.value is not None:
            return self.scalar(dim.value, dtype)
        return self.cast(Tensor.of_sizes(size_array([dim], 0)), dtype)

    def apply(self, name: str, *operands: Tensor | float) -> Tensor:
        """Append an elementwise op on operands that are broadcast to each other.

        name: the name of the op in `ELEMENTWISE`.
        """
        tensors = self.broadcast(*operands)
        return self.emit(ELEMENTWISE[name](*(self.ssa(x) for x in tensors)))

    def select(self, condition: Tensor, lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
        """Select ``lhs`` where the condition holds, else ``rhs``; all three are broadcast."""
        lhs, rhs = self._tensors(lhs, rhs)
        tensors = self.broadcast(condition, lhs, rhs)
        return self.emit(SelectOp(*(self.ssa(x) for x in tensors)))

    def _tensors(self, *operands: Tensor | float) -> list[Tensor]:
        dtype = next(x.dtype for x in operands if isinstance(x, Tensor))
        return [x if isinstance(x, Tensor) else self.scalar(x, dtype) for x in operands]

    def broadcast(self, *operands: Tensor | float) -> list[Tensor]:
        """Broadcast operands to their common shape."""
        tensors = self._tensors(*operands)
        dims = tensors[0].dims
        for x in tensors[1:]:
            dims = self.facts.broadcast(dims, x.dims)
        return [self.broadcast_to(self._repeated(x, dims), dims) for x in tensors]

    def _repeated(self, x: Tensor, dims: Sequence[Dim]) -> Tensor:
        """Broadcast ``x`` to the shape ``dims`` where only a call shows which axes have size 1.

        The result reads ``x`` with each index limited to the last position of the axis. So an axis
        of size 1 is repeated, and an axis that already has the size in ``dims`` is unchanged.
        dims: the shape of the result; its last axes are the axes of ``x``.
        """
        for axis, dim in enumerate(dims[len(dims) - x.rank :]):
            size = x.dims[axis]
            if size == dim or size.value == 1:
                continue
            positions = self.iota((dim, Dim.const(1)), 0, i64)
            indices = self.apply("min", positions, self.size((size - 1).max(0)))
            x = self.emit(ResampleOp(self.ssa(x), self.ssa(indices), axis=axis))
        return x

    def broadcast_to(self, x: Tensor, dims: Sequence[Dim], first: int | None = None) -> Tensor:
        """Broadcast a tensor to the shape ``dims``.

        first: the axis of the result to which the first axis of ``x`` is aligned; by default, the
        last axes are aligned.  It is ignored for scalars.
        """
        if tuple(dims) == x.dims:
            return x
        first = len(dims) - x.rank if first is None else first
        axes = range(first, first + x.rank)
        return self.emit(BroadcastOp(self.ssa(x), tuple(dims), tuple(axes)))

    def reshape(self, x: Tensor, dims: Sequence[Dim | int]) -> Tensor:
        """Reshape a tensor, unless it already has this shape; known elements stay known."""
        target = tuple(Dim.of(d) for d in dims)
        if target == x.dims:
            return x
        is_static = x.ssa is None and all(d.value is not None for d in target)
        if is_static and x.weight is not None:
            sizes = tuple(d.value or 0 for d in target)
            return Tensor.of_weight(WeightAttr.derived("reshape", [x.weight], sizes), x.name)
        if is_static and x.array is not None:
            return Tensor.of_array(x.array.reshape([d.value or 0 for d in target]), x.name)
        return self.emit(ReshapeOp(self.ssa(x), target))

    def transpose(self, x: Tensor, perm: Sequence[int]) -> Tensor:
        """Permute the axes, unless the permutation is the identity.

        perm: for each axis of the result, the axis of ``x``.
        """
        if tuple(perm) == tuple(range(x.rank)):
            return x
        return self.emit(TransposeOp(self.ssa(x), tuple(perm)))

    def matrix_transpose(self, x: Tensor) -> Tensor:
        """Swap the last two axes."""
        return self.transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])

    def cast(self, x: Tensor, dtype: Attribute, *, saturate: bool = True) -> Tensor:
        """Convert the elements to a dtype, unless they already have it.

        saturate: whether a number too large for an 8-bit float becomes the largest finite number,
        instead of inf or NaN.
        """
        if x.dtype == dtype:
            return x
        return self.emit(CastOp(self.ssa(x), dtype, saturate=saturate))

    def reduce(self, x: Tensor, kind: str, axes: Sequence[int], *, keep: bool = True) -> Tensor:
        """Reduce over axes; if there are none, return ``x``.

        kind: the reduction, such as "sum".  keep: whether reduced axes stay, with size 1.
        """
        if not axes:
            return x
        return self.emit(ReduceOp(self.ssa(x), kind=kind, axes=tuple(axes), keep=keep))

    def mean(self, x: Tensor, axes: Sequence[int], *, keep: bool = True) -> Tensor:
        """Return the mean over axes; ``keep`` keeps the reduced axes with size 1.

        The sum of many f16 elements is f32, because it and their number may exceed 65504, the
        largest f16 number.
        """
        count = element_count([x.dims[axis] for axis in axes])
        if x.dtype == f16 and (count.value is None or count.value > _MOST_HALVES):
            return self.cast(self.mean(self.widen(x), axes, keep=keep), x.dtype)
        total = self.reduce(x, "sum", axes, keep=keep)
        return self.apply("div", total, self.size(count, x.dtype))

    def slice(
        self,
        x: Tensor,
        axis: int,
        start: Dim | int,
        size: Dim | int,
        step: int = 1,
    ) -> Tensor:
        """Take ``size`` elements along an axis: from position ``start``, in steps of ``step``."""
        starts: list[Dim | int] = [0] * x.rank
        sizes: list[Dim | int] = list(x.dims)
        steps = [1] * x.rank
        starts[axis], sizes[axis], steps[axis] = start, size, step
        return self.emit(SliceOp(self.ssa(x), starts, sizes, steps))

    def split(self, x: Tensor, axis: int, sizes: Iterable[Dim | int]) -> list[Tensor]:
        """Split a tensor along an axis into adjacent parts; return the parts.

        sizes: the number of elements of each part, from the start of the axis on.
        """
        parts, start = list[Tensor](), Dim.const(0)
        for size in sizes:
            parts.append(self.slice(x, axis, start, size))
            start = start + size
        return parts

    def reverse(self, x: Tensor, axes: Collection[int]) -> Tensor:
        """Reverse the order of the elements along axes."""
        if not axes:
            return x
        starts = [dim - 1 if axis in axes else 0 for axis, dim in enumerate(x.dims)]
        steps = [-1 if axis in axes else 1 for axis in range(x.rank)]
        return self.emit(SliceOp(self.ssa(x), starts, x.dims, steps))

    def concat(self, xs: Sequence[Tensor], axis: int) -> Tensor:
        """Concatenate tensors along an axis."""
        if len(xs) == 1:
            return xs[0]
        return self.emit(ConcatOp([self.ssa(x) for x in xs], axis))

    def padded(self, x: Tensor, axis: int, low: Dim, high: Dim, value: float) -> Tensor:
        """Extend an axis at both ends by elements of a constant value.

        low, high: how many elements are added before the first and after the last one; 0 or more.
        """
        rest = list(x.dims)
        parts = [x]
        for size, place in ((low, 0), (high, 2)):
            if size.value != 0:
                rest[axis] = size
                part = self.broadcast_to(self.scalar(value, x.dtype), rest)
                parts.insert(place, part)
        return self.concat(parts, axis)

    def iota(self, dims: Sequence[Dim], axis: int, dtype: Attribute = i64) -> Tensor:
        """Return a tensor of this shape in which each element is its position along an axis."""
        return self.emit(IotaOp(tuple(dims), axis, dtype))

    def true(self, dims: Sequence[Dim]) -> Tensor:
        """Return a bool tensor whose elements are all true."""
        return self.broadcast_to(self.scalar(1, i1), dims)

    def plus(self, x: Tensor, addend: Tensor | None) -> Tensor:
        """Add an optional operand, such as a bias, to a tensor.

        Return ``x`` unchanged if the operand is None.
        """
        return x if addend is None else self.apply("add", x, addend)

    def widen(self, x: Tensor) -> Tensor:
        """Convert a tensor to f32, unless it is f32 or f64 already.

        Integers of all widths and floats narrower than f32 are converted.
        """
        return x if x.dtype in (f32, f64) else self.cast(x, f32)


def check_extent(element: Attribute, dims: Sequence[Dim], what: str) -> None:
    """Check that a tensor's rank and number of bytes are within limits.

    element: the element type.  dims: the sizes; symbolic sizes count as 1.  what: a name for the
    tensor in messages.
    Errors: ModelError if a limit is exceeded.
    """
    size_bytes = numpy_dtype(element).itemsize * prod(dim.value or 1 for dim in dims)
    if 0 in (dim.value for dim in dims) or size_bytes <= MAX_TENSOR_BYTES:
        if len(dims) <= MAX_RANK:
            return
        raise ModelError(
            f"{what} has too many dimensions",
            expected=f"rank {MAX_RANK} at most",
            got=len(dims),
            hint="join dimensions by a Reshape",
        )
    raise ModelError(
        f"{what} is larger than any machine's memory",
        expected=f"at most {MAX_TENSOR_BYTES} bytes",
        got=f"{size_bytes} bytes: ({', '.join(map(str, dims))})",
        hint="check the sizes, axes and repeats that it follows from",
    )
