"""The object code and data that a program has in addition if it records the times of its steps.

In: the steps. Out: the code that records (runtime/native/trace.c), the loops that measure the peak
compute and memory rates of the machine, and the list of steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....codegen.linker import Blob
from ....codegen.objects import part_objects
from ....lowering.main.trace import TracedStep, steps_json
from ....machines.target import Target
from ....runtime.abi.constants import LOOP_SYMBOLS, SYMBOL_STEPS, SYMBOL_TRACE
from ....support.cache import DiskCache
from ..instructions.peak import loops_object


@dataclass(frozen=True)
class RecordingCode:
    """The parts to link with a program that records the times of its steps.

    objects: the code that records and that measures the machine's peak rates.  symbols: the further
    symbols that such a program exports.  blobs: the constants, with the list of steps.
    """

    objects: Sequence[bytes] = ()
    symbols: Sequence[str] = ()
    blobs: Sequence[Blob] = ()

    @staticmethod
    def of(steps: Sequence[TracedStep], target: Target, cache: DiskCache | None) -> RecordingCode:
        """Return the code and data that a program needs to record the times of its steps.

        steps: the steps of its main functions.  cache: stores compiled objects; None: they are
        compiled again.
        """
        # The loop of multiply-adds needs FMA instructions.
        loops = (loops_object(target, cache),) if target.has_fma else ()
        return RecordingCode(
            (*part_objects(("trace",), target.triple, cache), *loops),
            (SYMBOL_TRACE, *(LOOP_SYMBOLS if loops else ())),
            (Blob(SYMBOL_STEPS, steps_json(steps)),),
        )
