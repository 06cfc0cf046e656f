"""Every stage of twenty models prints, parses back equal, runs, and keeps the results.

    TILEWRIGHT_NIGHTLY=1 pytest -n 0 -rP tests/models/test_stages.py -k results | grep '^|'

The command prints a row of the table in docs/testing.md for each model.  The text, JSON and
bytecode of each stage come back equal, with equal hashes in two processes.  Targets that this
machine lacks are interpreted.  MLIR verifies the levels of ten of the models, if iree-opt is
installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright import ir, ops, optim
from tilewright.analysis.verify import parse_back, verify_module
from tilewright.driver.decoder_states import StateOptions
from tilewright.driver.lowered import lower
from tilewright.driver.model_import import imported
from tilewright.driver.passes.stage_check import StageValidation
from tilewright.driver.request import request_for
from tilewright.driver.source import ModelSource
from tilewright.frontend.onnx.qdq import products_of, quantized, read
from tilewright.support.instruments import PassInstrument, StageInfo
from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.mutate.probes import PROBES, model_of

from ..lowering.mlir_opt import irdl_errors, needs_opt

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
FIXTURES = Path(__file__).parents[1] / "fixtures"
RANGE = (-3.0, 5.0)
"""The limits of all activations of the quantized model."""

CONTROL = """
(float[6,5] x, float[5] h) => (float[5] last, float[6,5] all, float[5] z) {
  last, all = Scan<num_scan_inputs = 1, body = step (float[5] a, float[5] e)
      => (float[5] b, float[5] c) { s = Add(a, e) b = Tanh(s) c = Mul(b, e) }>(h, x)
  total = ReduceSum<keepdims = 0>(last)
  zero = Constant<value = float {0}>()
  is_large = Greater(total, zero)
  z = If<then_branch = down () => (float[5] p) { p = Neg(last) },
         else_branch = up () => (float[5] q) { q = Exp(last) }>(is_large)
}"""
BF16 = """
(bfloat16[12,40] x, bfloat16[40,24] w0, bfloat16[24] w1) => (bfloat16[12,24] y) {
  a = MatMul(x, w0)
  b = Add(a, w1)
  y = Relu(b)
}"""


class Stages(StageValidation):
    """The checks of each stage, and of the program before the first one."""

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        super().run_before_pipeline(module, ctx)
        verify_module(module)
        parse_back(module, str(module), ctx)


class MlirStages(PassInstrument):
    """Lets MLIR verify the program before the first stage and after each stage.

    folder: a folder for files.  count: the number of verified programs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._verify(module, "import")

    def run_after_stage(self, module: ModuleOp, stage: StageInfo) -> None:
        self._verify(module, stage.name)

    def _verify(self, module: ModuleOp, stage: str) -> None:
        assert not irdl_errors(ir.for_mlir(module), self.folder), stage
        self.count += 1


class FormsOfStages(PassInstrument):
    """Reads the program back from its text, JSON and bytecode, and prints its structural hash."""

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._ctx = ctx
        self._check(module, "import")

    def run_after_stage(self, module: ModuleOp, stage: StageInfo) -> None:
        self._check(module, stage.name)

    def _check(self, module: ModuleOp, stage: str) -> None:
        printed = parse_back(module, str(module), self._ctx)
        for found in (
            ir.from_json(ir.to_json(module), self._ctx),
            ir.from_bytecode(ir.to_bytecode(module), self._ctx),
        ):
            assert ir.diff(printed, found) is None, stage
            assert printed.is_structurally_equivalent(found), stage
        print(stage, ir.structural_hash(printed))


Inputs = list[np.ndarray] | None
Instrument = Callable[[Inputs], PassInstrument]
"""Makes the instrument of a compilation for the arguments of main; None: random arguments."""
Compile = Callable[[Instrument, str], None]
"""Compiles a model for a target with an instrument."""


def lower_model(
    model: onnx.ModelProto,
    instrument: Instrument,
    target: str,
    inputs: Mapping[str, np.ndarray] | None = None,
    state: Mapping[str, str] | None = None,
) -> None:
    """Lower a model to the last level of a target.

    inputs: arrays by name; None: random ones.  state: the states of a decoder.
    """
    check = instrument(None if inputs is None else list(inputs.values()))
    with tilewright.PassContext(instruments=[check]):
        source = ModelSource(model.SerializeToString())
        request = request_for(source, target=target, cache=False, strict_plan=True)
        states = StateOptions.of(state or {}, {"past": 64} if state else {}, {}, {})
        request = states.applied(request, {})
        lower(imported(request), request.watch)


def fixture(name: str, state: Mapping[str, str] | None = None) -> Compile:
    def run(instrument: Instrument, target: str) -> None:
        model = fixture_model(FIXTURES / f"{name}.onnx")
        inputs = fixture_inputs(model)
        # The axis along which a state grows is the first one.
        rows = {each: inputs[each].transpose(2, 0, 1, 3) for each in state or {}}
        lower_model(model, instrument, target, inputs | rows, state)

    return run


def text(source: str) -> Compile:
    return lambda instrument, target: lower_model(model_of(source), instrument, target)


def int8(source: str) -> Compile:
    """Return a function that compiles a model with 8-bit products."""
    model = read(model_of(source))
    products = products_of(model)
    small = quantized(model, products, {p.activation: RANGE for p in products})
    return lambda instrument, target: lower_model(small, instrument, target)


def training(
    loss: Callable[..., Any], params: Mapping[str, np.ndarray], optimizer: Any, *batch: np.ndarray
) -> Compile:
    """Return a function that compiles a training step, and runs it once."""

    def run(instrument: Instrument, target: str) -> None:
        def step(params: Any, opt: Any, batch: Any) -> Any:
            value, gradients = tilewright.value_and_grad(partial(loss, batch=batch))(params)
            return value, *optimizer.update(params, gradients, opt)

        names = ("params", "opt")
        made = tilewright.compile_step(
            step, state=names, target=target, cache=False, strict_plan=True
        )
        with tilewright.PassContext(instruments=[instrument(None)]):
            made.session(params=params, opt=optimizer.init(params))(batch)

    return run


def seeded(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


def mlp_loss(params: Any, batch: Any) -> Any:
    x, labels = batch
    hidden = ops.tanh(x @ params["w1"] + params["b1"])
    return ops.cross_entropy(hidden @ params["w2"], labels)


def cnn_loss(params: Any, batch: Any) -> Any:
    x, wanted = batch
    features = ops.relu(
        ops.conv(x, params["w"], strides=(1, 1), pads=(1, 1, 1, 1), dilations=(1, 1))
    )
    return ((features.mean(axis=(2, 3)) - wanted) ** 2).sum()


def scan_loss(params: Any, batch: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        new = ops.tanh(x @ params["w"] + h @ params["u"])
        return new, new

    xs, start = batch
    _, hidden = tilewright.scan(cell, start, xs)
    return (hidden**2).sum()


MLP = {"w1": seeded(6, 19), "b1": seeded(19), "w2": seeded(19, 3)}
CNN = {"w": seeded(5, 3, 3, 3)}
SCAN = {"w": seeded(6, 8), "u": seeded(8, 8) / 8}
LABELS = np.array([0, 2, 1, 1, 0, 2, 2])


PAST = [f"{name}.{layer}" for layer in range(2) for name in ("key", "value")]
STATE = {f"past.{name}": f"present.{name}" for name in PAST}

MODELS: Sequence[tuple[str, str, Compile]] = [
    ("MobileNetV2, symbolic batch", "neoverse-n1", fixture("mobilenet_v2_script_symbolic")),
    ("CNN", "c", text(PROBES["cnn"])),
    ("detector with NonMaxSuppression", "x86-64-v3", fixture("detector_nms_dynamo")),
    ("BERT", "cuda", fixture("bert_dynamo")),
    ("LSTM", "webgpu", fixture("lstm_dynamo")),
    ("GRU, symbolic sizes", "x86-64-v3", fixture("gru_dynamo_symbolic")),
    ("Llama, decoder with states", "x86-64-v3", fixture("llama_decode_dynamo_symbolic", STATE)),
    ("Scan and If", "cuda", text(CONTROL)),
    ("attention, int8", "neoverse-n1", int8(PROBES["attention"])),
    ("quantized and bf16 values", "opencl", text(PROBES["bytes"])),
    ("ViT", "opencl", fixture("vit_dynamo")),
    ("Llama, prefill, symbolic sizes", "x86-64-v4", fixture("llama_prefill_dynamo_symbolic")),
    ("Llama, decoder", "rocm", fixture("llama_decode_dynamo")),
    ("CNN, int8", "skylake-avx512", int8(PROBES["cnn"])),
    ("bf16 layer", "sapphirerapids", text(BF16)),
    ("Scan and If", "x86-64-v3", text(CONTROL)),
    ("Concat, Gather, TopK", "opencl", text(PROBES["moves"])),
    ("MLP, step of Adam", "x86-64-v3",
     training(mlp_loss, MLP, optim.adam(1e-2), seeded(7, 6), LABELS)),
    ("CNN, step of SGD", "opencl",
     training(cnn_loss, CNN, optim.sgd(0.1, momentum=0.9), seeded(2, 3, 9, 7), seeded(2, 5))),
    ("RNN by scan, step of SGD", "x86-64-v3",
     training(scan_loss, SCAN, optim.sgd(0.1), seeded(4, 2, 6), seeded(2, 8))),
]  # fmt: skip
CASES = [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in MODELS]


@pytest.mark.parametrize(("name", "target", "compile_for"), CASES)
def test_all_stages_of_a_model_keep_its_results(
    name: str, target: str, compile_for: Compile
) -> None:
    start_s, checks = time.process_time(), list[Stages]()

    def checked(inputs: Inputs) -> Stages:
        checks.append(Stages(inputs))
        return checks[-1]

    compile_for(checked, target)
    time_s = time.process_time() - start_s
    rows = [row for check in checks for row in check.rows]
    assert {row.verdict for row in rows} <= {"ok", "unchanged"}, [*map(str, rows)]
    worst = max((row.error / row.bound for row in rows if row.bound), default=0.0)
    stages = len({row.stage for row in rows})
    print(f"| {name} | `{target}` | {stages} | {len(rows)} | {worst:.2f} | {time_s:.0f} |")


def print_forms(number: int) -> None:
    """Check the forms of all stages of a model, and print their hashes."""
    _, target, compile_for = MODELS[number]
    compile_for(lambda _: FormsOfStages(), target)


@pytest.mark.parametrize("number", range(len(MODELS)), ids=[f"{row[0]}-{row[1]}" for row in MODELS])
def test_all_stages_of_a_model_have_equal_forms_in_two_processes(number: int) -> None:
    code = f"from tests.models.test_stages import print_forms; print_forms({number})"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    (output,) = outputs
    print(output)
    assert len(output.splitlines()) > 6


@needs_opt
@pytest.mark.parametrize(("name", "target", "compile_for"), CASES[:10])
def test_mlir_verifies_every_stage_of_a_model(
    name: str, target: str, compile_for: Compile, tmp_path: Path
) -> None:
    check = MlirStages(tmp_path)
    compile_for(lambda _: check, target)
    print(f"{name}, {target}: {check.count} programs")
