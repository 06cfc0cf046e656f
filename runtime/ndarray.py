"""Arrays at the boundary of compiled code: data type names, alignment, DLPack.

numpy has no bfloat16 and no 8-bit floats; ml_dtypes provides them if it is installed. numpy's own
DLPack rejects them, so they are exchanged as integers of the same width and the type in the
exchanged structure is corrected.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .abi import DTYPE_NAMES, DTYPES, DeviceType, Tensor
from .errors import ArgumentError

Array: TypeAlias = np.ndarray[Any, Any]

OUTPUT_ALIGNMENT_BYTES = 64
# Offset of the DLTensor in the structure that a capsule points at, by the capsule's name.
_TENSOR_OFFSET_BYTES = {b"dltensor": 0, b"dltensor_versioned": 32}


@dataclass(frozen=True)
class Device:
    """The device that holds an array's data."""

    kind: DeviceType = DeviceType.CPU
    index: int = 0

    def __str__(self) -> str:
        return f"{self.kind.name.lower()}:{self.index}"


CPU = Device()


class SupportsDLPack(Protocol):
    """Anything that can hand out its memory by the DLPack protocol."""

    def __dlpack__(self, **options: Any) -> Any:
        """Return a capsule with the tensor."""
        ...

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return device type and number."""
        ...


@cache
def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return the numpy data type of a name in `abi.DTYPES`.

    Errors: TypeError if the name is unknown, or needs ml_dtypes and that is not installed.
    """
    if name not in DTYPES:
        raise TypeError(
            f"unknown dtype {name}\n    expected: one of {', '.join(DTYPES)}\n"
            "    hint: convert the array to one of these with astype"
        )
    if hasattr(np, name):
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError as err:
        raise TypeError(
            f"dtype {name} needs the package ml_dtypes\n    hint: pip install ml_dtypes"
        ) from err
    return np.dtype(getattr(ml_dtypes, name))


@cache
def address_reader() -> Callable[[Array], int]:
    """Return a function from an array to the address of its first element.

    numpy's own attribute takes over a microsecond. The address is at a known offset in the array
    object, and the returned function reads it there if a probe confirms the offset.
    """
    offset = object.__basicsize__
    read = ctypes.c_void_p.from_address

    def peek(array: Array) -> int:
        return read(id(array) + offset).value or 0

    probe = np.zeros(4)
    views = (probe, probe[1:], probe[::-1])
    return peek if all(peek(view) == _address(view) for view in views) else _address


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


class NDArray(NDArrayOperatorsMixin):
    """An input or output array of compiled code.

    `numpy()` returns a numpy array on the same memory; indexing, arithmetic, comparison and
    printing are numpy's, and return numpy arrays.
    Any library that reads DLPack can take an NDArray without a copy.
    """

    __slots__ = ("_array", "device")

    def __init__(self, array: Array, device: Device = CPU) -> None:
        if not isinstance(array, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                "an NDArray is made on a numpy array",
                got=type(array).__name__,
                hint="numpy.asarray converts; NDArray.from_dlpack takes other libraries' tensors",
            )
        self._array = array
        self.device = device

    @staticmethod
    def from_dlpack(source: SupportsDLPack) -> NDArray:
        """Return an array on the memory of another library's tensor, without a copy."""
        return NDArray(from_dlpack(source))

    def numpy(self) -> Array:
        """Return the data as a numpy array on the same memory."""
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the sizes of the dimensions."""
        return self._array.shape

    @property
    def ndim(self) -> int:
        """Return the number of dimensions."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """Return the number of elements."""
        return self._array.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the numpy data type."""
        return self._array.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._array, dtype=dtype, copy=copy)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **options: Any
    ) -> Any:
        if out:
            options["out"] = tuple(_plain(each) for each in out)
        return getattr(ufunc, method)(*(_plain(each) for each in inputs), **options)

    def __float__(self) -> float:
        return float(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __bool__(self) -> bool:
        return bool(self._array)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (int(self.device.kind), self.device.index)

    def __dlpack__(self, **options: Any) -> Any:
        return _exported(self._array, options)

    def __getitem__(self, index: Any) -> Any:
        return self._array[index]

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._array)

    def __repr__(self) -> str:
        shape = ", ".join(map(str, self.shape))
        return f"NDArray({self.dtype}[{shape}], {self.device},\n{self._array!r})"


def _plain(value: Any) -> Any:
    return value.numpy() if isinstance(value, NDArray) else value


def _exported(array: Array, options: dict[str, Any]) -> Any:
    """Return a DLPack capsule of a numpy array of any type in `abi.DTYPES`."""
    if array.dtype.isbuiltin == 1:
        return array.__dlpack__(**options)
    code, bits = DTYPES[array.dtype.name]
    if bits < 8:
        raise BufferError(
            f"DLPack packs {array.dtype} more densely than one element per byte\n"
            "    hint: pass array.view(numpy.uint8)"
        )
    capsule = array.view(f"u{array.itemsize}").__dlpack__(**options)
    tensor = _tensor_in(capsule)
    tensor.dtype.code, tensor.dtype.bits = code, bits
    return capsule


def _tensor_in(capsule: object) -> Tensor:
    """Return the DLTensor inside a capsule, on the capsule's own memory."""
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule)
    return Tensor.from_address(pointer_of(capsule, name) + _TENSOR_OFFSET_BYTES[name])


class _Disguised:
    """A tensor of a type that numpy's DLPack rejects, presented as unsigned integers."""

    def __init__(self, source: SupportsDLPack) -> None:
        self._source = source
        self.dtype: np.dtype[Any] | None = None

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._source.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        try:
            capsule = self._source.__dlpack__(**options)
        except TypeError:
            # Producers from before DLPack 1.0 take no options.
            capsule = self._source.__dlpack__()
        tensor = _tensor_in(capsule)
        name = DTYPE_NAMES.get((tensor.dtype.code, tensor.dtype.bits))
        if tensor.dtype.bits < 8:
            raise TypeError(
                f"packed elements of {tensor.dtype.bits} bits cannot be read\n"
                "    hint: store each element in a byte of its own"
            )
        if name is not None and not hasattr(np, name):
            self.dtype = numpy_dtype(name)
            tensor.dtype.code = DTYPES["uint8"][0]
        return capsule


def from_dlpack(source: SupportsDLPack) -> Array:
    """Return a numpy array on the memory of a DLPack tensor.

    Errors: any exception of numpy or the producer, for example for memory that is not the CPU's.
    """
    disguised = _Disguised(source)
    # numpy calls only the two methods; its type stub requires a whole array protocol.
    array: Array = np.from_dlpack(disguised)
    return array if disguised.dtype is None else array.view(disguised.dtype)
