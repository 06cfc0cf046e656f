"""Convert matrix factorizations and solvers of linear systems of ATen.

Only operators that return the position where a matrix is singular have converters. Operators such
as torch.linalg.cholesky, which raise an error for a singular matrix, have none, because compiled
code cannot raise this error.
"""

from __future__ import annotations

from ...dialects.graph import DetOp
from ...dialects.shape import Dim
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from ..onnx.factorization import cholesky, solution, triangular_solution
from .aten import AtenBuilder, Converter


def cholesky_ex(b: AtenBuilder, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the Cholesky factor, and the order of the first minor that is not positive, or 0."""
    _check_no_errors(b)
    is_upper = b.options.get("upper", False)
    factor, minor = cholesky(b.matrix_transpose(x) if is_upper else x, b)
    return b.matrix_transpose(factor) if is_upper else factor, b.cast(minor, b.spec(1).dtype)


def solve_triangular(b: AtenBuilder, a: Tensor, rhs: Tensor) -> Tensor:
    """Solve ``a x = rhs`` for a triangular matrix; with ``left=False``, solve ``x a = rhs``."""
    is_lower, is_unit = not b.options.get("upper"), b.options.get("unitriangular", False)
    a, rhs = _of_one_batch(b, a, rhs)
    if b.options.get("left", True):
        return triangular_solution(a, rhs, b, lower=is_lower, unit=is_unit)
    a, rhs = b.matrix_transpose(a), b.matrix_transpose(rhs)
    return b.matrix_transpose(triangular_solution(a, rhs, b, lower=not is_lower, unit=is_unit))


def cholesky_solve(b: AtenBuilder, rhs: Tensor, factor: Tensor, upper: bool = False) -> Tensor:
    """Solve a linear system whose matrix is given by its Cholesky factor."""
    factor, rhs = _of_one_batch(b, b.matrix_transpose(factor) if upper else factor, rhs)
    half = triangular_solution(factor, rhs, b, lower=True)
    return triangular_solution(b.matrix_transpose(factor), half, b, lower=False)


def solve_ex(b: AtenBuilder, a: Tensor, rhs: Tensor) -> tuple[Tensor | None, ...]:
    """Solve ``a x = rhs``, or ``x a = rhs`` if the node has ``left=False``.

    Results: the solution, None for the factors of the matrix and for its pivots, which are not
    available, and the position (from 1) of the first pivot that is 0, or 0 if none is.
    """
    _check_no_errors(b)
    is_vector = rhs.rank == 1 or rhs.dims == a.dims[:-1]
    wide = b.reshape(rhs, (*rhs.dims, Dim.const(1))) if is_vector else rhs
    is_left = b.options.get("left", True) or is_vector
    if not is_left:
        a, wide = b.matrix_transpose(a), b.matrix_transpose(wide)
    found, pivot = solution(*_of_one_batch(b, a, wide), b)
    found = found if is_left else b.matrix_transpose(found)
    return b.reshape(found, b.out.dims), None, None, b.cast(pivot, b.spec(3).dtype)


def inverse_ex(b: AtenBuilder, a: Tensor) -> tuple[Tensor, Tensor]:
    """Return the inverse, and the position (from 1) of the first pivot that is 0; 0 if none is."""
    _check_no_errors(b)
    index = b.iota((a.dims[-1],), 0)
    column = b.reshape(index, (a.dims[-1], Dim.const(1)))
    identity = b.broadcast_to(b.cast(b.apply("eq", column, index), a.dtype), a.dims)
    found, pivot = solution(a, identity, b)
    return found, b.cast(pivot, b.spec(1).dtype)


def determinant(b: AtenBuilder, a: Tensor) -> tuple[Tensor | None, ...]:
    """Return the determinant, and None for the matrix's factors and pivots, which no node reads."""
    return b.emit(DetOp(b.ssa(a))), None, None


def _check_no_errors(b: AtenBuilder) -> None:
    if b.options.get("check_errors", False):
        raise UnsupportedOp("compiled code raises no error for a singular matrix")


def _of_one_batch(b: AtenBuilder, a: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    batch = b.facts.broadcast(a.dims[:-2], rhs.dims[:-2])
    a, rhs = (b.broadcast_to(x, (*batch, *x.dims[-2:])) for x in (a, rhs))
    return a, rhs


CONVERTERS: dict[str, Converter] = {
    "linalg_cholesky_ex": cholesky_ex,
    "linalg_solve_triangular": solve_triangular,
    "cholesky_solve": cholesky_solve,
    "_linalg_solve_ex": solve_ex,
    "linalg_inv_ex": inverse_ex,
    "_linalg_det": determinant,
}
"""Converters by operator name."""
