"""Named sizes of 0: one compilation serves them, with the results of onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright import ArgumentError

from ...peer import peer_results

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(41)


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape).astype(np.float32)


def node(op: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    given = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(op, given, outputs.split(), name=f"{op}_{outputs}", **attributes)


ATTENTION = (
    node("Transpose", "keys", "turned", perm=[0, 1, 3, 2]), node("MatMul", "q turned", "scores"),
    node("Add", "scores bias", "biased"), node("Softmax", "biased", "weights", axis=-1),
    node("MatMul", "weights keys", "out"),
)  # fmt: skip
LSTM_WEIGHTS = {"w": floats(1, 32, 4), "r": floats(1, 32, 8)}


@dataclass(frozen=True)
class Case:
    """A model over named sizes, and the sizes of its calls."""

    inputs: dict[str, Sequence[int | str]]
    nodes: Sequence[onnx.NodeProto]
    calls: Sequence[dict[str, int]]
    constants: dict[str, Array] = field(default_factory=dict[str, Array])
    opset: int = 18
    expected: float | None = None

    def model(self) -> onnx.ModelProto:
        """Return the model."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in self.inputs.items()
        ]
        out = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
        constants = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "g", inputs, [out], constants)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


KEYS: dict[str, Sequence[int | str]] = {
    "q": ("b", 2, "s", 8), "bias": ("s", "total"), "keys": ("b", 2, "total", 8),
}  # fmt: skip
CASES = {
    "first step of a decoder": Case(
        {"past": ("b", 2, "past", 8), "now": ("b", 2, "s", 8)}
        | {name: KEYS[name] for name in ("q", "bias")},
        (node("Concat", "past now", "keys", axis=2), *ATTENTION),
        [{"b": 1, "past": p, "s": s, "total": p + s} for p, s in ((0, 3), (2, 1), (0, 1), (9, 20))],
    ),
    "attention over no keys": Case(
        KEYS, ATTENTION, [{"b": b, "s": 3, "total": t} for b, t in ((1, 0), (2, 5), (0, 4))]
    ),
    "product": Case(
        {"x": ("b", "n", "k"), "y": ("b", "k", "m")},
        (node("MatMul", "x y", "out"),),
        [{"b": 2, "n": 3, "k": 0, "m": 4}, {"b": 0, "n": 3, "k": 5, "m": 4},
         {"b": 2, "n": 0, "k": 5, "m": 4}, {"b": 2, "n": 3, "k": 5, "m": 0},
         {"b": 2, "n": 33, "k": 5, "m": 17}],
    ),
    "layer": Case(
        {"x": ("b", "n", 16)},
        (node("MatMul", "x w", "a"), node("Relu", "a", "c"),
         node("LayerNormalization", "c scale", "out")),
        [{"b": 0, "n": 3}, {"b": 2, "n": 0}, {"b": 3, "n": 7}],
        {"w": floats(16, 24), "scale": floats(24)},
    ),
    "mean": Case(
        {"x": ("b", "n", 8)},
        (node("ReduceMean", "x", "out", axes=[1], keepdims=0),),
        [{"b": 2, "n": 0}],
        opset=13,
        expected=np.nan,  # as numpy: onnxruntime gives 0
    ),
    "largest": Case(
        {"x": ("b", "n", 8)},
        (node("ReduceMax", "x", "out", axes=[1], keepdims=0),),
        [{"b": 2, "n": 0}, {"b": 0, "n": 4}, {"b": 2, "n": 4}],
        opset=13,
    ),
    "softmax": Case(
        {"x": ("b", "n")},
        (node("Softmax", "x", "out", axis=-1),),
        [{"b": 0, "n": 5}, {"b": 3, "n": 0}, {"b": 3, "n": 19}],
    ),
    "convolution": Case(
        {"x": ("b", 4, "h", "w")},
        (node("Conv", "x f", "c", pads=[1, 1, 1, 1]), node("Relu", "c", "out")),
        [{"b": 0, "h": 5, "w": 6}, {"b": 1, "h": 7, "w": 9}],
        {"f": floats(8, 4, 3, 3)},
    ),
    "sequence": Case(
        {"x": ("t", "b", 4)},
        (node("LSTM", "x w r", "all out", hidden_size=8),),
        [{"t": 0, "b": 2}, {"t": 3, "b": 2}],
        LSTM_WEIGHTS,
    ),
    "boxes": Case(
        {"boxes": ("b", "n", 4), "scores": ("b", "c", "n")},
        (node("NonMaxSuppression", "boxes scores most overlap", "found"),
         node("Cast", "found", "out", to=TensorProto.FLOAT)),
        [{"b": 1, "n": 0, "c": 2}, {"b": 2, "n": 9, "c": 0}, {"b": 1, "n": 9, "c": 2}],
        {"most": np.array([3]), "overlap": np.array([0.5], np.float32)},
    ),
    "parts": Case(
        {"x": ("b", "n", 6)},
        (node("Slice", "x first last", "tail"), node("Concat", "x tail", "both", axis=1),
         node("Split", "both", "one out", axis=2, num_outputs=2)),
        [{"b": 2, "n": 0}, {"b": 0, "n": 4}, {"b": 2, "n": 5}],
        {"first": np.array([0, -2]), "last": np.array([9, 99])},
    ),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_one_module_serves_empty_sizes(name: str) -> None:
    case = CASES[name]
    model = case.model()
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for sizes in case.calls:
        feeds = {
            name: floats(*(sizes[n] if isinstance(n, str) else n for n in shape))
            for name, shape in case.inputs.items()
        }
        wanted = np.asarray(peer.run(None, feeds)[0])
        if case.expected is not None:
            wanted = np.full_like(wanted, case.expected)
        for threads in (1, 2):
            got = np.asarray(module.run(feeds, threads=threads)[0])
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def test_a_query_that_sees_no_key_gives_nan() -> None:
    """Sizes that may be 0 do not change the results of keys that are all masked."""
    model = CASES["attention over no keys"].model()
    module = tilewright.compile(model, cache=False)
    assert [kernel.name for kernel in module.kernels] == ["attention"]
    bias = floats(5, 40)
    bias[2], bias[3, :30] = -np.inf, -np.inf
    feeds = {"q": floats(1, 2, 5, 8), "bias": bias, "keys": floats(1, 2, 40, 8)}
    wanted = peer_results(model, feeds)[0]
    assert np.isnan(wanted[:, :, 2]).all()
    np.testing.assert_allclose(np.asarray(module.run(feeds)[0]), wanted, rtol=1e-4, atol=1e-5)


def test_a_node_that_needs_elements_says_so() -> None:
    case = Case(
        {"x": ("b", "n")},
        (node("ArgMax", "x", "at", axis=1), node("Cast", "at", "out", to=TensorProto.FLOAT)),
        [],
    )
    module = tilewright.compile(case.model(), cache=False)
    assert np.asarray(module(floats(0, 3))).shape == (0, 1)
    with pytest.raises(ArgumentError, match=r"n is in 1\.\..* \(required by ArgMax"):
        module(floats(3, 0))


def test_kernel_tables_of_gpu_programs_have_the_names_of_the_model() -> None:
    module = tilewright.compile(CASES["layer"].model(), target="cuda", cache=False)
    tasks = [kernel.tasks for kernel in module.kernels if isinstance(kernel.tasks, str)]
    assert tasks
    assert "from_0" not in str(tasks)


def test_names_are_those_of_the_model_in_signatures_and_messages() -> None:
    model = CASES["layer"].model()
    module = tilewright.compile(model, cache=False)
    assert [spec.shape for spec in module.inputs] == [("b", "n", 16)]
    assert "from_0" not in module.manifest.signature
    tasks = [kernel.tasks for kernel in module.kernels]
    assert any(isinstance(count, str) for count in tasks)
    assert "from_0" not in str(tasks)
    with pytest.raises(ArgumentError) as caught:
        module(floats(2, 3, 17))
    assert "from_0" not in str(caught.value)


def test_declared_sums_of_sizes_may_be_zero() -> None:
    """The sum comes first in the signature, and a size has the name of an input."""
    case = Case(
        {"mask": ("b", "past + s"), "past": ("b", "past"), "now": ("b", "s")},
        (node("Concat", "past now", "all", axis=1), node("Mul", "all mask", "out")),
        [],
    )
    module = tilewright.compile(case.model(), cache=False)
    mask, now = floats(2, 3), floats(2, 3)
    np.testing.assert_array_equal(module(mask, floats(2, 0), now), now * mask)


def test_an_equation_that_a_size_of_0_leaves_open_needs_elements() -> None:
    """``16 * b * n = 112 * b`` determines n only if b is not 0."""
    case = Case(
        {"x": ("b", "n", 16)},
        (node("Shape", "x", "s", start=0, end=1), node("Concat", "s rest", "to", axis=0),
         node("Reshape", "x to", "out")),
        [],
        {"rest": np.array([112])},
    )  # fmt: skip
    module = tilewright.compile(case.model(), cache=False)
    assert not module.reason
    assert np.asarray(module(floats(2, 7, 16))).shape == (2, 112)
    with pytest.raises(ArgumentError, match=r"b is in 1\.\."):
        module(floats(0, 7, 16))
