"""The code of a program for a GPU, as bytes: what emission writes and loading reads.

A `DeviceCode` holds the host program as JSON (the manifest, main as text, `KernelFacts` by the
name of each kernel) and all kernels in the form that the driver of the device takes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from ...dialects.shape import Dim
from ...support.bundle import Buffer
from ...support.diagnostics import TypeMismatch
from ...support.gpu_limits import GpuLimits, Grid
from ...support.registry import new_context


@dataclass(frozen=True)
class KernelFacts:
    """What a launch of a kernel needs.

    sizes: the names of its size parameters.  numbers: what it takes behind its buffers.
    """

    symbol: str
    grid: tuple[Dim, Dim, Dim]
    block: tuple[int, int, int]
    sizes: tuple[str, ...]
    numbers: tuple[Dim, ...]

    def fields(self) -> Mapping[str, Any]:
        """Return the facts as JSON fields."""
        return {
            "symbol": self.symbol,
            "grid": [str(blocks) for blocks in self.grid],
            "block": list(self.block),
            "sizes": list(self.sizes),
            "numbers": [str(number) for number in self.numbers],
        }

    def launched(self, name: str, sizes: Mapping[str, int], limits: GpuLimits) -> Grid:
        """Return the grid of a launch of the kernel with a name.

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
        """Return the facts of JSON fields."""
        x, y, z = map(_dim, fields["grid"])
        a, b, c = fields["block"]
        numbers = tuple(map(_dim, fields["numbers"]))
        return KernelFacts(fields["symbol"], (x, y, z), (a, b, c), tuple(fields["sizes"]), numbers)


def _dim(text: str) -> Dim:
    return Dim.of(int(text) if text.isdigit() else text)


_SEPARATOR = b"\0"
"""What JSON does not contain."""


@dataclass(frozen=True)
class DeviceCode:
    """The host program as JSON, and the code of the kernels: text, or a file of machine code."""

    host: str
    kernels_code: bytes

    def encoded(self) -> bytes:
        """Return the bytes that `decoded` reads."""
        return self.host.encode() + _SEPARATOR + self.kernels_code

    @staticmethod
    def decoded(data: Buffer) -> DeviceCode:
        """Return the code that `encoded` wrote."""
        host, _, kernels = bytes(data).partition(_SEPARATOR)
        return DeviceCode(host.decode(), kernels)

    def main(self) -> FuncOp:
        """Return the main function."""
        (main,) = Parser(new_context(), json.loads(self.host)["main"]).parse_module().ops
        assert isinstance(main, FuncOp), "main is a function"
        return main

    def kernels(self) -> dict[str, KernelFacts]:
        """Return the facts of each kernel by name."""
        found = json.loads(self.host)["kernels"]
        return {name: KernelFacts.of(fields) for name, fields in found.items()}


__all__ = ["DeviceCode", "KernelFacts"]
