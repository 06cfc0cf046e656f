"""Runs of models for CPUs of another instruction set, or for microcontrollers, in emulators.

In: a model that is compiled for the other CPU, and the arrays of a call. Out: the outputs of the
program (testing/emulated_program.py), and their errors relative to the outputs of the same model
compiled for this machine. With a C compiler, a plugin of QEMU (count_instructions.c) counts the
instructions that the whole program executes; the count does not depend on this machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..driver.backends import target_of
from ..driver.module.compiled_module import CompiledModule
from ..machines.emulators import BOARDS, emulator_command
from ..support.diagnostics import TilewrightError
from ..targets.c.compiler import c_compiler
from ..testing.array_files import Array
from ..testing.emulated_program import emulated_outputs, is_foreign
from ..testing.programs import finished
from .boards import run_on_board
from .tensors import array_errors


@dataclass(frozen=True)
class EmulatedRun:
    """The results of a program that ran in an emulator.

    errors: the relative L2 error of each output, compared with the outputs of this machine.
    emulator: the name of the emulator.  instructions: the number of instructions that the program
    executed, including its start and the reading and writing of files; None without a count.
    memory: the memory that a program on a microcontroller took; else empty.
    """

    outputs: Mapping[str, Array]
    errors: Mapping[str, float]
    emulator: str
    instructions: int | None
    memory: str = ""

    def fields(self) -> Mapping[str, object]:
        """Return the results as fields of JSON output, without the outputs."""
        return {
            "emulator": self.emulator,
            "instructions": self.instructions,
            "memory": self.memory,
            "errors_to_this_machine": self.errors,
        }

    def text(self) -> str:
        """Return the emulator and the number of instructions as lines for the user."""
        means = (
            "node has no counter"
            if self.emulator == "node"
            else "needs a C compiler and plugins of QEMU"
        )
        part, count = "call" if self.memory else "program", self.instructions
        counted = f"not counted: {means}" if count is None else f"{count:,}"
        line = f"ran in {self.emulator}; instructions of the {part}: {counted}"
        return f"{line}\nmemory of the call: {self.memory}" if self.memory else line


def runnable_target(text: str | None) -> str | None:
    """Return the target for which to compile a model that is to run on a target or in its emulator.

    text: the target; None is this machine.  For a microcontroller, the result is C source for its
    processor, which the emulated board runs; any other target is returned unchanged.
    """
    target = target_of(text)
    is_bare = target.platform is not None and target.platform.system == "none"
    return f"c -mcpu={target.cpu}" if is_bare else text


def needs_emulator(text: str | None) -> bool:
    """Return whether programs for a target need an emulator, as for another instruction set.

    text: the target; None is this machine.
    """
    target = target_of(text)
    if target.kind == "c":
        return target.option("mcpu") in BOARDS
    return is_foreign(target)


def run_emulated(
    module: CompiledModule,
    inputs: Mapping[str, Array],
    wanted: Mapping[str, Array],
    text: str,
    vector_bits: int = 0,
) -> EmulatedRun:
    """Run a module for another CPU as a program in an emulator.

    inputs: the arrays of the call.  wanted: the outputs that this machine computes, to report
    errors. text: the target.  vector_bits: the length of the vectors of an emulated processor with
    scalable vectors; 0 is the emulator's default.

    Errors: TargetError if the emulator is missing; TilewrightError for a program that fails.
    """
    target = target_of(text)
    if target.kind == "c":
        return _run_on_board(module, inputs, wanted, target.option("mcpu"))
    (emulator, *_) = emulator_command(target, vector_bits)
    with TemporaryDirectory(prefix="tilewright-") as scratch:
        counting, log = _counting_options(emulator, Path(scratch)), Path(scratch) / "log"

        def run(options: Sequence[str]) -> Mapping[str, Array]:
            return emulated_outputs(
                module, inputs, target, vector_bits=vector_bits, options=options
            )

        try:
            outputs = run(counting)
        except TilewrightError:
            # Without a count, the program did not end: QEMU may have refused the plugin.
            if not counting or _counted(log) is not None:
                raise
            outputs = run(())
        instructions = _counted(log)
    return EmulatedRun(outputs, array_errors(outputs, wanted), emulator, instructions)


def _run_on_board(
    module: CompiledModule, inputs: Mapping[str, Array], wanted: Mapping[str, Array], cpu: str
) -> EmulatedRun:
    made = run_on_board(module, inputs, cpu)
    memory = (
        f"{made.arena_bytes:,} bytes of intermediate results, {made.stack_bytes:,} of stack, "
        f"{made.code_bytes:,} of code and weights"
    )
    errors = array_errors(made.outputs, wanted)
    emulator = f"{made.board.emulator} -M {made.board.machine}"
    return EmulatedRun(made.outputs, errors, emulator, made.instructions, memory)


def _counting_options(emulator: str, folder: Path) -> list[str]:
    """Return the options of QEMU that make it count instructions; none if that is impossible.

    emulator: the command of QEMU.  folder: where the plugin that counts is compiled, and where QEMU
    writes the file ``log``.
    """
    plugin = None if emulator == "node" else counting_plugin(emulator, folder)
    if plugin is None:
        return []
    return ["-plugin", str(plugin), "-d", "plugin", "-D", str(folder / "log")]


def counting_plugin(emulator: str, folder: Path) -> Path | None:
    """Compile the plugin of QEMU that counts instructions; return its path.

    Return None without a C compiler, and for a QEMU without plugins.
    emulator: the command of QEMU.  folder: where the plugin is compiled.
    """
    compiler = c_compiler()
    if compiler is None or "-plugin" not in finished([emulator, "-h"]).stdout:
        return None
    source, plugin = Path(__file__).with_name("count_instructions.c"), folder / "count.so"
    version = f"-DVERSION={_plugin_version(finished([emulator, '--version']).stdout)}"
    flags = ("-shared", "-fPIC", "-O2", version)
    try:
        compiled = finished([*compiler, *flags, "-o", str(plugin), str(source)])
    except OSError:  # the compiler is no program of this machine
        return None
    return plugin if compiled.returncode == 0 else None


def _plugin_version(about: str) -> int:
    """Return the version of the plugin interface for which to compile a plugin of QEMU.

    Before QEMU 9 the version is 1.  QEMU 9 and later accept a range of versions that starts at 2.
    about: the text of ``qemu --version``.
    """
    release = re.search(r"version (\d+)", about)
    return 1 if release is not None and int(release[1]) < 9 else 2


def _counted(log: Path) -> int | None:
    text = log.read_text(errors="replace") if log.exists() else ""
    line = re.search(r"^instructions: (\d+)$", text, re.MULTILINE)
    return None if line is None else int(line[1])
