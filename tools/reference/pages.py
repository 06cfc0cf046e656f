"""Reference pages in Markdown: ops from their classes, passes from their files and by running them.

    python -m tilewright.tools.reference.pages ops                 what tw-opt knows
    python -m tilewright.tools.reference.pages ops --load mine.py    what a plugin adds
    python -m tilewright.tools.reference.pages passes --load mine.py --examples folder

The example of a pass is ``folder/PASS.mlir``; its first line may name passes that prepare the
program: ``// after: graph-to-te,te-outline``.  The page shows the program before and after.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, OpDef, OptionalDef, VariadicDef
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline

from ...analysis.verify import verify_module
from ...dialects.graph.elementwise import KINDS, ElementwiseOp
from ...machines.target import Target
from ...support.diagnostics import TilewrightError
from ...support.ir_parser import IrParser
from ...support.lazy import load
from ...support.passes import CheckPass
from ...support.registry import DIALECTS, PASSES, find_pass, new_context
from ...targets.cpu.backend import CPU
from ..failures import failure_text, user_errors
from ..plugin import load_plugin

AFTER = "// after:"
TARGET = "// target:"
PRECISION = "// precision:"
EXAMPLE_TARGET = "llvm -mcpu=x86-64-v3"
"""The target for passes that plan; fixed, so that pages are the same on every machine."""
_SEGMENTS = ("`operandSegmentSizes`", "`resultSegmentSizes`")
"""Properties that xDSL adds for its own use."""
ExampleOps: TypeAlias = Mapping[str, Operation]


def ops_page(dialects: Iterable[Dialect], examples: ExampleOps | None = None) -> str:
    """Return a Markdown page with the ops of dialects.

    examples: for each op that has an example, by name of the op, an op to print; None: no examples.
    """
    shown = {} if examples is None else examples
    parts = [
        "# Ops\n",
        "Made from the classes; `name?` may be absent, `name*` stands for any number.\n",
    ]
    for dialect in dialects:
        parts.append(f"## {dialect.name}\n")
        for module, found in _by_module(dialect).items():
            parts += [f"### {module}\n", _text_block(inspect.getdoc(sys.modules[module]) or ""), ""]
            parts += [_op(op, shown.get(op.name)) for op in found]
    return "\n".join(parts)


def _by_module(dialect: Dialect) -> dict[str, list[type[Operation]]]:
    """Return the ops of a dialect by the name of the module that defines them, sorted by name."""
    found: dict[str, list[type[Operation]]] = {}
    for op in sorted(dialect.operations, key=lambda op: (op.__module__, op.name)):
        found.setdefault(op.__module__, []).append(op)
    return found


def _op(op: type[Operation], example: Operation | None) -> str:
    lines = [f"#### {op.name}\n", _text_block(inspect.cleandoc(op.__doc__ or "")), ""]
    if issubclass(op, ElementwiseOp):
        lines += [f"- Elements: {KINDS[op.KIND][1]}"]
    if issubclass(op, IRDLOperation):
        lines += _signature(op.get_irdl_definition())
    if example is not None:
        lines += ["", "```text", str(example), "```"]
    return "\n".join([*lines, ""])


def _signature(definition: OpDef) -> list[str]:
    rows = {
        "Operands": [_counted(name, part) for name, part in definition.operands],
        "Attributes": [_counted(name, part) for name, part in definition.properties.items()],
        "Regions": [_counted(name, part) for name, part in definition.regions],
        "Results": [_counted(name, part) for name, part in definition.results],
    }
    shown = {what: [n for n in names if n not in _SEGMENTS] for what, names in rows.items()}
    return [f"- {what}: {', '.join(names)}" for what, names in shown.items() if names]


def _counted(name: str, part: object) -> str:
    mark = "?" if isinstance(part, OptionalDef) else "*" if isinstance(part, VariadicDef) else ""
    return f"`{name}{mark}`"


PASS_GROUPS = {
    "graph": "operators on tensors",
    "te": "elements, and the loops that follow from schedules",
    "loop": "loops and memory of a kernel",
    "packed": "calls of kernels in the host program",
    "c": "plans and memory of C source",
    "cpu": "plans and algorithms for CPUs",
    "gpu": "plans and algorithms for GPUs",
    "simt": "threads and blocks of GPU kernels",
}
"""The passes of each page, by the first word of their names, with the level or machine."""


def pass_pages(
    passes: Sequence[type[ModulePass]], examples: Path | None, ctx: Context
) -> dict[str, str]:
    """Return the Markdown pages of passes, by file name: an index, and a page for each group.

    examples: a folder with the example of each pass, ``PASS.mlir``; None: the pages have no
    examples.

    Errors: TilewrightError if a pass does not change its example.
    """
    index = ["# Passes\n", "Made from the files of the passes. A page for each level and target:\n"]
    pages: dict[str, str] = {}
    for group, about in PASS_GROUPS.items():
        own = [one for one in passes if _group(one) == group]
        pages[f"passes/{group}.md"] = passes_page(own, examples, ctx, f"{group} passes: {about}")
        index += [f"## {group}\n", f"{about.capitalize()}.\n", "| pass | |", "|---|---|"]
        for one in sorted(own, key=lambda one: one.name):
            text = _summary(one).replace("|", "\\|")
            index.append(f"| [`{one.name}`](passes/{group}.md#{one.name}) | {text} |")
        index.append("")
    return {"passes.md": "\n".join(index), **pages}


def _group(found: type[ModulePass]) -> str:
    return found.name.partition("-")[0]


def _summary(found: type[ModulePass]) -> str:
    """Return the first paragraph of a pass's module docstring, without the name of the pass."""
    module = inspect.getmodule(found)
    text = (inspect.getdoc(module) if module is not None else None) or ""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return paragraph.removeprefix(f"{found.name}: ")


def passes_page(
    passes: Iterable[type[ModulePass]], examples: Path | None, ctx: Context, title: str = "Passes"
) -> str:
    """Return a Markdown page with passes, in the order of their names.

    examples: a folder with the example of each pass, ``PASS.mlir``.
    Errors: TilewrightError if a pass does not change its example.
    """
    parts = [
        f"# {title}\n",
        "Made from the files of the passes, and by running them on the examples.\n",
    ]
    for found in sorted(passes, key=lambda one: one.name):
        path = None if examples is None else examples / f"{found.name}.mlir"
        parts.append(_pass(found, path if path and path.exists() else None, ctx))
    return "\n".join(parts)


def _pass(found: type[ModulePass], example: Path | None, ctx: Context) -> str:
    module = inspect.getmodule(found)
    text = inspect.getdoc(module) if module is not None else None
    lines = [f"## {found.name}\n", _text_block(text or ""), ""]
    options = [_option(field) for field in fields(found)]
    if options:
        lines += [f"- Options: {', '.join(options)}"]
    stages = [f"`{stage.name}`" for stage in CPU.stages if found.name in stage.passes]
    if stages:
        lines += [f"- Stage: {', '.join(stages)}"]
    if example is not None:
        before, after = before_and_after(found, example.read_text(), ctx)
        if issubclass(found, CheckPass):
            lines += ["\nAccepted:\n", "```mlir", before, "```"]
        else:
            lines += ["\nBefore:\n", "```mlir", before, "```\n", "After:\n"]
            lines += ["```mlir", after, "```"]
    return "\n".join([*lines, ""])


def _option(field: Field[Any]) -> str:
    default = "" if field.default is MISSING else f" = {field.default}"
    return f"`{field.name}: {field.type}{default}`"


def before_and_after(found: type[ModulePass], text: str, ctx: Context) -> tuple[str, str]:
    """Run a pass on its example; return the text of the program before and after the pass.

    found: the pass.  text: the example, whose first lines may name passes that prepare it, a target
    and a precision.

    Errors: TilewrightError if both are equal, unless the pass is a check.
    """
    module = IrParser(ctx, text).parse_module()
    target = Target(_line(text, TARGET) or EXAMPLE_TARGET)
    given = {"target": target, "precision": _line(text, PRECISION) or "default"}
    for spec in parse_pipeline(_line(text, AFTER)):
        _made(find_pass(spec.name), given).apply(ctx, module)
    before = _body(str(module))
    _made(found, given).apply(ctx, module)
    verify_module(module)
    after = _body(str(module))
    if before == after and not issubclass(found, CheckPass):
        raise TilewrightError("a pass leaves its example as it was", got=found.name)
    return before, after


def _line(text: str, start: str) -> str:
    """Return the rest of the first line that begins with ``start``, or ""."""
    found = (line.removeprefix(start) for line in text.splitlines() if line.startswith(start))
    return next(found, "").strip()


def _made(found: type[ModulePass], given: Mapping[str, object]) -> ModulePass:
    options = {field.name: given[field.name] for field in fields(found) if field.name in given}
    return cast(Any, found)(**options)


def _body(text: str) -> str:
    """Return a printed module without the enclosing ``builtin.module``."""
    head, *lines, last = text.strip().splitlines()
    if head != "builtin.module {" or last != "}":
        return text.strip()
    return "\n".join(line.removeprefix("  ") for line in lines)


def _text_block(text: str) -> str:
    """Return a docstring as a verbatim block, because it contains IR and aligned labels."""
    return f"```text\n{text.strip()}\n```"


def own_dialects() -> list[Dialect]:
    """Return the dialects of this package, from graph level down."""
    return [cast(Dialect, load(entry)) for entry in DIALECTS.values()]


def own_passes() -> list[type[ModulePass]]:
    """Return the passes of this package."""
    return [find_pass(name) for name in PASSES]


def main(argv: Sequence[str] | None = None) -> int:
    """Print a reference page; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tilewright.tools.reference.pages", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("page", choices=("ops", "passes"))
    parser.add_argument("--load", type=Path, metavar="FILE.py", help="show what a plugin adds")
    parser.add_argument("--examples", type=Path, metavar="FOLDER", help="of PASS.mlir")
    args = parser.parse_args(argv)
    try:
        plugin = load_plugin(args.load) if args.load else None
        dialects = own_dialects() if plugin is None else plugin.dialects
        passes = own_passes() if plugin is None else plugin.passes
        ctx = new_context()
        for dialect in () if plugin is None else plugin.dialects:
            ctx.register_dialect(dialect.name, lambda dialect=dialect: dialect)
        page = ops_page(dialects) if args.page == "ops" else passes_page(passes, args.examples, ctx)
    except user_errors() as err:
        print(failure_text(err), file=sys.stderr)
        return 1
    print(page, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
