"""What the printers of GPU kernels read from a function of the simt level.

In: a kernel function that simt-map-threads made. Out: its launch, and its buffers with what the
kernel does to them. Every printer (simt_to_c/, simt_to_llvm/) begins with them.

Some GPUs allow fewer blocks along y and z than along x. A grid of open sizes may have more: a
launch then exchanges the first such dimension and x (`GpuLimits.exchanged`), and the kernel, which
knows the sizes, reads the index of its block accordingly. The order of blocks has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects import loop, simt
from ..dialects.shape import Dim
from ..support.diagnostics import LoweringError


@dataclass(frozen=True)
class Buffer:
    """An argument of a kernel, its type, and whether the kernel stores into it."""

    value: SSAValue
    type: MemRefType
    is_written: bool


def required_launch(function: FuncOp) -> simt.Launch:
    """Return the launch of a kernel.

    Errors: LoweringError for a function without one.
    """
    launch = simt.launch_of(function)
    if launch is None:
        raise LoweringError(
            "a kernel of a GPU has a launch",
            expected=simt.LAUNCH,
            got=f"@{function.sym_name.data} without it",
            hint="run the passes of map-threads first",
        ).at(function)
    return launch


@dataclass(frozen=True)
class Exchange:
    """A dimension of a grid that changes places with x if its size is beyond a limit.

    unless: another one that goes before it.
    """

    position: int
    size: Dim
    unless: Exchange | None = None


def exchanges_of(launch: simt.Launch, most: int) -> list[Exchange]:
    """Return the dimensions, y before z, of which more than ``most`` blocks may be needed."""
    found: list[Exchange] = []
    for position, size in list(enumerate(launch.grid))[1:]:
        if size.value is None and not Dim.const(most).is_at_least(size):
            found.append(Exchange(position, size, found[-1] if found else None))
    return found


def buffers_of(function: FuncOp) -> Iterator[Buffer]:
    """Yield the arguments of a kernel in order.

    Errors: LoweringError for an argument that is no memref.
    """
    written = {op.mem for op in function.walk() if isinstance(op, loop.StoreOp)}
    for argument in function.body.block.args:
        if not isinstance(argument.type, MemRefType):
            raise LoweringError(
                "kernel arguments are memrefs",
                got=argument.type,
                hint="pass numbers as sizes, or in a buffer",
            )
        yield Buffer(argument, argument.type, argument in written)


__all__ = ["Buffer", "buffers_of", "required_launch"]
