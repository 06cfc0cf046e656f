"""Models on WebGPU and Vulkan devices, such as lavapipe: compilation, launches, memory, errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright import ArgumentError, LoweringError, ScheduleError, nd
from tilewright.dialects import loop, packed
from tilewright.interp.compare import expect_close
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.testing import models

from ...ops.case import OpCase, interpreted
from ...ops.cases import CASES
from ...passes.simt import schedules
from ...sweeps import sampled
from ...vulkan_device import vulkan_device
from ...webgpu_device import webgpu_device, without_adapter

DEVICES = {"webgpu": webgpu_device, "vulkan": vulkan_device}
TEXTS = {"webgpu": "wgsl", "vulkan": "spvasm"}
SHARED = {
    "webgpu": ("workgroupBarrier();", "var<workgroup>"),
    "vulkan": ("OpControlBarrier", "%ptr_shared_"),
}
BLOCKS = {"webgpu": "@workgroup_size(8, 8, 1)", "vulkan": "LocalSize 8 8 1"}


@pytest.fixture(params=DEVICES)
def target(request: pytest.FixtureRequest) -> str:
    """Return the kind of a device of this machine."""
    DEVICES[request.param]()
    return request.param


def compare(target: str, model: onnx.ModelProto, *inputs: np.ndarray, **options: Any) -> None:
    """Check a model on the device against the interpreter."""
    made = tilewright.compile(model, target=target, strict_plan=True, cache=False, **options)
    reference = tilewright.compile(model, target="interpreter", cache=False, **options)
    for _ in range(2):
        for got, want in zip(made.run(inputs), reference.run(inputs), strict=True):
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4, atol=1e-5)


def compiled_or_refused(
    target: str, module: ModuleOp
) -> tuple[tilewright.CompiledModule | None, str]:
    """Return a module for a device, or the rule that it breaks in a kernel that is named."""
    try:
        made = tilewright.compile_module(module, target=target, cache=False, strict_plan=True)
    except LoweringError as err:
        return None, err.rule if err.where.startswith("@") else str(err)
    return made, ""


@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=6, each_family=False)
)
def test_every_operator_runs_on_the_device_or_is_refused(target: str, case: OpCase) -> None:
    """WGSL has no f64: the error names the kernel and the type."""
    module, arrays, expected = interpreted(case)
    made, refused = compiled_or_refused(target, module)
    if made is None:
        assert (target, refused) == ("webgpu", "WGSL has no such type")
        return
    for got, want in zip(made.run(arrays), expected, strict=True):
        expect_close(got.numpy(), want, case.name)


@pytest.mark.parametrize(
    "model",
    [
        models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=16),
        models.conv_model(channels=4, filters=6, size=9),
        models.layernorm_model(shape=(6, 33)),
        models.softmax_model(shape=(2, 3, 300)),
    ],
    ids=["encoder", "conv", "layernorm", "softmax"],
)
def test_a_model_gives_what_the_interpreter_gives(target: str, model: onnx.ModelProto) -> None:
    compare(target, model, *models.inputs_for(model))


FIRE_WEIGHTS = {
    "w0": (16, 3, 3, 3), "squeeze": (8, 16, 1, 1), "one": (16, 8, 1, 1), "three": (16, 8, 3, 3),
    "last": (10, 32, 1, 1),
}  # fmt: skip
FIRE = """
<ir_version: 9, opset_import: ["": 17]>
fire (float[1, 3, 32, 32] x) => (float[1, 10] y) {
  a = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, w0)
  b = Relu (a)
  c = MaxPool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (b)
  d = Conv (c, squeeze)
  e = Relu (d)
  f = Conv (e, one)
  g = Relu (f)
  h = Conv <pads = [1, 1, 1, 1]> (e, three)
  i = Relu (h)
  j = Concat <axis = 1> (g, i)
  k = Conv (j, last)
  l = Relu (k)
  m = GlobalAveragePool (l)
  y = Flatten (m)
}"""
"""The layers of SqueezeNet: a fire module between strided windows and global pooling."""

RESIDUAL_WEIGHTS = {
    "w0": (16, 3, 7, 7), "w1": (16, 16, 3, 3), "w2": (16, 16, 3, 3), "w3": (32, 16, 3, 3),
    "w4": (32, 32, 3, 3), "down": (32, 16, 1, 1), "s": (32,), "bias2": (32,), "m": (32,),
    "v": (32,), "w": (32, 10), "bias": (10,),
}  # fmt: skip
RESIDUAL = """
<ir_version: 9, opset_import: ["": 17]>
residual (float[2, 3, 32, 32] x) => (float[2, 10] y) {
  v2 = Mul (v, v)
  a = Conv <strides = [2, 2], pads = [3, 3, 3, 3]> (x, w0)
  c = Relu (a)
  d = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (c)
  e = Conv <pads = [1, 1, 1, 1]> (d, w1)
  f = Relu (e)
  g = Conv <pads = [1, 1, 1, 1]> (f, w2)
  h = Add (g, d)
  i = Relu (h)
  j = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (i, w3)
  k = BatchNormalization (j, s, bias2, m, v2)
  l = Relu (k)
  n = Conv <pads = [1, 1, 1, 1]> (l, w4)
  o = Conv <strides = [2, 2]> (i, down)
  p = Add (n, o)
  q = Relu (p)
  r = GlobalAveragePool (q)
  t = Flatten (r)
  y = Gemm (t, w, bias)
}"""
"""The layers of ResNet-18: two blocks, the second one with a projection."""

INVERTED_WEIGHTS = {
    "w0": (8, 3, 3, 3), "expand": (48, 8, 1, 1), "depth": (48, 1, 3, 3), "project": (8, 48, 1, 1),
    "w": (8, 10),
}  # fmt: skip
INVERTED = """
<ir_version: 9, opset_import: ["": 17]>
inverted (float[1, 3, 28, 28] x) => (float[1, 10] y) {
  low = Constant <value_float = 0.0> ()
  high = Constant <value_float = 6.0> ()
  a = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, w0)
  b = Clip (a, low, high)
  c = Conv (b, expand)
  d = Clip (c, low, high)
  e = Conv <group = 48, pads = [1, 1, 1, 1]> (d, depth)
  f = Clip (e, low, high)
  g = Conv (f, project)
  h = Add (g, b)
  i = GlobalAveragePool (h)
  j = Flatten (i)
  k = MatMul (j, w)
  y = Softmax (k)
}"""
"""The layers of MobileNetV2: an inverted residual with a depthwise convolution."""


@pytest.mark.parametrize(
    ("text", "weights"),
    [(FIRE, FIRE_WEIGHTS), (RESIDUAL, RESIDUAL_WEIGHTS), (INVERTED, INVERTED_WEIGHTS)],
    ids=["fire", "residual", "inverted"],
)
def test_a_small_network_gives_what_the_interpreter_gives(
    target: str, text: str, weights: dict[str, tuple[int, ...]]
) -> None:
    model = models.with_weights(text, **weights)
    compare(target, model, *models.inputs_for(model))


@pytest.mark.parametrize("sizes", [(64, 96, 32), (50, 70, 40)], ids=["even", "ragged"])
def test_products_share_tiles(target: str, sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    model = models.ffn_model(m=m, k=k, n=n)
    made = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    source = made.get_source(TEXTS[target])
    assert all(text in source for text in SHARED[target])
    compare(target, model, *models.inputs_for(model))


@pytest.mark.parametrize(
    ("options", "barriers"),
    [({}, 2), ({"decompose": False}, 3), ({"transpose": True}, 2), ({"double": True}, 1)],
    ids=["plain", "whole", "transpose", "double"],
)
def test_schedules_share_tiles(target: str, options: dict[str, bool], barriers: int) -> None:
    a = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    b = np.random.default_rng(1).standard_normal((32, 96)).astype(np.float32)
    s, tensors = schedules.matmul(64, 96, 32, **options)
    made = tilewright.build(s, tensors, target)
    out = np.full((64, 96), np.nan, np.float32)
    made(a, b, out)
    np.testing.assert_allclose(out, a @ b, rtol=1e-4, atol=1e-5)
    source = made.get_source(TEXTS[target])
    assert source.count(SHARED[target][0]) == barriers
    assert BLOCKS[target] in source


def test_an_encoder_of_open_batch_and_length_is_compiled_once(target: str) -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq="seq", batch="batch")
    mod = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    native = tilewright.compile(model, cache=False)
    for batch, seq in ((1, 1), (3, 5), (1, 70)):
        x = np.random.default_rng(seq).standard_normal((batch, seq, 32)).astype(np.float32)
        np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-4, atol=1e-5)
    assert not mod.reason


def test_arrays_of_the_device_stay_there(target: str) -> None:
    there = DEVICES[target]()
    mod = tilewright.compile(models.ffn_model(m=4, k=8, n=20), target=target, cache=False)
    x = np.random.default_rng(0).random((4, 8), np.float32)
    y = mod(nd.array(x, there))
    assert y.device == there
    np.testing.assert_array_equal(y.numpy(), mod(x).numpy())


def test_a_stored_program_is_loaded(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    x = np.ones((4, 8), np.float32)
    model = models.ffn_model(m=4, k=8, n=20)
    first, again = (tilewright.compile(model, target=target) for _ in range(2))
    assert list(again.times) == ["look-up", "load"]
    np.testing.assert_array_equal(first(x).numpy(), again(x).numpy())


def test_times_of_kernels_are_recorded(target: str) -> None:
    mod = tilewright.compile(models.ffn_model(m=4, k=8, n=20), target=target, cache=False)
    profile = mod.profile(np.ones((4, 8), np.float32), rounds=2)
    assert {step.kernel for step in profile.steps} >= {kernel.name for kernel in mod.kernels}
    assert all(step.time_s > 0 for step in profile.steps)


def test_the_limits_of_a_kind_are_checked() -> None:
    s, tensors = schedules.matmul(64, 96, 32)
    with pytest.raises(ScheduleError, match=r"too many threads(?s:.*)at most 32"):
        tilewright.build(s, tensors, "webgpu -max-threads=32")
    s, tensors = schedules.matmul(64, 96, 32)
    with pytest.raises(ScheduleError, match=r"too many threads(?s:.*)at most 32"):
        tilewright.build(s, tensors, "vulkan -max_threads_per_block=32")
    s, tensors = schedules.softmax(8, 512, 512)
    with pytest.raises(ScheduleError, match=r"too many threads(?s:.*)at most 256"):
        tilewright.build(s, tensors, "webgpu")


# -- without a device ----------------------------------------------------------------------------


_no_adapter = pytest.fixture(without_adapter)


@pytest.mark.usefixtures("_no_adapter")
def test_compiling_needs_no_device_and_calling_says_what_is_missing() -> None:
    mod = tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="webgpu", cache=False)
    assert mod.get_source("wgsl").count("@compute") == len(mod.kernels)
    assert "tw.launch" in mod.get_source("simt")
    with pytest.raises(ArgumentError, match=r"webgpu:0 does not exist here(?s:.*)hint: "):
        mod(np.ones((2, 3), np.float32))


SERIAL = """
te.kernel @k(%x: tensor<8x{rows}x7xi32>) -> tensor<8xi32> {{
  %copy = te.compute @copy [i: 8, a: {rows}, b: 7]
      ins(%x[i, a, b] : tensor<8x{rows}x7xi32>)
      outs([i, a, b] : tensor<8x{rows}x7xi32>) body(%0: i32) {{ te.yield %0 : i32 }}
  %twice = te.compute @twice [a: {rows}, b: 7, i: 8, c: 2]
      ins(%copy[i, a, b] : tensor<8x{rows}x7xi32>)
      outs([a, b, i, c] : tensor<{rows}x7x8x2xi32>) body(%0: i32) {{ te.yield %0 : i32 }}
  %sum = te.compute @sum [i: 8, a: {rows} red, b: 7 red]
      ins(%twice[a, b, i, 1] : tensor<{rows}x7x8x2xi32>)
      outs([i] add 0 : i32 : tensor<8xi32>) body(%0: i32) {{ te.yield %0 : i32 }}
  te.return %sum : tensor<8xi32>
}}
func.func @main(%x: tensor<8x{rows}x7xi32>) -> tensor<8xi32> {{
  %y = packed.call @k(%x) : (tensor<8x{rows}x7xi32>) -> tensor<8xi32>
  func.return %y : tensor<8xi32>
}}
sched.script @k {{}}
"""


@pytest.mark.parametrize(("rows", "is_local"), [(2, True), (16, False)])
def test_a_single_thread_has_small_buffers_of_its_own(
    target: str, rows: int, is_local: bool
) -> None:
    """Some drivers compile an access to an element of an array of a thread to a chain of tests."""
    text = SERIAL.format(rows=rows)
    made = tilewright.compile_module(text, target=target, cache=False, strict_plan=True)
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    kernels = {kernel.sym_name.data: kernel for kernel in kernel_functions(module)}
    allocs = [op for op in module.walk() if isinstance(op, loop.AllocOp)]
    assert bool(allocs) is is_local
    for op in module.walk():
        if isinstance(op, packed.CallOp):
            types = [argument.type for argument in kernels[op.kernel_name].args]
            assert [operand.type for operand in op.operands] == types
    x = np.arange(8 * rows * 7, dtype="i4").reshape(8, rows, 7)
    np.testing.assert_array_equal(made.run([x])[0].numpy(), x.sum((1, 2)))
