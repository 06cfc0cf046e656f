"""Models that compute sizes from elements of their inputs: one compilation for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime
import pytest
from onnx import helper

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.errors import ArgumentError

F32, I64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
Shapes = Mapping[str, tuple[int, Sequence[int | str]]]


def _model(
    nodes: Sequence[str], inputs: Shapes, outputs: Shapes, **constants: Any
) -> onnx.ModelProto:
    """Return the model of nodes that are written as ``y, z = Op(a, b) axis=0``."""
    made = [_node(text) for text in nodes]
    tables = [
        [helper.make_tensor_value_info(name, code, shape) for name, (code, shape) in each.items()]
        for each in (inputs, outputs)
    ]
    weights = [onnx.numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()]
    graph = helper.make_graph(made, "computed", *tables, weights)
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def _node(text: str) -> onnx.NodeProto:
    results, _, rest = text.partition(" = ")
    op_type, _, rest = rest.partition("(")
    names, _, given = rest.partition(")")
    attributes: dict[str, Any] = {
        key: int(n) for key, _, n in (pair.partition("=") for pair in given.split())
    }
    split = [[name.strip() for name in part.split(",")] for part in (names, results)]
    return helper.make_node(op_type, *split, **attributes)


def _compiled(model: onnx.ModelProto) -> CompiledModule:
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    return module


def _check(model: onnx.ModelProto, calls: Sequence[Mapping[str, np.ndarray]]) -> None:
    """Compare one module with onnxruntime on inputs that lead to other sizes."""
    module = _compiled(model)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for inputs in calls:
        expected = peer.run(None, dict(inputs))
        got = module.run(inputs, threads=1)
        shared = module.run(inputs, threads=2)
        for x, y, z in zip(got, expected, shared, strict=True):
            assert x.shape == np.asarray(y).shape
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-4, atol=1e-5)
            np.testing.assert_array_equal(np.asarray(z), np.asarray(x))


LENGTH = ("c = Ceil(d)", "s = ReduceSum(c) keepdims=0", f"n = Cast(s) to={I64}")
"""The length of speech: the sum of durations."""

SPEECH = _model(
    [*LENGTH, "y = Range(zero, n, one)"],
    {"d": (F32, [300])},
    {"y": (I64, ["t"])},
    zero=np.int64(0),
    one=np.int64(1),
)


def _durations(total: int, count: int = 300) -> dict[str, np.ndarray]:
    d = np.zeros(count, np.float32)
    d[:7] = total // 7
    d[7] = total % 7
    return {"d": d}


def test_one_module_computes_ranges_of_all_lengths() -> None:
    _check(SPEECH, [_durations(n) for n in (5, 1, 0, 64, -3, 1000, 5)])


def test_an_output_to_fill_needs_room() -> None:
    module = _compiled(SPEECH)
    filled, sizes = np.full(12, -1), np.zeros(1, np.int64)
    for length in (12, 7, 0):
        module.fill([_durations(length)["d"], filled, sizes])
        (y,) = module.valid_parts((filled, sizes))
        np.testing.assert_array_equal(y.numpy(), np.arange(length))
    np.testing.assert_array_equal(filled, np.arange(12))
    with pytest.raises(ArgumentError, match=r"at least v0, where v0 = 13 \(computed\)"):
        module.fill([_durations(13)["d"], filled, sizes])
    np.testing.assert_array_equal(filled, np.arange(12))


def test_memory_and_shapes_of_computed_sizes_are_errors() -> None:
    module = _compiled(SPEECH)
    with pytest.raises(ArgumentError, match="depend on the elements"):
        module.output_shapes([(300,)])
    with pytest.raises(ArgumentError, match="depends on the elements"):
        module.memory()


@pytest.mark.parametrize(
    "numbers",
    [
        (2, 11, 3),
        (2, 12, 3),
        (20, 3, -4),
        (20, 4, -4),
        (4, 20, -4),
        (-5, 5, 1),
        (0.5, 4.0, 0.25),
        (1.0, -2.0, -0.7),
    ],
)
def test_steps_of_ranges(numbers: tuple[float, float, float]) -> None:
    code, dtype = (I64, np.int64) if isinstance(numbers[0], int) else (F32, np.float32)
    model = _model(
        ["y = Range(a, b, c)"],
        {name: (code, []) for name in "abc"},
        {"y": (code, ["t"])},
    )
    _check(model, [dict(zip("abc", (np.array(n, dtype) for n in numbers), strict=True))])


def test_a_mask_of_lengths() -> None:
    """Speech models compare positions with the lengths of a batch."""
    model = _model(
        [
            "most = ReduceMax(lengths) keepdims=0",
            "r = Range(zero, most, one)",
            "columns = Unsqueeze(lengths, last)",
            "mask = Less(r, columns)",
            f"y = Cast(mask) to={F32}",
        ],
        {"lengths": (I64, ["batch"])},
        {"y": (F32, ["batch", "t"])},
        zero=np.int64(0),
        one=np.int64(1),
        last=np.array([1]),
    )
    _check(model, [{"lengths": np.array(n)} for n in ([3, 9], [70, 2, 33], [1])])


def test_a_size_that_no_output_has() -> None:
    model = _model(
        [*LENGTH, "r = Range(zero, n, one)", "m = Mul(r, r)", "y = ReduceSum(m) keepdims=0"],
        {"d": (F32, ["k"])},
        {"y": (I64, [])},
        zero=np.int64(0),
        one=np.int64(1),
    )
    _check(model, [_durations(n, k) for n, k in ((5, 9), (1000, 20), (0, 12), (1, 8))])


def test_two_sizes_of_which_one_follows_from_the_other() -> None:
    model = _model(
        [
            *LENGTH,
            "r = Range(zero, n, one)",
            "p = ReduceSum(r) keepdims=0",
            "q = Range(zero, p, one)",
            "rows = Unsqueeze(r, last)",
            "y = Mul(rows, q)",
            "e = Gather(table, r)",
        ],
        {"d": (F32, [9])},
        {"y": (I64, ["t", "u"]), "e": (F32, ["t", 4])},
        zero=np.int64(0),
        one=np.int64(1),
        last=np.array([1]),
        table=np.random.default_rng(0).standard_normal((50, 4)).astype(np.float32),
    )
    _check(model, [_durations(n, 9) for n in (5, 40, 0, 1, 2)])


POSITIONS = _model(
    [*LENGTH, "r = Range(zero, n, one)", f"f = Cast(r) to={F32}", "y = Add(x, f)"],
    {"d": (F32, [9]), "x": (F32, ["batch", "seq"])},
    {"y": (F32, ["batch", "seq"])},
    zero=np.int64(0),
    one=np.int64(1),
)


def _positions(total: int, size: int) -> dict[str, np.ndarray]:
    return {**_durations(total, 9), "x": np.ones((2, size), np.float32)}


def test_a_computed_size_that_must_not_be_zero() -> None:
    model = _model(
        [*LENGTH, "r = Range(zero, n, one)", "y = ArgMax(r) keepdims=0"],
        {"d": (F32, [9])},
        {"y": (I64, [])},
        zero=np.int64(0),
        one=np.int64(1),
    )
    _check(model, [_durations(n, 9) for n in (5, 1, 70)])
    with pytest.raises(ArgumentError, match="expected: v0 of at least 1"):
        _compiled(model).run(_durations(0, 9))


def test_a_computed_size_that_must_equal_an_input_size() -> None:
    _check(POSITIONS, [_positions(n, n) for n in (5, 70)])
    with pytest.raises(ArgumentError, match=r"-seq \+ v0 in 0\.\.0"):
        _compiled(POSITIONS).run(_positions(5, 6))


def test_versions_compute_sizes_too() -> None:
    specialized = tilewright.compile(POSITIONS, specialize={"batch": [1, 2]}, cache=False)
    assert isinstance(specialized, CompiledModule)
    plain = _compiled(POSITIONS)
    for batch, length in ((1, 5), (2, 70), (3, 4), (1, 700), (2, 1)):
        given = {**_positions(length, length), "x": np.ones((batch, length), np.float32)}
        for got, want in zip(specialized.run(given), plain.run(given), strict=True):
            np.testing.assert_array_equal(got, want)
    with pytest.raises(ArgumentError, match=r"-seq \+ v0 in 0\.\.0"):
        specialized.run({**_positions(5, 6), "x": np.ones((1, 6), np.float32)})
