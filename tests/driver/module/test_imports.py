"""Imported modules: exported, loaded, pickled and copied with the module that imports them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime import load_module
from tilewright.runtime.device.device_module import DeviceModule
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.models import ffn_model

from ..export.test_values import BINDINGS, model, x

X = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
A = np.arange(4, dtype=np.float32)

Again = Callable[[tilewright.Module, Path], tilewright.Module]
"""Makes a module again: by files, or by pickle."""


def scaled(name: str, by: float, target: str = "llvm") -> tilewright.CompiledModule:
    a = te.placeholder((4,), name="A")
    return tilewright.build([a, te.compute((4,), lambda i: a[i] * by)], name=name, target=target)


def imports_of(module: tilewright.Module) -> list[tilewright.Module]:
    """Return the imports of a module, all of which can be called."""
    made = [each for each in module.imported_modules if isinstance(each, tilewright.Module)]
    assert len(made) == len(module.imported_modules)
    return made


def result(module: tilewright.Module, name: str) -> float:
    """Return what a function of a module or of its imports multiplies by."""
    out = np.empty_like(A)
    module.get_function(name, query_imports=True)(A, out)
    return float(out[1])


def by_file(name: str, *, embed: bool = False) -> Again:
    def again(module: tilewright.Module, folder: Path) -> tilewright.Module:
        assert isinstance(module, tilewright.CompiledModule)
        files = module.export_library(folder / name, embed=embed)
        assert {*folder.iterdir()} == {*files}
        return load_module(files[0], verify=True)

    return again


def pickled(module: tilewright.Module, _folder: Path) -> tilewright.Module:
    return pickle.loads(pickle.dumps(module))


def copied(module: tilewright.Module, _folder: Path) -> tilewright.Module:
    return copy.deepcopy(module)


WAYS = {
    "so": by_file("m.so"),
    "embed": by_file("m.so", embed=True),
    "tar": by_file("m.tar"),
    "pickle": pickled,
    "deepcopy": copied,
}


@pytest.fixture(scope="module")
def diamond() -> tilewright.CompiledModule:
    """A module with weights, which imports two modules that import a third one."""
    first = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    left, right, shared = scaled("left", 2), scaled("right", 3), scaled("shared", 5)
    for module in (left, right):
        first.import_module(module)
        module.import_module(shared)
    return first


@pytest.mark.parametrize("way", WAYS)
def test_imports_are_there_again(
    diamond: tilewright.CompiledModule, tmp_path: Path, way: str
) -> None:
    made = WAYS[way](diamond, tmp_path)
    for _ in range(2):
        np.testing.assert_array_equal(np.asarray(made(X)), np.asarray(diamond(X)))
        assert [result(made, name) for name in ("left", "right", "shared")] == [2, 3, 5]
        left, right = made.imported_modules
        assert left.imported_modules[0] is right.imported_modules[0]
        assert [each.name for each in left.imported_modules] == ["shared"]
        made = pickle.loads(pickle.dumps(made))  # a loaded module, again


def test_weights_of_imports_are_there_again(tmp_path: Path) -> None:
    first, second = scaled("first", 7), tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    first.import_module(second)
    expected = np.asarray(second(X))
    for embed in (False, True):
        (library,) = first.export_library(tmp_path / "m.so", embed=embed)
        (loaded,) = imports_of(load_module(library, verify=True))
        np.testing.assert_array_equal(np.asarray(loaded(X)), expected)
        # A module that was loaded can be imported and exported, too, with its parameters.
        bias = {"ffn/bias": np.ones(8, np.float32)}
        loaded.load_params(bias)
        outer = scaled("outer", 9)
        outer.import_module(loaded)
        (again,) = imports_of(load_module(outer.export_library(tmp_path / "n.so")[0]))
        np.testing.assert_array_equal(np.asarray(again(X)), np.asarray(loaded(X)))
        assert not np.array_equal(np.asarray(again(X)), expected)


def test_a_damaged_import_is_refused_by_verify(tmp_path: Path) -> None:
    first = scaled("first", 7)
    first.import_module(tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1))
    (library,) = first.export_library(tmp_path / "m.so")
    data = bytearray(library.read_bytes())
    at = data.index(b'"sha256"', data.index(b"safetensors")) + 400
    data[at] ^= 1
    library.write_bytes(data)
    with pytest.raises(tilewright.LoadError):
        load_module(library, verify=True)


@pytest.mark.parametrize("name", ["m.o", "m.a", "m"])
def test_formats_without_imports_say_so(tmp_path: Path, name: str) -> None:
    first = scaled("first", 7)
    first.import_module(scaled("second", 8))
    with pytest.raises(ArgumentError, match=r"imports others\n.*ends in \.so, \.tar"):
        first.export_library(tmp_path / name)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["m.so", "m.tar"])
def test_several_programs_have_imports(tmp_path: Path, name: str) -> None:
    module = tilewright.compile(model())
    module.import_module(scaled("second", 8))
    given = x()
    expected = np.asarray(module(given, [3, 8]))
    library, *_ = module.export_library(tmp_path / name, values=BINDINGS)
    loaded = load_module(library)
    for made in (loaded, pickle.loads(pickle.dumps(loaded))):
        assert result(made, "second") == 8
        np.testing.assert_array_equal(made(given, [3, 8]), expected)
    outer = scaled("outer", 2)
    outer.import_module(loaded)
    (again,) = imports_of(load_module(outer.export_library(tmp_path / "o.so")[0]))
    np.testing.assert_array_equal(again(given, [3, 8]), expected)
    assert result(again, "second") == 8


@pytest.mark.parametrize("values", [None, BINDINGS])
def test_a_loaded_module_says_how_to_export(tmp_path: Path, values: Any) -> None:
    module = scaled("first", 7) if values is None else tilewright.compile(model())
    library, *_ = module.export_library(tmp_path / "m.so", values=values)
    with pytest.raises(ArgumentError, match=r"loaded from files(?s:.*)hint: copy its files"):
        load_module(library).export_library("again.so", embed=True)


def test_a_long_chain_of_imports_is_no_recursion() -> None:
    first, last = scaled("first", 1), scaled("last", 3)
    chain = [first, *(DeviceModule(f"m{n}", "cuda", b"", ()) for n in range(3000)), last]
    for outer, inner in pairwise(chain):
        outer.functions.imported.append(inner)
    assert result(first, "last") == 3
    with pytest.raises(ArgumentError, match="last cannot import first"):
        last.import_module(first)


def test_imports_of_wide_diamonds_are_stored_once(tmp_path: Path) -> None:
    made = scaled("last", 3)
    for level in range(12):
        left, right, outer = (scaled(f"m{level}{n}", 2) for n in range(3))
        for module in (left, right):
            module.import_module(made)
            outer.import_module(module)
        made = outer
    (library,) = made.export_library(tmp_path / "m.so")
    assert result(load_module(library), "last") == 3


@pytest.mark.parametrize("target", ["cuda", "opencl", "webgpu", "vulkan", "metal"])
def test_kernels_of_a_device_are_an_import(tmp_path: Path, target: str) -> None:
    module = scaled("vecmul", 2, target)
    (kernels,) = module.imported_modules
    assert isinstance(kernels, DeviceModule)
    assert (kernels.kind, module.kind) == (target, target)
    text = {"cuda": "ptx", "webgpu": "wgsl", "vulkan": "spirv"}.get(target, target)
    assert kernels.get_source() == kernels.get_source(text) == module.get_source(text)
    assert all(name.encode() in kernels.code for name in kernels.kernels)
    if target == "cuda":
        assert kernels.get_source("cuda") == module.get_source("cuda")
    library, *_ = module.export_library(tmp_path / "m.so")
    host = scaled("host", 3)
    host.import_module(load_module(library))
    loaded = load_module(host.export_library(tmp_path / "host.so")[0])
    for made in (loaded, pickle.loads(pickle.dumps(loaded))):
        (device,) = made.imported_modules
        assert device.imported_modules[0].get_source() == kernels.get_source()
        with pytest.raises(LookupError, match=r"no text of kind 'gpu'(?s:.*)compile or build"):
            device.imported_modules[0].get_source("gpu")
        assert result(made, "host") == 3
    with pytest.raises(tilewright.UnknownFunction, match="it has none"):
        kernels["k"]
    wrong = scaled("wrong", 3)
    wrong.import_module(kernels)
    with pytest.raises(ArgumentError, match="cannot be part of a file"):
        wrong.export_library(tmp_path / "wrong.so")


def test_parts_for_other_targets_are_imports(tmp_path: Path) -> None:
    import onnx

    text = """<ir_version: 9, opset_import: ["": 18]>
    g (float[n, 8] x) => (float[n, 8] y) { a = Exp(x)  b = Softmax(a)  y = Tanh(b) }"""
    graph = onnx.parser.parse_model(text)
    module = tilewright.compile(graph, target="opencl", placement={"softmax": "llvm"})
    library, *_ = module.export_library(tmp_path / "m.so")
    for made in (module, load_module(library), pickle.loads(pickle.dumps(module))):
        kernels, part = made.imported_modules
        assert (kernels.kind, part.kind) == ("opencl", "llvm")
        assert isinstance(part, tilewright.Module)
        y = np.asarray(part(X))
        np.testing.assert_allclose(y.sum(axis=1), 1, rtol=1e-6)
