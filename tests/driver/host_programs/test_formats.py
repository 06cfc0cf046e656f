"""Models x formats x hosts: each host returns the bytes that the module returns in this process.

`MODELS` makes a module and the inputs of its calls. `FORMATS` lists the files of each format and
the hosts that run them. A host is a fixture that returns a `Start`. The hosts need what they name:
the runtime (alone on the path, or as a wheel in a new environment), tvm_ffi with numpy or torch,
or a compiler.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.testing.models import encoder_model, light_model
from tilewright.testing.worker import WorkerProcess

from ...sweeps import is_sample
from ..export.exported import plain_names
from ..export.test_load_module import assert_equal, compiled, floats, results
from ..sizes.test_data_sizes import detector_tail
from .hosts import (
    HOSTS,
    build,
    build_cpp,
    build_rust,
    link_c,
    link_cpp,
    link_numpy,
    link_runtime,
    link_rust,
    output,
    run_host,
    run_linked,
    sanitized,
    tool,
)

FOREIGN = str(Path(__file__).with_name("foreign.py"))
RUNTIME = Path(__file__).parents[3] / "runtime"

Arrays = list[np.ndarray]
Case = tuple[tilewright.Module, list[Arrays]]
"""A module, and the inputs of each call."""
Run = Callable[[Arrays], Arrays]
Start = Callable[[tilewright.Module, Path], Run]
"""A function that prepares a host for the exported file of a module."""
Export = Callable[[str, str], tuple[Case, Path]]
"""A function that exports a model, by name, in a format: the case and the main file."""


def residual_network() -> Case:
    return compiled(light_model("resnet50"), threads=1), [[floats(1, 3, 224, 224)]]


def encoder() -> Case:
    """Return a transformer of dynamic sizes."""
    model = encoder_model(layers=1, hidden=64, heads=4, ffn=128, batch="batch", seq="seq")
    calls = [[floats(batch, seq, 64)] for batch, seq in ((1, 1), (2, 7), (3, 33))]
    return compiled(model, threads=1), calls


def detector() -> Case:
    """Return a detector whose outputs have sizes that depend on data, none in the last call."""
    module, rng = compiled(detector_tail(), threads=1), np.random.default_rng(0)
    boxes = rng.uniform(0, 8, (1, 9, 4)).astype(np.float32)
    scores = rng.uniform(0, 1, (1, 2, 9)).astype(np.float32)
    calls = [[boxes, scores * np.float32(scale)] for scale in (1.0, 0.6, 0.4)]
    found = [module.run(arrays)[0].shape[0] for arrays in calls]
    assert found[0] > found[-1] == 0
    return module, calls


def kernel() -> Case:
    """Return a tensor expression with an open number of rows, which has no weights."""
    rows, k = te.var("rows"), te.reduce_axis((0, 16), name="k")
    a, b = te.placeholder((rows, 16), name="a"), te.placeholder((16, 8), name="b")
    product = te.compute((rows, 8), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="product")
    calls = [[floats(size, 16), floats(16, 8)] for size in (1, 33)]
    return tilewright.build([product], [a, b, product]), calls


MODELS = {"resnet50": residual_network, "encoder": encoder, "detector": detector, "te": kernel}


@dataclass(frozen=True)
class Format:
    """A file that `export_library` writes, its parts, and the hosts that run it."""

    name: str
    embed: bool
    files: tuple[str, ...]
    hosts: tuple[str, ...]


LOADERS = ("runtime", "tvm_ffi", "torch", "loaded_c", "loaded_cpp", "loaded_rust")
CALLERS = ("calling_c", "calling_cpp", "executing_rust", "linked_runtime")
EXECUTORS = ("executing_c", "executing_cpp", "executing_rust")
WEIGHTS = ".*.safetensors"
FORMATS = {
    "so": Format("m.so", False, ("m.so", f"m.so{WEIGHTS}"), (*LOADERS, "sanitized_c", "wheel")),
    "so_embed": Format("m.so", True, ("m.so",), LOADERS),
    "tar": Format("m.tar", False, ("m.tar",), ("runtime", "wheel")),
    "o": Format("m.o", False, ("m.o", "m.h", f"m.o{WEIGHTS}"), CALLERS),
    "a": Format("m.a", False, ("m.a", "m.h", f"m.a{WEIGHTS}"), CALLERS),
    "bundle": Format("m.o", True, ("m.o", "m.h"), EXECUTORS),
    "program": Format("m", False, ("m", f"m{WEIGHTS}"), ("program",)),
    "program_embed": Format("m", True, ("m",), ("program",)),
}
SLOW = {"resnet50", "wheel"}
# Sanitizers make the digest of 118 MB of weights slow.
LEFT_OUT = {("resnet50", "so", "sanitized_c")}


def marks_of(model: str, form: str, host: str) -> list[pytest.MarkDecorator]:
    """Return the markers of a cell.

    By day, each host runs the encoder in each of its formats, and a sample runs the other models;
    resnet50, whose weights are large, runs by night only.
    """
    marks = [pytest.mark.slow] if SLOW & {model, form, host} else []
    is_chosen = {"encoder": True, "resnet50": False}
    by_day = is_chosen.get(model, is_sample(f"{model} {form} {host}", 8))
    return marks if by_day else [*marks, pytest.mark.nightly]


CELLS = [
    pytest.param(
        *(cell := (model, form, host)),
        marks=marks_of(*cell),
        id="-".join(cell),
    )
    for model in MODELS
    for form in FORMATS
    for host in FORMATS[form].hosts
    if (model, form, host) not in LEFT_OUT
]


@pytest.fixture(scope="module")
def export(tmp_path_factory) -> Iterator[Export]:
    """Return a function that keeps one module and one export at a time: files of 118 MB."""
    folder = tmp_path_factory.mktemp("exported")
    case = lru_cache(maxsize=1)(lambda model: MODELS[model]())

    @lru_cache(maxsize=1)
    def make(model: str, form: str) -> tuple[Case, Path]:
        shutil.rmtree(folder)
        made = folder / f"{model}-{form}"
        made.mkdir(parents=True)
        return case(model), exported(case(model)[0], FORMATS[form], made)

    yield make
    shutil.rmtree(folder)


def exported(module: tilewright.Module, form: Format, folder: Path) -> Path:
    """Export a module, check which files that makes, and return the main one."""
    files = module.export_library(folder / form.name, embed=form.embed)
    has_weights = module.manifest.weights_bytes > 0
    expected = [name for name in form.files if has_weights or not name.endswith(WEIGHTS)]
    assert plain_names(file.name for file in files) == expected
    assert {*folder.iterdir()} == {*files}
    return files[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("model", "form", "host"), CELLS)
def test_a_host_returns_the_bytes_of_the_module(request, export, model, form, host):
    start: Start = request.getfixturevalue(host)
    (module, calls), path = export(model, form)
    run = start(module, path)
    for arrays in calls:
        assert_equal(run(arrays), results(module, arrays))


def through_archives(command: Callable[[Path, Path, Path], Sequence[object]]) -> Start:
    """Return a host that reads and writes archives of numpy.

    command: returns the words that run a file on one archive and write another.
    """

    def start(module: tilewright.Module, path: Path) -> Run:
        names = [spec.name for spec in module.inputs]
        given, written = path.parent / "in.npz", path.parent / "out.npz"

        def run(arrays: Arrays) -> Arrays:
            np.savez(given, **dict(zip(names, arrays, strict=True)))
            output(*command(path, given, written))
            with np.load(written) as made:
                return [made[name] for name in made]

        return run

    return start


@pytest.fixture(scope="module")
def runtime(tmp_path_factory) -> Start:
    """Start Python with a path that holds only the runtime and numpy."""
    site = tmp_path_factory.mktemp("site")
    (site / "tilewright").mkdir()
    (site / "tilewright" / "runtime").symlink_to(RUNTIME)
    link_numpy(site)
    python = ("env", f"PYTHONPATH={site}", sys.executable, "-S", HOSTS / "runs.py")
    return through_archives(lambda *files: (*python, *files))


@pytest.fixture(scope="module")
def wheel(wheels, tmp_path_factory) -> Start:
    """Start Python in a new environment, into which the wheel of the runtime was installed."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (made,) = (path for path in wheels if path.name.startswith("tilewright_runtime"))
    options = ("--quiet", "--python", python, "install", "--no-index", "--no-deps")
    subprocess.run([sys.executable, "-m", "pip", *options, made], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    link_numpy(site)
    return through_archives(lambda *files: (python, "-I", HOSTS / "runs.py", *files))


@pytest.fixture(scope="module")
def program() -> Start:
    return through_archives(lambda path, given, written: (path, "-o", written, given))


def in_tvm_ffi(worker: WorkerProcess, tensors: str) -> Start:
    pytest.importorskip("tvm_ffi")
    pytest.importorskip(tensors)

    def start(module: tilewright.Module, path: Path) -> Run:
        filled = [(spec.dtype, len(spec.shape)) for spec in module.manifest.filled]

        def run(arrays: Arrays) -> Arrays:
            made = worker.call(f"{FOREIGN}:run", str(path), arrays, filled, tensors)
            return cut(module, made)

        return run

    return start


@pytest.fixture(scope="module")
def tvm_ffi(worker) -> Start:
    return in_tvm_ffi(worker, "numpy")


@pytest.fixture(scope="module")
def torch(worker) -> Start:
    return in_tvm_ffi(worker, "torch")


def cut(module: tilewright.Module, filled: Arrays) -> Arrays:
    """Return the outputs in what a call has filled."""
    return [np.array(part) for part in module.valid_parts(filled)]


def with_runtime(program: Path) -> Start:
    """Return a program that loads files with the C runtime."""
    return lambda _, path: lambda arrays: run_host(program, path, arrays)


@pytest.fixture(scope="module")
def loaded_c(tmp_path_factory) -> Start:
    return with_runtime(build([tool("gcc")], HOSTS / "runs.c", tmp_path_factory.mktemp("c")))


@pytest.fixture(scope="module")
def sanitized_c(tmp_path_factory) -> Start:
    return with_runtime(sanitized("runs.c", tmp_path_factory.mktemp("sanitized")))


@pytest.fixture(scope="module")
def loaded_cpp(tmp_path_factory) -> Start:
    return with_runtime(build_cpp(HOSTS / "runs.cpp", tmp_path_factory.mktemp("cpp")))


@pytest.fixture(scope="module")
def loaded_rust(tmp_path_factory) -> Start:
    return with_runtime(build_rust(HOSTS / "runs.rs", tmp_path_factory.mktemp("rust")))


@pytest.fixture(scope="module")
def linked_runtime() -> Start:
    """Link a program with a model, which it uses as a module of the runtime."""

    def start(module: tilewright.Module, path: Path) -> Run:
        program = link_runtime(HOSTS / "runs.c", path)
        return lambda arrays: run_host(program, path, arrays)

    return start


def calling(link: Callable[[Path, Path], Path]) -> Start:
    """Return a program that is linked with a model and calls it."""

    def start(module: tilewright.Module, path: Path) -> Run:
        program = link(HOSTS / "calls.c", path)
        return lambda arrays: cut(module, run_linked(program, arrays))

    return start


@pytest.fixture(scope="module")
def calling_c() -> Start:
    return calling(link_c)


@pytest.fixture(scope="module")
def calling_cpp() -> Start:
    return calling(link_cpp)


def executing(link: Callable[[Path, Path], Path], source: str) -> Start:
    """Return a program that is linked with a model and uses its executor."""

    def start(module: tilewright.Module, path: Path) -> Run:
        program, names = link(HOSTS / source, path), [spec.name for spec in module.inputs]
        return lambda arrays: run_linked(program, arrays, *names)

    return start


@pytest.fixture(scope="module")
def executing_c() -> Start:
    return executing(link_c, "executes.c")


@pytest.fixture(scope="module")
def executing_cpp() -> Start:
    return executing(link_cpp, "executes.c")


@pytest.fixture(scope="module")
def executing_rust() -> Start:
    return executing(link_rust, "executes.rs")
