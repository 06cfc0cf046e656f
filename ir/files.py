"""Files of programs: text (.mlir, .nested), JSON (.json) and MLIR bytecode (.mlirbc)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..support.diagnostics import ModelError
from ..support.located import LocatedParser, malformed_text
from ..support.registry import new_context
from .bytecode.primitives import MAGIC
from .bytecode.reader import from_bytecode
from .bytecode.writer import to_bytecode
from .json_form import from_json, to_json
from .nested_parser import from_nested_text
from .nested_text import to_nested_text

FORMS: Mapping[str, Callable[[Operation], bytes]] = {
    ".mlir": lambda op: f"{op!s}\n".encode(),
    ".json": lambda op: f"{to_json(op, indent=1)}\n".encode(),
    ".mlirbc": to_bytecode,
    ".nested": lambda op: to_nested_text(as_module(op, "<program>")).encode(),
}
"""The bytes of a program, by the suffix of a file."""
OTHER_FORMS = tuple(suffix for suffix in FORMS if suffix != ".mlir")
"""The suffixes of files that are no text of MLIR."""


def read(path: str | PathLike[str], ctx: Context | None = None) -> Operation:
    """Return the program of a file; the program is not verified.

    The suffix .json means JSON, and .nested nested expressions. The first bytes of a file of
    bytecode mark it. All else is text.
    ctx: the dialects of the program; by default those of this package.
    Errors: ModelError for a file that cannot be read or is malformed.
    """
    name, dialects = str(path), new_context() if ctx is None else ctx
    try:
        return parse(Path(path).read_bytes(), name, dialects)
    except OSError as err:
        raise ModelError("the file cannot be read", got=err.strerror).in_file(name) from err


def parse(data: bytes, name: str, ctx: Context) -> Operation:
    """Return the program in the contents of a file; the program is not verified.

    name: the name of the file; its suffix says the form, except for bytecode.

    Errors: ModelError for malformed contents.
    """
    try:
        if data.startswith(MAGIC):
            return from_bytecode(data, ctx)
        text = data.decode()
        if name.endswith(".json"):
            return from_json(text, ctx)
        if name.endswith(".nested"):
            return from_nested_text(text, ctx, name=name)
    except UnicodeDecodeError as err:
        raise ModelError("the file is neither text nor bytecode", got=str(err)).in_file(
            name
        ) from err
    except ModelError as err:
        raise err.in_file(name) from err
    with malformed_text():
        return LocatedParser(ctx, text, name).parse_module()


def as_module(op: Operation, name: str) -> ModuleOp:
    """Return an op as a module, after checking that it is one.

    name: the name of the file from which the op was read, for the error.
    Errors: ModelError for another op.
    """
    if not isinstance(op, ModuleOp):
        raise ModelError("the program is no module", got=op.name).in_file(name)
    return op


def write(op: Operation, path: str | PathLike[str]) -> None:
    """Write a program to a file; the suffix of the path chooses the form.

    Errors: ModelError for another suffix; OSError for a path that cannot be written.
    """
    file = Path(path)
    if file.suffix not in FORMS:
        raise ModelError("unknown form of a program", expected=", ".join(FORMS), got=file.name)
    file.write_bytes(FORMS[file.suffix](op))
