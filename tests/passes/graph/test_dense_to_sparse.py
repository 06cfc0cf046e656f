"""graph-dense-to-sparse multiplies the blocks of a constant matrix that are not all zeros."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.ir import SSAValue

import tilewright
from tilewright.dialects.graph import MatmulOp
from tilewright.passes.graph.dense_to_sparse import DenseToSparse

from ...sweeps import examples
from .programs import Graph, check_pass, ops_of, program

SPARSE = [
    *("reshape", "gather", "transpose", "matmul"),
    *("broadcast", "scatter_nd", "reshape", "transpose"),
]


def after(
    matrix: np.ndarray, step: DenseToSparse, *, transposed: bool = False, rows: int = 3
) -> Sequence[str]:
    """Return the names of the ops that compute a product with a constant matrix (N, K)."""

    def body(g: Graph, x: SSAValue) -> Sequence[SSAValue]:
        w = g.constant(matrix if transposed else matrix.T)
        return [g.add(MatmulOp(x, w, transpose_rhs=transposed))]

    return ops_of(check_pass(program(body, (rows, matrix.shape[1])), step))


@given(st.integers(1, 12), st.booleans(), st.integers(0, 2**32 - 1))
@examples(20)
def test_blocks_at_random_places(count: int, transposed: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks = np.zeros((3, 4), bool)
    blocks.flat[rng.choice(12, count, replace=False)] = True
    matrix = np.kron(blocks, np.ones((2, 5))) * rng.integers(1, 5, (6, 20))
    step = DenseToSparse(rows=2, columns=5, most=50)
    assert after(matrix, step, transposed=transposed) == (SPARSE if count <= 6 else ["matmul"])


@pytest.mark.parametrize(
    "matrix",
    [np.ones((16, 8)), np.zeros((16, 8)), np.eye(17, 8), np.eye(16, 9)],
    ids=["no block of zeros", "only zeros", "17 columns", "9 rows"],
)
def test_other_matrices_stay(matrix: np.ndarray) -> None:
    assert after(matrix, DenseToSparse(most=99)) == ["matmul"]


def test_a_function_with_sparse_weights_in_machine_code() -> None:
    rng = np.random.default_rng(0)
    blocks = np.kron(rng.random((5, 6)) < 0.2, np.ones((16, 8)))
    w = (blocks * rng.standard_normal(blocks.shape)).astype(np.float32)
    x = rng.standard_normal((7, w.shape[1])).astype(np.float32)
    passes = {"graph-cse": [DenseToSparse(most=50)]}
    run = tilewright.function(lambda x: x @ w.T, extensions=[tilewright.Extension(passes=passes)])
    np.testing.assert_allclose(run(x), x @ w.T, rtol=1e-5, atol=1e-5)
    assert "scatter" in run.module(x).get_source("te")
