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


class DevicePrinter(LlvmPrinter):
    """The printer of main for the host of a GPU.

    is_fixed: whether all calls queue the same work, because main reads no element of a buffer and
    has no symbolic sizes.
    """

    def __init__(self, platform: Platform) -> None:
        super().__init__(platform)
        self.is_fixed, self._has_symbols = True, False
        self._checks_of_inputs: list[str] = []
        self._numbers = self._buffers = 1

    # ---- memory

    def copy(self, target: Value, source: Value, size: Value) -> None:
        self.declarations.add(_COPY)
        self._checked(f"@tw_device_copy(ptr %device, ptr {target}, ptr {source}, i64 {size})")

    def load_number(self, address: Value) -> Value:
        self._read(address, 8)
        return super().load_number("%cell")

    def store_number(self, address: Value, value: Value) -> None:
        self.is_fixed = False
        self.declarations.add(_WRITE)
        super().store_number("%cell", value)
        self._checked(f"@tw_device_write(ptr %device, ptr {address}, ptr %cell, i64 8)")

    def load_condition(self, address: Value) -> Value:
        self._read(address, 1)
        return super().load_condition("%cell")

    def size(self, position: int) -> Value:
        return super().load_number(self.sizes(position))

    def _read(self, address: Value, size_bytes: int) -> None:
        """Print a copy of one element from the device to a stack variable of the host.

        The copy waits for all queued work.
        """
        self.is_fixed = False
        self.declarations.add(_READ)
        arguments = f"ptr %device, ptr %cell, ptr {address}, i64 {size_bytes}"
        self._checked(f"@tw_device_read({arguments})")

    def fetch(self, number: int, address: Value, size: Value) -> Value:
        """Return the host address of a copy of a buffer, after all queued work.

        number: 0 or 1; the copy lives until the next one with this number.  size: bytes.
        """
        self.is_fixed = False
        self.declarations.add(_FETCH)
        arguments = f"ptr %device, i32 {number}, ptr {address}, i64 {size}"
        host = self.emit(f"call ptr @tw_device_fetch({arguments})")
        self._end_if(self.emit(f"icmp eq ptr {host}, null"), "-1")
        return host

    # ---- calls

    def launch_kernel(
        self, number: int, sizes: Sequence[Value], grid: Sequence[Value], numbers: Sequence[Value]
    ) -> None:
        """Print a launch of a kernel with the buffers in the array of arguments.

        number: the position of the kernel in the table of kernels. sizes: bytes of each buffer.
        grid: the blocks along x, y and z; no launch if one is 0. numbers: the integers behind the
        buffers.
        """
        self.declarations.add(_LAUNCH)
        given = (*grid, *numbers)
        self._buffers = max(self._buffers, len(sizes))
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
        """Print the copies of a concat, whose table and buffers are in the array of arguments."""
        self.declarations.add(_CONCAT)
        self._checked(f"@tw_device_concat(ptr %device, ptr %args, i64 {operands})")

    @contextmanager
    def checking_inputs(self) -> Generator[None]:
        """Print into the function that checks the inputs, which are in host memory."""
        main, label = self.lines, self._label
        self.lines = self._checks_of_inputs
        yield
        self.lines, self._label = main, label

    # ---- the module

    @property
    def most_buffers(self) -> int:
        """The largest number of buffers of a launch."""
        return self._buffers

    def module(self, version: int | None) -> str:
        self.is_fixed = self.is_fixed and not self._has_symbols
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

    def take_sizes(self, entries: Sequence[str]) -> None:
        self._has_symbols = True
        super().take_sizes(entries)

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
        check = [" %check = alloca %check, align 8"] if self._has_sized_check else []
        return [
            f" %args = alloca [{self._pointers} x ptr], align 16",
            f" %bytes = alloca [{self._buffers} x i64], align 16",
            f" %numbers = alloca [{self._numbers} x i64], align 16",
            " %cell = alloca i64, align 8",
            *check,
        ]


__all__ = ["DevicePrinter"]
