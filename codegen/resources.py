"""The resources of a GPU that a kernel uses, as its assembler or its code object reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Resources:
    """The registers and the memory that one kernel uses.

    registers, spill_bytes, stack_bytes: per thread.  shared_bytes: per block.
    """

    registers: int
    spill_bytes: int
    stack_bytes: int
    shared_bytes: int
