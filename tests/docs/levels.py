"""docs/reference/levels.md: one small model at every level, by ``make reference``."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import parser
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.dialects.sched import ScriptOp
from tilewright.dialects.te import KernelOp
from tilewright.driver.report.texts import source_at
from tilewright.support.registry import new_context
from tilewright.tools.reference.pages import EXAMPLE_TARGET

MODEL = """\
<ir_version: 10, opset_import: ["": 21]>
dense (float[4, 8] x, float[8, 8] w, float[8] b) => (float[4, 8] y) {
  p = MatMul(x, w)
  s = Add(p, b)
  y = Relu(s)
}
"""
KERNEL, MAIN = "matmul", "main"
INTRODUCTION = f"""\
# One model at every level

A dense layer, `y = relu(x · w + b)`, at every level of the way down, for
`{EXAMPLE_TARGET}`. The compiler printed every text below. `tw compile model.onnx --to LEVEL`
prints a level of any model.

From `te` on, a program has kernels, and a function `main` that calls them. The texts show the
kernel; the last one shows `main`. [Dialects](../dialects.md) explains each language.
"""


def levels_page() -> str:
    """Return the page."""
    columns = (_column(*column) for column in _columns())
    return "\n".join([INTRODUCTION, '<div class="levels">', *columns, "", "</div>", ""])


def _column(title: str, summary: str, language: str, text: str) -> str:
    block = f"```{language}\n{text.strip()}\n```"
    return f"<div>\n\n**{title}**: {summary}\n\n{block}\n\n</div>"


def _columns() -> Iterator[tuple[str, str, str, str]]:
    """Yield the title, summary, language and text of each column."""
    yield "ONNX", "the model", "text", MODEL
    yield "graph", "what is computed", "mlir", _printed("graph", FuncOp, MAIN)
    yield "te", "how each element is defined", "mlir", _printed("te", KernelOp, KERNEL)
    yield (
        "sched",
        "the schedule from the planner",
        "mlir",
        _printed("sched", ScriptOp, KERNEL),
    )
    yield "scheduled", "the schedule applied", "mlir", _printed("scheduled", KernelOp, KERNEL)
    yield "loop", "in what order and where", "mlir", _printed("loop", FuncOp, KERNEL)
    yield "ll", "LLVM IR", "text", _function("ll", "define", "}")
    yield "asm", "machine code", "text", _function("asm", "tw.k.0:", "\tretq")
    yield "packed", "the host program", "mlir", _printed("packed", FuncOp, MAIN)


def _source(level: str) -> str:
    return source_at(parser.parse_model(MODEL), level, target=EXAMPLE_TARGET)


def _printed(level: str, kind: type[FuncOp | KernelOp | ScriptOp], name: str) -> str:
    """Return the text of a function, kernel or script of a level."""
    module = Parser(new_context(), _source(level)).parse_module()
    return next(str(op) for op in module.ops if isinstance(op, kind) and _name(op) == name)


def _name(op: FuncOp | KernelOp | ScriptOp) -> str:
    return op.kernel_name if isinstance(op, ScriptOp) else op.sym_name.data


def _function(kind: str, start: str, end: str) -> str:
    """Return the lines of the first function of a text in LLVM IR or assembly."""
    lines = _source(kind).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(start))
    last = next(i for i, line in enumerate(lines) if i > first and line == end)
    return "\n".join(lines[first : last + 1])
