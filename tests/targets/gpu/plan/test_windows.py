"""Depthwise convolutions and pools whose planes are copied to shared memory."""

from __future__ import annotations

import random
import re
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
    "bands": (
        "T[1, 2, 96, 112] x, T[2, 1, 3, 3] w) => (T[1, 2, 48, 56] y)",
        "y = Conv <pads = [1, 1, 1, 1], strides = [2, 2], group = 2> (x, w)",
    ),
    "small": (
        "T[2, 12, 7, 7] x, T[12, 1, 3, 3] w) => (T[2, 12, 7, 7] y)",
        "y = Conv <pads = [1, 1, 1, 1], group = 12> (x, w)",
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


def drawn(seed: int) -> tuple[str, str, str]:
    """Draw a depthwise convolution or a pool: planes, windows, strides and borders."""
    draw = random.Random(seed)
    batch, channels = draw.choice([1, 1, 2]), draw.randint(1, 24)
    window, strides = ([draw.randint(1, 5) for _ in range(2)], [draw.randint(1, 3) for _ in "hw"])
    pads = [draw.randint(0, n // 2) for n in (*window, *window)]
    sizes = [max(n, draw.choice([7, 8, 12, 16, 25, 32, 48, 80, 96])) for n in window]
    shape = f"T[{batch}, {channels}, {sizes[0]}, {sizes[1]}] x"
    attributes = f"pads = {pads}, strides = {strides}"
    if draw.random() < 0.3:
        body = f"y = MaxPool <kernel_shape = {window}, {attributes}> (x)"
        return f"{shape}) => (T[n, c, h, w] y)", body, draw.choice(["float", "float16"])
    weights = f"T[{channels}, 1, {window[0]}, {window[1]}] w"
    body = f"y = Conv <group = {channels}, {attributes}> (x, w)"
    return f"{shape}, {weights}) => (T[n, c, h, v] y)", body, draw.choice(["float", "float16"])


@pytest.mark.parametrize("seed", [1, 3, *(pytest.param(n, marks=pytest.mark.nightly)
                                          for n in range(4, 40))])  # fmt: skip
def test_drawn_windows_are_right(seed: int) -> None:
    signature, body, dtype = drawn(seed)
    parsed = model(signature.replace("T[", f"{dtype}["), body)
    inputs = operands(parsed, dtype)
    module = import_model(parsed)
    run_pipeline(module, new_context(), Target("cuda"))
    close(packed.run(module, *inputs)[0], expected(parsed, inputs), dtype)


@pytest.mark.parametrize(("language", "dtype"), [
    ("ll", "float"), pytest.param("cuda", "float16", marks=pytest.mark.nightly),
])  # fmt: skip
def test_windows_have_the_results_of_the_cpu(language: str, dtype: str, tmp_path: Path) -> None:
    for name in CASES if NIGHTLY else ("bands", "small", "maximum"):
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


def test_a_large_plane_is_read_in_bands_of_rows() -> None:
    """A vector of the copy is entirely inside or outside of the plane."""
    signature = "float[1, 32, 112, 112] x, float[32,1,3,3] w) => (float[1,32,112,112] y)"
    mod = compiled(signature, "y = Conv <pads = [1, 1, 1, 1], group = 32> (x, w)")
    assert widths(mod) == ({16, 4}, {16})
    assert len(re.findall(r"bar(?:rier)?(?:\.cta)?\.sync", mod.get_source("ptx"))) == 1


@pytest.mark.parametrize(
    "signature",
    [
        "float[1, 2, 7, 7] x, float[2, 1, 3, 3] w) => (float[1, 2, 5, 5] y)",
        "float[n, 2, h, 32] x, float[2, 1, 3, 3] w) => (float[n, 2, k, 30] y)",
    ],
)
def test_few_results_and_dynamic_planes_have_a_thread_per_result(signature: str) -> None:
    mod = compiled(signature, "y = Conv <group = 2> (x, w)")
    assert widths(mod) == ({4}, {4})
    assert '"shared"' not in mod.get_source("packed")
