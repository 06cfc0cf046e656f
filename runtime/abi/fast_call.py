"""Fast calls: callable objects that Python calls without Python code on the path.

    calls = FastCalls.of(library)             the code of runtime/native/python.c, if it fits
    kind = calls.type_of(PackedFunc)          a subtype whose instances have a vectorcall
    function = kind(…)
    kept = calls.bind(function, PackedFunc, Binding(…))     now function(x, y) runs machine code

The machine code reads numpy arrays, NDArrays and tensors with DLPack's exchange API in place, and
calls a model by the packed-function ABI. If it cannot make a call, ``__call__`` of the base class
makes the call, converts more kinds of arguments and raises precise errors. So the base class
defines the semantics of a call, and the subtype only makes calls faster.

The code needs the memory layout of arrays, types and NDArrays; `FastCalls.of` verifies each offset
on objects of this process, and returns None if an offset differs (free-threaded CPython, PyPy).
Source: CPython's vectorcall protocol (PEP 590), numpy's C API, DLPack 1.2 (exchange API).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import (
    POINTER,
    addressof,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint32,
    c_uint64,
    c_void_p,
)
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from .capsules import capsule_pointer
from .constants import SYMBOL_PYTHON, SYMBOL_PYTHON_CALL, packed_dtype
from .library import Library
from .ndarray import NDArray, numpy_dtype
from .producers import guard_of

Kind = TypeVar("Kind")

_WORD = 8
_HEAD_BYTES = 2 * _WORD
_VECTORCALL_OFFSET_AT = 7 * _WORD
"""Position of the offset of the vectorcall pointer in a type object."""
_DTYPES = 16
_EXCHANGES = 4
_NEW_FROM_DESCR, _SET_BASE_OBJECT = 94, 282
"""Positions of PyArray_NewFromDescr and PyArray_SetBaseObject in the table of numpy's C API."""
_FAST_DTYPES = (
    "float32", "float64", "float16", "int64", "int32", "int8", "uint8", "bool", "int16", "uint16",
    "uint32", "uint64",
)  # fmt: skip
_FUNCTIONS = (
    "Py_IncRef", "Py_DecRef", "PyObject_Vectorcall", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyErr_Clear", "PyObject_GetAttrString", "PyBytes_FromStringAndSize", "PyBytes_AsString",
    "PyTuple_New", "PyTuple_SetItem", "PyType_GenericAlloc",
)  # fmt: skip


class _Dtype(ctypes.Structure):
    """The ctypes layout of ``struct tw_dtype`` in runtime/native/python.h."""

    _fields_ = (("dtype", c_void_p), ("code", c_uint32))


class _Exchange(ctypes.Structure):
    """The ctypes layout of ``struct tw_exchange`` in runtime/native/python.h."""

    _fields_ = (
        ("type", c_void_p),
        ("borrow", c_void_p),
        ("lazy", c_uint64),
        ("tensor_at", c_int64),
        ("keys_at", c_int64),
        ("gradient_at", c_int64),
    )


class _Python(ctypes.Structure):
    """The ctypes layout of ``struct tw_python`` in runtime/native/python.h."""

    _fields_ = (
        ("none", c_void_p),
        ("false_object", c_void_p),
        ("array_type", c_void_p),
        *((name, c_void_p) for name in _FUNCTIONS),
        ("PyArray_NewFromDescr", c_void_p),
        ("PyArray_SetBaseObject", c_void_p),
        ("byte_dtype", c_void_p),
        ("tensor", c_void_p),
        ("tensor_slots", c_int32),
        ("array_slot", c_int32),
        ("dtypes", _Dtype * _DTYPES),
        ("exchanges", _Exchange * _EXCHANGES),
    )


class _Made(ctypes.Structure):
    """The ctypes layout of ``struct tw_made`` in runtime/native/python.h."""

    _fields_ = (
        ("dtype", c_void_p),
        ("element_bytes", c_int64),
        ("rank", c_int32),
        ("sizes", c_void_p),
    )


class _Binding(ctypes.Structure):
    """The ctypes layout of ``struct tw_binding`` in runtime/native/python.h."""

    _fields_ = (
        ("function", c_void_p),
        ("slow", c_void_p),
        ("inputs", c_int32),
        ("outputs", c_int32),
        ("keeps_lock", c_int32),
        ("made", c_void_p),
        ("shapes", c_void_p),
        ("size_count", c_int64),
        ("memory", c_void_p),
        ("allocating", c_void_p),
        ("results", c_int32),
        ("threads", c_int32),
        ("self", c_void_p),
    )


class _NativeArray(ctypes.Structure):
    """The ctypes layout of ``struct tw_array`` in runtime/native/python.h."""

    _fields_ = (
        ("head", c_int64 * 2),
        ("data", c_void_p),
        ("rank", c_int32),
        ("sizes", c_void_p),
        ("strides", c_void_p),
        ("base", c_void_p),
        ("dtype", c_void_p),
        ("flags", c_int32),
    )


class _Slot(ctypes.Structure):
    """The ctypes layout of CPython's ``PyType_Slot``."""

    _fields_ = (("slot", c_int), ("pfunc", c_void_p))


class _PythonTypeSpec(ctypes.Structure):
    """The ctypes layout of CPython's ``PyType_Spec``."""

    _fields_ = (
        ("name", c_char_p),
        ("basicsize", c_int),
        ("itemsize", c_int),
        ("flags", c_uint32),
        ("slots", POINTER(_Slot)),
    )


class _Member(ctypes.Structure):
    """The ctypes layout of CPython's ``PyMemberDef``."""

    _fields_ = (
        ("name", c_char_p),
        ("type", c_int),
        ("offset", c_int64),
        ("flags", c_int),
        ("doc", c_char_p),
    )


Bound: TypeAlias = "tuple[_Binding, *tuple[object, ...]]"
"""The structure that machine code reads for an instance, and what keeps its addresses valid."""


@dataclass(frozen=True)
class OutputArray:
    """An output for which the machine code of a call allocates an array.

    rank, dtype: its number of dimensions and its data type.  shape: None if it has symbolic sizes.
    """

    rank: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Binding:
    """The machine code of a callable object, and the data that its calls need.

    `address`, `shapes` and `allocating` are addresses of packed functions; `handle` is the first
    argument of all three.

    address: the model's function.  inputs, outputs: the numbers of its input and output arguments.
    made: the outputs that the machine code allocates in a call with inputs only; empty: Python code
    makes such calls.  shapes: the function that computes the sizes of outputs, if these are
    symbolic. memory: the table of `OutputMemory` for large outputs.  keeps_lock: whether calls are
    short enough to keep Python's global lock.  allocating: the function that asks for the memory of
    outputs, if the model computes their sizes.  results: the number of outputs that a call with
    inputs only returns; None: all.  threads: the number of threads of a call with inputs only.
    """

    address: int
    inputs: int
    outputs: int
    made: Sequence[OutputArray] = ()
    shapes: int | None = None
    memory: np.ndarray[Any, Any] | None = None
    keeps_lock: bool = False
    allocating: int | None = None
    results: int | None = None
    threads: int = 1
    handle: int | None = None


class FastCalls:
    """Fast calls by the machine code of a library; see the module docstring."""

    def __init__(self, library: Library) -> None:
        self._vectorcall = library.address(SYMBOL_PYTHON_CALL)
        self._python = _Python.from_address(library.address(SYMBOL_PYTHON))
        self._kinds: dict[type, type] = {}
        self._slow: dict[type, Callable[..., object]] = {}
        self._seen: set[type] = set()
        self._template = NDArray(np.zeros(1))
        self._dtypes = [numpy_dtype(name) for name in _FAST_DTYPES]
        self._alive: list[object] = [library]
        self._fill()

    @staticmethod
    def of(library: Library) -> FastCalls | None:
        """Return the fast calls that a library provides.

        Return None if objects of Python or numpy have another memory layout in this process than
        the machine code reads.
        """
        return FastCalls(library) if _layouts_fit() else None

    def type_of(self, base: type[Kind]) -> type[Kind]:
        """Return a subtype of ``base`` with the same name; `bind` accepts its instances."""
        if base not in self._kinds:
            self._kinds[base] = self._made_type(base)
            self._slow[base] = self._slow_call(base)
        return self._kinds[base]

    def bind(self, instance: object, base: type, binding: Binding) -> Bound:
        """Make calls of an instance of ``type_of(base)`` run the machine code of a binding.

        Return the objects that the caller must keep alive as long as the instance; the first is the
        structure that the machine code reads.
        """
        made = (_Made * max(1, len(binding.made)))()
        alive: list[object] = [made, binding]
        for row, output in zip(made, binding.made, strict=False):
            row.dtype, row.element_bytes = id(output.dtype), output.dtype.itemsize
            row.rank = output.rank
            if output.shape is not None:
                sizes = (c_int64 * max(1, output.rank))(*output.shape)
                alive.append(sizes)
                row.sizes = addressof(sizes)
        block = _Binding(
            binding.address,
            id(self._slow[base]),
            binding.inputs,
            binding.outputs,
            binding.keeps_lock,
            addressof(made) if binding.made else None,
            binding.shapes,
            sum(output.rank for output in binding.made),
            None if binding.memory is None else binding.memory.ctypes.data,
            binding.allocating,
            binding.outputs if binding.results is None else binding.results,
            binding.threads,
            binding.handle,
        )
        words = (c_void_p * 2).from_address(id(instance) + base.__basicsize__)
        words[0], words[1] = self._vectorcall, addressof(block)
        return (block, *alive)

    def set_threads(self, bound: Bound, count: int) -> None:
        """Set the number of threads for later calls of an instance.

        bound: the result of `bind` for the instance.  count: the number of threads.
        """
        bound[0].threads = count

    def learn(self, arguments: Sequence[object]) -> None:
        """Record the types of these arguments that have DLPack's exchange API.

        Later calls read arguments of these types in machine code.
        """
        for kind in {type(each) for each in arguments} - self._seen:
            self._seen.add(kind)
            capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
            free = [each for each in self._python.exchanges if not each.type]
            if capsule is None or not free or not (borrow := _borrower(capsule)):
                continue
            if (guard := guard_of(kind)) is not None:
                self._alive.append((kind, capsule))
                row = free[0]
                row.borrow, row.lazy, row.tensor_at = borrow, guard.lazy, guard.tensor_at
                row.keys_at, row.gradient_at = guard.keys_at, guard.gradient_at
                row.type = id(kind)

    def _slow_call(self, base: type) -> Callable[..., object]:
        call = cast("Callable[..., object]", base.__call__)

        def slow(instance: object, *arguments: object, **named: object) -> object:
            self.learn(arguments)
            return call(instance, *arguments, **named)

        return slow

    def _fill(self) -> None:
        table = self._python
        for name in _FUNCTIONS:
            setattr(table, name, ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p).value)
        table.PyArray_NewFromDescr, table.PyArray_SetBaseObject = _numpy_functions()
        table.none, table.false_object, table.array_type = id(None), id(False), id(np.ndarray)
        table.byte_dtype = id(numpy_dtype("uint8"))
        table.tensor = id(self._template)
        table.tensor_slots = (NDArray.__basicsize__ - _HEAD_BYTES) // _WORD
        table.array_slot = _array_slot(self._template)
        for row, dtype in zip(table.dtypes, self._dtypes, strict=False):
            row.dtype, row.code = id(dtype), packed_dtype(dtype.name)

    def _made_type(self, base: type[Kind]) -> type[Kind]:
        """Return a subtype whose instances have two more words: vectorcall pointer and binding."""
        member = (_Member * 2)()
        offset, is_read_only, ssize = base.__basicsize__, 1, 19
        member[0] = _Member(b"__vectorcalloffset__", ssize, offset, is_read_only, None)
        call = ctypes.cast(ctypes.pythonapi.PyVectorcall_Call, c_void_p).value
        slots = (_Slot * 3)()
        tp_call, tp_members = 50, 72
        slots[0], slots[1] = _Slot(tp_call, call), _Slot(tp_members, addressof(member))
        name = f"{base.__module__}.{base.__qualname__}".encode()
        has_vectorcall, has_version = 1 << 11, 1 << 18
        flags = has_vectorcall | has_version
        spec = _PythonTypeSpec(name, offset + 2 * _WORD, 0, flags, slots)
        make = ctypes.pythonapi.PyType_FromSpecWithBases
        make.restype, make.argtypes = ctypes.py_object, [c_void_p, ctypes.py_object]
        self._alive.append((member, slots, spec, name))
        made = make(addressof(spec), (base,))
        made.__doc__ = base.__doc__
        return made


def _numpy_functions() -> tuple[int, int]:
    api = import_module("numpy._core._multiarray_umath")._ARRAY_API
    table = capsule_pointer(api, None)
    read = (c_void_p * (_SET_BASE_OBJECT + 1)).from_address(table)
    return read[_NEW_FROM_DESCR] or 0, read[_SET_BASE_OBJECT] or 0


def _borrower(capsule: object) -> int:
    """Return the address of DLPack's function that borrows the memory of a tensor, or 0.

    capsule: the capsule with the exchange API of a type of tensors.
    """
    address = capsule_pointer(capsule, b"dlpack_exchange_api")
    major_version = c_uint32.from_address(address).value
    return (c_void_p.from_address(address + 5 * _WORD).value or 0) if major_version == 1 else 0


def _array_slot(tensor: NDArray) -> int:
    """Return the position, among the slots of an NDArray, of the slot that holds its array.

    Return -1 if no slot holds the array.
    """
    count = (NDArray.__basicsize__ - _HEAD_BYTES) // _WORD
    words = (c_void_p * count).from_address(id(tensor) + _HEAD_BYTES)
    return next((n for n in range(count) if words[n] == id(tensor.numpy())), -1)


def _layouts_fit() -> bool:
    """Return whether arrays, types and NDArrays have the layouts that the machine code reads."""
    if sys.implementation.name != "cpython" or object.__basicsize__ != _HEAD_BYTES:
        return False
    return _array_fits() and _type_fits() and _array_slot(NDArray(np.zeros(1))) >= 0


def _array_fits() -> bool:
    return all(map(_is_read_right, (np.zeros((2, 3), np.float32), np.zeros((4, 2))[::-1, :1])))


def _is_read_right(array: np.ndarray[Any, Any]) -> bool:
    """Return whether an array object has its fields at the offsets that machine code reads."""
    head = _NativeArray.from_address(id(array))
    if head.rank != array.ndim or head.dtype != id(array.dtype) or head.flags != array.flags.num:
        return False
    sizes = tuple((c_int64 * array.ndim).from_address(head.sizes or 0))
    references = c_uint32.from_address(id(array))
    before, more = references.value, [array] * 3
    if references.value != before + len(more):
        return False
    return sizes == array.shape and head.data == array.__array_interface__["data"][0]


def _type_fits() -> bool:
    """Return whether type objects hold the vectorcall offset where machine code reads it."""
    function: type = type(len)
    at = c_int64.from_address(id(function) + _VECTORCALL_OFFSET_AT).value
    return 0 < at < function.__basicsize__
