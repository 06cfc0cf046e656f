"""IR as data: compare programs of any level, and write and read them as JSON and MLIR bytecode.

    difference = tilewright.ir.diff(before, after)       # None if both are structurally equal
    number = tilewright.ir.structural_hash(module)       # equal for structurally equal programs
    text = tilewright.ir.to_json(module)                 # docs/ir.schema.json
    data = tilewright.ir.to_bytecode(module)             # mlir-opt reads it, too
    program = tilewright.ir.for_mlir(module)             # text, and our dialects as IRDL
    text = tilewright.ir.to_nested_text(module)          # nested expressions, for people
    module = tilewright.ir.from_nested_text(text)

In and out: xDSL operations of any dialect, usually a ``builtin.module``. This layer knows the
generic form of operations only (operands, results, properties, attributes, successors, regions),
so that it serves every dialect, also those of other packages.
"""

from __future__ import annotations

from .bytecode.reader import from_bytecode
from .bytecode.writer import to_bytecode
from .difference import Difference, diff
from .files import read, write
from .irdl import MlirProgram, for_mlir
from .json_form import from_json, to_json
from .nested_parser import from_nested_text
from .nested_text import to_nested_text
from .structural_hash import structural_hash

__all__ = [
    "Difference",
    "MlirProgram",
    "diff",
    "for_mlir",
    "from_bytecode",
    "from_json",
    "from_nested_text",
    "read",
    "structural_hash",
    "to_bytecode",
    "to_json",
    "to_nested_text",
    "write",
]
