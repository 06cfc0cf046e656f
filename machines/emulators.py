"""Emulators: the commands that run programs of other instruction sets on this machine.

In: a target. Out: the command that runs a program for the target, which QEMU translates while it
runs; the program and its arguments are appended to the command. WebAssembly runs in node.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from ..support.diagnostics import TargetError
from .cpu import INSTRUCTION_SETS
from .target import Target

_PACKAGES = {"node": "nodejs"}
"""The system packages of emulators that are not in the package of QEMU."""


def install_command(emulator: str) -> str:
    """Return the command that installs an emulator."""
    return f"apt-get install {_PACKAGES.get(emulator, 'qemu-user')}"


@dataclass(frozen=True)
class Board:
    """A board with a microcontroller that QEMU emulates.

    machine: QEMU's name of the board.  triple: the target triple of clang.  options: further
    options of clang.  flash_kib: the size of the memory for code and constants, at address 0.
    ram_kib: the size of the memory for data, at 0x20000000.  emulator: the command of QEMU.
    """

    machine: str
    triple: str
    options: tuple[str, ...]
    flash_kib: int
    ram_kib: int
    emulator: str = "qemu-system-arm"


BOARDS: Mapping[str, Board] = {
    "cortex-m4": Board(
        "mps2-an386",
        "thumbv7em-none-eabihf",
        ("-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
        4096,
        4096,
    ),
    "cortex-m7": Board(
        "mps2-an500",
        "thumbv7em-none-eabihf",
        ("-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16"),
        4096,
        4096,
    ),
    "cortex-m55": Board(
        "mps3-an547",
        "thumbv8.1m.main-none-eabihf",
        ("-mcpu=cortex-m55", "-mfloat-abi=hard"),
        512,
        512,
    ),
}
"""The boards by processor."""


def emulator_name(target: Target) -> str:
    """Return the name of the emulator for a target, such as ``qemu-arm``; empty without one."""
    if target.platform is None or target.platform.system not in ("linux", "unknown"):
        return ""
    return INSTRUCTION_SETS[target.architecture].emulator


def emulator_command(target: Target, vector_bits: int = 0) -> list[str]:
    """Return the command, as a list of words, that runs a program for a target by QEMU or node.

    vector_bits: the length of the emulated processor's scalable vectors; 0: the least length that
    the target allows.

    Errors: TargetError if no emulator runs programs for the target, or if it is not installed.
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
            hint=install_command(name),
        )
    row = INSTRUCTION_SETS[target.architecture]
    if not target.scalable_bits:
        return [name]
    bits = vector_bits or target.scalable_bits
    return [name, *(each.format(bits=bits, bytes=bits // 8) for each in row.emulator_vectors)]
