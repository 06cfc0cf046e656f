"""The C code of executors (runtime/native/executor.c), called from Python.

The code checks the inputs of a module and copies them to memory of the executor. It is a part of
the library of the worker pool, which a process loads once.
"""

from __future__ import annotations

import ctypes
import weakref
from ctypes import addressof, c_char_p, c_int32, c_void_p

from ..abi.constants import SYMBOL_EXECUTOR_FUNCTIONS, TypeIndex, Value
from ..abi.dltensor import tensor_of
from ..abi.from_abi import load
from ..abi.ndarray import Array, NDArray
from ..abi.packed import PackedFunc
from ..errors import error_channel
from ..strings import name_bytes
from .model import model_of
from .states import StatefulCallee


class _Functions(ctypes.Structure):
    """The ctypes layout of ``struct tw_executor_functions`` in runtime/native/executor.h."""

    _fields_ = (
        ("create", ctypes.CFUNCTYPE(c_void_p, c_void_p)),
        ("destroy", ctypes.CFUNCTYPE(None, c_void_p)),
        ("set_input", ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p)),
        ("get_input", ctypes.CFUNCTYPE(c_void_p, c_void_p, c_char_p)),
        ("check_inputs", ctypes.CFUNCTYPE(c_int32, c_void_p)),
    )


class ExecutorInputs:
    """The inputs of an executor: arrays in memory of the C code, by name."""

    def __init__(self, module: StatefulCallee) -> None:
        self._library = module.process_library(SYMBOL_EXECUTOR_FUNCTIONS)
        table = self._library.address(SYMBOL_EXECUTOR_FUNCTIONS)
        self._functions = functions = _Functions.from_address(table)
        self._model, self._name = model_of(module), module.name
        self._executor = functions.create(addressof(self._model))
        if not self._executor:
            raise self._failure()
        self._arrays: dict[str, NDArray] = {}
        weakref.finalize(self, functions.destroy, self._executor).atexit = False

    def set(self, name: str, array: Array | None) -> None:
        """Copy an array to an input.

        array: None, for a value that is no array, raises the C code's error for a missing array.

        Errors: ArgumentError for an unknown input, and for None or an array that does not fit.
        """
        tensor, _alive = (None, None) if array is None else tensor_of(array, name)
        address = None if tensor is None else addressof(tensor)
        is_refused = self._functions.set_input(self._executor, self._bytes_of(name), address)
        if is_refused or array is None:
            raise self._failure()
        known = self._arrays.get(name)
        if known is None or known.shape != array.shape:  # an equal shape keeps the memory
            self._arrays[name] = self._loaded(name)

    def get(self, name: str) -> NDArray:
        """Return the array of an input, on the memory of the executor.

        Errors: ArgumentError for an unknown input, and for one that is not set.
        """
        return self._arrays[name] if name in self._arrays else self._loaded(name)

    def given(self) -> dict[str, Array]:
        """Return copies of the inputs that are set."""
        return {name: array.numpy().copy() for name, array in self._arrays.items()}

    def _loaded(self, name: str) -> NDArray:
        address = self._functions.get_input(self._executor, self._bytes_of(name))
        if not address:
            raise self._failure()
        value = Value(type_index=TypeIndex.TENSOR)
        value.payload.pointer = address
        return load(value, f"input {name} of {self._name}", PackedFunc.of_object, owned=True)

    def _bytes_of(self, name: str) -> bytes:
        return name_bytes(name, f"{self._name}: an input")

    def check(self) -> None:
        """Check that all inputs are set.

        Errors: ArgumentError.
        """
        if self._functions.check_inputs(self._executor):
            raise self._failure()

    def _failure(self) -> BaseException:
        return error_channel().take(f"an executor of {self._name} failed")
