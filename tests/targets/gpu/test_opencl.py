"""Models on an OpenCL device, such as PoCL: compilation, launches, memory, errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import ArgumentError, ScheduleError, ops, te
from tilewright.interp.compare import expect_close
from tilewright.runtime.device.opencl_devices import OpenCLDevices
from tilewright.runtime.errors import OutOfRangeError
from tilewright.testing import models

from ...onnx_models import onnx_model
from ...opencl_device import opencl_device, without_driver
from ...ops.case import OpCase, interpreted
from ...ops.cases import CASES
from ...passes.simt import schedules
from ...sweeps import sampled

FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64


@pytest.fixture
def _gpu() -> None:
    opencl_device()


on_device = pytest.mark.usefixtures("_gpu")


def one_node(op: str, inputs: dict, outputs: dict, **attributes) -> onnx.ModelProto:
    """Return a model of one node; inputs and outputs: type and shape by name."""
    values = [
        [helper.make_tensor_value_info(name, *given) for name, given in group.items()]
        for group in (inputs, outputs)
    ]
    node = helper.make_node(op, [*inputs], [*outputs], **attributes)
    graph = helper.make_graph([node], "one", *values)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


def compare(model: onnx.ModelProto, *inputs: np.ndarray, **options) -> None:
    """Check a model on the device against the interpreter."""
    made = tilewright.compile(model, target="opencl", strict_plan=True, cache=False, **options)
    reference = tilewright.compile(model, target="interpreter", cache=False, **options)
    for _ in range(2):
        for got, want in zip(made.run(inputs), reference.run(inputs), strict=True):
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4, atol=1e-5)


@on_device
@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=12))
def test_every_operator_runs_on_the_device(case: OpCase) -> None:
    module, arrays, expected = interpreted(case)
    made = tilewright.compile_module(module, target="opencl", cache=False, strict_plan=True)
    for got, want in zip(made.run(arrays), expected, strict=True):
        expect_close(got.numpy(), want, case.name)


CAUSAL = """<ir_version: 10, opset_import: ["" : 23]>
causal (float[1,2,33,20] q, float[1,2,33,20] k, float[1,2,33,20] v) => (float[1,2,33,20] y) {
  y = Attention<is_causal = 1>(q, k, v)
}"""
"""Attention whose loop over keys has as many iterations as the block's position says."""
VARIANCE = """<ir_version: 10, opset_import: ["" : 18]>
variance (float[41,31,7,4,1] x) => (float[7,4,1] y) <int64[2] axes = {0, 1}> {
  mean = ReduceMean(x, axes)
  centered = Sub(x, mean)
  square = Mul(centered, centered)
  y = ReduceMean<keepdims = 0>(square, axes)
}"""
REPEATED = """<ir_version: 10, opset_import: ["" : 18]>
repeated (float[1,1] x) => (float[1,1] y)
<int64[4] pads = {0, 0, 0, 300}, int64[1] axes = {1}> {
  long = Pad<mode = "edge">(x, pads)
  y = ReduceL2(long, axes)
}"""


@on_device
@pytest.mark.parametrize(
    "model",
    [
        models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8),
        models.conv_model(channels=4, filters=6, size=9),
        models.layernorm_model(shape=(6, 33)),
        onnx.parser.parse_model(CAUSAL),
        onnx.parser.parse_model(VARIANCE),
        onnx.parser.parse_model(REPEATED),
    ],
    ids=["encoder", "conv", "layernorm", "causal", "variance", "repeated"],
)
def test_a_model_gives_what_the_interpreter_gives(model: onnx.ModelProto) -> None:
    compare(model, *models.inputs_for(model))


@on_device
def test_barriers_are_in_loops_of_any_number_of_iterations() -> None:
    open_model = onnx.parser.parse_model(CAUSAL.replace("33", "n"))
    made = tilewright.compile(open_model, target="opencl", strict_plan=True, cache=False)
    reference = tilewright.compile(open_model, target="interpreter", cache=False)
    for length in (1, 33, 64):
        shape = (3, 1, 2, length, 20)
        rows = np.random.default_rng(length).standard_normal(shape, np.float32)
        for got, want in zip(made.run([*rows]), reference.run([*rows]), strict=True):
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4, atol=1e-5)
    loops = re.findall(r";; \+\+\w+\) \{\n\s*(.*)\n", made.get_source("opencl"))
    assert loops == ["barrier(CLK_LOCAL_MEM_FENCE);"]


@on_device
def test_open_sizes_are_arguments_of_kernels() -> None:
    model = models.ffn_model(m="rows", k=12, n=20)
    mod = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    native = tilewright.compile(model, cache=False)
    for rows in (1, 7, 3):
        x = np.random.default_rng(rows).random((rows, 12), np.float32)
        np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-5, atol=1e-6)


@on_device
def test_an_encoder_of_open_batch_and_length_is_compiled_once() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq="seq", batch="batch")
    mod = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    native = tilewright.compile(model, cache=False)
    for batch, seq in ((1, 1), (3, 5), (1, 70)):
        x = np.random.default_rng(seq).standard_normal((batch, seq, 32)).astype(np.float32)
        np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-4, atol=1e-5)
    assert not mod.reason
    grids = re.findall(r"grid \[(.*?)\], block \[(.*?)\]", mod.get_source("simt"))
    assert all("seq" in grid and block != "1" for grid, block in grids), grids


@on_device
@pytest.mark.parametrize("seq", [5, "seq"])
def test_launches_of_aligned_buffers_copy_nothing(
    seq: int | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also not weights, and not buffers at offsets that depend on the sizes of a call."""
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=seq)
    mod = tilewright.compile(model, target="opencl", cache=False)
    copied: list[int] = []
    monkeypatch.setattr(OpenCLDevices, "copy", lambda *given: copied.append(given[-1]))
    mod(np.ones((1, 5, 32), np.float32))
    assert copied == []


DECODER = """
<ir_version: 9, opset_import: ["": 17]>
attention (float[b, 4, past, 8] before, float[b, 4, s, 8] now, float[b, 4, s, 8] q)
    => (float[b, 4, s, 8] y, float[b, 4, total, 8] keys) {
  keys = Concat <axis = 2> (before, now)
  turned = Transpose <perm = [0, 1, 3, 2]> (keys)
  scores = MatMul (q, turned)
  weights = Softmax <axis = -1> (scores)
  y = MatMul (weights, keys)
}"""


@on_device
def test_a_cached_step_is_compiled_once_for_all_lengths_of_the_cache() -> None:
    """Also without cached keys, and without rows."""
    model = onnx.parser.parse_model(DECODER)
    options: dict[str, Any] = {"shapes": {"b": range(9), "past": range(100)}, "cache": False}
    mod = tilewright.compile(model, target="opencl", strict_plan=True, **options)
    native = tilewright.compile(model, **options)
    rng = np.random.default_rng(7)
    for b, past, s in ((1, 0, 3), (2, 5, 7), (0, 3, 2), (2, 99, 1)):
        arrays = [rng.random((b, 4, n, 8), dtype=np.float32) for n in (past, s, s)]
        for got, want in zip(mod.run(arrays), native.run(arrays), strict=True):
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-5, atol=1e-6)
    assert not mod.reason


@on_device
def test_a_program_computes_sizes() -> None:
    """Each call has as many results as its data asks for, also more than the call before."""
    rows = helper.make_node("NonZero", ["x"], ["at"])
    twice = helper.make_node("Concat", ["at", "at"], ["y"], axis=1)
    model = onnx_model([rows, twice], {"x": ["rows", 3]}, opset=18)
    mod = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    for zeros in (0.5, 1.0, 0.1, 0.9):
        x = (np.random.default_rng(0).random((50, 3)) >= zeros).astype(np.float32)
        np.testing.assert_array_equal(mod(x).numpy(), np.tile(np.nonzero(x), 2))


@on_device
def test_a_result_of_a_computed_size_is_at_the_start_of_its_array() -> None:
    model = one_node("NonZero", {"x": (FLOAT, [6])}, {"y": (INT, [1, None])})
    mod = tilewright.compile(model, target="opencl", cache=False)
    x, y = np.float32([0, 3, 0, 0, 2, 1]), np.full((1, 6), -1)
    sizes = np.zeros(1, np.int64)
    mod.fill([x, y, sizes])
    np.testing.assert_array_equal(y, [[1, 4, 5, -1, -1, -1]])


@on_device
def test_loops_run_on_slices() -> None:
    """The rows of 3 x 5 floats that an LSTM slices start at no multiple of 16 bytes."""
    shapes = {
        "x": (FLOAT, [4, 3, 5]), "w": (FLOAT, [1, 28, 5]), "r": (FLOAT, [1, 28, 7]),
    }  # fmt: skip
    outputs = {"y": (FLOAT, [4, 1, 3, 7]), "h": (FLOAT, [1, 3, 7]), "c": (FLOAT, [1, 3, 7])}
    model = one_node("LSTM", shapes, outputs, hidden_size=7)
    rng = np.random.default_rng(0)
    compare(model, *(rng.standard_normal(s).astype(np.float32) for _, s in shapes.values()))


@on_device
def test_conditions_are_read_from_the_device() -> None:
    branches = [
        helper.make_graph(
            [helper.make_node(op, ["x"], [f"of_{op}"])],
            op,
            [],
            [helper.make_tensor_value_info(f"of_{op}", FLOAT, [4])],
        )
        for op in ("Exp", "Neg")
    ]
    node = helper.make_node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])
    model = onnx_model([node], {"c": (TensorProto.BOOL, []), "x": [4]}, opset=18)
    for condition in (True, False):
        compare(model, np.array(condition), np.arange(4, dtype=np.float32))


@on_device
def test_indices_are_checked_on_the_host() -> None:
    shapes = {"x": (FLOAT, [5, 2]), "at": (INT, [3])}
    mod = tilewright.compile(
        one_node("Gather", shapes, {"y": (FLOAT, [3, 2])}), target="opencl", cache=False
    )
    x, at = np.arange(10, dtype=np.float32).reshape(5, 2), np.array([4, 0, -1])
    np.testing.assert_array_equal(mod(x, at).numpy(), x[at])
    with pytest.raises(OutOfRangeError, match=r"got: 7 at \[1\] of the indices"):
        mod(x, np.array([0, 7, 1]))


@on_device
def test_a_function_of_the_process_is_called() -> None:
    def halve(x: np.ndarray, out: np.ndarray) -> None:
        np.asarray(out)[...] = np.asarray(x) / 2

    a = te.placeholder((4,), name="A")
    b = te.extern((4,), [a], lambda ins, outs: te.call_packed("test.opencl.halve", ins[0], outs[0]))
    c = te.compute((4,), lambda i: b[i] + 1, name="C")
    tilewright.register_func("test.opencl.halve", halve)
    mod = tilewright.build([a, c], target="opencl")
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(mod(x).numpy(), x / 2 + 1)
    tilewright.remove_global_func("test.opencl.halve")


@on_device
def test_a_stored_program_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    x = np.ones((4, 8), np.float32)
    model = models.ffn_model(m=4, k=8, n=20)
    first, again = (tilewright.compile(model, target="opencl") for _ in range(2))
    assert list(again.times) == ["look-up", "load"]
    np.testing.assert_array_equal(first(x).numpy(), again(x).numpy())


# -- schedules for threads -----------------------------------------------------------------------


def run_schedule(schedule: tuple[Any, list[Any]], inputs: list[np.ndarray]) -> np.ndarray:
    """Return the output of a schedule on the device."""
    s, tensors = schedule
    mod = tilewright.build(s, tensors, "opencl")
    out = np.full(tensors[-1].shape, np.nan, np.float32)
    mod(*inputs, out)
    return out


@on_device
@pytest.mark.parametrize(
    ("options", "barriers"),
    [({}, 2), ({"decompose": False}, 3), ({"transpose": True}, 2), ({"double": True}, 1),
     ({"stage": True}, 2)],
    ids=lambda value: next(iter(value), "plain") if isinstance(value, dict) else str(value),
)  # fmt: skip
def test_products_share_tiles(options: dict[str, bool], barriers: int) -> None:
    a = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    b = np.random.default_rng(1).standard_normal((32, 96)).astype(np.float32)
    schedule = schedules.matmul(64, 96, 32, **options)
    np.testing.assert_allclose(run_schedule(schedule, [a, b]), a @ b, rtol=1e-4, atol=1e-5)
    s, tensors = schedules.matmul(64, 96, 32, **options)
    source = tilewright.build(s, tensors, "opencl").get_source("opencl")
    assert source.count("barrier(") == barriers
    assert "reqd_work_group_size(8, 8, 1)" in source


@on_device
def test_rows_of_a_softmax_are_blocks() -> None:
    x = np.random.default_rng(0).standard_normal((8, 256)).astype(np.float32)
    e = np.exp(x - x.max(1, keepdims=True))
    got = run_schedule(schedules.softmax(8, 256, 32), [x])
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-5)


@on_device
def test_a_convolution_reads_around_its_image() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 12, 12)).astype(np.float32)
    w = rng.standard_normal((8, 4, 3, 3)).astype(np.float32)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    got = run_schedule(schedules.conv(4, 12, 8), [x, w])
    expected = np.einsum("chwij,fcij->fhw", windows, w)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


def test_the_limits_of_the_target_are_checked() -> None:
    s, tensors = schedules.matmul(64, 96, 32)
    with pytest.raises(ScheduleError, match=r"sched.bind(?s:.*)too many threads(?s:.*)at most 32"):
        tilewright.build(s, tensors, "opencl -max-threads=32")


# -- without a device ----------------------------------------------------------------------------


_no_driver = pytest.fixture(without_driver)


@pytest.mark.usefixtures("_no_driver")
def test_compiling_needs_no_device_and_calling_says_what_is_missing() -> None:
    mod = tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="opencl", cache=False)
    assert mod.get_source("opencl").count("__kernel") == len(mod.kernels)
    assert "tw.launch" in mod.get_source("simt")
    with pytest.raises(
        ArgumentError, match=r"opencl:0 does not exist here(?s:.*)install an OpenCL"
    ):
        mod(np.ones((2, 3), np.float32))


@on_device
def test_arguments_at_one_address_share_an_aligned_copy() -> None:
    """Data decide a size, so addresses are multiples of 64 only; one launch writes both halves."""

    def corners(mask: Any, x: Any, y: Any) -> Any:
        middle, half = x * y + 1.0, ops.exp(x) * y
        both = ops.concat([middle - half, middle + half], axis=-1)
        return ops.nonzero(mask), ops.clip(both, 0.0, 1.0), ops.argmax(both, axis=-1)

    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=(n, 6, 2)).astype(np.float32) for n in (2, 1))
    run = tilewright.function(corners, target="opencl")
    _, got, _ = run(np.array([True, False, True]), x, y)
    middle, half = x * y + 1, np.exp(x) * y
    expected = np.clip(np.concatenate([middle - half, middle + half], -1), 0, 1)
    np.testing.assert_allclose(got, expected, 1e-6, 1e-6)
