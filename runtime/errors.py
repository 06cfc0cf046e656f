"""The base class of all errors, errors of calls into compiled code, and how that code reports them.

Error                 the base class; its message has the form rule, expected, got, hint
├── ArgumentError     an argument breaks the signature; both a TypeError and a ValueError
├── OutOfRangeError   an index in a tensor is outside the axis that it indexes; an IndexError
├── KernelError       compiled code failed while running; a RuntimeError
├── DeviceError       the driver of a device refuses code or a call; a RuntimeError
├── LoadError         a compiled module cannot be loaded (library.py)
├── UnknownText       a module has no text of a kind; a LookupError
├── UnknownFunction   no function has a name; a KeyError
└── the errors of compilation (support/diagnostics.py) and of the code generator
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from .abi.constants import RaiseCFunction
from .abi.host_errors import forget_host_error, raise_in_host, take_from_host


class Error(Exception):
    """Base class of the errors that Tilewright raises; the message has a rule and a hint."""

    def __init__(
        self, rule: str, *, expected: object = None, got: object = None, hint: str = ""
    ) -> None:
        self.rule, self.expected, self.got, self.hint = rule, expected, got, hint
        super().__init__(self._text())

    def _text(self) -> str:
        labels = (("expected", self.expected), ("got", self.got), ("hint", self.hint))
        lines = [f"    {label}: {value}" for label, value in labels if not _is_empty(value)]
        return "\n".join((self._title(), *lines))

    def _title(self) -> str:
        return self.rule

    def __str__(self) -> str:
        return self._text()


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value)


class ArgumentError(Error, TypeError, ValueError):
    """The error for an argument that does not fit the signature of the called function.

    The message has the expected and the passed value.

    signature: the signature of the called function, a line of the message.
    """

    def __init__(
        self,
        rule: str,
        *,
        expected: object = None,
        got: object = None,
        hint: str = "",
        signature: str = "",
    ) -> None:
        self.signature = signature
        super().__init__(rule, expected=expected, got=got, hint=hint)

    def _text(self) -> str:
        signature = f"\n    signature: {self.signature}" if self.signature else ""
        return super()._text() + signature


class OutOfRangeError(Error, IndexError):
    """The error for an index in a tensor that is out of range.

    The message names operator, range, index and position. The outputs of the call are undefined; no
    other memory was changed.
    """


class UnknownFunction(Error, KeyError):
    """The error for a function name that does not exist; the message lists similar names."""

    def __str__(self) -> str:
        # KeyError shows the repr of its message.
        return str(self.args[0])


class KernelError(Error, RuntimeError):
    """The error for compiled code that failed while running; it has the message of the code."""


class DeviceError(Error, RuntimeError):
    """The error for code or a call that a device's driver refuses; it has the driver's message."""


class UnknownText(Error, LookupError):
    """The error for a kind of text, or a kernel, that `get_source` does not have.

    The message lists the available ones.
    """


class ErrorChannel:
    """The receiver of errors that compiled code raises; it stores the last error of each thread.

    address: a C function ``void (kind, message)``, which the loader stores in each module; the code
    that stores it must keep this object alive.
    """

    def __init__(self) -> None:
        self._thread = threading.local()
        self._callback = RaiseCFunction(self.note)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def note(self, kind: bytes | None, message: bytes | None) -> None:
        """Store an error that native code reports, so that `take` returns it.

        If this thread has an exception of a Python function stored, keep that exception instead: it
        is the cause of the native error.

        kind: the name of a Python exception, or None.  message: the message of the error, or None.
        """
        # Keep the first error: later errors only report that a callee failed.
        if "exception" not in vars(self._thread):
            self._thread.error = (kind or b"").decode(), (message or b"").decode(errors="replace")

    def put(self, exception: BaseException) -> None:
        """Store an exception that a Python function raised inside compiled code; `take` returns it.

        If another runtime may have called the function, the error is also reported to this runtime.
        """
        self._thread.exception = exception
        raise_in_host(exception)

    def described(self) -> tuple[str, str] | None:
        """Return the kind and the message of this thread's last error, or None; keep it."""
        known = vars(self._thread)
        if exception := known.get("exception"):
            return type(exception).__name__, str(exception)
        return known.get("error")

    def clear(self) -> None:
        """Remove this thread's last error, before a call that may fail without reporting an error.

        The error that another runtime holds is removed, too: it may be from inside an earlier call
        that succeeded.
        """
        vars(self._thread).clear()
        forget_host_error()

    def take(self, otherwise: str) -> BaseException:
        """Remove this thread's last error and return it as an exception.

        otherwise: the message of the KernelError that is returned if there is no error.

        An exception of a Python function is returned unchanged, with its own traceback. The
        traceback inside another runtime is a note of the exception.
        """
        known, host_error = vars(self._thread), take_from_host()
        exception, error = known.pop("exception", None), known.pop("error", None)
        if exception is not None:
            return exception
        if error is not None or host_error is None:
            return error_of_kind(*(error or ("RuntimeError", otherwise)))
        made = error_of_kind(host_error.kind, host_error.message)
        if host_error.traceback:
            made.add_note(f"Traceback of the failed function:\n{host_error.traceback}")
        return made


_KINDS: Mapping[str, type[Exception]] = MappingProxyType(
    {
        "TypeError": ArgumentError,
        "ValueError": ArgumentError,
        "IndexError": OutOfRangeError,
        "RuntimeError": KernelError,
        "MemoryError": MemoryError,
        "AttributeError": AttributeError,
        "KeyError": UnknownFunction,
        "AssertionError": AssertionError,
        "NotImplementedError": NotImplementedError,
    }
)


def error_of_kind(kind: str, message: str) -> Exception:
    """Return the exception for an error that code of another language raised.

    kind: the name of a Python exception. For an unknown kind the result is a KernelError, whose
    message starts with the kind.
    """
    found = _KINDS.get(kind)
    return KernelError(f"{kind}: {message}") if found is None else found(message)


@cache
def error_channel() -> ErrorChannel:
    """Return the one error channel of this process."""
    return ErrorChannel()
