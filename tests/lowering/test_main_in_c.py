"""Main as C99: compiled by a C compiler, linked with the kernels that LLVM compiles, and compared.

Each model is compiled twice: with LLVM's main, and with main in C, which the same entry code calls.
Results and messages of errors are equal.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest

import tilewright
from tilewright import te
from tilewright.lowering.main.c_printer import CPrinter
from tilewright.lowering.main.c_versions import emit_versions
from tilewright.runtime.errors import OutOfRangeError
from tilewright.targets.backend import EmittedText
from tilewright.targets.cpu.emit import emission, main_code, program

from ..driver.export.test_export import c_compiler

FLAGS = ("-std=c99", "-O1", "-ffreestanding", "-fPIC", "-Wall", "-Wextra", "-Werror", "-pedantic")
Feeds = Mapping[str, np.ndarray]


@contextmanager
def main_in_c(folder: Path) -> Iterator[list[str]]:
    """Let the compiler print main as C, and compile the text; yield the texts of main."""
    command, texts, objects = c_compiler(), list[str](), list[bytes]()
    assembler = emission._Assembler
    add, others = assembler.add, assembler.objects

    def add_text(self: Any, text: EmittedText) -> None:
        if not text.source.startswith("#include"):
            add(self, text)
            return
        texts.append(text.source)
        source, made = folder / "main.c", folder / "main.o"
        source.write_text(text.source)
        subprocess.run([*command, *FLAGS, "-c", "-o", made, source], check=True)
        objects.append(made.read_bytes())

    def all_objects(self: Any) -> Iterator[bytes]:
        yield from others(self)
        while objects:
            yield objects.pop(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(main_code, "LlvmPrinter", lambda *_: CPrinter())
        patch.setattr(program, "emit_versions", lambda *given: emit_versions(*given[:3]))
        patch.setattr(main_code, "kernel_symbol", lambda number: f"kernel_{number}")
        patch.setattr(assembler, "add", add_text)
        patch.setattr(assembler, "objects", all_objects)
        yield texts


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["": 21]> {text}')


def floats(values: np.ndarray) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


CNN = f"""cnn (float[1, 3, 12, 12] image) => (float[1, 4] scores)
  <float[8, 3, 3, 3] w = {{{floats(np.sin(np.arange(216)))}}},
   float[8, 4] v = {{{floats(np.cos(np.arange(32)))}}}> {{
  wide = Conv <pads = [1, 1, 1, 1]> (image, w)
  warm = Relu (wide)
  mean = GlobalAveragePool (warm)
  row = Flatten (mean)
  scores = MatMul (row, v)
}}"""
SIZES = """sizes (float[n, m] x, float[n, k] y) => (float[n, l] z, float[m, n] t) {
  z = Concat <axis = 1> (x, y, x)
  u = Transpose <perm = [1, 0]> (x)
  t = Softmax <axis = 0> (u)
}"""
BRANCH = """branch (float[4, 6] x, bool c) => (float[4, 6] y, float[4] z) <int64[1] axis = {1}> {
  y = If (c) <
    then_branch = yes () => (float[4, 6] a) { a = Exp (x) },
    else_branch = no () => (float[4, 6] b) { s = Tanh (x) b = Add (s, s) }>
  z = ReduceSum <keepdims = 0> (y, axis)
}"""
LOOP = """loop (float[4] x, int64 n) => (float[4] last, float[k, 4] parts) {
  true = Constant <value = bool {1}> ()
  limit = Constant <value = float {50.0}> ()
  last, parts = Loop (n, true, x) <body =
    one (int64 i, bool go, float[4] s) => (bool goes, float[4] next, float[4] part) {
      number = Cast <to = 1> (i)
      part = Add (s, number)
      next = Add (s, s)
      largest = ReduceMax <keepdims = 0> (next)
      goes = Less (largest, limit)
    }>
}"""
GROWING = """growing (float[1, 4] x, int64 m) => (float[p, 4] last) {
  true = Constant <value = bool {1}> ()
  last = Loop (m, true, x) <body =
    one (int64 i, bool go, float[q, 4] s) => (bool goes, float[r, 4] next) {
      goes = Identity (go)
      half = Add (s, s)
      next = Concat <axis = 0> (half, x)
    }>
}"""
INDICES = """indices (float[9, 4] table, int64[n, 3] words) => (float[n, 3, 4] rows) {
  rows = Gather <axis = 0> (table, words)
}"""
COUNTED = """counted (float[n] x) => (int64[1, k] at, float[k] kept) {
  at = NonZero (x)
  flags = Cast <to = 9> (x)
  kept = Compress <axis = 0> (x, flags)
}"""
CONCAT = f"""concat (float[n, 2] x, float[2, 3] s) => (float[n, k] y, float[2, l] z) {{
  y = Concat <axis = 1> ({", ".join(["x"] * 140)})
  z = Concat <axis = 1> ({", ".join(["s"] * 140)})
}}"""
PARTS = """parts (float[64, 300] x, float[64, 200] y) => (float[64, 300] u, float[64, 200] v) {
  u = Softmax <axis = 1> (x)
  v = Softmax <axis = 1> (y)
}"""
RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 6)).astype(np.float32)
TABLE, WORDS = RNG.random((9, 4), np.float32), np.int64([[0, 8, -3]])
ROW, SPARSE = np.float32([1, 2, 3, 0.25]), np.float32([0, 1, 0, 2, 3, 0])
IMAGE = RNG.standard_normal((1, 3, 12, 12)).astype(np.float32)
CASES: dict[str, tuple[str, Sequence[Feeds]]] = {
    "cnn": (CNN, [{"image": IMAGE}]),
    "sizes": (SIZES, [{"x": X, "y": X[:, :2]}, {"x": X[:1], "y": X[:1]}]),
    "branch": (BRANCH, [{"x": X, "c": np.array(value)} for value in (True, False)]),
    "loop": (LOOP, [{"x": ROW, "n": np.array(n)} for n in (3, 0, 9)]),
    "growing": (GROWING, [{"x": ROW[None], "m": np.array(n)} for n in (0, 3)]),
    "indices": (INDICES, [{"table": TABLE, "words": WORDS}]),
    "concat": (CONCAT, [{"x": X[:, :2], "s": X[:2, :3]}]),
    "parts": (PARTS, [{n: RNG.random((64, s), np.float32) for n, s in (("x", 300), ("y", 200))}]),
    "counted": (COUNTED, [{"x": SPARSE}, {"x": SPARSE[:1]}]),
}


def arrays(made: object) -> list[np.ndarray]:
    return [np.asarray(each) for each in (made if isinstance(made, (tuple, list)) else [made])]


def both(text: str, folder: Path, **options: Any) -> tuple[Any, Any, list[str]]:
    """Return a model with LLVM's main and with main in C, and the texts of the latter."""
    expected = tilewright.compile(parsed(text), cache=False, **options)
    with main_in_c(folder) as texts:
        return expected, tilewright.compile(parsed(text), cache=False, **options), texts


def assert_equal(found: Any, expected: Any, feeds: Feeds) -> None:
    want, got = arrays(expected(*feeds.values())), arrays(found(*feeds.values()))
    assert len(got) == len(want)
    for x, y in zip(got, want, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_main_in_c_gives_the_same_results(name: str, tmp_path: Path) -> None:
    text, feeds = CASES[name]
    expected, found, texts = both(text, tmp_path)
    assert len(texts) == 1
    for each in feeds:
        assert_equal(found, expected, each)


@pytest.mark.parametrize("text", [SIZES, COUNTED], ids=["given", "computed"])
def test_a_version_for_some_sizes_runs(text: str, tmp_path: Path) -> None:
    expected, found, texts = both(text, tmp_path, specialize={"n": [4]})
    assert len(texts) == 3
    for count in (4, 5):
        feeds = {"x": SPARSE[:count]} if text is COUNTED else {"x": X.T[:count], "y": X.T[:count]}
        assert_equal(found, expected, {name: each.copy() for name, each in feeds.items()})


def test_rows_are_appended_to_a_state(tmp_path: Path) -> None:
    text = """state (float[2, past, 3] k, float[2, 1, 3] x)
      => (float[2, all, 3] next, float[2, 3] y) <int64[1] axis = {1}> {
      next = Concat <axis = 1> (k, x)
      y = ReduceSum <keepdims = 0> (next, axis)
    }"""
    options = {"state": {"k": "next"}, "capacity": {"past": 4}}
    expected, found, texts = both(text, tmp_path, **options)
    assert "? 0 :" in texts[0]
    sessions = expected.session(), found.session()
    for step in range(3):
        x = np.full((2, 1, 3), step, np.float32)
        want, got = (np.asarray(session(x)) for session in sessions)
        np.testing.assert_array_equal(got, want)


def test_a_profile_has_a_step_for_each_part(tmp_path: Path) -> None:
    with main_in_c(tmp_path) as texts:
        module = tilewright.compile(parsed(PARTS), cache=False)
        made = module.profile(*CASES["parts"][1][0].values(), rounds=1)
    assert "__tw_trace_sections" in texts[-1]
    expected = [(kernel.name, kernel.flops) for kernel in module.kernels]
    assert [(step.kernel, step.flops) for step in made.steps] == expected


def test_errors_of_main_in_c_are_the_same(tmp_path: Path) -> None:
    expected, found, _ = both(INDICES, tmp_path)
    messages = []
    for module in (expected, found):
        with pytest.raises(OutOfRangeError, match="index is out of range") as caught:
            module(TABLE, np.int64([[0, 1, 2], [3, 9, 4]]))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_functions_of_the_process_get_the_same_arguments(tmp_path: Path) -> None:
    calls: list[list[object]] = []

    def seen(x: Any, y: Any, *others: object) -> None:
        calls.append([np.asarray(x).tolist(), *others])
        np.asarray(y)[...] = np.asarray(x) * 2

    tilewright.register_func("test.main_in_c", seen, override=True)

    def compiled() -> Any:
        x = te.placeholder((3,), "float32", "x")
        moved = te.compute((3,), lambda i: x[i] + 1.0, "moved")
        packed = te.extern(
            (3,),
            [moved],
            lambda ins, outs: te.call_packed(
                "test.main_in_c", ins[0], outs[0], 2.5, -7, True, 'a "text"'
            ),
            "y",
        )
        return tilewright.build([x, packed], cache=False)

    x = np.float32([1, 2, 3])
    expected = compiled()(x)
    with main_in_c(tmp_path) as texts:
        found = compiled()(x)
    assert len(texts) == 1
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
    assert calls[0] == calls[1]


def test_names_of_the_model_become_different_names_of_c(tmp_path: Path) -> None:
    model = parsed("names (float[4] p, float[4] q) => (float[4] int) { int = Add (p, q) }")
    for value, name in zip(model.graph.input, ("a.b", "a b"), strict=True):
        value.name = name
    model.graph.node[0].input[:] = ["a.b", "a b"]
    with main_in_c(tmp_path) as texts:
        found = tilewright.compile(model, cache=False)
    assert "enum { ARGUMENT_a_b = 0, ARGUMENT_a_b_2 = 1, ARGUMENT_int = 2 };" in texts[0]
    np.testing.assert_array_equal(np.asarray(found(ROW, ROW)), 2 * ROW)
