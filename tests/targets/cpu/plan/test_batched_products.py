"""Products with several batch axes, as Einsum and reshapes make them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright

OPSET = [helper.make_opsetid("", 20)]


def compiled(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, tuple[int, ...]],
    shape: tuple[int, ...],
    sizes: dict[str, list[int]] | None = None,
) -> tilewright.CompiledModule:
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    constants = [numpy_helper.from_array(np.array(v), name) for name, v in (sizes or {}).items()]
    graph = helper.make_graph(nodes, "batches", infos, [result], constants)
    made = tilewright.compile(helper.make_model(graph, opset_imports=OPSET, ir_version=9))
    assert not made.reason
    return made


def check(made: tilewright.CompiledModule, equation: str, shapes: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape, np.float32) for shape in shapes]
    expected = np.einsum(equation, *arrays, dtype=np.float64)
    results = [np.array(made.run(arrays, threads=threads)[0].numpy()) for threads in (1, 2, 3)]
    np.testing.assert_allclose(results[0], expected, rtol=0, atol=1e-4)
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"


@pytest.mark.parametrize(
    ("equation", "first", "second", "out"),
    [
        ("bthd,bshd->bhts", (2, 21, 3, 35), (2, 5, 3, 35), (2, 3, 21, 5)),
        ("bhqd,bhkd->bhqk", (2, 12, 7, 16), (2, 12, 10, 16), (2, 12, 7, 10)),
        ("bhts,bshd->bthd", (2, 3, 21, 5), (2, 5, 3, 35), (2, 21, 3, 35)),
        ("abch,abhd->abcd", (3, 2, 1, 18), (3, 2, 18, 40), (3, 2, 1, 40)),
    ],
)
def test_an_einsum_with_two_batch_axes_is_one_product(
    equation: str, first: tuple[int, ...], second: tuple[int, ...], out: tuple[int, ...]
) -> None:
    node = helper.make_node("Einsum", ["a", "b"], ["y"], equation=equation)
    made = compiled([node], {"a": first, "b": second}, out)
    assert [kernel.name for kernel in made.kernels] == ["matmul"]
    assert "floordiv" not in made.get_source("scheduled").split("pack")[0]
    check(made, equation, [first, second])


def test_copies_of_a_batch_that_a_reshape_joins_hold_one_matrix() -> None:
    first, second = (2, 21, 6, 35), (2, 10, 6, 35)
    nodes = [
        helper.make_node("Transpose", ["a"], ["at"], perm=[0, 2, 1, 3]),
        helper.make_node("Transpose", ["b"], ["bt"], perm=[0, 2, 3, 1]),
        helper.make_node("Reshape", ["at", "rows"], ["ar"]),
        helper.make_node("Reshape", ["bt", "columns"], ["br"]),
        helper.make_node("MatMul", ["ar", "br"], ["y"]),
    ]
    sizes = {"rows": [12, 21, 35], "columns": [12, 35, 10]}
    made = compiled(nodes, {"a": first, "b": second}, (12, 21, 10), sizes)
    assert "sched.split_axis" in (text := made.get_source("sched")), text
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape, np.float32) for shape in (first, second))
    expected = np.einsum("bthd,bshd->bhts", a, b, dtype=np.float64).reshape(12, 21, 10)
    results = [np.array(made.run([a, b], threads=threads)[0].numpy()) for threads in (1, 2, 3)]
    np.testing.assert_allclose(results[0], expected, rtol=0, atol=1e-4)
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"


@pytest.mark.parametrize("width", [37, 166])
def test_vectors_of_transposed_matrices_end_with_their_rows(width: int) -> None:
    """Multiply all matrices by one column: the product has the rows of every matrix."""
    nodes = [
        helper.make_node("Transpose", ["a"], ["at"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["at", "b"], ["y"]),
    ]
    made = compiled(nodes, {"a": (3, 50, width), "b": (50, 1)}, (3, width, 1))
    assert " mod " not in made.get_source("scheduled")
    check(made, "bkm,kn->bmn", [(3, 50, width), (50, 1)])
