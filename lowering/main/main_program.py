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
    """The main function of a program in printed form, and the data that its callers need.

    Main is the host function, which calls the kernels in order. The table of sizes (size_table.py)
    holds the values of symbolic sizes, and numbers that follow from them.
    text: the printed module.
    arena_bytes: the size of the arena in bytes, if main has no symbolic sizes.
    externs: the names of the functions of the process that main calls, in the order of their slots.
    size_count: the number of entries in the table of sizes; 0 without symbolic sizes.
    arena_position: the index of the table's entries that hold the bytes of the arena's blocks, one
    entry per stage of main.
    given: the number of size symbols whose values follow from the arguments.
    computed: the names of the size symbols whose values main computes.
    steps: the steps that main records if it is profiled.
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
    """Return the printed module that defines main, the host function of a program.

    main: the function, with planned buffers.
    infos: the interface of each kernel, by the kernel's name.
    weight_offsets: the byte offset of each weight.
    printer: a new printer, which prints only this module.
    max_threads: the largest number of threads for which the arena has workspace.
    version: the number of this main among several versions of main; None for a single one.
    trace: records the time of each step; None for a main that is not profiled.
    Errors: LoweringError for an op that main cannot have, and for a buffer without an offset.
    """
    table = SizeTable(main, aligned(recorded_bytes(main, ARENA_BYTES)))
    places = Places(main.body.block.args, weight_offsets, printer)
    lowering = MainLowering(infos, places, table, printer, max_threads=max_threads, trace=trace)
    return printed_main(main, lowering, version)


def printed_main(
    main: func.FuncOp, lowering: MainLowering, version: int | None = None
) -> MainProgram:
    """Lower the ops of main, and return the printed module with the data that callers need.

    lowering: a new lowering for ``main``.  version: the number of this main among several versions
    of main; None for a single one.
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
