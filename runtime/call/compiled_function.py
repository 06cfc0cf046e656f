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
    """A packed function that reads the inputs of a model and fills its outputs.

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
        """Return the function that a library exports as ``symbol``; it keeps ``alive`` alive.

        arguments: the arguments of a call, in order.  fast: the machine code of fast calls and the
        binding of this function, or None.
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
        """Check that the outputs are writable, then call as `PackedFunc.call_through` does.

        Errors: ArgumentError for an output that a call may not write, and the errors of the call.
        """
        for argument, value in zip(self._arguments, arguments, strict=False):
            if not argument.is_input and not isinstance(value, DeviceArray):
                argument.writable(value)
        return super().call_through(call, arguments)
