"""Choose a version of main at each call: by the sizes of the call and the processor.

    tw_derive(sizes, stage)              computes the sizes of the version that fits
    tw_run(data, arena, threads)         runs this version

In: the code of main, the program's host function, for all sizes, which is version 0, and the code
for bound sizes.  Out: the facts from which llvm_versions.py prints the two functions, which the
entry code calls.

The table of sizes of a call has three parts: the table of the code for all sizes, the number of the
version that runs, and the table of that version.  ``tw_derive`` computes the first part, which
describes the arguments.  In stage 0, if the symbols have the values of a version, it also stores
the number of this version, computes its table, and replaces the bytes of the arena by those of this
version. If several versions match, the first of them runs.  ``tw_run`` passes the table of the
version to the code of that version.  All versions compute the same sizes, in the same stages.

A version for another processor (`Target.alternatives`) matches if ``tw_processor`` returns the
number of this processor (runtime/native/processor.c).  A program without symbolic sizes has no
table: ``tw_run`` runs the version of the processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .main_program import MainProgram


@dataclass(frozen=True)
class VersionCode:
    """The code of one version of main, which runs for certain sizes or on a certain processor.

    program: the printed main of this version.
    bound: the value of each symbol that the version binds, by the symbol's position in the table of
    sizes of the code for all sizes.
    symbols: the positions in this table of the other symbols whose values follow from the
    arguments, in the order of the symbols in the version's own table.
    processor: the number of the processor that runs the code; 0 for the first one of the target.
    """

    program: MainProgram
    bound: Mapping[int, int]
    symbols: Sequence[int]
    processor: int = 0


def table_size(base: MainProgram, versions: Sequence[VersionCode]) -> int:
    """Return the length of a table of sizes that is long enough for any of the versions.

    It holds the table of the code for all sizes, the number of the version, and the table of the
    version.
    base: main for all sizes.
    """
    return base.size_count + 1 + max(version.program.size_count for version in versions)
