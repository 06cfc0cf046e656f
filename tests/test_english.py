"""Check docstrings, comments, error texts and pages for constructions that stop a reader."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# What to write instead, and the banned construction.
BANNED = {
    "name the actor": r"\b(whoever|whomever|nobody)\b",
    "show, name, say or return": r"\b((is|are|was|were|been) told|tells)\b",
    "conflict, overlap or coincide": r"\b(meet|meets|met)\b",
    "next to, or compared with": r"\bbeside\b",
    "as many, or the number": r"\bso many\b",
    "alone, or automatically": r"\bby (itself|themselves)\b",
    "a noun instead of a clause": (
        r"(^|[.;,] |\b(and|as|by|for|from|in|of|on|than|to|with) )what (is|are)\b(?![^.]*\?)"
    ),
    "start with the subject": r"(^|[.;:] )Of (?!course\b)[\w ]+,? also\b",
    "a noun after the name of a parameter": r"(^|[.;:] )\w+(, \w+)*: of (the|a|this|these|each)\b",
}
ANY_BANNED = re.compile("|".join(f"(?:{each})" for each in BANNED.values()), re.IGNORECASE)
# A comment, or a string, inside which # starts no comment.
STRING_OR_COMMENT = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*'''
    r"""|'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
# Quoted words are code or names, not prose.
QUOTED = re.compile(r"``.*?``|`[^`]*`|\"[^\"]*\"")


def listed(pattern: str) -> list[Path]:
    """Return the files of the repository that match a pattern."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in found.stdout.splitlines() if (path := ROOT / name).exists()]


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, the texts of raised errors, and the blocks of comments, with lines."""
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Expr):
            parts: list[ast.AST] = [node.value]
        else:
            parts = list(ast.walk(node)) if isinstance(node, ast.Raise) else []
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from paragraphs(part.lineno, part.value)
    found = comments(source)
    lines = range(1, source.count("\n") + 2)
    yield from paragraphs(1, "\n".join(found.get(line, "") for line in lines))


def comments(source: str) -> dict[int, str]:
    """Return the text of the comment in each line that has one."""
    found: dict[int, str] = {}
    line = at = 0
    for match in STRING_OR_COMMENT.finditer(source):
        line, at = line + source.count("\n", at, match.start()), match.start()
        if match[0].startswith("#"):
            found[line + 1] = match[0][1:]
    return found


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements, which takes a fraction of the time of a walk over all nodes."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, field, ())


def page_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs, list items and table rows of a page, without its code blocks."""
    blank = re.sub(r"^```.*?^```$", lambda m: "\n" * m[0].count("\n"), source, flags=re.M | re.S)
    yield from paragraphs(1, re.sub(r"^(?=[-|#])", "\v", blank, flags=re.M))


def paragraphs(first: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a text on one line each, with the line where they start."""
    line = first
    for part in re.split(r"(\n\s*\n|\v)", text):
        if part.strip():
            yield line, " ".join(QUOTED.sub("`x`", part).split())
        line += part.count("\n")


def violations(texts: Iterator[tuple[int, str]]) -> list[str]:
    return [
        f"{line}: write {advice}: ..{text[max(0, found.start() - 30) : found.end() + 30]}.."
        for line, text in texts
        if ANY_BANNED.search(text)
        for advice, pattern in BANNED.items()
        if (found := re.search(pattern, text, re.IGNORECASE))
    ]


@pytest.mark.parametrize(("pattern", "read"), [("*.py", python_texts), ("*.md", page_texts)])
def test_texts_use_no_banned_construction(
    pattern: str, read: Callable[[str], Iterator[tuple[int, str]]]
) -> None:
    found = {path.relative_to(ROOT): violations(read(path.read_text())) for path in listed(pattern)}
    assert not [f"{path}:{each}" for path, some in found.items() for each in some]


@pytest.mark.parametrize(
    "text",
    [
        "Rows meet in few sets.",
        "Whoever waits is tried first.",
        "Of dilated kernels also the border.",
        "A concat of what is reduced.",
        "The array beside the text.",
        "shape: of the result.",
    ],
)
def test_a_banned_construction_is_found(text: str) -> None:
    assert violations(python_texts(f'def f():\n    """{text}"""\n'))
    assert violations(python_texts(f"# {text}\n"))
    assert violations(python_texts(f'raise ValueError(f"{{x}}: {text}")\n')) or text.startswith(
        "Of"
    )
    assert violations(page_texts(f"# Title\n\n{text}\n"))


def test_code_and_questions_are_not_prose() -> None:
    assert not violations(page_texts("Call `nobody`.\n\n```\nnobody\n```\n\nAnd what is it?\n"))
