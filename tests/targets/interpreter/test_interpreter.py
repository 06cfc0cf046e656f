"""The reference backend behind the interface of a compiled module."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import te
from tilewright.driver.compile import CompiledModule
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError, OutOfRangeError
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing import models


def interpreted(model, **options) -> CompiledModule:
    made = tilewright.compile(model, target="interpreter", **options)
    assert not made.reason
    return made


def one_node(op: str, inputs: dict, outputs: dict, **attributes) -> onnx.ModelProto:
    """A model of one node; inputs and outputs: type and shape by name."""
    values = [
        [helper.make_tensor_value_info(name, *given) for name, given in group.items()]
        for group in (inputs, outputs)
    ]
    node = helper.make_node(op, [*inputs], [*outputs], **attributes)
    return helper.make_model(
        helper.make_graph([node], "one", *values), opset_imports=[helper.make_opsetid("", 18)]
    )


GATHER = one_node(
    "Gather",
    {"x": (TensorProto.FLOAT, [5, 2]), "at": (TensorProto.INT64, [3])},
    {"y": (TensorProto.FLOAT, [3, 2])},
)


def test_a_model_gives_what_machine_code_gives() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    inputs = models.inputs_for(model)
    mod, native = interpreted(model, cache=False), tilewright.compile(model)
    assert (mod.inputs, mod.outputs) == (native.inputs, native.outputs)
    assert mod.manifest.target == "interpreter"
    for got, want in zip(mod.run(inputs, threads=2), native.run(inputs), strict=True):
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4, atol=1e-5)
    assert sum(kernel.flops for kernel in mod.kernels) > 0
    assert {kernel.tasks for kernel in mod.kernels} == {1}
    assert "te.kernel" in mod.get_source("scheduled")
    with pytest.raises(LookupError, match="expected: graph, te, sched, scheduled, packed"):
        mod.get_source("asm")


def test_a_stored_program_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    x = np.ones((4, 8), np.float32)
    model = models.ffn_model(m=4, k=8, n=200)
    first, again = interpreted(model), interpreted(model)
    assert list(again.times) == ["look-up", "load"]
    np.testing.assert_array_equal(first(x).numpy(), again(x).numpy())


def test_calls_check_their_arguments_and_fill_outputs() -> None:
    mod = interpreted(GATHER)
    x, at = np.arange(10, dtype=np.float32).reshape(5, 2), np.array([4, 0, -1])
    np.testing.assert_array_equal(mod(x, at).numpy(), x[at])
    for call in (mod, mod["main"]):
        out = np.empty((3, 2), np.float32)
        assert call(x, at, out) is None
        np.testing.assert_array_equal(out, x[at])
        with pytest.raises(ArgumentError, match="wrong number"):
            call(x)
    with pytest.raises(ArgumentError, match="wrong shape"):
        mod(x[:4], at)
    for wrong in (mod, mod["main"]):
        with pytest.raises(OutOfRangeError, match=r"got: 7 at \[1\] of the indices"):
            wrong(x, np.array([0, 7, 1]), np.empty((3, 2), np.float32))


def test_sizes_that_depend_on_data_and_open_sizes() -> None:
    non_zero = one_node(
        "NonZero", {"x": (TensorProto.UINT8, ["n"])}, {"y": (TensorProto.INT64, [1, None])}
    )
    mod = tilewright.compile(non_zero, target="interpreter")
    for values in ([0, 200, 3, 0], [0, 0], [255] * 5):
        x = np.array(values, np.uint8)
        np.testing.assert_array_equal(mod(x).numpy(), np.stack(np.nonzero(x)))


def test_schedules_and_functions_of_the_process() -> None:
    a, b = te.placeholder((9, 6), name="A"), te.placeholder((6, 7), name="B")
    k = te.reduce_axis((0, 6), name="k")
    c = te.compute((9, 7), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c)
    s[c].tile(*s[c].op.axis, 4, 4)
    x, y = np.random.default_rng(0).random((2, 9, 7), np.float32)
    lhs, rhs = x[:, :6].copy(), y[:6].copy()
    mod = tilewright.build(s, [a, b, c], "interpreter")
    np.testing.assert_allclose(mod(lhs, rhs).numpy(), lhs @ rhs, rtol=1e-5)
    n = te.var("n")
    rows = te.placeholder((n, 3), name="rows")
    twice = tilewright.build(te.compute((n, 3), lambda i, j: rows[i, j] * 2), target="interpreter")
    np.testing.assert_array_equal(twice(x[:5, :3].copy()).numpy(), x[:5, :3] * 2)


def test_a_function_of_the_process_is_called() -> None:
    def halve(x: np.ndarray, out: np.ndarray) -> None:
        np.asarray(out)[...] = np.asarray(x) / 2

    a = te.placeholder((4,), name="A")
    b = te.extern(
        (4,), [a], lambda ins, outs: te.call_packed("test.interpreter.halve", ins[0], outs[0])
    )
    tilewright.register_func("test.interpreter.halve", halve)
    try:
        mod = tilewright.build(b, target="interpreter")
        x = np.ones(4, np.float32)
        np.testing.assert_array_equal(mod(x).numpy(), x / 2)
    finally:
        tilewright.remove_global_func("test.interpreter.halve")


def test_a_program_of_loops_runs_as_it_is(tmp_path: Path) -> None:
    native = tilewright.compile(models.ffn_model(m=3, k=5, n=7))
    x = np.random.default_rng(1).random((3, 5), np.float32)
    text = native.get_source("packed")
    mod = tilewright.compile_module(text, target="interpreter", cache=False)
    np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-5)
    (tmp_path / "none.mlir").write_text("")
    with pytest.raises(TilewrightError, match="below the level of schedules"):
        tilewright.compile_module(text, target="interpreter", plan=tmp_path)


def test_what_is_no_program_is_refused() -> None:
    made = interpreted(GATHER, cache=False)
    with pytest.raises(LoadError):
        type(made).load_bytes(made.code)
