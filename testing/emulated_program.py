"""Runs of compiled models as programs in the emulator of another instruction set.

In: a model that is compiled for the other CPU, and the arrays of a call.  Out: the outputs of the
program, which QEMU runs with the inputs in a file; node runs WebAssembly (run_web.mjs).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..driver.module.compiled_module import CompiledModule
from ..machines.emulators import emulator_command
from ..machines.target import Target
from ..runtime.abi.ndarray import numpy_dtype
from .array_files import ADDED_TYPE, Array, read_archive, write_arrays
from .programs import check_end, finished

TIMEOUT_S = 100.0
"""The longest run of a program."""


def is_foreign(target: Target) -> bool:
    """Return whether a target is a CPU of another instruction set than that of this machine."""
    return target.architecture not in ("", Target.native().architecture)


def emulated_outputs(
    module: CompiledModule,
    inputs: Mapping[str, Array],
    target: Target,
    *,
    vector_bits: int = 0,
    options: Sequence[str] = (),
    threads: int = 0,
) -> dict[str, Array]:
    """Run a module for another CPU as a program in an emulator; return its outputs by name.

    inputs: the arrays of the call.  target: the target of the module.  vector_bits: the length of
    the vectors of an emulated processor with scalable vectors; 0 is the least length of the target.
    options: further options of QEMU.  threads: the most processors of this machine on which QEMU
    may run, which is the number of threads of a program for a CPU of 64 bits; 0 means all.

    Errors: TargetError if the emulator is missing; TilewrightError for a program that fails.
    """
    command = [*emulator_command(target, vector_bits), *options]
    assert target.platform is not None, "an emulator runs programs for CPUs"
    run = run_in_node if target.platform.object_format == "wasm" else _run_in_qemu
    order = target.platform.byte_order
    stored = {name: _in_order(array, order) for name, array in inputs.items()}
    with TemporaryDirectory(prefix="tilewright-") as scratch, _on_processors(threads):
        made = run(module, stored, command, Path(scratch))
    dtypes = {spec.name: numpy_dtype(spec.dtype) for spec in module.outputs}
    return {name: _numbers(array, dtypes[name], order) for name, array in made.items()}


@contextmanager
def _on_processors(count: int) -> Generator[None]:
    """Let programs that this thread starts run on some processors only.

    count: the most processors; 0 means all.
    """
    if not count:
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _run_in_qemu(
    module: CompiledModule, inputs: Mapping[str, Array], command: Sequence[str], folder: Path
) -> Mapping[str, Array]:
    """Run a module as a program in QEMU; return its outputs.

    inputs: the arrays of the call.  command: the command of QEMU.  folder: where files are written.
    """
    program, given, made = folder / "program", folder / "inputs.npz", folder / "outputs.npz"
    module.export_library(program, embed=True)
    write_arrays(given, inputs)
    words = [str(program), "-o", str(made), *([str(given)] if inputs else [])]
    done = finished([*command, *words], timeout_s=TIMEOUT_S)
    check_end(done, f"the program fails in {command[0]}", module.manifest.target)
    return read_archive(made)


def run_in_node(
    module: CompiledModule, inputs: Mapping[str, Array], command: Sequence[str], folder: Path
) -> Mapping[str, Array]:
    """Run a WebAssembly module in node; return its outputs.

    inputs: the arrays of the call.  command: the command of node.  folder: where files are written.
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
    return outputs


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
