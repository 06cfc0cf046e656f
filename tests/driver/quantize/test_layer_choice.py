"""Layers that lose too much or gain no time stay f32, and tables say so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from click.testing import CliRunner
from onnx import numpy_helper

import tilewright
from tilewright.driver.quantize.layer_choice import LayerLimits
from tilewright.tools.commands.quantization import quantize_command

from ...onnx_models import node, onnx_model


def weights(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((256, 256)).astype(np.float32) / 16


def network() -> onnx.ModelProto:
    """Return three products; the operand of the second has one value that dwarfs the others."""
    shift = np.zeros(256, np.float32)
    shift[7] = 5e4
    nodes = [
        node("MatMul", ("x", "w0"), ("t0",), "first"),
        node("Add", ("t0", "shift"), ("t1",), "shifted"),
        node("MatMul", ("t1", "w1"), ("t2",)),
        node("MatMul", ("x", "w2"), ("t3",), "first"),
        node("Add", ("t2", "t3"), ("y",), "sum"),
    ]
    last = weights(1)
    last[7] = 0
    stored = {"w0": weights(0), "shift": shift, "w1": last, "w2": weights(2)}
    return onnx_model(nodes, {"x": [64, 256]}, ("y",), weights=stored, opset=17)


def rows(seed: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(seed).standard_normal((64, 256)).astype(np.float32)}


def result(model: onnx.ModelProto, inputs: dict[str, np.ndarray], *, optimized: bool) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = (
        levels.ORT_ENABLE_ALL if optimized else levels.ORT_DISABLE_ALL
    )
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return session.run(None, inputs)[0]


@pytest.mark.slow
def test_layers_stay_f32_that_lose_too_much_or_gain_nothing(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    runs = [rows(seed) for seed in range(2)]
    limits = LayerLimits(error=0.05, gain=0.0)
    made, layers = tilewright.quantize_by_layer(network(), runs, file, limits=limits, threads=1)
    assert [layer.name for layer in layers] == ["t0", "t2", "t3"]  # names of their own
    assert [layer.kept for layer in layers] == ["", "error above 0.05", ""]
    assert layers[1].error > 0.5
    assert all(1e-3 < layers[at].error < 0.03 for at in (0, 2))
    assert all(layer.f32_us > 0 and layer.int8_us > 0 for layer in layers)
    stored = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
    assert {"w0_quantized", "w1", "w2_quantized"} <= stored.keys()
    assert onnx.load(file) == made
    # All of them gain less than a thousandfold.
    whole, layers = tilewright.quantize_by_layer(
        network(), runs, limits=LayerLimits(gain=1000), threads=1
    )
    assert {layer.kept for layer in layers} == {"error above 0.1", "gain below 1000"}
    assert not [n for n in whole.graph.node if n.op_type == "QuantizeLinear"]


def test_onnxruntime_gives_the_results_of_the_chosen_model() -> None:
    made, _ = tilewright.quantize_by_layer(
        network(), [rows(0)], limits=LayerLimits(error=0.05, gain=0.0), threads=1
    )
    onnx.shape_inference.infer_shapes(made, strict_mode=True)
    (got,) = tilewright.compile(made, threads=1).run(rows(5))
    original = network()
    original.graph.node[0].name = "other"  # onnxruntime refuses two nodes of one name
    exact = result(original, rows(5), optimized=False)
    for optimized in (False, True):
        want = result(made, rows(5), optimized=optimized)
        # Sums of integers are equal, and what follows is f32.
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=2e-5 * np.abs(want).max())
    assert np.linalg.norm(got - exact) < 0.05 * np.linalg.norm(exact)


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_writes_a_file_and_a_table(tmp_path: Path, as_json: bool) -> None:
    model, inputs, output = (tmp_path / name for name in ("m.onnx", "x.npz", "q.onnx"))
    onnx.save(network(), model)
    np.savez(inputs, **rows(0))
    options = ["--json"] if as_json else []
    limits = ["--most-error", "0.05", "--threads", "1"]
    ran = CliRunner().invoke(
        quantize_command, [str(model), str(inputs), "-o", str(output), *limits, *options]
    )
    assert ran.exit_code == 0, ran.output
    assert len(onnx.load(output).graph.initializer) > 4
    if as_json:
        assert [row["kept"] for row in json.loads(ran.output)] == ["", "error above 0.05", ""]
    else:
        assert "2 of 3 products in 8 bits" in ran.output
        assert "a product stays in f32 if its error is above 0.05" in ran.output


def test_times_decide_nothing_by_default() -> None:
    limits = LayerLimits()
    assert limits.reason(error=0.05, f32_us=1.0, int8_us=1e9) == ""
    assert limits.reason(error=0.2, f32_us=1e9, int8_us=1.0) == "error above 0.1"
    assert LayerLimits(gain=1.0).reason(0.05, 1.0, 2.0) == "gain below 1"
