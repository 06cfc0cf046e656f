"""Colours of MLIR text on the site, of the rules that notebooks use too."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from tilewright.runtime.highlight import RULES

TOKENS = {
    "comment": Comment.Single,
    "string": String,
    "value": Name.Variable,
    "symbol": Name.Function,
    "label": Name.Label,
    "attribute": Name.Decorator,
    "type": Keyword.Type,
    "op": Keyword,
    "constant": Keyword.Constant,
    "word": Name,
    "number": Number,
    "operator": Operator,
    "punctuation": Punctuation,
}


class MlirLexer(RegexLexer):
    """Tokens of the generic and of declared formats; whatever else there is stays plain."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens = {
        "root": [*((pattern, TOKENS[kind]) for kind, pattern in RULES), (r"\s+|.", Text)],
    }
