"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from .tensors import Array, summary

if TYPE_CHECKING:
    from ..driver.compile import KernelRecord


def tensor_table(title: str, tensors: Mapping[str, Array]) -> Table:
    """Return names, types and the range of the values."""
    table = Table("name", "type", "values", title=title)
    for name, array in tensors.items():
        table.add_row(escape(name), escape(f"{array.dtype}{list(array.shape)}"), summary(array))
    return table


def kernel_table(kernels: Sequence[KernelRecord]) -> Table:
    """Return what each kernel does, the one with the most arithmetic first."""
    table = Table("kernel", "made of", title="kernels")
    for column in ("MFLOP", "tasks", "calls"):
        table.add_column(column, justify="right")
    for kernel in sorted(kernels, key=lambda k: -k.flops * k.calls):
        mflop = f"{1e-6 * kernel.flops:.2f}"
        table.add_row(
            kernel.name, ", ".join(kernel.ops), mflop, str(kernel.tasks), str(kernel.calls)
        )
    return table


def byte_text(size_bytes: float) -> str:
    """Return a size for people to read."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if size_bytes < 1000:
            return f"{size_bytes:.0f} {unit}" if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} TB"
