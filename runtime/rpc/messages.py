"""The table of the messages of the RPC protocol; see docs/rpc.md.

    frame = HEADER: magic, kind, status, id, length of the payload | payload

In: the fields of a request or a reply. Out: the bytes of its payload, and the reverse. The tests of
both ends, client and server, read the same table. All numbers are little-endian, and a length
precedes all data. A payload contains numbers, text and bytes only, so reading it runs no code.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

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
    """The kind of a frame: a request, a reply, an error of a request, or the end of the session.

    `ENDED` carries an error, too, after which the server closes the connection.
    """

    REQUEST = 0
    REPLY = 1
    ERROR = 2
    ENDED = 3


class RemoteTensor(NamedTuple):
    """A tensor in memory of the server.

    handle: the handle of the memory.  dtype: DLPack's data type, packed into 32 bits by
    `dtype_bits`.
    """

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
    """A row of the table of messages.

    request, reply: the kind of each field, such as u32 or text, by its name.
    """

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
    _row(23, "steps", "module:u64", "steps:text"),
    _row(
        24, "record", "function:u64 steps:u64 tasks:u64 arguments:values",
        "steps_made:u64 tasks_made:u64",
    ),
    _row(25, "count", "function:u64 arguments:values", "instructions:u64"),
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
PROXY_TABLE = (
    *TABLE[:2],
    TRACKER_TABLE[-1],
    _row(48, "park", "key:text"),
    _row(49, "attach", "key:text wait_ms:u64"),
)
"""The messages of proxies; after the last two, the connection belongs to a session."""
_ALL = *TABLE, *TRACKER_TABLE[2:], *PROXY_TABLE[3:]
BY_NAME: Mapping[str, Message] = MappingProxyType({row.name: row for row in _ALL})
BY_NUMBER: Mapping[int, Message] = MappingProxyType({row.number: row for row in _ALL})
ERROR_FIELDS: Mapping[str, str] = MappingProxyType({"kind": "text", "message": "text"})
"""The fields of a frame with the status ERROR or ENDED."""


class Reader:
    """A cursor over the bytes of a payload.

    Errors: ProtocolError for fewer bytes than a field has.
    """

    __slots__ = ("_at", "_data")

    def __init__(self, data: Buffer) -> None:
        self._data, self._at = memoryview(data), 0

    def take(self, size: int) -> memoryview:
        """Return the next ``size`` bytes and advance."""
        if size > len(self._data) - self._at:
            raise malformed("a message is shorter than its fields")
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self, form: struct.Struct) -> Any:
        """Read the next number and advance.

        form: its format.
        """
        at, self._at = self._at, self._at + form.size
        if self._at > len(self._data):
            raise malformed("a message is shorter than its fields")
        return form.unpack_from(self._data, at)[0]

    def count(self, most: int = MAX_COUNT) -> int:
        """Read the next number, the length of a list or a text.

        Errors: ProtocolError for a length above ``most``.
        """
        found = self.number(_U32)
        if found > most:
            raise malformed(f"a list of a message has {found} elements, more than {most}")
        return found

    def end(self) -> None:
        """Check that no bytes are left."""
        if self._at != len(self._data):
            raise malformed(f"a message has {len(self._data) - self._at} bytes too many")


_NONE, _INT, _BOOL, _FLOAT, _STR, _FUNCTION, _KIND_OF_TENSOR = map(
    int,
    (
        TypeIndex.NONE, TypeIndex.INT, TypeIndex.BOOL, TypeIndex.FLOAT, TypeIndex.STR,
        TypeIndex.FUNCTION, TypeIndex.TENSOR,
    ),
)  # fmt: skip
"""The type indices as plain numbers, which are faster than members of an enumeration."""
_U32, _U64, _I64, _F64 = map(struct.Struct, ("<I", "<Q", "<q", "<d"))


def _write_text(parts: list[Buffer], text: str) -> None:
    data = text.encode()
    parts += _U32.pack(len(data)), data


def _read_text(reader: Reader) -> str:
    try:
        return bytes(reader.take(reader.count(MAX_PAYLOAD_BYTES))).decode()
    except UnicodeDecodeError as err:
        raise malformed("a text of a message is not UTF-8") from err


def _write_bytes(parts: list[Buffer], data: Buffer) -> None:
    parts += _U64.pack(memoryview(data).nbytes), data


@cache
def _form_of_sizes(count: int) -> struct.Struct:
    return struct.Struct(f"<I{count}q")


@cache
def _form_of_tensor(rank: int) -> struct.Struct:
    return struct.Struct(f"<IQII{rank}q")


def _write_sizes(parts: list[Buffer], sizes: Sequence[int]) -> None:
    parts.append(_form_of_sizes(len(sizes)).pack(len(sizes), *sizes))


def _read_sizes(reader: Reader) -> tuple[int, ...]:
    count = reader.count()
    return struct.unpack(f"<{count}q", reader.take(8 * count))


def _write_shapes(parts: list[Buffer], shapes: Sequence[Sequence[int]]) -> None:
    parts.append(_U32.pack(len(shapes)))
    for shape in shapes:
        _write_sizes(parts, shape)


def _read_shapes(reader: Reader) -> list[tuple[int, ...]]:
    return [_read_sizes(reader) for _ in range(reader.count())]


def _write_value(parts: list[Buffer], value: RemoteValue) -> None:
    """Append the bytes of a value to ``parts``: its type index, then its contents."""
    if isinstance(value, RemoteTensor):
        handle, dtype, shape = value
        rank = len(shape)
        parts.append(_form_of_tensor(rank).pack(_KIND_OF_TENSOR, handle, dtype, rank, *shape))
    elif value is None:
        parts.append(_U32.pack(_NONE))
    elif isinstance(value, str):
        parts.append(_U32.pack(_STR))
        _write_text(parts, value)
    elif isinstance(value, RemoteFunction):
        parts += _U32.pack(_FUNCTION), _U64.pack(value.handle)
    elif isinstance(value, float):
        parts += _U32.pack(_FLOAT), _F64.pack(value)
    else:
        kind = _BOOL if isinstance(value, bool) else _INT
        parts += _U32.pack(kind), _I64.pack(value)


def _read_value(reader: Reader) -> RemoteValue:
    kind = reader.number(_U32)
    if kind == _NONE:
        return None
    if kind == _BOOL:
        return bool(reader.number(_I64))
    if kind == _INT:
        return reader.number(_I64)
    if kind == _FLOAT:
        return reader.number(_F64)
    if kind == _STR:
        return _read_text(reader)
    if kind == _FUNCTION:
        return RemoteFunction(reader.number(_U64))
    if kind != _KIND_OF_TENSOR:
        raise malformed(f"a value of a message has the unknown type {kind}")
    tensor = RemoteTensor(reader.number(_U64), reader.number(_U32), _read_sizes(reader))
    if len(tensor.shape) > MAX_RANK:
        raise malformed(f"a tensor of a message has {len(tensor.shape)} dimensions")
    return tensor


def _write_values(parts: list[Buffer], values: Sequence[RemoteValue]) -> None:
    parts.append(_U32.pack(len(values)))
    for value in values:
        _write_value(parts, value)


def _read_values(reader: Reader) -> list[RemoteValue]:
    return [_read_value(reader) for _ in range(reader.count())]


_WRITERS: Mapping[str, Callable[[list[Buffer], Any], None]] = MappingProxyType(
    {
        "u32": lambda parts, value: parts.append(_U32.pack(value)),
        "u64": lambda parts, value: parts.append(_U64.pack(value)),
        "text": _write_text,
        "bytes": _write_bytes,
        "sizes": _write_sizes,
        "shapes": _write_shapes,
        "values": _write_values,
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
    """Encode the fields of a payload; return the parts that form the payload.

    There are two parts if the last field has much data, which is then not copied; else one.

    fields: the kinds of the fields by name, in order.  values: their values, in the same order.
    """
    parts: list[Buffer] = []
    for kind, value in zip(fields.values(), values, strict=True):
        _WRITERS[kind](parts, value)
    if not parts or len(parts[-1]) < MAX_COUNT:
        return [b"".join(parts)]
    return [b"".join(parts[:-1]), parts[-1]]


def read(fields: Mapping[str, str], payload: Buffer) -> list[Any]:
    """Decode the fields of a payload; return their values.

    fields: the kinds of the fields by name, in order.

    Errors: ProtocolError if the payload does not have exactly these fields.
    """
    reader = Reader(payload)
    values = [_READERS[kind](reader) for kind in fields.values()]
    reader.end()
    return values


def frame(kind: int, status: int, number: int, payload: Sequence[Buffer]) -> list[Buffer]:
    """Return the parts of a frame: a header, then the payload.

    kind: the number of the message.  status: a `Status`.  number: the number of the request.
    payload: the parts of the payload.
    """
    if len(payload) == 1 and isinstance(payload[0], bytes):
        return [HEADER.pack(MAGIC, kind, status, number, 0, len(payload[0])) + payload[0]]
    size = sum(memoryview(part).nbytes for part in payload)
    first = HEADER.pack(MAGIC, kind, status, number, 0, size)
    if payload and isinstance(payload[0], bytes):
        return [first + payload[0], *payload[1:]]
    return [first, *payload]


_CALL, _REPLY = BY_NAME["call"].number, int(Status.REPLY)
_CALL_HEAD = struct.Struct("<QI")
_VOID = b"".join(written(BY_NAME["call"].reply, [[None]]))
VOID_BYTES = HEADER.size + len(_VOID)
"""The length of `void_reply`."""


def encoded_call(function: int, tensors: Sequence[RemoteTensor]) -> bytes:
    """Encode the payload of the request `call`, whose arguments are all tensors.

    The result is that of `written`, which takes arguments of any kind but is slower.

    function: the handle of the function.  tensors: its arguments.
    """
    parts = [_CALL_HEAD.pack(function, len(tensors))]
    for handle, dtype, shape in tensors:
        rank = len(shape)
        parts.append(_form_of_tensor(rank).pack(_KIND_OF_TENSOR, handle, dtype, rank, *shape))
    return b"".join(parts)


def void_reply(number: int) -> bytes:
    """Return the frame that answers the request `call` if the function returned None.

    number: the number of the request.
    """
    return HEADER.pack(MAGIC, _CALL, _REPLY, number, 0, len(_VOID)) + _VOID


_STATUSES: Mapping[int, Status] = MappingProxyType({int(each): each for each in Status})


def read_header(data: Buffer) -> tuple[int, Status, int, int]:
    """Decode the header of a frame; return kind, status, number and the size of its payload.

    Errors: ProtocolError for a header of another protocol, and for a payload that is too long.
    """
    magic, kind, number_of_status, number, zero, size = HEADER.unpack(data)
    status = _STATUSES.get(number_of_status)
    if magic != MAGIC or zero != 0 or status is None:
        raise malformed("the other end speaks another protocol")
    if size > MAX_PAYLOAD_BYTES:
        raise malformed(f"a message has {size} bytes, more than {MAX_PAYLOAD_BYTES}")
    return kind, status, number, size
