"""Runs of models as C source on emulated boards with Cortex-M processors, without a C library.

In: a module for a target such as ``c -mcpu=cortex-m4``, and the arrays of a call.  Out: the outputs
of the program, and how much memory and how many instructions the call took.  clang and LLD of the
package ziglang build the program from the exported source and board.c; qemu-system-arm runs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np

from ..codegen.external_tool import find_zig
from ..driver.module.compiled_module import CompiledModule
from ..machines.emulators import BOARDS, Board
from ..runtime.abi.ndarray import numpy_dtype
from ..support.diagnostics import TargetError, TilewrightError
from ..testing.programs import check_end, finished
from .tensors import Array

TICK_INSTRUCTIONS = 40
"""QEMU executes an instruction per nanosecond; the boards' clocks have 25 MHz."""
_NAME = "model"
_LAYOUT = """\
ENTRY(reset)
MEMORY {{
  FLASH (rx) : ORIGIN = 0x00000000, LENGTH = {flash}K
  RAM (rwx) : ORIGIN = 0x20000000, LENGTH = {ram}K
}}
SECTIONS {{
  .text : {{ KEEP(*(.vectors)) *(.text*) *(.rodata*) }} > FLASH
  .ARM.exidx : {{ *(.ARM.exidx*) }} > FLASH
  .data : {{ *(.data*) }} > RAM AT> FLASH
  .bss (NOLOAD) : {{
    arena_start = .; model.o(.bss*) . = ALIGN(8); arena_end = .;
    bss_start = .; *(.bss*) *(COMMON) . = ALIGN(8); bss_end = .; stack_end = .;
  }} > RAM
  stack_top = ORIGIN(RAM) + LENGTH(RAM);
}}
"""


_MATH = """\
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
float sqrtf(float x);
float fabsf(float x);
float copysignf(float x, float y);
double sqrt(double x);
double fabs(double x);
double copysign(double x, double y);
"""
"""The part of math.h that C source uses; clang makes instructions of these functions."""


@dataclass(frozen=True)
class BoardRun:
    """The results of a program that ran on an emulated board.

    outputs: the outputs of the call, by name.  instructions: the number of instructions of the
    call, rounded to a multiple of `TICK_INSTRUCTIONS`.  stack_bytes: the bytes of the stack that
    the call wrote.  arena_bytes: the bytes of the arena (the memory of intermediate results) that
    it wrote. code_bytes: the code and the constants of the model, without board.c.  frames: the
    bytes of stack that each function of the model uses, as the compiler reports them.
    """

    outputs: Mapping[str, Array]
    board: Board
    instructions: int
    stack_bytes: int
    arena_bytes: int
    code_bytes: int
    frames: Mapping[str, int]


def run_on_board(
    module: CompiledModule, inputs: Mapping[str, Array], cpu: str, *, optimize: str = "-O2"
) -> BoardRun:
    """Run a module of C source on an emulated board, and return the results of the call.

    inputs: the arrays of the call, by input.  cpu: the processor of the board, such as
    ``cortex-m4``. optimize: the optimization level of the C compiler, as an option.

    Errors: TargetError without a board for the processor, or without the tools; TilewrightError for
    a program that fails.
    """
    board = _board(cpu)
    with TemporaryDirectory(prefix="tilewright-") as scratch:
        folder = Path(scratch)
        module.export_library(folder / f"{_NAME}.c")
        (folder / "math.h").write_text(_MATH)
        (folder / "call.c").write_text(_call_source(module))
        (folder / "board.ld").write_text(_LAYOUT.format(flash=board.flash_kib, ram=board.ram_kib))
        frames = _built(folder, board, optimize)
        arrays = [np.ascontiguousarray(inputs[spec.name]) for spec in module.inputs]
        (folder / "inputs.bin").write_bytes(b"".join(array.tobytes() for array in arrays))
        machine = ["-M", board.machine, "-nographic", "-icount", "shift=0"]
        semihosting = ["-semihosting-config", "enable=on,target=native"]
        command = [board.emulator, *machine, *semihosting, "-kernel", "program.elf"]
        check_end(finished(command, folder), f"the program fails on {board.machine}")
        made = (folder / "outputs.bin").read_bytes()
        code = _loaded_bytes(folder / f"{_NAME}.o")
    outputs, position = dict[str, Array](), 0
    for spec in module.outputs:
        dtype, shape = numpy_dtype(spec.dtype), tuple(map(int, spec.shape))
        count = int(np.prod(shape))
        outputs[spec.name] = np.frombuffer(made, dtype, count, position).reshape(shape)
        position += count * dtype.itemsize
    status, ticks, stack, arena = np.frombuffer(made, "<u4", 4, position).tolist()
    if status:
        raise TilewrightError("the model returns an error", expected="status 0", got=status)
    return BoardRun(outputs, board, ticks * TICK_INSTRUCTIONS, stack, arena, code, frames)


def _board(cpu: str) -> Board:
    board = BOARDS.get(cpu)
    if board is None:
        raise TargetError(
            "no board of the processor is emulated",
            expected=", ".join(BOARDS),
            got=cpu or "no processor",
            hint="c -mcpu=cortex-m4",
        )
    for is_there, name, hint in (
        (find_zig() is not None, "ziglang", "pip install ziglang"),
        (which(board.emulator) is not None, board.emulator, "apt-get install qemu-system-arm"),
    ):
        if not is_there:
            raise TargetError(
                "a tool for boards is not installed", expected=name, got=cpu, hint=hint
            )
    return board


def _call_source(module: CompiledModule) -> str:
    """Return a C file that defines the arrays of a call, and a function that makes the call."""
    rows: dict[bool, list[str]] = {True: [], False: []}
    arrays: list[str] = []
    names: list[str] = []
    for is_input, specs in ((True, module.inputs), (False, module.outputs)):
        for spec in specs:
            size = max(1, int(np.prod(tuple(map(int, spec.shape)))))
            size *= numpy_dtype(spec.dtype).itemsize
            names.append(name := f"array_{len(names)}")
            arrays.append(f"static uint64_t {name}[{-(-size // 8)}];")
            rows[is_input].append(f"{{{name}, {size}}}")
    given = ", ".join(f"(void *){name}" for name in names)
    return "\n".join(
        [
            f'#include "{_NAME}.h"',
            "struct array { void *data; uint32_t bytes; };",
            *arrays,
            f"const struct array inputs[] = {{{', '.join(rows[True]) or '{0, 0}'}}};",
            f"const struct array outputs[] = {{{', '.join(rows[False])}}};",
            f"const uint32_t input_count = {len(rows[True])}, output_count = {len(rows[False])};",
            "int call_model(void);",
            f"int call_model(void) {{ return {_NAME}_run({given}); }}",
            "",
        ]
    )


def _built(folder: Path, board: Board, optimize: str) -> dict[str, int]:
    """Compile and link program.elf from the sources in a folder.

    optimize: the optimization level of the C compiler, as an option.  Return the bytes of stack
    that each function uses, by name of the function.
    """
    zig = find_zig()
    assert zig is not None, "checked before"
    options = [f"--target={board.triple}", *board.options, optimize, "-fno-math-errno"]
    headers = str(Path(zig).parent / "lib" / "include")
    options += ["-fstack-usage", "-ffunction-sections", "-isystem", headers, "-I."]
    sources = [f"{_NAME}.c", "call.c", str(Path(__file__).with_name("board.c"))]
    objects = [f"{Path(source).stem}.o" for source in sources]
    compiled = finished([zig, "clang", *options, "-c", *sources], folder)
    check_end(compiled, "the C compiler refuses the source")
    link = ["ld.lld", "-z", "max-page-size=8", "--gc-sections", "-T", "board.ld"]
    linked = finished([zig, *link, *objects, "-o", "program.elf"], folder)
    check_end(linked, "the linker refuses the program")
    lines = (folder / f"{_NAME}.su").read_text().splitlines()
    found = (re.match(r".*:(\w+)\t(\d+)\t", line) for line in lines)
    return {row[1]: int(row[2]) for row in found if row is not None}


def _loaded_bytes(file: Path) -> int:
    """Return the number of bytes of code and constants in an ELF object of 32 bits."""
    data = file.read_bytes()
    table, size, count = (
        int.from_bytes(data[at : at + width], "little")
        for at, width in ((0x20, 4), (0x2E, 2), (0x30, 2))
    )
    total = 0
    for number in range(count):
        row = np.frombuffer(data, "<u4", 10, table + number * size)
        is_loaded, is_written, has_bits = row[2] & 2, row[2] & 1, row[1] == 1
        total += int(row[5]) if is_loaded and has_bits and not is_written else 0
    return total
