"""Texts for Metal in clang's front end of C++ for OpenCL, which checks types and address spaces.

A header declares the parts of metal_stdlib that kernels use (tests/lowering/metal_clang.hpp).
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ...lowering.shims import HERE, SHIMS
from ..cpu.machine_models import NAMES, compiled

pytestmark = pytest.mark.skipif(find_spec("ziglang") is None, reason="needs the package ziglang")
CLANG = [
    sys.executable, "-m", "ziglang", "clang", "-target", "spir64-unknown-unknown", "-x", "clcpp",
    "-cl-std=clc++2021", "-cl-no-stdinc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
    "-Wno-unknown-attributes", "-Wno-unknown-pragmas", "-Wno-unused", "-Wno-unused-parameter",
    "-include", str(HERE / "metal_clang.hpp"),
]  # fmt: skip


def refusal(text: str, folder: Path) -> str:
    """Return the errors of clang in a text; empty if it accepts the text."""
    (folder / "kernels").write_text(text.replace(SHIMS["metal"].without, ""))
    command = [*CLANG, str(folder / "kernels")]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.nightly) if n == "transformer" else n for n in NAMES],
)
def test_the_front_end_accepts_a_text(name: str, tmp_path: Path) -> None:
    assert refusal(compiled(name, "metal")[0].get_source("metal"), tmp_path) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "error"),
    [
        ("fma(", "fused(", "undeclared identifier"),
        ("thread_.y", "thread_.w", "vector component access"),
        ("*(const threadgroup float4 *)", "*(const device float4 *)", "mismatching address spaces"),
    ],
)
def test_the_front_end_refuses_a_wrong_text(
    right: str, wrong: str, error: str, tmp_path: Path
) -> None:
    text = compiled("product", "metal")[0].get_source("metal")
    assert right in text
    assert error in refusal(text.replace(right, wrong), tmp_path)
