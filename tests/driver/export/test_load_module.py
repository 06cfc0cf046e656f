"""`load_module`: exported libraries in a process that never imports the compiler."""

from __future__ import annotations

import copy
import os
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime import load_module
from tilewright.runtime.abi import threads
from tilewright.runtime.abi.constants import (
    SYMBOL_EXECUTOR_FUNCTIONS,
    SYMBOL_MANIFEST,
    SYMBOL_SESSION_FUNCTIONS,
)
from tilewright.runtime.abi.library import Library, LoadError
from tilewright.runtime.file.elf_reader import Image
from tilewright.runtime.file.manifest import Manifest
from tilewright.runtime.host import cpu_flags
from tilewright.runtime.module import loading
from tilewright.runtime.module.loading import LoadedCode
from tilewright.testing.models import ffn_model
from tilewright.testing.worker import WorkerProcess

from ...runtime.test_session import CAPACITY, DECODER, RECURRENCE, STATE
from ..sizes.test_computed_sizes import POSITIONS, _positions
from .exported import weights_of

NATIVE = str(Path(__file__).with_name("loaded.py"))
RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 8)).astype(np.float32)


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return compiled(ffn_model(m=4, k=8, n=8))


def compiled(model: Any, **options: Any) -> tilewright.CompiledModule:
    made = tilewright.compile(model, **options)
    assert isinstance(made, tilewright.CompiledModule)
    return made


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def results(module: tilewright.Module, arrays: list[np.ndarray]) -> list[np.ndarray]:
    return [np.array(out) for out in module.run(arrays)]


def assert_equal(got: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
        assert one.tobytes() == other.tobytes()


def test_the_compiler_is_not_imported(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    with WorkerProcess() as fresh:
        fresh.call(f"{NATIVE}:run", str(tmp_path / "m.so"), [[X]])
        names = fresh.call(f"{NATIVE}:imported")
    ours = ("tilewright.runtime", "tilewright.testing")
    strange = [n for n in names if n.startswith("tilewright") and not n.startswith(ours)]
    assert strange == ["tilewright"]
    assert not {"xdsl", "llvmlite", "onnx", "ml_dtypes"} & {*names}


@pytest.mark.parametrize("specialize", [{}, {"rows": [1, 5]}])
def test_one_file_serves_all_sizes_and_versions(worker, tmp_path, specialize):
    module = compiled(ffn_model(m="rows", k=8, n=8), specialize=specialize)
    module.export_library(tmp_path / "m.so")
    calls = [[floats(rows, 8)] for rows in (1, 5, 33, 5)]
    for got, arrays in zip(
        worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), calls), calls, strict=True
    ):
        assert_equal(got, results(module, arrays))


def test_sizes_that_the_model_computes_are_those_of_the_process(worker, tmp_path):
    module = compiled(POSITIONS)
    module.export_library(tmp_path / "m.so")
    calls = [list(_positions(n, n).values()) for n in (5, 70)]
    found = worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), calls)
    for got, arrays in zip(found, calls, strict=True):
        assert_equal(got, results(module, arrays))


def test_sessions_are_those_of_the_process(worker, tmp_path):
    module = compiled(DECODER, state=STATE, capacity=CAPACITY)
    module.export_library(tmp_path / "m.so")
    calls = [floats(2, size, 32) for size in (5, 1, 1)]
    got = worker.call(f"{NATIVE}:decode", str(tmp_path / "m.so"), calls)
    session = module.session()
    expected = [np.array(session(x)) for x in calls]
    session.rewind(1)
    expected.append(np.array(session(calls[-1])))
    session.rewind(1)
    expected.append(session.state("past_k").numpy())
    assert_equal(got, expected)


@pytest.mark.skipif(sys.platform != "linux", reason="it counts the libraries in /proc")
def test_a_process_keeps_the_library_of_its_first_module_only(tmp_path):
    """The library of the first module has the worker pool, which other modules use after it."""
    made = compiled(ffn_model(m=64, k=256, n=256))
    x = floats(64, 256)
    made.export_library(tmp_path / "m.so")
    with WorkerProcess() as worker:
        one, two, got = worker.call(f"{NATIVE}:run_after_first_module", str(tmp_path / "m.so"), [x])
    assert (one, two) == (1, 2)
    expected = results(made, [x])
    assert_equal(got[0], expected)
    assert_equal(got[1], expected)


def test_sessions_need_no_code_in_the_first_library_of_a_process(module, tmp_path, monkeypatch):
    """A library without states has no code of sessions; the process may load it first."""
    x = floats(2, 5, 32)
    expected = np.array(compiled(DECODER, state=STATE, capacity=CAPACITY).session()(x))
    path = tmp_path / "m.so"
    module.export_library(path)
    first = threads.ThreadPool(Library(path.read_bytes()))
    assert first.library.find(SYMBOL_EXECUTOR_FUNCTIONS)
    assert not first.library.find(SYMBOL_SESSION_FUNCTIONS)
    monkeypatch.setattr(threads._Process, "pool", first)
    session = compiled(DECODER, state=STATE, capacity=CAPACITY).session()
    assert_equal([np.array(session(x))], [expected])
    assert threads._Process.rest is not None


def test_a_state_that_is_replaced_is_kept(tmp_path):
    module = compiled(RECURRENCE, state={"h": "last"})
    module.export_library(tmp_path / "m.so")
    sessions = [module.session(), load_module(tmp_path / "m.so").session()]
    for _ in range(2):
        x = floats(3, 2, 6)
        assert_equal([np.array(sessions[1](x))], [np.array(sessions[0](x))])


def test_a_function_of_the_process_is_called(tmp_path):
    @tilewright.register_func("test.load_module.twice", override=True)
    def twice(x: tilewright.NDArray, y: tilewright.NDArray) -> None:
        np.asarray(y)[...] = 2 * np.asarray(x)

    a = te.placeholder((4, 8), "float32", "a")
    b = te.extern(
        (4, 8),
        [a],
        lambda ins, outs: te.call_packed("test.load_module.twice", ins[0], outs[0]),
        dtype="float32",
    )
    tilewright.build([a, b]).export_library(tmp_path / "m.so")
    np.testing.assert_array_equal(np.asarray(load_module(tmp_path / "m.so")(X)), 2 * X)
    tilewright.remove_global_func("test.load_module.twice")
    with pytest.raises(LoadError, match=r"calls a function that is not there"):
        load_module(tmp_path / "m.so")


def test_modules_of_one_file_are_independent(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    first, second = load_module(tmp_path / "m.so"), load_module(tmp_path / "m.so", threads=1)
    del second
    compiled(ffn_model(m=4, k=8, n=8, seed=1)).export_library(tmp_path / "m.so")
    assert_equal(results(first, [X]), results(module, [X]))


def test_a_link_to_the_library_finds_the_weights(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "link.so").symlink_to(tmp_path / "m.so")
    assert_equal(results(load_module(tmp_path / "other" / "link.so"), [X]), results(module, [X]))


@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize("is_loaded", [False, True])
def test_pickle_and_copy_make_equal_modules(module, tmp_path, embed, is_loaded):
    given = module
    if is_loaded:
        module.export_library(tmp_path / "m.so", embed=embed)
        given = load_module(tmp_path / "m.so", threads=1)
    pickled = pickle.dumps(given)
    for path in tmp_path.iterdir():
        path.unlink()
    for made in (pickle.loads(pickled), copy.copy(given), copy.deepcopy(given)):
        assert made.threads == given.threads
        assert_equal(results(made, [X]), results(module, [X]))


def test_states_are_pickled():
    module = compiled(RECURRENCE, state={"h": "last"})
    x = floats(3, 2, 6)
    expected = np.array(module.session()(x))
    assert_equal([np.array(pickle.loads(pickle.dumps(module)).session()(x))], [expected])


def test_a_module_without_files_is_not_pickled():
    module = compiled(ffn_model(m=4, k=8, n=8), target="interpreter")
    with pytest.raises(tilewright.ArgumentError, match="no format of compiled models"):
        pickle.dumps(module)
    bare = tilewright.Module(LoadedCode(module._library, module.manifest, threads=1))
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        copy.copy(bare)


def test_a_processor_without_the_features_is_named(module, tmp_path, monkeypatch):
    module.export_library(tmp_path / "m.so")
    missing = load_module(tmp_path / "m.so").manifest.cpu_flags
    assert missing
    assert {*missing} < {*module.manifest.cpu_flags}
    flags = cpu_flags() - {*missing}
    monkeypatch.setattr(loading, "cpu_flags", lambda: flags)
    with pytest.raises(LoadError, match=f"expected: a processor with {', '.join(missing)}"):
        load_module(tmp_path / "m.so")


def _word(path: Path, symbol: str) -> int:
    return Image(path.read_bytes()).offset_of(symbol)


def _change(path: Path, at: int, data: bytes) -> None:
    content = bytearray(path.read_bytes())
    content[at : at + len(data)] = data
    path.write_bytes(content)


def test_another_version_of_the_abi_is_refused(module, tmp_path, monkeypatch):
    module.export_library(tmp_path / "m.so")
    monkeypatch.setattr(tilewright.runtime.file.manifest, "ABI_VERSION", 1)
    with pytest.raises(LoadError, match=r"another runtime\n    expected: ABI 1\n    got: ABI 3"):
        load_module(tmp_path / "m.so")


def test_code_for_another_machine_is_refused(tmp_path, module):
    module.export_library(tmp_path / "m.so")
    _change(tmp_path / "m.so", 18, struct.pack("<H", 183))
    with pytest.raises(LoadError, match="code is for another machine"):
        load_module(tmp_path / "m.so")


def test_changed_code_is_refused(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    _change(tmp_path / "m.so", _word(tmp_path / "m.so", "__tvm_ffi_main"), b"\xcc")
    with pytest.raises(LoadError, match="its code or data differ from its build ID"):
        load_module(tmp_path / "m.so")


def _missing(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _header(path: Path) -> None:
    _change(path, path.read_bytes().index(b"sha256") + 12, b"?")


@pytest.mark.parametrize(
    ("harm", "got"),
    [
        (_missing, "No such file"),
        (_cut, "a file of [0-9]+ bytes, not [0-9]+"),
        (_empty, "a file of another model or version"),
        (_header, "a file of another model or version"),
    ],
)
def test_weights_that_misfit_are_refused(module, tmp_path, harm, got):
    module.export_library(tmp_path / "m.so")
    harm(weights_of(tmp_path / "m.so"))
    with pytest.raises(LoadError, match=rf"m.so: the weights cannot be loaded[^?]*got: .*{got}"):
        load_module(tmp_path / "m.so")


@pytest.mark.parametrize("embed", [False, True])
def test_verify_reads_all_bytes(module, tmp_path, embed):
    module.export_library(tmp_path / "m.so", embed=embed)
    load_module(tmp_path / "m.so", verify=True)
    library = (tmp_path / "m.so").read_bytes()
    _change(tmp_path / "m.so", len(library) - 1, bytes([library[-1] ^ 1]))
    load_module(tmp_path / "m.so")
    with pytest.raises(LoadError, match="its weights or section headers differ"):
        load_module(tmp_path / "m.so", verify=True)


def test_verify_reads_the_weight_file(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    weights = weights_of(tmp_path / "m.so")
    _change(weights, weights.stat().st_size - 1, b"\xff")
    load_module(tmp_path / "m.so")
    with pytest.raises(LoadError, match="weights that differ from their digest"):
        load_module(tmp_path / "m.so", verify=True)


def test_code_names_the_features_that_it_uses(module, monkeypatch):
    code, weights, arrays = module.code, module.weights, [X]
    used = Manifest.parse(Image(code).text(SYMBOL_MANIFEST)).cpu_flags
    assert {*used} < {*module.manifest.cpu_flags}
    monkeypatch.setattr(loading, "cpu_flags", lambda: frozenset(used))
    made = tilewright.Module.load_bytes(code, weights)
    assert_equal([np.array(y) for y in made.run(arrays)], results(module, arrays))
    monkeypatch.setattr(loading, "cpu_flags", lambda: frozenset(used[1:]))
    with pytest.raises(LoadError, match=f"expected: a processor with {used[0]}\n"):
        tilewright.Module.load_bytes(code, weights)


FEW_FILES = """
import resource, sys
import numpy as np
from tilewright.runtime import load_module
from tilewright.runtime.module import params
x = np.ones((4, 8), np.float32)
expected = load_module(sys.argv[1])(x).numpy()
resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
modules = [load_module(path, threads=1) for path in sys.argv[1:] * 25]
assert all(np.array_equal(module(x).numpy(), expected) for module in modules)
modules.pop()
again = load_module(sys.argv[1], threads=1)  # numbers of files are used again
assert np.array_equal(again(x).numpy(), expected)
"""


def test_a_loaded_module_keeps_no_file_open(module, tmp_path):
    for name in ("m.so", "m.tar"):
        module.export_library(tmp_path / name)
    command = [sys.executable, "-c", FEW_FILES, tmp_path / "m.so", tmp_path / "m.tar"]
    subprocess.run(command, check=True)


def test_a_library_that_is_not_exported_is_refused(module, tmp_path):
    (tmp_path / "m.so").write_bytes(module.code)
    with pytest.raises(LoadError, match="it has no build ID of Tilewright"):
        load_module(tmp_path / "m.so")
    with pytest.raises(LoadError, match="not an ELF file"):
        load_module(__file__)
    (tmp_path / "m.so").write_bytes(b"")
    with pytest.raises(LoadError, match="not an ELF file"):
        load_module(tmp_path / "m.so")


def test_a_fork_runs_a_loaded_module(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    code = (
        "import os, sys, numpy as np\n"
        "from tilewright.runtime import load_module\n"
        "module = load_module(sys.argv[1], threads=2)\n"
        "x = np.ones((4, 8), np.float32)\n"
        "expected = module(x).numpy()\n"
        "child = os.fork()\n"
        "same = (module(x).numpy() == expected).all()\n"
        "if child == 0: os._exit(not same)\n"
        "assert same and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "m.so")]
    subprocess.run(command, check=True, timeout=60)
