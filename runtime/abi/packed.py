"""Packed functions: type-erased callables, compiled or written in Python, on the same C ABI.

    int f(void *self, const Value *args, int32_t count, Value *result)

values.py converts Python values to arguments and results, from_abi.py converts them back.  If a
Python function raises inside compiled code, the outer call raises the same exception, with both
tracebacks. For functions of another runtime of the ABI, errors are converted to and from the form
of that runtime (host_errors.py).
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ctypes import addressof
from typing import Any, Self, TypeAlias

from ..errors import error_channel
from ..spelling import SuggestsNames
from .constants import FunctionObject, PackedCFunction, TypeIndex, Value
from .from_abi import borrowed_arrays, load
from .lending import Lending, separate
from .library import Symbols
from .ndarray import NDArray
from .objects import object_table
from .read_only import memory_of_call
from .values import Passed, store, store_result

Call: TypeAlias = Callable[[int | None, int, int, int], int]
"""A C function of the ABI as called from Python: self, arguments, their number, result."""


class PackedFunc(SuggestsNames):
    """A function called by the packed-function ABI.

    Errors: A call raises ArgumentError for a value that cannot be passed, or that the function
    rejects; OutOfRangeError, KernelError or MemoryError if the function fails; and any exception of
    a Python function that it calls.
    """

    def __init__(
        self, address: int, name: str, *, handle: int | None = None, alive: object = None
    ) -> None:
        """Wrap the C function at an address.

        name: the function's name in messages.  handle: passed as the C function's `self`.  alive:
        kept alive as long as this object.
        """
        self.name = name
        self._function = PackedCFunction(address)
        self._address, self._handle, self._alive = address, handle, alive
        self._object: int | None = None
        self._origin: object = None

    @classmethod
    def of_library(cls, library: Symbols, symbol: str, name: str, *, alive: object = None) -> Self:
        """Return the function that a library exports as ``symbol``.

        The function keeps the library and ``alive`` alive.  name: the function's name in messages.
        """
        return cls(library.address(symbol), name, alive=(library, alive))

    @classmethod
    def of_python(
        cls, function: Callable[..., object], name: str, *, keeps_arrays: bool = True
    ) -> PackedFunc:
        """Wrap a Python function so that compiled code can call it.

        name: the function's name in messages.  keeps_arrays: whether the function may keep arrays
        that it receives; see lending.py.
        """
        if isinstance(function, PackedFunc):
            return function
        lending = Lending(name) if keeps_arrays else None
        callback = PackedCFunction(_callback(function, name, lending))
        # ctypes.cast would make the callback part of a cycle of references.
        address = ctypes.c_void_p.from_address(addressof(callback)).value or 0
        return cls(address, name, alive=(callback, function))

    @classmethod
    def of_argument(cls, function: Callable[..., object], name: str) -> PackedFunc:
        """Wrap a Python function that is an argument or a result of a packed function.

        A Python function that receives the wrapper gets the original function.
        """
        made = cls.of_python(function, name)
        if made is not function:
            made._origin = function
        return made

    @classmethod
    def of_object(cls, address: int) -> Self:
        """Wrap the function object at an address, and take over one reference to the object."""
        made = FunctionObject.from_address(address)
        function = cls(made.safe_call or 0, f"function at {address:#x}", handle=address)
        object_table().adopt(address, function)
        return function

    @property
    def code(self) -> tuple[int, int | None]:
        """Return the address of the C function, and the value of its ``self`` argument or None."""
        return self._address, self._handle

    def object_address(self) -> int:
        """Return the address of an ABI function object that calls this function.

        The object lives at least as long as this PackedFunc.
        """
        if self._handle is not None:
            return self._handle
        if self._object is None:
            made = FunctionObject(safe_call=self._address)
            table = object_table()
            # A reference to the object keeps the code alive, not this Python object.
            function, kept = self._origin, (self._alive, self._function)
            origin = weakref.ref(self) if function is None else lambda: function
            self._object = table.make(made, TypeIndex.FUNCTION, *kept, origin=origin)
            weakref.finalize(self, table.release, self._object).atexit = False
        return self._object

    def __repr__(self) -> str:
        return f"<PackedFunc {self.name}>"

    def _where(self, index: int) -> str:
        return f"{self.name}: argument {index}"

    def __call__(self, *arguments: object) -> Any:
        """Call with Python values; return the function's result."""
        return self.call_through(self._function, arguments)

    def call_through(self, call: Call, arguments: Sequence[object]) -> Any:
        """Convert Python values to ABI values, run this function by ``call``; return the result.

        call: a function of the packed-function signature that runs this function in its own way,
        such as a timing loop. It takes the addresses of self, arguments and result, and the number
        of arguments, and returns 0 or an error status.
        """
        values = (Value * max(1, len(arguments)))()
        passed, result, channel = Passed(), Value(), error_channel()
        try:
            for index, argument in enumerate(arguments):
                where, make = self._where(index), PackedFunc.of_argument
                store(values[index], argument, where, make, passed)
            channel.clear()
            with memory_of_call(passed.arrays, self._alive):
                status = call(self._handle, addressof(values), len(arguments), addressof(result))
            if status:
                raise channel.take(f"{self.name} failed with status {status}")
            return load(result, f"the result of {self.name}", PackedFunc.of_object, owned=True)
        finally:
            passed.release()


def _callback(
    function: Callable[..., object], name: str, lending: Lending | None
) -> Callable[[int | None, int | None, int, int], int]:
    """Return a C callback that calls a Python function; it returns -1 if the function raises.

    name: the function's name in messages.  lending: handles arrays that the function keeps; None
    for a function that keeps no arrays.
    """
    where = f"the result of {name}"

    def call(_handle: int | None, arguments: int | None, count: int, result: int) -> int:
        given: list[object] = []
        lent: Mapping[int, NDArray] = {}
        try:
            given, lent = _loaded(arguments, count, name)
            originals = lending.begin(lent) if lending and lent else ()
            given = [function(*given)]
            made, borrowed = Value.from_address(result), [each.numpy() for each in lent.values()]
            store_result(made, given[0], where, PackedFunc.of_argument, borrowed)
            given.clear()
            del borrowed
            if lending and lent:
                lending.end(lent, originals)
        # The boundary to C: the outer call re-raises any exception, even an interrupt.
        except BaseException as err:
            error_channel().put(err)
            given.clear()  # the traceback refers to it, and to the arrays of the function
            with suppress(MemoryError):
                separate(lent)
            return -1
        return 0

    return call


def _loaded(
    arguments: int | None, count: int, name: str
) -> tuple[list[object], Mapping[int, NDArray]]:
    """Return the arguments of a call as Python values, and its arrays on borrowed memory.

    The second result maps the position of an argument to the array.

    arguments: the address of the first value, or None if there is none.  name: the function's name
    in messages.
    """
    if not count or arguments is None:
        return [], {}
    values = (Value * count).from_address(arguments)
    given = [
        load(value, f"argument {i} of {name}", PackedFunc.of_object, owned=False)
        for i, value in enumerate(values)
    ]
    return given, borrowed_arrays(values, given)
