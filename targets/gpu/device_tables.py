"""The tables by which runtime/native/device.c knows a program: its kernels and its memory.

In: the launches of the kernels, and the printer of main. Out: LLVM IR.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...codegen.entry import text_constant
from ...lowering.main.device_printer import DevicePrinter
from ...machines.gpu import limits_of_kind
from ...runtime.abi.constants import DeviceType
from .code import KernelFacts

DRIVERS = {"cuda": DeviceType.CUDA, "rocm": DeviceType.ROCM}
"""The kinds of targets whose driver device.c calls, in the order of its table.  The host drives the
devices of all other kinds."""

_KERNEL = "{ ptr, [3 x i32], i32 }"
"""The layout of struct tw_device_kernel in runtime/native/device.h."""


def device_tables(facts: Mapping[str, KernelFacts], kind: str, printer: DevicePrinter) -> str:
    """Return the LLVM IR of the tables of a program.

    facts: the launch of each kernel, by name.  kind: the kind of the target.  printer: the printer
    that has printed main.
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
        "tw_device_driver": f"i32 {[*DRIVERS, kind].index(kind)}",
        "tw_device_has_checks": f"i32 {int(printer.has_checks)}",
        "tw_device_hosts": f"i32 {printer.hosts}",
        "tw_device_is_fixed": f"i32 {int(printer.is_fixed)}",
    }
    blocks = ", ".join(f"i64 {most}" for most in limits_of_kind(kind).blocks)
    lines.append(f"@tw_device_most_blocks = hidden constant [3 x i64] [{blocks}]")
    lines.append(f"@tw_device_kernels = hidden constant {kernels}")
    lines += [f"@{name} = hidden constant {value}" for name, value in numbers.items()]
    return "\n".join([*lines, ""])
