"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from ..runtime.display import byte_text
from .tensors import Array, Summary
from .terminal import numbers

if TYPE_CHECKING:
    from ..codegen.resources import Resources
    from ..runtime.module.inspection import KernelReport
    from ..targets.backend import KernelRecord
    from .compilation import ReadyModel


def tensor_table(title: str, tensors: Mapping[str, Array]) -> Table:
    """Return a table of tensors, with the name, the type and the range of values of each.

    title: the title of the table.  tensors: the tensors by name.
    """
    table = Table("name", "type", "values", title=title)
    for name, array in tensors.items():
        table.add_row(
            escape(name), escape(f"{array.dtype}{list(array.shape)}"), str(Summary.of(array))
        )
    return table


def kernel_table(
    kernels: Sequence[KernelRecord | KernelReport],
    resources: Mapping[str, Resources] | None = None,
    *,
    is_dynamic: bool = False,
) -> Table:
    """Return a table of kernels, the kernel with the most arithmetic first.

    resources: the GPU resources that each kernel uses, by name.  is_dynamic: whether sizes are
    dynamic, so that operations and bytes are computed for likely sizes.
    """
    title = "kernels; MFLOP and KB: for likely sizes" if is_dynamic else "kernels"
    shows_plan = any(kernel.plan != "chosen" for kernel in kernels)
    columns = ["kernel", "made of", *numbers("MFLOP", "KB", "tasks", "calls")]
    columns += [*["plan"] * shows_plan]
    columns += numbers("registers", "spilled", "shared") if resources else []
    table = Table(*columns, title=title)
    for kernel in sorted(kernels, key=lambda k: -k.flops * k.calls):
        row = [kernel.name, counted_names(kernel.ops), f"{1e-6 * kernel.flops:.2f}"]
        row.append(f"{1e-3 * kernel.moved_bytes:.1f}")
        row += [str(kernel.tasks), str(kernel.calls), *[kernel.plan] * shows_plan]
        if resources:
            used = resources[kernel.name]
            row += [str(used.registers), byte_text(used.spill_bytes), byte_text(used.shared_bytes)]
        table.add_row(*row)
    return table


def counted_names(names: Sequence[str]) -> str:
    """Return a list of names, in which equal successive names are one item: ``halo ×4``."""
    runs = [(name, len([*same])) for name, same in groupby(names)]
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in runs)


def compile_text(ready: ReadyModel) -> str:
    """Return a phrase with the time of compiling or loading a model, such as ``loaded in 3 ms``."""
    if ready.is_exported:
        return f"loaded in {1e3 * ready.ready_s:.0f} ms"
    source = " (from the cache)" if ready.origin == "cached" else ""
    return f"compiled in {ready.ready_s:.2f} s{source}"


def flops_text(flops: float) -> str:
    """Return a number of operations with a unit, such as ``1.5 MFLOP``."""
    for unit, scale in (("GFLOP", 1e9), ("MFLOP", 1e6), ("kFLOP", 1e3)):
        if flops >= scale:
            return f"{flops / scale:.3g} {unit}"
    return f"{flops:.0f} FLOP"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as ``1 file`` or ``2 entries``.

    one: the singular.  many: the plural; by default, the singular with an s.
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


BARS, CURVE = "▁▂▃▄▅▆▇█", 16
"""The characters of a curve from low to high, and the most characters of a curve."""

FLAT = 0.01
"""The least difference that a character of a curve stands for."""


def sparkline(values: Sequence[float]) -> str:
    """Return a curve of numbers as characters, each the last of equally many numbers.

    The curve is low if the numbers differ by less than `FLAT`.
    """
    count = min(CURVE, len(values))
    shown = [values[(n + 1) * len(values) // count - 1] for n in range(count)]
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    scale = (len(BARS) - 1) / max(high - low, len(BARS) * FLAT)
    return "".join(BARS[round((value - low) * scale)] for value in shown)
