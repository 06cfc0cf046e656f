"""Reading ONNX files: each fault is one error that names it; external data stays in the folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.frontend.onnx.file.proto import load
from tilewright.support.diagnostics import ModelError


def model_of(nodes, *, inputs=("x",), outputs=("y",), weights=()):
    def info(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])

    graph = helper.make_graph(nodes, "g", [info(i) for i in inputs], [info(o) for o in outputs])
    graph.initializer.extend(weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def relu(x, y, name=""):
    return helper.make_node("Relu", [x], [y], name=name)


@pytest.mark.parametrize("data", [b"", b"garbage" * 100, b"\x00" * 64])
def test_bytes_that_are_no_model_are_refused(data):
    with pytest.raises(ModelError, match="not an ONNX model"):
        load(data)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"does not exist(?s:.)*absent\.onnx"):
        load(tmp_path / "absent.onnx")


def test_path_bytes_and_proto_give_the_same_model(tmp_path):
    proto = model_of([relu("x", "y")])
    onnx.save(proto, tmp_path / "m.onnx")
    assert load(tmp_path / "m.onnx") == load(str(tmp_path / "m.onnx")) == load(proto)
    assert load(proto.SerializeToString()) == load(proto)


def test_nodes_are_put_in_dependency_order():
    model = load(model_of([relu("a", "y", "second"), relu("x", "a", "first")]))
    assert [node.name for node in model.nodes] == ["first", "second"]


def test_unnamed_node_is_named_by_operator_and_position():
    assert load(model_of([relu("x", "y")])).nodes[0].name == "Relu_0"


@pytest.mark.parametrize(
    ("proto", "message"),
    [
        (model_of([relu("z", "y", "n")]), r"node 'n' reads the undefined value 'z'"),
        (model_of([relu("x", "a")]), r"an output is the undefined value 'y'"),
        (
            model_of([relu("b", "a", "one"), relu("a", "b", "two"), relu("x", "y")]),
            r"nodes form a cycle(?s:.)*one, two",
        ),
        (
            model_of([relu("x", "y", "one"), relu("x", "y", "two")]),
            r"value 'y' is defined twice(?s:.)*node 'one' and node 'two'",
        ),
        (model_of([relu("x", "x", "n")], outputs=("x",)), r"value 'x' is defined twice"),
        (model_of([relu("x", "y")], inputs=("x", "")), r"graph input has no name"),
        (
            model_of([relu("x", "y")], weights=[numpy_helper.from_array(np.zeros(2))]),
            r"initializer has no name",
        ),
        (model_of([helper.make_node("", ["x"], ["y"], name="n")]), r"node 'n' has no operator"),
    ],
)
def test_malformed_graph_is_one_error_that_names_the_value(proto, message):
    with pytest.raises(ModelError, match=message):
        load(proto)


def test_initializer_with_missing_bytes_is_refused():
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3], raw_data=b"\0" * 8)
    with pytest.raises(ModelError, match=r"'w'(?s:.)*12 bytes(?s:.)*8 bytes"):
        load(model_of([relu("x", "y")], weights=[weight]))


def test_initializer_with_missing_values_is_refused():
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3], float_data=[1.0])
    with pytest.raises(ModelError, match="'w' has a wrong number of values"):
        load(model_of([relu("x", "y")], weights=[weight]))


@pytest.mark.parametrize(
    "code",
    [TensorProto.BFLOAT16, TensorProto.FLOAT8E4M3FN, TensorProto.INT4, TensorProto.UINT4],
)
def test_narrow_initializers_hold_one_element_per_entry(code):
    weight = helper.make_tensor("w", code, [3], [1, 2, 3])
    array = load(model_of([relu("x", "y")], weights=[weight])).initializers["w"]
    assert array.dtype == helper.tensor_dtype_to_np_dtype(code)
    assert array.astype(np.float32).tolist() == [1, 2, 3]


def external_model(folder: Path, location: str, *, length: int = 8, offset: int = 0) -> Path:
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2])
    weight.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        weight.external_data.add(key=key, value=str(value))
    proto = model_of([helper.make_node("Add", ["x", "w"], ["y"])], weights=[weight])
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


def test_external_data_is_mapped(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "w.bin").write_bytes(np.float32([9, 1, 2]).tobytes())
    path = external_model(tmp_path, "data/w.bin", offset=4)
    array = load(path).initializers["w"]
    assert array.tolist() == [1, 2]
    assert isinstance(array, np.memmap) or isinstance(array.base, np.memmap)
    assert not array.flags.writeable


@pytest.mark.parametrize("location", ["/etc/hostname", "../w.bin", "a/../../w.bin", "C:\\w", ""])
def test_external_path_that_leaves_the_folder_is_refused(tmp_path, location):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(b"\0" * 8)
    with pytest.raises(ModelError, match=r"'w'(?s:.)*leaves the model's folder"):
        load(external_model(folder, location))


def test_external_link_that_leaves_the_folder_is_refused(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(b"\0" * 8)
    (folder / "w.bin").symlink_to(tmp_path / "w.bin")
    with pytest.raises(ModelError, match="leaves the model's folder"):
        load(external_model(folder, "w.bin"))


def test_external_data_shorter_than_claimed_is_refused(tmp_path):
    (tmp_path / "w.bin").write_bytes(b"\0" * 8)
    with pytest.raises(ModelError, match="lies outside its file"):
        load(external_model(tmp_path, "w.bin", offset=4))
    with pytest.raises(ModelError, match="has a wrong number of values"):
        load(external_model(tmp_path, "w.bin", length=4))
    with pytest.raises(ModelError, match="file is missing"):
        load(external_model(tmp_path, "other.bin"))


def test_external_data_of_a_model_in_memory_asks_for_the_path(tmp_path):
    data = external_model(tmp_path, "w.bin").read_bytes()
    with pytest.raises(ModelError, match="pass the path"):
        load(data)
