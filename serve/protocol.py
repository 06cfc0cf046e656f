"""The tensors of the Open Inference Protocol: JSON and the binary extension, to and from numpy.

A body of the binary extension is a JSON object, followed by the bytes of the tensors in row-major
order, little-endian, one after another. A header states the length of the JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

import numpy as np

from ..runtime.abi.ndarray import Array, numpy_dtype
from ..runtime.errors import ArgumentError
from ..runtime.file.manifest import TensorSpec
from .errors import RequestError
from .model import DATATYPES, Servable

HEADER_LENGTH = "inference-header-content-length"
_DTYPES = {datatype: name for name, datatype in DATATYPES.items()}


@dataclass(frozen=True)
class InferRequest:
    """An inference request.

    arrays: the inputs by name.  outputs: the names of the outputs that the client wants; empty:
    all. binary: the names of the wanted outputs that the response contains as bytes, not as JSON.
    all_binary: whether the response contains all outputs as bytes.  id: the client's name for the
    request, which the response repeats.  parameters: the parameters of the request, by name.
    """

    arrays: dict[str, Array]
    outputs: tuple[str, ...] = ()
    binary: frozenset[str] = frozenset()
    all_binary: bool = False
    id: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


def array_of_bytes(
    name: str, datatype: str, shape: Sequence[int], data: bytes | memoryview
) -> Array:
    """Return the tensor whose elements are given as row-major, little-endian bytes.

    name: the input, for messages.  datatype: the protocol's name of the element type.

    Errors: RequestError for an unknown datatype or a wrong number of bytes.
    """
    dtype = dtype_of(name, datatype)
    expected = _count(name, [*shape]) * dtype.itemsize
    if len(data) != expected:
        raise RequestError(
            f"input {name} has the wrong number of bytes",
            expected=f"{expected} for {datatype}{list(shape)}",
            got=len(data),
        )
    return np.frombuffer(data, dtype).reshape(tuple(shape))


def dtype_of(name: str, datatype: object) -> np.dtype[Any]:
    """Return the numpy type for a datatype of the protocol.

    name: the input, for messages.

    Errors: RequestError for an unknown datatype.
    """
    if not isinstance(datatype, str) or datatype not in _DTYPES:
        raise RequestError(
            f"input {name} has an unsupported datatype", expected=", ".join(_DTYPES), got=datatype
        )
    return numpy_dtype(_DTYPES[datatype])


def _count(name: str, shape: object) -> int:
    if not isinstance(shape, list) or any(type(size) is not int or size < 0 for size in shape):
        raise RequestError(
            f"input {name} has no valid shape", expected="a list of sizes from 0 on", got=shape
        )
    return prod(cast("Sequence[int]", shape))


def _array_of_json(name: str, datatype: object, shape: Any, data: object) -> Array:
    """Return the tensor whose elements JSON contains as a flat or nested list.

    A number that is not an integer is an error for an integer type: no element is rounded.
    """
    dtype, count = dtype_of(name, datatype), _count(name, shape)
    try:
        values = np.array(data)
    except ValueError as err:
        raise RequestError(f"input {name} is ragged or has no numbers", got=err) from err
    kinds = {"b": "b", "i": "iu", "u": "iu"}.get(dtype.kind, "iuf")
    if values.size and values.dtype.kind not in kinds:
        raise RequestError(
            f"input {name} has elements of another type",
            expected=datatype,
            got=f"values such as {values.reshape(-1)[0]!r}",
        )
    if values.size and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        least, most = int(values.min()), int(values.max())
        if least < limits.min or most > limits.max:
            raise RequestError(
                f"input {name} has elements outside the range of {datatype}",
                expected=f"{limits.min} to {limits.max}",
                got=f"{least} to {most}",
            )
    if values.size != count:
        raise RequestError(
            f"input {name} has the wrong number of elements",
            expected=f"{count} for the shape {list(shape)}",
            got=values.size,
        )
    return values.astype(dtype).reshape(tuple(shape))


def parse_request(body: bytes, header_length: str | None) -> InferRequest:
    """Parse the body of an inference request.

    header_length: the value of the header that states the length of the body's JSON part, in bytes;
    None: the whole body is JSON.

    Errors: RequestError for a malformed body.
    """
    length = len(body)
    if header_length is not None:
        if not header_length.isdecimal() or int(header_length) > len(body):
            raise RequestError(
                f"the header {HEADER_LENGTH} is wrong",
                expected=f"a number of bytes up to {len(body)}",
                got=header_length,
            )
        length = int(header_length)
    fields = parse_object(body[:length])
    rows = fields.get("inputs")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RequestError("the request has no list of inputs", expected='"inputs": [{…}]')
    rest, arrays = memoryview(body)[length:], dict[str, Array]()
    for row in cast("list[dict[str, Any]]", rows):
        name, used = str(row.get("name")), _binary_size(row)
        if name in arrays:
            raise RequestError(f"input {name} is given twice")
        if used is None:
            given = (row.get("datatype"), row.get("shape"), row.get("data"))
            arrays[name] = _array_of_json(name, *given)
            continue
        _count(name, row.get("shape"))
        if used > len(rest):
            raise RequestError(
                f"the bytes of input {name} are cut off", expected=used, got=len(rest)
            )
        datatype = row.get("datatype")
        arrays[name] = array_of_bytes(name, cast(str, datatype), row["shape"], rest[:used])
        rest = rest[used:]
    if len(rest):
        raise RequestError("the body has more bytes than its inputs", got=f"{len(rest)} bytes")
    return _with_outputs(fields, arrays)


def parse_object(text: bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Errors: RequestError for any other text.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise RequestError("the body is not JSON", got=err) from err
    if not isinstance(fields, dict):
        raise RequestError("the body is not a JSON object", got=type(fields).__name__)
    return cast("dict[str, Any]", fields)


def _parameters(row: Mapping[str, Any]) -> dict[str, Any]:
    parameters = row.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise RequestError("parameters are not a JSON object", got=parameters)
    return cast("dict[str, Any]", parameters)


def _binary_size(row: Mapping[str, Any]) -> int | None:
    size = _parameters(row).get("binary_data_size")
    if size is not None and (type(size) is not int or size < 0):
        raise RequestError("binary_data_size is no number of bytes", got=size)
    return size


def _with_outputs(fields: Mapping[str, Any], arrays: dict[str, Array]) -> InferRequest:
    wanted = fields.get("outputs") or []
    if not isinstance(wanted, list) or not all(isinstance(row, dict) for row in wanted):
        raise RequestError("outputs are not a list of objects", got=wanted)
    rows = cast("list[dict[str, Any]]", wanted)
    names = tuple(str(row.get("name")) for row in rows)
    parameters = _parameters(fields)
    everywhere = bool(parameters.get("binary_data_output", False))
    binary = {
        name
        for name, row in zip(names, rows, strict=True)
        if _parameters(row).get("binary_data", everywhere)
    }
    request_id = fields.get("id", "")
    if not isinstance(request_id, str):
        raise RequestError("id is not a string", got=request_id)
    return InferRequest(
        arrays, names, frozenset(binary), everywhere and not names, request_id, parameters
    )


def in_order(model: Servable, arrays: Mapping[str, Array]) -> list[Array]:
    """Return the arrays of a request in the order of the model's inputs.

    Errors: ArgumentError for missing and unknown names.
    """
    names = [spec.name for spec in model.inputs]
    if {*names} != {*arrays}:
        raise ArgumentError("the inputs are not those of the model", expected=names, got=[*arrays])
    return [arrays[name] for name in names]


def chosen(
    model: Servable, request: InferRequest, results: Sequence[Array]
) -> list[tuple[TensorSpec, Array]]:
    """Return the outputs that a request wants, each with its spec.

    results: all outputs of the model.

    Errors: RequestError for an unknown name.
    """
    known = {spec.name: (spec, each) for spec, each in zip(model.outputs, results, strict=True)}
    check_outputs(model, request)
    return [known[name] for name in request.outputs or known]


def check_outputs(model: Servable, request: InferRequest) -> None:
    """Raise an error if a request wants an output that the model does not have.

    Errors: RequestError.
    """
    known = [spec.name for spec in model.outputs]
    if unknown := [name for name in request.outputs if name not in known]:
        raise RequestError("the model has no such outputs", expected=known, got=unknown)


def response_body(
    model: Servable, fields: dict[str, Any], request: InferRequest, results: Sequence[Array]
) -> tuple[bytes, int | None]:
    """Return the body of a response to an inference request.

    The second result is the length of the JSON part if bytes follow the JSON, else None.

    model: the model that ran.  fields: name and version of the model.  request: the request.
    results: all outputs of the model.

    Errors: RequestError for infinities and NaN in JSON, which has no spelling for them.
    """
    rows: list[dict[str, Any]] = []
    data: list[bytes] = []
    for spec, array in chosen(model, request, results):
        row: dict[str, Any] = {
            "name": spec.name, "datatype": DATATYPES[spec.dtype], "shape": list(array.shape),
        }  # fmt: skip
        if request.all_binary or spec.name in request.binary:
            data.append(array.tobytes())
            row["parameters"] = {"binary_data_size": array.nbytes}
        else:
            row["data"] = _json_elements(spec, array)
        rows.append(row)
    made = {**fields, "outputs": rows} | ({"id": request.id} if request.id else {})
    head = json.dumps(made).encode()
    return b"".join([head, *data]), len(head) if data else None


def _json_elements(spec: TensorSpec, array: Array) -> list[Any]:
    values = array.reshape(-1)
    if spec.dtype in ("bfloat16", "float16"):
        values = values.astype(np.float32)
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise RequestError(
            f"output {spec.name} has infinities or NaN, which JSON cannot spell",
            hint='ask for bytes: "parameters": {"binary_data": true} in the row of the output',
        )
    return values.tolist()


def metadata(model: Servable, name: str, versions: Sequence[int]) -> dict[str, Any]:
    """Return the metadata of a model as JSON values; a size that is not a number is -1.

    name: the model.  versions: the versions that are served.
    """

    def rows(specs: Sequence[TensorSpec]) -> list[dict[str, Any]]:
        return [
            {
                "name": spec.name,
                "datatype": DATATYPES[spec.dtype],
                "shape": [
                    -1 if isinstance(size, str) or entry >= 0 else size
                    for size, entry in zip(
                        spec.shape, spec.entries or [-1] * len(spec.shape), strict=True
                    )
                ],
            }
            for spec in specs
        ]

    return {
        "name": name,
        "versions": [str(version) for version in versions],
        "platform": model.platform,
        "inputs": rows(model.inputs),
        "outputs": rows(model.outputs),
    }
