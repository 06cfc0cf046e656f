"""Runs of models for CPUs of another instruction set: a program in an emulator.

In: a model that is compiled for the other CPU, and the arrays of a call. Out: the outputs of the
program, which QEMU runs with the inputs in a file, and their errors relative to the outputs of the
same model compiled for this machine. With a C compiler, a plugin of QEMU (count_instructions.c)
counts the instructions that the whole program executes; the count does not depend on this machine.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from ..driver.module.compiled_module import CompiledModule
from ..machines.emulators import emulator_command
from ..machines.target import Target
from ..support.diagnostics import TilewrightError
from .tensors import Array, output_errors, read_archive, write_arrays


@dataclass(frozen=True)
class EmulatedRun:
    """The results of a program that ran in an emulator.

    errors: the relative L2 error of each output, with the results of this machine as reference.
    emulator: the name of the emulator.  instructions: the number of instructions that the program
    executed, including its start and the reading and writing of files; None without a C compiler.
    """

    outputs: Mapping[str, Array]
    errors: Mapping[str, float]
    emulator: str
    instructions: int | None


def needs_emulator(text: str | None) -> bool:
    """Return whether a target is a CPU whose instruction set is not that of this machine.

    text: the target string; None means this machine.
    """
    architecture = "" if text is None else Target(text).architecture
    return architecture not in ("", Target.native().architecture)


def run_emulated(
    module: CompiledModule, inputs: Mapping[str, Array], wanted: Mapping[str, Array], text: str
) -> EmulatedRun:
    """Run a module for another CPU as a program in an emulator.

    wanted: the outputs that this machine computes.  text: the target.
    Errors: TargetError if the emulator is missing; TilewrightError for a program that fails.
    """
    command = emulator_command(Target(text))
    with TemporaryDirectory(prefix="tilewright-") as scratch:
        folder = Path(scratch)
        program, given, made = folder / "program", folder / "inputs.npz", folder / "outputs.npz"
        module.export_library(program, embed=True)
        write_arrays(given, inputs)
        files = [str(given)] if inputs else []
        counting = _counting_options(command[0], folder)
        done = subprocess.run(
            [*command, *counting, str(program), "-o", str(made), *files],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise TilewrightError(
                f"the program fails in {command[0]}",
                expected="exit status 0",
                got=done.stderr.strip() or f"exit status {done.returncode}",
                where=text,
            )
        outputs = read_archive(made)
        reference = folder / "reference.npz"
        write_arrays(reference, wanted)
        instructions = int(done.stderr) if counting else None
        return EmulatedRun(outputs, output_errors(outputs, reference), command[0], instructions)


def _counting_options(emulator: str, folder: Path) -> list[str]:
    """Return the options of QEMU that make it count instructions; none without a C compiler.

    folder: where the plugin that counts is compiled.
    """
    compiler = _c_compiler()
    if compiler is None or "-plugin" not in _output(emulator, "-h"):
        return []
    source, plugin = Path(__file__).with_name("count_instructions.c"), folder / "count.so"
    _output(*compiler, "-shared", "-fPIC", "-O2", "-o", str(plugin), str(source))
    return ["-plugin", str(plugin), "-d", "plugin"]


def _c_compiler() -> list[str] | None:
    """Return the command of a C compiler for this machine; None if there is none."""
    if (found := which("cc")) is not None:
        return [found]
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") is not None else None


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
