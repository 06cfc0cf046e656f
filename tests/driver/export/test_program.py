"""Exported programs: files of numpy in, files or text out, in a folder without anything else."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.testing.models import ffn_model

from .exported import weights_of
from .test_load_module import compiled, floats


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [str(folder / "m"), *map(str, words)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, env={}
    )


def outputs(module: tilewright.Module, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    names = [spec.name for spec in module.outputs]
    return dict(zip(names, map(np.array, module.run(arrays)), strict=True))


def check(module: tilewright.CompiledModule, folder: Path, arrays: dict[str, np.ndarray]) -> None:
    """Compare an exported program with its module, through archives of numpy."""
    np.savez(folder / "in.npz", **arrays)
    done = run(folder, "-o", "out.npz", "in.npz")
    assert (done.returncode, done.stderr) == (0, "")
    expected = outputs(module, arrays)
    with np.load(folder / "out.npz") as made:
        assert [*made] == [*expected]
        for name, array in expected.items():
            got = made[name].view(array.dtype) if made[name].dtype.kind == "V" else made[name]
            assert (got.dtype, got.shape) == (array.dtype, array.shape)
            assert got.tobytes() == array.tobytes(), name


def cast_model(dtype: int) -> onnx.ModelProto:
    """Return a model that doubles numbers of a type."""
    node = [helper.make_node("Add", ["x", "x"], ["y"])]
    values = [helper.make_tensor_value_info(name, dtype, [3, "n"]) for name in "xy"]
    graph = helper.make_graph(node, "twice", values[:1], values[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("rows", [1, 5, 133])
def test_a_program_serves_all_sizes(tmp_path, rows):
    module = compiled(ffn_model(m="rows", k=8, n=8), specialize={"rows": [5]})
    module.export_library(tmp_path / "m")
    check(module, tmp_path, {"x": floats(rows, 8)})


@pytest.mark.parametrize(
    ("code", "dtype"),
    [
        (TensorProto.DOUBLE, "float64"),
        (TensorProto.FLOAT16, "float16"),
        (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
        (TensorProto.INT64, "int64"),
        (TensorProto.INT32, "int32"),
        (TensorProto.UINT8, "uint8"),
    ],
)
def test_programs_read_and_write_types_of_elements(tmp_path, code, dtype):
    module = compiled(cast_model(code))
    module.export_library(tmp_path / "m")
    check(module, tmp_path, {"x": np.arange(-6, 6).reshape(3, 4).astype(dtype)})


def test_a_program_cuts_inner_axes_to_the_sizes_that_data_decides(tmp_path):
    info = helper.make_tensor_value_info
    node = helper.make_node("NonZero", ["x"], ["where"])
    values = [info("x", TensorProto.FLOAT, [4, 6])], [info("where", TensorProto.INT64, None)]
    graph = helper.make_graph([node], "found", *values)
    opset = helper.make_opsetid("", 17)
    module = compiled(helper.make_model(graph, opset_imports=[opset], ir_version=8))
    module.export_library(tmp_path / "m")
    check(module, tmp_path, {"x": np.eye(4, 6, 1, dtype=np.float32)})


def test_a_program_prints_numbers(tmp_path):
    module = compiled(cast_model(TensorProto.FLOAT))
    module.export_library(tmp_path / "m")
    values = [0.5, -1.25e-20, 3e38, np.nan, 0.0, 1 / 3, 1e10, -np.inf, 49.9999999]
    np.save(tmp_path / "x.npy", np.float32(values).reshape(3, 3))
    lines = run(tmp_path, "x.npy").stdout.splitlines()
    assert lines[0] == "y: 3 x 3"
    with np.errstate(over="ignore"):
        expected = np.float32(values) * np.float32(2)
    shown = [float(word) for line in lines[1:] for word in line.split()]
    np.testing.assert_allclose(shown, expected, rtol=2e-6)
    assert [len(line.split()) for line in lines[1:]] == [3, 3, 3]


def test_a_program_prints_the_start_of_large_results(tmp_path):
    module = compiled(cast_model(TensorProto.INT64))
    module.export_library(tmp_path / "m")
    np.save(tmp_path / "x.npy", np.arange(300).reshape(3, 100))
    lines = run(tmp_path, "x=x.npy").stdout.splitlines()
    assert lines == ["y: 3 x 100", " ".join(str(2 * n) for n in range(64)) + " ", "..."]


def test_names_of_outputs_are_unicode(tmp_path):
    model = cast_model(TensorProto.FLOAT)
    model.graph.node[0].output[0] = model.graph.output[0].name = "é y"
    module = compiled(model)
    module.export_library(tmp_path / "m")
    check(module, tmp_path, {"x": floats(3, 4)})


def test_a_single_output_is_a_file_of_numpy(tmp_path):
    module = compiled(ffn_model(m=4, k=8, n=8))
    module.export_library(tmp_path / "m", embed=True)
    x = floats(4, 8)
    np.save(tmp_path / "x.npy", x)
    assert run(tmp_path, "-o", "y.npy", "x.npy").returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.array(module(x)))


@pytest.mark.parametrize("words", [("x.npy",), ("-o", "/dev/full", "x.npy")])
def test_a_full_output_is_an_error(tmp_path: Path, words: Sequence[str]) -> None:
    prepared(tmp_path)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [tmp_path / "m", *words],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


def prepared(folder: Path) -> None:
    compiled(ffn_model(m="rows", k=8, n=8)).export_library(folder / "m")
    x = floats(2, 8)
    np.save(folder / "x.npy", x)
    np.save(folder / "wide.npy", floats(2, 9))
    np.save(folder / "double.npy", np.zeros((2, 8)))
    np.save(folder / "fortran.npy", np.asfortranarray(floats(2, 8)))
    np.save(folder / "swapped.npy", x.astype(">f4"))
    np.savez(folder / "other.npz", z=floats(2, 8))
    np.savez_compressed(folder / "small.npz", x=floats(2, 8))
    (folder / "text.npy").write_text("these are no numbers")
    (folder / "empty.npy").touch()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["wide.npy"], "the tensor does not fit input x\n    expected: float32[rows, 8], row"),
        (
            ["double.npy"],
            "double.npy: does not fit x: expected float32[rows, 8], got {'descr': '<f8'",
        ),
        (["fortran.npy"], "fortran.npy: is stored column by column"),
        (["other.npz"], "other.npz: has a member without an input: z.npy"),
        (["small.npz"], "small.npz: is compressed: save it with numpy.savez"),
        (["text.npy"], "text.npy: is not a file of numpy"),
        (["empty.npy"], "empty.npy: cannot be read, or is empty"),
        (["none.npy"], "none.npy: cannot be read, or is empty"),
        (["x.npy", "x.npy"], "x.npy: is one input too many"),
        (["z=x.npy"], "z=x.npy: names no input"),
        (["-o", "y.npy"], "x: is an input without a file"),
        (["-o", "/no/folder/y.npy", "x.npy"], "/no/folder/y.npy: cannot be written"),
        (["-x"], "usage: "),
        ([], "usage: "),
    ],
)
def test_errors_are_single_messages(tmp_path, words, error):
    prepared(tmp_path)
    done = run(tmp_path, *words)
    assert done.returncode in (1, 2)
    assert error in done.stderr
    assert done.stdout == ""


def test_files_of_the_other_byte_order_are_read(tmp_path):
    prepared(tmp_path)
    assert run(tmp_path, "swapped.npy").stdout == run(tmp_path, "x.npy").stdout != ""


def test_weights_of_another_model_are_refused(tmp_path):
    prepared(tmp_path)
    weights = weights_of(tmp_path / "m")
    weights.unlink()
    done = run(tmp_path, "x.npy")
    assert done.returncode == 1
    assert f"expected: {weights.name} next to the library" in done.stderr


@pytest.mark.parametrize("name", ["x.npy", "x.npz"])
def test_damaged_inputs_are_refused(tmp_path, name):
    prepared(tmp_path)
    np.savez(tmp_path / "x.npz", x=floats(2, 8))
    data, rng = (tmp_path / name).read_bytes(), np.random.default_rng(4)
    codes: list[int] = []
    for _ in range(150):
        changed = bytearray(data)
        for at in rng.integers(0, len(data), 3):
            changed[at] = rng.integers(256)
        if rng.random() < 0.3:
            changed = changed[: rng.integers(1, len(changed))]
        (tmp_path / name).write_bytes(changed)
        codes.append(run(tmp_path, "-o", "y.npz", name).returncode)
    assert {*codes} <= {0, 1}
    assert 1 in codes


def test_a_model_that_calls_python_is_refused(tmp_path):
    from tilewright import te

    tilewright.register_func("test.export_program", lambda x, y: None, override=True)
    a = te.placeholder((4,), "float32", "a")
    b = te.extern(
        (4,),
        [a],
        lambda ins, outs: te.call_packed("test.export_program", ins[0], outs[0]),
        dtype="float32",
    )
    module: Any = tilewright.build([a, b])
    with pytest.raises(tilewright.ArgumentError, match="calls functions of its process"):
        module.export_library(tmp_path / "m")
