"""A host in another process, through a socket or a pipe.

Several threads may use a host; their requests take turns. Chunks of a large transfer are sent
without waiting for the replies between them. A handle that Python's garbage collector drops is
freed with the next request, because a collection may happen inside of a request.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..abi.library import LoadError
from ..errors import KernelError
from .channels import Channel
from .errors import RpcError, error_of_kind, malformed
from .messages import (
    BY_NAME,
    ERROR_FIELDS,
    HEADER,
    MAX_CHUNK_BYTES,
    VERSION,
    Buffer,
    RemoteValue,
    Status,
    frame,
    read,
    read_header,
    written,
)
from .proof import Handshake, is_equal, new_nonce

_MAX_CHUNKS = 8
"""Chunks of a transfer that wait for their replies."""


class RemoteHost:
    """One session with another process; see `Host` for the operations."""

    def __init__(
        self, channel: Channel, *, key: str = "", token: str = "", timeout_s: float = 0
    ) -> None:
        """Begin a session.

        key: what the client asks for, such as ``rpi4``.  token: the secret that both ends know.
        timeout_s: the longest duration of the session; 0 is the longest that the server allows.
        Errors: RpcError if the server refuses the token, or does not know the token itself.
        """
        self._channel, self._lock, self._number = channel, threading.Lock(), 0
        self._dropped: deque[tuple[str, int]] = deque()
        self._ended: RpcError | None = None
        try:
            self.facts = self._begin(key, token, int(1000 * timeout_s))
        except BaseException:
            channel.close()
            raise

    def _begin(self, key: str, token: str, timeout_ms: int) -> Mapping[str, Any]:
        own = new_nonce()
        version, nonce = self._request("hello", VERSION, own)
        if version != VERSION:
            raise malformed(f"the server speaks version {version}, not {VERSION}")
        handshake = Handshake(token.encode(), bytes(nonce), own)
        proof = handshake.of_client(key, timeout_ms)
        facts, proof = self._request("authenticate", key, timeout_ms, proof)
        if not is_equal(proof, handshake.of_server()):
            raise RpcError(
                "the server does not know the token of this client",
                hint="pass the token with which the server was started",
            )
        return json.loads(facts)

    def close(self) -> None:
        """End the session; later requests raise an RpcError."""
        with self._lock:
            self._ended = self._ended or RpcError("the session is closed", hint="connect again")
            self._channel.close()

    @property
    def is_open(self) -> bool:
        """Whether requests are possible."""
        return self._ended is None

    def drop_later(self, name: str, handle: int) -> None:
        """Send a message about a handle with the next request; a finalizer may call this."""
        self._dropped.append((name, handle))

    def ping(self) -> None:
        """Do nothing. The time of this call is the round-trip time of the connection."""
        self._request("ping")

    def allocate(self, kind: int, index: int, size: int) -> int:
        """Return a handle of new memory of a device."""
        return self._request("allocate", kind, index, size)[0]

    def free(self, memory: int) -> None:
        """Free memory."""
        self._request("free", memory)

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        """Copy bytes into memory, in chunks."""
        view = memoryview(data).cast("B")
        self._transfer(
            [("write", (memory, offset + at, view[at:end])) for at, end in _chunks(view.nbytes)]
        )

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        """Return bytes of memory."""
        made = bytearray(size)
        self.read_into(memory, offset, memoryview(made))
        return made

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        """Copy bytes of memory into memory of this process, in chunks."""
        rows = [
            ("read", (memory, offset + at, end - at), target[at:end])
            for at, end in _chunks(target.nbytes)
        ]
        self._transfer([row[:2] for row in rows], [row[2] for row in rows])

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        """Copy bytes within a device."""
        self._request("copy", target, target_offset, source, source_offset, size)

    def upload(
        self,
        name: str,
        offset: int,
        data: Buffer,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Append bytes to a file, in chunks.

        progress: called with the number of bytes that are sent, and of all bytes.
        """
        view = memoryview(data).cast("B")
        rows = [("upload", (name, offset + at, view[at:end])) for at, end in _chunks(view.nbytes)]
        for first in range(0, len(rows), _MAX_CHUNKS):
            self._transfer(rows[first : first + _MAX_CHUNKS])
            if progress is not None:
                progress(min(view.nbytes, (first + _MAX_CHUNKS) * MAX_CHUNK_BYTES), view.nbytes)

    def download(self, name: str, offset: int, size: int) -> Buffer:
        """Return bytes of a file."""
        made = bytearray(size)
        chunks = list(_chunks(size))
        requests = [("download", (name, offset + at, end - at)) for at, end in chunks]
        self._transfer(requests, [memoryview(made)[at:end] for at, end in chunks])
        return made

    def file_size(self, name: str) -> int:
        """Return the length of a file."""
        return self._request("file_size", name)[0]

    def remove(self, name: str) -> None:
        """Remove a file."""
        self._request("remove", name)

    def load(self, name: str, threads: int) -> tuple[int, str]:
        """Load a module of an uploaded file; return its handle and its manifest."""
        try:
            module, manifest = self._request("load", name, threads)
        except KernelError as err:
            raise LoadError(
                err.rule, hint="upload the file again; if it stays so, export the model again"
            ) from err
        return module, manifest

    def unload(self, module: int) -> None:
        """Drop a module."""
        self._request("unload", module)

    def find(self, module: int, name: str) -> int:
        """Return a handle of a function."""
        return self._request("find", module, name)[0]

    def drop(self, function: int) -> None:
        """Drop a handle of a function."""
        self._request("drop", function)

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Call a function; return its result as a list of one value."""
        return self._request("call", function, arguments)[0]

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Run the main function on inputs; return its outputs."""
        return self._request("run", module, inputs)[0]

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        """Return the sizes of all outputs for inputs of these shapes."""
        return self._request("shapes", module, inputs)[0]

    def time(
        self,
        function: int,
        number: int,
        repeat: int,
        least_ns: int,
        cooldown_ns: int,
        arguments: Sequence[RemoteValue],
    ) -> tuple[int, Sequence[int]]:
        """Measure calls in the host."""
        fields = (function, number, repeat, least_ns, cooldown_ns, arguments)
        count, elapsed_ns = self._request("time", *fields)
        return count, elapsed_ns

    def devices(self, kind: int) -> tuple[int, str]:
        """Return the number of devices of a kind, and the attributes of each as JSON."""
        count, attributes = self._request("devices", kind)
        return count, attributes

    def synchronize(self, kind: int, index: int) -> None:
        """Wait until a device has done all queued work."""
        self._request("synchronize", kind, index)

    def _request(self, name: str, *fields: Any) -> list[Any]:
        """Send a message; return the fields of the reply.

        Errors: the error of the host, or RpcError.
        """
        with self._lock:
            self._flush()
            number = self._send(name, fields)
            reply = self._receive(name, number)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _transfer(
        self, requests: Sequence[tuple[str, tuple[Any, ...]]], targets: Sequence[memoryview] = ()
    ) -> None:
        """Send messages without waiting for each reply; raise the first error.

        targets: the memory that the data of each reply is stored in.
        """
        failed: list[Exception] = []
        with self._lock:
            self._flush()
            waiting: deque[tuple[str, int, memoryview | None]] = deque()
            for at, (name, fields) in enumerate(requests):
                target = targets[at] if targets else None
                waiting.append((name, self._send(name, fields), target))
                if len(waiting) == _MAX_CHUNKS or at == len(requests) - 1:
                    while waiting:
                        reply = self._receive(*waiting.popleft())
                        failed += [reply] if isinstance(reply, Exception) else []
        if failed:
            raise failed[0]

    def _flush(self) -> None:
        """Send the messages of `drop_later`."""
        while self._dropped:
            name, handle = self._dropped.popleft()
            self._receive(name, self._send(name, (handle,)))

    def _send(self, name: str, fields: Sequence[Any]) -> int:
        if self._ended is not None:
            raise self._ended
        message = BY_NAME[name]
        self._number = (self._number + 1) % (1 << 32)
        parts = frame(
            message.number, Status.REQUEST, self._number, written(message.request, fields)
        )
        try:
            self._channel.send(parts)
        except RpcError as err:
            raise self._end(self._last_words() or err) from err
        return self._number

    def _last_words(self) -> RpcError | None:
        """Return why the server has ended the session, if it says so."""
        try:
            reply = self._receive("ping", -1)
        except RpcError as err:
            return err
        return reply if isinstance(reply, RpcError) else None

    def _receive(
        self, name: str, number: int, target: memoryview | None = None
    ) -> list[Any] | Exception:
        """Return the fields of a reply, or the error of the host.

        target: the memory for the data of the reply.
        Errors: RpcError if the session ends.
        """
        try:
            return self._reply(name, number, target)
        except RpcError as err:
            raise self._end(err) from None

    def _reply(self, name: str, number: int, target: memoryview | None) -> list[Any] | Exception:
        head = bytearray(HEADER.size)
        self._channel.receive_into(memoryview(head))
        kind, status, got, size = read_header(head)
        message = BY_NAME[name]
        if status is Status.REPLY and target is not None and size == 8 + target.nbytes:
            length = bytearray(8)
            self._channel.receive_into(memoryview(length))
            self._channel.receive_into(target)
            return []
        payload = bytearray(size)
        self._channel.receive_into(memoryview(payload))
        if status is Status.ENDED:
            _, words = read(ERROR_FIELDS, payload)
            raise RpcError("the server has ended the session", got=words, hint="connect again")
        if kind != message.number or got != number or status is Status.REQUEST:
            raise malformed("the server answers another message")
        if status is Status.ERROR:
            return error_of_kind(*read(ERROR_FIELDS, payload))
        if target is not None:
            raise malformed(f"the server sends {size} bytes for {target.nbytes}")
        return read(message.reply, payload)

    def _end(self, err: RpcError) -> RpcError:
        """Close the connection; all later requests raise the same error."""
        if self._ended is None:
            self._ended = err
            self._channel.close()
        return self._ended


def _chunks(size: int) -> Iterator[tuple[int, int]]:
    """Yield the first byte and the end (exclusive) of each chunk; for no bytes, one empty chunk."""
    for at in range(0, max(size, 1), MAX_CHUNK_BYTES):
        yield at, min(size, at + MAX_CHUNK_BYTES)


__all__ = ["RemoteHost"]
