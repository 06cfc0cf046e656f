"""The packed function of a compiled model, as Python code looks it up in a module by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ..abi.fast_call import Binding, FastCalls
from ..abi.library import Symbols
from ..abi.ndarray import DeviceArray
from ..abi.packed import Call, PackedFunc
from ..file.manifest import Manifest
from .arguments import Argument


class CompiledFunction(PackedFunc):
    """A function that fills the outputs of a model.

    Compiled code checks all fields of a DLTensor. A DLTensor has no field for read-only memory, so
    this class checks before the call that the outputs are writable.
    """

    _arguments: Sequence[Argument] = ()

    @classmethod
    def of_model(
        cls,
        library: Symbols,
        symbol: str,
        manifest: Manifest,
        arguments: Sequence[Argument],
        alive: object,
        fast: tuple[FastCalls, Binding] | None,
    ) -> Self:
        """Return the function at a symbol of a library; it keeps the library and ``alive``.

        arguments: the arguments of a call, in order.  fast: machine code for fast calls, or None.
        """
        kind = cls if fast is None else fast[0].type_of(cls)
        made = kind.of_library(library, symbol, manifest.name, alive=alive)
        made._arguments = arguments
        if fast is not None:
            calls, binding = fast
            made._alive = (made._alive, calls, calls.bind(made, cls, binding))
        return made

    def _where(self, index: int) -> str:
        known = self._arguments
        return known[index].where if index < len(known) else super()._where(index)

    def call_through(self, call: Call, arguments: Sequence[object]) -> Any:
        """Call with Python values through a C function; see `PackedFunc.call_through`.

        Errors: also ArgumentError for an output that a call may not write.
        """
        for argument, value in zip(self._arguments, arguments, strict=False):
            if not argument.is_input and not isinstance(value, DeviceArray):
                argument.writable(value)
        return super().call_through(call, arguments)


__all__ = ["CompiledFunction"]
