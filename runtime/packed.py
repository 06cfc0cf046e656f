"""Packed functions: type-erased callables, compiled or written in Python, on the same C ABI.

    int f(void *self, const Value *args, int32_t count, Value *result)

values.py says which Python values can be arguments and results.  If a Python function raises inside
compiled code, the outer call raises the same exception.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from ctypes import addressof
from typing import Any

from .abi import FunctionObject, PackedCFunction, TypeIndex, Value
from .errors import error_channel
from .library import Symbols
from .objects import object_table
from .read_only import read_only_memory
from .values import load, store, store_result


class PackedFunc:
    """A function called by the packed-function ABI.

    Errors: ArgumentError for a value that cannot be passed, or that the function rejects;
    OutOfRangeError, KernelError or MemoryError if it fails; any exception of a Python function
    inside.
    """

    def __init__(
        self, address: int, name: str, *, handle: int | None = None, alive: object = None
    ) -> None:
        """Wrap the C function at an address.

        handle: passed as `self`.  alive: kept as long as the function.
        """
        self.name = name
        self._function = PackedCFunction(address)
        self._address, self._handle, self._alive = address, handle, alive
        self._object: int | None = None

    @classmethod
    def of_library(cls, library: Symbols, symbol: str, name: str) -> PackedFunc:
        """Return an exported function of a library."""
        return cls(library.address(symbol), name, alive=library)

    @classmethod
    def of_python(cls, function: Callable[..., object], name: str) -> PackedFunc:
        """Wrap a Python function so that compiled code can call it."""
        if isinstance(function, PackedFunc):
            return function
        callback = PackedCFunction(_callback(function, name))
        address = ctypes.cast(callback, ctypes.c_void_p).value or 0
        return cls(address, name, alive=(callback, function))

    @classmethod
    def of_object(cls, address: int) -> PackedFunc:
        """Return the function of an object; takes over a reference to it."""
        made = FunctionObject.from_address(address)
        function = cls(made.safe_call or 0, f"function at {address:#x}", handle=address)
        weakref.finalize(function, object_table().release, address).atexit = False
        return function

    @property
    def code(self) -> tuple[int, int | None]:
        """Return the address of the C function, and its `self` argument."""
        return self._address, self._handle

    def object_address(self) -> int:
        """Return the address of a function object that lives as long as this function."""
        if self._handle is not None:
            return self._handle
        if self._object is None:
            made = FunctionObject(safe_call=self._address)
            table = object_table()
            # A reference to the object keeps the code alive, not this Python object.
            self._object = table.make(made, TypeIndex.FUNCTION, self._alive, self._function)
            weakref.finalize(self, table.release, self._object).atexit = False
        return self._object

    def __repr__(self) -> str:
        return f"<PackedFunc {self.name}>"

    def __call__(self, *arguments: object) -> Any:
        """Call with Python values; return the function's result."""
        values = (Value * max(1, len(arguments)))()
        # Also holds the memory of arguments until the result has been read.
        alive = [
            store(values[index], argument, f"{self.name}: argument {index}", PackedFunc.of_python)
            for index, argument in enumerate(arguments)
        ]
        result = Value()
        channel = error_channel()
        channel.clear()
        with read_only_memory(kept[-1] for kept in alive if isinstance(kept, tuple)):
            status = self._function(
                self._handle, addressof(values), len(arguments), addressof(result)
            )
        if status:
            raise channel.take(f"{self.name} failed with status {status}")
        loaded = load(result, f"the result of {self.name}", PackedFunc.of_object, owned=True)
        del alive
        return loaded


def _callback(
    function: Callable[..., object], name: str
) -> Callable[[int | None, int | None, int, int], int]:
    """Return the C callback of a Python function: 0, or -1 with the exception in the channel."""

    def call(_handle: int | None, arguments: int | None, count: int, result: int) -> int:
        try:
            returned = function(*_loaded(arguments, count, name))
            where = f"the result of {name}"
            store_result(Value.from_address(result), returned, where, PackedFunc.of_python)
        # The boundary to C: the outer call re-raises any exception, even an interrupt.
        except BaseException as err:
            error_channel().put(err)
            return -1
        return 0

    return call


def _loaded(arguments: int | None, count: int, name: str) -> Sequence[object]:
    if not count or arguments is None:
        return ()
    values = (Value * count).from_address(arguments)
    return [
        load(value, f"argument {i} of {name}", PackedFunc.of_object, owned=False)
        for i, value in enumerate(values)
    ]
