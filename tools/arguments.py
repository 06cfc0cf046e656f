"""Parsing of command-line values: shapes, numbers, named files, ages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..support.diagnostics import TilewrightError

MODULE_LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed")
"""The levels that are modules; `tw compile` also prints the text below them."""

_UNITS_S = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of ``["x=1x3x224x224", "n="]``; an empty text is the shape of a scalar.

    Errors: TilewrightError for malformed text.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for name, text in _split(texts, expected="NAME=1x3x224x224"):
        dims = text.split("x") if text else []
        if not all(dim.isdecimal() for dim in dims):
            raise TilewrightError(
                "malformed shape", expected="NAME=1x3x224x224", got=f"{name}={text}"
            )
        shapes[name] = tuple(int(dim) for dim in dims)
    return shapes


def parse_named(texts: Iterable[str]) -> dict[str, str]:
    """Return the pairs of ``["x=file.npy"]``; a text without a name gets the empty name.

    Errors: TilewrightError for a name given twice.
    """
    named: dict[str, str] = {}
    for text in texts:
        name, found, value = text.partition("=")
        key, value = (name, value) if found else ("", name)
        if key in named:
            raise TilewrightError("input given twice", got=text)
        named[key] = value
    return named


def parse_values(texts: Iterable[str]) -> dict[str, list[int] | list[float]]:
    """Return the numbers of ``["target=2,-1", "scale=0.5"]``; no text after ``=`` means no numbers.

    Errors: TilewrightError for malformed text, or a name given twice.
    """
    values: dict[str, list[int] | list[float]] = {}
    for name, text in _split(texts, expected="NAME=1,2,3"):
        if name in values:
            raise TilewrightError("values given twice", got=f"{name}={text}")
        words = text.split(",") if text else []
        try:
            if all(re.fullmatch(r"\s*[-+]?\d+\s*", word) for word in words):
                values[name] = [int(word) for word in words]
            else:
                values[name] = [float(word) for word in words]
        except ValueError as err:
            raise TilewrightError(
                "malformed values", expected="NAME=1,2,3", got=f"{name}={text}"
            ) from err
    return values


def output_problem(path: Path) -> str:
    """Return the reason why a file cannot be written, or an empty text."""
    if not path.parent.is_dir():
        return f"Folder {str(path.parent)!r} does not exist."
    if path.is_dir():
        return f"{str(path)!r} is a folder."
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return f"File {str(path)!r} is not writable."
    return ""


def parse_age(text: str) -> float:
    """Return the seconds of an age such as ``30d``, ``12h``, ``45m`` or ``90s``.

    Errors: TilewrightError for malformed text.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([dhms])", text, re.ASCII)
    if match is None:
        raise TilewrightError("malformed age", expected="such as 30d, 12h, 45m or 90s", got=text)
    return float(match[1]) * _UNITS_S[match[2]]


def _split(texts: Iterable[str], *, expected: str) -> Iterable[tuple[str, str]]:
    for text in texts:
        name, found, value = text.partition("=")
        if not found or not name:
            raise TilewrightError("malformed argument", expected=expected, got=text)
        yield name, value
