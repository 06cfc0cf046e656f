"""AMD's GPUs without a GPU: an emulator of the instructions of gfx1100 and gfx942.

    program = AmdProgram(code_object, "gfx942")
    program.run("tw_k0", launch, arrays, sizes)      a launch, in place

It runs the machine code of a code object. tinygrad decodes the instructions; rules of this folder
compute them with numpy, all lanes of a wave at once. A wave runs until a barrier or its end, so
data that waves exchange without a barrier is missing. Unwritten memory is NaN, and an
access outside of the buffers is a `RuntimeError`, as is a barrier that only some waves of a block
reach.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.codegen.code_object import kernels_in
from tilewright.dialects.simt import LaunchSizes
from tilewright.machines.gpu_limits import gpu_limits
from tilewright.machines.target import Target

from . import matrix_code, memory_code, mixed_code, scalar_code, vector_code
from .code_object import CodeObject, Descriptor
from .memory import Memory
from .operands import Operands, SelectedOperands
from .scalar_code import END, Code
from .wave import MACHINES, Wave


class UnknownInstruction(NotImplementedError):
    """An instruction that the emulator has no rule for."""


_LONGEST, _BUFFER = 24, 0b111000
"""The bytes of the longest instruction, and how the instructions of buffers begin."""
_ARGUMENT_BYTES = 64
"""The least memory of the arguments: code may load words behind them."""
_LIMITS = gpu_limits(Target("rocm"))


@dataclass(frozen=True)
class BufferPlace:
    """An address that a launch passes: a number of a buffer, and an offset in it."""

    buffer: int
    offset_bytes: int = 0


class AmdProgram:
    """The kernels of a code object for a processor."""

    def __init__(self, code: bytes, processor: str) -> None:
        self._machine = MACHINES[processor]
        self._object = CodeObject(code)
        self._arguments = {kernel[".name"]: own_arguments(kernel) for kernel in kernels_in(code)}
        self._codes: dict[int, tuple[Code, int]] = {}
        self.executed = 0

    def run(
        self,
        symbol: str,
        launch: LaunchSizes,
        arrays: Sequence[np.ndarray],
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Run a kernel on arrays, in place; sizes: its symbolic sizes, in order.

        Errors: as `launch`.
        """
        numbers = dict(sizes or {})
        x, y, z = (blocks.evaluate(numbers) for blocks in launch.grid)
        arguments = [*map(BufferPlace, range(len(arrays))), *numbers.values()]
        self.launch(symbol, _LIMITS.exchanged((x, y, z)), launch.block, arrays, arguments)

    def launch(
        self,
        symbol: str,
        grid: Sequence[int],
        block: Sequence[int],
        buffers: Sequence[np.ndarray],
        arguments: Sequence[int | BufferPlace],
    ) -> None:
        """Run a kernel on buffers, in place.

        Errors: RuntimeError for a wrong access or barrier; UnknownInstruction for an instruction
        without a rule.
        """
        kernel = self._object.descriptor(symbol)
        image = np.frombuffer(self._object.image, np.uint8)
        total = image.nbytes + sum(buffer.nbytes + 1024 for buffer in buffers) + 65536
        memory = Memory(total)
        memory.reserve(image.size)
        memory.bytes[: image.size] = image
        places = [memory.place(np.ascontiguousarray(buffer)) for buffer in buffers]
        values = [
            places[value.buffer] + value.offset_bytes if isinstance(value, BufferPlace) else value
            for value in arguments
        ]
        passed = self._passed(symbol, values, kernel.kernarg_bytes)
        kernarg = memory.place(np.frombuffer(passed.ljust(_ARGUMENT_BYTES), np.uint8))
        with np.errstate(all="ignore"):
            for index in itertools.product(*(range(size) for size in reversed(grid))):
                self._run_block(kernel, block, memory, kernarg, index[::-1])
        for buffer, place in zip(buffers, places, strict=True):
            if buffer.flags.writeable:
                memory.read(place, buffer)

    def _passed(self, symbol: str, values: Sequence[int], size_bytes: int) -> bytes:
        """Return the bytes of the arguments of a kernel, where the metadata say."""
        data = bytearray(size_bytes)
        for argument, value in zip(self._arguments[symbol], values, strict=True):
            assert argument[".size"] == 8, "pointers and sizes have 64 bits"
            struct.pack_into("<Q", data, argument[".offset"], value)
        return bytes(data)

    def _run_block(
        self,
        kernel: Descriptor,
        block: Sequence[int],
        memory: Memory,
        kernarg: int,
        index: Sequence[int],
    ) -> None:
        shared = Memory(kernel.shared_bytes + 16, base=0)
        shared.reserve(kernel.shared_bytes)
        waves = self._waves(kernel, block, memory, shared)
        for wave in waves:
            self._start(wave, kernel, kernarg, index)
        while waves:
            signals = {self._run_wave(wave) for wave in waves}
            if len(signals) > 1:
                raise RuntimeError("only some waves of a block reach a barrier")
            if END in signals:
                return

    def _waves(
        self, kernel: Descriptor, block: Sequence[int], memory: Memory, shared: Memory
    ) -> list[Wave]:
        """Return the waves of a block, with the numbers of their threads."""
        x, y, z = block
        lanes, waves = self._machine.lanes, list[Wave]()
        for first in range(0, x * y * z, lanes):
            count = min(lanes, x * y * z - first)
            private = np.full((lanes, kernel.private_bytes // 4), 0xFFFFFFFF, np.uint32)
            wave = Wave(self._machine, memory, shared, private, (1 << count) - 1)
            thread = np.arange(first, first + lanes, dtype=np.uint32)
            ids = thread % x | thread // x % y << 10 | thread // (x * y) << 20
            wave.write_vector(0, ids.astype(np.uint32))
            waves.append(wave)
        return waves

    def _start(self, wave: Wave, kernel: Descriptor, kernarg: int, block: Sequence[int]) -> None:
        """Set the registers that a kernel finds at its start."""
        wave.write_scalar(kernel.kernarg_register, kernarg, 2)
        if kernel.preloaded_words:
            raise NotImplementedError("arguments in registers")
        register = kernel.user_registers
        for index, is_needed in zip(block, kernel.blocks, strict=True):
            if is_needed:
                wave.write_scalar(register, index, 1)
                register += 1
        wave.position = kernel.entry

    def _run_wave(self, wave: Wave) -> int:
        """Run a wave until a barrier or its end; return which."""
        while True:
            found = self._codes.get(wave.position)
            if found is None:
                found = self._codes[wave.position] = self._decoded(wave.position)
            code, size = found
            self.executed += 1
            following = code(wave)
            if following is None:
                wave.position += size
            elif following < 0:
                wave.position += size
                return following
            else:
                wave.position = following

    def _decoded(self, position: int) -> tuple[Code, int]:
        data = self._object.image[position : position + _LONGEST]
        (word,) = struct.unpack_from("<I", data)
        opcode = word >> 18 & (1 << self._machine.opcode_bits) - 1
        if word >> 26 == _BUFFER and opcode in self._machine.invalidations:
            # A fence of global memory invalidates caches, which the emulator does not have.
            return (lambda w: None), 8
        inst = self._instruction(data)
        try:
            return self._code(inst, position), inst.size()
        except (NotImplementedError, KeyError) as err:
            raise UnknownInstruction(f"{inst} at {position:#x}: {err}") from err

    def _instruction(self, data: bytes) -> Any:
        from tinygrad.renderer.amd import decode_inst

        return decode_inst(data, self._machine.decoder)

    def _code(self, inst: Any, position: int) -> Code:
        format_, literal = type(inst).__name__.removesuffix("_LIT"), getattr(inst, "literal", 0)
        if format_ == "VOPD":
            return vector_code.dual_code(inst, literal)
        name = vector_code.plain_name(inst.op.name)
        if format_.startswith("SOP"):
            return self._scalar(inst, format_, name, literal, position)
        if format_ == "SMEM":
            return scalar_code.memory_code(inst, name)
        if format_ in ("GLOBAL", "FLAT", "SCRATCH"):
            return memory_code.global_code(inst, name, self._machine.no_address)
        if format_ == "DS":
            return memory_code.shared_code(inst, name)
        special = self._special(inst, name)
        if special is not None:
            return special
        if format_ == "VOP3P":
            return vector_code.packed_code(inst, name)
        if "SDWA" in format_:
            return _vector(inst, name, SelectedOperands(inst))
        if "DPP" in format_:
            raise NotImplementedError(format_)
        halves = self._machine.has_halves
        return _vector(inst, name, Operands(inst, literal, has_halves=halves))

    def _scalar(self, inst: Any, format_: str, name: str, literal: int, position: int) -> Code:
        if name != "S_SET_GPR_IDX_ON":
            return scalar_code.scalar_code(inst, format_, name, literal, position)
        at = position + inst.size()
        moved = self._instruction(self._object.image[at : at + _LONGEST])
        return mixed_code.indexed_code(inst, moved, position)

    def _special(self, inst: Any, name: str) -> Code | None:
        """Return the code of a vector instruction with operands of its own, None for others."""
        if name.startswith("V_ACCVGPR"):
            return vector_code.accumulator_code(inst, name)
        if "_MIX" in name:
            return mixed_code.mix_code(inst, name)
        if name.startswith("V_DOT4"):
            return mixed_code.dot_code(inst, name)
        if name.startswith("V_MOVREL"):
            return mixed_code.relative_code(inst, name, self._machine.relative)
        if matrix_code.is_matrix_instruction(name):
            return matrix_code.matrix_code(inst, name)
        return None


def own_arguments(kernel: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the arguments of a kernel that a launch passes, from its metadata."""
    return [a for a in kernel[".args"] if not a[".value_kind"].startswith("hidden")]


def _vector(inst: Any, name: str, operands: Operands) -> Code:
    if name.startswith("V_CMP"):
        return vector_code.compare_code(inst, name, operands)
    if "LANE" in name:
        return vector_code.lane_code(inst, name)
    if "_CO_" in name or name.startswith(("V_DIV_SCALE", "V_MAD_U64_U32", "V_MAD_I64_I32")):
        return vector_code.carry_code(inst, name, operands)
    return vector_code.compute_code(inst, name, operands)
