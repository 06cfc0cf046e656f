"""quantize: standard models, which onnxruntime runs, close to the model in f32."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.support.diagnostics import ModelError

from ...onnx_models import onnx_model
from ...peer import peer_results


def network() -> onnx.ModelProto:
    """Return two convolutions with a residual, and a Gemm."""
    rng = np.random.default_rng(0)

    def weights(*shape: int) -> np.ndarray:
        fan = int(np.prod(shape[1:]))
        return (rng.standard_normal(shape) / np.sqrt(fan)).astype(np.float32)

    stored = {
        "w0": weights(16, 3, 3, 3), "b0": weights(16), "w1": weights(16, 16, 3, 3),
        "w2": weights(10, 16), "b2": weights(10),
    }  # fmt: skip
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b0"], ["t0"], pads=[1] * 4, name="first"),
        helper.make_node("Relu", ["t0"], ["r0"]),
        helper.make_node("Conv", ["r0", "w1"], ["t1"], pads=[1] * 4, name="second"),
        helper.make_node("Add", ["t1", "r0"], ["a"]),
        helper.make_node("GlobalAveragePool", ["a"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("Gemm", ["f", "w2", "b2"], ["y"], transB=1, name="last"),
    ]
    model = onnx_model(nodes, {"x": ["batch", 3, 12, 12]}, weights=stored, opset=17)
    return onnx.shape_inference.infer_shapes(model)


def images(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, 3, 12, 12)).astype(np.float32)


def distance(got: np.ndarray, expected: np.ndarray) -> float:
    return float(np.linalg.norm(got - expected) / np.linalg.norm(expected))


def test_a_quantized_network_is_standard_and_close(tmp_path: Path) -> None:
    model = network()
    file = tmp_path / "quantized.onnx"
    made = tilewright.quantize(model, [{"x": images(8, n)} for n in range(3)], file, threads=1)
    onnx.checker.check_model(made, full_check=True)
    assert onnx.load(file) == made
    x = images(4, 9)
    exact = peer_results(model, [x])[0]
    assert 1e-4 < distance(peer_results(made, [x])[0], exact) < 0.03
    mod = tilewright.compile(str(file), threads=1)
    assert distance(mod(x).numpy(), exact) < 0.03
    # The products have integer weights, of which f32 copies are not left.
    types = {t.name: t.data_type for t in made.graph.initializer}
    assert types["w0_quantized"] == types["w2_quantized"] == TensorProto.INT8
    assert types["b0_quantized"] == types["b2_quantized"] == TensorProto.INT32
    assert not {"w0", "w1", "w2", "b0", "b2"} & types.keys()
    assert model == network()


def test_weights_have_a_scale_per_channel_and_activations_one() -> None:
    x = images(2, 0)
    made = tilewright.quantize(network(), [{"x": x}], threads=1)
    stored = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
    w0 = numpy_helper.to_array(network().graph.initializer[0])
    scales = np.abs(w0).max(axis=(1, 2, 3)) / np.float32(127)
    np.testing.assert_allclose(stored["w0_scale"], scales, rtol=1e-6)
    numbers = np.rint(w0 / scales[:, None, None, None])
    np.testing.assert_array_equal(stored["w0_quantized"], numbers)
    low, high = float(x.min()), float(x.max())
    np.testing.assert_allclose(stored["x_scale"], (high - low) / 255, rtol=1e-6)
    assert stored["x_zero_point"] == round(-low / ((high - low) / 255))
    np.testing.assert_array_equal(stored["b0_scale"], stored["x_scale"] * stored["w0_scale"])
    # The sum reads the activation in f32: only products read the quantized one.
    (add,) = [node for node in made.graph.node if node.op_type == "Add"]
    assert list(add.input) == ["t1", "r0"]


@pytest.mark.parametrize("method", ["percentile", "entropy"])
def test_limits_may_leave_out_rare_values(method: str) -> None:
    x = images(8, 0)
    x[0, 0, 0, 0] = 300.0
    by_extremes = tilewright.quantize(network(), [{"x": x}], threads=1)
    made = tilewright.quantize(network(), [{"x": x}], method=method, share=0.999, threads=1)
    exact = peer_results(network(), [images(4, 9)])[0]
    errors = [
        distance(peer_results(each, [images(4, 9)])[0], exact) for each in (by_extremes, made)
    ]
    assert errors[1] < 0.05
    assert errors[1] < errors[0] / 3


def test_kept_nodes_stay_f32() -> None:
    made = tilewright.quantize(network(), [{"x": images(1, 0)}], keep=["first", "y"], threads=1)
    names = {t.name for t in made.graph.initializer}
    assert {"w0", "b0", "w2", "b2"} <= names
    assert "w1" not in names
    with pytest.raises(ModelError, match="no such node"):
        tilewright.quantize(network(), [], keep=["fist"], threads=1)


def test_calibrations_without_numbers_and_old_opsets_are_refused() -> None:
    with pytest.raises(ModelError, match="no finite range"):
        tilewright.quantize(network(), [], threads=1)
    broken = images(1, 0)
    for number in (np.inf, np.nan):
        broken[0, 0, 0, 0] = number
        given = [{"x": images(1, 1)}, {"x": broken}]
        with pytest.raises(ModelError, match="no finite range"):
            tilewright.quantize(network(), given, threads=1)
    old = network()
    old.opset_import[0].version = 11
    with pytest.raises(ModelError, match="no scales per channel"):
        tilewright.quantize(old, [], threads=1)
