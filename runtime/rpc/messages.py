"""The messages of the RPC protocol: one table, from which both ends are tested; see docs/rpc.md.

    frame = HEADER: magic, kind, status, id, length of the payload | payload

In: the fields of a request or a reply. Out: the bytes of its payload, and the reverse. All numbers
are little-endian, and a length precedes all data. A payload contains numbers, text and bytes only,
so that reading one runs no code.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from ..abi.constants import TypeIndex
from .errors import malformed

MAGIC = int.from_bytes(b"TWR1", "little")
VERSION = 1
HEADER = struct.Struct("<IHHIIQ")
"""Magic, kind of the message, status, number of the request, 0, bytes of the payload."""
MAX_CHUNK_BYTES = 8 << 20
"""The most bytes of memory or of a file in one message."""
MAX_PAYLOAD_BYTES = MAX_CHUNK_BYTES + (64 << 10)
MAX_RANK = 32
MAX_COUNT = 4096
"""The most elements of a list in a message."""

Buffer: TypeAlias = "bytes | bytearray | memoryview"


class Status(IntEnum):
    """What a frame is; `ENDED` is an error after which the server closes the connection."""

    REQUEST = 0
    REPLY = 1
    ERROR = 2
    ENDED = 3


@dataclass(frozen=True)
class RemoteTensor:
    """A tensor in memory of the server: a handle of memory, DLPack's dtype in 32 bits, a shape."""

    handle: int
    dtype: int
    shape: tuple[int, ...]


@dataclass(frozen=True)
class RemoteFunction:
    """A handle of a function in the server."""

    handle: int


RemoteValue: TypeAlias = "bool | int | float | str | RemoteTensor | RemoteFunction | None"
"""An argument or a result of a call."""


@dataclass(frozen=True)
class Message:
    """A row of the table: the number of a message, and the kinds of fields, by their names."""

    number: int
    name: str
    request: Mapping[str, str]
    reply: Mapping[str, str]


def _row(number: int, name: str, request: str, reply: str = "") -> Message:
    fields = [dict(word.split(":") for word in text.split()) for text in (request, reply)]
    return Message(number, name, *map(MappingProxyType, fields))


TABLE = (
    _row(1, "hello", "version:u32 nonce:bytes", "version:u32 nonce:bytes"),
    _row(2, "authenticate", "key:text timeout_ms:u64 proof:bytes", "facts:text proof:bytes"),
    _row(3, "ping", ""),
    _row(4, "allocate", "kind:u32 index:u32 size:u64", "memory:u64"),
    _row(5, "free", "memory:u64"),
    _row(6, "write", "memory:u64 offset:u64 data:bytes"),
    _row(7, "read", "memory:u64 offset:u64 size:u64", "data:bytes"),
    _row(8, "copy", "target:u64 target_offset:u64 source:u64 source_offset:u64 size:u64"),
    _row(9, "upload", "name:text offset:u64 data:bytes"),
    _row(10, "download", "name:text offset:u64 size:u64", "data:bytes"),
    _row(11, "file_size", "name:text", "size:u64"),
    _row(12, "remove", "name:text"),
    _row(13, "load", "name:text threads:u32", "module:u64 manifest:text"),
    _row(14, "unload", "module:u64"),
    _row(15, "find", "module:u64 name:text", "function:u64"),
    _row(16, "drop", "function:u64"),
    _row(17, "call", "function:u64 arguments:values", "result:values"),
    _row(18, "run", "module:u64 inputs:values", "outputs:values"),
    _row(19, "shapes", "module:u64 inputs:shapes", "sizes:sizes"),
    _row(
        20, "time",
        "function:u64 number:u64 repeat:u32 least_ns:u64 cooldown_ns:u64 arguments:values",
        "number:u64 elapsed_ns:sizes",
    ),
    _row(21, "devices", "kind:u32", "count:u32 attributes:text"),
    _row(22, "synchronize", "kind:u32 index:u32"),
)  # fmt: skip
"""The messages of sessions. A list, text or bytes of a message has its length before it."""
TRACKER_TABLE = (
    *TABLE[:2],
    _row(32, "announce", "device:text key:text address:text facts:text", "heartbeat_ms:u64"),
    _row(33, "leave", "device:text"),
    _row(
        34, "request",
        "job:text key:text client:text priority:u32 lease_ms:u64 wait_ms:u64 grant:u32 lost:u32",
        "state:u32 grant:u32 device:text address:text",
    ),
    _row(35, "finish", "job:text"),
    _row(36, "summary", "", "summary:text"),
)  # fmt: skip
"""The messages of trackers: the handshake is that of sessions."""
_ALL = *TABLE, *TRACKER_TABLE[2:]
BY_NAME: Mapping[str, Message] = MappingProxyType({row.name: row for row in _ALL})
BY_NUMBER: Mapping[int, Message] = MappingProxyType({row.number: row for row in _ALL})
ERROR_FIELDS: Mapping[str, str] = MappingProxyType({"kind": "text", "message": "text"})
"""The fields of a frame with the status ERROR or ENDED."""


class Reader:
    """The bytes of a payload, from the first one that is not yet read.

    Errors: ProtocolError for fewer bytes than a field has.
    """

    def __init__(self, data: Buffer) -> None:
        self._data, self._at = memoryview(data), 0

    def take(self, size: int) -> memoryview:
        """Return the next bytes."""
        if size > len(self._data) - self._at:
            raise malformed("a message is shorter than its fields")
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self, form: struct.Struct) -> Any:
        """Return the next number."""
        return form.unpack(self.take(form.size))[0]

    def count(self, most: int = MAX_COUNT) -> int:
        """Return the next number of elements."""
        found = self.number(_U32)
        if found > most:
            raise malformed(f"a list of a message has {found} elements, more than {most}")
        return found

    def end(self) -> None:
        """Check that all bytes are read."""
        if self._at != len(self._data):
            raise malformed(f"a message has {len(self._data) - self._at} bytes too many")


_U32, _U64, _I64, _F64 = (struct.Struct(f"<{code}") for code in "IQqd")


def _text(text: str) -> list[Buffer]:
    data = text.encode()
    return [_U32.pack(len(data)), data]


def _read_text(reader: Reader) -> str:
    try:
        return bytes(reader.take(reader.count(MAX_PAYLOAD_BYTES))).decode()
    except UnicodeDecodeError as err:
        raise malformed("a text of a message is not UTF-8") from err


def _bytes(data: Buffer) -> list[Buffer]:
    return [_U64.pack(memoryview(data).nbytes), data]


def _sizes(sizes: Sequence[int]) -> list[Buffer]:
    return [_U32.pack(len(sizes)), struct.pack(f"<{len(sizes)}q", *sizes)]


def _read_sizes(reader: Reader) -> tuple[int, ...]:
    count = reader.count()
    return struct.unpack(f"<{count}q", reader.take(8 * count))


def _shapes(shapes: Sequence[Sequence[int]]) -> list[Buffer]:
    return [_U32.pack(len(shapes)), *(part for shape in shapes for part in _sizes(shape))]


def _read_shapes(reader: Reader) -> list[tuple[int, ...]]:
    return [_read_sizes(reader) for _ in range(reader.count())]


def _value(value: RemoteValue) -> list[Buffer]:
    """Return the bytes of a value: its type index, then its contents."""
    if value is None:
        return [_U32.pack(TypeIndex.NONE)]
    if isinstance(value, bool):
        return [_U32.pack(TypeIndex.BOOL), _I64.pack(value)]
    if isinstance(value, int):
        return [_U32.pack(TypeIndex.INT), _I64.pack(value)]
    if isinstance(value, float):
        return [_U32.pack(TypeIndex.FLOAT), _F64.pack(value)]
    if isinstance(value, str):
        return [_U32.pack(TypeIndex.STR), *_text(value)]
    if isinstance(value, RemoteFunction):
        return [_U32.pack(TypeIndex.FUNCTION), _U64.pack(value.handle)]
    head = [_U32.pack(TypeIndex.TENSOR), _U64.pack(value.handle), _U32.pack(value.dtype)]
    return [*head, *_sizes(value.shape)]


def _read_value(reader: Reader) -> RemoteValue:
    kind = reader.number(_U32)
    if kind == TypeIndex.NONE:
        return None
    if kind == TypeIndex.BOOL:
        return bool(reader.number(_I64))
    if kind == TypeIndex.INT:
        return reader.number(_I64)
    if kind == TypeIndex.FLOAT:
        return reader.number(_F64)
    if kind == TypeIndex.STR:
        return _read_text(reader)
    if kind == TypeIndex.FUNCTION:
        return RemoteFunction(reader.number(_U64))
    if kind != TypeIndex.TENSOR:
        raise malformed(f"a value of a message has the unknown type {kind}")
    tensor = RemoteTensor(reader.number(_U64), reader.number(_U32), _read_sizes(reader))
    if len(tensor.shape) > MAX_RANK:
        raise malformed(f"a tensor of a message has {len(tensor.shape)} dimensions")
    return tensor


def _values(values: Sequence[RemoteValue]) -> list[Buffer]:
    return [_U32.pack(len(values)), *(part for value in values for part in _value(value))]


def _read_values(reader: Reader) -> list[RemoteValue]:
    return [_read_value(reader) for _ in range(reader.count())]


_WRITERS: Mapping[str, Callable[[Any], list[Buffer]]] = MappingProxyType(
    {
        "u32": lambda value: [_U32.pack(value)],
        "u64": lambda value: [_U64.pack(value)],
        "text": _text,
        "bytes": _bytes,
        "sizes": _sizes,
        "shapes": _shapes,
        "values": _values,
    }
)
_READERS: Mapping[str, Callable[[Reader], Any]] = MappingProxyType(
    {
        "u32": lambda reader: reader.number(_U32),
        "u64": lambda reader: reader.number(_U64),
        "text": _read_text,
        "bytes": lambda reader: reader.take(reader.number(_U64)),
        "sizes": _read_sizes,
        "shapes": _read_shapes,
        "values": _read_values,
    }
)


def written(fields: Mapping[str, str], values: Sequence[Any]) -> list[Buffer]:
    """Return the parts of a payload; data of a field of kind ``bytes`` is not copied.

    fields: the kinds of the fields, by name, in order.
    """
    rows = zip(fields.values(), values, strict=True)
    parts: list[Buffer] = []
    for part in (part for kind, value in rows for part in _WRITERS[kind](value)):
        is_small = isinstance(part, bytes) and bool(parts) and isinstance(parts[-1], bytes)
        if is_small and len(part) < MAX_COUNT:
            parts[-1] = bytes(parts[-1]) + part
        else:
            parts.append(part)
    return parts


def read(fields: Mapping[str, str], payload: Buffer) -> list[Any]:
    """Return the values of the fields of a payload.

    Errors: ProtocolError if the payload does not have exactly these fields.
    """
    reader = Reader(payload)
    values = [_READERS[kind](reader) for kind in fields.values()]
    reader.end()
    return values


def frame(kind: int, status: Status, number: int, payload: Sequence[Buffer]) -> list[Buffer]:
    """Return the parts of a frame: a header, then the payload."""
    size = sum(memoryview(part).nbytes for part in payload)
    first = HEADER.pack(MAGIC, kind, status, number, 0, size)
    if payload and isinstance(payload[0], bytes):
        return [first + payload[0], *payload[1:]]
    return [first, *payload]


def read_header(data: Buffer) -> tuple[int, Status, int, int]:
    """Return kind, status, number and payload bytes of a header.

    Errors: ProtocolError for a header of another protocol, and for a payload that is too long.
    """
    magic, kind, status, number, zero, size = HEADER.unpack(data)
    if magic != MAGIC or zero != 0 or status not in iter(Status):
        raise malformed("the other end speaks another protocol")
    if size > MAX_PAYLOAD_BYTES:
        raise malformed(f"a message has {size} bytes, more than {MAX_PAYLOAD_BYTES}")
    return kind, Status(status), number, size


__all__ = [
    "BY_NAME",
    "BY_NUMBER",
    "ERROR_FIELDS",
    "HEADER",
    "MAX_CHUNK_BYTES",
    "MAX_PAYLOAD_BYTES",
    "TABLE",
    "TRACKER_TABLE",
    "VERSION",
    "Buffer",
    "Message",
    "RemoteFunction",
    "RemoteTensor",
    "RemoteValue",
    "Status",
    "frame",
    "read",
    "read_header",
    "written",
]
