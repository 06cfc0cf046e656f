"""Programs in other languages that run exported libraries, and the tensors that they exchange."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tilewright.runtime.abi.constants import DTYPE_NAMES, DTYPES

from ...built_files import built_once

HERE = Path(__file__).parent
NATIVE = HERE.parents[2] / "runtime" / "native"
HOSTS = HERE / "hosts"
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", f"-I{NATIVE}")
ADDRESSES = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
RACES = ("-fsanitize=thread", "-g")
# The code of a model is not instrumented, so the sanitizer sees its copies but not its atomics.
SANITIZED = {**os.environ, "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}


def tool(name: str) -> str:
    """Return the path of a compiler, or skip the test on a machine without it."""
    if found := shutil.which(name):
        return found
    pytest.skip(f"needs {name}")


def cpp_compiler() -> list[str]:
    """Return the command that compiles C++11 with warnings as errors."""
    return [tool("g++"), "-std=c++11", *FLAGS[1:]]


def rust_compiler() -> list[str]:
    """Return the command that compiles Rust with warnings as errors."""
    return [tool("rustc"), "--edition", "2021", "-D", "warnings"]


@functools.cache
def _links_with(options: tuple[str, ...]) -> bool:
    """Return whether gcc has the runtime libraries of sanitizers."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tool("gcc"), *options, "-x", "c", "-o", f"{folder}/probe", "-"]
        text = "int main(void) { return 0; }"
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    return done.returncode == 0


def sanitizers(options: tuple[str, ...] = ADDRESSES) -> tuple[str, ...]:
    """Return options of gcc, or skip the test if gcc lacks the libraries that they need."""
    if not _links_with(options):
        pytest.skip(f"gcc lacks the runtime libraries of {options[0]}")
    return options


def build(compiler: Sequence[str], source: Path, folder: Path, *options: str) -> Path:
    """Compile a C program with the runtime; return its file."""
    made = folder / source.stem
    runtime = runtime_object(*filter(_is_of_runtime, options), compiler=tuple(compiler))
    command = [*compiler, *FLAGS, *options, "-o", made, source, runtime, "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return made


def _is_of_runtime(option: str) -> bool:
    """Return whether an option of a program is an option of the runtime's code, too."""
    return option in (*ADDRESSES, *RACES) or option.startswith("-DTW_")


def sanitized(name: str, folder: Path) -> Path:
    """Compile a program of `hosts` with the sanitizers of addresses and undefined behavior."""
    return build([tool("gcc")], HOSTS / name, folder, *sanitizers())


def runtime_object(*options: str, compiler: tuple[str, ...] = ()) -> Path:
    """Return the object of the C runtime, compiled once for each list of options."""
    words = (*(compiler or (tool("gcc"),)), *FLAGS, *options, "-c", str(NATIVE / "tilewright.c"))
    return built_once(words, lambda made: subprocess.run([*words, "-o", made], check=True))


def build_cpp(source: Path, folder: Path, *options: str) -> Path:
    """Compile a C++ program with the runtime; return its file."""
    made, runtime = folder / f"{source.stem}_cpp", runtime_object()
    command = [*cpp_compiler(), *options, "-o", made, source, runtime, "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return made


def build_rust(source: Path, folder: Path, *options: str) -> Path:
    """Compile a Rust program with the runtime, without crates; return its file."""
    made, library = folder / f"{source.stem}_rust", folder / "libtilewright.rlib"
    compiler = rust_compiler()
    face = ["--crate-type", "rlib", "--crate-name", "tilewright", "-o", library]
    subprocess.run([*compiler, *face, NATIVE / "tilewright.rs"], check=True)
    linked = ["--extern", f"tilewright={library}", "-C", f"link-arg={runtime_object()}"]
    subprocess.run([*compiler, *linked, *options, "-o", made, source], check=True)
    return made


def linked(model: Path) -> tuple[str, ...]:
    """Return the options of a program that uses a linked model ``m`` instead of a library."""
    return "-DLINKED", f"-I{model.parent}", "-Wl,-u,m_symbols", str(model)


def link_runtime(source: Path, model: Path) -> Path:
    """Link a C program with the object or archive of a model ``m`` and with the runtime."""
    return build([tool("gcc")], source, model.parent, *sanitizers(), *linked(model))


def link_c(source: Path, model: Path) -> Path:
    """Link a C program with the object or archive of a model, without the runtime."""
    made = model.parent / f"{source.stem}_c"
    folders = (f"-I{model.parent}", f"-I{HOSTS}")
    command = [tool("gcc"), *FLAGS, *sanitizers(), *folders, "-o", made, source, model]
    subprocess.run(command, check=True)
    return made


def link_cpp(source: Path, model: Path) -> Path:
    """Link a C program, compiled as C++, with the object or archive of a model."""
    made = model.parent / f"{source.stem}_cpp"
    compiler = [*cpp_compiler(), f"-I{model.parent}"]
    command = [*compiler, "-o", made, "-x", "c++", source, "-x", "none", model]
    subprocess.run(command, check=True)
    return made


def link_rust(source: Path, model: Path) -> Path:
    """Link a Rust program with the object or archive of a model, without crates."""
    made = model.parent / f"{source.stem}_rust"
    command = [*rust_compiler(), "-C", f"link-arg={model}", "-o", made, source]
    subprocess.run(command, check=True)
    return made


def link_numpy(site: Path) -> None:
    """Put the numpy of this interpreter into a folder of packages, which needs no package index."""
    for found in Path(np.__file__).parents[1].glob("numpy*"):
        (site / found.name).symlink_to(found)


def output(
    *command: object, timeout_s: float = 120, variables: Mapping[str, str] | None = None
) -> str:
    """Run a program that succeeds; return its text.

    variables: environment variables that the program has in addition to those of the tests.
    """
    words, environment = [str(each) for each in command], {**SANITIZED, **(variables or {})}
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=timeout_s, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write_tensors(path: Path, arrays: Sequence[np.ndarray]) -> Path:
    """Write arrays as hosts/arrays.h reads them."""
    parts = [np.int64(len(arrays)).tobytes()]
    for array in arrays:
        code, bits = DTYPES[array.dtype.name]
        facts = (code | bits << 8 | 1 << 16, array.ndim, *array.shape)
        parts += [np.array(facts, np.int64).tobytes(), np.ascontiguousarray(array).tobytes()]
    path.write_bytes(b"".join(parts))
    return path


def read_tensors(path: Path) -> list[np.ndarray]:
    """Read arrays as hosts/arrays.h writes them."""
    data, at, arrays = path.read_bytes(), 8, list[np.ndarray]()
    for _ in range(int(np.frombuffer(data, np.int64, 1)[0])):
        code, rank = np.frombuffer(data, np.int64, 2, at)
        shape = np.frombuffer(data, np.int64, rank, at + 16)
        dtype = np.dtype(DTYPE_NAMES[int(code) & 255, int(code) >> 8 & 255])
        start, count = at + 16 + 8 * int(rank), int(np.prod(shape))
        arrays.append(np.frombuffer(data, dtype, count, start).reshape(shape))
        at = start + count * dtype.itemsize
    assert at == len(data)
    return arrays


def run_host(
    program: Path,
    library: Path,
    arrays: Sequence[np.ndarray],
    variables: Mapping[str, str] | None = None,
) -> list[np.ndarray]:
    """Run a library in a program of another language; return the outputs.

    variables: as for `output`.
    """
    folder = library.parent
    files = write_tensors(folder / "in.bin", arrays), folder / "out.bin"
    output(program, library, *files, variables=variables)
    return read_tensors(folder / "out.bin")


def run_linked(program: Path, arrays: Sequence[np.ndarray], *words: str) -> list[np.ndarray]:
    """Run a program that is linked with a model; return the tensors that it writes."""
    folder = program.parent
    output(program, write_tensors(folder / "in.bin", arrays), folder / "out.bin", *words)
    return read_tensors(folder / "out.bin")
