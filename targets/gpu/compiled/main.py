"""Main of a program for a GPU as machine code of the host, for processes without Python.

In: an artifact of emission.py. Out: the objects of a library whose functions are those of a library
for CPUs: entry.c checks the arguments, device.c has the memory of the device (runtime/native/), and
main queues launches and copies (lowering/main/device_main.py). The driver of the device is opened
at the first call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....codegen.entry import Entry, entry_tables
from ....codegen.linker import Blob
from ....codegen.signature import describe_main
from ....codegen.weights import layout_weights
from ....dialects.packed import AllocOp, BindOp, ExternOp
from ....dialects.weights import arrays_in, register_weights
from ....lowering.main.device_main import DeviceKernel, emit_device_main
from ....lowering.main.device_printer import DevicePrinter
from ....machines.target import Target
from ....runtime.abi.constants import SYMBOL_KERNELS_CODE, DeviceType
from ....runtime.file.manifest import Manifest
from ...backend import Artifact
from ...library.objects import library_objects
from ..code import DeviceCode, KernelFacts
from .tables import device_tables

DRIVERS = {"cuda": DeviceType.CUDA, "rocm": DeviceType.ROCM}
"""The kinds of targets whose driver device.c calls, in the order of its table."""


@dataclass(frozen=True)
class CompiledMain:
    """The objects and constants of a program with a compiled main, and its weights.

    entry: the description of the program for its entry code.  symbols: those of its kernels.
    """

    entry: Entry
    objects: Sequence[bytes]
    blobs: Sequence[Blob]
    weights: memoryview
    symbols: tuple[str, ...]


def refusal(artifact: Artifact) -> str:
    """Return why main cannot be compiled for a process without Python; empty if it can."""
    code = DeviceCode.decoded(artifact.code)
    kind = Manifest.parse(json.loads(code.host)["manifest"]).target.split()[0]
    if kind not in DRIVERS:
        return f"the runtime in C has no driver for {kind}"
    held = _registered(artifact)
    ops = [*code.main().walk()]
    del held
    if code.parts or any(isinstance(op, ExternOp) for op in ops):
        return "main calls functions of the process"
    if any(isinstance(op, BindOp) for op in ops):
        return "main computes sizes from elements"
    assert not any(isinstance(op, AllocOp) and op.is_host for op in ops), "only functions need them"
    return ""


def compiled_main(artifact: Artifact) -> CompiledMain:
    """Return the objects of a program.

    Before: `refusal` returns nothing.
    """
    code = DeviceCode.decoded(artifact.code)
    target = Target(Manifest.parse(json.loads(code.host)["manifest"]).target)
    platform, facts = target.main_platform, code.kernels()
    held = _registered(artifact)
    main = code.main()
    weights, offsets = layout_weights(main, byte_order=platform.byte_order)
    del held
    printer = DevicePrinter(platform)
    program = emit_device_main(main, _launches(facts), offsets, printer)
    entry = replace(
        describe_main(main, target),
        size_count=program.size_count,
        weights_bytes=weights.nbytes,
        device_type=DRIVERS[target.kind],
    )
    tables = device_tables(facts, [*DRIVERS].index(target.kind), program, printer)
    texts = (program.text, tables, entry_tables(entry))
    objects = library_objects(texts, ("entry", "device"), platform.triple)
    kernels = Blob(SYMBOL_KERNELS_CODE, code.kernels_code + b"\0")
    symbols = tuple(each.symbol for each in facts.values())
    return CompiledMain(entry, objects, (kernels,), weights.data.cast("B"), symbols)


def _registered(artifact: Artifact) -> object:
    """Return what keeps the weights of an artifact alive, so that the parser of main finds them."""
    return register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))


def _launches(facts: Mapping[str, KernelFacts]) -> Mapping[str, DeviceKernel]:
    return {
        name: DeviceKernel(number, each.sizes, each.grid, each.numbers)
        for number, (name, each) in enumerate(facts.items())
    }


__all__ = ["DRIVERS", "CompiledMain", "compiled_main", "refusal"]
