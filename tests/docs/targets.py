"""Run small models on every target; write what ran, for ``tw targets`` and for the docs.

    python -m tests.docs.targets        machines/tested.py; then run ``make reference``

Executed: the outputs equal those of onnxruntime or numpy. Validated: a tool of another project
accepts the code. Emitted: there is code, which nothing has checked.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np
from xdsl.parser import Parser

from tilewright.codegen.ptx import assemble, find_ptxas
from tilewright.driver.report.texts import source_at
from tilewright.machines.emulators import BOARDS, emulator_name
from tilewright.machines.target import Target
from tilewright.machines.tested import ALL_MODELS, TESTED, Tested
from tilewright.support.registry import new_context
from tilewright.tools.emulation import run_emulated

from ..lowering.shims import ShimModule
from ..targets.cpu.machine_models import NAMES, compiled, referenced
from ..targets.cpu.test_machines import MACHINES
from ..targets.cpu.web.wasmtime_engine import in_wasmtime
from .blocks import ROOT

FILE = ROOT / "machines" / "tested.py"
HERE = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "interpreter")
DEVICES = {"opencl": "PoCL", "webgpu": "wgpu-native on lavapipe", "vulkan": "lavapipe"}
SOURCES = {"c": "gcc", "hls": "g++"}
VALIDATED = ("cuda -arch=sm_72", "cuda -arch=sm_80", "cuda -arch=sm_90a")
FILES: Mapping[str, str] = {
    "llvm -mtriple=aarch64-linux-android": ".so",
    "llvm -mtriple=arm64-apple-darwin": ".dylib",
    "llvm -mtriple=x86_64-pc-windows-msvc": ".dll",
}
"""The files of targets of other systems, which llvm-readobj reads."""
EMITTED: Mapping[str, str] = {"rocm": "amdgcn"}
"""The kind of code of targets that no tool checks here."""
assert ", ".join(NAMES) == ALL_MODELS, "the rows name the models that run"
TOLERANCE = 1e-4
_INTRODUCTION = """# Tested targets

`python -m tests.docs.targets` runs small models for each target and writes the rows, which
`tw targets` shows, too. *Executed*: the outputs of the models equal those of onnxruntime; those of
the vector addition, a program of tensor expressions, equal numpy's. *Validated*: a tool of another
project accepts the code. *Emitted*: the compiler makes code, which no tool has checked here. For
other processors of these instruction sets the compiler makes the same kinds of code, with other
plans. The texts for Metal and HLS ran as C++ on a CPU, not on a GPU or a circuit.

| target | status | by | models |
|---|---|---|---|"""


def rows() -> Iterator[tuple[str, Tested]]:
    """Yield each target with what ran on it.

    Errors: AssertionError for outputs that differ.
    """
    for part in (on_this_machine, in_emulators, on_boards, on_fibers, in_files, not_run):
        yield from part()


def on_this_machine() -> Iterator[tuple[str, Tested]]:
    """Yield the targets whose modules this process calls."""
    for text in (*HERE, *DEVICES, *SOURCES):
        for name in NAMES:
            module, given, wanted = compiled(name, text)
            (got,) = (each.numpy() for each in module.run(given))
            np.testing.assert_allclose(got, wanted["y"], TOLERANCE, TOLERANCE)
        compiler = SOURCES.get(text)
        tool = versioned(compiler) if compiler else DEVICES.get(text, "this machine")
        yield text, Tested("executed", tool)


def in_emulators() -> Iterator[tuple[str, Tested]]:
    """Yield the targets whose programs QEMU or node runs, and WebAssembly in a second engine."""
    emulated = [text for text, bits in MACHINES.values() if bits in (0, _own_bits(text))]
    for text in (*emulated, "wasm32"):
        tools = [versioned(emulator_name(Target(text)))]
        for name in NAMES:
            module, given, wanted = compiled(name, text)
            assert max(run_emulated(module, given, wanted, text).errors.values()) < TOLERANCE
            if text == "wasm32":
                with tempfile.TemporaryDirectory() as folder:
                    made, _ = in_wasmtime(module, given, Path(folder))
                np.testing.assert_allclose(made["y"], wanted["y"], TOLERANCE, TOLERANCE)
        if text == "wasm32":
            tools.append(f"wasmtime {version('wasmtime')}")
        yield text, Tested("executed", ", ".join(tools))


def on_boards() -> Iterator[tuple[str, Tested]]:
    """Yield the processors of microcontrollers that QEMU emulates with a board."""
    for cpu, board in BOARDS.items():
        text = f"c -mcpu={cpu}"
        for name in NAMES:
            module, given, wanted = compiled(name, text)
            assert max(run_emulated(module, given, wanted, text).errors.values()) < TOLERANCE
        tool = f"{versioned(board.emulator)} -M {board.machine}"
        yield text, Tested("executed", tool)


def on_fibers() -> Iterator[tuple[str, Tested]]:
    """Yield Metal, whose text a C++ compiler accepts and runs, with threads as fibers."""
    for name in NAMES:
        module, given, wanted = compiled(name, "metal")
        loops = Parser(new_context(), module.get_source("packed")).parse_module()
        with tempfile.TemporaryDirectory() as folder:
            run = ShimModule(loops, "metal", module.get_source("metal"), Path(folder))
            (got,) = run(*given.values())
        np.testing.assert_allclose(got, wanted["y"], TOLERANCE, TOLERANCE)
    tool = f"{versioned('g++')} with a shim of metal_stdlib, threads as fibers"
    yield "metal", Tested("executed", tool)


def in_files() -> Iterator[tuple[str, Tested]]:
    """Yield the targets whose files LLVM's reader accepts without a warning."""
    for text, suffix in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            for name in NAMES:
                made = compiled(name, text)[0].export_library(Path(folder) / f"m{suffix}")[0]
                command = ["llvm-readobj", "--file-headers", "--symbols", "--relocations", made]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                assert not done.stderr, done.stderr
        yield text, Tested("validated", versioned("llvm-readobj"))


def not_run() -> Iterator[tuple[str, Tested]]:
    """Yield the targets whose code is checked by another tool, or not at all."""
    ptxas = find_ptxas()
    assert ptxas is not None, "needs ptxas: pip install tilewright[cuda]"
    for text in VALIDATED:
        for name in NAMES:
            ptx = compiled(name, text)[0].get_source("ptx")
            assert assemble(ptx, Target(text).gpu_architecture)
        yield text, Tested("validated", versioned(ptxas, r"V(\d[\d.]*)"))
    for text, kind in EMITTED.items():
        names = [name for name in NAMES if name != "vector addition"]
        assert all(source_at(referenced(name)[0], kind, target=text) for name in names)
        yield text, Tested("emitted", "none", ", ".join(names))


def _own_bits(text: str) -> int:
    return Target(text).scalable_bits


def versioned(command: str, pattern: str = r"(\d+\.[\d.]*\d)") -> str:
    """Return the name of a program and its version."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    found = re.search(pattern, done.stdout)
    assert found is not None, done.stdout
    return f"{Path(command).name} {found[1]}"


def targets_page() -> str:
    """Return the page of docs/reference/ with a table of what ran on each target."""
    lines = [_INTRODUCTION]
    for text, row in TESTED.items():
        models = "all" if row.models == ALL_MODELS else row.models
        lines.append(f"| `{text}` | {row.status} | {row.tool} | {models} |")
    return "\n".join((*lines, "", f"All models: {ALL_MODELS}.", ""))


def main() -> None:
    """Replace the rows in the file."""
    start, _, _ = FILE.read_text().partition("TESTED: ")
    lines = []
    for text, row in rows():
        print(text, row, flush=True)
        words = (row.status, row.tool, *((row.models,) if row.models != ALL_MODELS else ()))
        lines.append(f'    "{text}": Tested({", ".join(map(json.dumps, words))}),\n')
    body = f'TESTED: Mapping[str, Tested] = {{\n{"".join(lines)}}}\n"""By target."""\n'
    FILE.write_text(start + body)


if __name__ == "__main__":
    main()
