"""Constant tensors of a model: identity by content, data by reference.

``#graph.weight<"3f…">`` stands for an array in a store and costs nothing to print, compare, hash
or clone. Up to 64 elements print as values: ``#graph.weight<[1.0, 2.0] : tensor<2xf32>>``.
The arrays of longer weights are stored next to the text, in a file of the safetensors layout.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Mapping
from os import PathLike
from typing import Any, BinaryIO, TypeAlias, cast
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..support.diagnostics import ModelError
from .dtypes import ATTRIBUTES_BY_NAME, element_type, is_bool, is_float, numpy_dtype
from .shape import Tensor

Array: TypeAlias = NDArray[np.generic]

INLINE_ELEMENTS = 64
"""Weights of at most this many elements are printed with their values."""

_SAMPLE_BYTES = 1024
_COMPARED_BYTES = 1 << 20

SAFETENSORS_DTYPES = {
    "BOOL": "bool",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
}
"""Safetensors names of numpy dtypes; other dtypes are written under their numpy name."""


class Weight:
    """An array identified by its content: dtype, shape and bytes.

    Equality compares bytes, since most different weights differ early. The key is computed on first
    use, since hashing all bytes is slow.
    """

    __slots__ = ("_hash", "_key", "array")

    def __init__(self, array: Array, key: str = "") -> None:
        self.array = array
        self._key = key
        self._hash = hash((array.dtype.name, array.shape, _sample(array)))

    @property
    def key(self) -> str:
        """The content key; its first use registers the array in the store.

        If the store already holds an equal array, this weight uses that one instead.
        """
        if not self._key:
            self._key = content_key(self.array)
            self.array = STORE.add(self._key, self.array)
        return self._key

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Weight):
            return NotImplemented
        mine, yours = self.array, other.array
        return mine is yours or (
            self._hash == other._hash
            and mine.dtype == yours.dtype
            and mine.shape == yours.shape
            and _equal_bytes(mine, yours)
        )

    def __repr__(self) -> str:
        return f"Weight({self.key!r})"


class WeightStore:
    """Arrays by key, for parsing; the store holds weak references."""

    def __init__(self) -> None:
        self._arrays: WeakValueDictionary[str, Array] = WeakValueDictionary()

    def add(self, key: str, array: Array) -> Array:
        """Return the array with this key; register ``array`` if there is none."""
        return self._arrays.setdefault(key, array)

    def find(self, key: str) -> Array | None:
        """Return the array with this key, or None if it is not alive."""
        return self._arrays.get(key)


STORE = WeightStore()
"""The arrays of all weights alive in this process."""


def _flat(array: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _bytes(array: Array) -> memoryview:
    return _flat(array).data


def content_key(array: Array) -> str:
    """Return 24 hex digits that identify dtype, shape and bytes."""
    digest = hashlib.blake2b(f"{array.dtype.name}{array.shape}".encode(), digest_size=12)
    digest.update(_bytes(array))
    return digest.hexdigest()


def _sample(array: Array) -> bytes:
    """Return all bytes of a small array, else some from its start and some spread over it."""
    data = _flat(array)
    if data.size <= 2 * _SAMPLE_BYTES:
        return data.tobytes()
    return data[:_SAMPLE_BYTES].tobytes() + data[:: data.size // _SAMPLE_BYTES].tobytes()


def _equal_bytes(mine: Array, yours: Array) -> bool:
    lhs, rhs = _flat(mine), _flat(yours)
    return all(
        np.array_equal(lhs[at : at + _COMPARED_BYTES], rhs[at : at + _COMPARED_BYTES])
        for at in range(0, lhs.size, _COMPARED_BYTES)
    )


@irdl_attr_definition
class WeightAttr(Data[Weight]):
    """A constant tensor; equal to another exactly if dtype, shape and bytes are equal."""

    name = "graph.weight"

    @staticmethod
    def of(array: Array) -> WeightAttr:
        """Return the attribute for an array, which must not change afterwards."""
        view = np.asarray(array, order="C").view()
        view.flags.writeable = False
        return WeightAttr(Weight(view))

    @property
    def key(self) -> str:
        """The content key."""
        return self.data.key

    @property
    def array(self) -> Array:
        """The values, read-only and shared."""
        return self.data.array

    @property
    def type(self) -> Tensor:
        """The tensor type of the values."""
        return TensorType(element_type(self.array.dtype), self.array.shape)

    @property
    def is_inline(self) -> bool:
        """Whether the text holds the values: few elements, or a splat."""
        return self.array.size <= INLINE_ELEMENTS or _is_splat(self.array)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Weight:
        with parser.in_angle_brackets():
            key = parser.parse_optional_str_literal()
            if key is None:
                return _parse_values(parser)
            array = STORE.find(key)
            if array is None:
                raise ModelError(
                    f"weight {key} is not loaded",
                    hint="load the weights file of the text, and keep the returned weights",
                )
            return Weight(array, key)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if not self.is_inline:
                printer.print_string_literal(self.key)
                return
            flat = self.array.reshape(-1)
            if flat.size > INLINE_ELEMENTS:
                printer.print_string(f"splat {_value_text(flat[0])} : ")
            else:
                printer.print_string(f"[{', '.join(map(_value_text, flat))}] : ")
            printer.print_attribute(self.type)


def _is_splat(array: Array) -> bool:
    """Return whether all elements have the same bytes."""
    rows = _flat(array).reshape(array.size, -1)
    few = rows[:INLINE_ELEMENTS]
    return bool((few == rows[0]).all() and (rows == rows[0]).all())


def _value_text(value: np.generic) -> str:
    kind = element_type(value.dtype)
    if is_bool(kind):
        return "true" if value else "false"
    if not is_float(kind):
        return str(int(cast(Any, value)))
    number = float(cast(Any, value))
    if not math.isfinite(number):
        return f'"0x{value.tobytes()[::-1].hex()}"'
    # Use the shortest text unless rounding to f64, then to the type, changes the value.
    text = str(value)
    text = text if value.dtype.type(float(text)) == value else repr(number)
    return text if "." in text else text.replace("e", ".0e")


def _parse_values(parser: AttrParser) -> Weight:
    start = parser.pos
    is_splat = parser.parse_optional_keyword("splat") is not None
    values = (
        [_parse_value(parser)]
        if is_splat
        else parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_value(parser)
        )
    )
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    if not isinstance(type_, TensorType):
        parser.raise_error("expected a tensor type", start, parser.pos)
    tensor = cast(Tensor, type_)
    dtype = numpy_dtype(tensor.element_type)
    try:
        items = [_value(v, dtype) for v in values]
    except (ValueError, OverflowError):
        parser.raise_error(f"expected values of {tensor.element_type}", start, parser.pos)
    shape = tensor.get_shape()
    if is_splat:
        return WeightAttr.of(np.full(shape, items[0], dtype)).data
    if len(items) != math.prod(shape):
        parser.raise_error(
            f"expected {math.prod(shape)} values, got {len(items)}", start, parser.pos
        )
    return WeightAttr.of(np.array(items, dtype).reshape(shape)).data


def _parse_value(parser: AttrParser) -> bool | int | float | str:
    literal = parser.parse_optional_str_literal()
    if literal is not None:
        return literal
    flag = parser.parse_optional_boolean()
    return parser.parse_number() if flag is None else flag


def _value(value: bool | int | float | str, dtype: np.dtype[np.generic]) -> np.generic:
    if isinstance(value, str):
        return np.frombuffer(bytes.fromhex(value.removeprefix("0x"))[::-1], dtype)[0]
    return dtype.type(value)


def weights_of(root: Operation) -> dict[str, Array]:
    """Return the arrays of all weights that the text of an op refers to by key."""
    found: dict[str, Array] = {}
    for op in root.walk():
        for attr in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attr, WeightAttr) and not attr.is_inline:
                found[attr.key] = attr.array
    return found


def save_weights(root: Operation, path: str | PathLike[str]) -> None:
    """Write the arrays of :func:`weights_of` in the safetensors layout."""
    write_arrays(weights_of(root), path)


def load_weights(path: str | PathLike[str]) -> dict[str, Array]:
    """Return the arrays of a weights file; IR texts may refer to them while they are alive.

    Errors: ModelError if the file is not of this layout or an array does not match its key.
    """
    arrays = read_arrays(path)
    for key, array in arrays.items():
        if content_key(array) != key:
            raise ModelError(
                "weights file is damaged",
                expected=key,
                got=content_key(array),
                hint="write the weights again with --save-weights",
            ).named(str(path))
    return register_weights(arrays)


def register_weights(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays by key; IR texts may refer to them while they are alive."""
    return {key: STORE.add(key, array) for key, array in arrays.items()}


def write_arrays(arrays: Mapping[str, Array], path: str | PathLike[str]) -> None:
    """Write named arrays to a file in the safetensors layout."""
    with open(path, "wb") as file:
        write_arrays_to(arrays, file)


def write_arrays_to(arrays: Mapping[str, Array], file: BinaryIO) -> None:
    """Write named arrays in the safetensors layout; the data starts at a multiple of 64 bytes."""
    names = {name: tag for tag, name in SAFETENSORS_DTYPES.items()}
    header, offset = dict[str, object](), 0
    for key, array in arrays.items():
        header[key] = {
            "dtype": names.get(array.dtype.name, array.dtype.name),
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 8) % 64)
    file.write(struct.pack("<Q", len(text)) + text)
    for array in arrays.values():
        file.write(_bytes(array))


def read_arrays(path: str | PathLike[str]) -> dict[str, Array]:
    """Return the named arrays of a safetensors file, memory-mapped and read-only."""
    try:
        return arrays_in(np.memmap(path, np.uint8, "r"))
    except ModelError as err:
        raise err.named(str(path)) from err


def arrays_in(blob: NDArray[np.uint8]) -> dict[str, Array]:
    """Return the named arrays in bytes of the safetensors layout, without a copy.

    Errors: ModelError if the bytes are not of this layout.
    """
    try:
        (length,) = struct.unpack("<Q", blob[:8].tobytes())
        header = cast(dict[str, dict[str, Any]], json.loads(blob[8 : 8 + length].tobytes()))
        data = blob[8 + length :]
        return {
            key: _array_at(data, entry) for key, entry in header.items() if key != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, struct.error) as err:
        raise ModelError(
            "the weights file is not in the safetensors format",
            got=err,
            hint="write the file with tw-opt --save-weights",
        ) from err


def _array_at(data: Array, entry: Mapping[str, Any]) -> Array:
    begin, end = entry["data_offsets"]
    tag = str(entry["dtype"])
    dtype = numpy_dtype(ATTRIBUTES_BY_NAME[SAFETENSORS_DTYPES.get(tag, tag)])
    raw = np.asarray(data[begin:end])
    if raw.ctypes.data % max(dtype.itemsize, 1):
        raw = raw.copy()
    return raw.view(dtype).reshape(entry["shape"])
