"""Several programs of one model in a library or an executable; a call chooses one by its values.

In: the declared interface, and an artifact for each binding. Out: the files, as for one program
(export.py). The objects of each program are combined into one object, whose functions have the
number of the program in their names; the slots for errors and the worker pool are shared. The
library also contains the code that chooses a program (runtime/native/bindings.c), its tables, and
the parts that a library has once. The library's manifest lists the bindings; each program has a
manifest of its own. Equal weights are stored once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ....codegen.bindings import (
    SYMBOL_SPECS,
    BoundTable,
    Declared,
    DeclaredInterface,
    binding_tables,
)
from ....codegen.linker import Blob
from ....codegen.llvm import Machine
from ....codegen.objects import cached_object, part_objects, shared_objects
from ....codegen.relocatable import combine
from ....codegen.worker import CompileOptions
from ....machines.target import Target
from ....runtime.abi.constants import (
    MODULE_SYMBOLS,
    SHARED_SLOTS,
    SYMBOL_CHOOSE,
    SYMBOL_IS_BOUND,
    SYMBOL_MANIFEST,
    SYMBOL_STEPS,
    SYMBOL_TRACE,
    program_symbol,
)
from ....runtime.errors import ArgumentError
from ....runtime.file.manifest import ANY_RANK, Manifest, TensorSpec
from ....runtime.module.programs import binding_fields, binding_text, interface_fields
from ....support.cache import user_cache
from ...backend import BoundProgram, Export, ExportedFile, Interface
from ...library.formats import ExportedModel, ExportedWeights
from .export import FORMATS, model_of

_OWN_SLOTS = [name for name in MODULE_SYMBOLS if name not in SHARED_SLOTS]
# Reports errors; all programs use one definition.
_FAIL = "tw_fail"


def exported_programs(
    interface: Interface, programs: Sequence[BoundProgram], export: Export
) -> Sequence[ExportedFile]:
    """Return the files of an export of several programs, the main file last.

    Errors: ArgumentError for programs that do not fit into one file.
    """
    parts = [
        _NumberedProgram.of(number, program, export) for number, program in enumerate(programs)
    ]
    _check(interface, parts)
    model = _set_of(_declared(interface, parts), parts, export)
    return [*model.held.files, *FORMATS[PurePath(export.file).suffix](model)]


@dataclass(frozen=True)
class _NumberedProgram:
    """One of the programs of an export, described as a separate model.

    number: its position in the export.  values: the values that choose it, by input.
    """

    number: int
    values: Mapping[str, Any]
    model: ExportedModel

    @staticmethod
    def of(number: int, program: BoundProgram, export: Export) -> _NumberedProgram:
        facts = dict(program.facts)
        model = model_of(program.artifact, Export(export.file, export.is_embedded, facts))
        return _NumberedProgram(number, program.values, model)

    @property
    def manifest(self) -> Manifest:
        return self.model.parsed

    @property
    def symbols(self) -> Mapping[str, str]:
        """The visible names of the program's functions and slots."""
        traced = (SYMBOL_TRACE, SYMBOL_STEPS) if self.model.steps else ()
        names = (*_OWN_SLOTS, SYMBOL_SPECS, *traced)
        return {name: program_symbol(name, self.number) for name in names}

    def combined(self, shared: Sequence[bytes]) -> bytes:
        """Return the program as one object file.

        shared: the objects that the library contains only once, which are left out.  The returned
        object contains the program's manifest; the names of its visible symbols contain the
        program's number.
        """
        own = [each for each in self.model.objects if each not in shared]
        text = json.dumps(self.model.manifest).encode() + b"\0"
        return combine(
            own,
            blobs=[Blob(SYMBOL_MANIFEST, text), *self.model.trace_blobs],
            exports=self.symbols,
            shared=(*SHARED_SLOTS, _FAIL),
            kernels=self.model.kernels,
        )


def _check(interface: Interface, parts: Sequence[_NumberedProgram]) -> None:
    reasons = {
        "calls functions of its process": any(part.manifest.externs for part in parts),
        "has states": any(part.model.sessions.states for part in parts),
        "has outputs that are no tensors": any(part.manifest.forms for part in parts),
        "has programs with different outputs": len({len(p.manifest.outputs) for p in parts}) > 1,
    }
    for reason, is_true in reasons.items():
        if is_true:
            raise ArgumentError(
                f"{interface.name} {reason}, so one file of this format holds one program",
                expected="one binding, or a file that ends in .tar",
                got=f"{len(parts)} bindings",
            )


def _declared(interface: Interface, parts: Sequence[_NumberedProgram]) -> Interface:
    """Return the interface of all programs together.

    interface: the declared inputs and outputs.  parts: the programs.  The shape of an output is the
    one that all programs agree on, or else the declared one.
    """
    outputs = zip(*(part.manifest.outputs for part in parts), interface.outputs, strict=True)
    return Interface(interface.name, interface.inputs, [_output(each) for each in outputs])


def _output(specs: Sequence[TensorSpec]) -> TensorSpec:
    *made, declared = specs
    shapes = {spec.shape for spec in made}
    shape = made[0].shape if len(shapes) == 1 else declared.shape
    return TensorSpec(declared.name, shape, made[0].dtype)


def _set_of(
    interface: Interface, parts: Sequence[_NumberedProgram], export: Export
) -> ExportedModel:
    """Return the model of a library that contains all programs, and the code that chooses one.

    interface: the declared inputs and outputs.  parts: the programs.
    """
    weights, places = _joined([part.model.held.weights for part in parts])
    held = ExportedWeights.of(weights, export)
    first = parts[0].model
    triple = Target(first.manifest["target"]).triple
    once = shared_objects(triple, user_cache())
    table = _interface_table(interface, parts, weights.nbytes)
    text = binding_tables(table, [_table(p, at) for p, at in zip(parts, places, strict=True)])
    tables = cached_object(text, CompileOptions(Machine(triple), ()), user_cache())
    combined = [part.combined(once) for part in parts]
    own = [name for part in parts for name in part.symbols.values()]
    return ExportedModel(
        export.file,
        [*combined, *part_objects(("bindings",), triple, user_cache()), tables, *once],
        [*own, *table.aliases, SYMBOL_CHOOSE, SYMBOL_IS_BOUND],
        {**_manifest(interface, parts, places), "weights_bytes": weights.nbytes, **held.facts},
        held,
        (),
        ranks=[spec.rank for spec in (*table.inputs, *table.outputs)],
        shared=(*SHARED_SLOTS, _FAIL),
        imports=export.imports,
    )


def _joined(blobs: Sequence[memoryview]) -> tuple[memoryview, list[int]]:
    """Return weights one after the other, and the offset of each; equal weights are stored once."""
    known: dict[bytes, int] = {}
    places, made = list[int](), bytearray()
    for blob in blobs:
        at = known.setdefault(hashlib.sha256(blob).digest(), len(made))
        if at == len(made):
            made += blob
        places.append(at)
    return memoryview(made), places


def _interface_table(
    interface: Interface, parts: Sequence[_NumberedProgram], weights_bytes: int
) -> DeclaredInterface:
    names = [spec.name for spec in interface.inputs]
    ranks = [
        {len(p.manifest.outputs[n].shape) for p in parts} for n in range(len(interface.outputs))
    ]
    taken = ", ".join(f"{each.name}: {each}" for each in interface.inputs)
    made = ", ".join(f"{each.name}: {each}" for each in interface.outputs)
    return DeclaredInterface(
        interface.name,
        f"{interface.name}({taken}) -> ({made})",
        [Declared(s.name, str(s), s.dtype, _rank(s)) for s in interface.inputs],
        [
            Declared(spec.name, str(spec), spec.dtype, rank.pop() if len(rank) == 1 else -1)
            for spec, rank in zip(interface.outputs, ranks, strict=True)
        ],
        [names.index(name) for name in parts[0].values],
        "; ".join(binding_text(part.values) for part in parts),
        weights_bytes,
    )


def _rank(spec: TensorSpec) -> int:
    return -1 if spec.shape == ANY_RANK else len(spec.shape)


def _table(part: _NumberedProgram, weights_at: int) -> BoundTable:
    manifest = part.manifest
    return BoundTable(
        [*part.values.values()],
        weights_at,
        len(manifest.inputs),
        len(manifest.inputs) + len(manifest.filled),
    )


def _manifest(
    interface: Interface, parts: Sequence[_NumberedProgram], places: Sequence[int]
) -> dict[str, Any]:
    """Return the manifest of the library: the declared interface, and an entry for each program.

    parts: the programs.  places: for each program, the byte offset of its weights in the weights of
    the library.
    """
    fields = interface_fields(interface.name, interface.inputs, interface.outputs)
    rows = [
        binding_fields(part.values) | {"weights_at": at}
        for part, at in zip(parts, places, strict=True)
    ]
    for group in (fields["inputs"], fields["outputs"]):
        for row in group:
            row["entries"] = ()
    kernels = [kernel for part in parts for kernel in part.model.manifest["kernels"]]
    params = {**parts[0].model.manifest["params"], "table": ""}
    flags = {flag for part in parts for flag in part.manifest.cpu_flags}
    return {
        **parts[0].model.manifest, **fields, "forms": (), "appends": (), "sizes": 0,
        "operations": None, "arena_bytes": 0, "params": params, "kernels": kernels,
        "cpu_flags": sorted(flags), "programs": rows,
        "max_threads": max(part.manifest.max_threads for part in parts),
    }  # fmt: skip
