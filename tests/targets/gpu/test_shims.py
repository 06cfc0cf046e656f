"""The CUDA C++, Metal and LLVM IR of a module: each is one valid file that computes it.

The threads of a block are fibers (tests/lowering/fibers.hpp), so no GPU takes part; Python runs
main. Without barriers, the kernels that exchange data compute something else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import LoweringError
from tilewright.support.registry import new_context
from tilewright.testing import models

from ...lowering.shims import BARRIERS, KernelModule, ShimModule
from ...ops.case import OpCase
from ...ops.cases import CASES
from ...sweeps import in_turn

RNG = np.random.default_rng(0)
NAMES = tuple(BARRIERS)
LANGUAGES = pytest.mark.parametrize("language", NAMES)
EACH_LANGUAGE = [(language,) for language in BARRIERS]


def shim_of(mod: CompiledModule, language: str, folder: Path, source: str = "") -> ShimModule:
    """Return a compiled module that the CPU runs; source: instead of its own."""
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    return ShimModule(module, language, source or mod.get_source(language), folder)


def without_barriers(mod: CompiledModule, language: str) -> str:
    source, barrier = mod.get_source(language), BARRIERS[language]
    assert barrier in source
    return source.replace(barrier, "")


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 18]> m ({text}')


MODELS = {
    "addition": parsed("float[900] a, float[900] b) => (float[900] y) { y = Add (a, b) }"),
    "product": parsed("float[50, 30] a, float[30, 41] b) => (float[50, 41] y) { y = MatMul (a, b) }"
    ),
    "softmax": models.softmax_model(shape=(8, 130)),
    "reduction": parsed(
        "float[4, 600] x) => (float[4] y) <int64[1] last = {1}>"
        "{ y = ReduceSum <keepdims = 0> (x, last) }"
    ),
    "first maximum": parsed(
        "float[3, 300] x) => (int64[3] y) { y = ArgMax <axis = 1, keepdims = 0> (x) }"
    ),
    "sort": parsed(
        "float[9, 12] x) => (float[9, 3] y, int64[9, 3] p) <int64[1] three = {3}>"
        "{ y, p = TopK (x, three) }"
    ),
    "convolution": models.conv_model(channels=4, filters=6, size=9),
    "encoder": models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8),
}  # fmt: skip
SHARING = ("product", "reduction", "first maximum")
"""Models whose kernels exchange data between the threads of a block."""


def target_of(language: str) -> str:
    return "cuda" if language == "ll" else language


def compiled(model: onnx.ModelProto, language: str) -> CompiledModule:
    target = target_of(language)
    return tilewright.compile(model, target=target, cache=False, strict_plan=True)


@pytest.mark.parametrize(("name", "language"), in_turn(MODELS, EACH_LANGUAGE))
def test_the_source_computes_what_the_interpreter_does(
    language: str, name: str, tmp_path: Path
) -> None:
    mod, inputs = compiled(MODELS[name], language), models.inputs_for(MODELS[name])
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    results = shim_of(mod, language, tmp_path)(*inputs)
    for got, want in zip(results, packed.run(module, *inputs), strict=True):
        expect_close(got, want, name)


@pytest.mark.parametrize(("name", "language"), in_turn(SHARING, EACH_LANGUAGE))
def test_the_source_without_barriers_computes_something_else(
    language: str, name: str, tmp_path: Path
) -> None:
    mod, inputs = compiled(MODELS[name], language), models.inputs_for(MODELS[name])
    (tmp_path / "whole").mkdir()
    (expected,) = shim_of(mod, language, tmp_path / "whole")(*inputs)
    (got,) = shim_of(mod, language, tmp_path, without_barriers(mod, language))(*inputs)
    assert not np.allclose(got, expected, rtol=1e-2, atol=1e-2)


OPEN = parsed(
    "float[n, k] a, float[k, m] b) => (float[n, m] y, float[n, 1] z) <int64[1] last = {1}>"
    "{ c = MatMul (a, b) y = Softmax (c) z = ReduceMean (c, last) }"
)


def check_open_sizes(run: KernelModule) -> None:
    """Check the compiled model `OPEN` for several sizes."""
    for n, k, m in ((33, 9, 35), (1, 1, 1), (5, 40, 130)):
        a, b = RNG.standard_normal((n, k), np.float32), RNG.standard_normal((k, m), np.float32)
        c = a @ b
        power = np.exp(c - c.max(1, keepdims=True))
        y, z = run(a, b)
        np.testing.assert_allclose(y, power / power.sum(1, keepdims=True), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(z, c.mean(1, keepdims=True), rtol=1e-4, atol=1e-5)


@LANGUAGES
def test_open_sizes_are_parameters(language: str, tmp_path: Path) -> None:
    check_open_sizes(shim_of(compiled(OPEN, language), language, tmp_path))


@pytest.mark.parametrize("language", ["cuda", "ll"])
def test_a_large_dimension_of_a_grid_is_launched_along_x(language: str, tmp_path: Path) -> None:
    """CUDA allows 65535 blocks along y and z."""
    n, m, k = te.var("n"), te.var("m"), te.var("k")
    a = te.placeholder((n, m, k, 2), name="A")
    b = te.compute((k, m, n, 2), lambda i, j, x, t: a[x, j, i, t] + 1.0, name="B")
    s = te.create_schedule(b, target="cuda")
    names = ("blockIdx.z", "blockIdx.y", "blockIdx.x", "threadIdx.x")
    for axis, name in zip(b.op.axis, names, strict=True):
        s[b].bind(axis, name)
    run = shim_of(tilewright.build(s, [a, b], target="cuda", cache=False), language, tmp_path)
    for shape in ((3, 65536, 1), (3, 1, 65536), (65536, 2, 1), (2, 3, 4)):
        x = RNG.standard_normal((*shape, 2), np.float32)
        np.testing.assert_array_equal(run(x)[0], x.transpose(2, 1, 0, 3) + 1)


OPERATORS = ("pool", "reduce", "gather", "scatter", "cumulative", "arg", "cast", "erf", "scan")
"""Families of cases whose first one `make test` runs in one language; `make nightly` runs all."""


def _cases() -> list[Any]:
    first = [next(c.name for c in CASES if c.name.split("_")[0] == name) for name in OPERATORS]
    by_day = {name: NAMES[n % len(NAMES)] for n, name in enumerate(first)}
    return [
        pytest.param(
            case, language, id=f"{case.name}-{language}",
            marks=[pytest.mark.nightly] * (by_day.get(case.name) != language),
        )
        for case in CASES
        for language in NAMES
    ]  # fmt: skip


@pytest.mark.parametrize(("case", "language"), _cases())
def test_the_source_of_every_operator_runs(language: str, case: OpCase, tmp_path: Path) -> None:
    (module, func), target = case.function(), target_of(language)
    arrays = case.arrays()
    expected = run_graph(func, *arrays)
    try:
        mod = tilewright.compile_module(module, target=target, cache=False, strict_plan=True)
    except LoweringError as refused:
        if language != "metal" or "got: f64" not in str(refused):
            raise
        module, _ = case.function()
        opencl = tilewright.compile_module(module, target="opencl", cache=False)
        assert "double" in opencl.get_source("opencl"), "Metal has all other types"
        return
    for got, want in zip(shim_of(mod, language, tmp_path)(*arrays), expected, strict=True):
        expect_close(got, want, case.name)
