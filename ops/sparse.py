"""Products and changes of sparse matrices, which are stored in parts: data, indices, indptr.

A matrix in CSR form has the elements ``data`` (n); element i is in the column ``indices[i]``, and
those of row r are number ``indptr[r]`` to ``indptr[r + 1] - 1``.  In BSR form, ``data`` (n, R, C)
has blocks, and indices and indptr count blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import stack
from .positions import argsort, nonzero, searchsorted, segment_sum, take, unravel_index, zeros
from .table import Operand, call


def sparse_dense(x: Tensor, data: Tensor, indices: Tensor, indptr: Tensor) -> Tensor:
    """Return ``x @ w.T`` for a sparse w, in CSR or BSR form.

    Shapes: x (M, K), w (N, K); the result (M, N).
    Errors: TypeMismatch if data is neither of rank 1 nor 3, or its blocks do not divide K.
    """
    if data.ndim not in (1, 3):
        raise TypeMismatch("ops.sparse_dense: the data are elements or blocks",
                           expected="rank 1 (CSR) or 3 (BSR)", got=repr(data))  # fmt: skip
    blocks = data if data.ndim == 3 else call("reshape", data, [data.shape[0], 1, 1])
    (_, height, width), rows = blocks.shape, x.shape[0]
    if x.shape[1] % width:
        raise TypeMismatch("ops.sparse_dense: the blocks do not divide the columns of x",
                           expected=f"a multiple of {width}", got=x.shape[1])  # fmt: skip
    parts = call("reshape", x, [rows, x.shape[1] // width, width])
    read = call("transpose", take(parts, indices, 1), [1, 0, 2])
    products = call("matmul", blocks, read, transpose_rhs=True)
    total = segment_sum(products, _rows(data, indptr), indptr.shape[0] - 1)
    flat = call("reshape", total, [total.shape[0] * height, rows])
    return call("transpose", flat, [1, 0])


def _rows(data: Tensor, indptr: Tensor) -> Tensor:
    """Return the row of each element or block."""
    places = call("iota", [data.shape[0]], 0, indptr.dtype)
    return call("sub", searchsorted(indptr, places, right=True), 1)


def sparse_transpose(
    data: Tensor, indices: Tensor, indptr: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the transpose of a square CSR matrix: its data, indices and indptr."""
    order = argsort(indices)
    columns = call("gather", indices, order, 0)
    starts = searchsorted(columns, call("iota", [indptr.shape[0]], 0, indices.dtype))
    rows = call("cast", call("gather", _rows(data, indptr), order, 0), indices.dtype)
    return call("gather", data, order, 0), rows, call("cast", starts, indptr.dtype)


def sparse_add(x: Tensor, data: Tensor, indices: Tensor, indptr: Tensor) -> Tensor:
    """Return the sum of a matrix x (M, N) and a CSR matrix of the same shape."""
    rows = call("cast", _rows(data, indptr), "int64")
    places = stack([rows, call("cast", indices, "int64")], -1)
    return call("scatter_nd", x, places, data, "add")


def sparse_conv2d(
    x: Tensor, data: Tensor, indices: Tensor, indptr: Tensor, *, kernel: int = 1
) -> Tensor:
    """Convolve images with sparse weights, without padding, by steps of 1.

    kernel: the height and width of the window.
    Shapes: x (N, C, H, W); the sparse weights (O, kernel · kernel · C), in which the channels of a
    pixel are adjacent; the result (N, O, H - kernel + 1, W - kernel + 1).
    """
    n, c, h, w = x.shape
    rows, columns = h - kernel + 1, w - kernel + 1
    starts = [(y, z) for y in range(kernel) for z in range(kernel)]
    taps = [call("slice", x, [0, 0, y, z], [n, c, rows, columns], [1] * 4) for y, z in starts]
    pixels = call("transpose", call("concat", taps, 1), [0, 2, 3, 1])
    flat = call("reshape", pixels, [n * rows * columns, kernel * kernel * c])
    made = sparse_dense(flat, data, indices, indptr)
    images = call("reshape", made, [n, rows, columns, made.shape[1]])
    return call("transpose", images, [0, 3, 1, 2])


def sparse_reshape(
    indices: Tensor, shape: Sequence[int], new_shape: Sequence[int]
) -> tuple[Tensor, tuple[int, ...]]:
    """Return the positions of the elements of a sparse tensor in another shape, and this shape.

    new_shape: one size may be -1; it follows from the others.
    Shapes: indices (n, rank of shape); the result (n, rank of new_shape).
    Errors: TypeMismatch if the shapes have different numbers of elements.
    """
    known = prod(size for size in new_shape if size != -1)
    sizes = tuple(prod(shape) // max(known, 1) if size == -1 else size for size in new_shape)
    if prod(sizes) != prod(shape):
        raise TypeMismatch("ops.sparse_reshape: the number of elements differs",
                           expected=prod(shape), got=sizes)  # fmt: skip
    steps = [prod(shape[n + 1 :]) for n in range(len(shape))]
    flat = call(
        "reduce", call("mul", indices, np.array(steps, indices.dtype)), kind="sum", axes=[1]
    )
    return call("transpose", unravel_index(flat, sizes), [1, 0]), sizes


def sparse_fill_empty_rows(
    indices: Tensor, values: Tensor, shape: Sequence[int], default: Operand
) -> tuple[Tensor, Tensor, Tensor]:
    """Insert an element in column 0 of each empty row of a sparse matrix.

    Return the positions, the values, and for each row whether it was empty.
    Shapes: indices (n, 2) of int64 in row-major order, values (n), shape (R, C); the results
    (m, 2), (m) and (R). m depends on the data, so the operands are arrays of a traced function.
    Errors: TypeMismatch for te tensors.
    """
    count, (height, _) = indices.shape[0], shape
    rows = call("reshape", call("slice", indices, [0, 0], [count, 1], [1, 1]), [count])
    sizes = segment_sum(call("broadcast", np.int64(1), [count], []), rows, height)
    empty = call("eq", sizes, 0)
    added = call("transpose", nonzero(empty), [1, 0])
    more = added.shape[0]
    places = call("concat", [added, zeros([more, 1], "int64")], 1)
    joined = call("concat", [indices, places], 0)
    filled = call("broadcast", np.asarray(default, values.dtype), [more], [])
    both = call("concat", [values, filled], 0)
    order = argsort(call("concat", [rows, call("reshape", added, [more])], 0))
    return call("gather", joined, order, 0), call("gather", both, order, 0), empty


__all__ = [
    "sparse_add", "sparse_conv2d", "sparse_dense", "sparse_fill_empty_rows", "sparse_reshape",
    "sparse_transpose",
]  # fmt: skip
