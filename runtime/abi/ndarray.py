"""Arrays of the host and of devices, and their exchange with other libraries by DLPack.

numpy has no bfloat16 and no 8-bit floats; ml_dtypes provides them if it is installed. numpy's own
DLPack rejects these types. So they are exported as integers of the same width, and the element type
in the exported structure is corrected.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .. import display
from ..errors import ArgumentError
from ..spelling import SuggestsNames
from .capsules import capsule_of, dense_tensor, row_major_steps, sizes_in, take, tensor_in
from .constants import DTYPE_NAMES, DTYPES, DLTensor
from .device import Device
from .producers import in_memory

Array: TypeAlias = np.ndarray[Any, Any]

OUTPUT_ALIGNMENT_BYTES = 64

CPU = Device()

_SOURCE = "the source of the array"
_INTEGER_CODES = (DTYPES["int8"][0], DTYPES["uint8"][0])


class SupportsDLPack(Protocol):
    """An object that can export its memory by the DLPack protocol."""

    def __dlpack__(self, **options: Any) -> Any:
        """Return a DLPack capsule with the tensor."""
        ...

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's device type and device index."""
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
    """Return a function that takes a numpy array and returns the address of its first element.

    numpy's own attribute takes more than a microsecond. The returned function reads the address at
    a known offset in the array object, if a test array confirms the offset.
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


_OF_NUMPY = frozenset(
    (
        "T", "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "cumprod",
        "cumsum", "diagonal", "dot", "flat", "flatten", "imag", "item", "itemsize", "max", "mean",
        "min", "nbytes", "nonzero", "prod", "ravel", "real", "repeat", "reshape", "round",
        "searchsorted", "squeeze", "std", "strides", "sum", "swapaxes", "take", "tobytes", "tolist",
        "trace", "transpose", "var",
    )
)  # fmt: skip
"""Attributes of numpy arrays that an NDArray has, too: attributes that do not change elements."""


class NDArray(NDArrayOperatorsMixin, SuggestsNames):
    """An array in the memory of the host: an input or output of compiled code.

    `numpy()` returns a numpy array on the same memory. Indexing, arithmetic, comparison, printing
    and methods that change no element (`y.argmax(1)`, `y.T`) behave as in numpy and return numpy
    arrays. Any library that reads DLPack can use an NDArray without a copy. Arrays on other devices
    are DeviceArrays.

    >>> x = tilewright.nd.array([1.0, 2.0, 3.0])
    >>> x.shape, (x * 2).tolist()
    ((3,), [2.0, 4.0, 6.0])
    """

    __slots__ = ("_array", "device")

    def __init__(self, array: Array, device: Device = CPU) -> None:
        if not isinstance(array, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                "an NDArray is made on a numpy array",
                got=type(array).__name__,
                hint="numpy.asarray converts; NDArray.from_dlpack takes other libraries' tensors",
            )
        if array.dtype.kind not in "biufc":
            known_dtype(array.dtype.newbyteorder("="))
        if device != CPU:
            raise ArgumentError(
                "a numpy array is in the memory of the host",
                expected=CPU,
                got=device,
                hint="tilewright.nd.array(x, device) copies it to a device",
            )
        self._array = array
        self.device = device

    @staticmethod
    def from_dlpack(source: SupportsDLPack) -> NDArray:
        """Return an array on the memory of another library's tensor, without a copy.

        On a device, later work on the array waits for the work that the producer has queued. A
        tensor that requires gradients gives a read-only array.
        Errors: BufferError or any exception of the producer; ArgumentError for an absent device,
        and for a tensor whose memory does not hold its elements.
        """
        plain = in_memory(source, _SOURCE)
        device = Device(*plain.__dlpack_device__())
        return NDArray(from_dlpack(source)) if device == CPU else _borrowed(plain, device)

    def numpy(self) -> Array:
        """Return a numpy array on the same memory."""
        return self._array

    def take_copy(self) -> Array:
        """Replace the memory of this array by a copy of the elements.

        Return a numpy array on the previous memory.
        """
        before = self._array
        self._array = before.copy()
        self._array.flags.writeable = before.flags.writeable
        return before

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the sizes of the dimensions."""
        return self._array.shape

    @property
    def ndim(self) -> int:
        """Return the number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Return the number of elements."""
        return prod(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the numpy data type."""
        return self._array.dtype

    if not TYPE_CHECKING:  # a type checker knows numpy(), whose result has these attributes

        def __getattr__(self, name: str) -> object:
            if name in _OF_NUMPY:
                return getattr(self.numpy(), name)
            return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_OF_NUMPY})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **options: Any
    ) -> Any:
        if out:
            options["out"] = tuple(_plain(each) for each in out)
        return getattr(ufunc, method)(*(_plain(each) for each in inputs), **options)

    def __float__(self) -> float:
        return float(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __dlpack_device__(self) -> tuple[int, int]:
        return (int(self.device.kind), self.device.index)

    def __dlpack__(self, **options: Any) -> Any:
        return _exported(self.numpy(), options)

    def copyfrom(self, source: Any) -> Self:
        """Copy the elements of an array of this shape and dtype; return this array.

        source: an array on any device, or what numpy.asarray takes.
        Errors: ArgumentError for another shape or dtype, and if this array is read-only.
        """
        array = _fitting(source, self.shape, self.dtype)
        if not self.numpy().flags.writeable:
            raise ArgumentError(
                "an array cannot be filled", got="a read-only array", hint="make a copy of it"
            )
        self.numpy()[...] = array
        return self

    def copyto(self, target: Device | NDArray) -> NDArray:
        """Copy the elements to another array; return the other array.

        target: an array, or the device on which to allocate a new array.

        Errors: as `copyfrom`; ArgumentError if the device does not exist.
        """
        if isinstance(target, NDArray):
            return target.copyfrom(self)
        return empty(self.shape, self.dtype, target).copyfrom(self)

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = _plain(value)

    def __len__(self) -> int:
        return len(self.numpy())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numpy())

    def __repr__(self) -> str:
        shape = ", ".join(map(str, self.shape))
        return f"NDArray({self.dtype}[{shape}], {self.device},\n{self.numpy()!r})"

    def _repr_html_(self) -> str:
        """Show type, device and values in a notebook."""
        sizes = " × ".join(map(str, self.shape)) or "one element"
        array = self.numpy()
        size = display.byte_text(array.nbytes)
        return display.fragment(
            display.paragraph(display.code(self.dtype), f", {sizes}, {size}, on {self.device}"),
            display.element("pre", str(array)),
        )


class DeviceArray(NDArray):
    """An array in the memory of a device that is not the host.

    `numpy()` returns a copy in host memory, and all operations on elements, except `copyfrom` and
    `copyto`, work on such a copy. An assignment to elements copies all elements to the host and
    back.
    address: an address of the device, which the host cannot dereference.
    """

    __slots__ = ("__weakref__", "_dtype", "_shape", "address")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: Device) -> None:
        """Allocate an array of undefined contents on a device.

        Errors: ArgumentError if the device does not exist, MemoryError.
        """
        api, size_bytes = device.api, max(1, prod(shape) * dtype.itemsize)
        address = api.allocate(device.index, size_bytes)
        self._hold(address, shape, dtype, device)
        weakref.finalize(self, api.free, device.index, address).atexit = False

    @classmethod
    def at(
        cls,
        address: int,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        device: Device,
        *,
        release: Callable[..., object],
        of: Sequence[object] = (),
    ) -> Self:
        """Return an array on memory of a device that is already allocated.

        release: a function that is called with the values ``of`` when the array is dropped.
        of: these values stay alive as long as the array.
        """
        made = cls.__new__(cls)
        made._hold(address, shape, dtype, device)
        weakref.finalize(made, release, *of).atexit = False
        return made

    def _hold(
        self, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], device: Device
    ) -> None:
        self._shape, self._dtype, self.device = shape, dtype, device
        self.address = address

    def numpy(self) -> Array:
        """Return a copy of the data in the memory of the host."""
        array = np.empty(self._shape, self._dtype)
        self.device.api.read(self.device.index, self.address, _address(array), array.nbytes)
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the sizes of the dimensions."""
        return self._shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the numpy data type."""
        return self._dtype

    def copyfrom(self, source: Any) -> Self:
        """Copy the elements of an array of this shape and dtype; return this array.

        source: an array on any device, or what numpy.asarray takes.
        Errors: ArgumentError for another shape or dtype.
        """
        api, index = self.device.api, self.device.index
        if isinstance(source, DeviceArray) and source.device == self.device:
            _check_fit(source, self.shape, self.dtype)
            api.copy(index, self.address, source.address, self.size * self.dtype.itemsize)
            return self
        array = np.ascontiguousarray(_fitting(source, self.shape, self.dtype))
        api.write(index, self.address, _address(array), array.nbytes)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        array = self.numpy()
        array[index] = _plain(value)
        self.copyfrom(array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        raise self._elsewhere(TypeError)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        raise self._elsewhere(TypeError)

    def __dlpack__(self, **options: Any) -> Any:
        """Return a DLPack capsule of the memory, or of a copy.

        options: the arguments of the DLPack protocol.  stream: the consumer's stream; its later
        work waits for the work that is queued here, unless it is -1.
        Errors: BufferError for a consumer of host memory: the consumer asks for it or, on a device
        without streams, does not pass ``stream``, not even None.
        """
        api, place = self.device.api, self.__dlpack_device__()
        is_for_host = api.stream(self.device.index) is None and "stream" not in options
        if is_for_host or not api.lends_memory or options.get("dl_device") not in (None, place):
            raise self._elsewhere(BufferError)
        lent = self.copyto(self.device) if options.get("copy") else self
        assert isinstance(lent, DeviceArray), "a copy on the same device"
        stream = options.get("stream")
        if stream != -1:
            api.publish(self.device.index, api.default_stream if stream is None else stream)
        tensor, alive = lent.dltensor()
        return capsule_of(tensor, (lent, alive))

    def dltensor(self) -> tuple[DLTensor, object]:
        """Return a DLTensor on this memory, and the object that must stay alive with it."""
        data, offset_bytes = self.device.api.lend(self.device.index, self.address)
        steps = row_major_steps(self._shape)
        tensor, alive = dense_tensor(data, self._shape, steps, self._dtype.name)
        tensor.byte_offset = offset_bytes
        tensor.device.kind, tensor.device.index = self.device.kind, self.device.index
        return tensor, alive

    def _elsewhere(self, kind: type[Exception]) -> Exception:
        return kind(
            f"the array is in the memory of {self.device}\n"
            "    hint: x.numpy() returns a copy in the memory of the host"
        )


def _borrowed(source: SupportsDLPack, device: Device) -> DeviceArray:
    api = device.api
    if not api.lends_memory:
        raise BufferError(
            f"memory of {device} cannot be borrowed\n    hint: nd.array(x, device) copies an array"
        )
    tensor, give_back = take(source.__dlpack__(stream=api.stream(device.index)))
    shape, steps = sizes_in(tensor)
    name = DTYPE_NAMES.get((tensor.dtype.code, tensor.dtype.bits), "")
    sides = zip(shape, steps, row_major_steps(shape), strict=True)
    if not name or tensor.dtype.lanes != 1 or any(n > 1 and a != b for n, a, b in sides):
        give_back()
        raise BufferError(
            "a tensor of a device is not stored row by row, or has an unknown data type\n"
            "    hint: make it contiguous, with elements of a type of numpy or ml_dtypes"
        )
    dtype, data = numpy_dtype(name), tensor.data or 0
    try:
        size_bytes = prod(shape) * dtype.itemsize
        address = api.borrow(device.index, data, tensor.byte_offset, size_bytes)
    except BufferError:
        give_back()
        raise
    returned = (device, give_back)
    return DeviceArray.at(address, shape, dtype, device, release=_return_after_work, of=returned)


def _return_after_work(device: Device, give_back: Callable[[], None]) -> None:
    device.sync()
    give_back()


def empty(
    shape: int | Sequence[int], dtype: str | np.dtype[Any] = "float32", device: Device = CPU
) -> NDArray:
    """Return an array of undefined contents on a device.

    Errors: ArgumentError for a size that is no integer or is negative, and if the device does not
    exist; TypeError for a dtype that compiled functions do not support; MemoryError.
    """
    sizes, type_ = _sizes(shape), known_dtype(dtype)
    if device.kind != CPU.kind:
        return DeviceArray(sizes, type_, device)
    device.checked()
    return NDArray(empty_array(sizes, type_))


def empty_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return an array of undefined contents on memory that is aligned to 64 bytes."""
    memory = np.empty(prod(shape) * dtype.itemsize + OUTPUT_ALIGNMENT_BYTES, np.uint8)
    offset = -_address(memory) % OUTPUT_ALIGNMENT_BYTES
    return np.ndarray(shape, dtype, memory, offset)


def _sizes(shape: Any) -> tuple[int, ...]:
    try:
        sizes = tuple(map(index, shape if np.iterable(shape) else (shape,)))
    except TypeError as err:
        raise ArgumentError(
            "a shape has a size that is no integer",
            expected="a number, or a sequence of numbers",
            got=repr(shape),
            hint="pass (3, 4)",
        ) from err
    if min(sizes, default=0) < 0:
        raise ArgumentError(
            "a shape has a negative size",
            expected="sizes of 0 or more",
            got=repr(shape),
            hint="pass the number of elements along each dimension",
        )
    return sizes


def known_dtype(dtype: Any) -> np.dtype[Any]:
    """Return the numpy data type for a name in `abi.DTYPES`, or for numpy's form of a type.

    Errors: TypeError for a type that `abi.DTYPES` lacks, such as object, text, a record or a time,
    and for the byte order of another machine.
    """
    if isinstance(dtype, str):
        return numpy_dtype(dtype)
    given = np.dtype(dtype)
    known = numpy_dtype(given.name)
    if given != known:
        raise TypeError(
            f"dtype {given} has the byte order of another machine\n    expected: {known}\n"
            '    hint: convert the array with x.astype(x.dtype.newbyteorder("="))'
        )
    return known


def elements_of(source: Any, dtype: np.dtype[Any] | None = None, where: str = _SOURCE) -> Array:
    """Return a source of elements as a numpy array in the memory of the host.

    source: an NDArray, or what numpy.asarray takes.  dtype: the type of the returned elements;
    None: that of the source.  where: the name of the source in messages.

    Errors: ArgumentError for elements that are not in memory or out of the range of the dtype, and
    for elements of a dtype that compiled functions do not support.
    """
    is_own = isinstance(source, NDArray)
    array = source.numpy() if is_own else np.asarray(in_memory(source, where))
    if array.dtype.name not in DTYPES:
        raise ArgumentError(
            f"{where} has elements that no function takes",
            expected="numbers or truth values, of a dtype of numpy or ml_dtypes",
            got=f"dtype {array.dtype.name}",
            hint="convert them with astype",
        )
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return native if dtype is None else converted(native, dtype, where)


def converted(array: Array, dtype: np.dtype[Any], where: str) -> Array:
    """Convert the elements of an array; conversions to an integer type never wrap around.

    where: the name of the array in messages.

    Errors: ArgumentError for an element outside of the range of an integer dtype.
    """
    code, bits = DTYPES[dtype.name]
    if code in _INTEGER_CODES and array.dtype.kind in "iuf" and array.size:
        is_signed = code == DTYPES["int8"][0]
        least, most = -is_signed << (bits - 1), (1 << (bits - is_signed)) - 1
        low, high = array.min().item(), array.max().item()
        if not (least <= low and high <= most):  # also for NaN
            raise ArgumentError(
                f"{where} holds a number outside its data type",
                expected=f"{dtype}: numbers from {least} to {most}",
                got=f"numbers from {low} to {high}",
                hint="pass a data type that holds them",
            )
    return array.astype(dtype, copy=False)


def _fitting(source: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    is_plain = isinstance(source, (bool, int, float, list, tuple))
    array = elements_of(source, dtype if is_plain else None)
    _check_fit(array, shape, dtype)
    return array


def _check_fit(source: Array | NDArray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if source.shape != shape or source.dtype != dtype:
        raise ArgumentError(
            "the arrays of a copy differ in shape or dtype",
            expected=f"{dtype}[{', '.join(map(str, shape))}]",
            got=f"{source.dtype}[{', '.join(map(str, source.shape))}]",
            hint="convert with astype or reshape",
        )


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
    tensor = tensor_in(capsule)
    tensor.dtype.code, tensor.dtype.bits = code, bits
    return capsule


class _Disguised:
    """A tensor of a type that numpy rejects, exported by DLPack as unsigned integers."""

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
        tensor = tensor_in(capsule)
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


def from_dlpack(source: SupportsDLPack, where: str = _SOURCE) -> Array:
    """Return a numpy array on the memory of a DLPack tensor; read-only if it requires gradients.

    where: the name of the tensor in messages.

    Errors: ArgumentError for a tensor whose memory does not hold its elements; any exception of
    numpy or of the producer, for example for memory of another device.
    """
    plain = in_memory(source, where)
    disguised = _Disguised(plain)
    # numpy calls only the two methods; its type stub requires a whole array protocol.
    array: Array = np.from_dlpack(disguised)
    if plain is not source:
        array.flags.writeable = False
    return array if disguised.dtype is None else array.view(disguised.dtype)
