"""Recognize model files of other frameworks by their contents, and name the converter to ONNX.

Each row of `FORMATS` has a test of the contents, the packages of the converter, and the command
that converts. The tests read at most `HEAD_BYTES` of a file, or the names in a zip archive or a
folder.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from ..support.diagnostics import ModelError

HEAD_BYTES = 1 << 16
"""The number of bytes at the start of a file that the tests read."""


@dataclass(frozen=True)
class Contents:
    """The parts of a file or folder that the tests of `FORMATS` read.

    suffix: the suffix of the file's name, in lower case.  head: the first bytes of the file.
    members: the names in a zip archive, or the names of the entries of a folder.
    """

    suffix: str
    head: bytes
    members: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The start of the file as text; empty if it contains control characters."""
        if re.search(rb"[\x00-\x08\x0e-\x1f]", self.head):
            return ""
        return self.head.decode("utf-8", "replace").lstrip()

    def has_member(self, pattern: str) -> bool:
        """Return whether the name of a member matches a regular expression."""
        return any(re.fullmatch(pattern, name) for name in self.members)

    def fields(self) -> list[tuple[int, bytes | None]]:
        """Read the head as a protobuf message; return the number and the value of each field.

        The value of a numeric field is None; of any other value, only the start is returned. The
        list is empty if the head is no protobuf message.
        """
        try:
            return list(_fields(self.head))
        except ValueError:
            return []


@dataclass(frozen=True)
class Format:
    """A format of model files, and how a user converts its files to ONNX.

    name: the name of the format in messages.  matches: the test of a file's contents.  package: the
    pip packages of the converter; empty if there is no converter.  command: the command that
    converts the file ``model``; without a converter, other advice for the user.
    """

    name: str
    matches: Callable[[Contents], bool]
    command: str
    package: str = ""

    @property
    def advice(self) -> str:
        """The commands that convert a file of this format to ONNX, or other advice for the user."""
        return f"pip install {self.package}; {self.command}" if self.package else self.command


def _fields(data: bytes) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number and the start of each field in a protobuf message, which may be truncated.

    For a length-delimited field, the start is at most 64 bytes of its value; for any other field,
    it is None.
    Errors: ValueError for bytes that are no protobuf message.
    """
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        number, wire = tag >> 3, tag & 7
        if number == 0 or wire not in (0, 1, 2, 5):
            raise ValueError("no protobuf message")
        if wire == 2:
            size, position = _varint(data, position)
            yield number, data[position : position + min(size, 64)]
            position += size
        elif wire == 0:
            _, position = _varint(data, position)
            yield number, None
        else:
            position += 8 if wire == 1 else 4
            yield number, None


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Read a protobuf varint; return its value and the position after it.

    Errors: ValueError if the varint is truncated or too large.
    """
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            raise ValueError("the number is cut off")
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
    raise ValueError("the number has more than 64 bits")


def _starts(*magics: bytes, at: int = 0) -> Callable[[Contents], bool]:
    return lambda given: given.head[at:].startswith(magics)


def _member(*patterns: str) -> Callable[[Contents], bool]:
    return lambda given: all(map(given.has_member, patterns))


def _text(pattern: str) -> Callable[[Contents], bool]:
    return lambda given: re.match(pattern, given.text, re.DOTALL) is not None


def _pickle_of(*words: bytes) -> Callable[[Contents], bool]:
    def matches(given: Contents) -> bool:
        is_pickle = re.match(rb"\x80[\x02-\x05]", given.head) is not None
        return is_pickle and any(word in given.head for word in words)

    return matches


def _json_with(*keys: str) -> Callable[[Contents], bool]:
    patterns = [re.compile(rf'"{key}"\s*:') for key in keys]

    def matches(given: Contents) -> bool:
        text = given.text
        return text.startswith("{") and all(pattern.search(text) for pattern in patterns)

    return matches


def _is_safetensors(given: Contents) -> bool:
    if len(given.head) < 10 or given.head[8:9] != b"{":
        return False
    size = int.from_bytes(given.head[:8], "little")
    header = given.head[8 : 8 + size]
    if len(header) < size:
        return b'"data_offsets"' in header
    try:
        return isinstance(json.loads(header), dict)
    except ValueError:
        return False


def _is_core_ml(given: Contents) -> bool:
    """Return whether the contents are a Core ML model, a protobuf message.

    Its first fields have the numbers 1 and 2, and a later field, which holds the model, has a
    number from 200 to 3000.
    Source: Model.proto of coremltools: specificationVersion = 1, description = 2, Type >= 200.
    """
    numbers = [number for number, _ in given.fields()]
    return numbers[:2] == [1, 2] and any(200 <= number <= 3000 for number in numbers)


def _is_saved_model(given: Contents) -> bool:
    """Return whether the contents are TensorFlow's file saved_model.pb.

    Field 1 of this protobuf message is the version of the format, and field 2 holds the graphs.
    Source: saved_model.proto of TensorFlow: schema version = 1, meta graphs = 2.
    """
    fields = given.fields()
    numbers = {number for number, _ in fields}
    values = [value for number, value in fields if number == 2]
    return numbers == {1, 2} and all(value and value[0] == 0x0A for value in values)


def _is_graph_def(given: Contents) -> bool:
    """Return whether the contents are a frozen graph of TensorFlow.

    Source: graph.proto: node = 1, versions = 4, library = 2; node_def.proto: name = 1, op = 2.
    """
    fields = given.fields()
    if not {number for number, _ in fields} <= {1, 2, 3, 4}:
        return False
    first = fields[0][1] if fields else None
    return fields[:1] == [(1, first)] and first is not None and _numbers(first)[:2] == [1, 2]


def _is_paddle_program(given: Contents) -> bool:
    """Return whether the contents are a program of Paddle.

    Source: framework.proto: ProgramDesc.blocks = 1; BlockDesc: idx = 1, parent_idx = 2.
    """
    fields = given.fields()
    first = fields[0][1] if fields and fields[0][0] == 1 else None
    return first is not None and first[:1] == b"\x08" and _numbers(first)[:2] == [1, 2]


def _is_caffe_model(given: Contents) -> bool:
    """Return whether the contents are weights of Caffe with their network.

    Source: caffe.proto: NetParameter.name = 1, layers = 2 (old), layer = 100.
    """
    numbers = [number for number, _ in given.fields()]
    return numbers[:1] == [1] and 100 in numbers


def _numbers(message: bytes) -> list[int]:
    """Return the field numbers of a protobuf message, which may be truncated."""
    found: list[int] = []
    fields = _fields(message)
    while True:
        try:
            found.append(next(fields)[0])
        except (StopIteration, ValueError):
            return found


def _is_darknet_weights(given: Contents) -> bool:
    """Return whether a file .weights starts with a version of Darknet.

    The version is three 32-bit numbers: 0, then 1 or 2, then 0 to 9.
    Source: parser.c of Darknet, save_weights_upto.
    """
    words = [int.from_bytes(given.head[n : n + 4], "little") for n in (0, 4, 8)]
    return given.suffix == ".weights" and words[0] == 0 and words[1] in (1, 2) and words[2] < 10


def _python(code: str) -> str:
    return f'python -c "{code}"'


_TF2ONNX = "tf2onnx tensorflow"
_PICKLED = (
    "import joblib, skl2onnx; m = joblib.load('model'); "
    "open('model.onnx', 'wb').write(skl2onnx.to_onnx(m, X[:1]).SerializeToString())"
)
_MXNET = (
    "import mxnet; mxnet.onnx.export_model('model-symbol.json', 'model-0000.params', [shape], "
    "'float32', 'model.onnx')"
)
_CAFFE = "python -m caffe2onnx.convert --prototxt model.prototxt --caffemodel model.caffemodel"
_CORE_ML = (
    "import coremltools, onnxmltools; "
    "onnxmltools.utils.save_model(onnxmltools.convert_coreml("
    "coremltools.utils.load_spec('model')), 'model.onnx')"
)
_TORCH = "tilewright.compile(model.eval(), inputs=(x,)) in Python"
_XGBOOST = (
    "import xgboost, onnxmltools; m = xgboost.XGBRegressor(); m.load_model('model'); "
    "onnxmltools.utils.save_model(onnxmltools.convert_xgboost(m, initial_types=types), "
    "'model.onnx')"
)
_LIGHTGBM = (
    "import lightgbm, onnxmltools; onnxmltools.utils.save_model(onnxmltools.convert_lightgbm("
    "lightgbm.Booster(model_file='model'), initial_types=types), 'model.onnx')"
)
_KERAS = "import keras; keras.saving.load_model('model').export('model.onnx', format='onnx')"
_STABLEHLO = re.compile(r"(module|builtin\.module|#|//|func\.func)")

EXPORTED_PROGRAM = Format(
    "a torch ExportedProgram",
    _member(r"(.*/)?(serialized_exported_program\.json|models/.*\.json|archive_format)"),
    "tilewright.compile(torch.export.load('model.pt2')) in Python",
    "'tilewright[torch]'",
)
"""The format of torch.export.save, which frontend/torch/exported.py reads."""

FORMATS = (
    Format(
        "a TensorFlow Lite model",
        _starts(b"TFL3", at=4),
        "python -m tf2onnx.convert --tflite model.tflite --output model.onnx",
        _TF2ONNX,
    ),
    Format(
        "a model in ONNX Runtime's own format",
        _starts(b"ORTM", at=4),
        "compile the .onnx file that it was made from",
    ),
    Format(
        "a Keras archive",
        _member(r"config\.json", r"metadata\.json"),
        _python(_KERAS),
        "keras tensorflow tf2onnx",
    ),
    Format(
        "an HDF5 file, such as a Keras model",
        _starts(b"\x89HDF\r\n\x1a\n"),
        _python(_KERAS),
        "keras tensorflow tf2onnx h5py",
    ),
    Format(
        "a TensorFlow SavedModel",
        lambda given: given.has_member(r"saved_model\.pb(txt)?") or _is_saved_model(given),
        "python -m tf2onnx.convert --saved-model folder --output model.onnx",
        _TF2ONNX,
    ),
    Format(
        "a Core ML package",
        _member(r"Manifest\.json", r"Data"),
        "export the model that it was converted from; ML programs have no converter to ONNX",
    ),
    Format("a Core ML model", _is_core_ml, _python(_CORE_ML), "coremltools onnxmltools"),
    EXPORTED_PROGRAM,
    Format(
        "a torch ScriptModule",
        _member(r"[^/]+/(code|constants\.pkl|code/.*)"),
        f"{_TORCH}, with the module that it was scripted or traced from",
        "'tilewright[torch]'",
    ),
    Format(
        "a pickle of torch, such as a state_dict",
        lambda given: (
            given.has_member(r"[^/]+/data\.pkl")
            or given.head.startswith(b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")
        ),
        f"{_TORCH}, with the module that these weights belong to",
        "'tilewright[torch]'",
    ),
    Format(
        "StableHLO in MLIR's bytecode",
        # Version 0 is a program that ir/ has written.
        lambda given: given.head[:4] == b"ML\xefR" and given.head[4:5] != b"\x01",
        "write its text: open('model.mlir', 'w').write(jax.export.export(jax.jit(f))(x)"
        ".mlir_module()) in Python, or stablehlo-translate --deserialize model -o model.mlir",
    ),
    Format(
        "a serialized function of jax.export",
        lambda given: b"ML\xefR" in given.head[:4096] and b"StableHLO" in given.head,
        "write its text: open('model.mlir', 'w').write(jax.export.deserialize(bytearray("
        "open('model', 'rb').read())).mlir_module()) in Python",
    ),
    Format(
        "a GGUF file, which holds weights only",
        _starts(b"GGUF"),
        "export the model that has these weights from torch: tilewright.compile(model, inputs=)",
    ),
    Format(
        "a safetensors file, which holds weights only",
        _is_safetensors,
        "export the model that has these weights from torch: tilewright.compile(model, inputs=)",
    ),
    Format(
        "parameters of an MXNet model",
        _starts((0x112).to_bytes(8, "little")),
        _python(_MXNET),
        "mxnet",
    ),
    Format("an MXNet symbol", _json_with("nodes", "arg_nodes", "heads"), _python(_MXNET), "mxnet"),
    Format(
        "a Paddle program",
        lambda given: _is_paddle_program(given) or _json_with("base_code", "program")(given),
        "python -m paddle2onnx.command --model_dir folder --model_filename model.pdmodel "
        "--params_filename model.pdiparams --save_file model.onnx",
        "paddlepaddle paddle2onnx",
    ),
    Format("a Caffe model", _is_caffe_model, _CAFFE, "caffe2onnx"),
    Format(
        "a Caffe network",
        lambda given: re.search(r"^\s*layers?\s*\{.*type\s*:", given.text, re.M | re.S) is not None,
        _CAFFE,
        "caffe2onnx",
    ),
    Format(
        "a Darknet network",
        _text(r"(?:\s*[#;][^\n]*\n)*\s*\[(net|network)\].*\n\["),
        "load it in torch with a reader of Darknet's files, and tilewright.compile(model, inputs=)",
    ),
    Format(
        "weights of a Darknet network",
        _is_darknet_weights,
        "load them in torch with a reader of Darknet's files, and tilewright.compile(model, "
        "inputs=)",
    ),
    Format(
        "a frozen TensorFlow graph",
        _is_graph_def,
        "python -m tf2onnx.convert --graphdef model.pb --inputs x:0 --outputs y:0 "
        "--output model.onnx",
        _TF2ONNX,
    ),
    Format(
        "a pickle of scikit-learn",
        _pickle_of(b"sklearn"),
        _python(_PICKLED),
        "skl2onnx joblib",
    ),
    Format(
        "an XGBoost model",
        lambda given: (
            given.head.startswith((b"{L\x00\x00\x00\x00\x00\x00\x00\x07learner", b"binf"))
            or _json_with("learner", "version")(given)
            or _json_with("learner", "gradient_booster")(given)
        ),
        _python(_XGBOOST),
        "xgboost onnxmltools skl2onnx",
    ),
    Format(
        "a LightGBM model",
        _text(r"tree\nversion=v"),
        _python(_LIGHTGBM),
        "lightgbm onnxmltools skl2onnx",
    ),
    Format(
        "a network in OpenVINO's IR",
        _text(r"(<\?xml[^>]*>\s*)?<net\s[^>]*version="),
        "compile the model that it was converted from",
    ),
    Format(
        "StableHLO text",
        lambda given: is_stablehlo(given),
        "tilewright.compile and tw compile read it; other commands take ONNX models",
    ),
    Format(
        "compiled code",
        lambda given: (
            given.head.startswith((b"\x7fELF", b"!<arch>\n"))
            or given.head[257:].startswith((b"ustar\0", b"ustar "))
        ),
        "tilewright.load_module loads an exported module; tw run, bench, profile and inspect "
        "take it",
    ),
    Format(
        "a zip archive",
        _starts(b"PK\x03\x04"),
        "unpack the model; torch.onnx.export writes a .onnx file from a module of torch",
    ),
)


def is_stablehlo(given: Contents) -> bool:
    """Return whether the contents of a file are StableHLO text."""
    text = given.text
    return "stablehlo." in text and _STABLEHLO.match(text) is not None


def refuse_foreign(path: Path | None, data: bytes | None) -> None:
    """Check that a file, a folder or bytes hold no model in a known format other than ONNX.

    path: the file or folder; None for a model in memory.  data: the bytes of the model; None if
    they are not read yet.
    Errors: ModelError that names the format and its converter.
    """
    found = recognize(contents_of(path, data))
    if found is not None:
        raise ModelError(f"{found.name}, not an ONNX model", hint=found.advice)


def recognize(given: Contents) -> Format | None:
    """Return the format of a file's contents, or None if no row of `FORMATS` matches."""
    return next((row for row in FORMATS if row.matches(given)), None)


def contents_of(path: Path | None, data: bytes | None) -> Contents:
    """Read those parts of a folder, a file or bytes that the tests of `FORMATS` need.

    path: the file or folder; None for a model in memory.  data: the bytes of the model if they are
    already read.  If the path cannot be read, the parts are empty.
    """
    suffix = "" if path is None else path.suffix.lower()
    try:
        if path is not None and path.is_dir():
            return Contents(suffix, b"", tuple(entry.name for entry in path.iterdir()))
        if data is None and path is not None and path.is_file():
            with path.open("rb") as file:
                head = file.read(HEAD_BYTES)
        else:
            head = bytes(data[:HEAD_BYTES]) if data is not None else b""
    except (OSError, ValueError):
        return Contents(suffix, b"")
    return Contents(suffix, head, _archive_members(path, data, head))


def _archive_members(path: Path | None, data: bytes | None, head: bytes) -> tuple[str, ...]:
    if not head.startswith(b"PK\x03\x04"):
        return ()
    try:
        with zipfile.ZipFile(BytesIO(data) if data is not None else str(path)) as archive:
            return tuple(archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return ()
