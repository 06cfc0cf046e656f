"""Emulators: the commands that run programs of other instruction sets on this machine.

In: a target. Out: the command that runs a program for the target, which QEMU translates while it
runs; the program and its arguments are appended to the command.
"""

from __future__ import annotations

import shutil

from ..support.diagnostics import TargetError
from .cpu import INSTRUCTION_SETS
from .target import Target

INSTALL = "apt-get install qemu-user"
"""The command that installs the emulators."""


def emulator_name(target: Target) -> str:
    """Return the program of QEMU that runs programs for a target; empty if there is none."""
    if target.platform is None or target.platform.system != "linux":
        return ""
    return INSTRUCTION_SETS[target.architecture].emulator


def emulator_command(target: Target, vector_bits: int = 0) -> list[str]:
    """Return the command that runs a program for a target, by QEMU.

    vector_bits: the length of vectors whose length the processor chooses; 0: the least one of the
    target.

    Errors: TargetError if QEMU does not run programs for the target, or is not installed.
    """
    name = emulator_name(target)
    if not name:
        raise TargetError(
            "no emulator runs programs for the target",
            expected=", ".join(row.emulator for row in INSTRUCTION_SETS.values() if row.emulator),
            got=str(target),
            hint="tw compile MODEL --target TARGET -o FILE writes code for such a machine",
        )
    if shutil.which(name) is None:
        raise TargetError(
            "the emulator of the target is not installed",
            expected=name,
            got=str(target),
            hint=INSTALL,
        )
    row = INSTRUCTION_SETS[target.architecture]
    if not target.scalable_bits:
        return [name]
    bits = vector_bits or target.scalable_bits
    return [name, *(each.format(bits=bits, bytes=bits // 8) for each in row.emulator_vectors)]


__all__ = ["INSTALL", "emulator_command", "emulator_name"]
