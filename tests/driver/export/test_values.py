"""A model that needs values exports a program for each binding, in one file."""

from __future__ import annotations

import copy
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.module.programs import ProgramSet
from tilewright.support.diagnostics import NeedsBinding
from tilewright.testing.models import ffn_model

from .exported import plain_names

RNG = np.random.default_rng(0)
W = RNG.standard_normal((6, 6)).astype(np.float32)
BINDINGS = [{"target": [3, 8]}, {"target": np.array([-1, 2])}]


def model(w: np.ndarray = W) -> ModelProto:
    """Return y = reshape(x @ w, target), whose target is an input."""
    info = helper.make_tensor_value_info
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Reshape", ["m", "target"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "turned",
        [info("x", TensorProto.FLOAT, ["n", 6]), info("target", TensorProto.INT64, [2])],
        [info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def x(rows: int = 4) -> np.ndarray:
    return RNG.standard_normal((rows, 6)).astype(np.float32)


@pytest.fixture
def module() -> tilewright.CompiledModule:
    return tilewright.compile(model())


def loaded(path: Path) -> ProgramSet:
    made = load_module(path, verify=True)
    assert isinstance(made, ProgramSet)
    return made


def test_a_loaded_module_picks_its_program_by_value(
    module: tilewright.CompiledModule, tmp_path: Path
) -> None:
    (file,) = module.export_library(tmp_path / "m.tar", values=BINDINGS)
    made, given = loaded(file), x()
    for target in ([3, 8], [-1, 2]):
        expected = np.array(module(given, target))
        np.testing.assert_array_equal(made(given, np.array(target)), expected)
        np.testing.assert_array_equal(made(x=given, target=target), expected)
        out = np.empty_like(expected)
        made(given, target, out)
        np.testing.assert_array_equal(out, expected)
    assert np.array(made(x(6), [-1, 2])).shape == (18, 2)
    assert [spec.name for spec in made.inputs] == ["x", "target"]
    for each in (pickle.loads(pickle.dumps(made)), copy.copy(made)):
        np.testing.assert_array_equal(each(given, [3, 8]), module(given, [3, 8]))


def test_equal_weights_are_stored_once(module: tilewright.CompiledModule, tmp_path: Path) -> None:
    (file,) = module.export_library(tmp_path / "m.tar", values=BINDINGS)
    with tarfile.open(file) as tar:
        names = tar.getnames()
    assert plain_names(names) == [
        "manifest.json", "m.0.so", "m.0.json", "m.0.so.*.safetensors", "m.1.so", "m.1.json",
    ]  # fmt: skip


def test_an_unknown_value_is_an_error_that_lists_the_known_ones(
    module: tilewright.CompiledModule, tmp_path: Path
) -> None:
    (file,) = module.export_library(tmp_path / "m.tar", values=BINDINGS)
    text = r"target = \[3, 8\]; target = \[-1, 2\]\n.*got: target = \[4, 6\]"
    with pytest.raises(ArgumentError, match=text):
        loaded(file)(x(), [4, 6])
    with pytest.raises(ArgumentError, match="number of arguments"):
        loaded(file)(x())


def test_one_binding_leaves_the_signature_of_other_formats(
    module: tilewright.CompiledModule, tmp_path: Path
) -> None:
    files = module.export_library(tmp_path / "m.so", values=BINDINGS[:1])
    made, given = load_module(files[0]), x()
    assert [spec.name for spec in made.inputs] == ["x"]
    np.testing.assert_array_equal(made(given), module(given, [3, 8]))


def test_what_depends_on_the_program_is_refused(
    module: tilewright.CompiledModule, tmp_path: Path
) -> None:
    (file,) = module.export_library(tmp_path / "m.tar", values=BINDINGS)
    made = loaded(file)
    for call in (
        lambda: made.memory(),
        lambda: made.output_shapes([(4, 6), (2,)]),
    ):
        with pytest.raises(ArgumentError, match=r"ask one of module\.programs"):
            call()
    made.programs[0].load_params({"w": 2 * W})
    given = x()
    np.testing.assert_array_equal(made(given, [3, 8]), 2 * np.array(module(given, [3, 8])))


@pytest.mark.parametrize("name", ["m.tar", "m.so"])
def test_all_programs_get_new_values_of_parameters(name: str, tmp_path: Path) -> None:
    new = RNG.standard_normal((6, 6)).astype(np.float32)
    (file, *_) = tilewright.compile(model()).export_library(tmp_path / name, values=BINDINGS)
    made, expected, given = loaded(file), tilewright.compile(model(new)), x()
    assert [spec.name for spec in made.metadata.params] == ["w"]
    np.testing.assert_array_equal(made.get_params()["w"], W)
    made.save_params(tmp_path / "old.params")
    made.load_params({"w": new})
    first, second = (program.weights for program in made.programs)
    assert first is second
    for each in (made, pickle.loads(pickle.dumps(made)), copy.copy(made)):
        np.testing.assert_array_equal(each.get_params()["w"], new)
        for target in ([3, 8], [-1, 2]):
            np.testing.assert_array_equal(each(given, target), expected(given, target))
    first, second = (program.weights for program in copy.copy(made).programs)
    assert first is second
    made.load_params(tmp_path / "old.params")
    for program in made.programs:
        np.testing.assert_array_equal(program.get_params()["w"], W)


def test_wrong_parameters_change_no_program(tmp_path: Path) -> None:
    (file,) = tilewright.compile(model()).export_library(tmp_path / "m.tar", values=BINDINGS)
    made = loaded(file)
    made.programs[0].load_params({"w": 2 * W})
    before = [program.weights for program in made.programs]
    for values, text in {
        "v": "has no parameter 'v'",
        "w": "parameter w has another shape or dtype",
    }.items():
        with pytest.raises(ArgumentError, match=text):
            made.load_params({values: W[:2]})
    assert all(p.weights is b for p, b in zip(made.programs, before, strict=True))


def test_wrong_bindings_are_refused(module: tilewright.CompiledModule, tmp_path: Path) -> None:
    path = tmp_path / "m.tar"
    for values in ([], [{"target": [3, 8]}, {"x": x()}]):
        with pytest.raises(ArgumentError, match="no list of bindings"):
            module.export_library(path, values=values)
    with pytest.raises(NeedsBinding, match="target"):
        module.export_library(path, values=[{"x": x()}])
    with pytest.raises(ArgumentError, match="needs no values"):
        tilewright.compile(ffn_model(m=4, k=8, n=8)).export_library(path, values=BINDINGS)
    assert not path.exists()


def test_damaged_archives_are_refused(module: tilewright.CompiledModule, tmp_path: Path) -> None:
    (file,) = module.export_library(tmp_path / "m.tar", values=BINDINGS)
    data, rng = file.read_bytes(), np.random.default_rng(0)
    refused = 0
    for number in range(60):
        damaged = bytearray(data)
        if number % 3:
            damaged[rng.integers(len(damaged) if number % 2 else 4096)] ^= 1 << number % 8
        else:
            del damaged[rng.integers(len(damaged)) :]
        file.write_bytes(damaged)
        try:
            load_module(file, verify=True)
        except LoadError:
            refused += 1
    assert refused == 60
