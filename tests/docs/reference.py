"""Generate the pages of docs/reference/ and the types of ``ops`` from the code.

``make reference`` runs it.

Examples of `graph` ops come from the op cases; of other ops, from the first of: the IR in
docs/dialects.md, docs/reference/ops.mlir, the FileCheck files, and op cases at each level of the
pipeline.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.tools.reference.operators import operators_page, operators_stub
from tilewright.tools.reference.pages import (
    EXAMPLE_TARGET,
    ops_page,
    own_dialects,
    own_passes,
    pass_pages,
)
from tilewright.tools.reference.primitives import primitives_page

from ..ops.cases import CASES
from .blocks import ROOT, blocks
from .levels import levels_page
from .targets import targets_page

FOLDER = ROOT / "docs" / "reference"
STUB = ROOT / "ops" / "__init__.pyi"
LOWERED = (
    "if", "loop", "scan", "non_zero", "matmul", "concat", "scatter_nd",
    "matmul_u8_i8", "conv_transpose_holes", "pad_edge",
)  # fmt: skip
"""Prefixes of the names of op cases that are lowered for examples."""
LONGEST = 30
"""Maximum number of lines of an example."""


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    return {
        "ops.md": ops_page(own_dialects(), examples()),
        "levels.md": levels_page(),
        "operators.md": operators_page(),
        "primitives.md": primitives_page(),
        "targets.md": targets_page(),
        **pass_pages(own_passes(), FOLDER / "examples", new_context()),
    }


@cache
def examples() -> dict[str, Operation]:
    """Return an example of each op that has one."""
    found: dict[str, Operation] = {}
    for module in modules():
        for op in module.walk():
            if op.name not in found and len(str(op).splitlines()) <= LONGEST:
                found[op.name] = op
    return found


def modules() -> Iterator[ModuleOp]:
    """Yield programs that hold examples, the best ones first."""
    for case in CASES:
        yield case.function()[0]
    texts = [b.text for b in blocks(ROOT / "docs" / "dialects.md") if b.language == "mlir"]
    for text in (*texts, (FOLDER / "ops.mlir").read_text()):
        yield Parser(new_context(), text).parse_module()
    for path in sorted((ROOT / "tests" / "filecheck").rglob("*.mlir")):
        try:
            module = Parser(new_context(), path.read_text()).parse_module()
            module.verify()
        except (ParseError, VerifyException):
            continue  # an example of an error
        yield module
    for prefix in LOWERED:
        module, _ = next(case for case in CASES if case.name.startswith(prefix)).function()
        for level in CPU.levels:
            lowered = module.clone()
            run_pipeline(lowered, new_context(), Target(EXAMPLE_TARGET), to=level)
            yield lowered


def write() -> None:
    """Write the pages, and the types of the operators."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text)
    STUB.write_text(operators_stub())


if __name__ == "__main__":
    write()
