"""G20: depthwise convolutions and pools whose planes are copied to shared memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.support.registry import new_context

from ....sweeps import NIGHTLY
from ..test_shims import shim_of
from .test_vectors import close, compiled, expected, model, operands, widths

CASES = {
    "depthwise": (
        "T[2, 3, 24, 32] x, T[3, 1, 3, 3] w, T[3] b) => (T[2, 3, 24, 32] y)",
        "c = Conv <pads = [1, 1, 1, 1], group = 3> (x, w, b) y = Relu (c)",
    ),
    "strides": (
        "T[1, 4, 40, 48] x, T[4, 1, 3, 3] w) => (T[1, 4, 20, 24] y)",
        "y = Conv <pads = [1, 1, 1, 1], strides = [2, 2], group = 4> (x, w)",
    ),
    "one_side": (
        "T[1, 2, 25, 31] x, T[2, 1, 2, 2] w) => (T[1, 2, 25, 32] y)",
        "y = Conv <pads = [0, 1, 1, 1], group = 2> (x, w)",
    ),
    "no_border": (
        "T[1, 2, 26, 34] x, T[2, 1, 3, 3] w) => (T[1, 2, 24, 32] y)",
        "y = Conv <group = 2> (x, w)",
    ),
    "maximum": (
        "T[2, 3, 32, 32] x) => (T[2, 3, 16, 16] y)",
        "y = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (x)",
    ),
    "average": (
        "T[1, 2, 24, 24] x) => (T[1, 2, 24, 24] y)",
        "y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x)",
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", ["float", "float16"])
def test_planes_in_shared_memory_are_free_of_races(name: str, dtype: str) -> None:
    signature, body = CASES[name]
    parsed = model(signature.replace("T[", f"{dtype}["), body)
    inputs = operands(parsed, dtype)
    module = import_model(parsed)
    run_pipeline(module, new_context(), Target("cuda"))
    assert '"shared"' in str(module)
    close(packed.run(module, *inputs)[0], expected(parsed, inputs), dtype)


@pytest.mark.parametrize(("language", "dtype"), [
    ("ll", "float"), pytest.param("cuda", "float16", marks=pytest.mark.nightly),
])  # fmt: skip
def test_windows_have_the_results_of_the_cpu(language: str, dtype: str, tmp_path: Path) -> None:
    for name in CASES if NIGHTLY else ("strides", "one_side", "maximum"):
        signature, body = CASES[name]
        parsed = model(signature.replace("T[", f"{dtype}["), body)
        inputs = operands(parsed, dtype)
        mod = tilewright.compile(parsed, target="cuda", cache=False, strict_plan=True)
        folder = tmp_path / name
        folder.mkdir()
        run = shim_of(mod, language, folder)
        close(run(*inputs)[0], expected(parsed, inputs), dtype)


def test_a_plane_is_read_in_vectors() -> None:
    signature = "float16[32, 144, 56, 56] x, float16[144,1,3,3] w) => (float16[32,144,56,56] y)"
    mod = compiled(signature, "y = Conv <pads = [1, 1, 1, 1], group = 144> (x, w)")
    assert widths(mod) == ({16, 2}, {16})


@pytest.mark.parametrize(
    "signature",
    [
        "float[1, 2, 112, 112] x, float[2, 1, 3, 3] w) => (float[1, 2, 110, 110] y)",
        "float[1, 2, 7, 7] x, float[2, 1, 3, 3] w) => (float[1, 2, 5, 5] y)",
        "float[n, 2, h, 32] x, float[2, 1, 3, 3] w) => (float[n, 2, k, 30] y)",
    ],
)
def test_large_small_and_dynamic_planes_have_a_thread_per_result(signature: str) -> None:
    mod = compiled(signature, "y = Conv <group = 2> (x, w)")
    assert widths(mod) == ({4}, {4})
