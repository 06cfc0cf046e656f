"""Several programs of one model in a library or an executable: the values of a call choose one."""

from __future__ import annotations

import copy
import pickle
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.module.inspection import inspect_file
from tilewright.runtime.module.programs import ProgramSet
from tilewright.testing.models import ffn_model
from tilewright.testing.worker import WorkerProcess

from ...onnx_models import onnx_model
from ..host_programs import foreign
from ..host_programs.hosts import (
    FLAGS,
    HOSTS,
    SANITIZED,
    build_cpp,
    link_c,
    link_cpp,
    link_rust,
    output,
    run_host,
    run_linked,
    sanitized,
    tool,
)
from ..host_programs.hosts import write_tensors as written
from .exported import plain_names
from .test_values import BINDINGS, W, model, x

TARGETS = [np.array([3, 8]), np.array([-1, 2])]
UNKNOWN = np.array([4, 6])
LISTED = r"expected: target = \[3, 8\]; target = \[-1, 2\]\n +got: target = \[4, 6\]"
Arrays = Sequence[np.ndarray]
Program = Callable[[Path, Arrays], list[np.ndarray]]


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return tilewright.compile(model())


def detections() -> ModelProto:
    """Return a model whose outputs have ranks by value and a size by data: rows of ones."""
    nodes = [
        helper.make_node("Reshape", ["x", "target"], ["y"]),
        helper.make_node("NonZero", ["y"], ["where"]),
    ]
    return onnx_model(
        nodes, {"x": ["n", 6], "target": (TensorProto.INT64, ["r"])}, ["y", "where"], opset=17
    )


SHAPES = [np.array(shape) for shape in ([-1], [2, -1], [2, 3, -1])]


def check(module: tilewright.CompiledModule, arrays: Arrays, made: Arrays) -> None:
    expected = [np.array(out) for out in module.run(list(arrays))]
    assert [(a.shape, a.tobytes()) for a in made] == [(a.shape, a.tobytes()) for a in expected]


@pytest.mark.parametrize("embed", [False, True])
def test_a_library_picks_its_program_by_value(module, tmp_path: Path, embed: bool) -> None:
    files = module.export_library(tmp_path / "m.so", values=BINDINGS, embed=embed)
    names = ["m.so", "m.so.*.safetensors"][: 2 - embed]
    assert plain_names(file.name for file in files) == names
    made = load_module(files[0], verify=True)
    assert isinstance(made, ProgramSet)
    assert [spec.name for spec in made.inputs] == ["x", "target"]
    for target in TARGETS:
        given = x(4)
        check(module, [given, target], [np.array(made(given, target))])
    with pytest.raises(ArgumentError, match=LISTED):
        made(x(), UNKNOWN)


@pytest.mark.parametrize("embed", [False, True])
def test_replaced_parameters_of_one_program_pass_through_pickle(
    module, tmp_path: Path, embed: bool
) -> None:
    files = module.export_library(tmp_path / "m.so", values=BINDINGS, embed=embed)
    made, given = load_module(files[0]), x()
    assert isinstance(made, ProgramSet)
    made.programs[0].load_params({"w": 2 * W})
    expected = [2 * np.array(module(given, TARGETS[0])), np.array(module(given, TARGETS[1]))]
    for each in (made, pickle.loads(pickle.dumps(made)), copy.copy(made)):
        for target, array in zip(TARGETS, expected, strict=True):
            np.testing.assert_array_equal(each(given, target), array)
    for program, array in zip(made.programs, expected, strict=True):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(program))(given), array)


def test_equal_weights_are_stored_once(module, tmp_path: Path) -> None:
    sizes = {
        len(bindings): module.export_library(tmp_path / "m.so", values=bindings)[1].stat().st_size
        for bindings in (BINDINGS[:1], BINDINGS)
    }
    assert sizes[1] == sizes[2]
    report = inspect_file(tmp_path / "m.so")
    assert report.bindings == ("target = [3, 8]", "target = [-1, 2]")
    assert [spec.name for spec in report.params] == ["w"]


def test_the_c_runtime_picks_the_program(module, tmp_path: Path) -> None:
    host = sanitized("runs.c", tmp_path)
    module.export_library(tmp_path / "m.so", values=BINDINGS)
    for target in TARGETS:
        given = x(4)
        check(module, [given, target], run_host(host, tmp_path / "m.so", [given, target]))
    command = [host, tmp_path / "m.so", written(tmp_path / "in.bin", [x(), UNKNOWN]), "out.bin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=SANITIZED)
    assert done.returncode == 1
    assert "expected: target = [3, 8]; target = [-1, 2]\n" in done.stdout
    assert "got: target = [4, 6]\n" in done.stdout


def test_cpp_makes_outputs_of_the_rank_of_the_program(tmp_path: Path) -> None:
    module = tilewright.compile(detections())
    module.export_library(tmp_path / "m.so", values=[{"target": each} for each in SHAPES])
    host = build_cpp(HOSTS / "runs.cpp", tmp_path)
    for target in SHAPES:
        given = np.eye(4, 6, dtype=np.float32)
        check(module, [given, target], run_host(host, tmp_path / "m.so", [given, target]))
        made = load_module(tmp_path / "m.so")
        check(module, [given, target], [np.array(out) for out in made.run([given, target])])


def test_tvm_ffi_picks_the_program(module, worker: WorkerProcess, tmp_path: Path) -> None:
    pytest.importorskip("tvm_ffi")
    native = str(Path(foreign.__file__))
    module.export_library(tmp_path / "m.so", values=BINDINGS)
    for target in TARGETS:
        given = x(4)
        filled = [("float32", 2)]
        made = worker.call(
            f"{native}:run", str(tmp_path / "m.so"), [given, target], filled, "numpy"
        )
        check(module, [given, target], made)
    with pytest.raises(ValueError, match=LISTED):
        worker.call(f"{native}:run", str(tmp_path / "m.so"), [x(), UNKNOWN], filled, "numpy")
    with pytest.raises(TypeError, match=r"argument 1 \(target\) cannot choose a program"):
        worker.call(f"{native}:call", str(tmp_path / "m.so"), [x(), x()], [x()])
    with pytest.raises(TypeError, match="wrong number of arguments"):
        worker.call(f"{native}:call", str(tmp_path / "m.so"), [x()], [])


@pytest.mark.parametrize("embed", [False, True])
def test_an_executable_picks_the_program(tmp_path: Path, embed: bool) -> None:
    module = tilewright.compile(detections())
    values = [{"target": each} for each in SHAPES]
    module.export_library(tmp_path / "m", values=values, embed=embed)
    for target in SHAPES:
        given = np.eye(4, 6, dtype=np.float32)
        np.savez(tmp_path / "in.npz", x=given, target=target)
        output(tmp_path / "m", "-o", tmp_path / "out.npz", tmp_path / "in.npz")
        with np.load(tmp_path / "out.npz") as made:
            check(module, [given, target], [made["y"], made["where"]])
    np.save(tmp_path / "x.npy", x())
    np.save(tmp_path / "target.npy", UNKNOWN)
    command = [tmp_path / "m", tmp_path / "x.npy", tmp_path / "target.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "got: target = [4, 6]" in done.stderr


@pytest.mark.parametrize(
    ("name", "embed", "link"),
    [
        ("m.o", False, link_c),
        ("m.o", True, link_cpp),
        ("m.a", True, link_c),
        ("m.a", False, link_rust),
    ],
)
def test_an_executor_of_an_object_picks_the_program(name, embed, link, tmp_path: Path) -> None:
    module = tilewright.compile(detections())
    values = [{"target": each} for each in SHAPES]
    files = module.export_library(tmp_path / name, values=values, embed=embed)
    source = "executes.rs" if link is link_rust else "executes.c"
    program = link(HOSTS / source, files[0])
    for target in SHAPES:
        given = np.eye(4, 6, dtype=np.float32)
        made = run_linked(program, [given, target], "x", "target")
        check(module, [given, target], made)
    inputs = written(tmp_path / "in.bin", [x(), UNKNOWN])
    command = [program, inputs, tmp_path / "out.bin", "x", "target"]
    # After an error the program ends without freeing its executor.
    env = {**SANITIZED, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode != 0
    assert "got: target = [4, 6]" in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["m.o", "m.a"])
def test_calls_of_an_object_pick_the_program(name: str, module, tmp_path: Path) -> None:
    files = module.export_library(tmp_path / name, values=BINDINGS)
    assert [file.suffix for file in files] == [name[1:], ".h", ".safetensors"]
    assert inspect_file(files[0]).bindings == ("target = [3, 8]", "target = [-1, 2]")
    (tmp_path / "calls.c").write_text(CALLS)
    program = link_c(tmp_path / "calls.c", files[0])
    given = x(4)
    for target in TARGETS:
        (made,) = run_linked(program, [given, target])
        expected = np.array(module(given, target))
        assert made.tobytes() == expected.tobytes()


def test_an_object_of_one_program_ignores_the_choice_of_a_library(module, tmp_path: Path) -> None:
    """A shared object with several programs exports the function that an executor looks for."""
    module.export_library(tmp_path / "libset.so", values=BINDINGS, embed=True)
    single = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    single.export_library(tmp_path / "m.o", embed=True)
    made, given = tmp_path / "program", np.ones((4, 8), np.float32)
    command = [tool("gcc"), *FLAGS, f"-I{tmp_path}", f"-I{HOSTS}", "-o", made]
    libraries = [f"-L{tmp_path}", "-Wl,--no-as-needed", "-lset", f"-Wl,-rpath,{tmp_path}"]
    files = [HOSTS / "executes.c", tmp_path / "m.o", *libraries]
    subprocess.run([*command, *files], check=True)
    name = single.inputs[0].name
    (result,) = run_linked(made, [given], name)
    np.testing.assert_array_equal(result, np.array(single(given)))


CALLS = """
#include "arrays.h"
#include "m.h"

int main(int argc, char **argv)
{
    int32_t count;
    FILE *file = open_tensors(argv[1], &count);
    struct header x = read_header(file);
    struct tw_tensor tensors[M_ARGUMENTS];
    static float elements[64], results[64];
    tensors[0] = m_tensor(0, elements, x.shape);
    read_elements(file, &tensors[0]);
    struct header target = read_header(file);
    int64_t values[2], shape[2] = {3, 8};
    tensors[1] = m_tensor(1, values, target.shape);
    read_elements(file, &tensors[1]);
    fclose(file);
    if (values[0] == -1) {
        shape[0] = x.shape[0] * 3;
        shape[1] = 2;
    }
    tensors[2] = m_tensor(2, results, shape);
    tensors[2].rank = 2;
    if (argc != 3 || m_call(tensors) != 0)
        return puts(m_last_error), 1;
    write_arrays(argv[2], &tensors[2], 1);
    m_release();
    return 0;
}
"""


def test_other_formats_hold_no_programs(module, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="names no format"):
        module.export_library(tmp_path / "m.wasm", values=BINDINGS)
    assert not [*tmp_path.iterdir()]


def test_damaged_libraries_are_refused(module, tmp_path: Path) -> None:
    file, weights = module.export_library(tmp_path / "m.so", values=BINDINGS)
    rng, refused = np.random.default_rng(0), 0
    for path in (file, weights):
        data = path.read_bytes()
        for number in range(40):
            damaged = bytearray(data)
            if number % 4:
                damaged[rng.integers(len(damaged))] ^= 1 << number % 8
            else:
                del damaged[rng.integers(len(damaged)) :]
            path.write_bytes(damaged)
            with pytest.raises(LoadError):
                load_module(file, verify=True)
            refused += 1
        path.write_bytes(data)
    assert refused == 80
    assert isinstance(load_module(file, verify=True), ProgramSet)
