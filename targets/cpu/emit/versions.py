"""The versions of main: the sizes that a version binds, and the printed choice of a version.

A version binds the sizes in which its main differs from the main for all sizes.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp

from ....dialects.shape import Dim, dims_of, size_parameters
from ....dialects.sizes import computed_sizes, recorded_limits, sources_of
from ....lowering.main.llvm_versions import emit_versions
from ....lowering.main.main_program import MainProgram
from ....lowering.main.versions import VersionCode, table_size
from ....support.diagnostics import LoweringError


def version_code(
    base: FuncOp, main: FuncOp, label: str, program: MainProgram, processor: int = 0
) -> VersionCode:
    """Return the code by which a program chooses a version for bound sizes or another processor.

    base: the main function for all sizes.  main: the main function of the version.  program: its
    LLVM IR.  label: the bound sizes, for error messages.  processor: the index of the version's
    processor among those of the target.

    Errors: LoweringError if the version's arguments differ from those of ``base`` with the bound
    sizes, if it checks other limits of its sizes, or if it calls functions of the process.
    """
    names, left = size_parameters(base), size_parameters(main)
    wanted, given = _shapes(base), _shapes(main)
    bound: dict[str, Dim | int] = {}
    for name, source in sources_of([a.type for a in base.body.block.args]).items():
        size = given[source.argument][source.axis] if source.argument < len(given) else Dim.sym("")
        value = None if size.value is None else (size.value - source.offset) // source.factor
        if value is not None:
            bound[name] = value
    expected = [tuple(dim.substitute(bound) for dim in shape) for shape in wanted]
    limits = {dim.substitute(bound): ends for dim, ends in recorded_limits(base).items()}
    checked = {dim: ends for dim, ends in recorded_limits(main).items() if dim.value is None}
    if given != expected or any(limits.get(d) != ends for d, ends in checked.items()):
        raise LoweringError(
            f"the version for {label} needs more than these sizes",
            expected=_text(expected),
            got=_text(given),
            hint="leave it out of specialize=, or bind the other sizes too",
        )
    if computed_sizes(main) != computed_sizes(base):
        raise LoweringError(
            f"the version for {label} computes other sizes",
            expected=", ".join(computed_sizes(base)) or "none",
            got=", ".join(computed_sizes(main)) or "none",
            hint="leave it out of specialize=",
        )
    if program.externs:
        raise LoweringError(
            f"the version for {label} calls functions of the process",
            got=", ".join(program.externs),
            hint="leave out specialize=, and name one processor",
        )
    positions = {name: number for number, name in enumerate(names)}
    return VersionCode(
        program,
        {positions[name]: cast(int, value) for name, value in bound.items()},
        [positions[name] for name in left if name not in computed_sizes(main)],
        processor,
    )


def _shapes(main: FuncOp) -> list[tuple[Dim, ...]]:
    return [dims_of(cast(MemRefType, a.type)) for a in main.body.block.args]


def _text(shapes: list[tuple[Dim, ...]]) -> str:
    return ", ".join(f"[{', '.join(map(str, shape))}]" for shape in shapes)


__all__ = ["emit_versions", "table_size", "version_code"]
