"""Whole models: import and interpreter agree with onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.testing import models

from ...peer import peer_results

SMALL = {
    "encoder": models.encoder_model(layers=2, hidden=32, heads=4, ffn=64, seq=7),
    "ffn": models.ffn_model(m=4, k=8, n=16),
    "conv": models.conv_model(channels=4, size=9, filters=6),
    "strided_conv": models.conv_model(channels=4, size=9, filters=6, stride=2, relu=False),
    "depthwise": models.conv_model(channels=4, size=9, filters=4, groups=4),
    "softmax": models.softmax_model(shape=(2, 5, 6)),
    "layernorm": models.layernorm_model(shape=(4, 16)),
}


def outputs_of(model):
    inputs = models.inputs_for(model)
    expected = peer_results(model, inputs)
    module = import_model(model)
    module.verify()
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return run_graph(func, *inputs), expected


@pytest.mark.parametrize("name", SMALL)
def test_built_model_agrees_with_onnxruntime(name):
    got, expected = outputs_of(SMALL[name])
    for a, b in zip(got, expected, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", models.LIGHT_MODELS)
def test_light_model_imports_and_verifies(name):
    import_model(models.light_path(name)).verify()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squeezenet", "shufflenet", "resnet50"])
def test_light_model_agrees_with_onnxruntime(name):
    (got,), (expected,) = outputs_of(models.light_model(name))
    assert 1e-3 < expected.max() < 0.99
    np.testing.assert_allclose(got, expected, rtol=2e-3, atol=1e-6)


def test_light_model_is_seeded():
    first, second = (models.light_model("squeezenet") for _ in range(2))
    assert first.SerializeToString() == second.SerializeToString()
    other = models.light_model("squeezenet", seed=1)
    assert other.SerializeToString() != first.SerializeToString()


def test_encoder_keeps_symbolic_batch_and_sequence():
    model = models.encoder_model(layers=1, hidden=16, heads=2, ffn=32, seq="s", batch="b")
    func = import_model(model).body.block.first_op
    assert isinstance(func, FuncOp)
    assert "#te.dims<b, s, 16>" in str(func.function_type.outputs.data[0])
    x = np.random.default_rng(0).standard_normal((2, 5, 16), np.float32)
    (expected,) = peer_results(model, {"hidden_states": x})
    np.testing.assert_allclose(run_graph(func, x)[0], expected, rtol=1e-4, atol=1e-5)
