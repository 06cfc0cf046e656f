"""Translation of the interpreter's errors to the errors that a call of a model raises."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..runtime.errors import ArgumentError, OutOfRangeError
from ..support.diagnostics import IndexOutside, TypeMismatch


@contextmanager
def errors_of_calls() -> Generator[None]:
    """Convert errors of the interpreter inside a ``with`` block to the errors that a call raises.

    IndexOutside becomes OutOfRangeError, and TypeMismatch becomes ArgumentError.
    """
    try:
        yield
    except IndexOutside as err:
        raise OutOfRangeError(str(err)) from None
    except TypeMismatch as err:
        raise ArgumentError(str(err)) from None
