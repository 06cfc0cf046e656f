"""The tables by which runtime/native/device.c knows a program: its kernels and its memory.

In: the launches of the kernels, and the printed main. Out: LLVM IR.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....codegen.entry import text_constant
from ....lowering.main.device_printer import DevicePrinter
from ....lowering.main.main_program import MainProgram
from ..code import KernelFacts

_KERNEL = "{ ptr, [3 x i32], i32 }"
"""The layout of struct tw_device_kernel in runtime/native/device.h."""


def device_tables(
    facts: Mapping[str, KernelFacts], driver: int, program: MainProgram, printer: DevicePrinter
) -> str:
    """Return the LLVM IR of the tables of a program.

    facts: the launch of each kernel.  driver: the number of the driver in device.h.  program,
    printer: main, and the printer that printed it.
    """
    lines = [
        text_constant(f"symbol_{number}", each.symbol) for number, each in enumerate(facts.values())
    ]
    rows = [
        f"{_KERNEL} {{ ptr @symbol_{number}, [3 x i32] "
        f"[{', '.join(f'i32 {size}' for size in each.block)}], i32 {each.shared_bytes} }}"
        for number, each in enumerate(facts.values())
    ]
    kernels = f"[{len(rows)} x {_KERNEL}] [{', '.join(rows)}]"
    numbers = {
        "tw_device_kernel_count": f"i32 {len(rows)}",
        "tw_device_most_buffers": f"i32 {printer.most_buffers}",
        "tw_device_driver": f"i32 {driver}",
        "tw_device_arena_bytes": f"i64 {program.arena_bytes}",
        "tw_device_is_fixed": f"i32 {int(printer.is_fixed)}",
    }
    lines.append(f"@tw_device_kernels = hidden constant {kernels}")
    lines += [f"@{name} = hidden constant {value}" for name, value in numbers.items()]
    return "\n".join([*lines, ""])


__all__ = ["device_tables"]
