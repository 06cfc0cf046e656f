"""Compilation resumes from a printed level: with the same bytes, or with edits of the text."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.passes.pipeline import first_stage
from tilewright.support.diagnostics import ModelError, ScheduleError
from tilewright.support.registry import new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.testing.models import encoder_model, inputs_for, residual_model
from tilewright.tools.opt.main import main as tw_opt

from ..onnx_models import onnx_model

PT_LOAD, ELF_HEADER_BYTES = 1, 64
AVX2 = "llvm -mcpu=x86-64-v3"
FIRST_STAGES = {
    "graph": "optimize-graph",
    "te": "plan-kernels",
    "sched": "schedule",
    "scheduled": "schedule",
    "loop": "plan-memory",
    "packed": "plan-memory",
}


def loaded(code: bytes) -> list[bytes]:
    """Return what a library loads into memory: all but its header and the symbols for tools.

    The texts of levels do not keep the nodes of kernels, after which those symbols are named.
    """
    first, count = struct.unpack_from("<Q", code, 32)[0], struct.unpack_from("<H", code, 56)[0]
    found: list[bytes] = []
    for at in range(first, first + 56 * count, 56):
        kind, _, start, _, _, size = struct.unpack_from("<IIQQQQ", code, at)
        if kind == PT_LOAD:
            found.append(code[max(start, ELF_HEADER_BYTES) : start + size])
    return found


def small_encoder() -> onnx.ModelProto:
    return encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=16)


@pytest.mark.parametrize(
    "model", [small_encoder, pytest.param(residual_model, marks=pytest.mark.nightly)]
)
def test_every_level_of_a_model_gives_the_same_bytes(model) -> None:
    made = tilewright.compile(model(), cache=False)
    assert not made.reason
    inputs = inputs_for(model())
    expected = made.run(inputs)
    for level in CPU.levels:
        text = made.get_source(level)
        assert first_stage(Parser(new_context(), text).parse_module(), CPU) == FIRST_STAGES[level]
        again = tilewright.compile_module(text, cache=False)
        assert loaded(again.code) == loaded(made.code), level
        for got, want in zip(again.run(inputs), expected, strict=True):
            np.testing.assert_array_equal(got, want)


def scheduled(m: int = 40, n: int = 32) -> tuple[te.Schedule, Sequence[te.Tensor]]:
    """Return the scheduled exponential of a product of m x 24 and 24 x n elements."""
    a, b = te.placeholder((m, 24), name="A"), te.placeholder((24, n), name="B")
    k = te.reduce_axis((0, 24), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    d = te.compute((m, n), lambda i, j: te.exp(c[i, j]), name="D")
    s = te.create_schedule(d)
    outer, _ = s[d].split(s[d].op.axis[0], factor=7)
    s[c].compute_at(s[d], outer)
    s[d].parallel(outer)
    return s, [a, b, d]


def test_a_scheduled_expression_goes_on_with_its_steps() -> None:
    s, args = scheduled()
    made = tilewright.build(s, args, cache=False)
    text = made.get_source("te")
    assert "factor = 7" in text
    assert tilewright.compile_module(text, cache=False).code == made.code
    other = tilewright.compile_module(text.replace("factor = 7", "factor = 16"), cache=False)
    assert other.code != made.code
    rng = np.random.default_rng(0)
    a, b = rng.random((40, 24), np.float32), rng.random((24, 32), np.float32)
    np.testing.assert_allclose(other(a, b), np.exp(a @ b), rtol=1e-5)


def test_an_edited_loop_program_does_what_it_says() -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    text = made.get_source("loop")
    edited = text.replace("2.000000e+00", "3.000000e+00")
    assert edited != text
    array = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(tilewright.compile_module(edited)(array), array * 3)


def test_schedules_are_used_at_the_levels_of_kernels(tmp_path: Path) -> None:
    made = tilewright.compile(small_encoder(), target=AVX2, cache=False)
    assert not made.reason
    made.dump_schedules(tmp_path)
    for level in ("graph", "te"):
        text = made.get_source(level)
        again = tilewright.compile_module(text, target=AVX2, plan=tmp_path, cache=False)
        assert loaded(again.code) == loaded(made.code)
    plain = re.sub(r"  sched\.script .*?\n  }\n", "", made.get_source("sched"), flags=re.DOTALL)
    assert "sched." not in plain
    again = tilewright.compile_module(plain, target=AVX2, plan=tmp_path, cache=False)
    assert loaded(again.code) == loaded(made.code)
    with pytest.raises(ScheduleError, match="below the level of schedules"):
        tilewright.compile_module(made.get_source("loop"), target=AVX2, plan=tmp_path)


def test_a_main_on_buffers_says_which_are_results() -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    text = re.sub(r'tw\.result_dtypes = \["float32"\]', "other", made.get_source("loop"))
    with pytest.raises(ModelError, match="do not separate inputs and results") as caught:
        tilewright.compile_module(text)
    assert "expected: 2 names" in str(caught.value)
    assert "got: 1 and 0" in str(caught.value)


def passed_on() -> CompiledModule:
    """Return a module that bitcasts integers to unsigned: nothing is computed."""
    node = helper.make_node("BitCast", ["x"], ["y"], to=TensorProto.UINT8)
    model = onnx_model([node], {"x": (TensorProto.INT8, [4])}, opset=26)
    made = tilewright.compile(model, cache=False)
    assert not made.reason
    return made


def filled() -> CompiledModule:
    """Return a module whose only result is a constant."""
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [3])
    value = numpy_helper.from_array(np.array([1, 2, 3], np.float32))
    node = helper.make_node("Constant", [], ["y"], value=value)
    made = tilewright.compile(helper.make_model(helper.make_graph([node], "c", [], [y])))
    assert not made.reason
    return made


def called() -> CompiledModule:
    """Return a module that only calls a function of the process."""
    x = te.placeholder((4,), "int8", name="X")
    y = te.extern(x.shape, [x], lambda i, o: te.call_packed("resume.same", i[0], o[0]), name="Y")
    return tilewright.build([x, y], cache=False)


@pytest.mark.parametrize("build", [passed_on, filled, called])
def test_programs_without_kernels_go_on_from_every_level(
    build: Callable[[], CompiledModule],
) -> None:
    tilewright.register_func("resume.same", lambda x, out: np.copyto(np.asarray(out), x))
    made = build()
    inputs = [np.array([1, -2, 3, -128], np.int8) for _ in made.inputs]
    expected = made.run(inputs)
    for level in ("te", "sched", "scheduled", "loop", "packed"):
        again = tilewright.compile_module(made.get_source(level), cache=False)
        assert again.outputs == made.outputs
        for got, want in zip(again.run(inputs), expected, strict=True):
            np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
    tilewright.remove_global_func("resume.same")


DENSE = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %y = te.compute @matmul [m: 4, n: 6, k: 8 red]
      ins(%x[m, k] : tensor<4x8xf32>, %w[k, n] : tensor<8x6xf32>)
      post(%b[n] : tensor<6xf32>)
      outs([m, n] add 0.0 : f32 : tensor<4x6xf32>)
      body(%p: f32, %q: f32) {
    %pq = arith.mulf %p, %q : f32
    te.yield %pq : f32
  } then(%sum: f32, %bias: f32) {
    %s = arith.addf %sum, %bias : f32
    te.yield %s : f32
  }
  func.return %y : tensor<4x6xf32>
}
"""


DTYPES = {
    "tw.arg_dtypes": '["float32", "float32", "float32"]',
    "tw.result_dtypes": '["float32"]',
}


def test_the_types_of_a_te_program_are_its_signature() -> None:
    rng = np.random.default_rng(0)
    x, w, b = (rng.random(shape, np.float32) for shape in ((4, 8), (8, 6), (6,)))
    made = tilewright.compile_module(DENSE, cache=False)
    np.testing.assert_allclose(made(x, w, b), x @ w + b, rtol=1e-5)
    assert [spec.dtype for spec in (*made.inputs, *made.outputs)] == ["float32"] * 4
    for level in ("te", "sched", "scheduled", "loop", "packed"):
        again = tilewright.compile_module(made.get_source(level), cache=False)
        assert loaded(again.code) == loaded(made.code), level


@pytest.mark.parametrize(
    ("attributes", "rule"),
    [
        ('tw.arg_dtypes = ["float32"]', "as many dtypes as inputs"),
        ('tw.result_dtypes = ["float64"]', "recorded dtype of a result contradicts its type"),
        ('tw.arg_dtypes = ["float32", "float32", "text"]', "dtype of an input contradicts"),
        ('tw.result_names = ["y", "z"]', "as many names as results"),
    ],
)
def test_a_signature_that_contradicts_its_types_is_refused(attributes: str, rule: str) -> None:
    text = DENSE.replace(
        "-> tensor<4x6xf32> {", f"-> tensor<4x6xf32> attributes {{{attributes}}} {{"
    )
    with pytest.raises(ModelError, match=rule):
        tilewright.compile_module(text)
    buffers = tilewright.compile_module(DENSE, cache=False).get_source("loop")
    said = DTYPES | dict([attributes.split(" = ")])
    both = ", ".join(f"{key} = {names}" for key, names in said.items())
    with pytest.raises(ModelError, match=r"dtype|names"):
        tilewright.compile_module(re.sub(r"attributes \{.*\}", f"attributes {{{both}}}", buffers))


def main_of(text: str) -> str:
    """Return the lines of main in the text of a module."""
    return text[text.index("  func.func @main") : text.rindex("}")]


def test_kernels_and_main_of_other_levels_are_refused() -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    tensors, buffers = made.get_source("te"), made.get_source("loop")
    for text, other in ((tensors, buffers), (buffers, tensors)):
        mixed = text.replace(main_of(text), main_of(other))
        with pytest.raises(ModelError, match="@Y is called with wrong types"):
            tilewright.compile_module(mixed)


@pytest.mark.parametrize("level", ["te", "sched", "scheduled"])
@pytest.mark.parametrize(("old", "new"), [("%x0[i]", "%x0[i + 1]"), ("[i: 8]", "[i: 9]")])
def test_an_edited_text_is_verified(level: str, old: str, new: str) -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    text = made.get_source(level)
    assert old in text
    text = text.replace(old, new)
    with pytest.raises(VerifyException, match=r"^<text>:\d+:\d+: .*index i.* leaves") as caught:
        tilewright.compile_module(text)
    line = int(str(caught.value).split(":")[1])
    assert "te.compute @Y" in text.splitlines()[line - 1]


def test_a_call_fits_its_kernel() -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    text = made.get_source("loop")
    smaller = text.replace(main_of(text), main_of(text).replace("memref<8xf32>", "memref<4xf32>"))
    with pytest.raises(ModelError, match="@Y is called with wrong types") as caught:
        tilewright.compile_module(smaller)
    assert "got: (memref<4xf32>, memref<4xf32>) -> ()" in str(caught.value)
    with pytest.raises(ModelError, match="is not in the module") as caught:
        tilewright.compile_module(text.replace("serial @Y(", "serial @Z("))
    assert "expected: one of Y\n    got: Z" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("func.func private @main(%x: tensor<4xf32>) -> tensor<4xf32>", "main is only declared"),
        ("func.func @main(%x: f32) -> f32 {func.return %x : f32}", "must be tensors, or buffers"),
        (
            "func.func @main(%x: tensor<*xf32>) -> () {func.return}",
            "must be tensors, or buffers",
        ),
        (
            'func.func @main(%x: tensor<4xf32>) -> () attributes {tw.arg_names = ["a", "b"]}'
            "{func.return}",
            "as many names as inputs",
        ),
    ],
)
def test_a_main_that_cannot_be_called_is_refused(text: str, rule: str) -> None:
    with pytest.raises(ModelError, match=rule):
        tilewright.compile_module(text)


def test_the_tool_goes_on_from_the_level_of_its_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    s, args = scheduled(m=12, n=4)
    (tmp_path / "te.mlir").write_text(tilewright.build(s, args).get_source("te"))
    previous = "te.mlir"
    for level in ("sched", "scheduled", "loop", "packed"):
        path = tmp_path / f"{level}.mlir"
        words = [str(tmp_path / previous), "--to", level, "-o", str(path), "--validate"]
        assert tw_opt(words) == 0, capsys.readouterr().err
        previous = path.name
    assert path.read_text().strip() == tilewright.build(s, args).get_source("packed").strip()
    assert tw_opt([str(path), "--to", "te"]) == 1
    shown = capsys.readouterr().err
    assert "the program is below level te" in shown
    assert "one of loop, packed" in shown
