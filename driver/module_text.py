"""Make the module that `compile_module` compiles: copy a given module, or parse printed IR."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import cast

from xdsl.dialects.builtin import ModuleOp

from ..analysis.verify import verify_module
from ..ir.files import OTHER_FORMS, as_module, read
from ..runtime.errors import ArgumentError
from ..support.diagnostics import ModelError
from ..support.located import LocatedParser, malformed_text, verify_located
from .extension import Extension, context_of


def own_module(given: object, extensions: Sequence[Extension]) -> ModuleOp:
    """Copy a module, or parse a module from printed IR or from a file.

    given: the argument ``module`` of `compile_module`.

    Errors: see `compile_module`.
    """
    match given:
        case ModuleOp():
            return given.clone()
        case str() if any(character in given for character in "\n{@"):
            return _parsed(given, "<text>", extensions)
        case str() | PathLike():
            path = Path(cast("str | PathLike[str]", given))
            if path.suffix in OTHER_FORMS:
                return _read(path, extensions)
            return _parsed(_text_of(path), str(path), extensions)
        case _:
            raise ArgumentError(
                "module is of another kind",
                expected="a ModuleOp, its text, or the path of a file with its text",
                got=type(given).__name__,
                hint="for an ONNX model or a torch module, call tilewright.compile",
            )


def _read(path: Path, extensions: Sequence[Extension]) -> ModuleOp:
    found = as_module(read(path, context_of(extensions)), str(path))
    verify_module(found)
    return found


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as err:
        reason = err.strerror if isinstance(err, OSError) else "the file is no UTF-8 text"
        raise ModelError(
            "the file of the module cannot be read",
            expected="a file such as dense.mlir, or the text of a module",
            got=reason or str(err),
            hint="a text has a line break, { or @; for an ONNX model, call tilewright.compile",
        ).in_file(str(path)) from err


def _parsed(text: str, name: str, extensions: Sequence[Extension]) -> ModuleOp:
    parser = LocatedParser(context_of(extensions), text, name)
    with malformed_text():
        module = parser.parse_module()
    verify_located(module, verify_module, parser.places())
    return module
