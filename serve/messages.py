"""The messages of the Open Inference Protocol over gRPC, built from a table of their fields.

The field numbers are those of the protocol's protobuf package `inference`. The classes are in a
separate descriptor pool, so they do not conflict with generated code of a client in this process.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

# Fields by message: "number name type", where [] is a list and {} a map from strings.
_TABLE = {
    "ServerLiveRequest": "",
    "ServerLiveResponse": "1 live bool",
    "ServerReadyRequest": "",
    "ServerReadyResponse": "1 ready bool",
    "ModelReadyRequest": "1 name string; 2 version string",
    "ModelReadyResponse": "1 ready bool",
    "ServerMetadataRequest": "",
    "ServerMetadataResponse": "1 name string; 2 version string; 3 extensions []string",
    "ModelMetadataRequest": "1 name string; 2 version string",
    "TensorMetadata": "1 name string; 2 datatype string; 3 shape []int64",
    "ModelMetadataResponse": "1 name string; 2 versions []string; 3 platform string; "
    "4 inputs []TensorMetadata; 5 outputs []TensorMetadata",
    "InferParameter": "1 bool_param bool; 2 int64_param int64; 3 string_param string",
    "InferTensorContents": "1 bool_contents []bool; 2 int_contents []int32; "
    "3 int64_contents []int64; 4 uint_contents []uint32; 5 uint64_contents []uint64; "
    "6 fp32_contents []float; 7 fp64_contents []double; 8 bytes_contents []bytes",
    "InferInputTensor": "1 name string; 2 datatype string; 3 shape []int64; "
    "4 parameters {}InferParameter; 5 contents InferTensorContents",
    "InferRequestedOutputTensor": "1 name string; 2 parameters {}InferParameter",
    "InferOutputTensor": "1 name string; 2 datatype string; 3 shape []int64; "
    "4 parameters {}InferParameter; 5 contents InferTensorContents",
    "ModelInferRequest": "1 model_name string; 2 model_version string; 3 id string; "
    "4 parameters {}InferParameter; 5 inputs []InferInputTensor; "
    "6 outputs []InferRequestedOutputTensor; 7 raw_input_contents []bytes",
    "ModelInferResponse": "1 model_name string; 2 model_version string; 3 id string; "
    "4 parameters {}InferParameter; 5 outputs []InferOutputTensor; 6 raw_output_contents []bytes",
    "RepositoryIndexRequest": "1 repository_name string; 2 ready bool",
    "ModelIndex": "1 name string; 2 version string; 3 state string; 4 reason string",
    "RepositoryIndexResponse": "1 models []ModelIndex",
    "RepositoryModelLoadRequest": "1 repository_name string; 2 model_name string",
    "RepositoryModelLoadResponse": "",
    "RepositoryModelUnloadRequest": "1 repository_name string; 2 model_name string",
    "RepositoryModelUnloadResponse": "",
}


@cache
def message_classes() -> Any:
    """Return a namespace with a protobuf class for each message.

    Cost: imports protobuf.
    """
    protos = import_module("google.protobuf.descriptor_pb2")
    pools = import_module("google.protobuf.descriptor_pool")
    factory = import_module("google.protobuf.message_factory")
    file = protos.FileDescriptorProto(
        name="open_inference.proto", package="inference", syntax="proto3"
    )
    for name, fields in _TABLE.items():
        message = file.message_type.add(name=name)
        for row in filter(None, fields.split("; ")):
            number, label, kind = row.split()
            _add_field(message, label, int(number), kind)
    pool = pools.DescriptorPool()
    pool.Add(file)
    found = {
        name: factory.GetMessageClass(pool.FindMessageTypeByName(f"inference.{name}"))
        for name in _TABLE
    }
    return SimpleNamespace(**found)


def _add_field(message: Any, name: str, number: int, kind: str) -> None:
    if kind.startswith("{}"):
        entry = "".join(part.title() for part in name.split("_")) + "Entry"
        pair = message.nested_type.add(name=entry)
        pair.options.map_entry = True
        _add_field(pair, "key", 1, "string")
        _add_field(pair, "value", 2, kind[2:])
        kind = f"[]{message.name}.{entry}"
    field = message.field.add(name=name, number=number, label=1)
    if kind.startswith("[]"):
        kind, field.label = kind[2:], 3
    if kind[0].isupper():
        field.type, field.type_name = field.TYPE_MESSAGE, f".inference.{kind}"
    else:
        field.type = getattr(field, f"TYPE_{kind.upper()}")
    if message.name == "InferParameter":
        if not message.oneof_decl:
            message.oneof_decl.add(name="parameter_choice")
        field.oneof_index = 0
