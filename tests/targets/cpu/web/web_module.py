"""Compile models to WebAssembly, and run them in node."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.codegen.webassembly import find_wasm_linker
from tilewright.testing.array_files import Array
from tilewright.testing.emulated_program import run_in_node

TARGET = "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128"
RELAXED = "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128,+relaxed-simd"
_MISSING = [
    *(["node (apt-get install nodejs)"] if shutil.which("node") is None else []),
    *(["wasm-ld (pip install tilewright[cross])"] if find_wasm_linker() is None else []),
]
needs_web = pytest.mark.skipif(bool(_MISSING), reason=f"needs {' and '.join(_MISSING)}")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_BROWSER = next(filter(None, map(shutil.which, _BROWSERS)), None)
needs_browser = pytest.mark.skipif(
    _BROWSER is None, reason=f"needs a browser: {' or '.join(_BROWSERS)}"
)


class _Quiet(SimpleHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on this machine; yield the origin of their addresses."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def browser_command(folder: Path) -> list[str]:
    """Return the command of a browser without a window, which keeps its files in a folder."""
    assert _BROWSER is not None, "the test needs a browser"
    return [_BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}"]


def in_node(
    module: tilewright.CompiledModule, inputs: Mapping[str, Array], folder: Path, *options: str
) -> Mapping[str, Array]:
    """Export a module, run it in node with these options, and return its outputs."""
    command = ["node", *options]
    return run_in_node(module, inputs, command, folder)


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
