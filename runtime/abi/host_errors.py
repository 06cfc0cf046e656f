"""Errors of another runtime of the packed-function ABI that is loaded in this process.

In: an exception of a Python function that such a runtime (the host) calls. Out: the fields of an
error that a function of the host raised. The ABI defines functions to report and to take errors. If
no library of the process exports these functions, the functions here do nothing.
"""

from __future__ import annotations

import ctypes
import threading
import traceback
from ctypes import addressof, byref
from functools import cache
from typing import Any, NamedTuple

from .constants import ByteSpan, ErrorObject
from .objects import object_table, span_bytes


class HostError(NamedTuple):
    """An error that another runtime in this process (the host) holds for this thread.

    kind, message: its class and its text.  traceback: starts with the innermost call.
    """

    kind: str
    message: str
    traceback: str


class _Raised(threading.local):
    """The address of the error that this thread reported last to the host; 0: none."""

    address: int = 0


_RAISED = _Raised()


def raise_in_host(error: BaseException) -> None:
    """Report an exception of a Python function to the host, the runtime that called the function.

    The report contains the traceback of the exception.
    """
    if not (functions := _host_functions()):
        return
    frames = reversed(traceback.extract_tb(error.__traceback__))
    places = (f'  File "{f.filename}", line {f.lineno}, in {f.name}\n' for f in frames)
    texts = [text.encode() for text in (type(error).__name__, str(error), "".join(places))]
    spans = [
        ByteSpan(ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p), len(text)) for text in texts
    ]
    made = ctypes.c_void_p()
    create, set_raised, _ = functions
    if create(*(ctypes.c_void_p(addressof(span)) for span in spans), byref(made)) == 0:
        set_raised(made)
        if _RAISED.address:
            object_table().release(_RAISED.address)
        # The error is kept alive, so that no later error has the same address.
        _RAISED.address = made.value or 0


def take_from_host() -> HostError | None:
    """Take the error that a function of the host raised in this thread, and clear it there.

    Return None if there is no error, and for an error that `raise_in_host` reported: this process
    raised it, and the host may not have read it.
    """
    address = _taken_address()
    if not address:
        return None
    try:
        if address == _RAISED.address:
            return None
        made = ErrorObject.from_address(address)
        spans = (made.kind, made.message, made.traceback)
        return HostError(*(span_bytes(span).decode(errors="replace") for span in spans))
    finally:
        object_table().release(address)


def forget_host_error() -> None:
    """Clear the error that the host holds for this thread, if any."""
    if address := _taken_address():
        object_table().release(address)


def _taken_address() -> int:
    """Take the host's error of this thread, and its reference; return its address, or 0 if none."""
    if not (functions := _host_functions()):
        return 0
    taken = ctypes.c_void_p()
    functions[2](byref(taken))
    return taken.value or 0


def _host_functions() -> tuple[Any, Any, Any] | None:
    """Return the functions of the host that create, set and take an error.

    Return None if no other runtime of the ABI is loaded in this process.
    """
    process = _process()
    try:
        create, set_raised = process.TVMFFIErrorCreate, process.TVMFFIErrorSetRaised
        take = process.TVMFFIErrorMoveFromRaised
    except AttributeError:
        return None
    set_raised.restype = take.restype = None
    return create, set_raised, take


@cache
def _process() -> ctypes.CDLL:
    """Return the symbols that libraries of this process export globally."""
    return ctypes.CDLL(None)
