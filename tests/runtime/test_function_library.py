"""Libraries of packed functions without a manifest are modules of these functions."""

from __future__ import annotations

import copy
import pickle
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import KernelError

from ..driver.host_programs.hosts import tool

SOURCE = Path(__file__).with_name("packed_functions.c")


def linked(source: Path, made: Path, *flags: str) -> Path:
    """Compile a shared object without the C runtime; return its file."""
    command = [tool("gcc"), "-std=c99", "-shared", "-fPIC", *flags, "-o", str(made), str(source)]
    subprocess.run(command, check=True)
    return made


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return linked(SOURCE, tmp_path_factory.mktemp("packed") / "by_hand.so")


def arrays() -> tuple[np.ndarray, ...]:
    a = np.arange(4, dtype=np.float32)
    return a, a + 20, np.zeros_like(a)


def test_functions_are_attributes(library: Path) -> None:
    module = tilewright.load_module(library)
    a, b, c = arrays()
    assert module.vecadd is module["vecadd"] is module.get_function("vecadd")
    assert module.vecadd(a, b, c) is None
    np.testing.assert_array_equal(c, a + b)
    assert module.add_one(41) == 42
    assert repr(module) == "<FunctionLibrary by_hand: add_one, vecadd>"


def test_tvm_ffi_calls_the_same_file(library: Path) -> None:
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    a, b, c = arrays()
    tvm_ffi.load_module(str(library)).vecadd(*map(tvm_ffi.from_dlpack, (a, b, c)))
    np.testing.assert_array_equal(c, a + b)


def test_unknown_names_and_failures_are_errors(library: Path) -> None:
    module = tilewright.load_module(library)
    with pytest.raises(AttributeError, match="no attribute 'vecad'"):
        _ = module.vecad
    assert {"add_one", "vecadd"} <= {*dir(module)}
    with pytest.raises(AttributeError, match=r"did you mean vecadd\?"):
        _ = module.vecad
    with pytest.raises(KeyError, match=r"did you mean vecadd\?"):
        module["vecad"]
    with pytest.raises(KernelError, match="vecadd failed with status -1"):
        module.vecadd(*arrays()[:2])


def test_all_functions_can_be_global(library: Path) -> None:
    tilewright.register_func("vecadd", lambda: None)
    with pytest.raises(ValueError, match="vecadd is registered already"):
        tilewright.load_functions(library)
    tilewright.remove_global_func("vecadd")
    assert tilewright.get_global_func("add_one", allow_missing=True) is None
    try:
        assert tilewright.load_functions(library) == ["add_one", "vecadd"]
        assert tilewright.load_functions(library) == ["add_one", "vecadd"]
        assert tilewright.get_global_func("add_one")(1) == 2
    finally:
        for name in ("add_one", "vecadd"):
            tilewright.remove_global_func(name)


def test_a_library_of_a_host_that_is_not_loaded_says_so(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "void TVMFFINothing(void);\nint __tvm_ffi_f(void) { TVMFFINothing(); return 0; }\n"
    )
    with pytest.raises(LoadError, match="import tvm_ffi first"):
        tilewright.load_module(linked(source, tmp_path / "a.so"))


@pytest.mark.parametrize("text", ["int f(void) { return 0; }", "int __tvm_ffi_f, __tw_manifest;"])
def test_other_libraries_are_refused_as_before(tmp_path: Path, text: str) -> None:
    source = tmp_path / "a.c"
    source.write_text(text + "\n")
    made = linked(source, tmp_path / "a.so")
    with pytest.raises(LoadError, match="no build ID of Tilewright"):
        tilewright.load_module(made)
    with pytest.raises(LoadError, match="has no functions to register"):
        tilewright.load_functions(made)


def test_bytes_that_must_be_checked_are_not_loaded(library: Path) -> None:
    with pytest.raises(LoadError, match="no build ID of Tilewright"):
        tilewright.load_module(library, verify=True)


def test_damaged_files_are_refused(library: Path, tmp_path: Path) -> None:
    data = library.read_bytes()
    for size in (0, 10, 63, 64, 200, len(data) // 2):
        (tmp_path / "part.so").write_bytes(data[:size])
        with pytest.raises(LoadError):
            tilewright.load_module(tmp_path / "part.so")


def test_functions_of_compiled_modules_are_attributes(tmp_path: Path) -> None:
    x = te.placeholder((4,), name="x")
    module = tilewright.build([x, te.compute((4,), lambda i: x[i] * 2, name="y")], name="twice")
    path, *_ = module.export_library(tmp_path / "twice.so")
    given, _, out = arrays()
    for each in (module, tilewright.load_module(path), copy.copy(tilewright.load_module(path))):
        out[:] = 0
        assert each.twice is each["twice"] is each.main
        each.twice(given, out)
        np.testing.assert_array_equal(out, 2 * given)
        with pytest.raises(AttributeError, match="no attribute 'once'"):
            _ = each.once
    assert pickle.loads(pickle.dumps(module)).twice.name == "twice"
    shutil.rmtree(tmp_path)
