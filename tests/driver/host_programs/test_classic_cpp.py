"""Programs in C++ for the runtime of TVM: its classes, on top of the C runtime."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.passes.graph.dce import Dce
from tilewright.support.registry import new_context
from tilewright.testing.models import ffn_model

from .hosts import HOSTS, NATIVE, cpp_compiler, runtime_object, sanitizers

EXAMPLE = NATIVE.parents[1] / "examples" / "deploy" / "classic.cpp"
CLASSIC = f"-I{NATIVE / 'classic'}"
TWO = """<ir_version: 10, opset_import: ["" : 18]>
g (float[4, 8] a, float[4, 8] b) => (float[4, 8] sum, float[4, 8] product) {
    sum = Add(a, b)
    product = Mul(a, b)
}"""
DEAD = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %dead = graph.neg %x : tensor<2x3xf32>
  func.return %x : tensor<2x3xf32>
}"""


@pytest.fixture(scope="module")
def runtime() -> Path:
    return runtime_object("-fPIC")


def built(source: Path, folder: Path, runtime: Path, *options: str) -> Path:
    made = folder / source.stem
    command = [*cpp_compiler(), CLASSIC, *options, "-o", str(made), str(source), str(runtime)]
    subprocess.run([*command, "-ldl", "-lpthread"], check=True)
    return made


def test_the_program_of_the_tutorial_runs_a_model(runtime: Path, tmp_path: Path) -> None:
    mod = tilewright.compile(ffn_model(m=4, k=8, n=8))
    mod.export_library(tmp_path / "m.so")
    made = subprocess.run(
        [built(EXAMPLE, tmp_path, runtime), tmp_path / "m.so"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    x = (np.arange(32, dtype=np.float32) / 32).reshape(4, 8)
    np.testing.assert_array_equal(np.array(made.split(), np.float32), mod(x).numpy().ravel())
    assert len([line for line in EXAMPLE.read_text().splitlines() if line]) <= 20


@pytest.mark.parametrize("is_sanitized", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_its_classes_call_models_and_refuse_what_does_not_fit(
    is_sanitized: bool, runtime: Path, tmp_path: Path
) -> None:
    tilewright.compile(ffn_model(m=4, k=8, n=8)).export_library(tmp_path / "m.so")
    tilewright.compile(onnx.parser.parse_model(TWO)).export_library(tmp_path / "two.so")
    options = sanitizers() if is_sanitized else ()
    own = runtime_object(*options) if is_sanitized else runtime
    program = built(HOSTS / "classic.cpp", tmp_path, own, *options)
    done = subprocess.run(
        [program, "m.so", "two.so"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_cpp_applies_a_pass_of_python(runtime: Path, tmp_path: Path) -> None:
    library = built(HOSTS / "passes.cpp", tmp_path, runtime, "-shared", "-fPIC")
    assert tilewright.load_functions(library) == ["c.optimize"]
    optimize = tilewright.get_global_func("c.optimize")

    @tilewright.register_func("test.without_dead_ops")
    def without_dead_ops(text: str) -> str:
        context = new_context()
        module = Parser(context, text).parse_module()
        Dce().apply(context, module)
        return str(module)

    try:
        made = optimize(DEAD, "test.without_dead_ops")
        assert "graph.neg" not in made
        assert "func.return" in made
        with pytest.raises(KeyError, match=r"no pass test\.nothing"):
            optimize(DEAD, "test.nothing")
    finally:
        for name in ("c.optimize", "test.without_dead_ops"):
            tilewright.remove_global_func(name)
