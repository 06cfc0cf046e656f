"""The kernels of a program for a device, as an imported module of the program's module.

    kernels = module.imported_modules[0]
    kernels.kind                "opencl"
    kernels.get_source()        the code that the driver of the device takes

In: the code of the kernels, and the names of their functions. Out: a module without packed
functions, since only the program launches the kernels.
"""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable
from functools import cached_property

from ..module.functions import FunctionTable, ModuleFunctions
from ..module.loading import PythonLibrary


class DeviceModule(ModuleFunctions):
    """The kernels of a program for one kind of device.

    format: the format of the code that the device's driver takes.  kernels: the names of the
    kernels. texts: a function that returns the code in another format, or None.
    """

    texts: Callable[..., str] | None = None

    def __init__(self, name: str, kind: str, code: bytes, kernels: tuple[str, ...]) -> None:
        self.name, self._kind, self.code, self.kernels = name, kind, code, kernels
        self.format = _FORMATS.get(kind, kind)

    @property
    def kind(self) -> str:
        """The kind of device that runs the kernels."""
        return self._kind

    @cached_property
    def functions(self) -> FunctionTable:
        """An empty function table."""
        return FunctionTable(self.name, {}, PythonLibrary(self.name, {}))

    def use_texts(self, texts: Callable[..., str] | None) -> None:
        self.texts = texts

    def get_source(self, kind: str = "") -> str:
        """Return the code of all kernels: source, or a binary file in base64.

        kind: empty for the format of the driver, or another format, such as ``cuda``, for a module
        that `compile` or `build` returned.

        Errors: LookupError for a format that the module does not have.
        """
        if kind in ("", self.format):
            is_file = self.format in _BINARY
            return (encodebytes(self.code) if is_file else self.code).decode()
        if self.texts is not None:
            return self.texts(kind)
        raise LookupError(
            f"the {self.kind} module of {self.name} has no text of kind {kind!r}\n"
            f"    expected: {self.format}\n"
            "    hint: call get_source on the module that compile or build returned"
        )

    def __repr__(self) -> str:
        return f"<DeviceModule {self.name} for {self.kind}: {', '.join(self.kernels)}>"


_FORMATS = {"cuda": "ptx", "rocm": "hsaco", "vulkan": "spirv", "webgpu": "wgsl"}
"""The format of the code for each kind of device, if the format has another name than the kind."""
_BINARY = ("hsaco", "spirv")
"""The formats that are no text."""
