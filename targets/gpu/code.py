"""The code of a program for a GPU, as bytes: what emission writes, and loading and export read.

A `DeviceCode` holds the host program as JSON (the manifest, main and its tables as LLVM IR, and the
`KernelFacts` of each kernel by name), all kernels in the form that the driver of the device takes,
and the parts of the model for other targets, as shared objects.

    host (JSON) | 0 | lengths (JSON) | 0 | kernels | parts
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...dialects.shape import Dim
from ...runtime.file.manifest import Manifest
from ...support.checked_file import Buffer


@dataclass(frozen=True)
class KernelFacts:
    """The facts that the host needs to launch a kernel.

    symbol: the kernel's name in the device code.  grid, block: the numbers of blocks, and of
    threads of a block, along x, y and z.  sizes: the names of the kernel's size parameters.
    numbers: the integer arguments that follow the kernel's buffers.  shared_bytes: the shared
    memory that a launch allocates, because the kernel does not declare it.
    """

    symbol: str
    grid: tuple[Dim, Dim, Dim]
    block: tuple[int, int, int]
    sizes: tuple[str, ...]
    numbers: tuple[Dim, ...]
    shared_bytes: int = 0

    def fields(self) -> Mapping[str, Any]:
        """Return the facts as JSON fields, which `of` reads."""
        return {
            "symbol": self.symbol,
            "grid": [str(blocks) for blocks in self.grid],
            "block": list(self.block),
            "sizes": list(self.sizes),
            "numbers": [str(number) for number in self.numbers],
            "shared_bytes": self.shared_bytes,
        }

    @staticmethod
    def of(fields: Mapping[str, Any]) -> KernelFacts:
        """Return the facts from JSON fields that the method `fields` returned."""
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
    """The code of a program for a GPU; the module describes its format.

    host: the host program as JSON.  kernels_code: the kernels as source text or a file of machine
    code.  parts: the programs for other targets that main calls (runtime/module/device_parts.py).
    """

    host: str
    kernels_code: bytes
    parts: bytes = b""

    def encoded(self) -> bytes:
        """Return the code as bytes, for `decoded`."""
        lengths = json.dumps([len(self.kernels_code), len(self.parts)]).encode()
        return _SEPARATOR.join([self.host.encode(), lengths, self.kernels_code + self.parts])

    @staticmethod
    def decoded(data: Buffer) -> DeviceCode:
        """Return the code from the bytes that `encoded` returned."""
        host, lengths, files = bytes(data).split(_SEPARATOR, 2)
        kernels, parts = json.loads(lengths)
        return DeviceCode(host.decode(), files[:kernels], files[kernels : kernels + parts])

    @cached_property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the host program."""
        return json.loads(self.host)

    @property
    def manifest(self) -> Manifest:
        """The description of the program."""
        return Manifest.parse(self.fields["manifest"])

    @property
    def kind(self) -> str:
        """The kind of the program's target, such as ``cuda``."""
        return self.manifest.target.split()[0]

    def kernels(self) -> dict[str, KernelFacts]:
        """Return the facts of each kernel, by name."""
        return {name: KernelFacts.of(fields) for name, fields in self.fields["kernels"].items()}
