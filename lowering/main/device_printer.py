"""Main as LLVM IR for the host of a GPU: buffers are device memory, and main queues its work.

    printer.copy(%y, %x, 16)   =>   call i32 @tw_device_copy(ptr %device, ptr %y, ptr %x, i64 16)

In: calls of the methods of a `MainPrinter`, and of the methods that only this printer has.  Out: a
printed LLVM module that defines, for runtime/native/device.h,

    define hidden i32 @tw_device_main(ptr %data, ptr %arena, ptr %device)
    define hidden i32 @tw_device_check(ptr %data)
    define hidden i32 @tw_derive(ptr %sizes, i32 %stage)

An address is a number that the host never reads at: elements that main needs, for a condition or a
trip count, are copied to the host first.  The indices in inputs are checked before the inputs are
copied to the device: `tw_device_check` reads them in host memory.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ...machines.platforms import Platform
from .llvm_printer import LlvmPrinter
from .printer import Value

_LAUNCH = "declare hidden i32 @tw_device_launch(ptr, i32, ptr, ptr, i32, ptr, i32)"
_COPY = "declare hidden i32 @tw_device_copy(ptr, ptr, ptr, i64)"
_CONCAT = "declare hidden i32 @tw_device_concat(ptr, ptr, i64)"
_READ = "declare hidden i32 @tw_device_read(ptr, ptr, ptr, i64)"
_WRITE = "declare hidden i32 @tw_device_write(ptr, ptr, ptr, i64)"
_FETCH = "declare hidden ptr @tw_device_fetch(ptr, i32, ptr, i64)"
_HOST = "declare hidden ptr @tw_device_host(ptr, i32, i64)"
_BIND = "declare hidden ptr @tw_device_bind(ptr, ptr, i32, i64)"
_FETCHES = 2
"""The numbers of host buffers that `DevicePrinter.fetch` takes."""


class DevicePrinter(LlvmPrinter):
    """A printer of main, the host function of a program, for the host of a GPU.

    is_fixed: whether main queues the same work in all calls with equal addresses and sizes; it does
    if it reads no element of a buffer.
    most_buffers: the largest number of buffers that a launch passes.
    hosts: the number of buffers that main keeps in memory of the host.
    """

    def __init__(self, platform: Platform) -> None:
        super().__init__(platform)
        self.is_fixed = True
        self.most_buffers, self.hosts = 1, _FETCHES
        self._checks_of_inputs: list[str] = []
        self._numbers = 1

    @property
    def has_checks(self) -> bool:
        """Whether the module has a function that checks indices in the inputs of main."""
        return bool(self._checks_of_inputs)

    # ---- memory

    def copy(self, target: Value, source: Value, size: Value) -> None:
        self.declarations.add(_COPY)
        self._checked(f"@tw_device_copy(ptr %device, ptr {target}, ptr {source}, i64 {size})")

    def load_number(self, address: Value) -> Value:
        self._read(address, 8)
        return super().load_number("%cell")

    def store_number(self, address: Value, value: Value) -> None:
        super().store_number("%cell", value)
        self.write(address, "%cell", "8")

    def load_condition(self, address: Value) -> Value:
        self._read(address, 1)
        return super().load_condition("%cell")

    def load_element(self, address: Value, position: int) -> Value:
        return self.load_number(self.within(address, 8 * position))

    def size(self, position: int) -> Value:
        return super().load_number(self.sizes(position))

    def host_buffer(self, size: Value) -> Value:
        """Print the allocation of a buffer on the host; return its address.

        size: the size in bytes.
        """
        self.is_fixed = False
        self.declarations.add(_HOST)
        arguments = f"ptr %device, i32 {self.hosts}, i64 {size}"
        self.hosts += 1
        return self._not_null(self.emit(f"call ptr @tw_device_host({arguments})"))

    def read(self, host: Value, address: Value, size: Value) -> None:
        """Print a copy from the device to the host, which waits for all queued work.

        host: the target address on the host.  address: the source address on the device.  size: the
        number of bytes.
        """
        self.is_fixed = False
        self.declarations.add(_READ)
        self._checked(f"@tw_device_read(ptr %device, ptr {host}, ptr {address}, i64 {size})")

    def write(self, address: Value, host: Value, size: Value) -> None:
        """Print a copy from the host to the device, which waits for all queued work.

        address: the target address on the device.  host: the source address on the host.  size: the
        number of bytes.
        """
        self.is_fixed = False
        self.declarations.add(_WRITE)
        self._checked(f"@tw_device_write(ptr %device, ptr {address}, ptr {host}, i64 {size})")

    def bind(self, stage: int, value: Value) -> None:
        self.declarations.add(_BIND)
        block = self.block_name(stage)
        arguments = f"ptr %device, ptr %data, i32 {stage}, i64 {value}"
        self._line(f"{block} = call ptr @tw_device_bind({arguments})")
        self._not_null(block)

    def _not_null(self, address: Value) -> Value:
        self._end_if(self.emit(f"icmp eq ptr {address}, null"), "-1")
        return address

    def _read(self, address: Value, size_bytes: int) -> None:
        """Print a copy of one element from the device to ``%cell``, a variable on the stack.

        The copy waits for all queued work.
        """
        self.read("%cell", address, str(size_bytes))

    def fetch(self, number: int, address: Value, size: Value) -> Value:
        """Print a copy of a buffer to the host; return the address of the copy.

        The copy waits for all queued work.
        number: 0 or 1; the copy lives until the next copy with the same number.  address: the
        address of the buffer on the device.  size: the number of bytes.
        """
        self.is_fixed = False
        self.declarations.add(_FETCH)
        arguments = f"ptr %device, i32 {number}, ptr {address}, i64 {size}"
        return self._not_null(self.emit(f"call ptr @tw_device_fetch({arguments})"))

    # ---- calls

    def launch_kernel(
        self, number: int, sizes: Sequence[Value], grid: Sequence[Value], numbers: Sequence[Value]
    ) -> None:
        """Print the launch of a kernel, to which the buffers in the array of arguments are passed.

        number: the position of the kernel in the table of kernels.
        sizes: the size of each buffer in bytes.
        grid: the number of blocks along x, y and z; if one is 0, nothing is launched.
        numbers: the integer arguments, which follow the buffers.
        """
        self.declarations.add(_LAUNCH)
        given = (*grid, *numbers)
        self.most_buffers = max(self.most_buffers, len(sizes))
        self._numbers = max(self._numbers, len(given))
        for array, values in (("%bytes", sizes), ("%numbers", given)):
            for position, value in enumerate(values):
                super().store_number(self._entry(array, position), value)
        arguments = (
            f"ptr %device, i32 {number}, ptr %args, ptr %bytes, i32 {len(sizes)}, "
            f"ptr %numbers, i32 {len(given)}"
        )
        self._checked(f"@tw_device_launch({arguments})")

    def device_concat(self, operands: int) -> None:
        """Print the copies of a concat's operands within the device.

        The array of arguments holds the result, the table of the concat and the operands.
        operands: the number of operands.
        """
        self.declarations.add(_CONCAT)
        self._checked(f"@tw_device_concat(ptr %device, ptr %args, i64 {operands})")

    @contextmanager
    def checking_inputs(self) -> Generator[None]:
        """Print the code of the ``with`` block into the function that checks inputs."""
        main, label = self.lines, self.label
        self.lines = self._checks_of_inputs
        yield
        self.lines, self.label = main, label

    # ---- the module

    def module(self, version: int | None) -> str:
        checks = [
            "define hidden i32 @tw_device_check(ptr %data) nounwind {",
            "entry:",
            *([" %check = alloca %check, align 8"] if self._has_sized_check else []),
            *self._sizes,
            *self._checks_of_inputs,
            " ret i32 0",
            "}",
            "",
        ]
        return "\n".join([super().module(version), *checks])

    def _head(self, suffix: str) -> str:
        return f"@tw_device_main{suffix}(ptr %data, ptr %arena, ptr %device)"

    def _globals(self) -> list[str]:
        return []

    def _launches(self) -> list[str]:
        return []

    def _weights(self) -> str:
        return self._weights_of("%device")

    def _definitions(self) -> list[str]:
        return [*super()._definitions(), *self._concats]

    def _allocations(self) -> list[str]:
        return [
            f" %args = alloca [{self._pointers} x ptr], align 16",
            f" %bytes = alloca [{self.most_buffers} x i64], align 16",
            f" %numbers = alloca [{self._numbers} x i64], align 16",
            " %cell = alloca i64, align 8",
            *self._extern_tables(),
        ]
