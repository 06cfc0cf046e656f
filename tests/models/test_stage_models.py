"""Whole models through the pipeline: each pass keeps the graph interpreter's results."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tilewright.driver.passes.check import validate_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.testing.models import encoder_model, inputs_for, light_model

pytestmark = pytest.mark.slow

AVX2 = Target("llvm -mcpu=x86-64-v3")


def small_encoder() -> onnx.ModelProto:
    return encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=16)


def test_encoder_keeps_its_results_at_every_stage() -> None:
    model = small_encoder()
    validate_pipeline(import_model(model), AVX2, inputs_for(model))


@pytest.mark.nightly
def test_squeezenet_keeps_its_results_down_to_te() -> None:
    model = light_model("squeezenet")
    inputs = [x.astype(np.float32) for x in inputs_for(model)]
    validate_pipeline(import_model(model), AVX2, inputs, to="te")


@pytest.mark.nightly
def test_bert_sized_encoder_keeps_its_results_down_to_te() -> None:
    model = encoder_model()
    validate_pipeline(import_model(model), AVX2, inputs_for(model), to="te")
