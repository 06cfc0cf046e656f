"""What a kernel uses of a GPU, as its assembler or its code object reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Resources:
    """Registers and memory of a kernel.

    registers, spill_bytes, stack_bytes: numbers of a thread.  shared_bytes: the number of a block.
    """

    registers: int
    spill_bytes: int
    stack_bytes: int
    shared_bytes: int


__all__ = ["Resources"]
