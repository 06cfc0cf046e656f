"""Values written on a command line: shapes and named files."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.diagnostics import TilewrightError


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of ``["x=1x3x224x224", "n="]``; an empty one is a scalar's.

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


def _split(texts: Iterable[str], *, expected: str) -> Iterable[tuple[str, str]]:
    for text in texts:
        name, found, value = text.partition("=")
        if not found or not name:
            raise TilewrightError("malformed argument", expected=expected, got=text)
        yield name, value
