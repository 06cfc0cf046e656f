"""The machine code that replaces and reads parameters, runtime/native/repack.c.

In: the table of parameters of a program, its packed weights, and arrays by name. The code is in the
library of the worker pool, and in each exported library.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

from ..errors import error_of_kind
from ..strings import name_bytes
from .constants import DTYPES, SYMBOL_GET_PARAM, SYMBOL_REPACK_PARAMS, DeviceType, DLTensor
from .library import Library, Symbols
from .ndarray import Array, address_reader
from .threads import library_with

_MESSAGE_BYTES = 1024
_ABSENT = 3
_KINDS = {1: "ValueError", 2: "MemoryError", _ABSENT: "ValueError"}
"""The kinds of errors in runtime/native/repack.h."""


class _ParamsHost(ctypes.Structure):
    """The ctypes layout of ``struct tw_params_host`` in runtime/native/repack.h."""

    _fields_ = (
        ("table", ctypes.c_void_p),
        ("module", ctypes.c_char_p),
        ("weights", ctypes.c_void_p),
        ("message", ctypes.c_void_p),
    )


_Repack = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32,
    ctypes.c_void_p,
)  # fmt: skip
_Get = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class ParamCode:
    """The functions of a loaded library that replace and read parameters of a model."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._repack = _Repack(library.address(SYMBOL_REPACK_PARAMS))
        self._get = _Get(library.address(SYMBOL_GET_PARAM))

    @staticmethod
    def of(library: Symbols) -> ParamCode | None:
        """Return the functions in a module's library, or else in the library of the worker pool.

        Return None if neither library contains them.
        """
        found = library_with(SYMBOL_REPACK_PARAMS, library)
        return None if found is None else ParamCode(found)

    def repack(
        self,
        table: Array,
        module: str,
        weights: Array,
        values: Mapping[str, Array],
        made: Array | None,
    ) -> None:
        """Check new values of parameters, and write weights that contain these values to ``made``.

        table: the bytes that describe the program's parameters.  module: the name of the module,
        for messages.  weights: the current packed weights.  values: the new values by parameter.
        made: memory of the size of ``weights``; None: only check.

        Errors: ArgumentError for an unknown parameter or a value that does not fit; MemoryError.
        """
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        host = _host(table, module, weights, message)
        shapes = [(ctypes.c_int64 * array.ndim)(*array.shape) for array in values.values()]
        tensors = [_tensor(a, shape) for a, shape in zip(values.values(), shapes, strict=True)]
        addresses = [ctypes.addressof(tensor) for tensor in tensors]
        names = (ctypes.c_char_p * len(values))(
            *(name_bytes(each, f"{module}: a parameter") for each in values)
        )
        listed = (ctypes.c_void_p * len(values))(*addresses)
        kind = self._repack(ctypes.addressof(host), names, listed, len(values), _address(made))
        _check(kind, message)

    def read(
        self, table: Array, module: str, weights: Array, name: str, made: Array | None
    ) -> bool:
        """Copy the values of a parameter to ``made``; return whether the weights contain them.

        table, module, weights: as for `repack`.  made: the memory for the values; None: only check
        that they are available.

        Errors: ArgumentError for an unknown name and, if ``made`` is None, for a parameter whose
        values the weights do not contain; MemoryError.
        """
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        host = _host(table, module, weights, message)
        text = name_bytes(name, f"{module}: a parameter")
        kind = self._get(ctypes.addressof(host), text, _address(made))
        if kind == _ABSENT and made is not None:
            return False
        _check(kind, message)
        return True


def _check(kind: int, message: ctypes.Array[ctypes.c_char]) -> None:
    if kind:
        raise error_of_kind(_KINDS[kind], message.value.decode(errors="replace"))


def _host(
    table: Array, module: str, weights: Array, message: ctypes.Array[ctypes.c_char]
) -> _ParamsHost:
    places = _address(table), module.encode(), _address(weights), ctypes.addressof(message)
    return _ParamsHost(*places)


def _tensor(array: Array, shape: ctypes.Array[ctypes.c_int64]) -> DLTensor:
    """Return a DLTensor of a row-major array.

    shape: memory for the sizes; the caller keeps it and the array alive.
    """
    # An array of another dtype is refused, which needs no more than a code that no dtype has.
    code, bits = DTYPES.get(array.dtype.name, (255, 8 * array.dtype.itemsize))
    made = DLTensor(_address(array))
    made.device.kind, made.ndim, made.shape = DeviceType.CPU, array.ndim, ctypes.addressof(shape)
    made.dtype.code, made.dtype.bits, made.dtype.lanes = code, bits, 1
    return made


def _address(array: Array | None) -> int | None:
    return None if array is None else address_reader()(array)
