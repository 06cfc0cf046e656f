"""Textual syntax of axis, loop and compute names: identifiers or string literals.

Identifiers are printed without quotes.  All other names, and names that are keywords of the
grammar, are printed as string literals.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from functools import lru_cache

from xdsl.parser import AttrParser
from xdsl.printer import Printer


@lru_cache(maxsize=4096)
def name_text(name: str) -> str:
    """Return a name in printed form: an identifier or a string literal."""
    stream = io.StringIO()
    Printer(stream).print_identifier_or_string_literal(name)
    return stream.getvalue()


def quoted_among(name: str, words: Collection[str]) -> str:
    """Return a name in printed form; a name that is one of ``words``, the keywords, is quoted."""
    if name not in words:
        return name_text(name)
    return f'"{name}"'


def parse_optional_name(parser: AttrParser) -> str | None:
    """Parse a name, an identifier or string literal; return None if there is none."""
    name = parser.parse_optional_identifier()
    return parse_optional_text(parser) if name is None else name


def parse_optional_text(parser: AttrParser) -> str | None:
    """Parse an optional string literal, which may contain non-ASCII characters."""
    start = parser.pos
    if (data := parser.parse_optional_bytes_literal()) is None:
        return parser.parse_optional_str_literal()
    try:
        return data.decode()
    except UnicodeDecodeError:
        parser.raise_error("a name is UTF-8", start, parser.pos)


def parse_text(parser: AttrParser) -> str:
    """Parse a string literal."""
    return parser.expect(lambda: parse_optional_text(parser), "string literal expected")


def parse_name(parser: AttrParser, what: str) -> str:
    """Parse a name; ``what`` describes it in the error."""
    name = parse_optional_name(parser)
    if name is None:
        parser.raise_error(f"{what} expected")
    return name


def parse_key(parser: AttrParser, what: str) -> tuple[str, bool]:
    """Parse a keyword or a quoted name, which ``what`` describes in the error.

    The result is its characters, and whether it is quoted.
    """
    word = parser.parse_optional_identifier()
    return (parse_name(parser, what), True) if word is None else (word, False)
