"""Kernels for RISC-V, run by QEMU's user mode: LLD links them with a program that calls one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from tilewright.dialects.packed import CallOp
from tilewright.driver.module.kernels import KernelCode
from tilewright.interp import packed
from tilewright.interp.sizes import number_of
from tilewright.testing.kernel_calls import KernelCalls

QEMU = "qemu-riscv64"
ALIGNMENT = 64
MISSING = (
    "needs qemu-riscv64 (apt-get install qemu-user)"
    if shutil.which(QEMU) is None
    else "needs the package ziglang, which has a C compiler and LLD"
    if find_spec("ziglang") is None
    else ""
)
"""Why this machine cannot run kernels for RISC-V; empty if it can."""

# In: the kernel's number, its tasks, the arrays and their bytes; then the arrays.  Out: the arrays.
RUNNER = """
typedef void Kernel(void **, long, long);
%(declarations)s
static Kernel *const kernels[] = {%(names)s};
static char memory[1 << 22] __attribute__((aligned(64)));

static long call(long number, long a, void *b, long c) {
  register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a2 __asm__("a2") = c;
  register void *a1 __asm__("a1") = b;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
}

static void move(long number, long file, char *at, long bytes) {
  while (bytes > 0) {
    long done = call(number, file, at, bytes);
    if (done <= 0) call(93, 1, 0, 0);
    at += done, bytes -= done;
  }
}

void _start(void) {
  static long head[3], bytes[32];
  static void *arrays[32];
  char *end = memory;
  move(63, 0, (char *)head, sizeof head);
  move(63, 0, (char *)bytes, head[2] * 8);
  for (long n = 0; n < head[2]; ++n) {
    arrays[n] = end;
    move(63, 0, end, bytes[n]);
    end += (bytes[n] + 63) / 64 * 64;
  }
  for (long task = 0; task < head[1]; ++task) kernels[head[0]](arrays, task, 0);
  for (long n = 0; n < head[2]; ++n) move(64, 1, arrays[n], bytes[n]);
  call(93, 0, 0, 0);
}
"""


class QemuProgram:
    """A program whose host part is interpreted and whose kernels run in QEMU.

    objects: those of the kernels.  vector_bits: the length of the processor's vectors.
    """

    def __init__(
        self, code: KernelCode, objects: Sequence[bytes], folder: Path, vector_bits: int = 128
    ) -> None:
        self._code, self._calls = code, KernelCalls(code)
        self._symbols = [info.symbol for info in code.infos.values()]
        self._program = folder / "program"
        self._command = [QEMU, "-cpu", f"rv64,v=true,vext_spec=v1.0,vlen={vector_bits}"]
        names = {
            "declarations": "\n".join(
                f'Kernel k{number} __asm__("{symbol}");'
                for number, symbol in enumerate(self._symbols)
            ),
            "names": ", ".join(f"k{number}" for number in range(len(self._symbols))),
        }
        files = [folder / f"{number}.o" for number in range(len(objects))]
        for file, data in zip(files, objects, strict=True):
            file.write_bytes(data)
        (folder / "runner.c").write_text(RUNNER % names)
        options = "-target riscv64-freestanding -nostdlib -static -O1 -fno-sanitize=all"
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
