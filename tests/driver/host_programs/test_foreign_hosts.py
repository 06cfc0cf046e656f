"""Libraries for 64-bit ARM in C, C++ and Rust programs, which QEMU runs with a C library for ARM.

The libraries are made on this machine; their strict results have the bits of its own.  The first
run compiles C++'s library for the other machine, which takes a minute.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.machines.target import Target
from tilewright.testing.models import ffn_model, residual_model

from ...runtime.test_session import CAPACITY, DECODER, STATE, rows
from ..export.test_load_module import assert_equal
from .hosts import FLAGS, HOSTS, NATIVE, output, read_tensors, tool, write_tensors
from .test_host_sessions import STEPS, stepped

ROOT = Path("/usr/aarch64-linux-gnu")
"""The folder of the C library for ARM: Debian's packages libc6-arm64-cross, libgcc-s1-arm64-cross.
"""
RUST = "aarch64-unknown-linux-gnu"
ZIG = (sys.executable, "-m", "ziglang")
# The C library of Debian 11 or later.
C_TARGET = ("-target", "aarch64-linux-gnu.2.31")
# zig's headers of the C library use extensions.
C_FLAGS = (*FLAGS, "-Wno-c11-extensions")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.slow,
    pytest.mark.skipif(Target.native().architecture == "aarch64", reason="runs such code itself"),
    pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang: a C compiler"),
    pytest.mark.skipif(
        shutil.which("qemu-aarch64") is None, reason="needs qemu-aarch64 (package qemu-user)"
    ),
    pytest.mark.skipif(
        not (ROOT / "lib" / "libgcc_s.so.1").exists(),
        reason="needs a C library for ARM: apt-get install libc6-arm64-cross libgcc-s1-arm64-cross",
    ),
]


def built(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True)


def c_program(name: str, folder: Path) -> Path:
    built(
        *ZIG, "cc", *C_TARGET, *C_FLAGS, HOSTS / f"{name}.c", runtime(folder), "-o", folder / name
    )
    return folder / name


def cpp_program(name: str, folder: Path) -> Path:
    flags = ("-std=c++11", *C_FLAGS[1:])
    source = HOSTS / f"{name}.cpp"
    built(*ZIG, "c++", *C_TARGET, *flags, source, runtime(folder), "-o", folder / name)
    return folder / name


def rust_program(name: str, folder: Path) -> Path:
    """Compile a Rust program; skip the test if Rust lacks its library for ARM."""
    rustc, made = tool("rustc"), folder / name
    library = output(rustc, "--print", "target-libdir", "--target", RUST).strip()
    if not any(Path(library).glob("libstd-*.rlib")):
        pytest.skip(f"needs Rust's library for ARM: rustup target add {RUST}")
    linker = folder / "linker"
    words = " ".join((*ZIG, "cc", *C_TARGET))
    linker.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    linker.chmod(0o755)
    options = ("--edition", "2021", "--target", RUST, "-C", f"linker={linker}")
    crate = ("--crate-type", "rlib", "--crate-name", "tilewright")
    built(rustc, *options, *crate, "-o", folder / "libtilewright.rlib", NATIVE / "tilewright.rs")
    used = ("--extern", f"tilewright={folder / 'libtilewright.rlib'}")
    link = ("-C", f"link-arg={runtime(folder)}")
    built(rustc, *options, *used, *link, "-o", made, HOSTS / f"{name}.rs")
    return made


def runtime(folder: Path) -> Path:
    """Compile the C runtime for ARM; return the object."""
    made = folder / "tilewright.o"
    built(*ZIG, "cc", *C_TARGET, *C_FLAGS, "-c", NATIVE / "tilewright.c", "-o", made)
    return made


PROGRAMS: Mapping[str, Callable[[str, Path], Path]] = {
    "C": c_program,
    "C++": cpp_program,
    "Rust": rust_program,
}


@pytest.fixture(scope="module", params=PROGRAMS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the function that runs a library in a program of one of the languages."""

    def run(name: str, library: Path, arrays: list[np.ndarray]) -> list[np.ndarray]:
        folder = tmp_path_factory.mktemp("foreign")
        program = PROGRAMS[request.param](name, folder)
        given, made = write_tensors(folder / "in.bin", arrays), folder / "out.bin"
        output("qemu-aarch64", "-L", ROOT, program, library, given, made)
        return read_tensors(made)

    return run


def both(
    model: Any, path: Path, target: str = "aarch64", **options: Any
) -> tilewright.CompiledModule:
    """Export a model for ARM; return the module of this machine with the same arithmetic."""
    made = [
        tilewright.compile(model, target=text, precision="strict", cache=False, **options)
        for text in (target, "native")
    ]
    made[0].export_library(path)
    return made[1]


def test_a_session_of_another_machine_decodes(run: Any, tmp_path: Path) -> None:
    here = both(DECODER, tmp_path / "m.so", state=STATE, capacity=CAPACITY)
    got = run("decodes", tmp_path / "m.so", [*STEPS])
    assert_equal(got, stepped(here, STEPS))
    wrong = stepped(here, [rows(5, 1)])
    assert not np.array_equal(got[0], wrong[0]), "the test must see other results"


@pytest.mark.parametrize("suffix", ["so", "tar"])
@pytest.mark.parametrize("run", ["C"], indirect=True)
def test_a_network_of_another_machine_runs(run: Any, suffix: str, tmp_path: Path) -> None:
    model, path = residual_model(channels=16, size=8), tmp_path / f"m.{suffix}"
    here = both(model, path, "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72")
    if suffix == "tar":
        shutil.unpack_archive(path, tmp_path)
    x = np.random.default_rng(0).standard_normal((1, 16, 8, 8), np.float32)
    assert_equal(run("runs", tmp_path / "m.so", [x]), [np.array(here(x))])


@pytest.mark.parametrize("count", [1, 70])
def test_a_library_of_another_machine_has_dynamic_sizes(
    run: Any, count: int, tmp_path: Path
) -> None:
    here = both(ffn_model(m="rows", k=8, n=8), tmp_path / "m.so")
    x = np.random.default_rng(count).standard_normal((count, 8), np.float32)
    assert_equal(run("runs", tmp_path / "m.so", [x]), [np.array(here(x))])
