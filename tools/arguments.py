"""Parsing of command-line values: shapes, numbers, states, named files, ages."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path

from ..support.diagnostics import TilewrightError

MODULE_LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed")
"""The levels at which a program is a module; `tw compile` also prints levels below them."""

STANDARD_OUTPUT = Path("-")
"""The output file that means standard output."""

_SHAPES = "--shapes"
_SHAPE_FORM = "INPUT=1x3x224x224, or SIZE=4 or SIZE=NEW_NAME for the name of a size"
_VALUES = "--values"
_VALUES_FORM = "INPUT=1,2,3"
_STATE_FORM = "INPUT=OUTPUT, such as past_key=key"
_CAPACITY = "--capacity"
_CAPACITY_FORM = "SIZE=COUNT, such as past=2048"


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...] | str]:
    """Parse the arguments of --shapes, such as ``["x=1x3x224x224", "n=", "s0=batch"]``.

    The result maps each name to the value after ``=``: here ``{"x": (1, 3, 224, 224), "n": (),
    "s0": "batch"}``.  A tuple is the shape of an input, or the value of a symbolic size; a string
    is the new name of a size.

    Errors: TilewrightError for a malformed argument, or a name that occurs twice.
    """
    shapes: dict[str, tuple[int, ...] | str] = {}
    for name, text in _split(texts, option=_SHAPES, form=_SHAPE_FORM):
        if text.isidentifier():
            shapes[name] = text
            continue
        dims = text.split("x") if text else []
        if not all(dim.isascii() and dim.isdecimal() for dim in dims):
            raise TilewrightError(
                "malformed shape", expected=_SHAPE_FORM, got=f"{name}={text}", where=_SHAPES
            )
        shapes[name] = tuple(int(dim) for dim in dims)
    return shapes


def parse_named(texts: Iterable[str]) -> dict[str, str]:
    """Split arguments such as ``["x=file.npy"]`` into a dict: ``{"x": "file.npy"}``.

    An argument without ``=`` has the name "".

    Errors: TilewrightError for a name that occurs twice.
    """
    named: dict[str, str] = {}
    for text in texts:
        name, found, value = text.partition("=")
        key, value = (name, value) if found else ("", name)
        if key in named:
            raise TilewrightError("input given twice", got=text, where="--input")
        named[key] = value
    return named


def parse_values(texts: Iterable[str]) -> dict[str, list[int] | list[float]]:
    """Return the numbers in arguments such as ``["target=2,-1", "scale=0.5"]``, by name.

    The list for ``x=`` is empty.
    Errors: TilewrightError for a malformed argument, or a name that occurs twice.
    """
    values: dict[str, list[int] | list[float]] = {}
    for name, text in _split(texts, option=_VALUES, form=_VALUES_FORM):
        words = text.split(",") if text else []
        try:
            if all(re.fullmatch(r"\s*[-+]?\d+\s*", word) for word in words):
                values[name] = [int(word) for word in words]
            else:
                values[name] = [float(word) for word in words]
        except ValueError as err:
            raise TilewrightError(
                "malformed values", expected=_VALUES_FORM, got=f"{name}={text}", where=_VALUES
            ) from err
    return values


def parse_states(texts: Iterable[str]) -> dict[str, str]:
    """Parse the arguments of --state, such as ``["past_key=key"]``.

    Returns ``{"past_key": "key"}``: by name of an input, the output of a call that becomes the
    input of the next call.

    Errors: TilewrightError for a malformed argument, or a name that occurs twice.
    """
    return dict(_split(texts, option="--state", form=_STATE_FORM))


def parse_counts(texts: Iterable[str]) -> dict[str, int]:
    """Parse the arguments of --capacity, such as ``["past=2048"]``.

    Returns ``{"past": 2048}``: by name of a symbolic size, its largest value.

    Errors: TilewrightError for a malformed argument, or a name that occurs twice.
    """
    counts: dict[str, int] = {}
    for name, text in _split(texts, option=_CAPACITY, form=_CAPACITY_FORM):
        if not (text.isascii() and text.isdecimal()):
            raise TilewrightError(
                "malformed count", expected=_CAPACITY_FORM, got=f"{name}={text}", where=_CAPACITY
            )
        counts[name] = int(text)
    return counts


def dash_problem(text: str) -> str:
    """Return an error message if a path is ``-``, else "".

    Only options for text accept ``-`` as standard output; the other options would create a file
    with the name ``-``.
    """
    if text != str(STANDARD_OUTPUT):
        return ""
    return "'-' is standard output, which takes only text here; give a name."


def written_path(text: str) -> Path:
    """Convert an argument of tw-opt to the path of a file or folder to write.

    Errors: ArgumentTypeError for ``-``.
    """
    if problem := dash_problem(text):
        raise ArgumentTypeError(problem)
    return Path(text)


def output_problem(path: Path) -> str:
    """Return the reason why a file cannot be written, or "" if it can be written."""
    if not path.parent.is_dir():
        return f"Folder {str(path.parent)!r} does not exist."
    if path.is_dir():
        return f"{str(path)!r} is a folder."
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return f"File {str(path)!r} is not writable."
    return ""


def _split(texts: Iterable[str], *, option: str, form: str) -> Iterable[tuple[str, str]]:
    """Yield the name and the value of each argument ``NAME=VALUE`` of an option.

    texts: the arguments.  option: the option, for errors.  form: the syntax of its arguments, for
    errors.

    Errors: TilewrightError for an argument without ``=`` or name, or a name that occurs twice.
    """
    seen = set[str]()
    for text in texts:
        name, found, value = text.partition("=")
        if not found or not name:
            raise TilewrightError("malformed argument", expected=form, got=text, where=option)
        if name in seen:
            raise TilewrightError("name given twice", got=text, where=option)
        seen.add(name)
        yield name, value
