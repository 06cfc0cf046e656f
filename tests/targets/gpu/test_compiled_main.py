"""Programs of GPUs whose main is machine code: in Python, and exported for hosts without Python."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import KernelError, OutOfRangeError, nd
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.device import gpu_driver
from tilewright.runtime.device.cuda import Cuda
from tilewright.runtime.device.hip import Hip
from tilewright.testing import models

from ...cuda_device import MockDriver, mocked
from ...driver.host_programs.hosts import NATIVE, build, build_cpp, build_rust, link_c, tool
from ...driver.host_programs.test_c_runtime import RUN, printed, ramp
from ...mock_drivers import HERE, compile_cpp

TEXTS = {
    "gather": "g (float[9, 8] x, int64[4] i) => (float[4, 8] y) { y = Gather(x, i) }",
    "computed_indices": """g (float[9, 8] x, float[4] a) => (float[4, 8] y) {
        b = Abs(a) i = Cast<to = 7>(b) y = Gather(x, i) }""",
    "branch": """g (bool c, float[8] x) => (float[8] y) {
        y = If(c) <then_branch = t () => (float[8] p) { p = Exp(x) },
                   else_branch = e () => (float[8] q) { q = Neg(x) }> }""",
    "concat": """g (float[n, 3] x, float[n, 5] z) => (float[n, 8] y) {
        a = Exp(x) y = Concat<axis = 1>(a, z) }""",
    "loop": """g (int64 n, bool c, float[3] x) => (float[3] y) {
        y = Loop(n, c, x) <body = b (int64 i, bool ci, float[3] a) => (bool co, float[3] r) {
            co = Identity(ci) r = Add(a, x) }> }""",
    "scan": """g (float[3] s, float[4, 3] x) => (float[3] f, float[4, 3] y) {
        f, y = Scan <num_scan_inputs = 1,
                     body = b (float[3] a, float[3] e) => (float[3] r, float[3] o) {
            r = Add(a, e) o = Mul(r, e) }> (s, x) }""",
}
INTEGERS = {"i": np.array([0, 8, -1, 4]), "n": np.array(3)}
X = np.random.default_rng(0).standard_normal((9, 8)).astype(np.float32)


def compiled(text: str) -> CompiledModule:
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 18]> {text}')
    return tilewright.compile(model, target="cuda", cache=False)


def inputs_of(mod: CompiledModule) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    given: list[np.ndarray] = []
    for spec in mod.inputs:
        shape = [2 if isinstance(size, str) else size for size in spec.shape]
        if spec.dtype == "float32":
            given.append(rng.uniform(0, 8, shape).astype(np.float32))
        else:
            given.append(INTEGERS.get(spec.name, np.array(True)))
    return given


def run(mod: tilewright.Module, given: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [array.numpy() for array in mod.run(given)]


@pytest.mark.parametrize("name", TEXTS)
def test_an_exported_library_has_the_results_of_the_module(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = compiled(TEXTS[name])
        driver.add(mod)
        loaded = tilewright.load_module(mod.export_library(tmp_path / "m.so")[0])
        given = inputs_of(mod)
        want, graphs = run(mod, given), driver.graphs
        for _ in range(3):  # the second call of a fixed program becomes a graph
            for got, expected in zip(run(loaded, given), want, strict=True):
                np.testing.assert_array_equal(got, expected)
        assert driver.graphs - graphs == (name in ("gather", "concat", "scan"))


def test_arrays_of_the_device_and_wrong_indices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = compiled(TEXTS["gather"])
        driver.add(mod)
        loaded = tilewright.load_module(mod.export_library(tmp_path / "m.so")[0])
        device, wrong = tilewright.device("cuda"), np.array([0, 9, 0, 0])
        copies = driver.calls("cuMemcpyDtoHAsync_v2")
        for index in ([0, 8, 1, 4], [3, 3, 2, -9]):
            x, i = nd.array(X, device), nd.array(np.array(index), device)
            y = loaded(x, i)
            assert y.device == device
            np.testing.assert_array_equal(y.numpy(), X[index])
        # In each call the indices, which are checked on the host; then the result, here.
        assert driver.calls("cuMemcpyDtoHAsync_v2") == copies + 4
        for given in (wrong, nd.array(wrong, device)):
            with pytest.raises(OutOfRangeError, match=r"-9\.\.8\n    got: 9 at \[1\]"):
                loaded(X, given)


def test_a_library_that_is_unloaded_frees_its_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, model = MockDriver(tmp_path), models.ffn_model(m=3, k=12, n=20)
    (x,) = models.inputs_for(model)
    for _ in mocked(driver, monkeypatch):
        mod = tilewright.compile(model, target="cuda", cache=False)
        driver.add(mod)
        loaded = tilewright.load_module(mod.export_library(tmp_path / "m.so")[0])
        first, held = loaded(x).numpy(), driver.used_bytes()
        for _ in range(3):
            np.testing.assert_array_equal(loaded(x).numpy(), first)
        assert driver.used_bytes() == held > 0
        del loaded
        assert driver.used_bytes() == 0


SIZES = "g (float[n, 8] x) => (int64[2, m] y) { y = NonZero(x) }"
"""A model that computes a size from elements."""


def test_main_computes_sizes_on_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = compiled(SIZES)
        driver.add(mod)
        loaded = tilewright.load_module(mod.export_library(tmp_path / "m.so")[0])
        for rows in (3, 9, 0, 4):
            x = np.where(X[:rows] > 0, X[:rows], 0).astype(np.float32)
            for each in (mod, loaded):
                np.testing.assert_array_equal(each(x).numpy(), np.stack(x.nonzero()))


def test_calls_with_equal_sizes_are_graphs_and_few_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, most = MockDriver(tmp_path), 8  # GRAPHS in device.c
    for _ in mocked(driver, monkeypatch):
        mod = compiled("g (float[n, 8] x) => (float[n, 8] y) { y = Exp(x) }")
        driver.add(mod)
        for rows in (9, *range(1, most + 2), 1):
            for call in range(2):
                np.testing.assert_allclose(mod(X[:rows]).numpy(), np.exp(X[:rows]), rtol=1e-5)
                assert call == 0 or driver.graphs <= most
        assert driver.graphs == most
        del mod
        assert driver.graphs == 0


def test_calls_on_a_stream_do_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = compiled("g (float[9, 8] x) => (float[9, 8] y) { y = Exp(x) }")
        driver.add(mod)
        devices = [tilewright.device("cuda", number) for number in range(2)]
        pairs = [(nd.array(X, each), nd.empty((9, 8), "float32", each)) for each in devices]
        for x, y in pairs:
            mod(x, y)  # it opens the program
            waits = driver.calls("cuStreamSynchronize")
            for _ in range(3):
                mod(x, y)
            assert driver.calls("cuStreamSynchronize") == waits
            np.testing.assert_allclose(y.numpy(), np.exp(X), rtol=1e-5)
        used = [driver.used_bytes(number) for number in range(2)]
        assert used[0] == used[1] > 0
        with pytest.raises(tilewright.ArgumentError, match="another device"):
            mod(pairs[0][0], pairs[1][1])


def test_python_and_c_call_functions_of_the_drivers_by_the_same_names() -> None:
    text = (NATIVE / "device.c").read_text()
    table = text[text.index("NAMES[FUNCTIONS]") : text.index("};", text.index("NAMES[FUNCTIONS]"))]
    only_in_c = {"cuStreamDestroy_v2", "hipStreamDestroy"}
    for column, driver in enumerate((Cuda, Hip)):
        names = {name for row in re.findall(r"\{(.*), (.*)\}", table) for name in [row[column]]}
        in_c = {name.strip('"') for name in names} - {""} - only_in_c
        in_python = {row[0][column] for row in gpu_driver._FUNCTIONS.values()} | {*driver.own}
        assert in_c
        assert in_c <= in_python


# -- processes without Python ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[CompiledModule, Path]:
    """A module, and a folder with its files and a driver that knows its kernels."""
    folder = tmp_path_factory.mktemp("exported")
    flags = ("-Wall", "-Wextra", "-Werror", "-Wl,-soname,libcuda.so.1")
    compile_cpp(HERE / "mock_cuda.cpp", folder / "libcuda.so.1", *flags)
    driver = MockDriver(folder)
    mod = tilewright.compile(models.ffn_model(m=4, k=8, n=8), target="cuda", cache=False)
    driver.add(mod)
    (folder / "m.ptx").write_text(mod.get_source("ptx"))
    (library,) = driver.programs.values()
    (folder / "programs").write_text(f"{folder / 'm.ptx'} {library}\n")
    for suffix in (".so", ".a", ".tar"):
        mod.export_library(folder / f"m{suffix}")
    return mod, folder


def environment(folder: Path) -> Mapping[str, str]:
    programs = str(folder / "programs")
    return {**os.environ, "LD_LIBRARY_PATH": str(folder), "MOCK_CUDA_PROGRAMS": programs}


def want() -> np.ndarray:
    mod = tilewright.compile(models.ffn_model(m=4, k=8, n=8), target="interpreter", cache=False)
    return mod(ramp(4)).numpy().ravel()


@pytest.mark.parametrize("language", ["c", "cpp", "rs"])
def test_hosts_in_other_languages(
    language: str, exported: tuple[CompiledModule, Path], tmp_path: Path
) -> None:
    _, folder = exported
    source = RUN.with_suffix(f".{language}")
    builders = {"cpp": build_cpp, "rs": build_rust}
    program = (
        build([tool("gcc")], source, tmp_path)
        if language == "c"
        else builders[language](source, tmp_path)
    )
    command = [str(program), str(folder / "m.so")]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment(folder)
    )
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(printed(done.stdout), want(), rtol=1e-5, atol=1e-6)
    absent = subprocess.run(command, capture_output=True, text=True, check=False)
    assert absent.returncode == 1
    assert "the driver of the GPU is missing" in absent.stderr


def test_a_program_that_links_the_model(
    exported: tuple[CompiledModule, Path], tmp_path: Path
) -> None:
    _, folder = exported
    source = tmp_path / "linked.c"
    source.write_text(LINKED)
    header = (folder / "m.h").read_text()
    assert "m_executor" in header
    program = link_c(source, folder / "m.a")
    done = subprocess.run(
        [str(program)], capture_output=True, text=True, check=False, env=environment(folder)
    )
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(printed(done.stdout), want(), rtol=1e-5, atol=1e-6)


def test_an_archive_runs_in_python(
    exported: tuple[CompiledModule, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mod, folder = exported
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        driver.add(mod)
        loaded = tilewright.load_module(folder / "m.tar", verify=True)
        np.testing.assert_allclose(loaded(ramp(4)).numpy().ravel(), want(), rtol=1e-5, atol=1e-6)


def test_a_process_without_the_driver(exported: tuple[CompiledModule, Path]) -> None:
    loaded = tilewright.load_module(exported[1] / "m.so")
    with pytest.raises(KernelError, match="the driver of the GPU is missing"):
        loaded(ramp(4))


LINKED = """
#include <stdio.h>
#include "m.h"

int main(void)
{
    static float x[32];
    int64_t shape[] = {4, 8};
    for (int n = 0; n < 32; n++) x[n] = (float)n / 32;
    struct m_executor *executor = m_create();
    struct tw_tensor input = m_tensor(0, x, shape);
    if (executor == NULL || m_set_input(executor, "x", &input) || m_run(executor))
        return fprintf(stderr, "%s\\n", m_last_error), 1;
    const float *y = m_get_output(executor, 0)->data;
    for (int n = 0; n < 32; n++) printf("%.9g\\n", (double)y[n]);
    m_destroy(executor);
}
"""
