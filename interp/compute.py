"""Reference semantics of te.compute in numpy, on all points of the axes at once.

Positions along different axes are broadcast, so the result of a read has only the axes that its
indices use. Float sums and products over reduction axes are computed in float64 and rounded once to
the accumulator type, so the reference is more exact than any order of evaluation.  Bodies are
evaluated in the types of their ops, except that a multiplication whose results are summed becomes a
float64 matrix product.  A combine region (combiner ``by``) is applied to one point after the other,
in row-major order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.dtypes import is_float, numpy_dtype
from ..dialects.spans import ranges_of
from ..dialects.te.body import YieldOp
from ..dialects.te.compute import ComputeOp
from ..dialects.te.verifier import accumulator_type
from ..dialects.te.view import Access, ComputeView
from ..support.affine import Index, Key, Range
from ..support.diagnostics import TilewrightError
from .body import read_at, run_region, scalar_value

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Value: TypeAlias = Array | int
"""A tensor or buffer, or the value of a loop variable."""

MAX_POINTS = 1 << 22
"""The largest number of points evaluated at once; for more points, reduction axes are iterated."""

_UFUNCS: dict[str, np.ufunc] = {
    "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum, "umax": np.maximum,
    "umin": np.minimum, "maxnum": np.fmax, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip


def run_compute(op: ComputeOp, values: Mapping[SSAValue, Value]) -> list[Array]:
    """Evaluate a te.compute; return its results, or write its output buffers and return [].

    values: for each SSA value that the compute uses, its array, or the number of a loop variable.
    Errors: TilewrightError, which names the compute, for an access outside its buffer.
    """
    return run_view(op.view(), values)


def run_view(
    view: ComputeView,
    values: Mapping[SSAValue, Value],
    numbers: Mapping[str, Array] | None = None,
) -> list[Array]:
    """Evaluate the compute that a view describes; return its results, or write its output buffers.

    values: for each SSA value that the compute uses, its array, or the number of a loop variable.
    numbers: the positions along a parallel axis, if they are not 0, 1, ….
    Return [] for a compute on buffers.
    """
    space = IterationSpace(view, values, numbers=numbers or {})
    finished = _finish(space, _combined(space))
    made: list[Array] = []
    for output, value in zip(view.outputs, finished, strict=True):
        if output.value is None:
            target = np.empty(output.shape, numpy_dtype(_element_type(output)))
            made.append(target)
        else:
            target = cast(Array, values[output.value])
        space.write(output, target, value)
    return made


@dataclass
class IterationSpace:
    """The iteration space of a compute: the axes that numpy evaluates at once, and those of a loop.

    view, values: the compute, and the values of its operands and loop variables.  op_name: the kind
    of op, for errors.  numbers: the positions along a parallel axis, if they are not 0, 1, ….
    stored: the parallel axes.  vectorized: the reduction axes that numpy evaluates at once, like
    the parallel axes.  stepped: the reduction axes over which a Python loop runs.
    """

    view: ComputeView
    values: Mapping[SSAValue, Value]
    op_name: str = "te.compute"
    numbers: Mapping[str, Array] = field(default_factory=dict[str, Array])
    stored: list[str] = field(init=False)
    vectorized: list[str] = field(init=False)
    stepped: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.stored = self.view.parallel_axes()
        self.stepped = self.view.reduced_axes()
        self.vectorized = []
        self._positions: dict[Key, Value] = {}
        if all(o.combiner != "by" for o in self.view.outputs):
            self._vectorize()
        self.place(self.stored + self.vectorized)

    def _vectorize(self) -> None:
        points = prod(self.shape())
        while self.stepped and (
            points * self.view.extents[self.stepped[-1]] <= MAX_POINTS or self.is_product()
        ):
            axis = self.stepped.pop()
            self.vectorized.insert(0, axis)
            points *= self.view.extents[axis]

    def place(self, order: Sequence[str]) -> None:
        """Set the order of the axes: axis ``order[n]`` becomes dimension n of all arrays.

        The positions along an axis are stored as an array that holds 0, 1, … along the dimension of
        the axis, and has size 1 in the other dimensions. An index expression over several such
        arrays then broadcasts to all combinations of positions.
        """
        for n, axis in enumerate(order):
            shape = [-1 if m == n else 1 for m in range(len(order))]
            found = self.numbers.get(axis)
            numbers = np.arange(self.view.extents[axis]) if found is None else found
            self._positions[axis] = numbers.reshape(shape)

    def is_product(self) -> bool:
        """Return whether the compute sums products of two values, as a matrix product does."""
        (output, *others) = self.view.outputs
        last = _yield_of(self.view).values
        return (
            not others and output.combiner == "add" and self.view.scan is None
            and isinstance(last[0].owner, arith.MulfOp | arith.MuliOp)
        )  # fmt: skip

    def shape(self) -> list[int]:
        """Return the extents of the parallel axes."""
        return [self.view.extents[a] for a in self.stored]

    def full_shape(self) -> list[int]:
        """Return the extents of the parallel and the vectorized axes."""
        return [self.view.extents[a] for a in self.stored + self.vectorized]

    def steps(self) -> Iterator[tuple[int, ...]]:
        """Yield each point of the stepped axes in row-major order.

        Before a point is yielded, the positions along these axes are set to the point.
        """
        for point in product(*(range(self.view.extents[a]) for a in self.stepped)):
            self._positions.update(zip(self.stepped, point, strict=True))
            yield point

    def keep_stored_axes(self) -> None:
        """Restrict evaluation to the parallel axes, which index post operands and outputs."""
        self.place(self.stored)

    def evaluate(self, index: Index) -> Value:
        """Return the value of an index expression at all points."""
        return index.evaluate(
            lambda key: self._positions[key] if isinstance(key, str) else self.values[key]
        )

    def read(self, access: Access) -> Array:
        """Return the body argument of an input: the elements that the input reads at all points.

        For an input that is an index expression, the argument is its positions; for an input
        without an index map, the whole operand.
        """
        if access.indices is None:
            return cast(Array, self.values[cast(SSAValue, access.value)])
        indices = [self.evaluate(i) for i in access.indices]
        if access.value is None:
            return np.asarray(indices[0], np.int64)
        x = cast(Array, self.values[access.value])
        other = None if access.pad is None else scalar_value(access.pad)
        return read_at(
            x, indices, other, f"{self.op_name} @{self.view.name}: read of {access.type}"
        )

    def write(self, output: Access, target: Array, value: Array) -> None:
        """Write values, one per point of the parallel axes, to their positions in ``target``.

        output: the output whose indices are the positions.
        """
        indices = [np.asarray(self.evaluate(i)) for i in output.indices or []]
        if 0 in self.shape():
            return
        if output.clip is not None:
            self._write_clipped(ranges_of(output.clip), indices, target, value)
            return
        for index, size in zip(indices, target.shape, strict=True):
            if index.size and not 0 <= index.min() <= index.max() < size:
                raise TilewrightError(
                    f"te.compute @{self.view.name}: write leaves {output.type}",
                    expected=f"0..{size - 1}",
                    got=f"{index.min()}..{index.max()}",
                    hint="shorten the axes, enlarge the output, or clip the write",
                )
        shape = np.broadcast_shapes(*(i.shape for i in indices)) if indices else ()
        target[tuple(indices)] = np.broadcast_to(value, self.shape()).reshape(shape)

    def _write_clipped(
        self, clip: Sequence[Range], indices: Sequence[Array], target: Array, value: Array
    ) -> None:
        spans = zip(indices, clip, strict=True)
        is_inside = [(index >= first) & (index < end) for index, (first, end) in spans]
        kept = np.broadcast_to(np.logical_and.reduce(np.broadcast_arrays(*is_inside)), self.shape())
        places = tuple(np.broadcast_to(i, self.shape())[kept] for i in indices)
        target[places] = np.broadcast_to(value, self.shape())[kept]


def _combined(space: IterationSpace) -> list[Array]:
    """Return the values of each output after a compute's scan or reduction, before ``then``."""
    view = space.view
    if view.scan is not None:
        return _scan(space)
    if not view.reduced_axes() and all(not o.reduces for o in view.outputs):
        return _body_values(space)
    if any(o.combiner == "by" for o in view.outputs):
        return _fold(space)
    return _reduce(space)


def _body_values(space: IterationSpace) -> list[Array]:
    inputs = [space.read(a) for a in space.view.inputs]
    return run_region(space.view.body, inputs, f"te.compute @{space.view.name}")


def _reduce(space: IterationSpace) -> list[Array]:
    totals = _starts(space)
    if 0 in space.full_shape():
        rows = zip(totals, space.view.outputs, strict=True)
        return [_round(total, output) for total, output in rows]
    axes = tuple(range(len(space.stored), len(space.stored) + len(space.vectorized)))
    for _ in space.steps():
        if space.is_product():
            totals = [totals[0] + _sum_of_products(space)]
            continue
        made = _body_values(space)
        for n, (output, value) in enumerate(zip(space.view.outputs, made, strict=True)):
            full = np.broadcast_to(_wide(value, output), space.full_shape())
            if output.reduces:
                ufunc = _UFUNCS[output.combiner]
                totals[n] = ufunc(totals[n], ufunc.reduce(full, axis=axes, dtype=full.dtype))
            else:
                totals[n] = full.reshape(space.shape())
    return [_round(total, output) for total, output in zip(totals, space.view.outputs, strict=True)]


def _starts(space: IterationSpace) -> list[Array]:
    """Return initial accumulators: the value ``init``, or else the output buffer's contents."""
    made: list[Array] = []
    space_axes = space.stored + space.vectorized
    for output in space.view.outputs:
        if output.init is not None:
            start = np.broadcast_to(scalar_value(output.init), space.shape())
        elif output.reduces:
            space.keep_stored_axes()
            start = np.broadcast_to(space.read(output), space.shape())
            space.place(space_axes)
        else:
            start = np.zeros((), numpy_dtype(_element_type(output)))
        made.append(_wide(start, output))
    return made


def _wide(value: Array, output: Access) -> Array:
    """Convert values to the type of the accumulator: float64 for sums and products of floats."""
    if output.combiner in ("umax", "umin"):
        return value.view(f"u{value.dtype.itemsize}")
    if output.combiner in ("add", "mul") and is_float(accumulator_type(output)):
        return value.astype(np.float64)
    return value


def _round(total: Array, output: Access) -> Array:
    dtype = numpy_dtype(accumulator_type(output))
    if output.combiner in ("umax", "umin"):
        return total.view(dtype)
    return total.astype(dtype)


def _sum_of_products(space: IterationSpace) -> Array:
    """Evaluate a compute that sums products as a batched matrix product of the two factors."""
    view = space.view
    last = _yield_of(view).values[0].owner
    inputs = [space.read(a) for a in view.inputs]
    where = f"te.compute @{view.name}"
    lhs, rhs = run_region(view.body, inputs, where, until=cast(Operation, last))
    shape = space.full_shape()
    lhs, rhs = (x.reshape((1,) * (len(shape) - x.ndim) + x.shape) for x in (lhs, rhs))
    if lhs.dtype.kind == "f" or _fits_float(lhs, rhs, prod(shape[len(space.stored) :])):
        wide = np.dtype(np.float64)
    else:
        wide = np.dtype(np.int64)
    total = _contract(lhs.astype(wide), rhs.astype(wide), shape, len(space.stored))
    return total if lhs.dtype.kind == "f" else total.astype(np.int64)


def _fits_float(lhs: Array, rhs: Array, terms: int) -> bool:
    """Return whether every sum of ``terms`` products of these integers is exact in float64."""
    bounds = [float(np.abs(x.astype(np.float64)).max(initial=0)) for x in (lhs, rhs)]
    return bounds[0] * bounds[1] * terms < 2.0**52


def _contract(lhs: Array, rhs: Array, shape: Sequence[int], n_stored: int) -> Array:
    """Sum ``lhs * rhs``, both broadcast to ``shape``, over the dimensions from ``n_stored`` on."""
    scale = 1
    for d in range(n_stored, len(shape)):
        if lhs.shape[d] == rhs.shape[d] == 1:
            scale *= shape[d]
        elif rhs.shape[d] == 1:
            lhs = lhs.sum(axis=d, keepdims=True)
        elif lhs.shape[d] == 1:
            rhs = rhs.sum(axis=d, keepdims=True)
    stored, summed = range(n_stored), [d for d in range(n_stored, len(shape)) if lhs.shape[d] > 1]
    both = [d for d in stored if lhs.shape[d] == rhs.shape[d]]
    rows = [d for d in stored if d not in both and rhs.shape[d] == 1]
    columns = [d for d in stored if d not in both and lhs.shape[d] == 1]
    left = _matrices(lhs, both, rows, summed)
    right = _matrices(rhs, both, summed, columns)
    order = both + rows + columns
    made = np.matmul(left, right).reshape([max(lhs.shape[d], rhs.shape[d]) for d in order])
    return np.broadcast_to(made.transpose(np.argsort(order)) * scale, shape[:n_stored])


def _matrices(x: Array, batch: list[int], rows: list[int], columns: list[int]) -> Array:
    kept = batch + rows + columns
    rest = [d for d in range(x.ndim) if d not in kept]
    sizes = [prod(x.shape[d] for d in group) for group in (batch, rows, columns)]
    return x.transpose(kept + rest).reshape(sizes)


def _fold(space: IterationSpace) -> list[Array]:
    """Reduce by the combine region, which runs once per point of the reduction axes, in order."""
    view = space.view
    where = f"te.compute @{view.name}"
    totals = [np.broadcast_to(start, space.shape()) for start in _starts(space)]
    for _ in space.steps():
        made = [np.broadcast_to(v, space.shape()) for v in _body_values(space)]
        totals = run_region(view.combine, [*totals, *made], where)
    return totals


def _scan(space: IterationSpace) -> list[Array]:
    """Return, for each position of the scan axis, the combination of all elements up to it."""
    view = space.view
    axis = space.stored.index(cast(str, view.scan))
    made = [np.broadcast_to(v, space.shape()) for v in _body_values(space)]
    starts = _starts(space)
    if any(o.combiner == "by" for o in view.outputs):
        return _scan_fold(space, made, starts, axis)
    partial: list[Array] = []
    for output, value, start in zip(view.outputs, made, starts, strict=True):
        ufunc = _UFUNCS[output.combiner]
        wide = _wide(value, output)
        partial.append(_round(ufunc(start, ufunc.accumulate(wide, axis=axis)), output))
    return partial


def _scan_fold(
    space: IterationSpace, made: list[Array], starts: list[Array], axis: int
) -> list[Array]:
    where = f"te.compute @{space.view.name}"
    totals = [np.broadcast_to(s, space.shape()).take(0, axis) for s in starts]
    steps: list[list[Array]] = []
    for n in range(made[0].shape[axis]):
        totals = run_region(space.view.combine, [*totals, *(v.take(n, axis) for v in made)], where)
        steps.append(totals)
    return [np.stack(column, axis=axis) for column in zip(*steps, strict=True)]


def _finish(space: IterationSpace, values: list[Array]) -> list[Array]:
    """Apply the region ``then`` to reduced values; outputs that are not reduced are unchanged."""
    view = space.view
    space.keep_stored_axes()
    if not view.then.blocks:
        return values
    combined = [v for v, o in zip(values, view.outputs, strict=True) if o.reduces]
    post = [space.read(a) for a in view.post]
    finished = iter(run_region(view.then, [*combined, *post], f"te.compute @{view.name}"))
    return [next(finished) if o.reduces else v for v, o in zip(values, view.outputs, strict=True)]


def _yield_of(view: ComputeView) -> YieldOp:
    return cast(YieldOp, view.body.block.last_op)


def _element_type(output: Access) -> Attribute:
    return cast(Any, output.type).get_element_type()
