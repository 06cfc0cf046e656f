r"""Parse regular expressions in the syntax of RE2 into trees.

Only full matches are needed, so groups capture nothing, and lazy repetitions equal greedy ones.
Unicode scripts (``\p{Greek}``) and single bytes (``\C``) are not supported.

Source: https://github.com/google/re2/wiki/Syntax.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from ....support.diagnostics import ModelError, UnsupportedOp

Range: TypeAlias = tuple[int, int]
"""The first and the last of consecutive code points, or of consecutive values of a byte."""
LAST = sys.maxunicode
LAST_WITH_CASE = 0x1FFFF
"""No character after this code point has an upper or lower case."""
NEWLINE = ord("\n")
MAX_REPEATED = 1000
"""The largest count of a repetition in RE2."""


@dataclass(frozen=True)
class Characters:
    """A character class, which matches one character in any of the ranges of code points.

    ranges: sorted and disjoint.
    """

    ranges: tuple[Range, ...]


@dataclass(frozen=True)
class Assertion:
    """A condition on a position between characters, such as a word boundary.

    name: one of `ASSERTIONS`.
    """

    name: str


@dataclass(frozen=True)
class Series:
    """A sequence of expressions that match one after the other."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Alternation:
    """Alternatives: expressions of which one must match."""

    options: tuple[Expression, ...]


@dataclass(frozen=True)
class Repetition:
    """An expression that matches from ``low`` to ``high`` times; None means no limit."""

    part: Expression
    low: int
    high: int | None


Expression: TypeAlias = Characters | Assertion | Series | Alternation | Repetition

ASSERTIONS = ("text start", "text end", "line start", "line end", "boundary", "no boundary")
PERL = {"d": "0-9", "s": "\t\n\f\r ", "w": "0-9A-Za-z_"}
POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\0-\x7f", "blank": "\t ",
    "cntrl": "\0-\x1f\x7f", "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~",
    "punct": "!-/:-@[-`{-~", "space": "\t-\r ", "upper": "A-Z", "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}  # fmt: skip
CONTROLS = {"a": 7, "f": 12, "t": 9, "n": NEWLINE, "r": 13, "v": 11}
AT = {"A": "text start", "z": "text end", "b": "boundary", "B": "no boundary"}
COUNT = re.compile(r"\{(\d+)(,(\d*))?\}")
GROUP = re.compile(r"\?(?:P?<(\w+)>|([imsU]*(?:-[imsU]+)?)([:)]))")
NUMBER = re.compile(r"x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2})")
POSIX_CLASS = re.compile(r"\[:(.*?):\]", re.DOTALL)
PERL_CLASS = re.compile(r"\\[dDsSwW]")
CATEGORY = re.compile(r"\\[pP](?:\{(\^?)(\w+)\}|(\w))")


def parse(pattern: str) -> Expression:
    """Parse a regular expression.

    Errors: ModelError if it is malformed; UnsupportedOp for a form that is not supported.
    """
    parser = _Parser(pattern)
    made = parser.choice()
    if parser.at < len(pattern):
        raise parser.malformed("a parenthesis is closed that is not open")
    return made


@dataclass(frozen=True)
class _Flags:
    """The flags of RE2 that change what a pattern matches.

    i: case is ignored.  m: ^ and $ also match at line ends.  s: a dot also matches a line end.
    """

    i: bool = False
    m: bool = False
    s: bool = False

    def changed(self, text: str) -> _Flags:
        on, _, off = text.partition("-")
        names = {name: name in on for name in "ims" if name in on + off}
        return replace(self, **names)


class _Parser:
    """A parser of a pattern.

    at: the position of the next character.  flags: the flags at this position.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.flags = pattern, 0, _Flags()

    def malformed(self, rule: str) -> ModelError:
        got = f"{self.pattern!r}, character {self.at}"
        return ModelError(f"the pattern is malformed: {rule}", got=got)

    def takes(self, text: str) -> bool:
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def matched(self, form: re.Pattern[str]) -> re.Match[str] | None:
        found = form.match(self.pattern, self.at)
        self.at = self.at if found is None else found.end()
        return found

    def character(self) -> str:
        if self.at == len(self.pattern):
            raise self.malformed("it ends early")
        self.at += 1
        return self.pattern[self.at - 1]

    def choice(self) -> Expression:
        options = [self._series()]
        while self.takes("|"):
            options.append(self._series())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def _series(self) -> Expression:
        parts: list[Expression] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            counts = self._count()
            if counts is not None:
                parts[-1:] = [self._repeated(parts[-1:], *counts)]
            elif self.takes("\\Q"):
                literal, _, _ = self.pattern[self.at :].partition("\\E")
                parts += [self._literal(ord(each)) for each in literal]
                self.at += len(literal)
                self.takes("\\E")
            else:
                parts += self._atom()
        return Series(tuple(parts))

    def _repeated(self, last: list[Expression], low: int, high: int | None) -> Expression:
        """Read an optional ``?`` after the counts of a repetition; return the repetition.

        The ``?`` makes a repetition lazy, which has no effect on full matches.
        last: the expression that is repeated, as a list; empty if it is missing.
        Errors: ModelError if it is missing, or if the counts are out of range.
        """
        if not last:
            raise self.malformed("a repetition has no argument")
        self.takes("?")
        if self._count() is not None:
            raise self.malformed("a repetition is repeated")
        if max(low, high or 0) > MAX_REPEATED or (high is not None and high < low):
            raise self.malformed(f"the counts {low} to {high} of a repetition")
        return Repetition(last[0], low, high)

    def _count(self) -> tuple[int, int | None] | None:
        for text, limits in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.takes(text):
                return limits
        counted = self.matched(COUNT)
        if counted is None:
            return None
        low = int(counted[1])
        return low, low if counted[2] is None else int(counted[3]) if counted[3] else None

    def _atom(self) -> list[Expression]:
        """Read a character, a set, an assertion or a group; return [] for a change of flags."""
        found = self._class()
        if found is not None:
            return [Characters(self._folded(found))]
        c = self.character()
        match c:
            case "(":
                return self._group()
            case "[":
                return [self._set()]
            case ".":
                newline = () if self.flags.s else ((NEWLINE, NEWLINE),)
                return [Characters(_complement(newline))]
            case "^":
                return [Assertion("line start" if self.flags.m else "text start")]
            case "$":
                return [Assertion("line end" if self.flags.m else "text end")]
            case "\\":
                if self.pattern[self.at : self.at + 1] in AT:
                    return [Assertion(AT[self.character()])]
                return [self._literal(self._escaped())]
            case _:
                return [self._literal(ord(c))]

    def _group(self) -> list[Expression]:
        around, form = self.flags, self.matched(GROUP)
        if form is None and self.takes("?"):
            raise self.malformed("the group is of no known form")
        if form is not None and form[2] is not None:
            self.flags = self.flags.changed(form[2])
            if form[3] == ")":
                return []
        made = self.choice()
        if not self.takes(")"):
            raise self.malformed("a parenthesis is not closed")
        self.flags = around
        return [made]

    def _literal(self, code: int) -> Characters:
        return Characters(self._folded(((code, code),)))

    def _folded(self, ranges: Sequence[Range]) -> tuple[Range, ...]:
        """Return ranges of characters; with the flag i, add the same letters in the other case."""
        return _joined([*ranges, *_other_cases(ranges)]) if self.flags.i else _joined(ranges)

    def _complement(self, ranges: Sequence[Range]) -> tuple[Range, ...]:
        return _complement(self._folded(ranges))

    def _class(self) -> Sequence[Range] | None:
        r"""Read a class such as ``\d`` or ``\pL``; return None if no class follows."""
        perl = self.matched(PERL_CLASS)
        if perl is not None:
            name = perl[0][1]
            found = _ranges(PERL[name.lower()])
            return found if name in PERL else self._complement(found)
        category = self.matched(CATEGORY)
        if category is None:
            return None
        found = self._named(category[2] or category[3])
        is_negated = category[0][1] == "P"
        return self._complement(found) if is_negated != bool(category[1]) else found

    def _escaped(self) -> int:
        number = self.matched(NUMBER)
        if number is not None:
            code = int(number[3], 8) if number[3] else int(number[1] or number[2], 16)
            if code > LAST:
                raise self.malformed("a code point is too large")
            return code
        c = self.character()
        if c == "C":
            raise UnsupportedOp("patterns of single bytes are not supported", got=self.pattern)
        code = CONTROLS.get(c, ord(c))
        if c not in CONTROLS and (c.isalnum() or code > 127):
            raise self.malformed("the escape is unknown")
        return code

    def _named(self, name: str) -> Sequence[Range]:
        if name == "Any":
            return ((0, LAST),)
        found = _category(name)
        if not found:
            raise UnsupportedOp("the set of characters is not supported", got=f"\\p{{{name}}}")
        return found

    def _set(self) -> Characters:
        is_negated, ranges = self.takes("^"), list(self._element())
        while not self.takes("]"):
            ranges += self._element()
        return Characters(self._complement(ranges) if is_negated else self._folded(ranges))

    def _posix(self) -> Sequence[Range] | None:
        form = self.matched(POSIX_CLASS)
        if form is None:
            return None
        name = form[1]
        if name.removeprefix("^") not in POSIX:
            raise self.malformed(f"the class {name!r} is unknown")
        found = _ranges(POSIX[name.removeprefix("^")])
        return self._complement(found) if name.startswith("^") else found

    def _element(self) -> Sequence[Range]:
        found = self._posix() or self._class()
        if found is not None:
            return found
        low = high = self._member()
        is_last = self.pattern.startswith("-]", self.at)
        if not is_last and self.takes("-"):
            high = self._member()
        if high < low:
            raise self.malformed("a range of characters is empty")
        return ((low, high),)

    def _member(self) -> int:
        c = self.character()
        return self._escaped() if c == "\\" else ord(c)


def _ranges(text: str) -> Sequence[Range]:
    return [(ord(each[0]), ord(each[-1])) for each in re.findall(r".-.|.", text, re.DOTALL)]


def _joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Sort ranges, and join those that overlap or touch."""
    made: list[Range] = []
    for low, high in sorted(ranges):
        if made and low <= made[-1][1] + 1:
            made[-1] = made[-1][0], max(made[-1][1], high)
        else:
            made.append((low, high))
    return tuple(made)


def _complement(ranges: Iterable[Range]) -> tuple[Range, ...]:
    made, first = list[Range](), 0
    for low, high in (*_joined(ranges), (LAST + 1, LAST + 1)):
        if first < low:
            made.append((first, low - 1))
        first = high + 1
    return tuple(made)


def _other_cases(ranges: Sequence[Range]) -> list[Range]:
    """Return the code points that differ only in case from a code point in ``ranges``."""
    found = [
        same for code, same in _cases().items() if any(low <= code <= high for low, high in ranges)
    ]
    return [(code, code) for codes in found for code in codes]


@cache
def _cases() -> dict[int, list[int]]:
    """Return, for each letter with another case, all code points that differ only in case."""
    groups: dict[str, list[int]] = {}
    for code in range(LAST_WITH_CASE + 1):
        groups.setdefault(chr(code).casefold(), []).append(code)
    return {code: same for same in groups.values() if len(same) > 1 for code in same}


@cache
def _category(name: str) -> Sequence[Range]:
    """Return the code points of a general category of Unicode, as ranges.

    name: a category, such as Lu, or the first letter of several categories, such as L.
    """
    codes = range(LAST + 1)
    return _joined((n, n) for n in codes if unicodedata.category(chr(n)).startswith(name))
