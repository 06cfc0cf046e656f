"""The tables of a program with code for several processors: how it finds the processor that it has.

Out: LLVM IR of the constant that runtime/native/processor.h declares, and the attributes of the
functions of a processor.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machines.cpuid import feature_masks
from ..machines.target import Target
from .llvm import Machine

SYMBOL_PROCESSOR = "__tw_processor"
"""The number of the processor whose code runs, or -1 before the first call."""
_MASK = "{ i32, i32, i32, i32, i32 }"
"""The layout of struct tw_mask."""


def processor_masks(alternatives: Sequence[Target]) -> str:
    """Return the LLVM IR of the bits that each of a target's further processors sets."""
    rows = [
        (number, *place, mask)
        for number, target in enumerate(alternatives, 1)
        for place, mask in feature_masks(target.needed_features).items()
    ]
    values = [", ".join(f"i32 {value}" for value in row) for row in (*rows, (0,) * 5)]
    body = ", ".join(f"{_MASK} {{ {value} }}" for value in values)
    return f"@tw_processor_masks = hidden constant [{len(values)} x {_MASK}] [{body}]\n"


def processor_attributes(target: Target) -> str:
    """Return the attributes by which LLVM compiles a function for the processor of a target."""
    machine = Machine.of(target)
    return f'"target-cpu"="{machine.cpu}" "target-features"="{machine.features}"'
