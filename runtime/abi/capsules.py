"""Capsules of DLPack: tensors that libraries of a process pass to each other.

A capsule is a Python object that owns a DLTensor. This module makes capsules for memory of this
library, and takes the tensor out of capsules that other libraries have made. The memory of such a
tensor stays valid until the function that `take` returns is called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, addressof, c_uint32, c_uint64, c_void_p, py_object
from math import prod
from typing import Any

import numpy as np

from .constants import DTYPES, DeviceType, DLTensor

# Offset of the DLTensor in the structure that a capsule points at, by the capsule's name.
_TENSOR_OFFSET_BYTES = {b"dltensor": 0, b"dltensor_versioned": 32}
_USED_NAMES = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}
_Deleter = CFUNCTYPE(None, c_void_p)
_EXPORTED_DTYPES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64, 16: np.complex128}
"""A type that numpy can export for each element size in bytes."""


class _Managed(ctypes.Structure):
    """The ctypes layout of DLPack's ``struct DLManagedTensor``."""

    _fields_ = (("tensor", DLTensor), ("context", c_void_p), ("deleter", c_void_p))


class _VersionedHead(ctypes.Structure):
    """The ctypes layout of the first fields of DLPack's ``struct DLManagedTensorVersioned``."""

    _fields_ = (
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
    )


def dense_tensor(
    address: int, shape: Sequence[int], steps: Sequence[int], dtype: str
) -> tuple[DLTensor, object]:
    """Return a DLTensor in host memory, and the object that the caller must keep alive with it.

    address: the address of the first element.  steps: the strides, in elements.  dtype: a name in
    `DTYPES`.
    """
    rank = len(shape)
    sizes = (ctypes.c_int64 * (2 * rank))(*shape, *steps)
    tensor = DLTensor()
    tensor.data = address
    tensor.device.kind = DeviceType.CPU
    tensor.ndim = rank
    tensor.dtype.code, tensor.dtype.bits = DTYPES[dtype]
    tensor.dtype.lanes = 1
    tensor.shape = addressof(sizes)
    tensor.strides = addressof(sizes) + 8 * rank
    return tensor, sizes


def row_major_steps(shape: Sequence[int]) -> list[int]:
    """Return the strides, in elements, of a contiguous row-major array of a shape."""
    return [prod(shape[axis + 1 :]) for axis in range(len(shape))]


def sizes_in(tensor: DLTensor) -> tuple[tuple[int, ...], list[int]]:
    """Return the shape of a DLTensor, and its strides, counted in elements."""
    rank = tensor.ndim
    shape = tuple((ctypes.c_int64 * rank).from_address(tensor.shape)) if rank else ()
    if not tensor.strides:
        return shape, row_major_steps(shape)
    return shape, list((ctypes.c_int64 * rank).from_address(tensor.strides))


def capsule_of(tensor: DLTensor, alive: object) -> object:
    """Return a DLPack capsule that owns a tensor.

    A destructor in Python would crash if the interpreter drops the capsule while it raises an
    exception, so the destructor is numpy's machine code: numpy exports a capsule for a stand-in
    array whose memory refers to ``alive``; then the fields of the exported tensor are overwritten.

    alive: the objects that keep the memory of the tensor alive.
    """
    shape, steps = sizes_in(tensor)
    size_bytes = max(1, tensor.dtype.bits // 8)
    memory: Any = (ctypes.c_char * size_bytes)()
    memory.alive = alive
    array = np.ndarray(shape, _EXPORTED_DTYPES[size_bytes], memory, strides=(0,) * len(shape))
    made = array.__dlpack__()
    exported = tensor_in(made)
    exported.data, exported.byte_offset = tensor.data, tensor.byte_offset
    exported.device, exported.dtype = tensor.device, tensor.dtype
    if exported.strides:  # null if there is at most one element
        (ctypes.c_int64 * len(steps)).from_address(exported.strides)[:] = steps
    return made


def take(capsule: object) -> tuple[DLTensor, Callable[[], None]]:
    """Take the tensor out of a capsule; return the tensor, and a function that frees the tensor.

    The capsule is renamed, as DLPack requires, so that no other library takes the tensor.
    """
    name = _name_of(capsule)
    pointer = capsule_pointer(capsule, name)
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [py_object, ctypes.c_char_p]
    rename(capsule, _USED_NAMES[name])
    head = _Managed if name == b"dltensor" else _VersionedHead
    deleter = head.from_address(pointer).deleter

    def give_back() -> None:
        if deleter:
            _Deleter(deleter)(pointer)

    return DLTensor.from_address(pointer + _TENSOR_OFFSET_BYTES[name]), give_back


def capsule_pointer(capsule: object, name: bytes | None) -> int:
    """Return the pointer that a Python capsule holds.

    name: the name of the capsule; CPython raises ValueError if the capsule has another name.
    """
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = c_void_p, [py_object, ctypes.c_char_p]
    return pointer_of(capsule, name) or 0


def tensor_in(capsule: object) -> DLTensor:
    """Return the DLTensor in a capsule; it is no copy, so changing a field changes the capsule."""
    name = _name_of(capsule)
    return DLTensor.from_address(capsule_pointer(capsule, name) + _TENSOR_OFFSET_BYTES[name])


def _name_of(capsule: object) -> bytes:
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [py_object]
    name: bytes = name_of(capsule)
    if name not in _TENSOR_OFFSET_BYTES:
        known = " or ".join(each.decode() for each in _TENSOR_OFFSET_BYTES)
        raise BufferError(
            f"a capsule has no tensor to take\n    expected: a capsule named {known}\n"
            f"    got: {name!r}\n    hint: export the tensor with __dlpack__ once per use"
        )
    return name
