"""Tables from which a program that contains code for several processors selects its code.

Out: LLVM IR of the constant that runtime/native/processor.h declares, and the LLVM attributes of
functions that are compiled for one processor.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machines.cpuid import feature_masks
from ..machines.target import Target
from .entry import array_constant
from .llvm import Machine

SYMBOL_PROCESSOR = "__tw_processor"
"""The symbol of the variable with the selected processor's number; -1 before the first call."""
_MASK = "{ i32, i32, i32, i32, i32 }"
"""The LLVM type of struct tw_mask."""


def processor_masks(alternatives: Sequence[Target]) -> str:
    """Return the LLVM IR of the CPUID masks by which a program chooses its code at run time.

    alternatives: the targets for whose processors the program contains code.
    """
    rows = [
        (number, *place, mask)
        for number, target in enumerate(alternatives, 1)
        for place, mask in feature_masks(target.needed_features).items()
    ]
    values = (", ".join(f"i32 {value}" for value in row) for row in (*rows, (0,) * 5))
    masks = [f"{_MASK} {{ {value} }}" for value in values]
    return array_constant("tw_processor_masks", _MASK, masks) + "\n"


def processor_attributes(target: Target) -> str:
    """Return the LLVM attributes of a function that is compiled for a target's processor."""
    machine = Machine.of(target)
    return f'"target-cpu"="{machine.cpu}" "target-features"="{machine.features}"'
