"""Every error of dialects, interp and runtime on which a user can act says what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("dialects", "interp", "runtime")

# Functions whose errors have no hint, and why.
EXCEPTED = {
    "interp/compare.py:_changed": "the caller names the pass or step that changed the value",
    "interp/compare.py:_expect_type": "the caller names the pass or step that changed the value",
    "runtime/file/archive.py:_fields": "members makes it an error with a hint",
    "runtime/file/archive.py:_plain_files": "members makes it an error with a hint",
    "runtime/errors.py:error_of_kind": "the text of the compiled code holds its own hint",
}
# Python's own errors that the runtime raises; a hint is part of their text.
BUILTIN = frozenset({"BufferError", "LookupError", "TypeError", "ValueError"})
WORDS = 2  # a verb and an object, such as "insert graph.cast"


def library() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the files that define the errors of the three folders, or raise them."""
    for folder in (*FOLDERS, "support"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def error_classes(trees: dict[Path, ast.Module]) -> set[str]:
    """Return the names of the classes that derive from Error."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"Error"}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return found


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.Call, bool]]:
    """Yield each call with the innermost function that holds it, and whether it is raised."""
    raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    holders = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    owner = {id(inner): holder.name for holder in holders for inner in ast.walk(holder)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield owner.get(id(node), ""), node, id(node) in raised


def literal(node: ast.AST) -> str:
    """Return the text of the literals in an expression, with ``x`` for each formatted value."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(literal, node.values))
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.FormattedValue):
        return "x"
    return " ".join(map(literal, ast.iter_child_nodes(node)))


def has_hint(call: ast.Call) -> bool:
    """Return whether an error gets a hint: at least a few words, or a value."""
    hints = [keyword.value for keyword in call.keywords if keyword.arg == "hint"]
    is_short = any(
        isinstance(hint, ast.Constant | ast.JoinedStr) and len(literal(hint).split()) < WORDS
        for hint in hints
    )
    return bool(hints) and not is_short


def without_hint(tree: ast.Module, classes: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the function and line of each error without a hint."""
    for holder, call, is_raised in functions(tree):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in classes and not has_hint(call):
            yield holder, call.lineno
        if name in BUILTIN and is_raised and "hint: " not in literal(call):
            yield holder, call.lineno


def test_every_error_has_a_hint() -> None:
    trees = dict(library())
    classes = error_classes(trees)
    found = {
        f"{path}:{holder}": line
        for path, tree in trees.items()
        if path.parts[0] in FOLDERS
        for holder, line in without_hint(tree, classes)
    }
    assert {place: line for place, line in found.items() if place not in EXCEPTED} == {}
    assert EXCEPTED.keys() <= found.keys(), "an exception that nothing needs"


def test_helpers_that_make_errors_take_a_hint_without_a_default() -> None:
    lax: list[str] = []
    for path, tree in library():
        for node in ast.walk(tree) if path.parts[0] in FOLDERS else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
                plain = [*node.args.posonlyargs, *node.args.args]
                given = plain[len(plain) - len(node.args.defaults) :]
                if node.name != "__init__" and "hint" in [argument.arg for argument in given]:
                    lax.append(f"{path}:{node.lineno}")
    assert not lax


def test_a_missing_or_empty_hint_is_found() -> None:
    source = "def f():\n    raise Error('x'{})\ndef g():\n    raise ValueError('x{}')\n"
    found = without_hint(ast.parse(source.format("", "")), {"Error"})
    assert list(found) == [("f", 2), ("g", 4)]
    found = without_hint(ast.parse(source.format(", hint='fix'", r"\n hint: y")), {"Error"})
    assert list(found) == [("f", 2)]
    found = without_hint(ast.parse(source.format(", hint=hint", r"\n hint: y")), {"Error"})
    assert not list(found)
