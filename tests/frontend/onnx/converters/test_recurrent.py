"""RNN, GRU and LSTM as machine code, against the standard's equations in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.frontend.onnx.importer import import_model
from tilewright.support.diagnostics import ModelError, TypeMismatch, UnsupportedOp

NATIVE = str(Path(__file__).parents[1] / "native.py")
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STEPS, BATCH, SIZE, UNITS = 5, 3, 4, 6


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def leaky(x):
    return np.where(x < 0, 0.3 * x, x)


def hard(x):
    return np.clip(0.25 * x + 0.4, 0, 1)


def step(kind, x, h, c, r, bias, p, options):
    """Compute one step of the standard's equations; x does not include the recurrence bias."""
    clip, reset_after = options.get("clip"), options.get("linear_before_reset", 0)
    f, g, out = options["functions"]

    def act(function, v):
        return function(v if clip is None else np.clip(v, -clip, clip))

    if kind == "RNN":
        return act(f, x + h @ r.T + bias), c
    parts = np.split(r, GATES[kind])
    biases = np.split(bias, GATES[kind])
    xs = np.split(x, GATES[kind], axis=-1)
    if kind == "GRU":
        update, reset = (act(f, xs[n] + h @ parts[n].T + biases[n]) for n in range(2))
        if reset_after:
            inner = reset * (h @ parts[2].T + biases[2])
        else:
            inner = (reset * h) @ parts[2].T + biases[2]
        return (1 - update) * act(g, xs[2] + inner) + update * h, c
    i, o, forget, cell = (xs[n] + h @ parts[n].T + biases[n] for n in range(4))
    i = act(f, i + p[0] * c)
    forget = 1 - i if options.get("input_forget") else act(f, forget + p[2] * c)
    c = forget * c + i * act(g, cell)
    return act(f, o + p[1] * c) * act(out, c), c


def reference(kind, x, w, r, b, lengths, h0, c0, p, options):
    """Return all outputs of a layer; the weights determine the directions."""
    ys, hs, cs = [], [], []
    for d, backward in enumerate(options["directions"]):
        h, c = h0[d], c0[d]
        y = np.zeros((STEPS, BATCH, UNITS))
        bias, inner = np.split(b[d], 2)
        for t in reversed(range(STEPS)) if backward else range(STEPS):
            runs = (t < lengths)[:, None]
            peepholes = np.split(p[d], 3)
            after = step(kind, x[t] @ w[d].T + bias, h, c, r[d], inner, peepholes, options)
            h, c = (np.where(runs, new, old) for new, old in zip(after, (h, c), strict=True))
            y[t] = np.where(runs, h, 0)
        ys.append(y)
        hs.append(h)
        cs.append(c)
    return np.stack(ys, 1), np.stack(hs), np.stack(cs)


CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    # name: operator, attributes, optional inputs
    "rnn": ("RNN", {}, "b"),
    "rnn_leaky": ("RNN", {"activations": ["LeakyRelu"], "activation_alpha": [0.3]}, ""),
    "gru": ("GRU", {}, "bh"),
    "gru_after": ("GRU", {"linear_before_reset": 1, "direction": "reverse"}, "bl"),
    "gru_both": ("GRU", {"direction": "bidirectional", "layout": 1}, "blh"),
    "lstm": ("LSTM", {}, "bhc"),
    "lstm_peepholes": ("LSTM", {"direction": "bidirectional", "clip": 0.5}, "blhcp"),
    "lstm_coupled": (
        "LSTM",
        {
            "input_forget": 1,
            "layout": 1,
            "activations": ["HardSigmoid", "Tanh", "LeakyRelu"],
            "activation_alpha": [0.25, 0.3],
            "activation_beta": [0.4],
        },
        "bh",
    ),
}
FUNCTIONS = {
    "rnn_leaky": (leaky, leaky, leaky),
    "rnn": (np.tanh, np.tanh, np.tanh),
    "lstm_coupled": (hard, np.tanh, leaky),
}


@pytest.mark.parametrize("name", CASES)
def test_a_layer_is_what_the_standard_says(name, worker) -> None:
    kind, attributes, optional = CASES[name]
    directions = {"reverse": [True], "bidirectional": [False, True]}.get(
        attributes.get("direction", "forward"), [False]
    )
    rng, count = np.random.default_rng(0), len(directions)

    def normal(*shape):
        return (rng.standard_normal(shape) * 0.5).astype(np.float32)

    def given(letter, array):
        return array if letter in optional else np.zeros_like(array)

    rows = GATES[kind] * UNITS
    x, w, r = normal(STEPS, BATCH, SIZE), normal(count, rows, SIZE), normal(count, rows, UNITS)
    b = given("b", normal(count, 2 * rows))
    h0, c0 = (given(v, normal(count, BATCH, UNITS)) for v in "hc")
    p = given("p", normal(count, 3 * UNITS))
    lengths = np.array([3, STEPS, 1] if "l" in optional else [STEPS] * BATCH, np.int32)
    options = dict(attributes, directions=directions)
    options["functions"] = FUNCTIONS.get(name, (sigmoid, np.tanh, np.tanh))
    expected = reference(kind, x, w, r, b, lengths, h0, c0, p, options)
    axes = (1, 0, 2) if attributes.get("layout") else (0, 1, 2)
    inputs = {"x": x.transpose(axes), "l": lengths, "h": h0.transpose(axes), "c": c0}
    if attributes.get("layout"):
        expected = (
            expected[0].transpose(2, 0, 1, 3),
            *(state.transpose(axes) for state in expected[1:]),
        )
    names = ["x", "w", "r", *(v if v in optional else "" for v in "blhcp")]
    outputs = ["y", "y_h", "y_c"][: 3 if kind == "LSTM" else 2]
    node = helper.make_node(
        kind,
        names if kind == "LSTM" else names[:6],
        outputs,
        **{"hidden_size": UNITS, **attributes},
    )
    inputs = {n: np.ascontiguousarray(v) for n, v in inputs.items() if n in names}
    model = layer_model(node, inputs, {"w": w, "r": r, "b": b, "p": p})
    arrays = tuple(inputs.values())
    results = worker.call(f"{NATIVE}:run", model, arrays)
    for got, want in zip(results, expected, strict=False):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("lengths", [(3, 1, 2), (2, 2, 2), (0, 0, 0), (1, STEPS, 3)])
def test_constant_lengths_leave_out_the_steps_behind_the_longest(lengths, worker) -> None:
    rng = np.random.default_rng(0)
    x, w, r = (
        rng.standard_normal(shape).astype(np.float32)
        for shape in [(STEPS, BATCH, SIZE), (2, UNITS, SIZE), (2, UNITS, UNITS)]
    )
    node = helper.make_node(
        "RNN", ["x", "w", "r", "", "l"], ["y", "h"], hidden_size=UNITS, direction="bidirectional"
    )
    ends = np.array(lengths, np.int32)
    model = layer_model(node, {"x": x}, {"w": w, "r": r, "l": ends})
    zeros = np.zeros((2, BATCH, UNITS))
    options = {"directions": [False, True], "functions": (np.tanh,) * 3}
    expected = reference(
        "RNN", x, w, r, np.zeros((2, 2 * UNITS)), ends, zeros, zeros, np.zeros((2, 3)), options
    )
    for got, want in zip(worker.call(f"{NATIVE}:run", model, (x,)), expected, strict=False):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
    assert str(import_model(model)).count(f"<{max(1, *lengths)}> carry") == 2


def layer_model(node, inputs, weights) -> bytes:
    """Return a model of one layer whose weights are constants."""
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
        for n, v in inputs.items()
    ]
    outputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in node.output]
    constants = [numpy_helper.from_array(v, n) for n, v in weights.items() if n in node.input]
    graph = helper.make_graph([node], "layer", infos, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    return model.SerializeToString()


def small_model(**attributes) -> bytes:
    node = helper.make_node("RNN", ["x", "w", "r"], ["y"], hidden_size=2, **attributes)
    x, weights = np.zeros((2, 1, 2), np.float32), np.zeros((1, 2, 2), np.float32)
    return layer_model(node, {"x": x}, {"w": weights, "r": weights})


def test_what_a_layer_cannot_be_is_refused() -> None:
    with pytest.raises(UnsupportedOp, match="activation Gelu is not supported"):
        import_model(small_model(activations=["Gelu"]))
    with pytest.raises(ModelError, match="wrong number of activations"):
        import_model(small_model(activations=["Tanh", "Tanh"]))
    with pytest.raises(TypeMismatch, match="weights are not of this direction"):
        import_model(small_model(direction="bidirectional"))
    with pytest.raises(ModelError, match="unknown direction"):
        import_model(small_model(direction="sideways"))


def test_a_layer_is_one_product_and_three_kernels_per_step(worker) -> None:
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y"], hidden_size=4)
    x, w = np.zeros((3, 1, 2), np.float32), np.zeros((1, 16, 2), np.float32)
    r = np.zeros((1, 16, 4), np.float32)
    model = layer_model(node, {"x": x}, {"w": w, "r": r})
    assert len(worker.call(f"{NATIVE}:kernels", model)) == 4
