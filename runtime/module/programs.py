"""Programs of one model for several values of its inputs, exported into one library or archive.

    module.export_library("m.so", values=[{"target": [2, 6]}, {"target": [3, 4]}])
    y = load_module("m.so")(x, np.array([3, 4]))        runs the second program

A *binding* holds the values of some inputs, as arrays by name. In: a model's interface, and a
module for each binding. Out: a module with this interface. A call runs the program whose bound
values equal the values of the call; the program itself does not take the bound inputs as arguments.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, Self, TypeAlias

import numpy as np

from ..abi.constants import SYMBOL_MAIN
from ..abi.library import LoadError
from ..abi.ndarray import Array, address_reader, numpy_dtype
from ..abi.threads import ParallelFor
from ..call.arguments import arguments_of, wrong_count
from ..call.memory import Memory
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from ..measure.profile import Profile, Profiled, given_inputs, not_recording
from .loading import LoadedCode, PythonLibrary
from .module import Module, Output
from .params import ParamMaps, Params, values_of

Binding: TypeAlias = Mapping[str, Array]
"""Arrays by the names of inputs."""


def interface_fields(
    name: str, inputs: Sequence[TensorSpec], outputs: Sequence[TensorSpec]
) -> dict[str, Any]:
    """Return the name, inputs and outputs of a model as JSON values."""
    rows = (
        [{"name": spec.name, "dtype": spec.dtype, "shape": list(spec.shape)} for spec in group]
        for group in (inputs, outputs)
    )
    return {"name": name, **dict(zip(("inputs", "outputs"), rows, strict=True))}


def binding_fields(binding: Binding) -> dict[str, Any]:
    """Return a binding as JSON values, which `binding_of` reads."""
    return {"values": {name: _array_fields(array) for name, array in binding.items()}}


def _array_fields(array: Array) -> dict[str, Any]:
    return {"dtype": array.dtype.name, "shape": array.shape, "data": array.tobytes().hex()}


@dataclass(frozen=True)
class DeclaredPrograms:
    """The declared interface of a model, and the bound values of each of its programs."""

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    bindings: tuple[Binding, ...]

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> DeclaredPrograms:
        """Read the interface and the bindings from the manifest of a library or archive.

        Errors: LoadError for a malformed manifest.
        """
        try:
            inputs, outputs = (
                tuple(map(TensorSpec.of, fields[group])) for group in ("inputs", "outputs")
            )
            bindings = tuple(binding_of(row) for row in fields["programs"])
            return DeclaredPrograms(str(fields["name"]), inputs, outputs, bindings)
        except (KeyError, TypeError, ValueError) as err:
            hint = "export the model again: the file is damaged or of another version"
            raise LoadError(
                "the manifest of the programs is malformed", got=repr(err), hint=hint
            ) from err


class ProgramSet(Module):
    """A module that runs one of several programs, by the values of some inputs; see `load_module`.

    programs: one module per binding.  bindings: the bound values of each program.  reduce: returns
    the result of ``__reduce__``, without imported modules.
    """

    programs: tuple[Module, ...]
    bindings: tuple[Binding, ...]
    reduce: Callable[[], tuple[Any, ...]]

    @classmethod
    def of_programs(cls, fields: Mapping[str, Any], programs: Sequence[Module]) -> Self:
        """Make the module that chooses between the programs of a library or archive.

        fields: the manifest of the library or archive.  programs: the module of each program.

        Errors: LoadError for a malformed manifest.
        """
        interface = DeclaredPrograms.of_fields(fields)
        first = programs[0].manifest
        manifest = Manifest(
            interface.name, interface.inputs, interface.outputs, sizes=0, arena_bytes=0,
            weights_bytes=0, max_threads=first.max_threads, target=first.target,
            cpu_flags=first.cpu_flags, compiler=first.compiler,
        )  # fmt: skip

        def fill(*arrays: object) -> None:
            program, rest = module.program_for(arrays)
            program.fill(rest)

        library = PythonLibrary(interface.name, {SYMBOL_MAIN: fill})
        process_code = programs[0]._code.process_code
        loaded = LoadedCode(library, manifest, programs[0].threads, process_code=process_code)
        module = cls.of(loaded)
        module.programs, module.bindings = tuple(programs), interface.bindings
        return module

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and arguments by which pickle and copy make the module again."""
        return self.with_imports(self.reduce())

    def saved(self) -> tuple[bytes, bytes]:
        """Return the bytes of the module's library and weights, or of its archive.

        Errors: ArgumentError if its parameters were replaced.
        """
        *files, _, replaced = self.reduce()[1]
        if replaced:
            raise ArgumentError(
                f"{self.name} cannot be part of a file: its parameters were replaced",
                hint="replace the parameters of the module that compile returned, and export it",
            )
        library, weights = [*files, b""][:2]
        return library, weights

    def export_library(self, path: object, **_options: object) -> NoReturn:
        """Raise an error: only the module that `compile` returned can be exported.

        Errors: ArgumentError.
        """
        raise not_exportable(self.name, path)

    def program_for(self, arrays: Sequence[object]) -> tuple[Module, list[object]]:
        """Choose the program whose bound values equal the values of a call.

        Return the program, and the arguments that it takes: those of the call without the bound
        inputs.

        arrays: the arguments of the call.

        Errors: ArgumentError if no program has the bound values of the call.
        """
        if len(arrays) < len(self.inputs):
            raise wrong_count(self.manifest, len(arrays))
        named = {a.spec.name: a for a in arguments_of(self.manifest)[: len(self.inputs)]}
        bound = [name for name in named if name in self.bindings[0]]
        given = {name: named[name].array_of(arrays[named[name].position]) for name in bound}
        for program, binding in zip(self.programs, self.bindings, strict=True):
            if all(np.array_equal(given[name], binding[name]) for name in bound):
                positions = {named[name].position for name in bound}
                return program, [x for n, x in enumerate(arrays) if n not in positions]
        raise ArgumentError(
            f"{self.name}: the file has no program for these values",
            expected="; ".join(map(binding_text, self.bindings)),
            got=binding_text(given),
            hint="export the model with these values too",
            signature=self.manifest.signature,
        )

    def _run(self, arrays: Sequence[object], threads: int) -> tuple[Output, ...] | None:
        program, rest = self.program_for(arrays)
        return program._run(rest, threads)

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Measure runs of the program that the inputs choose; return a profile.

        The parameters are those of `ExportedModule.profile`.

        Errors: ArgumentError if the file does not record times, or for inputs that do not fit.
        """
        program, rest = self.program_for(self._given(given_inputs(inputs)))
        if not isinstance(program, Profiled):
            raise not_recording(self.name)
        return program.profile(*rest, threads=threads, rounds=rounds)

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Raise an error: the shapes depend on the program, and so on values of inputs.

        Errors: ArgumentError.
        """
        raise self._depends("the shapes of outputs")

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Raise an error: the memory of a call depends on the program, and so on values of inputs.

        Errors: ArgumentError.
        """
        raise self._depends("the memory of a call")

    @cached_property
    def params(self) -> ParamMaps:
        """The parameters of all programs; a program's own module has the table of its weights."""
        return ParamMaps.joined([program.params for program in self.programs])

    def _values(self) -> Mapping[str, Array]:
        return ChainMap(*(dict(program._values()) for program in self.programs))

    def _refuse_reading(self, name: str, module: str) -> NoReturn:
        programs = (each for each in self.programs if name in each.params.specs)
        next(programs, self.programs[0])._refuse_reading(name, module)

    def load_params(self, params: Params) -> None:
        """Replace parameters in all programs; the parameter is that of `Module.load_params`.

        Programs that share weights share the new weights, too.

        Errors: ArgumentError, as from `Module.load_params`; then nothing is replaced.
        """
        given = values_of(params)
        # The first program reports a name that no program has.
        known = [{*self.programs[0].params.specs, *(given.keys() - self.params.specs.keys())}]
        known += [{*program.params.specs} for program in self.programs[1:]]
        shares = [
            {name: value for name, value in given.items() if name in names} for names in known
        ]
        made: list[Array] = []
        for number, (program, own) in enumerate(zip(self.programs, shares, strict=True)):
            twin = self._twin(number)
            made.append(program.repacked(own, self.name) if twin is None else made[twin])
        for program, own, weights in zip(self.programs, shares, made, strict=True):
            program.take_params(own, weights)

    def _twin(self, number: int) -> int | None:
        """Return the number of an earlier program with the same weights and parameters, or None.

        number: the number of the program.
        """
        program = self.programs[number]
        return next(
            (
                n
                for n, other in enumerate(self.programs[:number])
                if is_same_memory(program.weights, other.weights) and program.params == other.params
            ),
            None,
        )

    def set_pool(self, parallel_for: ParallelFor | None) -> None:
        """Set the function that runs the parallel loops of all programs; see `Module.set_pool`."""
        for program in self.programs:
            program.set_pool(parallel_for)

    def _depends(self, what: str) -> ArgumentError:
        return ArgumentError(
            f"{self.name}: {what} depends on the program, which values choose",
            got=f"{len(self.programs)} programs",
            hint="ask one of module.programs",
        )


def not_exportable(name: str, path: object) -> ArgumentError:
    """Return the error for an export of a module that was loaded from files.

    name: the module.  path: the file to which it should be exported.
    """
    return ArgumentError(
        f"{name} was loaded from files, which cannot be linked again",
        expected="the module that compile or build returned",
        got=f"export_library({str(path)!r}) of a loaded module",
        hint="copy its files; for other parameters, call load_params after each load_module, or on "
        "the compiled module before export_library",
    )


def is_same_memory(array: Array | None, other: Array | None) -> bool:
    """Return whether two arrays of bytes have the same address and size; None equals only None."""
    if array is None or other is None:
        return array is other
    read = address_reader()
    return array.nbytes == other.nbytes and read(array) == read(other)


def binding_of(fields: Mapping[str, Any]) -> Binding:
    """Read a binding from the JSON values that `binding_fields` returned."""
    rows: Mapping[str, Mapping[str, Any]] = fields["values"]
    return {
        name: np.frombuffer(bytes.fromhex(row["data"]), numpy_dtype(row["dtype"])).reshape(
            row["shape"]
        )
        for name, row in rows.items()
    }


def binding_text(binding: Mapping[str, Array]) -> str:
    """Return the values of a binding as text for messages."""
    return ", ".join(f"{name} = {array.tolist()}" for name, array in binding.items())
