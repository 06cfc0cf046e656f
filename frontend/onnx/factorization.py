"""Append ops that factor matrices and solve linear systems, each as a graph.scan over columns.

All functions work on the last two axes; the axes before them are a batch. A singular matrix gives
infinities or NaN, and the function returns the position where elimination fails, as in LAPACK.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i1, i64

from ...dialects.graph import ArgReduceOp, GatherElementsOp, GatherOp, ScanOp
from ...dialects.shape import Dim, tensor_type
from .builder import Builder, Tensor

ONE = Dim.const(1)


def cholesky(x: Tensor, b: Builder) -> tuple[Tensor, Tensor]:
    """Return the lower Cholesky factors of symmetric matrices, and where the factorization fails.

    Only the lower triangles of ``x`` are read. The second result is the order of the first leading
    minor that is not positive, or 0 if all are positive.
    """
    size, rank = x.dims[-1], x.rank

    def step(inner: Builder, k: Tensor, factor: Tensor) -> Sequence[Tensor]:
        # Column k without the products of the columns before it.
        row = _as_row(_taken(factor, k, rank - 2, inner), inner)
        known = inner.reduce(inner.apply("mul", factor, row), "sum", (rank - 1,), keep=False)
        column = inner.apply("sub", _taken(x, k, rank - 1, inner), known)
        square = _taken(column, k, rank - 2, inner)
        root = inner.reshape(inner.apply("sqrt", square), (*square.dims, ONE))
        scaled = inner.apply("div", column, root)
        index = inner.iota((size,), 0)
        lower = inner.select(inner.apply("lt", index, k), 0.0, scaled)
        wide = inner.reshape(lower, (*lower.dims, ONE))
        return [inner.select(inner.apply("eq", index, k), wide, factor), square]

    factor, squares = _scan(_zeros(x, b), size, step, b)
    return factor, _first(b.apply("not", b.apply("lt", b.scalar(0, x.dtype), squares)), b)


def triangular_solution(
    a: Tensor, rhs: Tensor, b: Builder, *, lower: bool, unit: bool = False
) -> Tensor:
    """Solve ``a x = rhs`` for triangular matrices ``a``, by substitution.

    lower: whether ``a`` is lower triangular.  unit: whether the diagonal counts as ones, regardless
    of the stored elements.
    """
    size, rank = a.dims[-1], rhs.rank
    index = b.iota((size,), 0)

    def step(inner: Builder, k: Tensor, x: Tensor) -> Sequence[Tensor]:
        row = _taken(a, k, rank - 2, inner)
        is_known = inner.apply("lt", index, k) if lower else inner.apply("lt", k, index)
        factors = inner.select(is_known, row, 0.0)
        products = inner.apply("mul", inner.reshape(factors, (*factors.dims, ONE)), x)
        known = inner.reduce(products, "sum", (rank - 2,), keep=False)
        found = inner.apply("sub", _taken(rhs, k, rank - 2, inner), known)
        if not unit:
            pivot = _taken(row, k, rank - 2, inner)
            found = inner.apply("div", found, inner.reshape(pivot, (*pivot.dims, ONE)))
        return [inner.select(_is_row(k, size, inner), _as_row(found, inner), x)]

    return _scan(_zeros(rhs, b), size, step, b, reverse=not lower)[0]


def solution(a: Tensor, rhs: Tensor, b: Builder) -> tuple[Tensor, Tensor]:
    """Solve ``a x = rhs`` by Gauss-Jordan elimination with partial pivoting.

    The second result is the position of the first pivot that is 0, counted from 1, or 0 if none is.
    """
    size, rank = a.dims[-1], a.rank
    joined = b.concat([a, rhs], rank - 1)

    def step(inner: Builder, k: Tensor, rows: Tensor) -> Sequence[Tensor]:
        column = _taken(rows, k, rank - 1, inner)
        index = inner.iota((size,), 0)
        length = inner.select(inner.apply("lt", index, k), -1.0, inner.apply("abs", column))
        best = inner.emit(ArgReduceOp(inner.ssa(length), kind="max", axis=rank - 2, keep=True))
        # Exchange row k and the row of the pivot.
        source = inner.select(inner.apply("eq", index, best), k, index)
        source = inner.select(inner.apply("eq", index, k), best, source)
        wide = inner.reshape(source, (*source.dims, ONE))
        order = inner.broadcast_to(inner.broadcast(wide, rows)[0], rows.dims)
        rows = inner.emit(GatherElementsOp(inner.ssa(rows), inner.ssa(order), rank - 2))
        row = _taken(rows, k, rank - 2, inner)
        pivot = _taken(row, k, rank - 2, inner)
        scaled = _as_row(inner.apply("div", row, inner.reshape(pivot, (*pivot.dims, ONE))), inner)
        # Subtract row k from all others, so that no substitution is needed.
        column = _taken(rows, k, rank - 1, inner)
        factors = inner.reshape(column, (*column.dims, ONE))
        others = inner.apply("sub", rows, inner.apply("mul", factors, scaled))
        return [inner.select(_is_row(k, size, inner), scaled, others), pivot]

    rows, pivots = _scan(joined, size, step, b)
    return b.slice(rows, rank - 1, size, rhs.dims[-1]), _first(b.apply("eq", pivots, 0.0), b)


def _scan(
    first: Tensor,
    steps: Dim,
    step: Callable[[Builder, Tensor, Tensor], Sequence[Tensor]],
    b: Builder,
    *,
    reverse: bool = False,
) -> list[Tensor]:
    """Append a graph.scan that carries one value; return its last value, then the stacked results.

    first: the initial value.  steps: the number of iterations.  step: takes the builder of the
    body, the iteration number and the carried value; returns the next carried value and the results
    to stack.  reverse: whether the iterations run from the last to the first.
    """
    inner = b.region([tensor_type(first.dtype, first.dims), tensor_type(i64, ())])
    carried, number = inner.arguments()
    body = inner.yields(*step(inner, number, carried))
    numbers = b.iota((steps,), 0)
    return b.emit_all(ScanOp(steps, [b.ssa(first)], [b.ssa(numbers)], body, reverse=reverse))


def _first(condition: Tensor, b: Builder) -> Tensor:
    """Return the first position along axis 0 where a condition holds, counted from 1, or 0."""
    size = condition.dims[0]
    count = b.reshape(b.iota((size,), 0), (size, *[ONE] * (condition.rank - 1)))
    beyond = b.size(size)
    held = b.select(b.cast(condition, i1), count, beyond)
    found = b.reduce(
        b.concat([held, b.broadcast_to(beyond, (ONE, *held.dims[1:]))], 0), "min", (0,)
    )
    found = b.reshape(found, found.dims[1:])
    return b.select(b.apply("eq", found, beyond), 0, b.apply("add", found, 1))


def _taken(x: Tensor, k: Tensor, axis: int, b: Builder) -> Tensor:
    return b.emit(GatherOp(b.ssa(x), b.ssa(k), axis))


def _as_row(x: Tensor, b: Builder) -> Tensor:
    return b.reshape(x, (*x.dims[:-1], ONE, x.dims[-1]))


def _is_row(k: Tensor, size: Dim, b: Builder) -> Tensor:
    return b.apply("eq", b.iota((size, ONE), 0), k)


def _zeros(x: Tensor, b: Builder) -> Tensor:
    return b.broadcast_to(b.scalar(0, x.dtype), x.dims)
