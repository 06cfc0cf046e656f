"""The operator inventory: every operator by its Python name, on the rows of the op table."""

from __future__ import annotations

import inspect
from math import erf
from typing import Any

import numpy as np
import pytest
from xdsl.ir import Operation, SSAValue

import tilewright
from tilewright import ops, te
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.driver.lowered import drop_checks
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.interp import te as interpreter
from tilewright.lowering.graph_to_te.convert import RULES
from tilewright.ops.table import EXCLUDED, names, table
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.op_case import OpCase, assert_close

from .cases import CASES

RNG = np.random.default_rng(3)
Array = np.ndarray[Any, Any]


def _op_of(case: OpCase) -> Operation:
    """Return the op of a case, on the arguments of its function."""
    _, func = case.function()
    return next(iter(func.body.block.ops))


NAME_OF = {op_class: name for name, op_class in table().items()}
ROWS = [
    case
    for case in CASES
    if type(_op_of(case)) in NAME_OF
    and all(size for one in case.inputs for size in one.shape)
    and not any("int4" in one.dtype or "int2" in one.dtype for one in case.inputs)
]


# Constructor arguments that are not fields of the op.
FROM_OP: dict[str, Any] = {
    "center": lambda op: "uncentered" not in op.properties,
    "dims": lambda op: op.results[0].type.get_shape(),
    "element_type": lambda op: op.results[0].type.get_element_type(),
}


def _called(op: Operation, tensors: dict[SSAValue, Any]) -> Any:
    """Call the operator of an op with the arguments that the op was made with."""

    def given(value: Any) -> Any:
        if isinstance(value, SSAValue):
            return tensors[value]
        if isinstance(value, tuple | list) and value and isinstance(value[0], SSAValue):
            return [tensors[v] for v in value]
        return value

    arguments: dict[str, Any] = {}
    for name in list(inspect.signature(type(op).__init__).parameters)[1:]:
        value = getattr(op, name) if hasattr(op, name) else FROM_OP[name](op)
        arguments[name] = given(value)
    return getattr(ops, NAME_OF[type(op)])(**arguments)


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_an_operator_gives_what_its_reference_gives(case: OpCase) -> None:
    op = _op_of(case)
    arrays = case.arrays()
    block = op.parent_block()
    assert block is not None
    tensors = {
        argument: te.placeholder(array.shape, array.dtype.name, name=f"x{number}")
        for number, (argument, array) in enumerate(zip(block.args, arrays, strict=True))
    }
    made = _called(op, tensors)
    results = list(made) if isinstance(made, tuple) else [made]
    inputs = list(tensors.values())
    program = make_program(signature_of([*inputs, *results], [*inputs, *results]), "main")
    program.verify()
    # Index checks have tests of their own, tests/frontend/onnx/test_indices.py; without the checks,
    # scatters drop such updates.
    drop_checks(program)
    got = interpreter.run(program, *arrays)
    for tensor, result, expected in zip(results, got, case.expected(*arrays), strict=True):
        assert tensor.shape == expected.shape
        assert numpy_dtype(tensor.element_type) == expected.dtype
        assert_close(result, expected, max(2 * case.ulp, 4 if expected.dtype.kind == "f" else 0))


def test_every_operator_has_a_row_and_documentation() -> None:
    tested = {NAME_OF[type(_op_of(case))] for case in ROWS}
    assert set(names()) - tested == set()
    for name in dir(ops):
        operator = getattr(ops, name)
        assert operator.__doc__, name
        hints = [p.annotation for p in inspect.signature(operator).parameters.values()]
        assert inspect.Parameter.empty not in hints, name


def test_what_is_no_operator_is_named() -> None:
    graph_ops = {op for op in RULES if op not in NAME_OF}
    binding = {"graph.nms", "graph.non_zero", "graph.unique"}
    assert {op.name for op in graph_ops} == {op.name for op in EXCLUDED} | binding


def uniform(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def softmax(x: Array) -> Array:
    grown = np.exp(x - x.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


def test_composed_operators() -> None:
    x, w, b = uniform(3, 5), uniform(4, 5), uniform(4)
    X, W, B = (te.placeholder(a.shape, name=n) for n, a in (("X", x), ("W", w), ("B", b)))
    variance = x.var(-1, keepdims=True)
    rows: list[tuple[Any, Any]] = [
        (ops.dense(X, W, B), x @ w.T + b),
        (ops.relu(X), np.maximum(x, 0)),
        (ops.silu(X), x / (1 + np.exp(-x))),
        (ops.gelu(X), x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2),
        (ops.rsqrt(ops.exp(X)), np.exp(-x / 2)),
        (ops.sum(X, axis=-1), x.sum(-1)),
        (ops.mean(X), x.mean()),
        (ops.mean(X, 0, keep=True), x.mean(0, keepdims=True)),
        (ops.argmax(X), x.argmax(-1)),
        (ops.argmin(X, 0), x.argmin(0)),
        (ops.greater(X, 0.0), x > 0),
        (ops.greater_equal(X, X), x >= x),
        (ops.not_equal(X, 0.5), x != 0.5),
        (ops.flatten(ops.reshape(X, [3, 5, 1])), x),
        (ops.layer_norm(X), (x - x.mean(-1, keepdims=True)) / np.sqrt(variance + 1e-5)),
        (ops.rms_norm(X, uniform_scale := te.constant(np.full(5, 2, np.float32))),
         2 * x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)),
        (ops.add(1.5, ops.mul(X, np.float32(2) * np.ones(5, np.float32))), 1.5 + 2 * x),
        (ops.softmax(X, axis=-1), softmax(x)),
    ]  # fmt: skip
    assert uniform_scale.shape == (5,)
    results = tilewright.build([X, W, B, *(t for t, _ in rows)])(x, w, b)
    for (tensor, expected), got in zip(rows, results, strict=True):
        np.testing.assert_allclose(got, expected, atol=2e-6, err_msg=tensor.name)


def test_composed_operators_of_images_and_heads() -> None:
    x, w = uniform(1, 2, 6, 6), uniform(3, 2, 3, 3)
    q, k, v = uniform(1, 2, 4, 8), uniform(1, 2, 5, 8), uniform(1, 2, 5, 3)
    mask = np.where(RNG.uniform(size=(4, 5)) < 0.3, -1e9, 0).astype(np.float32)
    named = (("x", x), ("w", w), ("q", q), ("k", k), ("v", v), ("mask", mask))
    X, W, Q, K, V, M = (te.placeholder(a.shape, name=n) for n, a in named)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    halves = x.reshape(1, 2, 3, 2, 3, 2)
    rows: list[tuple[Any, Any]] = [
        (ops.conv2d(X, W, padding=1), np.einsum("ncijkl,ockl->noij", windows, w)),
        (ops.conv2d(X, W, padding=1, strides=2),
         np.einsum("ncijkl,ockl->noij", windows[:, :, ::2, ::2], w)),
        (ops.max_pool2d(X, 2), halves.max((3, 5))),
        (ops.avg_pool2d(X, 2), halves.mean((3, 5))),
        (ops.attention(Q, K, V, M), softmax(q @ k.swapaxes(-1, -2) / np.sqrt(8) + mask) @ v),
    ]  # fmt: skip
    arguments = [X, W, Q, K, V, M, *(t for t, _ in rows)]
    for (tensor, expected), got in zip(
        rows, tilewright.build(arguments)(x, w, q, k, v, mask), strict=True
    ):
        np.testing.assert_allclose(got, expected, atol=3e-6, err_msg=tensor.name)


def test_operators_and_computes_mix() -> None:
    A = te.placeholder((4, 6), name="A")
    doubled = te.compute((4, 6), lambda i, j: A[i, j] * 2.0, name="doubled")
    S = ops.softmax(doubled, axis=1, name="S")
    T = te.compute((6, 4), lambda i, j: S[j, i] + A[j, i], name="T")
    assert (S.name, S.op.kind) == ("S", "te.compute")
    assert [t.name for t in T.op.inputs] == ["S", "A"]
    a = uniform(4, 6)
    np.testing.assert_allclose(tilewright.build(T)(a), (softmax(a * 2) + a).T, atol=1e-6)


def test_a_result_that_is_an_operand_is_a_copy() -> None:
    A = te.placeholder((3, 4), "int32", name="A")
    same = ops.reduce(A, kind="sum", axes=[])
    bits = ops.cast(A, "uint32")
    assert (bits.dtype, bits.op is A.op) == ("uint32", False)
    a = np.arange(-6, 6, dtype=np.int32).reshape(3, 4)
    got = tilewright.build([A, same, bits])(a)
    np.testing.assert_array_equal(got[0], a)
    np.testing.assert_array_equal(got[1], a.view(np.uint32))


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda x: ops.matmul(x, x), ("ops.matmul: contraction sizes differ", "transpose_rhs")),
        (lambda x: ops.softmax(x), ("ops.softmax: missing a required argument: 'axis'",)),
        (lambda x: ops.softmax(x, axis=2), ("ops.softmax:", "0..1")),
        (lambda x: ops.add(x, te.placeholder((3,), name="y")), ("shapes do not broadcast",)),
        (lambda x: ops.add(x, "y"), ("ops.add: rhs is a te tensor, an array", "got: 'y' of type")),
        (lambda x: ops.add(1, 2), ("ops.add takes te tensors", "te.constant(array)")),
        (lambda x: ops.matmul(3, x), ("ops.matmul: lhs is a te tensor", "got: 3")),
        (lambda x: ops.cast(x, "float31"), ("unknown dtype", "got: float31")),
        (lambda x: ops.and_(x, x), ("ops.and_:",)),
        (lambda x: ops.conv2d(x, x, padding=(1, 2, 3)), ("padding is one number or two",)),
    ],
)
def test_misuse_is_named(call: Any, parts: tuple[str, ...]) -> None:
    with pytest.raises(TilewrightError) as caught:
        call(te.placeholder((4, 8), name="x"))
    for part in parts:
        assert part in str(caught.value)


def test_an_unknown_operator_has_neighbours() -> None:
    with pytest.raises(AttributeError, match="did you mean matmul"):
        _ = ops.matmull
