"""Split MLIR's textual form into tokens; errors show line, column and the line itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from ...support.diagnostics import ModelError

T = TypeVar("T")
_SPACE = re.compile(r"(?:\s+|//[^\n]*)*")
_TOKEN = re.compile(
    r"""
    (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<number>0x[0-9A-Fa-f]+ | [0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
  | (?P<value>%[\w$.-]+(?:\#[0-9]+)?)
  | (?P<symbol>@(?:[\w$.-]+|"(?:[^"\\]|\\.)*"))
  | (?P<hash>\#[A-Za-z_][\w$.]*)
  | (?P<bang>![A-Za-z_][\w$.]*)
  | (?P<block>\^[\w$.-]+)
  | (?P<word>[A-Za-z_][\w$.]*)
  | (?P<mark>->|::|\{-\#|\#-\}|[()\[\]{}<>,:=?*+|/-])
    """,
    re.VERBOSE | re.DOTALL,
)
MAX_SHOWN = 160
"""Maximum number of characters of a line in a message."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind (a group of the token pattern, or "end"), text and start position."""

    kind: str
    text: str
    start: int


class Lexer:
    """A lexer that splits a text into tokens, one at a time.

    file: the path, for messages.  token: the current token, which has not been taken yet.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self._position = self._counted = 0
        self._line = 1
        self.token = self._next()

    def _next(self) -> Token:
        space = _SPACE.match(self.text, self._position)
        start = space.end() if space else self._position
        if start >= len(self.text):
            self._position = start
            return Token("end", "", start)
        found = _TOKEN.match(self.text, start)
        if found is None:
            what = "a string without an end" if self.text[start] == '"' else "a wrong character"
            self.fail(what, start)
        self._position = found.end()
        return Token(found.lastgroup or "", found.group(), start)

    def take(self) -> Token:
        """Return the current token, and advance to the next one."""
        token = self.token
        self.token = self._next()
        return token

    def jump(self, position: int) -> None:
        """Continue to read at a position in the text; the token there becomes the current one."""
        self._position = position
        self.token = self._next()

    @property
    def after(self) -> int:
        """The position after the current token."""
        return self.token.start + len(self.token.text)

    def follows(self, text: str) -> bool:
        """Return whether the text after the current token starts with ``text``."""
        space = _SPACE.match(self.text, self.after)
        return self.text.startswith(text, space.end() if space else self.after)

    def skip(self, text: str) -> bool:
        """Take the current token if it has this text; return whether it has."""
        if self.token.text != text or self.token.kind == "string":
            return False
        self.take()
        return True

    def expect(self, text: str) -> Token:
        """Check that the current token has this text; take and return it.

        Errors: ModelError if it has another text.
        """
        if self.token.text != text:
            self.fail(f"expected {text!r}, got {self.shown()}")
        return self.take()

    def listed(self, read: Callable[[], T], close: str) -> list[T]:
        """Read items that are separated by commas, up to the bracket ``close``.

        The opening bracket is already taken.  read: a function that reads one item.
        """
        items: list[T] = []
        while not self.skip(close):
            if items:
                self.expect(",")
            items.append(read())
        return items

    def expect_kind(self, kind: str, what: str) -> Token:
        """Check that the current token is of this kind; take and return it.

        what: a name for the expected token in the message.
        Errors: ModelError if it is of another kind.
        """
        if self.token.kind != kind:
            self.fail(f"expected {what}, got {self.shown()}")
        return self.take()

    def shown(self) -> str:
        """Return the current token as text, for a message."""
        text = self.token.text
        short = text if len(text) <= 40 else text[:40] + "…"
        return "the end of the text" if self.token.kind == "end" else repr(short)

    def skip_balanced(self) -> str:
        """Take a bracketed text, whose opening bracket is the current token; return the text.

        Errors: ModelError if brackets do not match.
        """
        start, opened = self.token, list[str]()
        pairs = {"(": ")", "[": "]", "{": "}", "<": ">"}
        while True:
            token = self.take()
            if token.kind == "end":
                self.fail(f"{start.text!r} is not closed", start.start)
            if token.kind != "mark":
                continue
            if token.text in pairs:
                opened.append(pairs[token.text])
            elif token.text in pairs.values():
                if opened.pop() != token.text:
                    self.fail(f"{token.text!r} closes another bracket", token.start)
                if not opened:
                    return self.text[start.start : token.start + 1]

    def line_at(self, position: int) -> int:
        """Return the line number of a position, from 1; fast for increasing positions."""
        if position < self._counted:
            return self.text.count("\n", 0, position) + 1
        self._line += self.text.count("\n", self._counted, position)
        self._counted = position
        return self._line

    def fail(self, rule: str, position: int | None = None, hint: str = "") -> NoReturn:
        """Raise a ModelError at a position, by default the start of the current token.

        rule: the rule that the text violates.
        """
        at = self.token.start if position is None else position
        first = self.text.rfind("\n", 0, at) + 1
        line, column = self.text.count("\n", 0, at) + 1, at - first
        left = max(0, column - MAX_SHOWN // 2)
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        excerpt = self.text[first + left : min(end, first + left + MAX_SHOWN)]
        error = ModelError(rule, hint=hint).in_file(f"{self.file}:{line}:{column + 1}")
        error.add_note(f"{excerpt}\n{' ' * (column - left)}^^^")
        raise error


def unquoted(text: str) -> str:
    """Return the contents of a string literal, with its escapes replaced.

    An escape is a backslash with a character or two hexadecimal digits.
    """
    named = {"n": "\n", "t": "\t"}
    return re.sub(
        r"\\([0-9A-Fa-f]{2}|.)",
        lambda found: (
            chr(int(found[1], 16)) if len(found[1]) == 2 else named.get(found[1], found[1])
        ),
        text[1:-1],
        flags=re.DOTALL,
    )
