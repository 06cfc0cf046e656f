"""Syntax highlighting of IR text: the rules of its tokens, and their markup in HTML.

In: the text of a program at any level. Out: HTML with a ``<span>`` around each token that has a
color. The rules describe MLIR; they also fit LLVM IR, assembly and C well enough for reading.
docs/site/mlir_lexer.py makes a lexer for Pygments of the same table. The library does not use
Pygments, because a machine that runs exported models may have no package except numpy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

_WORD = r"[A-Za-z_][\w$-]*"

RULES = (
    ("comment", r"//[^\n]*"),
    ("string", r'"(?:\\.|[^"\\\n])*"'),
    ("value", r"%[\w$.-]+(?::\d+)?(?:#\d+)?"),
    ("symbol", r'@(?:[\w$.-]+|"[^"\n]*")'),
    ("label", rf"\^{_WORD}"),
    ("attribute", rf"[#!]{_WORD}(?:\.[\w$]+)*"),
    ("type", r"(?:tensor|memref|vector|tuple|complex|index|none|[su]?i\d+|b?f\d+)\b"),
    ("op", rf"{_WORD}(?:\.[\w$]+)+"),
    ("constant", r"\b(?:true|false|unit|dense|loc|affine_map|affine_set)\b"),
    ("word", _WORD),
    # Digits beyond 9 are capitals; 0xf32 is the end of a type.
    ("number", r"0x[0-9A-F]+\b"),
    # The sizes of a type are followed by its element type: 4x8xf32.
    ("number", r"(?:[\d?]+x)+"),
    ("number", r"-?\d+\.\d*(?:[eE][+-]?\d+)?"),
    ("number", r"-?\d+"),
    ("operator", r"->|==|[=+*/<>|-]"),
    ("punctuation", r"[(){}\[\],:;?]"),
)
"""Kind and pattern of each token, in the order of trial; other characters are plain."""

_PLAIN = frozenset({"word", "operator", "punctuation"})
"""Kinds in the color of plain text."""

COMMENTS = {"ll": r";[^\n]*"}
"""The pattern of a comment in languages other than MLIR."""


def tokens(text: str, language: str = "") -> Iterator[tuple[str, str]]:
    """Split a text into tokens; yield the kind and the characters of each.

    Characters between tokens are yielded, too, with an empty kind, so that the characters of all
    pairs form the text.

    language: the language of the text, as `Module.get_source` takes it; by default MLIR.
    """
    comment = COMMENTS.get(language)
    rules = RULES if comment is None else (("comment", comment), *RULES[1:])
    pattern = re.compile("|".join(f"({rule})" for _, rule in rules))
    end = 0
    for found in pattern.finditer(text):
        if found.start() > end:
            yield "", text[end : found.start()]
        yield rules[(found.lastindex or 1) - 1][0], found[0]
        end = found.end()
    if end < len(text):
        yield "", text[end:]


def highlighted(text: str, language: str = "") -> str:
    """Return a text as HTML in which each colored token is a ``<span>`` element.

    The class of the element is ``tw-`` and the kind of the token in `RULES`, such as
    ``tw-comment``. Words, operators and punctuation have the color of plain text, so they get no
    element.
    language: the language of the text, as for `tokens`.
    """
    return "".join(
        f'<span class="tw-{kind}">{escape(piece)}</span>'
        if kind and kind not in _PLAIN
        else escape(piece)
        for kind, piece in tokens(text, language)
    )
