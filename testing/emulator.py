"""AArch64 code on any host, run by unicorn, which is QEMU's processors as a library.

In: the kernels of a program for such a target, and arrays.  Out: the arrays after the run.
Memory that the code may touch has the same address in the emulator and in this process, so nothing
is copied; every other access is an error.  Instructions that QEMU does not know run in Python
(emulated_instructions.py).  Needs the package ``unicorn`` (the extra ``test``).
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import unicorn as _package
from unicorn import arm64_const as _registers
from xdsl.dialects.builtin import ModuleOp

from ..codegen.relocations import AARCH64
from ..dialects.packed import CallOp
from ..driver.module.kernels import KernelCode
from ..driver.request import OwnModule, request_for
from ..interp import packed
from ..interp.sizes import number_of
from ..runtime.file.elf_format import LITTLE
from ..runtime.file.elf_reader import Image
from ..support.diagnostics import TilewrightError
from .emulated_instructions import REGISTER_BYTES, Register, find_instruction
from .kernel_calls import KernelCalls
from .native import Dialects

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

# unicorn's types do not pass a strict check.
_unicorn: Any = _package

PAGE_BYTES = 4096
INSTRUCTION_BYTES = 4
STACK_BYTES = 1 << 20
TIMEOUT_S = 60
_FLOATING_POINT_ON = 3 << 20  # CPACR_EL1.FPEN
_LOAD, _DYNAMIC = 1, 2
_RELOCATIONS, _RELOCATION_BYTES = 7, 8


class Emulator:
    """A processor with every extension that QEMU knows, and one shared object in its memory.

    counts: whether to count the executed instructions.
    emulated: how often Python has executed each encoded instruction of FEAT_I8MM and FEAT_BF16.
    executed: the number of instructions so far, if they are counted.
    symbols: the addresses of the exported symbols.
    Errors: TilewrightError for an object of another machine, or with undefined symbols.
    """

    def __init__(self, image: bytes, *, counts: bool = False) -> None:
        (machine,) = struct.unpack_from("<H", image, 18)
        if not image.startswith(LITTLE.magic) or machine != AARCH64.machine:
            raise TilewrightError(
                "the emulator runs aarch64 code",
                expected=f"ELF machine {AARCH64.machine}",
                got=machine,
            )
        self._image = _loaded(image)
        self.emulated: Counter[int] = Counter()
        self.executed = 0
        self._stack = _pages(STACK_BYTES)
        self._base = self._image.ctypes.data
        self.symbols = {name: self._base + at for name, (at, _) in Image(image).symbols.items()}
        self._machine = _unicorn.Uc(_unicorn.UC_ARCH_ARM64, _unicorn.UC_MODE_ARM)
        self._machine.ctl_set_cpu_model(_registers.UC_CPU_ARM64_MAX)
        self._machine.reg_write(_registers.UC_ARM64_REG_CPACR_EL1, _FLOATING_POINT_ON)
        for start, end in _spans([self._image, self._stack]):
            self._machine.mem_map_ptr(start, end - start, _unicorn.UC_PROT_ALL, start)
        if counts:
            self._machine.hook_add(_unicorn.UC_HOOK_BLOCK, self._count)

    def _count(self, _machine: object, _address: int, size: int, _data: object) -> None:
        self.executed += size // INSTRUCTION_BYTES

    def call(self, symbol: str, arrays: Sequence[Array], tasks: int = 1) -> None:
        """Run the tasks of a kernel one after the other on arrays, in place.

        symbol: the symbol of the kernel.  tasks: the number of tasks.
        Errors: TilewrightError with the code position of an illegal access or another failure.
        """
        addresses = np.array([array.ctypes.data for array in arrays], np.uint64)
        spans = _spans([addresses, *arrays])
        for start, end in spans:
            self._machine.mem_map_ptr(start, end - start, _unicorn.UC_PROT_ALL, start)
        try:
            for task in range(tasks):
                self._run(symbol, (addresses.ctypes.data, task, 0))
        finally:
            for start, end in spans:
                self._machine.mem_unmap(start, end - start)

    def _run(self, symbol: str, numbers: Sequence[int]) -> None:
        write = self._machine.reg_write
        for number, value in enumerate(numbers):
            write(_registers.UC_ARM64_REG_X0 + number, value)
        write(_registers.UC_ARM64_REG_SP, self._stack.ctypes.data + STACK_BYTES)
        # The start of the file is no code: reaching it ends the call.
        write(_registers.UC_ARM64_REG_LR, self._base)
        at, cause = self._continue(self.symbols[symbol])
        while at != self._base:
            if not self._run_unknown(at):
                place = f"{symbol} + {at - self.symbols[symbol]:#x}"
                raise TilewrightError("emulated code failed", got=f"{cause} at {place}")
            at, cause = self._continue(at + INSTRUCTION_BYTES)

    def _continue(self, at: int) -> tuple[int, str]:
        """Run from address ``at`` until the call returns or an instruction fails.

        Return the address where the processor stopped, and the reason.
        """
        cause = "it did not end"
        try:
            self._machine.emu_start(at, self._base, timeout=int(TIMEOUT_S * 1e6))
        except _unicorn.UcError as err:
            cause = str(err)
        return self._machine.reg_read(_registers.UC_ARM64_REG_PC), cause

    def _run_unknown(self, at: int) -> bool:
        """Execute the instruction at an address in Python; return False if that is impossible."""
        offset = at - self._base
        if not 0 <= offset <= len(self._image) - INSTRUCTION_BYTES:
            return False
        word = int(self._image[offset : offset + INSTRUCTION_BYTES].view("<u4")[0])
        found = find_instruction(word)
        if found is None:
            return False
        number, value = found.run(word, self._vector)
        self._machine.reg_write(
            _registers.UC_ARM64_REG_Q0 + number, int.from_bytes(value.tobytes(), "little")
        )
        self.emulated[word] += 1
        return True

    def _vector(self, number: int) -> Register:
        bits = self._machine.reg_read(_registers.UC_ARM64_REG_Q0 + number)
        return np.frombuffer(bits.to_bytes(REGISTER_BYTES, "little"), np.uint8)


class EmulatedProgram:
    """A program whose host part is interpreted and whose kernels run in an emulator.

    counts: whether to count the instructions that the kernels execute.
    """

    def __init__(self, code: KernelCode, *, counts: bool = False) -> None:
        self._code, self._calls, self._counts = code, KernelCalls(code), counts

    @cached_property
    def _emulator(self) -> Emulator:
        return Emulator(self._code.code, counts=self._counts)

    @property
    def executed(self) -> int:
        """The number of instructions that all runs so far have executed."""
        return self._emulator.executed

    def __call__(self, *inputs: Array) -> tuple[Array, ...]:
        return packed.run(self._code.module, *inputs, call=self._call)

    def _call(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        info = self._code.infos[op.kernel_name]
        tasks = number_of(info.tasks_with(op.sizes))
        self._emulator.call(info.symbol, self._calls.arguments(op, arrays), tasks)


def emulate(
    module: ModuleOp,
    arrays: tuple[Array, ...],
    target: str,
    dialects: Dialects | None = None,
) -> list[list[Array]]:
    """Compile a module of graph ops for an AArch64 target, and run it once in an emulator.

    Return a list of one element, the results of the run, because `Native` returns one element per
    run.
    dialects: unused; it has the same meaning as for `Native`, in whose place this function is
    called.
    Errors: see `tilewright.compile` and `Emulator`.
    """
    del dialects  # the module is not printed
    code = KernelCode.of(request_for(OwnModule(module), target=target, cache=False))
    return [list(EmulatedProgram(code)(*arrays))]


def _loaded(image: bytes) -> Array:
    """Return memory that contains a shared object, relocated to the address of this memory.

    Errors: TilewrightError for a relocation that refers to another library.
    """
    segments = [row for row in _segments(image) if row[0] == _LOAD]
    memory = _pages(max(at + in_memory for _, at, _, in_memory in segments))
    for _, at, in_file, _ in segments:
        memory[at : at + in_file] = np.frombuffer(image, np.uint8, in_file, at)
    table = _dynamic(image)
    first, size = table[_RELOCATIONS], table[_RELOCATION_BYTES]
    for at, kind, addend in struct.iter_unpack("<QQq", image[first : first + size]):
        if kind != AARCH64.relative:
            raise TilewrightError("the emulator has no libraries", got=f"relocation {kind:#x}")
        memory[at : at + 8].view(np.uint64)[0] = memory.ctypes.data + addend
    return memory


def _segments(image: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield kind, address, bytes in the file and bytes in memory of each segment of an ELF image.

    The address is also the offset in the file.
    """
    (count,) = struct.unpack_from("<H", image, 56)
    for number in range(count):
        row = struct.unpack_from("<IIQQQQQQ", image, 64 + 56 * number)
        kind, _, _, at, _, in_file, in_memory, _ = row
        yield kind, at, in_file, in_memory


def _dynamic(image: bytes) -> dict[int, int]:
    """Return the values of the ELF dynamic section by tag."""
    _, at, size, _ = next(row for row in _segments(image) if row[0] == _DYNAMIC)
    return dict(struct.iter_unpack("<QQ", image[at : at + size]))


def _pages(size: int) -> Array:
    whole = -(-size // PAGE_BYTES) * PAGE_BYTES
    raw = np.zeros(whole + PAGE_BYTES, np.uint8)
    start = -raw.ctypes.data % PAGE_BYTES
    return raw[start : start + whole]


def _spans(arrays: Sequence[Array]) -> list[tuple[int, int]]:
    """Return the address ranges of the pages of arrays, without overlaps."""
    spans: list[tuple[int, int]] = []
    places = ((x.ctypes.data, x.ctypes.data + x.nbytes) for x in arrays if x.nbytes)
    for first, last in sorted(places):
        start, end = first // PAGE_BYTES * PAGE_BYTES, -(-last // PAGE_BYTES) * PAGE_BYTES
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans
