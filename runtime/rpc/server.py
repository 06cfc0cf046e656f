"""The Python server's end of one connection: it reads messages and calls methods of a host.

In: a channel, a `Host` or the end of a tracker, and a token. Out: a reply or an error for each
message, until the channel is closed. Before the client has proved that it knows the token, the
server reads only short messages of the handshake. server_process.py and tracker_process.py listen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .channels import Channel
from .errors import ProtocolError, RpcError, described, malformed
from .messages import (
    ERROR_FIELDS,
    HEADER,
    TABLE,
    VERSION,
    Buffer,
    Message,
    Status,
    frame,
    read,
    read_header,
    written,
)
from .proof import NONCE_BYTES, Handshake, is_equal, new_nonce

MAX_HANDSHAKE_BYTES = 1024


class SessionServer:
    """The server's end of a session.

    channel: the connection to the client.  host: an object with a method for each message of the
    table. token: the secret that the client must know.  facts: the server's description of itself.
    set_timeout: called with the duration in ms that the client asks for, 0 for none.  table: the
    messages.
    """

    def __init__(
        self,
        channel: Channel,
        host: object,
        token: str,
        facts: Mapping[str, Any],
        set_timeout: Callable[[int], None],
        table: Sequence[Message] = TABLE,
    ) -> None:
        self._channel, self._host, self._facts = channel, host, facts
        self._set_timeout = set_timeout
        self._messages = {row.number: row for row in table}
        self._handshake = Handshake(token.encode(), new_nonce(), b"")
        self._is_known = False

    def serve(self, is_done: Callable[[], bool] = lambda: False) -> None:
        """Answer messages until the client ends the session.

        is_done: called before each message; True ends this method, and the connection stays open.

        Errors: ProtocolError for bytes that are no message, or a wrong proof; the client then gets
        a last frame with the reason.
        """
        try:
            while not is_done():
                head = bytearray(HEADER.size)
                self._channel.receive_into(memoryview(head))
                self._answer(*read_header(head))
        except ProtocolError as err:
            payload = written(ERROR_FIELDS, described(err))
            self._channel.send(frame(0, Status.ENDED, 0, payload))
            raise
        except RpcError:
            return  # the client has ended the session, perhaps within a message

    def _answer(self, kind: int, status: Status, number: int, size: int) -> None:
        message = self._messages.get(kind)
        is_handshake = message is not None and message.name in ("hello", "authenticate")
        if status is not Status.REQUEST or message is None or self._is_known is is_handshake:
            raise malformed(f"message {kind} is not allowed here")
        if is_handshake and size > MAX_HANDSHAKE_BYTES:
            raise malformed("a message of the handshake is too long")
        payload = bytearray(size)
        self._channel.receive_into(memoryview(payload))
        self._channel.send(self._reply(message, number, payload))

    def _reply(self, message: Message, number: int, payload: Buffer) -> Sequence[Buffer]:
        try:
            fields = read(message.request, payload)
            if not self._is_known:
                made = self._shake_hands(message, fields)
            else:
                made = _in_list(message, getattr(self._host, message.name)(*fields))
            return frame(message.number, Status.REPLY, number, written(message.reply, made))
        except ProtocolError:
            if not self._is_known:
                raise
            error = "ValueError", f"message {message.name} is malformed"
        except Exception as err:
            error = described(err)
        return frame(message.number, Status.ERROR, number, written(ERROR_FIELDS, error))

    def _shake_hands(self, message: Message, fields: Sequence[Any]) -> Sequence[Any]:
        known = self._handshake
        if message.name == "hello":
            _, nonce = fields
            if known.client_nonce or len(nonce) != NONCE_BYTES:
                raise malformed("the handshake is malformed")
            self._handshake = Handshake(known.token, known.server_nonce, bytes(nonce))
            return VERSION, known.server_nonce
        key, timeout_ms, proof = fields
        is_proved = is_equal(proof, known.of_client(key, timeout_ms))
        if not (known.client_nonce and is_proved):
            raise malformed("the client does not know the token of this server")
        self._is_known = True
        self._set_timeout(timeout_ms)
        return json.dumps(self._facts), known.of_server()


def _in_list(message: Message, result: Any) -> Sequence[Any]:
    """Return the result of a host's method as the list of the fields of the reply."""
    if len(message.reply) > 1:
        return result
    return [result] if message.reply else []
