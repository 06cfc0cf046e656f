"""Functions of modules by name, imports, metadata, and the programs of the classic tutorials.

The tutorials' programs differ from the originals in the import only.
"""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.file.manifest import TensorSpec

N = 1024


def vector_add(name: str = "vecadd") -> tilewright.CompiledModule:
    A, B = te.placeholder((N,), name="A"), te.placeholder((N,), name="B")
    C = te.compute((N,), lambda i: A[i] + B[i], name="C")
    return tilewright.build([A, B, C], name=name)


@pytest.fixture(scope="module")
def mod() -> tilewright.CompiledModule:
    return vector_add()


def test_a_function_is_one_object_under_all_its_names(mod: tilewright.CompiledModule) -> None:
    function = mod["vecadd"]
    assert isinstance(function, PackedFunc)
    assert mod["vecadd"] is function
    assert mod.get_function("vecadd") is function
    assert mod[mod.entry_name] is mod["main"] is function
    assert vector_add()["vecadd"] is not function


def test_an_unknown_function_is_refused_with_near_names(mod: tilewright.CompiledModule) -> None:
    known = "default, main, vecadd"
    with pytest.raises(KeyError, match=rf"no function 'vecad'; it has {known}\n.*vecadd\?"):
        mod.get_function("vecad")
    with pytest.raises(tilewright.UnknownFunction, match=r"'other'; it has default, main, vecadd$"):
        mod["other"]


def test_modules_import_modules() -> None:
    first, second, third = vector_add("first"), vector_add("second"), vector_add("third")
    first.import_module(second)
    second.import_module(third)
    assert first.imported_modules == (second,)
    assert third.imported_modules == ()
    assert first.get_function("third", query_imports=True) is third["third"]
    assert first.get_function("main", query_imports=True) is first["first"]
    with pytest.raises(KeyError, match=r"an imported module has it.*query_imports=True"):
        first.get_function("second")
    with pytest.raises(KeyError, match=r"did you mean (first or )?third"):
        first.get_function("thirdd", query_imports=True)
    with pytest.raises(ArgumentError, match="third cannot import first, which imports it"):
        third.import_module(first)
    with pytest.raises(ArgumentError, match="cannot import"):
        first.import_module(first)
    with pytest.raises(ArgumentError, match="imports modules only\n    got: int"):
        first.import_module(3)


def test_metadata_describes_the_module(mod: tilewright.CompiledModule) -> None:
    found = mod.metadata
    assert found.name == "vecadd"
    assert found.inputs == (TensorSpec("A", (N,), "float32"), TensorSpec("B", (N,), "float32"))
    assert found.outputs == (TensorSpec("C", (N,), "float32"),)
    assert found.target.startswith("llvm -mcpu=")
    assert found.compiler == f"tilewright {tilewright.__version__}"
    assert found.weights_bytes == 0


def test_missing_global_functions_are_none_if_allowed() -> None:
    assert tilewright.get_global_func("not.there", allow_missing=True) is None


def test_compiled_functions_are_registered_like_others(mod: tilewright.CompiledModule) -> None:
    tilewright.register_func("test.vecadd", mod["vecadd"])
    assert tilewright.get_global_func("test.vecadd") is mod["vecadd"]
    tilewright.remove_global_func("test.vecadd")


def test_a_function_outlives_its_module() -> None:
    function = vector_add()["vecadd"]
    c = np.empty(N, np.float32)
    function(np.ones(N, np.float32), np.ones(N, np.float32), c)
    assert (c == 2).all()


# -- the classic tutorials -----------------------------------------------------------------------


@pytest.mark.parametrize("way", ["module", "item", "function"])
def test_tutorial_vector_add(mod: tilewright.CompiledModule, way: str) -> None:
    a, b = np.random.rand(N).astype("float32"), np.random.rand(N).astype("float32")
    c = np.zeros(N, dtype="float32")
    call = {"module": mod, "item": mod["vecadd"], "function": mod.get_function("vecadd")}[way]
    call(a, b, c)
    np.testing.assert_allclose(c, a + b)


def test_tutorial_register_func() -> None:
    @tilewright.register_func("my.add", override=True)
    def add(x: int, y: int) -> int:
        return x + y

    f = tilewright.get_global_func("my.add")
    assert f(3, 4) == 7
    assert "my.add" in tilewright.list_global_func_names()
    tilewright.remove_global_func("my.add")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_tutorial_torch_to_kernel_to_torch(mod: tilewright.CompiledModule) -> None:
    import torch

    seen: list[int] = []

    @tilewright.register_func("test.pointer", override=True)
    def pointer(x: tilewright.NDArray) -> tilewright.NDArray:
        seen.append(x.numpy().ctypes.data)
        return x

    x = torch.arange(N, dtype=torch.float32)
    y = torch.from_dlpack(tilewright.get_global_func("test.pointer")(x))
    assert x.data_ptr() == seen[0] == y.data_ptr()
    out = torch.empty(N)
    mod["vecadd"](x, y, out)
    assert torch.equal(out, x + x)
    tilewright.remove_global_func("test.pointer")
