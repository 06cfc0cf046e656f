"""Proofs that both ends of a connection know one token, which is never sent.

Each end sends a fresh nonce, then an HMAC-SHA256 of both nonces with the token as its key. A
recorded proof is not valid for a later connection, because its nonces differ.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

NONCE_BYTES = 32
_DOMAIN = b"tilewright rpc 1 "


def new_nonce() -> bytes:
    """Return new random bytes as a nonce."""
    return secrets.token_bytes(NONCE_BYTES)


@dataclass(frozen=True)
class Handshake:
    """The proofs of both ends of one connection, computed from a token and two nonces.

    token: the token that this end knows.  server_nonce, client_nonce: the random bytes that each
    end has sent for this connection.
    """

    token: bytes
    server_nonce: bytes
    client_nonce: bytes

    def of_client(self, key: str, timeout_ms: int) -> bytes:
        """Return the client's proof; it covers two fields of the client's message, too.

        key, timeout_ms: the fields: what the client asks for, and the longest duration of the
        session.
        """
        return self._proof(b"client", timeout_ms.to_bytes(8, "little") + key.encode())

    def of_server(self) -> bytes:
        """Return the server's proof."""
        return self._proof(b"server", b"")

    def _proof(self, role: bytes, fields: bytes) -> bytes:
        text = _DOMAIN + role + self.server_nonce + self.client_nonce + fields
        return hmac.digest(self.token, text, "sha256")


def is_equal(proof: bytes | memoryview, expected: bytes) -> bool:
    """Compare two proofs in constant time."""
    return hmac.compare_digest(bytes(proof), expected)
