"""Lower the ops of a main whose buffers are memory of a GPU: queue launches and copies.

In: the ops of main, with planned buffers, and the launch of each kernel.  Out: calls of the methods
of a `DevicePrinter` (device_printer.py).  Control flow, sizes and addresses are those of
packed_to_main.py; a call of a kernel is a launch of its grid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.dtypes import buffer_size
from ...dialects.functions import ARENA_BYTES, recorded_bytes
from ...dialects.packed import AllocOp, CallOp, CheckIndicesOp, ConcatOp, CopyOp, SectionsOp
from ...dialects.packed.arena import aligned
from ...dialects.shape import Dim, Extent, extent_of
from ...dialects.weights import WeightAttr
from .device_printer import DevicePrinter
from .index_checks import check_indices
from .main_program import MainProgram, printed_main
from .packed_to_main import MainLowering
from .places import Places
from .printer import Value
from .size_table import SizeTable


@dataclass(frozen=True)
class DeviceKernel:
    """How main launches a kernel on a GPU.

    number: the position of the kernel in the table of kernels.
    sizes: the names of the kernel's size parameters.
    grid: the number of blocks along x, y and z, as expressions of the size parameters.
    numbers: the integer arguments of the launch, as expressions of the size parameters.
    """

    number: int
    sizes: tuple[str, ...]
    grid: tuple[Dim, Dim, Dim]
    numbers: tuple[Dim, ...]


def _is_host(value: SSAValue) -> bool:
    return isinstance(value.owner, AllocOp) and value.owner.is_host


@dataclass(frozen=True)
class _HostCopies:
    """The printed values for an index check that runs on copies of its buffers on the host.

    lowering: prints sizes.
    addresses: the host address of the copy of each buffer.
    """

    lowering: DeviceMain
    addresses: Mapping[SSAValue, Value]

    def name(self, value: SSAValue) -> Value:
        return self.addresses[value]

    def size(self, extent: Extent) -> Value:
        return self.lowering.size(extent)

    def sizes(self, sizes: Sequence[Extent]) -> Value:
        return self.lowering.sizes(sizes)


class DeviceMain(MainLowering):
    """The lowering of one main, the host function of a program, for a GPU.

    kernels: how to launch each kernel, by the kernel's name.
    """

    def __init__(
        self,
        kernels: Mapping[str, DeviceKernel],
        places: Places,
        table: SizeTable,
        printer: DevicePrinter,
    ) -> None:
        super().__init__({}, places, table, printer, max_threads=1, trace=None)
        self._kernels, self._device = kernels, printer

    def alloc(self, op: AllocOp) -> None:
        """Lower packed.alloc to an address in the device's arena, or to a buffer on the host."""
        if op.is_host:
            self.places.set([op.res], [self._device.host_buffer(self._bytes(op.res))])
        else:
            super().alloc(op)

    def copy(self, op: CopyOp) -> None:
        """Lower packed.copy to a copy within the device, to the host, or from the host."""
        source, target = op.source, op.target
        if _is_host(target):
            self._device.read(self.name(target), self.name(source), self._bytes(source))
        elif _is_host(source):
            self._device.write(self.name(target), self.name(source), self._bytes(source))
        else:
            super().copy(op)

    def call(self, op: CallOp) -> None:
        """Lower packed.call to a launch of the kernel.

        If the call has a condition and it does not hold, the grid has no blocks.
        """
        kernel = self._kernels[op.kernel_name]
        given = dict(zip(kernel.sizes, op.sizes, strict=True))
        x, y, z = (blocks.substitute(given) for blocks in kernel.grid)
        if extent_of(x * op.condition) == 0:
            return
        self.printer.store_arguments([self.name(value) for value in op.arguments], 0)
        grid = [self._number(dim) for dim in (x * op.condition, y, z)]
        numbers = [self._number(dim.substitute(given)) for dim in kernel.numbers]
        sizes = [self._bytes(value) for value in op.arguments]
        self._device.launch_kernel(kernel.number, sizes, grid, numbers)

    def sections(self, op: SectionsOp) -> None:
        """Lower packed.sections, a group of independent calls, to one launch per call."""
        for call in op.calls:
            self.call(call)

    def check_indices(self, op: CheckIndicesOp) -> None:
        """Lower packed.check_indices to a check in host memory.

        The check reads an input, or a copy of the buffer on the host.
        """
        if self._is_checked_first(op):
            with self._device.checking_inputs():
                check_indices(op, self, self.printer)
            return
        buffers = (op.x,) if op.bounds is None else (op.x, op.bounds)
        copies = {
            value: self._device.fetch(number, self.name(value), self._bytes(value))
            for number, value in enumerate(buffers)
        }
        check_indices(op, _HostCopies(self, copies), self.printer)

    def _is_checked_first(self, op: CheckIndicesOp) -> bool:
        """Return whether an index check can run before inputs are copied to the device.

        The checked buffer must be an input, and the sizes that bound the indices must be known at
        the start.
        """
        dims = [Dim.of(size) for size in op.sizes]
        is_known = all(not self.table.stage(d) and self.table.iteration(d) is None for d in dims)
        is_always = isinstance(op.parent_op(), FuncOp)
        return op.bounds is None and self.places.is_argument(op.x) and is_known and is_always

    def run_concat(self, op: ConcatOp, tasks: Extent) -> None:
        """Print the copies of the operands of a concat, which run on the device.

        tasks: unused, because the device does not divide the concat into tasks.
        """
        self._device.device_concat(len(op.xs))

    def _number(self, dim: Dim) -> Value:
        return self.size(extent_of(dim))

    def _bytes(self, value: SSAValue) -> Value:
        return self.size(buffer_size(cast("MemRefType", value.type)))


def emit_device_main(
    main: FuncOp,
    kernels: Mapping[str, DeviceKernel],
    weight_offsets: Mapping[WeightAttr, int],
    printer: DevicePrinter,
) -> MainProgram:
    """Return the printed module that defines main, the host function of a program, for a GPU.

    main: the function, with planned buffers.
    kernels: how to launch each kernel, by the kernel's name.
    weight_offsets: the byte offset of each weight.
    printer: a new printer, which prints only this module.
    Errors: LoweringError for an op that main cannot have.
    """
    table = SizeTable(main, aligned(recorded_bytes(main, ARENA_BYTES)))
    places = Places(main.body.block.args, weight_offsets, printer)
    return printed_main(main, DeviceMain(kernels, places, table, printer))
