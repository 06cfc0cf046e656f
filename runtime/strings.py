"""Strings as bytes: programs take and return arrays of strings as arrays of bytes.

The bytes of a string are its UTF-8, along an additional last axis; zeros fill the rest of the axis.
So no string contains a zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import ArgumentError


def name_bytes(name: object, where: str) -> bytes:
    """Return a name in UTF-8, as a C function takes it.

    where: the subject of the error message.

    Errors: ArgumentError for a name that is no text, and for text with a NUL or without UTF-8 form.
    """
    try:
        if isinstance(name, str) and "\0" not in name:
            return name.encode()
    except UnicodeEncodeError:
        pass
    raise ArgumentError(
        f"{where} has no such name",
        expected="a str of characters other than NUL",
        got=ascii(name),
        hint="pass a name that the model has",
    )


def is_strings(values: object) -> bool:
    """Return whether a value is a string, an array of strings, or a list that starts with a string.

    An empty array of dtype object counts as an array of strings.
    """
    if isinstance(values, np.ndarray):
        is_first_text = all(isinstance(x, str) for x in values.reshape(-1)[:1].tolist())
        return values.dtype.kind == "U" or (values.dtype.kind == "O" and is_first_text)
    while isinstance(values, list | tuple) and values:
        values = values[0]  # pyright: ignore[reportUnknownVariableType]
    return isinstance(values, str)


def encoded(values: Any) -> np.ndarray:
    """Return an array of bytes for an array of strings; the result has one more axis.

    Errors: ArgumentError for a string that contains the character of code 0.
    """
    array = np.asarray(values, object)
    texts = [str(each).encode() for each in array.reshape(-1)]
    for text in texts:
        if 0 in text:
            raise ArgumentError(
                "a string contains the character of code 0",
                got=repr(text.decode()),
                hint="zeros end a string: remove them",
            )
    length = max(1, *map(len, texts), 1)
    made = np.frombuffer(b"".join(text.ljust(length, b"\0") for text in texts), np.uint8)
    return made.reshape(*array.shape, length)


def decoded(array: Any) -> np.ndarray:
    """Return the array of strings that an array of bytes contains; the inverse of `encoded`."""
    given = np.ascontiguousarray(np.asarray(array), np.uint8)
    rows = given.reshape(-1, given.shape[-1])
    made = np.empty(len(rows), object)
    made[:] = [bytes(row).split(b"\0", 1)[0].decode("utf-8", "replace") for row in rows]
    return made.reshape(given.shape[:-1])
