"""Kernels for other machines, run by QEMU: LLD links them with a program that calls one.

For machines for which no whole programs are made, and for vectors of several lengths.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import pytest

from tilewright.dialects.packed import CallOp
from tilewright.driver.module.kernels import KernelCode, compile_kernels
from tilewright.interp import packed
from tilewright.interp.sizes import number_of
from tilewright.machines.target import Target
from tilewright.runtime.file.elf_format import LITTLE
from tilewright.targets.cpu.emit import emission
from tilewright.testing.kernel_calls import KernelCalls

ALIGNMENT = 64


@dataclass(frozen=True)
class Machine:
    """The command of QEMU, zig's options, and a system call in C.

    call: the registers of the number and of three arguments, the first with the result, and the
    instruction.  numbers: those of the calls read, write and exit.
    """

    qemu: tuple[str, ...]
    options: str
    call: tuple[str, str, str, str, str]
    numbers: tuple[int, int, int]

    @property
    def missing(self) -> str:
        """Why this machine cannot run the kernels; empty if it can."""
        if shutil.which(self.qemu[0]) is None:
            return f"needs {self.qemu[0]} (apt-get install qemu-user)"
        is_there = find_spec("ziglang") is not None
        return "" if is_there else "needs the package ziglang, which has a C compiler and LLD"


MACHINES = {
    "riscv64": Machine(
        ("qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen={bits}"),
        "-target riscv64-freestanding",
        ("a7", "a0", "a1", "a2", "ecall"),
        (63, 64, 93),
    ),
    "armv7": Machine(
        ("qemu-arm",),
        "-target arm-freestanding-eabihf -mcpu=cortex_a7",
        ("r7", "r0", "r1", "r2", "svc #0"),
        (3, 4, 1),
    ),
    "hexagon": Machine(
        ("qemu-hexagon", "-cpu", "v67"),
        "-target hexagon-freestanding -mcpu=hexagonv67",
        ("r6", "r0", "r1", "r2", "trap0(#1)"),
        (63, 64, 93),
    ),
}
MISSING = MACHINES["riscv64"].missing
"""Why this machine cannot run kernels for RISC-V; empty if it can."""

# In: the kernel's number, its tasks, the arrays and their bytes; then the arrays.  Out: the arrays.
RUNNER = """
typedef void Kernel(void **, long long, long long);
%(declarations)s
static Kernel *const kernels[] = {%(names)s};
static char memory[1 << 22] __attribute__((aligned(64)));

static long call(long number, long a, void *b, long c) {
  register long n __asm__("%(n)s") = number, r __asm__("%(a)s") = a, s __asm__("%(c)s") = c;
  register void *p __asm__("%(b)s") = b;
  __asm__ volatile("%(instruction)s" : "+r"(r) : "r"(n), "r"(p), "r"(s) : "memory");
  return r;
}

static void move(long number, long file, char *at, long bytes) {
  while (bytes > 0) {
    long done = call(number, file, at, bytes);
    if (done <= 0) call(%(exit)d, 1, 0, 0);
    at += done, bytes -= done;
  }
}

void _start(void) {
  static long long head[3], bytes[32];
  static void *arrays[32];
  char *end = memory;
  move(%(read)d, 0, (char *)head, sizeof head);
  move(%(read)d, 0, (char *)bytes, head[2] * 8);
  for (long n = 0; n < head[2]; ++n) {
    arrays[n] = end;
    move(%(read)d, 0, end, bytes[n]);
    end += (bytes[n] + 63) / 64 * 64;
  }
  for (long long task = 0; task < head[1]; ++task) kernels[head[0]](arrays, task, 0);
  for (long n = 0; n < head[2]; ++n) move(%(write)d, 1, arrays[n], bytes[n]);
  call(%(exit)d, 0, 0, 0);
}
"""


class QemuProgram:
    """A program whose host part is interpreted and whose kernels run in QEMU.

    objects: those of the kernels.  vector_bits: the length of the processor's vectors.
    """

    def __init__(
        self,
        code: KernelCode,
        objects: Sequence[bytes],
        folder: Path,
        vector_bits: int = 128,
        machine: str = "riscv64",
    ) -> None:
        own = MACHINES[machine]
        self._code, self._calls = code, KernelCalls(code)
        self._symbols = [info.symbol for info in code.infos.values()]
        self._program = folder / "program"
        self._command = [word.format(bits=vector_bits) for word in own.qemu]
        names = {
            "declarations": "\n".join(
                f'Kernel k{number} __asm__("{symbol}");'
                for number, symbol in enumerate(self._symbols)
            ),
            "names": ", ".join(f"k{number}" for number in range(len(self._symbols))),
            **dict(zip(("n", "a", "b", "c", "instruction"), own.call, strict=True)),
            **dict(zip(("read", "write", "exit"), own.numbers, strict=True)),
        }
        files = [folder / f"{number}.o" for number in range(len(objects))]
        for file, data in zip(files, objects, strict=True):
            file.write_bytes(data)
        (folder / "runner.c").write_text(RUNNER % names)
        options = f"{own.options} -nostdlib -static -O1 -fno-sanitize=all"
        zig = [sys.executable, "-m", "ziglang", "cc", *options.split(), str(folder / "runner.c")]
        subprocess.run([*zig, *map(str, files), "-o", str(self._program)], check=True)

    def __call__(self, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
        """Run the program; return its results."""
        return packed.run(self._code.module, *inputs, call=self._call)

    def _call(self, op: CallOp, _: packed.Kernel, arrays: Sequence[np.ndarray]) -> None:
        info = self._code.infos[op.kernel_name]
        given = self._calls.arguments(op, arrays)
        tasks = number_of(info.tasks_with(op.sizes))
        sizes = [array.nbytes for array in given]
        head = [self._symbols.index(info.symbol), tasks, len(given), *sizes]
        sent = b"".join([np.array(head, np.int64).tobytes(), *(a.tobytes() for a in given)])
        done = subprocess.run(
            [*self._command, str(self._program)], input=sent, capture_output=True, check=True
        )
        at = 0
        for array in given:
            made = np.frombuffer(done.stdout, array.dtype, array.size, at).reshape(array.shape)
            if array.flags.writeable:
                array[...] = made
            at += array.nbytes


def run_kernels(
    model: onnx.ModelProto, x: np.ndarray, folder: Path, target: str, bits: int = 128
) -> np.ndarray:
    """Run a model whose kernels LLD links; bits: the length of the processor's vectors."""
    objects: list[bytes] = []

    def link(given: list[bytes], **_: object) -> bytes:
        objects.extend(given)
        return LITTLE.magic

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emission, "link", link)
        code = compile_kernels(model, target=target)
    (got,) = QemuProgram(code, objects, folder, bits, Target(target).architecture)(x)
    return got
