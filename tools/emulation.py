"""Runs of models for CPUs of another instruction set: a program in an emulator.

In: a model that is compiled for the other CPU, and the arrays of a call. Out: the outputs of the
program, which QEMU runs with the inputs in a file, and their errors relative to the outputs of the
same model compiled for this machine. node runs WebAssembly (run_web.mjs). With a C compiler, a
plugin of QEMU (count_instructions.c) counts the instructions that the whole program executes; the
count does not depend on this machine.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..driver.backends import target_of
from ..driver.module.compiled_module import CompiledModule
from ..machines.emulators import BOARDS, emulator_command
from ..machines.target import Target
from ..runtime.abi.ndarray import numpy_dtype
from ..targets.c.compiler import c_compiler
from .boards import run_on_board
from .programs import check_end, finished
from .tensors import ADDED_TYPE, Array, array_errors, read_archive, write_arrays


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
    return target.architecture not in ("", Target.native().architecture)


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
    command = emulator_command(target, vector_bits)
    assert target.platform is not None, "an emulator runs programs for CPUs"
    run = run_in_node if target.platform.object_format == "wasm" else _run_program
    order = target.platform.byte_order
    stored = {name: _in_order(array, order) for name, array in inputs.items()}
    with TemporaryDirectory(prefix="tilewright-") as scratch:
        made, instructions = run(module, stored, command, Path(scratch))
    dtypes = {spec.name: numpy_dtype(spec.dtype) for spec in module.outputs}
    outputs = {name: _numbers(array, dtypes[name], order) for name, array in made.items()}
    return EmulatedRun(outputs, array_errors(outputs, wanted), command[0], instructions)


def _run_program(
    module: CompiledModule, inputs: Mapping[str, Array], command: Sequence[str], folder: Path
) -> tuple[Mapping[str, Array], int | None]:
    """Run a module as a program in QEMU; return its outputs, and its number of instructions.

    inputs: the arrays of the call.  command: the command of QEMU.  folder: where files are written.
    The number is None if QEMU cannot count instructions.
    """
    program, given, made = folder / "program", folder / "inputs.npz", folder / "outputs.npz"
    module.export_library(program, embed=True)
    write_arrays(given, inputs)
    words = [str(program), "-o", str(made), *([str(given)] if inputs else [])]
    counting, log = _counting_options(command[0], folder), folder / "log"
    done = finished([*command, *counting, *words])
    instructions = _counted(log)
    if done.returncode != 0 and counting and instructions is None:
        # Without a count, the program did not end: QEMU may have refused the plugin.
        done = finished([*command, *words])
    check_end(done, f"the program fails in {command[0]}", module.manifest.target)
    return read_archive(made), instructions


def run_in_node(
    module: CompiledModule, inputs: Mapping[str, Array], command: Sequence[str], folder: Path
) -> tuple[Mapping[str, Array], None]:
    """Run a WebAssembly module in node; return its outputs and None as the number of instructions.

    Node cannot count instructions.  inputs: the arrays of the call.  command: the command of node.
    folder: where files are written.
    """
    module.export_library(folder / "model.wasm")
    facts = [
        {"name": name, "shape": array.shape, "bytes": array.nbytes}
        for name, array in inputs.items()
    ]
    (folder / "inputs.json").write_text(json.dumps(facts))
    (folder / "inputs.bin").write_bytes(b"".join(array.tobytes() for array in inputs.values()))
    script = Path(__file__).with_name("run_web.mjs")
    done = finished([*command, str(script), str(folder / "model.mjs"), str(folder)])
    check_end(done, f"the program fails in {command[0]}", module.manifest.target)
    data, at = (folder / "outputs.bin").read_bytes(), 0
    dtypes = {spec.name: numpy_dtype(spec.dtype) for spec in module.outputs}
    outputs: dict[str, Array] = {}
    for row in json.loads((folder / "outputs.json").read_text()):
        part = data[at : at + row["bytes"]]
        outputs[row["name"]] = np.frombuffer(part, dtypes[row["name"]]).reshape(row["shape"])
        at += row["bytes"]
    return outputs, None


def _in_order(array: Array, byte_order: str) -> Array:
    """Return an array whose bytes have the order in which the emulated program reads them.

    byte_order: the order of the program's machine.  The header of a .npy file states the byte order
    of types that numpy knows, so their arrays are returned unchanged.  It states none for other
    types, such as bfloat16, so their bytes are swapped if this machine has another order.
    """
    is_added = array.dtype.isbuiltin == ADDED_TYPE and array.itemsize > 1
    if not is_added or byte_order == sys.byteorder:
        return array
    return array.view(f"u{array.itemsize}").byteswap().view(array.dtype)


def _numbers(array: Array, dtype: np.dtype, byte_order: str) -> Array:
    """Convert an array of a program's output file to its dtype and this machine's byte order.

    byte_order: the order in the file. The file contains types that numpy does not know, such as
    bfloat16, as opaque elements of the same size.
    """
    if byte_order != sys.byteorder:
        is_known = array.dtype.kind != "V"
        array = (array if is_known else array.view(f"u{array.itemsize}")).byteswap()
    return array.view(dtype)


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
    plugin = counting_plugin(emulator, folder)
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
