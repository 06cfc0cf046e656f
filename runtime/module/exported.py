"""Exported modules: files that `export_library` has written, loaded without the compiler.

    module = load_module("m.so")
    y = module(x)

In: a shared object, with its weights inside or in a file next to it. Out: a module that behaves
like the exported module. The loader checks the code against its build ID before the system loads
it, then the version of the ABI, the processor features, and the length and the header of the
weights, which contains their digest. With ``verify``, it checks all bytes of all files. The system
loads a private copy of the code, so the file may change later, and two modules may share it;
weights are mapped from the file. All members of an archive (archive.py) are checked, and none is
extracted.

A library may contain several programs of one model (programs.py). Each program has a manifest and
its own range of the weights. pickle and copy make a module again from the bytes of its files, by
`load_saved`, `load_archive`, `load_parts` or `load_part`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, Self, TypeAlias

from ..abi.constants import (
    SYMBOL_KERNELS_CODE,
    SYMBOL_MANIFEST,
)
from ..abi.library import Library, PartLibrary
from ..abi.ndarray import Array
from ..abi.threads import ThreadPool, check_threads, process_pool
from ..call.states import states_of_manifest
from ..file.archive import is_archive, programs_in
from ..file.manifest import Manifest, fields_of
from ..file.module_json import graph_json
from ..measure.profile import (
    Profile,
    Recording,
    TraceRecorder,
    given_inputs,
    profile_runs,
    steps_of,
)
from .exported_files import (
    FileBytes,
    Files,
    ImportedFile,
    check_weights,
    contents,
    imports_in,
    read_whole,
    weights_of,
)
from .loading import LoadedCode, bind_code, check_processor, weights_blob
from .module import Module
from .params import ParamMaps
from .programs import ProgramSet, not_exportable

Reduced: TypeAlias = "tuple[Any, tuple[bytes, bytes, int]]"
"""How pickle makes a module again: a function and its arguments."""


def load_module(
    path: str | PathLike[str],
    *,
    threads: int | None = None,
    verify: bool = False,
    trusted: Sequence[object] | None = None,
) -> ExportedModule | ProgramSet:
    """Load a module that `export_library` has written, a shared object or an archive.

    threads: default of a call; None means as many as this process may use.  verify: read and check
    all bytes of the files, not only the code.  trusted: public keys (PEM: a path, string or bytes);
    one of them must have signed the file, and all bytes are read and checked.

    Errors: LoadError for a file that no trusted key has signed, damaged or missing files, files of
    different exports, another version of the ABI, a processor without the features that the code
    needs, or a global function that is not registered; OSError if the library itself cannot be
    read.
    """
    file = Path(path)
    is_checked = verify or trusted is not None

    def read() -> ExportedModule | ProgramSet:
        data, name = contents(file, trusted), os.fspath(path)
        if not is_archive(data):
            files = Files(name, data, None, is_read=trusted is not None)
            return _of_files(files, threads, verify=is_checked)
        return _of_archive(data, name, threads, verify=is_checked)

    return read_whole(file, read)


def load_contents(
    data: bytes, name: str, find: Callable[[str], memoryview], *, threads: int | None
) -> ExportedModule | ProgramSet:
    """Load a library or an archive from bytes; all digests are checked.

    data: the bytes of the file.  name: its name in messages.  find: takes the name of a weight
    file, and returns its bytes.  threads: the default of a call; None: as many as this process may
    use.

    Errors: LoadError, as `load_module`; the errors of ``find``.
    """
    view = memoryview(data)
    if is_archive(view):
        return _of_archive(view, name, threads, verify=True)
    return _of_files(Files(name, view, None, find=find), threads, verify=True)


def load_archive(data: bytes, threads: int, replaced: Mapping[int, bytes]) -> ProgramSet:
    """Make the module of an archive with several programs again, for pickle and copy.

    data: the bytes of the archive.  replaced: the weights of each program whose parameters were
    replaced after loading, by the number of the program.
    """
    module = _of_archive(memoryview(data), "module", threads, verify=False, has_imports=False)
    return _with_weights(module, replaced)


def _of_archive(
    data: memoryview, name: str, threads: int | None, *, verify: bool, has_imports: bool = True
) -> ExportedModule | ProgramSet:
    fields, programs = programs_in(data, name, verify=verify)
    files = [Files(name, parts["library"], parts["params"]) for parts in programs]
    modules = [_of_files(each, threads, verify=verify, has_imports=has_imports) for each in files]
    if "programs" not in fields:
        return modules[0]
    made = ProgramSet.of_programs(fields, modules)
    # The first library has the imports of the whole module.
    own = modules[0].functions.imported
    made.functions.imported, own[:] = [*own], []
    made.reduce = lambda: (load_archive, (bytes(data), made.threads, _replaced(modules)))
    return made


def _with_weights(module: Module, replaced: Mapping[int, bytes]) -> ProgramSet:
    assert isinstance(module, ProgramSet), "it was such a module"
    shared: dict[int, Array] = {}
    for number, data in replaced.items():
        if id(data) not in shared:
            shared[id(data)] = weights_blob(data, len(data))
        module.programs[number].use_weights(shared[id(data)])
    return module


def _replaced(modules: Sequence[Module]) -> dict[int, bytes]:
    """Return the weights of the programs whose parameters `load_params` has replaced.

    The key is the number of the program. Programs that share weights in memory get the same bytes
    object.
    """
    arrays = {
        n: each.replaced
        for n, each in enumerate(modules)
        if isinstance(each, ExportedModule) and each.replaced is not None
    }
    data = {id(array): array.tobytes() for array in {id(a): a for a in arrays.values()}.values()}
    return {number: data[id(array)] for number, array in arrays.items()}


def load_saved(library: bytes, weights: bytes, threads: int | None) -> ExportedModule | ProgramSet:
    """Make the module of a library and its weight file again, for pickle and copy.

    Imported modules are not loaded, because pickle and copy pass them separately.
    """
    files = Files("module", memoryview(library), memoryview(weights))
    return _of_files(files, threads, verify=False, has_imports=False)


def load_parts(
    library: bytes, weights: bytes, threads: int, replaced: Mapping[int, bytes]
) -> ProgramSet:
    """Make the module of a library with several programs again, for pickle and copy.

    replaced: the weights of each program whose parameters were replaced after loading, by the
    number of the program.
    """
    return _with_weights(load_saved(library, weights, threads), replaced)


def load_part(
    library: bytes, weights: bytes, threads: int, replaced: Mapping[int, bytes], number: int
) -> Module:
    """Make the module of one program of a library again, for pickle and copy.

    library, weights: the files of all programs.  threads: the default of a call.  replaced: as for
    `load_parts`.  number: the number of the program.
    """
    return load_parts(library, weights, threads, replaced).programs[number]


def reduced(library: bytes, weights: bytes, threads: int) -> Reduced:
    """Return the result of ``__reduce__`` for a module: `load_saved` and its arguments.

    library, weights: the bytes of the module's files.  threads: the default of a call.
    """
    return load_saved, (library, weights, threads)


def _of_files(
    files: Files, threads: int | None, *, verify: bool, has_imports: bool = True
) -> ExportedModule | ProgramSet:
    made = _of_own_files(files, threads, verify=verify)
    if has_imports:
        own, rows = imports_in(files)
        modules = _imports(files.path, rows, threads, verify=verify)
        made.functions.imported[:] = [modules[position] for position in own]
    return made


def _imports(
    path: str, rows: Sequence[ImportedFile], threads: int | None, *, verify: bool
) -> list[Module]:
    modules: list[Module] = []
    for number, row in enumerate(rows):
        name = f"{path}, import {number}"
        if is_archive(row.library):
            module = _of_archive(row.library, name, threads, verify=verify, has_imports=False)
        else:
            files = Files(name, row.library, row.weights)
            module = _of_files(files, threads, verify=verify, has_imports=False)
        modules.append(module)
    for module, row in zip(modules, rows, strict=True):
        module.functions.imported[:] = [modules[position] for position in row.imports]
    return modules


def _of_own_files(
    files: Files, threads: int | None, *, verify: bool
) -> ExportedModule | ProgramSet:
    image = files.image
    image.check_machine()
    image.check()
    fields = fields_of(image.text(SYMBOL_MANIFEST))
    manifest = Manifest.of(fields)
    check_processor(manifest)
    if verify:
        image.check_rest(fields["rest_sha256"])
    weights_file, weights = weights_of(files, image, fields)
    if verify and weights.nbytes:
        check_weights(files, weights, fields)
    place = FileBytes(files, weights_file, weights)
    code = image.code()
    library = Library(code, manifest.name)
    # A process needs some functions of the library only once; the first module provides them.
    pool = process_pool(lambda: code, library)
    if SYMBOL_KERNELS_CODE in image.symbols:
        from .device_code import load_device  # it imports the drivers of devices

        loaded = load_device(library, image, fields, weights, pool, load_saved)
        loaded = replace(loaded, process_code=lambda: code)
        return ExportedModule.of_code(loaded, fields, place)
    if "programs" not in fields:
        loaded = bind_code(library, manifest, weights, pool=pool, threads=threads)
        loaded = replace(loaded, process_code=lambda: code)
        return ExportedModule.of_code(loaded, fields, place)
    return _several(library, fields, place, pool, threads)


def _several(
    library: Library,
    fields: Mapping[str, Any],
    place: FileBytes,
    pool: ThreadPool | None,
    threads: int | None,
) -> ProgramSet:
    modules: list[ExportedModule] = []
    for number, row in enumerate(fields["programs"]):
        part = PartLibrary(library, number)
        own_fields = fields_of(part.text(SYMBOL_MANIFEST))
        manifest, at = Manifest.of(own_fields), row["weights_at"]
        own = place.weights[at : at + manifest.weights_bytes]
        loaded = bind_code(part, manifest, own, pool=pool, threads=threads)
        modules.append(ExportedModule.of_code(loaded, own_fields, place, part=number))
    made = ProgramSet.of_programs(fields, modules)

    def reduce() -> tuple[Any, ...]:
        return load_parts, (*place.saved(), made.threads, _replaced(modules))

    made.reduce = reduce
    return made


class ExportedModule(Module):
    """A module loaded from files, or one program of several in a library; see `load_module`.

    It has no sources.
    replaced: the packed weights after `load_params` replaced parameters; None while the module has
    the weights of its file.
    """

    _place: FileBytes
    _fields: Mapping[str, Any]
    _part: int | None
    """The number of the program; None if it is the only one."""
    replaced: Array | None = None
    """The packed weights that `load_params` made, if any."""
    _recorder: Recording | None
    """The recorder of the times of runs, if the loader provides it."""

    @classmethod
    def of_code(
        cls,
        loaded: LoadedCode,
        fields: Mapping[str, Any],
        place: FileBytes,
        *,
        part: int | None = None,
    ) -> Self:
        """Make a module of code that is loaded from an exported library.

        loaded: the code.  fields: the manifest of the library, with the fields that only an export
        adds. place: the bytes of the files.  part: the number of the program if the library has
        several.
        """
        module = cls.of(loaded)
        module.states = states_of_manifest(fields["states"])
        module._place, module._fields, module._part = place, fields, part
        module._recorder = loaded.recorder
        return module

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Measure the time of each kernel in runs with these inputs; return a profile.

        inputs: one array per input, in order, or one mapping by name.
        rounds: the number of runs to record.
        Errors: ArgumentError if the module was exported without ``profile=True``, or for inputs
        that do not fit.
        """
        check_threads(threads)
        wanted, arrays = threads or self.threads, self._given(given_inputs(inputs))
        recorder = self._recorder = self._recorder or self._own_recorder()

        def run() -> object:
            return self.run(arrays, threads=wanted)

        return profile_runs(
            self.name,
            recorder,
            run,
            run,
            threads=wanted,
            rounds=rounds,
            roofline=recorder.roofline(wanted),
        )

    def _own_recorder(self) -> Recording:
        library = self._library
        steps_of(library, self.name)
        return TraceRecorder(library)

    @cached_property
    def params(self) -> ParamMaps:
        """The parameters, and the constants that depend on them."""
        return ParamMaps.of_fields(self._fields["params"])

    def get_graph_json(self) -> str:
        """Return inputs, outputs, states and kernels as JSON text; see docs/graph.schema.json."""
        return graph_json(self._fields)

    def manifest_text(self) -> str:
        """Return the manifest of the library as JSON text."""
        return json.dumps(self._fields)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Return the function and arguments by which pickle and copy make the module again."""
        if self._part is None:
            return self.with_imports(reduced(*self._place.saved(), self.threads))
        own = {} if self.replaced is None else {self._part: self.replaced.tobytes()}
        made = load_part, (*self._place.saved(), self.threads, own, self._part)
        return self.with_imports(made)

    def export_library(self, path: object, **_options: object) -> NoReturn:
        """Raise an error: only the module that `compile` returned can be exported.

        Errors: ArgumentError.
        """
        raise not_exportable(self.name, path)

    def saved(self) -> tuple[bytes, bytes]:
        """Return the bytes of the module's library and of its weight file.

        Errors: ArgumentError for one program of several in a library.
        """
        return super().saved() if self._part is not None else self._place.saved()

    def use_weights(self, weights: Array) -> None:
        super().use_weights(weights)
        self.replaced = weights
        if self._part is None:
            self._place = self._place.with_weights(weights.data)
