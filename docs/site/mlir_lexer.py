"""Colours of MLIR text."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

WORD = r"[A-Za-z_][\w$-]*"


class MlirLexer(RegexLexer):
    """Tokens of the generic and of declared formats; whatever else there is stays plain."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens = {
        "root": [
            (r"//[^\n]*", Comment.Single),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"%[\w$.-]+(?::\d+)?(?:#\d+)?", Name.Variable),
            (r'@(?:[\w$.-]+|"[^"\n]*")', Name.Function),
            (rf"\^{WORD}", Name.Label),
            (rf"[#!]{WORD}(?:\.[\w$]+)*", Name.Decorator),
            (r"(?:tensor|memref|vector|tuple|complex|index|none|[su]?i\d+|b?f\d+)\b", Keyword.Type),
            (rf"{WORD}(?:\.[\w$]+)+", Keyword),
            (r"\b(?:true|false|unit|dense|loc|affine_map|affine_set)\b", Keyword.Constant),
            (WORD, Name),
            # The sizes of a type are followed by its element type: 4x8xf32.
            (r"(?:[\d?]+x)+", Number.Integer),
            (r"-?\d+\.\d*(?:[eE][+-]?\d+)?", Number.Float),
            (r"0x[0-9A-Fa-f]+|-?\d+", Number.Integer),
            (r"->|==|[=+*/<>|-]", Operator),
            (r"[(){}\[\],:;?]", Punctuation),
            (r"\s+|.", Text),
        ]
    }
