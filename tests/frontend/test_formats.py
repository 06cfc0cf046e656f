"""Models of other frameworks: each is named, with the commands of its converter."""

from __future__ import annotations

import io
import json
import pickle
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.frontend.formats import EXPORTED_PROGRAM, FORMATS, contents_of, recognize
from tilewright.frontend.onnx.file.proto import load
from tilewright.tools.cli import main


def field(number, value):
    """One field of a protobuf message: an integer or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def archive(*names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(name, "{}")
    return buffer.getvalue()


GRAPH_DEF = field(1, field(1, b"x") + field(2, b"Placeholder")) + field(4, field(1, 27))
SAVED_MODEL = field(1, 1) + field(2, field(1, field(4, b"serve")) + field(2, GRAPH_DEF))
CORE_ML = field(1, 4) + field(2, field(1, b"\x0a\x01x")) + field(300, field(1, b"w"))
PADDLE = field(1, field(1, 0) + field(2, 0) + field(3, field(2, b"x"))) + field(4, field(1, 0))
CAFFE = field(1, b"LeNet") + field(100, field(1, b"conv1") + field(2, b"Convolution"))
STABLEHLO = """module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
"""
WEIGHTS = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()

# Bytes by the documented headers: the sources are in frontend/formats.py, and for the others the
# schema of the FlatBuffers (file_identifier), the HDF5, GGUF and safetensors specifications,
# ndarray.cc of MXNet (kMXAPINDArrayListMagic) and the UBJSON form that XGBoost documents.
BY_HEADER = {
    "m.tflite": ("a TensorFlow Lite model", b"\x1c\0\0\0TFL3" + bytes(24)),
    "m.ort": ("a model in ONNX Runtime's own format", b"\x1c\0\0\0ORTM" + bytes(24)),
    "m.keras": ("a Keras archive", archive("metadata.json", "config.json", "model.weights.h5")),
    "m.h5": ("an HDF5 file, such as a Keras model", b"\x89HDF\r\n\x1a\n" + bytes(24)),
    "saved_model.pb": ("a TensorFlow SavedModel", SAVED_MODEL),
    "frozen.pb": ("a frozen TensorFlow graph", GRAPH_DEF),
    "m.mlmodel": ("a Core ML model", CORE_ML),
    "m.mlirbc": ("StableHLO in MLIR's bytecode", b"ML\xefR\x0dStableHLO_v1.13.0\0"),
    "m.gguf": ("a GGUF file, which holds weights only", b"GGUF" + bytes(20)),
    "m.safetensors": (
        "a safetensors file, which holds weights only",
        len(WEIGHTS).to_bytes(8, "little") + WEIGHTS + bytes(4),
    ),
    "m-0000.params": ("parameters of an MXNet model", (0x112).to_bytes(8, "little") + bytes(16)),
    "m-symbol.json": (
        "an MXNet symbol",
        json.dumps({"nodes": [], "arg_nodes": [], "heads": []}).encode(),
    ),
    "m.pdmodel": ("a Paddle program", PADDLE),
    "inference.json": (
        "a Paddle program",
        b'{"base_code": {"magic": "pir", "version": 1}, "program": {"regions": []}}',
    ),
    "m.caffemodel": ("a Caffe model", CAFFE),
    "m.prototxt": ("a Caffe network", b'name: "n"\nlayer {\n  name: "c"\n  type: "ReLU"\n}\n'),
    "m.cfg": ("a Darknet network", b"# yolo\n[net]\nwidth=416\n\n[convolutional]\nfilters=32\n"),
    "m.weights": (
        "weights of a Darknet network",
        np.array([0, 2, 0, 5, 0], np.int32).tobytes() + bytes(16),
    ),
    "m.ubj": ("an XGBoost model", b"{L\0\0\0\0\0\0\0\x07learner{L"),
    "lgb.txt": ("a LightGBM model", b"tree\nversion=v4\nnum_class=1\n"),
    "ir.xml": ("a network in OpenVINO's IR", b'<?xml version="1.0"?>\n<net name="m" version="11">'),
    "s.pkl": ("a pickle of scikit-learn", b"\x80\x04\x95csklearn.linear_model._base\n."),
    "m.pth": ("a pickle of torch, such as a state_dict", archive("m/data.pkl", "m/version")),
    "m.so": ("compiled code", b"\x7fELF\x02\x01\x01" + bytes(57)),
    "m.a": ("compiled code", b"!<arch>\n/               "),
    "m.tar": ("compiled code", b"m.json".ljust(257, b"\0") + b"ustar\0" + b"00" + bytes(247)),
    "m.zip": ("a zip archive", archive("readme.txt")),
}


def message_of(model):
    with pytest.raises(tilewright.ModelError) as caught:
        tilewright.compile(model)
    return str(caught.value)


@pytest.mark.parametrize("file", BY_HEADER)
def test_a_file_is_named_with_its_converter(file, tmp_path):
    name, data = BY_HEADER[file]
    path = tmp_path / file
    path.write_bytes(data)
    row = recognize(contents_of(path, None))
    assert row is not None
    assert row.name == name
    for text in (message_of(path), *([] if file.endswith(".weights") else [message_of(data)])):
        assert f"{name}, not an ONNX model" in text
        assert row.advice in text


def test_folders_are_recognized(tmp_path):
    saved, package, other = (tmp_path / name for name in ("saved", "m.mlpackage", "other"))
    for folder in (saved, package, other):
        folder.mkdir()
    (saved / "saved_model.pb").write_bytes(SAVED_MODEL)
    (package / "Manifest.json").write_text("{}")
    (package / "Data").mkdir()
    assert "a TensorFlow SavedModel, not an ONNX model" in message_of(saved)
    assert "a Core ML package, not an ONNX model" in message_of(package)
    assert "model file is a folder" in message_of(other)


@pytest.mark.parametrize("command", ["compile", "run", "bench"])
def test_commands_name_the_format(command, tmp_path, capsys):
    files = {"m.tflite": BY_HEADER["m.tflite"], "m.mlir": BY_HEADER["m.mlirbc"]}
    for file, (name, data) in files.items():
        path = tmp_path / file
        path.write_bytes(data)
        assert main([command, str(path)]) == 1
        assert f"{name}, not an ONNX model" in " ".join(capsys.readouterr().err.split())


def test_every_format_but_those_of_folders_has_a_file():
    covered = {name for name, _ in BY_HEADER.values()}
    made = {
        "a torch ScriptModule",
        "a serialized function of jax.export",
        "a Core ML package",
        "StableHLO text",
        EXPORTED_PROGRAM.name,  # test_torch.py reads one
    }
    assert {row.name for row in FORMATS} == covered | made


def test_readers_of_onnx_say_who_reads_stablehlo(tmp_path):
    (tmp_path / "jax.mlir").write_text(STABLEHLO)
    for model in (tmp_path / "jax.mlir", STABLEHLO.encode()):
        with pytest.raises(
            tilewright.ModelError, match=r"StableHLO text, not an ONNX model"
        ) as err:
            load(model)
        assert "tw compile" in str(err.value)


@pytest.mark.parametrize("text", ["# a\n" * 20_000, "#loc = loc(x)\n" * 5_000, "\n" * 60_000])
def test_long_texts_are_recognized_at_once(text):
    assert recognize(contents_of(None, text.encode())) is None


def test_onnx_models_are_not_mistaken():
    value = helper.make_tensor_value_info
    x, y = value("x", TensorProto.FLOAT, [3]), value("y", TensorProto.FLOAT, [3])
    for name in ("layer { type: }", "stablehlo.add", "sklearn", "\n"):
        graph = helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], name, [x], [y])
        model = helper.make_model(graph, producer_name=name, doc_string="stablehlo. [net]\n[")
        data = model.SerializeToString()
        assert recognize(contents_of(None, data)) is None
        onnx.load_model_from_string(data)


def test_files_of_torch(tmp_path):
    torch = pytest.importorskip("torch")
    module = torch.nn.Linear(2, 3).eval()
    path = tmp_path / "m.pt"
    for legacy in (False, True):
        torch.save(module.state_dict(), path, _use_new_zipfile_serialization=not legacy)
        assert "a pickle of torch, such as a state_dict, not" in message_of(path)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_script_module_of_torch(tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "m.pt"
    torch.jit.save(torch.jit.trace(torch.nn.Linear(2, 3), torch.ones(1, 2)), path)
    assert "a torch ScriptModule, not an ONNX model" in message_of(path)


def test_pickles_of_scikit_learn(tmp_path):
    linear = pytest.importorskip("sklearn.linear_model")
    joblib = pytest.importorskip("joblib")
    model = linear.LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0])
    joblib.dump(model, tmp_path / "m.joblib")
    for given in (pickle.dumps(model), tmp_path / "m.joblib"):
        assert "a pickle of scikit-learn, not an ONNX model" in message_of(given)


def test_files_of_xgboost(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    x = np.arange(8.0).reshape(8, 1)
    model = xgboost.XGBRegressor(n_estimators=2, n_jobs=1).fit(x, x[:, 0])
    for suffix in (".json", ".ubj"):
        model.save_model(tmp_path / f"m{suffix}")
        assert "an XGBoost model, not an ONNX model" in message_of(tmp_path / f"m{suffix}")


def test_files_of_lightgbm(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    data = lightgbm.Dataset(np.arange(60.0).reshape(60, 1), np.arange(60.0))
    lightgbm.train({"verbose": -1, "num_threads": 1}, data, 2).save_model(tmp_path / "m.txt")
    assert "a LightGBM model, not an ONNX model" in message_of(tmp_path / "m.txt")


def test_files_of_hdf5(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "m.h5", "w") as file:
        file["w"] = [1.0]
    assert "an HDF5 file, such as a Keras model, not" in message_of(tmp_path / "m.h5")


def test_programs_of_jax():
    jax = pytest.importorskip("jax")
    from jax import export

    shape = jax.ShapeDtypeStruct((3,), np.float32)
    exported = export.export(jax.jit(jax.numpy.sin))(shape)
    text = exported.mlir_module().encode()
    module = tilewright.compile(text, cache=False)
    x = np.array([0, 1, 2], np.float32)
    (got,) = module.run([x])
    np.testing.assert_allclose(got, np.sin(x), atol=1e-6)
    bytecode = exported.mlir_module_serialized
    assert "StableHLO in MLIR's bytecode, not" in message_of(bytecode)
    assert "a serialized function of jax.export, not" in message_of(bytes(exported.serialize()))
