"""Code objects as a driver loads them: segments in memory, and the descriptor of each kernel.

Source: LLVM, User Guide for AMDGPU Backend: Kernel Descriptor, Initial Kernel Execution State.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_LOAD, _DYNSYM = 1, 11
_USER_REGISTERS = (4, 2, 2, 2, 2, 2, 1)
"""Scalar registers of each bit of the kernel code properties."""
_KERNARG_BIT = 3


@dataclass(frozen=True)
class Descriptor:
    """How a kernel starts.

    entry: the position of its code in the image.  kernarg_register: the scalar registers with the
    address of the arguments.  user_registers: scalar registers before the ids of the block.
    preloaded_words: the words of the arguments that are in registers.
    blocks: which ids of the block are in registers.
    """

    entry: int
    shared_bytes: int
    private_bytes: int
    kernarg_bytes: int
    kernarg_register: int
    user_registers: int
    preloaded_words: int
    blocks: tuple[bool, bool, bool]


class CodeObject:
    """The image of a code object, and the descriptors of its kernels."""

    def __init__(self, data: bytes) -> None:
        program_table, section_table = struct.unpack_from("<QQ", data, 32)
        programs, _, sections = struct.unpack_from("<HHH", data, 56)
        heads = [struct.unpack_from("<IIQQQQQQ", data, program_table + 56 * i)
                 for i in range(programs)]  # fmt: skip
        loads = [head for head in heads if head[0] == _LOAD]
        image = bytearray(max(head[3] + head[6] for head in loads))
        for _, _, offset, address, _, size, _, _ in loads:
            image[address : address + size] = data[offset : offset + size]
        self.image = bytes(image)
        self._symbols: dict[str, int] = {}
        tables = [struct.unpack_from("<IIQQQQIIQQ", data, section_table + 64 * i)
                  for i in range(sections)]  # fmt: skip
        for table in tables:
            if table[1] == _DYNSYM:
                self._read_symbols(data, table, tables[table[6]])

    def _read_symbols(self, data: bytes, table: tuple[int, ...], names: tuple[int, ...]) -> None:
        for at in range(table[4], table[4] + table[5], 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            start = names[4] + name
            self._symbols[data[start : data.index(b"\0", start)].decode()] = value

    def descriptor(self, symbol: str) -> Descriptor:
        """Return the descriptor of a kernel."""
        at = self._symbols[f"{symbol}.kd"]
        shared, private, kernarg = struct.unpack_from("<III", self.image, at)
        (entry,) = struct.unpack_from("<q", self.image, at + 16)
        (words,) = struct.unpack_from("<I", self.image, at + 52)
        properties, preload = struct.unpack_from("<HH", self.image, at + 56)
        counts = [n if properties >> bit & 1 else 0 for bit, n in enumerate(_USER_REGISTERS)]
        x, y, z = (bool(words >> bit & 1) for bit in (7, 8, 9))
        return Descriptor(
            entry=at + entry,
            shared_bytes=shared,
            private_bytes=private,
            kernarg_bytes=kernarg,
            kernarg_register=sum(counts[:_KERNARG_BIT]),
            user_registers=words >> 1 & 31,
            preloaded_words=preload & 127,
            blocks=(x, y, z),
        )
