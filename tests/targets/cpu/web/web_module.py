"""Compile models to WebAssembly, and run them in node."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.codegen.webassembly import find_wasm_linker
from tilewright.tools import emulation
from tilewright.tools.tensors import Array

TARGET = "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128"
RELAXED = "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128,+relaxed-simd"
_MISSING = [
    *(["node (apt-get install nodejs)"] if shutil.which("node") is None else []),
    *(["wasm-ld (pip install tilewright[cross])"] if find_wasm_linker() is None else []),
]
needs_web = pytest.mark.skipif(bool(_MISSING), reason=f"needs {' and '.join(_MISSING)}")


def in_node(
    module: tilewright.CompiledModule, inputs: Mapping[str, Array], folder: Path, *options: str
) -> Mapping[str, Array]:
    """Export a module, run it in node with these options, and return its outputs."""
    command = ["node", *options]
    made, _ = emulation.run_in_node(module, inputs, command, folder)
    return made


def script(text: str, folder: Path) -> str:
    """Run a text as an ES module of node in a folder; return what it prints."""
    (folder / "script.mjs").write_text(text)
    command = ["node", "script.mjs"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def random_inputs(module: tilewright.CompiledModule, seed: int = 0) -> dict[str, Array]:
    """Return random values for the inputs of a module with static sizes, by name."""
    rng = np.random.default_rng(seed)
    return {
        spec.name: rng.standard_normal(spec.sizes()).astype(spec.dtype)
        if spec.dtype.startswith("float")
        else rng.integers(0, 100, spec.sizes()).astype(spec.dtype)
        for spec in module.inputs
    }
