"""Whole models through the pipeline: each pass keeps the graph interpreter's results."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

from tilewright.analysis.verify import check_level, verify_module
from tilewright.driver.passes.check import validate_pipeline
from tilewright.driver.passes.pipeline import make_pass
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.testing.models import encoder_model, inputs_for, light_model

pytestmark = pytest.mark.slow

AVX2 = Target("llvm -mcpu=x86-64-v3")


def small_encoder() -> onnx.ModelProto:
    return encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=16)


def test_encoder_keeps_its_results_at_every_stage() -> None:
    model = small_encoder()
    validate_pipeline(import_model(model), AVX2, inputs_for(model))


def test_squeezenet_keeps_its_results_down_to_te() -> None:
    model = light_model("squeezenet")
    inputs = [x.astype(np.float32) for x in inputs_for(model)]
    validate_pipeline(import_model(model), AVX2, inputs, to="te")


@pytest.mark.nightly
def test_bert_sized_encoder_keeps_its_results_down_to_te() -> None:
    model = encoder_model()
    validate_pipeline(import_model(model), AVX2, inputs_for(model), to="te")


@pytest.mark.parametrize(
    "build",
    [
        pytest.param(lambda: light_model("squeezenet"), id="squeezenet", marks=pytest.mark.nightly),
        pytest.param(encoder_model, id="encoder", marks=pytest.mark.nightly),
        pytest.param(small_encoder, id="small_encoder"),
    ],
)
def test_every_stage_prints_parses_back_equal_and_verifies(build: Callable) -> None:
    module, ctx = import_model(build()), new_context()
    for stage in CPU.stages:
        for name in stage.passes:
            make_pass(name, AVX2).apply(ctx, module)
        verify_module(module)
        check_level(module, stage.level, CPU.levels[stage.level])
        text = str(module)
        again = Parser(new_context(), text).parse_module()
        verify_module(again)
        assert module.is_structurally_equivalent(again), stage.name
        assert str(again) == text
