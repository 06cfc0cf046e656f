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
from xdsl.dialects.func import FuncOp

from ....codegen.entry import Entry, entry_tables
from ....codegen.linker import Blob
from ....codegen.signature import describe_main
from ....codegen.weights import layout_weights
from ....dialects.packed import BindOp, ExternOp
from ....dialects.weights import arrays_in, register_weights
from ....lowering.main.device_main import DeviceKernel, emit_device_main
from ....lowering.main.device_printer import DevicePrinter
from ....machines.target import Target
from ....runtime.abi.constants import SYMBOL_KERNELS_CODE
from ....runtime.file.manifest import Manifest
from ...backend import Artifact
from ...library.objects import library_objects
from ..code import DeviceCode, KernelFacts
from .tables import DRIVERS, device_tables


@dataclass(frozen=True)
class CompiledMain:
    """The objects and constants of a program with a compiled main, and its weights.

    entry: the description of the program for its entry code. symbols: the symbols of its kernels.
    """

    entry: Entry
    objects: Sequence[bytes]
    blobs: Sequence[Blob]
    weights: memoryview
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class HostProgram:
    """The decoded host program of an artifact: main with its weights, and the kernels' launches.

    target_text: the name of the target, which may be a device of an installed package.  alive: the
    weights, which live as long as this object.
    """

    code: DeviceCode
    target_text: str
    main: FuncOp
    alive: object

    @staticmethod
    def of(artifact: Artifact) -> HostProgram:
        """Return the host program of an artifact."""
        code = DeviceCode.decoded(artifact.code)
        target = Manifest.parse(json.loads(code.host)["manifest"]).target
        alive = register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))
        return HostProgram(code, target, code.main(), alive)

    @property
    def refusal(self) -> str:
        """Why main cannot be compiled for a process without Python; empty if it can."""
        kind = self.target_text.split()[0]
        if kind not in DRIVERS:
            return f"the runtime in C has no driver for {kind}"
        ops = [*self.main.walk()]
        if self.code.parts or any(isinstance(op, ExternOp) for op in ops):
            return "main calls functions of the process"
        if any(isinstance(op, BindOp) for op in ops):
            return "main computes sizes from elements"
        return ""

    def compiled(self) -> CompiledMain:
        """Return the objects of the program.

        Before: `refusal` is empty.
        """
        target, facts = Target(self.target_text), self.code.kernels()
        platform = target.main_platform
        weights, offsets = layout_weights(self.main, byte_order=platform.byte_order)
        printer = DevicePrinter(platform)
        program = emit_device_main(self.main, _launches(facts), offsets, printer)
        entry = replace(
            describe_main(self.main, target),
            size_count=program.size_count,
            weights_bytes=weights.nbytes,
            device_type=DRIVERS[target.kind],
        )
        tables = device_tables(facts, target.kind, program, printer)
        texts = (program.text, tables, entry_tables(entry))
        objects = library_objects(texts, ("entry", "device"), platform.triple)
        kernels = Blob(SYMBOL_KERNELS_CODE, self.code.kernels_code + b"\0")
        symbols = tuple(each.symbol for each in facts.values())
        return CompiledMain(entry, objects, (kernels,), weights.data.cast("B"), symbols)


def _launches(facts: Mapping[str, KernelFacts]) -> Mapping[str, DeviceKernel]:
    return {
        name: DeviceKernel(number, each.sizes, each.grid, each.numbers)
        for number, (name, each) in enumerate(facts.items())
    }


__all__ = ["CompiledMain", "HostProgram"]
