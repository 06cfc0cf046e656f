"""Fold temporary variables of printed C into the expressions that use them.

    float t1 = x[i * 8 + k];
    float t2 = w[k * 4 + o];            ==>        sum += x[i * 8 + k] * w[k * 4 + o];
    float t3 = t1 * t2;
    float t4 = sum + t3;
    sum = t4;

In: the lines of one function, whose temporaries are `Temporary` lines.  Out: lines of text.

A temporary that is used once, in the same block, becomes a part of that use.  Nothing that it reads
changes on the way: a temporary is declared before a line that assigns what it reads, or that begins
or ends a block.  Temporaries without a use are dropped.
Exact: the same operations on the same values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

MOST_COLUMNS = 96
"""The longest line that folding makes."""

_NAME = re.compile(r"\bt\d+\b")
_TERNARY, _LOGIC, _COMPARE, _SHIFT, _SUM, PRODUCT, UNARY, ATOM = range(8)
_LEVELS = (
    (_TERNARY, (" ? ", " : ")),
    (_LOGIC, (" && ", " || ")),
    (_COMPARE, (" == ", " != ", " < ", " <= ", " > ", " >= ")),
    (_SHIFT, (" & ", " | ", " ^ ", " << ", " >> ")),
    (_SUM, (" + ", " - ")),
    (PRODUCT, (" * ", " / ", " % ")),
)
_LEFT = {
    " + ": PRODUCT, " - ": PRODUCT, " * ": UNARY, " / ": UNARY, " % ": UNARY,
    " < ": _SUM, " <= ": _SUM, " > ": _SUM, " >= ": _SUM, " == ": _SUM, " != ": _SUM,
    " && ": _COMPARE, " || ": _COMPARE, " ? ": _LOGIC, " : ": _LOGIC, " = ": _TERNARY,
    " += ": _TERNARY, "return ": _TERNARY, ", ": _TERNARY, "[": _TERNARY, "(": _TERNARY,
}  # fmt: skip
"""The level that an operand needs after an operator; all others need an atom."""
_RIGHT = {
    " + ": _SUM, " - ": _SUM, " * ": PRODUCT, " / ": PRODUCT, " % ": PRODUCT,
    " < ": _SUM, " <= ": _SUM, " > ": _SUM, " >= ": _SUM, " == ": _SUM, " != ": _SUM,
    " && ": _COMPARE, " || ": _COMPARE, " ? ": _COMPARE, " : ": _LOGIC,
    ";": _TERNARY, ",": _TERNARY, "]": _TERNARY, ")": _TERNARY,
}  # fmt: skip
"""The level that an operand needs before an operator."""


class Temporary(str):
    """A line of C that declares a temporary variable.

    name: the name of the variable.
    expression: its initial value as C code, which has the type of the variable.
    """

    name: str
    expression: str

    @staticmethod
    def of(line: str, name: str, expression: str) -> Temporary:
        """Return a line with the data of the temporary that it declares.

        name: the name of the variable.
        expression: its initial value as C code.
        """
        made = Temporary(line)
        made.name, made.expression = name, expression
        return made


def fold(lines: Sequence[str]) -> list[str]:
    """Fold the temporaries of a function into the lines that use them; return the new lines."""
    needed = _without_unused(lines)
    uses = Counter(name for line in needed for name in _used(line))
    out: list[str] = []
    waiting: dict[str, Temporary] = {}
    for line in needed:
        if isinstance(line, Temporary):
            made = _temporary(line, waiting, out)
            if uses[made.name] == 1:
                waiting[made.name] = made
            else:
                out.append(made)
            continue
        text = _substituted(line, waiting, out)
        for name in [each for each, made in waiting.items() if _changes(line, made.expression)]:
            _declare(name, waiting, out)
        out.append(_compound(text))
    return [*out, *waiting.values()]


def numbered(lines: Sequence[str]) -> list[str]:
    """Rename the temporaries of a function to t1, t2 and so on, in declaration order."""
    names: dict[str, str] = {}
    for line in lines:
        for name in names_in(line):
            names.setdefault(name, f"t{len(names) + 1}")
    return [_NAME.sub(lambda found: names[found[0]], str(line)) for line in lines]


def names_in(line: str) -> list[str]:
    """Return the names of temporaries that occur in a line, in order."""
    return _NAME.findall(line)


def _used(line: str) -> list[str]:
    return names_in(line.expression if isinstance(line, Temporary) else line)


def _without_unused(lines: Sequence[str]) -> list[str]:
    """Return the lines without declarations of temporaries that no other line uses."""
    used: set[str] = set()
    kept: list[str] = []
    for line in reversed(lines):
        if not isinstance(line, Temporary) or line.name in used:
            kept.append(line)
            used.update(_used(line))
    return kept[::-1]


_SET = re.compile(r" *(?:\w+ )?(\w+)(\[.*\])? = .*;")


def _changes(line: str, expression: str) -> bool:
    """Return whether an expression must be evaluated before a line, not after it.

    This is so if the line may assign a variable or element that the expression reads, or if the
    line begins or ends a block.
    """
    found = _SET.fullmatch(line)
    if found is None:
        return True
    if found[2]:
        return "[" in expression
    return re.search(rf"\b{found[1]}\b", expression) is not None


def _temporary(line: Temporary, waiting: dict[str, Temporary], out: list[str]) -> Temporary:
    """Return a temporary with the pending temporaries that its expression uses folded into it.

    A temporary is pending as long as its declaration is not printed.
    waiting: the pending temporaries, by name.
    out: the lines so far, which get declarations of temporaries that are not folded.
    """
    text = _substituted(str(line), waiting, out)
    head = line[: len(line) - len(line.expression) - 1]
    return Temporary.of(text, line.name, text[len(head) : -1])


def _substituted(line: str, waiting: dict[str, Temporary], out: list[str]) -> str:
    """Return a line with the pending temporaries that it uses folded into it.

    A temporary is pending as long as its declaration is not printed. If a line would become too
    long, the temporary is declared before it instead.
    waiting: the pending temporaries, by name.
    out: the lines so far, which get these declarations.
    """
    position = 0
    while (found := _NAME.search(line, position)) is not None:
        position = found.end()
        made = waiting.get(found[0])
        if made is None:
            continue
        changed, end = _replaced(line, found.start(), found.end(), made.expression)
        if len(changed) > MOST_COLUMNS:
            _declare(made.name, waiting, out)
            continue
        del waiting[made.name]
        line, position = changed, end
    return line


def _declare(name: str, waiting: dict[str, Temporary], out: list[str]) -> None:
    """Append the declaration of a pending temporary to the lines.

    waiting: the pending temporaries, by name, from which this one is removed.
    out: the lines so far.
    """
    out.append(waiting.pop(name))


def _replaced(line: str, start: int, end: int, expression: str) -> tuple[str, int]:
    """Replace a part of a line by an expression, with parentheses where precedence requires them.

    start, end: the range of characters to replace.
    Returns the new line, and the position after the expression in this line.
    """
    before, after = line[:start], line[end:]
    text = expression if _fits(before, after, level_of(expression)) else f"({expression})"
    return f"{before}{text}{after}", start + len(text)


def _fits(before: str, after: str, level: int) -> bool:
    """Return whether an expression needs no parentheses between two texts.

    before, after: the texts.
    level: the precedence of the expression, as `level_of` returns it.
    """
    if level == ATOM:
        return True
    if level == UNARY and not before.endswith("-"):
        return True
    left = next((need for text, need in _LEFT.items() if before.endswith(text)), ATOM)
    right = next((need for text, need in _RIGHT.items() if after.startswith(text)), ATOM)
    return level >= left and level >= right


def level_of(expression: str) -> int:
    """Return the precedence of an expression: that of its weakest operator outside parentheses."""
    outside = _outside(expression)
    for level, operators in _LEVELS:
        if any(operator in outside for operator in operators):
            return level
    return UNARY if outside[:1] in ("(", "-", "!", "~") and outside not in ("()",) else ATOM


def _outside(expression: str) -> str:
    """Return an expression with the contents of its parentheses and brackets removed."""
    depth, out = 0, list[str]()
    for letter in expression:
        depth -= letter in ")]"
        if depth == 0:
            out.append(letter)
        depth += letter in "(["
    return "".join(out)


_ASSIGNED = re.compile(r"( *)(\w+) = (\w+) \+ (.*);")


def _compound(line: str) -> str:
    """Rewrite a line of the form ``x = x + y;`` as ``x += y;``; return other lines unchanged."""
    found = _ASSIGNED.fullmatch(line)
    if found is None or found[2] != found[3] or level_of(found[4]) < PRODUCT:
        return line
    return f"{found[1]}{found[2]} += {found[4]};"
