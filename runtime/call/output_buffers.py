"""Memory for the arguments and the outputs of calls, and its reuse by later calls."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import addressof
from itertools import count
from math import prod
from typing import Any

import numpy as np

from ..abi.constants import DTYPES, AllocateCFunction, DeviceType, DLTensor, TypeIndex, Value
from ..abi.ndarray import OUTPUT_ALIGNMENT_BYTES, Array, numpy_dtype
from ..file.manifest import TensorSpec

TENSOR_WORDS = ctypes.sizeof(DLTensor) // 8
_ROW_MAJOR, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400  # numpy's flag bits
_REUSED_BYTES = 128 << 10
"""Arrays of at least this size reuse memory, as in native/python.c."""
_MOST_SPARE = 1 << 20
"""The most bytes that are added for later calls with larger sizes, as in native/python.c."""
KEPT_MEMORIES = 2
"""The number of memories per output kept for reuse: a caller often holds the result of one call."""


class CheckedShape:
    """The shape and dtype that an argument of a call must have.

    An argument must also be row-major and aligned; an output must be writable.
    """

    __slots__ = ("dtype", "flags", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], *, is_output: bool) -> None:
        self.shape, self.dtype = shape, dtype
        self.flags = _ROW_MAJOR | _ALIGNED | (_WRITEABLE if is_output else 0)

    def fits(self, array: Array) -> bool:
        """Return whether compiled code can use an array without a copy."""
        return (
            array.dtype is self.dtype
            and array.shape == self.shape
            and array.flags.num & self.flags == self.flags
        )


def _array_on(
    memory: Array, shape: tuple[int, ...], dtype: np.dtype[Any], read: Callable[[Array], int]
) -> tuple[Array, int]:
    """Return an array on ``memory``, and its address, which is a multiple of 64.

    read: a function that returns the address of an array; see `address_reader`.
    """
    start = read(memory)
    offset = -start % OUTPUT_ALIGNMENT_BYTES
    return np.ndarray(shape, dtype, memory, offset), start + offset


def _references(table: Array, output: int, place: int) -> int:
    """Return Python's reference count of one block of memory in the table of an `OutputMemory`.

    output, place: the row and the column of the block. The count includes the references of this
    function, which `_references_of_table` measures.
    """
    entry = table[output, place]
    return sys.getrefcount(entry)


def _references_of_table() -> int:
    """Return the reference count of a block that only the table of `OutputMemory` refers to.

    Return 0 if Python does not count references exactly; memory is then not reused.
    """
    if not hasattr(sys, "getrefcount") or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return 0
    table = np.full((1, 1), None, object)
    table[0, 0] = np.empty(1, np.uint8)
    return _references(table, 0, 0)


class OutputMemory:
    """Blocks of memory for the large outputs of a module, which outputs of later calls reuse.

    Without reuse, page faults in new memory take a tenth of the time of a run that writes 10 MB. An
    array and its views refer to their block, so a block is free when only the table refers to it.

    read: a function that returns the address of an array.  table: for each output two blocks,
    arrays of bytes, or None in place of a block; native/python.c also reads and writes the table.
    """

    def __init__(self, outputs: int, read: Callable[[Array], int]) -> None:
        self.table = np.full((max(1, outputs), KEPT_MEMORIES), None, object)
        self._read = read
        self._free = _references_of_table()

    def empty(self, output: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Array, int]:
        """Return an uninitialized array for an output, and its address, aligned to 64 bytes.

        output: the position of the output among the outputs of the module.
        """
        size = prod(shape) * dtype.itemsize + OUTPUT_ALIGNMENT_BYTES
        memory = np.empty(size, np.uint8) if size < _REUSED_BYTES else self._large(output, size)
        return _array_on(memory, shape, dtype, self._read)

    def _large(self, output: int, size: int) -> Array:
        """Return a free block of at least ``size`` bytes for an output, or else a new block."""
        replaced = 0
        for place in range(KEPT_MEMORIES):
            memory = self.table[output, place]
            if memory is None:
                replaced = place
            elif _references(self.table, output, place) == self._free + 1:  # one is `memory`
                if len(memory) >= size:
                    return memory
                replaced = place
        made = self.table[output, replaced] = np.empty(size + min(size // 4, _MOST_SPARE), np.uint8)
        return made


class Allocator:
    """A C function that compiled code calls to allocate the outputs of a call.

    Its argument ``context`` is a number that identifies the call.

    address: the address of the function, a tw_allocate of native/entry.h.
    """

    def __init__(self, outputs: Sequence[TensorSpec], memory: OutputMemory) -> None:
        self._outputs = [(len(spec.shape), numpy_dtype(spec.dtype)) for spec in outputs]
        self._memory = memory
        self._contexts = count(1)
        self._made: dict[int, dict[int, Array]] = {}
        self._function = AllocateCFunction(self._allocate)
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def begin(self) -> int:
        """Register a new call; return the number to pass as its ``context``."""
        context = next(self._contexts)
        self._made[context] = {}
        return context

    def end(self, context: int) -> list[Array]:
        """Forget a call; return its outputs in order, fewer than all if the call failed."""
        made = self._made.pop(context)
        return [made[number] for number in sorted(made)]

    def _allocate(self, context: int, output: int, sizes: Any) -> int | None:
        rank, dtype = self._outputs[output]
        try:
            array, address = self._memory.empty(output, tuple(sizes[:rank]), dtype)
        except (MemoryError, ValueError):  # numpy's error for more bytes than addresses
            return None
        self._made[context][output] = array
        return address


class Frame:
    """The argument memory of one call in progress: the thread count, then a DLTensor per array.

    Calls write only the thread count, the shapes and the data addresses; all other fields are
    written once.

    first: the number of arguments before the first tensor.  words: the memory of all tensors as
    64-bit words; the first word of each tensor is its data address.  threads: the thread count.
    arguments: the address of the first argument.  tensors: the address of the first argument that
    is a tensor. result: the address of the result.
    """

    def __init__(self, specs: Sequence[TensorSpec], first: int = 1) -> None:
        number = len(specs)
        self._tensors = (DLTensor * max(1, number))()
        self._values = (Value * (number + first))()
        self._shape: Sequence[int] = ()
        self._sizes = (ctypes.c_int64 * sum(len(spec.shape) for spec in specs))()
        at = addressof(self._sizes)
        for index, spec in enumerate(specs):
            tensor, value = self._tensors[index], self._values[index + first]
            tensor.device.kind = DeviceType.CPU
            tensor.ndim = len(spec.shape)
            tensor.dtype.code, tensor.dtype.bits = DTYPES[spec.dtype]
            tensor.dtype.lanes = 1
            tensor.shape = at
            value.type_index = TypeIndex.TENSOR_PTR
            value.payload.pointer = addressof(tensor)
            at += 8 * len(spec.shape)
        self._values[0].type_index = TypeIndex.INT
        self._result = Value()
        words = ctypes.c_uint64 * (TENSOR_WORDS * max(1, number))
        # The data address is the first word of each tensor.
        self.words = words.from_buffer(self._tensors)
        self.threads = ctypes.c_int64.from_buffer(self._values, Value.payload.offset)
        self.arguments = addressof(self._values)
        self.tensors = self.arguments + ctypes.sizeof(Value) * first
        self.result = addressof(self._result)

    def take(self, sizes: Sequence[int]) -> None:
        """Write the shapes of all tensors to the frame.

        Do nothing if ``sizes`` is the same object as in the previous call.

        sizes: the shapes of all tensors, concatenated.
        """
        if sizes is not self._shape:
            self._sizes[:] = sizes
            self._shape = sizes


class AllocatingFrame(Frame):
    """The argument memory of a call that gets the memory of its outputs from a C function.

    allocate: the address of the C function, see `Allocator`.
    """

    def __init__(self, inputs: Sequence[TensorSpec], allocate: int) -> None:
        super().__init__(inputs, first=3)
        for position in (1, 2):
            self._values[position].type_index = TypeIndex.OPAQUE_PTR
        self._values[1].payload.pointer = allocate

    def use(self, context: int) -> None:
        """Set the number that identifies the call to the C function; see `Allocator.begin`."""
        self._values[2].payload.pointer = context


class ShapeFrame(Frame):
    """The argument memory of a call that computes the shapes of outputs from the shapes of inputs.

    count: the number of sizes of all outputs.  found: the array to which the call writes them.
    """

    def __init__(self, inputs: Sequence[TensorSpec], count: int) -> None:
        super().__init__((*inputs, TensorSpec("shapes", (count,), "int64")))
        self.found = (ctypes.c_int64 * count)()
        # Only the shapes of the inputs are read; the data address may be any address except null.
        for index in range(len(inputs) + 1):
            self.words[index * TENSOR_WORDS] = addressof(self.found)


class CallShapes:
    """The shapes of all arguments of a call; later calls with the same shapes reuse this object.

    key: the shapes of the passed arguments, under which the module stores this object; None: it is
    not stored.  sizes: the sizes of all shapes, concatenated. rows: the required shape and dtype of
    each argument.
    """

    __slots__ = ("key", "rows", "sizes")

    def __init__(
        self,
        shapes: Sequence[tuple[int, ...]],
        dtypes: Sequence[np.dtype[Any]],
        inputs: int,
        key: object = None,
    ) -> None:
        self.key = key
        self.sizes = [size for shape in shapes for size in shape]
        self.rows = [
            CheckedShape(shape, dtype, is_output=index >= inputs)
            for index, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True))
        ]
