"""Properties of a GPU kernel that all printers of kernels need: launch, buffers, shared memory.

In: a kernel function that simt-map-threads made. Some GPUs allow fewer blocks along y and z than
along x. A grid of dynamic size may have more: a launch then exchanges the first such dimension and
x (`GpuLimits.exchanged`), and the kernel, which knows the sizes, reads its block index accordingly.
The order of blocks has no meaning.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import loop, simt
from ..dialects.dtypes import buffer_bytes
from ..dialects.shape import Dim, dims_of
from ..machines.gpu import STATIC_SHARED_BYTES
from ..support.diagnostics import LoweringError
from .loop_to_llvm.op_emitter import OpEmitter


@dataclass(frozen=True)
class KernelArgument:
    """An argument of a kernel, which is a buffer.

    is_written: whether the kernel stores to the buffer.
    """

    value: SSAValue
    type: MemRefType
    is_written: bool


def required_launch(function: FuncOp) -> simt.LaunchSizes:
    """Return the launch configuration of a kernel.

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


MOST_BLOCKS = 65535
"""The most blocks along a dimension that all devices of Vulkan and WebGPU allow."""


def folds_grid(launch: simt.LaunchSizes) -> bool:
    """Return whether a launch spreads a one-dimensional grid over the dimensions x and y.

    This is so if the grid has, or may have, more than `MOST_BLOCKS` blocks. The kernel then
    computes its block index from the ids along x and y.
    """
    x, *others = (blocks.value for blocks in launch.grid)
    return others == [1, 1] and (x is None or x > MOST_BLOCKS)


@dataclass(frozen=True)
class Exchange:
    """An exchange of dimension y or z of a grid with x, which a launch makes if needed.

    It is needed if y or z has more blocks than the GPU allows there.
    position: 1 for y, 2 for z.  size: the number of blocks along this dimension.  unless: an
    exchange of another dimension that has precedence: a launch makes at most one of the two; None
    if there is no other.
    """

    position: int
    size: Dim
    unless: Exchange | None = None


def exchanges_of(launch: simt.LaunchSizes, most: int) -> list[Exchange]:
    """Return the exchanges that a launch may need, in the order of precedence: y, then z.

    A dimension needs one if its number of blocks is symbolic and may exceed ``most``.
    most: the largest number of blocks that the GPU allows along y and z.
    """
    found: list[Exchange] = []
    for position, size in list(enumerate(launch.grid))[1:]:
        if size.value is None and not Dim.const(most).is_at_least(size):
            found.append(Exchange(position, size, found[-1] if found else None))
    return found


def buffers_of(function: FuncOp) -> Iterator[KernelArgument]:
    """Yield the arguments of a kernel in order.

    Errors: LoweringError for an argument that is not a memref.
    """
    written = {op.mem for op in function.walk() if isinstance(op, loop.StoreOp)}
    for argument in function.body.block.args:
        if not isinstance(argument.type, MemRefType):
            raise LoweringError(
                "kernel arguments are memrefs",
                got=argument.type,
                hint="pass numbers as sizes, or in a buffer",
            )
        yield KernelArgument(argument, argument.type, argument in written)


@dataclass(frozen=True)
class DynamicShared:
    """The shared memory of a kernel that the launch must allocate.

    A kernel can declare only 48 KiB of shared buffers; the launch allocates larger ones.
    offsets: the byte offset of each shared buffer in this memory, by the buffer's alloc.
    size_bytes: the size of this memory; 0 if the kernel declares its shared buffers.  alignment:
    the alignment of its start in bytes.
    """

    offsets: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    size_bytes: int = 0
    alignment: int = 16


_ALIGNMENT, _SWIZZLED_ALIGNMENT = 16, 1024
"""The alignment of shared buffers, and of those that warpgroups read: eight rows of 128 bytes, the
address bits that swizzling uses.  Source: PTX ISA 8.8, section 9.7.15.5.1."""


def shared_alignment(op: loop.AllocOp) -> int:
    """Return the alignment of a shared buffer in bytes."""
    users = (use.operation for use in op.res.uses)
    is_swizzled = any(isinstance(user, simt.MatrixDescriptorOp) for user in users)
    return _SWIZZLED_ALIGNMENT if is_swizzled else _ALIGNMENT


def dynamic_shared(function: FuncOp) -> DynamicShared:
    """Return the layout of the shared memory that the launch of a kernel allocates.

    It is empty if the kernel can declare its shared buffers.
    """
    offsets: dict[Operation, int] = {}
    end, most = 0, _ALIGNMENT
    for op in function.walk():
        if isinstance(op, loop.AllocOp) and op.scope.data == "shared":
            alignment = shared_alignment(op)
            most = max(most, alignment)
            offsets[op] = -(-end // alignment) * alignment
            end = offsets[op] + -(-buffer_bytes(op.res.type) // _ALIGNMENT) * _ALIGNMENT
    return DynamicShared(offsets, end, most) if end > STATIC_SHARED_BYTES else DynamicShared()


def check_serial(op: loop.ForOp) -> None:
    """Check that a loop in the code of one thread is neither parallel nor bound to threads.

    Errors: LoweringError for another kind of loop.
    """
    if op.thread or op.kind.data != "serial":
        raise LoweringError(
            "a thread of a GPU runs serial loops only",
            got=op.thread.data if op.thread else "a parallel loop",
            hint="run the passes of map-threads first",
        ).at(op)


@contextmanager
def errors_name(function: FuncOp) -> Generator[None]:
    """Add the name of a kernel to each LoweringError that the ``with`` block raises.

    The name precedes the location in the message.
    """
    try:
        yield
    except LoweringError as err:
        place = filter(None, (f"@{function.sym_name.data}", err.where))
        raise err.placed(": ".join(place)) from None


def has_one_guard(e: OpEmitter, op: loop.LoadOp, lanes: int) -> bool:
    """Return whether all lanes of a padded load are inside the buffer, or all are outside.

    Then one condition guards the whole load. The result is also true for a load without padding,
    which needs no guard.
    lanes: the number of adjacent elements that the load reads.
    """
    if op.pad is None or lanes == 1:
        return True
    *_, last = e.indices(op)
    size = dims_of(cast(MemRefType, op.mem.type))[-1]
    low, high = last.range(e.range_of)
    is_inside = size.value is not None and low >= 0 and high + lanes <= size.value
    return is_inside or loop.are_together(last, size, lanes)
