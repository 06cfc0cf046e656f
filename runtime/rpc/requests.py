"""The client's end of a connection: the handshake, and requests with their replies.

In: a channel, and the fields of messages. Out: the fields of the replies. Several threads may use
an end; their requests take turns. The chunks of a large transfer are sent without waiting for the
replies between them.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from .channels import Channel
from .errors import RpcError, error_of_kind, malformed
from .messages import (
    BY_NAME,
    ERROR_FIELDS,
    HEADER,
    VERSION,
    VOID_BYTES,
    Buffer,
    Status,
    frame,
    read,
    read_header,
    void_reply,
    written,
)
from .proof import Handshake, is_equal, new_nonce

_CALL, _REQUEST = BY_NAME["call"].number, int(Status.REQUEST)
_AHEAD_BYTES = 1 << 12
"""The most bytes that are read before a reply asks for them: a small reply is read at once."""
MAX_CHUNKS = 8
"""Chunks of a transfer that wait for their replies."""


class Requests:
    """The client's end of a connection with a server, a tracker or a proxy.

    facts: the other end's description of itself.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        key: str = "",
        token: str = "",
        timeout_s: float = 0,
        ahead_bytes: int = _AHEAD_BYTES,
    ) -> None:
        """Make the handshake.

        key: the kind of server that the client asks for, such as ``rpi4``.  token: the secret that
        both ends know.  timeout_s: the longest duration of the session; 0: the longest that the
        server allows. ahead_bytes: how many bytes may be read before a reply asks for them; 0 for a
        connection whose next bytes are for another reader.

        Errors: RpcError if the server refuses the token, or does not know the token itself.
        """
        self._channel, self._lock, self._number = channel, threading.Lock(), 0
        self._buffer = bytearray(ahead_bytes)
        self._ahead = memoryview(self._buffer)
        self._start = self._stop = 0  # the bytes of `_ahead` that are not yet used
        self._dropped: deque[tuple[str, int]] = deque()
        self._ended: RpcError | None = None
        try:
            self.facts = self._begin(key, token, int(1000 * timeout_s))
        except BaseException:
            channel.close()
            raise

    def _begin(self, key: str, token: str, timeout_ms: int) -> Mapping[str, Any]:
        own = new_nonce()
        version, nonce = self.request("hello", VERSION, own)
        if version != VERSION:
            raise malformed(f"the server speaks version {version}, not {VERSION}")
        handshake = Handshake(token.encode(), bytes(nonce), own)
        proof = handshake.of_client(key, timeout_ms)
        facts, proof = self.request("authenticate", key, timeout_ms, proof)
        if not is_equal(proof, handshake.of_server()):
            raise RpcError(
                "the server does not know the token of this client",
                hint="pass the token with which the server was started",
            )
        return json.loads(facts)

    def close(self) -> None:
        """End the session; later requests, and one that is waiting, raise RpcError."""
        self._end(RpcError("the session is closed", hint="connect again"))

    @property
    def is_open(self) -> bool:
        """Whether the session can still send requests."""
        return self._ended is None

    def drop_later(self, name: str, handle: int) -> None:
        """Send a message that releases a handle together with the next request.

        A finalizer may call this method.

        name: the name of the message.  handle: the handle.
        """
        self._dropped.append((name, handle))

    def request(self, name: str, *fields: Any) -> list[Any]:
        """Send a message, wait for the reply, and return its fields.

        name: the name of the message.  fields: the values of its fields.

        Errors: the error of the host, or RpcError.
        """
        with self._lock:
            self._flush()
            number = self._send(name, fields)
            reply = self._receive(name, number)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def call_encoded(self, payload: bytes) -> Any:
        """Send the message `call`, wait for the reply, and return the function's result.

        payload: the encoded fields of the message, from `encoded_call`.

        Errors: the error of the host, or RpcError.
        """
        with self._lock:
            if self._dropped:
                self._flush()
            number = self._send_parts(_CALL, (payload,))
            reply = self._receive("call", number)
        if isinstance(reply, Exception):
            raise reply
        return reply[0][0]

    def transfer(
        self, requests: Sequence[tuple[str, tuple[Any, ...]]], targets: Sequence[memoryview] = ()
    ) -> None:
        """Send messages without waiting for each reply; then raise the first error, if any.

        requests: the name and the fields of each message.  targets: memory for the data of each
        reply; empty if the replies have no data.
        """
        failed: list[Exception] = []
        with self._lock:
            self._flush()
            waiting: deque[tuple[str, int, memoryview | None]] = deque()
            for at, (name, fields) in enumerate(requests):
                target = targets[at] if targets else None
                waiting.append((name, self._send(name, fields), target))
                if len(waiting) == MAX_CHUNKS or at == len(requests) - 1:
                    while waiting:
                        reply = self._receive(*waiting.popleft())
                        failed += [reply] if isinstance(reply, Exception) else []
        if failed:
            raise failed[0]

    def _flush(self) -> None:
        while self._dropped:
            name, handle = self._dropped.popleft()
            self._receive(name, self._send(name, (handle,)))

    def _send(self, name: str, fields: Sequence[Any]) -> int:
        message = BY_NAME[name]
        return self._send_parts(message.number, written(message.request, fields))

    def _send_parts(self, kind: int, payload: Sequence[Buffer]) -> int:
        if self._ended is not None:
            raise self._ended
        self._number = (self._number + 1) % (1 << 32)
        try:
            self._channel.send(frame(kind, _REQUEST, self._number, payload))
        except RpcError as err:
            raise self._end(self._last_words() or err) from err
        except BaseException:
            self._end(_interrupted())
            raise
        return self._number

    def _last_words(self) -> RpcError | None:
        """Return the error that says why the server has ended the session, or None.

        The server sends the reason in a last frame, after the replies.
        """
        with suppress(RpcError, OSError):
            while True:
                _, status, _, size = read_header(self._next(HEADER.size))
                payload = self._next(size)
                if status is Status.ENDED:
                    return _ended(payload)
        return None

    def _receive(
        self, name: str, number: int, target: memoryview | None = None
    ) -> list[Any] | Exception:
        """Return the fields of the reply to a request, or the error of the host.

        name, number: the message and the number of the request.  target: the memory for the data of
        the reply, which is then no field.

        Errors: RpcError if the session ends.
        """
        try:
            return self._reply(name, number, target)
        except RpcError as err:
            raise self._end(err) from None
        except BaseException:
            self._end(_interrupted())  # the rest of the reply would be read as another one
            raise

    def _next(self, size: int) -> Buffer:
        """Return the next ``size`` bytes of the channel; they are valid until the next call."""
        if size > self._ahead.nbytes:
            made = bytearray(size)
            self._fill(memoryview(made))
            return made
        if self._stop - self._start < size:
            left = self._ahead[self._start : self._stop]
            self._ahead[: left.nbytes] = left
            self._start, self._stop = 0, left.nbytes
            while self._stop < size:
                self._stop += self._channel.receive_some(self._ahead[self._stop :])
        self._start += size
        return self._ahead[self._start - size : self._start]

    def _fill(self, memory: memoryview) -> None:
        left = min(memory.nbytes, self._stop - self._start)
        if left:  # memory without bytes may be read-only
            memory[:left] = self._ahead[self._start : self._start + left]
            self._start += left
        if left < memory.nbytes:
            self._channel.receive_into(memory[left:])

    def _reply(self, name: str, number: int, target: memoryview | None) -> list[Any] | Exception:
        if self._ahead and self._start == self._stop:
            self._start, self._stop = 0, self._channel.receive_some(self._ahead)
            is_short = self._stop == VOID_BYTES
            if is_short and self._buffer.startswith(void_reply(number)):
                self._start = self._stop
                return [[None]]
        kind, status, got, size = read_header(self._next(HEADER.size))
        message = BY_NAME[name]
        if status is Status.REPLY and target is not None and size == 8 + target.nbytes:
            self._next(8)  # the length
            self._fill(target)
            return []
        payload = self._next(size)
        if status is Status.ENDED:
            raise _ended(payload)
        if kind != message.number or got != number or status is Status.REQUEST:
            raise malformed("the server answers another message")
        if status is Status.ERROR:
            return error_of_kind(*read(ERROR_FIELDS, payload))
        if target is not None:
            raise malformed(f"the server sends {size} bytes for {target.nbytes}")
        return read(message.reply, payload)

    def _end(self, err: RpcError) -> RpcError:
        if self._ended is None:
            self._ended = err
            self._channel.close()
        return self._ended


def _ended(payload: Buffer) -> RpcError:
    _, words = read(ERROR_FIELDS, payload)
    return RpcError("the server has ended the session", got=words, hint="connect again")


def _interrupted() -> RpcError:
    return RpcError("a request of the session was interrupted", hint="connect again")
