"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from rich.markup import escape
from rich.table import Table

from ..runtime.display import byte_text
from .tensors import Array, Summary

if TYPE_CHECKING:
    from ..codegen.ptx import Resources
    from .compilation import ReadyModel


def tensor_table(title: str, tensors: Mapping[str, Array]) -> Table:
    """Return a table of names, types and value ranges."""
    table = Table("name", "type", "values", title=title)
    for name, array in tensors.items():
        table.add_row(
            escape(name), escape(f"{array.dtype}{list(array.shape)}"), str(Summary.of(array))
        )
    return table


class Kernel(Protocol):
    """What a table shows of a kernel."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def ops(self) -> Sequence[str]:
        """The names of its parts."""
        ...

    @property
    def flops(self) -> int:
        """Operations of one call."""
        ...

    @property
    def moved_bytes(self) -> int:
        """The bytes of the buffers of one call."""
        ...

    @property
    def tasks(self) -> int | str:
        """Parallel parts."""
        ...

    @property
    def calls(self) -> int:
        """Calls in a run."""
        ...

    @property
    def plan(self) -> str:
        """The origin of its schedule."""
        ...


def kernel_table(
    kernels: Sequence[Kernel],
    resources: Mapping[str, Resources] | None = None,
    *,
    is_open: bool = False,
) -> Table:
    """Return a table of kernels, most arithmetic first.

    resources: what each uses of a device, by name.  is_open: whether the code is for all sizes, so
    that operations and bytes are those of likely ones.
    """
    title = "kernels; MFLOP and KB: for likely sizes" if is_open else "kernels"
    table = Table("kernel", "made of", title=title)
    for column in ("MFLOP", "KB", "tasks", "calls"):
        table.add_column(column, justify="right")
    shows_plan = any(kernel.plan != "chosen" for kernel in kernels)
    if shows_plan:
        table.add_column("plan")
    for column in ("registers", "spilled", "shared") if resources else ():
        table.add_column(column, justify="right")
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
    """Return a list of names in which neighbors of one name are one entry: ``halo ×4``."""
    runs = [(name, len([*same])) for name, same in groupby(names)]
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in runs)


def compile_text(ready: ReadyModel) -> str:
    """Return how long a model took to be ready, and where its code came from."""
    if ready.is_exported:
        return f"loaded in {1e3 * ready.ready_s:.0f} ms"
    source = " (from the cache)" if ready.origin == "cached" else ""
    return f"compiled in {ready.ready_s:.2f} s{source}"


def flops_text(flops: float) -> str:
    """Format a number of operations for a reader."""
    for unit, scale in (("GFLOP", 1e9), ("MFLOP", 1e6), ("kFLOP", 1e3)):
        if flops >= scale:
            return f"{flops / scale:.3g} {unit}"
    return f"{flops:.0f} FLOP"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"
