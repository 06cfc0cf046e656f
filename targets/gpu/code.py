"""The code of a program for a GPU, as bytes: what emission writes and loading reads.

A `DeviceCode` holds the host program as JSON (the manifest, main as printed IR, the `KernelFacts`
of each kernel by name) and all kernels in the form that the driver of the device takes. In an
exported file it also holds the parts of the model for other targets, as shared objects.

    host (JSON) | 0 | index (JSON) | 0 | kernels | library and weights of each part

The index holds the lengths of the kernels and of the parts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from xdsl.dialects.func import FuncOp

from ...dialects.shape import Dim
from ...machines.gpu import GpuLimits, Grid
from ...support.checked_file import Buffer
from ...support.diagnostics import TypeMismatch
from ...support.ir_parser import IrParser
from ...support.registry import new_context
from ..backend import SavedModule


@dataclass(frozen=True)
class KernelFacts:
    """The facts that a launch of a kernel needs.

    symbol: the kernel's name in the device code.  grid, block: blocks, and threads of a block,
    along x, y and z.  sizes: the names of the kernel's size parameters.  numbers: the integer
    arguments that follow the kernel's buffers.  shared_bytes: the shared memory that a launch
    allocates, because the kernel does not declare it.
    """

    symbol: str
    grid: tuple[Dim, Dim, Dim]
    block: tuple[int, int, int]
    sizes: tuple[str, ...]
    numbers: tuple[Dim, ...]
    shared_bytes: int = 0

    def fields(self) -> Mapping[str, Any]:
        """Return the facts as JSON fields, for `of`."""
        return {
            "symbol": self.symbol,
            "grid": [str(blocks) for blocks in self.grid],
            "block": list(self.block),
            "sizes": list(self.sizes),
            "numbers": [str(number) for number in self.numbers],
            "shared_bytes": self.shared_bytes,
        }

    def launched(self, name: str, sizes: Mapping[str, int], limits: GpuLimits) -> Grid:
        """Return the grid for a launch of the kernel.

        name: the kernel's name, for messages.  sizes: the values of its size parameters.
        Errors: TypeMismatch for more blocks than the limits allow.
        """
        x, y, z = (blocks.evaluate(sizes) for blocks in self.grid)
        grid = limits.exchanged((x, y, z))
        if not limits.allows(grid):
            given = ", ".join(f"{size} = {number}" for size, number in sizes.items())
            raise TypeMismatch(
                f"the sizes of a call give @{name} too many blocks",
                expected=f"at most {list(limits.blocks)}, the first one along any dimension",
                got=f"{[x, y, z]} with {given}",
                hint="call with smaller sizes",
            )
        return grid

    @staticmethod
    def of(fields: Mapping[str, Any]) -> KernelFacts:
        """Return the facts that `fields` wrote as JSON fields."""
        x, y, z = map(_dim, fields["grid"])
        a, b, c = fields["block"]
        numbers = tuple(map(_dim, fields["numbers"]))
        sizes, shared_bytes = tuple(fields["sizes"]), fields["shared_bytes"]
        return KernelFacts(fields["symbol"], (x, y, z), (a, b, c), sizes, numbers, shared_bytes)


def _dim(text: str) -> Dim:
    return Dim.of(int(text) if text.isdigit() else text)


_SEPARATOR = b"\0"
"""A byte that JSON text does not contain."""


@dataclass(frozen=True)
class DeviceCode:
    """The host program as JSON, and the kernels as source text or a file of machine code.

    parts: programs for other targets that main calls, each by the name of the called function, as
    the bytes of a shared object and of its weights.
    """

    host: str
    kernels_code: bytes
    parts: Mapping[str, SavedModule] = field(default_factory=dict[str, SavedModule])

    def encoded(self) -> bytes:
        """Return the code as bytes, for `decoded`."""
        lengths = {name: [len(data) for data in part] for name, part in self.parts.items()}
        index = json.dumps({"kernels": len(self.kernels_code), "parts": lengths}).encode()
        files = [data for part in self.parts.values() for data in part]
        return _SEPARATOR.join([self.host.encode(), index, b"".join([self.kernels_code, *files])])

    @staticmethod
    def decoded(data: Buffer) -> DeviceCode:
        """Return the code from the bytes that `encoded` returned."""
        host, index, files = bytes(data).split(_SEPARATOR, 2)
        lengths = json.loads(index)
        stream = BytesIO(files)
        kernels = stream.read(lengths["kernels"])
        parts = {n: (stream.read(a), stream.read(b)) for n, (a, b) in lengths["parts"].items()}
        return DeviceCode(host.decode(), kernels, parts)

    def main(self) -> FuncOp:
        """Parse and return the main function."""
        (main,) = IrParser(new_context(), json.loads(self.host)["main"]).parse_module().ops
        assert isinstance(main, FuncOp), "main is a function"
        return main

    def kernels(self) -> dict[str, KernelFacts]:
        """Return the facts of each kernel, by name."""
        found = json.loads(self.host)["kernels"]
        return {name: KernelFacts.of(fields) for name, fields in found.items()}


__all__ = ["DeviceCode", "KernelFacts"]
