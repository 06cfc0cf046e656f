"""Exported libraries: their files, C programs that run them, and errors for weights that misfit."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import NeedsBinding
from tilewright.testing.models import ffn_model

from ..host_programs.hosts import HOSTS, NATIVE
from .exported import plain_names, weights_of

X = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)


def c_compiler() -> list[str]:
    if found := shutil.which("cc"):
        return [found]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    pytest.skip("needs a C compiler: cc, or the package ziglang")


def compile_c(source: str, folder: Path, *options: object) -> Path:
    """Compile a program of `hosts`; return its file."""
    made = folder / source.removesuffix(".c")
    flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=200809L")
    command = [*c_compiler(), *flags, f"-I{NATIVE}", "-o", made, HOSTS / source, *options, "-ldl"]
    subprocess.run([str(each) for each in command], check=True, cwd=folder)
    return made


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """A folder with the program that loads libraries."""
    folder = tmp_path_factory.mktemp("hosts")
    compile_c("loads.c", folder)
    return folder


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    made = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    assert not made.reason
    return made


def run_host(command: list[object], folder: Path, x: np.ndarray) -> tuple[int, np.ndarray, str]:
    """Run a C program on an input; return its exit code, the output and what it prints."""
    x.tofile(folder / "x.bin")
    (folder / "y.bin").unlink(missing_ok=True)
    words = [str(each) for each in (*command, folder / "x.bin", folder / "y.bin")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    y = np.fromfile(folder / "y.bin", np.float32) if (folder / "y.bin").exists() else np.empty(0)
    return done.returncode, y, done.stdout


def expected(module, x: np.ndarray) -> np.ndarray:
    return np.asarray(module(x)).ravel()


@pytest.mark.parametrize("embed", [False, True])
def test_a_c_program_loads_a_library_with_weights(module, programs, tmp_path, embed):
    files = module.export_library(tmp_path / "m.so", embed=embed)
    names = ["m.so", "m.so.*.safetensors"][: 2 - embed]
    assert plain_names(file.name for file in files) == names
    assert sorted(tmp_path.iterdir()) == sorted(files)
    code, y, said = run_host([programs / "loads", tmp_path / "m.so"], tmp_path, X)
    assert (code, said) == (0, "")
    np.testing.assert_array_equal(y, expected(module, X))


def test_a_library_is_found_by_a_relative_path(module, programs, tmp_path):
    module.export_library(tmp_path / "m.so")
    code, y, _ = run_host([programs / "loads", "./m.so"], tmp_path, X)
    assert code == 0
    np.testing.assert_array_equal(y, expected(module, X))


def test_a_c_program_is_linked_with_a_library(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    program = compile_c("linked.c", tmp_path, "./m.so", "-Wl,-rpath,$ORIGIN")
    code, y, said = run_host([program], tmp_path, X)
    assert (code, said) == (0, "")
    np.testing.assert_array_equal(y, expected(module, X))


def test_a_library_serves_all_sizes(programs, tmp_path):
    module = tilewright.compile(ffn_model(m="rows", k=8, n=8), threads=1)
    module.export_library(tmp_path / "m.so")
    for rows in (1, 5, 33):
        x = np.random.default_rng(rows).standard_normal((rows, 8)).astype(np.float32)
        code, y, _ = run_host([programs / "loads", tmp_path / "m.so"], tmp_path, x)
        assert code == 0
        np.testing.assert_array_equal(y, expected(module, x))


def _remove(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"sha256") + 12] ^= 1
    path.write_bytes(data)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _exchange(path: Path) -> None:
    other = tilewright.compile(ffn_model(m=4, k=8, n=8, seed=1), threads=1)
    other.export_library(path.with_name("other.so"))
    os.replace(weights_of(path.with_name("other.so")), path)


@pytest.mark.parametrize(
    ("harm", "got"),
    [
        (_remove, "no such file, or no access"),
        (_cut, "a file of another length"),
        (_damage, "a file of another model or version"),
        (_empty, "a file of another model or version"),
        (_exchange, "a file of another model or version"),
    ],
)
def test_weights_that_misfit_are_an_error_in_c(module, programs, tmp_path, harm, got):
    module.export_library(tmp_path / "m.so")
    weights = weights_of(tmp_path / "m.so")
    harm(weights)
    code, _, said = run_host([programs / "loads", tmp_path / "m.so"], tmp_path, X)
    assert code == 2
    rule = "the weights cannot be loaded"
    assert f"{rule}\n    expected: {weights.name} next to the library" in said
    assert f"got: {got}: {weights}" in said


def test_weights_are_a_safetensors_file(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    data = weights_of(tmp_path / "m.so").read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    (tensor,) = (value for name, value in header.items() if name != "__metadata__")
    start, end = tensor["data_offsets"]
    assert (8 + length) % 64 == 0
    assert (start, 8 + length + end) == (0, len(data))
    assert tensor["shape"] == [module.manifest.weights_bytes]


def test_a_library_needs_the_c_library_only(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    text = subprocess.run(
        ["nm", "-D", "--undefined-only", tmp_path / "m.so"], capture_output=True, check=True
    ).stdout.decode()
    rows = [line.split() for line in text.splitlines()]
    strong = {name for kind, name in rows if kind == "U"}
    libc = ctypes.CDLL("libc.so.6")
    assert strong
    assert [name for name in strong if not hasattr(libc, name)] == []
    assert {name for kind, name in rows if kind == "w"} == {"dlsym", "TVMFFIErrorSetRaisedFromCStr"}


def test_a_second_export_replaces_the_files_and_keeps_open_ones(module, programs, tmp_path):
    module.export_library(tmp_path / "m.so")
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    assert library.__getattr__("__tw_load_weights")() == 0
    before = [file.stat().st_ino for file in sorted(tmp_path.iterdir())]
    module.export_library(tmp_path / "m.so")
    after = [file.stat().st_ino for file in sorted(tmp_path.iterdir())]
    assert not set(before) & set(after)
    weights = ctypes.c_void_p.in_dll(library, "__tw_weights").value or 0
    assert len(ctypes.string_at(weights, module.manifest.weights_bytes)) > 0


@pytest.mark.parametrize("suffix", [".dll", ".c"])
def test_another_format_is_refused(module, tmp_path, suffix):
    with pytest.raises(
        ArgumentError,
        match=r"expected: a file that ends in \.so, \.o, \.a, \.tar, or has no suffix",
    ) as caught:
        module.export_library(tmp_path / f"m{suffix}")
    assert f"the suffix '{suffix}'" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_target_without_libraries_says_so(tmp_path):
    module = tilewright.compile(ffn_model(m=4, k=8, n=8), target="interpreter")
    with pytest.raises(ArgumentError, match="expected: a target with such a format"):
        module.export_library(tmp_path / "m.so")


def test_a_failed_export_leaves_no_files(module, tmp_path):
    (tmp_path / "m.so").mkdir()
    with pytest.raises(IsADirectoryError):
        module.export_library(tmp_path / "m.so")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_model_that_needs_values_is_not_exported(tmp_path):
    from onnx import TensorProto, helper

    types = (("x", TensorProto.FLOAT, ["n", 6]), ("shape", TensorProto.INT64, [2]))
    inputs = [helper.make_tensor_value_info(*each) for each in types]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Reshape", ["x", "shape"], ["y"])
    model = helper.make_model(helper.make_graph([node], "reshape", inputs, [output]))
    with pytest.raises(NeedsBinding):
        tilewright.compile(model).export_library(tmp_path / "m.so")
