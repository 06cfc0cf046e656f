"""The functions of a module by name, and the modules that it imports.

In: for each name, a function that makes the packed function. Out: the packed function, the same
object at each look-up. With ``query_imports``, a name that the module does not have is looked up in
its imported modules.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, cast
from weakref import WeakValueDictionary

from ..abi.constants import DeviceType
from ..abi.device import Device, cpu
from ..abi.library import Symbols
from ..abi.packed import PackedFunc
from ..abi.registry import unknown_function
from ..call.timing import TimeEvaluator
from ..errors import ArgumentError
from ..spelling import SuggestsNames, suggests_arguments
from .graph_executor import Executable, GraphModule, Inputs

Makers: TypeAlias = Mapping[str, Callable[[], PackedFunc]]


DEFAULT = "default"
"""The function that returns an executor if called with a device, and runs main on tensors."""
_INTERNAL = frozenset(
    (
        "accepts", "check_device", "executor_inputs", "fill", "filled_shapes", "functions",
        "main_function", "manifest_text", "of", "of_code", "of_handle", "repacked", "replaced",
        "saved", "share_weights", "take_params", "unbound", "unformed", "use_weights",
        "valid_parts",
    )
)  # fmt: skip
"""Attributes of a module that only other parts of this package use."""


class FunctionTable:
    """The functions of one module by name; the table makes each function at its first look-up.

    Look-ups of a name return the same object while the object is in use.

    library: the code of the functions.  own: modules that belong to the code: the kernels of a
    device, and programs for other targets.  imported: modules that `import_module` has added.
    `find` can also search ``own`` and then ``imported``.
    """

    def __init__(self, module_name: str, makers: Makers, library: Symbols) -> None:
        self.library = library
        self.own: tuple[ModuleFunctions, ...] = ()
        self.imported: list[ModuleFunctions] = []
        self._module_name, self._makers = module_name, makers
        self._made: WeakValueDictionary[str, PackedFunc] = WeakValueDictionary()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def get(self, name: str) -> PackedFunc | None:
        """Return a function by name, or None; modules that the module imports are not searched."""
        found = self._made.get(name)
        if found is None and name in self._makers:
            found = self._made.setdefault(name, self._makers[name]())
        return found

    def find(self, name: str, *, query_imports: bool) -> PackedFunc:
        """Return a function by name.

        query_imports: if the module lacks the function, also search the modules that it imports.

        Errors: KeyError with the nearest names for an unknown name.
        """
        found = self.get(name)
        if found is not None:
            return found
        tables = [each.functions for each in _imported_by(self)]
        elsewhere = next(filter(None, (table.get(name) for table in tables)), None)
        if elsewhere is not None and query_imports:
            return elsewhere
        known = ", ".join(self) or "none"
        rule = f"module {self._module_name} has no function {name!r}; it has {known}"
        if elsewhere is not None:
            hint = "an imported module has it: call get_function(name, query_imports=True)"
            raise unknown_function(rule, name, (), hint)
        raise unknown_function(rule, name, [*self, *(n for table in tables for n in table)])

    def add(self, module: ModuleFunctions) -> None:
        """Add an imported module.

        Errors: ArgumentError for a value that is no module, and for a cycle of imports.
        """
        if not isinstance(module, ModuleFunctions):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"{self._module_name} imports modules only",
                got=type(module).__name__,
                hint="pass a module that compile, build or load_module returned",
            )
        table = module.functions
        if table is self or any(each.functions is self for each in _imported_by(table)):
            raise ArgumentError(
                f"{self._module_name} cannot import {module.name}, which imports it",
                hint="import in one direction only",
            )
        self.imported.append(module)


class ModuleFunctions(ABC, SuggestsNames):
    """The base class of modules: looks up functions and imports other modules."""

    entry_name: ClassVar[str] = "main"
    """The name of the function that runs the model."""

    name: str
    _library: Symbols

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of target of the module, such as ``llvm`` or ``cuda``."""

    @abstractmethod
    def get_source(self, kind: str = "") -> str:
        """Return the source or the IR of the module.

        kind: a language or level; empty: the form that the target takes.

        Errors: LookupError for a kind that the module does not have.
        """

    def __dir__(self) -> list[str]:
        """List the public attributes and the functions of the module."""
        functions = filter(str.isidentifier, self.functions) if self._is_made else ()
        return sorted({*super().__dir__(), *functions} - _INTERNAL)

    @property
    def _is_made(self) -> bool:
        """Whether the object is initialized, so that functions can be looked up."""
        return {"name", "_library"} <= vars(self).keys()

    @cached_property
    def functions(self) -> FunctionTable:
        """The functions of the module."""
        return functions_of(cast("_Runnable", self), self._library)

    def __getitem__(self, name: str) -> PackedFunc:
        """Return a function of the module by its name; ``main`` runs the model.

        The outputs of the model are arguments of the function.

        Errors: KeyError with the nearest names for an unknown name.
        """
        return self.functions.find(name, query_imports=False)

    if not TYPE_CHECKING:  # so that type checkers know the methods of a module only

        def __getattr__(self, name: str) -> PackedFunc:
            """Return a function of the module as an attribute: ``mod.vecadd(a, b, c)``.

            Errors: UnknownName, an AttributeError, for a name that no function has.
            """
            may_exist = not name.startswith("_") and self._is_made
            found = self.functions.get(name) if may_exist else None
            return super().__getattr__(name) if found is None else found

    def get_function(self, name: str, *, query_imports: bool = False) -> PackedFunc:
        """Return a function of the module, the same object for each look-up.

        query_imports: also look in imported modules.
        Errors: KeyError with the nearest names for an unknown name.
        """
        return self.functions.find(name, query_imports=query_imports)

    def _with_outputs(self, arguments: Sequence[object]) -> tuple[object, ...]:
        return tuple(arguments)

    def import_module(self, module: ModuleFunctions) -> None:
        """Import a module, so that `get_function` with ``query_imports=True`` finds its functions.

        `export_library`, pickle and copy include imported modules.

        Errors: ArgumentError for a value that is no module, and for a cycle of imports.
        """
        self.functions.add(module)

    @suggests_arguments
    def time_evaluator(
        self,
        name: str,
        device: Device | None = None,
        *,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0,
        cooldown_interval_ms: float = 0,
    ) -> TimeEvaluator:
        """Return a function that measures calls of a function of the module.

        ``mod.time_evaluator("main", cpu(0), number=100)(a, b, c).mean`` is the time per call in
        seconds. If outputs are left out, as in ``(a, b)``, they are allocated once.
        number: calls per repeat.  min_repeat_ms: raises the number of calls, so that each repeat
        takes at least this long.  cooldown_interval_ms: the pause before each repeat.
        Errors: KeyError for an unknown name, ArgumentError for a device that does not run the
        module, a number or repeat below 1, and for functions without machine code.

        >>> module = tilewright.compile("model.onnx")
        >>> result = module.time_evaluator("main", number=10)(np.ones((1, 4), np.float32))
        >>> 0 < result.min <= result.mean
        True
        """
        self.check_device(device)
        function = self.get_function(name)
        is_main = function is self.functions.get(self.entry_name)
        return TimeEvaluator(
            function,
            self.functions.library,
            completed=self._with_outputs if is_main else tuple,
            number=number,
            repeat=repeat,
            min_repeat_ms=min_repeat_ms,
            cooldown_interval_ms=cooldown_interval_ms,
        )

    def check_device(self, device: Device | None) -> None:
        """Raise an error for a device on which the module does not run; None is its own device.

        Errors: ArgumentError.
        """
        if device is not None and device != cpu(0):
            raise ArgumentError(
                f"{self.name} does not run on {device}",
                expected=cpu(0),
                got=device,
                hint="pass cpu(0)",
            )

    def executor_inputs(self, device: Device | None = None) -> Inputs:
        """Return memory for the inputs of a new executor.

        The memory is on the host; a module that runs on several devices overrides this method.

        device: ignored here; the device whose memory an overriding method returns.
        """
        del device  # the host's memory is the only choice
        # imported late, because most programs have no executors
        from ..call.executor_model import ExecutorInputs

        return ExecutorInputs(cast("Executable", self))

    @property
    def imported_modules(self) -> tuple[ModuleFunctions, ...]:
        """Return the imported modules, in order.

        The first modules belong to the code of this module: the kernels of a program for a device
        (`DeviceModule`), and the programs of ``placement=`` for other targets.
        """
        return (*self.functions.own, *self.functions.imported)

    def saved(self) -> tuple[bytes, bytes]:
        """Return the bytes of the module's library and of its weights, without imported modules.

        Errors: ArgumentError for a module that has no files.
        """
        raise ArgumentError(
            f"{self.name} cannot be part of a file: it has no files of its own",
            expected="modules that compile and build returned or load_module has loaded",
            got=repr(self),
            hint="import the module that these kernels or programs belong to",
        )

    def with_imports(self, made: tuple[Any, ...]) -> tuple[Any, ...]:
        """Add the imported modules to a result of ``__reduce__``, as the state of the object.

        made: the result of ``__reduce__`` for the module without its imported modules.
        """
        imported = tuple(self.functions.imported)
        return (*made, imported) if imported else made

    def use_texts(self, texts: Callable[..., str] | None) -> None:
        """Give a device module the function that returns the source of its kernels.

        All other modules ignore the call.

        texts: `get_source` of the program that launches the kernels, or None.
        """
        del texts  # a program for processors has its own

    def __setstate__(self, imported: tuple[ModuleFunctions, ...]) -> None:
        """Set the imported modules of a module that pickle or copy has made."""
        self.functions.imported[:] = imported


def device_kind_of(target: str) -> int:
    """Return DLPack's number of the kind of device whose arrays a module takes.

    target: the target that the module was compiled for. If its kind is no kind of device, as for
    ``llvm``, the result is the number of the CPU.
    """
    kind = target.split()[0].upper()
    return DeviceType.__members__.get(kind, DeviceType.CPU)


def functions_of(module: _Runnable, library: Symbols) -> FunctionTable:
    """Return the function table of a compiled module.

    The table has the main function, under ``main`` and the name of the module, and the function
    ``default``: ``default(device)`` returns an executor, ``default(x)`` runs the module.

    library: the code of the functions.
    """
    name = module.name
    # The table belongs to the module, so it must not keep the module alive.
    reference = weakref.ref(module)

    def called() -> _Runnable:
        found = reference()
        assert found is not None, "the module looks up its functions"
        return found

    @cache
    def main() -> PackedFunc:
        return called().main_function()

    def default() -> PackedFunc:
        return PackedFunc.of_python(partial(_default, called()), DEFAULT)

    makers = {ModuleFunctions.entry_name: main, name: main}
    return FunctionTable(name, {DEFAULT: default, **makers}, library)


class _Runnable(Executable, Protocol):
    """The methods of a module that `functions_of` uses."""

    def check_device(self, device: Device | None) -> None:
        """Raise an error for a device on which the module does not run."""
        ...

    def main_function(self) -> PackedFunc:
        """Return the packed function that fills the outputs of a call."""
        ...


def _default(module: _Runnable, *arguments: object) -> object:
    if len(arguments) != 1 or not isinstance(arguments[0], Device):
        return module(*arguments)
    module.check_device(arguments[0])
    return GraphModule(module, arguments[0])


def _imported_by(table: FunctionTable) -> Iterator[ModuleFunctions]:
    """Yield all modules that a module imports, directly or through other imports, each once."""
    seen, stack = set[int](), [iter((*table.own, *table.imported))]
    while stack:
        module = next(stack[-1], None)
        if module is None:
            stack.pop()
        elif id(module) not in seen:
            seen.add(id(module))
            yield module
            functions = module.functions
            stack.append(iter((*functions.own, *functions.imported)))
