"""Errors of the RPC protocol, and the errors of calls as a kind and a message.

Error:
└── RpcError           the connection or the session has ended; a RuntimeError
    └── ProtocolError  the other end sent bytes that are no message

"""

from __future__ import annotations

from ..errors import Error, error_of_kind

_KINDS = (
    "IndexError", "KeyError", "MemoryError", "NotImplementedError", "AttributeError",
    "AssertionError", "TypeError", "ValueError", "RuntimeError",
)  # fmt: skip


class RpcError(Error, RuntimeError):
    """A session with another process has ended, or cannot begin; the message has the reason."""


class ProtocolError(RpcError):
    """The other end of a connection sent bytes that are no message of the protocol."""


def malformed(rule: str) -> ProtocolError:
    """Return the error for bytes that are no message of the protocol.

    rule: the first line of the error.
    """
    return ProtocolError(rule, hint="use a client and a server of the same version of Tilewright")


def described(err: BaseException) -> tuple[str, str]:
    """Return the kind and the message of an exception, the two fields of an ERROR frame."""
    names = [base.__name__ for base in type(err).__mro__]
    kind = next((name for name in names if name in _KINDS), "RuntimeError")
    return kind, str(err) or type(err).__name__


__all__ = ["ProtocolError", "RpcError", "described", "error_of_kind", "malformed"]
