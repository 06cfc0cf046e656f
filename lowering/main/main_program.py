"""The printed main function of a model, and the sizes and names that its callers need.

In: main, the program's host function, with planned buffers, and the interfaces of its kernels.
Out: the text of a module that defines main, in the language of a `MainPrinter`, and a
`MainProgram`. packed_to_main.py lowers the ops of main.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import func

from ...dialects.functions import ARENA_BYTES, recorded_bytes
from ...dialects.packed.arena import aligned
from ...dialects.weights import WeightAttr
from ..loop_to_llvm import KernelInfo
from .packed_to_main import MainLowering
from .places import Places
from .printer import MainPrinter
from .size_table import SizeTable
from .trace import MainTrace, TracedStep


@dataclass(frozen=True)
class MainProgram:
    """Main in printed form, and what its callers need to know.

    text: the printed module.
    arena_bytes: the size of the arena, if main has no symbolic sizes.
    externs: the functions of the process that main calls, in the order of their slots.
    size_count: the length of the table of sizes.
    arena_position: the position in this table of the sizes in bytes of the arena's blocks.
    given: the number of symbols whose values the arguments determine.
    computed: the symbols whose values main computes.
    steps: the steps that a profiled main records.
    """

    text: str
    arena_bytes: int
    externs: tuple[str, ...] = ()
    size_count: int = 0
    arena_position: int = 0
    given: int = 0
    computed: tuple[str, ...] = ()
    steps: tuple[TracedStep, ...] = ()


def emit_main(
    main: func.FuncOp,
    infos: Mapping[str, KernelInfo],
    weight_offsets: Mapping[WeightAttr, int],
    printer: MainPrinter,
    *,
    max_threads: int,
    version: int | None = None,
    trace: MainTrace | None = None,
) -> MainProgram:
    """Return the printed module that defines main.

    infos: the interface of each kernel, by name.
    weight_offsets: the byte offset of each weight.
    printer: a new printer, which must print nothing else.
    max_threads: the most threads for which the arena has workspace.
    version: the number of this main in a program with several versions of main.
    trace: records the time of each step; None for a main without such code.
    Before: buffers are planned.
    Errors: LoweringError for an op that main cannot have, and for a buffer without an offset.
    """
    table = SizeTable(main, aligned(recorded_bytes(main, ARENA_BYTES)))
    places = Places(main.body.block.args, weight_offsets, printer)
    lowering = MainLowering(infos, places, table, printer, max_threads=max_threads, trace=trace)
    return printed_main(main, lowering, version)


def printed_main(
    main: func.FuncOp, lowering: MainLowering, version: int | None = None
) -> MainProgram:
    """Lower main by a new lowering; return the printed module.

    lowering: the lowering of ``main``.  version: see `emit_main`.
    """
    printer, table, trace = lowering.printer, lowering.table, lowering.trace
    printer.begin_main(main, is_traced=trace is not None)
    lowering.block(main.body.block)
    lowering.finish_sizes()
    return MainProgram(
        printer.module(version),
        lowering.arena_bytes,
        tuple(lowering.externs.names),
        len(table) if table.symbols else 0,
        table.arena_position,
        len(table.symbols) - len(table.computed),
        table.computed,
        () if trace is None else tuple(trace.steps),
    )


__all__ = ["MainProgram", "TracedStep", "emit_main", "printed_main"]
