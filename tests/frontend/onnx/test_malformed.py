"""Malformed models: one precise error each, in limited time and memory; also valid extreme models.

The messages are compared with malformed.txt, which `python tests/frontend/onnx/malformed.py`
writes again.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tilewright.frontend.onnx.file.proto import MAX_FILE_BYTES, load
from tilewright.frontend.onnx.importer import import_model
from tilewright.support.diagnostics import ModelError
from tilewright.testing.worker import WorkerProcess
from tilewright.tools.cli import main

from . import malformed
from .malformed import CASES, info, model, nested_subgraphs, node, weight

NATIVE = str(Path(__file__).with_name("native.py"))
LIMIT_S = 10.0
EXPECTED = malformed.snapshot()


@pytest.fixture(scope="module")
def worker():
    with WorkerProcess() as made:
        made.call(f"{malformed.__file__}:message", "/does/not/exist.onnx")  # imports everything
        yield made


def written(name: str, tmp_path: Path) -> Path:
    path = tmp_path / "bad.onnx"
    path.write_bytes(CASES[name](tmp_path))
    return path


def test_the_snapshot_has_every_case():
    assert list(EXPECTED) == list(CASES)
    assert len(CASES) >= 200


@pytest.mark.parametrize("name", CASES)
def test_malformed_model_is_one_error_that_names_file_place_and_remedy(name, worker, tmp_path):
    path = written(name, tmp_path)
    said, cpu_s = worker.call(f"{malformed.__file__}:timed_message", str(path))
    assert said == EXPECTED[name]
    assert cpu_s < LIMIT_S
    assert said.startswith("bad.onnx: ")
    assert "hint: " in said


@pytest.mark.parametrize(
    "name", ["bytes: garbage", "names: cycle of two", "operand: reshape to another count"]
)
def test_tool_prints_the_error_and_no_traceback(name, tmp_path, capsys):
    assert main(["compile", str(written(name, tmp_path))]) == 1
    captured = capsys.readouterr()
    assert EXPECTED[name] in captured.err.replace(f"{tmp_path}/", "")
    assert "Traceback" not in captured.err + captured.out


def test_depth_is_what_breaks_the_model_of_nested_subgraphs():
    onnx.ModelProto().ParseFromString(nested_subgraphs(8))
    with pytest.raises(ModelError, match="does not parse"):
        load(nested_subgraphs(1000))


def test_file_beyond_protobufs_limit_is_not_read(tmp_path):
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(ModelError, match="save the weights as external data"):
        load(path)


def test_weights_beyond_2_gb_are_mapped_not_read(tmp_path):
    count = 700_000_000
    with (tmp_path / "w.bin").open("wb") as file:
        file.truncate(4 * count)
        file.seek(4 * count - 4)
        file.write(np.float32(7).tobytes())
    tensor = TensorProto(name="w", dims=[count], data_type=TensorProto.FLOAT)
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="w.bin")
    proto = model([node("Gather", ["w", "x"])], [info("x", (2,), TensorProto.INT64)])
    proto.graph.initializer.append(tensor)
    onnx.save(proto, tmp_path / "m.onnx")
    start_s = time.process_time()
    array = load(tmp_path / "m.onnx").initializers["w"]
    assert time.process_time() - start_s < 1
    assert array.nbytes > 2**31
    assert array[-1] == 7


def chain(length: int, *, backwards: bool = False) -> onnx.ModelProto:
    names = ["x", *(f"v{i}" for i in range(length - 1)), "y"]
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in pairwise(names)]
    return model(nodes[::-1] if backwards else nodes)


def import_s(proto: onnx.ModelProto) -> float:
    start_s = time.process_time()
    import_model(proto)
    return time.process_time() - start_s


@pytest.mark.slow
@pytest.mark.parametrize("backwards", [False, True])
def test_loading_50000_nodes_takes_time_in_proportion(backwards):
    proto = chain(50_000, backwards=backwards)
    start_s = time.process_time()
    assert [node.outputs for node in load(proto).nodes[-1:]] == [("y",)]
    assert time.process_time() - start_s < LIMIT_S


@pytest.mark.slow
def test_time_to_import_grows_with_the_number_of_nodes_only():
    # The faster of two, because a collection of garbage may fall into one of them.
    short_s, long_s = (min(import_s(chain(n)) for _ in range(2)) for n in (300, 3000))
    assert long_s < 30 * short_s


@pytest.mark.parametrize(
    ("proto", "inputs", "expected"),
    [
        (
            model(
                [node("Div", ["x", "w"])],
                [info("x", (3,), TensorProto.INT32)],
                weights=[weight(np.int32([-1, 0, -1]))],
            ),
            [np.int32([-(2**31), 5, 7])],
            np.int32([-(2**31), 0, -7]),
        ),
        (
            model([node("Div", ["x", "w"])], [info("x", (2,), TensorProto.INT64)],
                  weights=[weight(np.int64([-1, 0]))]),
            [np.int64([-(2**63), 5])],
            np.int64([-(2**63), 0]),
        ),
        (
            model([node("Mod", ["x", "w"])], [info("x", (2,), TensorProto.INT64)],
                  weights=[weight(np.int64([-1, 0]))]),
            [np.int64([-(2**63), 5])],
            np.int64([0, 0]),
        ),
        (
            model([node("Gather", ["w", "x"])], [info("x", (4,), TensorProto.INT64)],
                  weights=[weight(np.float32([1, 2, 3]))]),
            [np.int64([1, 2**62, -(2**63), -1])],
            None,
        ),
    ],
)  # fmt: skip
def test_extreme_values_at_run_time_neither_trap_nor_read_outside(proto, inputs, expected, worker):
    run = "run" if expected is not None else "run_unchecked"
    (got,) = worker.call(f"{NATIVE}:{run}", proto.SerializeToString(), tuple(inputs))
    if expected is None:
        # Unchecked out-of-range indices read some element; those in range are right.
        assert set(got) <= {1, 2, 3}
        assert [got[0], got[3]] == [2, 3]
    else:
        np.testing.assert_array_equal(got, expected)
