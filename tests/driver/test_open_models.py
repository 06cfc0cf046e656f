"""Imported models with open sizes: one compilation, right for every batch and length."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

import tilewright
from tilewright.dialects.sizes import record_sizes
from tilewright.driver.modules import CompiledModule
from tilewright.frontend.onnx.importer import import_model
from tilewright.support.entry import entry_of
from tilewright.testing.models import encoder_model

ENCODER = encoder_model(layers=1, hidden=48, heads=3, ffn=80, batch="b", seq="s")


LENGTHS = [1, 7, 8, 15, 16, 17, 31, 63, 64, 65, 80, 127, 128, 129, 200, 320]
SIZES = [*((1, s) for s in LENGTHS), (2, 1), (3, 13), (2, 64), (5, 33)]
"""Batch and length: around the blocks of queries and keys, and their parts."""


@pytest.fixture(scope="module", params=["native", "llvm -mcpu=x86-64-v3"])
def encoder(request: pytest.FixtureRequest) -> CompiledModule:
    module = import_model(ENCODER)
    record_sizes(entry_of(module))
    return tilewright.compile_module(module, target=request.param, cache=False, strict_plan=True)


@pytest.fixture(scope="module")
def peer() -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(ENCODER.SerializeToString())


@pytest.mark.parametrize(("b", "s"), SIZES)
def test_an_open_encoder_is_right_at_all_sizes(
    encoder: CompiledModule, peer: onnxruntime.InferenceSession, b: int, s: int
) -> None:
    x = np.random.default_rng(b * s).standard_normal((b, s, 48)).astype(np.float32)
    expected = np.asarray(peer.run(None, {"hidden_states": x})[0])
    (got,) = encoder.run([x], threads=1)
    np.testing.assert_allclose(got, expected, atol=2e-5)
    (shared,) = encoder.run([x], threads=2)
    np.testing.assert_array_equal(shared, got)
