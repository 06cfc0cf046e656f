"""Reports on exported models: their interface, kernels, symbols and weights, without loading code.

    report = inspect_file("m.so")
    python -m tilewright.runtime.module.inspection m.so     prints the report as JSON

In: a shared object, an archive of a module (.tar), an object or a static library for linkers (.o,
.a), or a program, as `export_library` wrote it. Out: a `FileReport`, made of the manifest in the
file, its sections and symbols, and its weight file. Digests are not checked; `load_module` does
that.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from ..abi.constants import SYMBOL_MANIFEST
from ..abi.library import LoadError
from ..file.archive import archived, is_archive, is_static_library, programs_in
from ..file.elf_reader import MACHINES
from ..file.manifest import Manifest, ParamSpec, TensorSpec, fields_of
from ..file.module_json import states_of
from ..file.sections import PROGRAM, RELOCATABLE, Sections, is_elf, is_of_other_system
from .params import ParamMaps
from .programs import DeclaredPrograms, binding_of, binding_text

_HINT = "export the model with export_library"


@dataclass(frozen=True)
class KernelReport:
    """A kernel of an exported model.

    ops: the operations of the graph that it computes.  flops, moved_bytes: the operations and the
    bytes of a call, with typical values of symbolic sizes.  tasks: the parallel tasks, as an
    expression if sizes are symbolic.  calls: the number of calls in a run.  plan: the rule that
    planned its schedule. nodes: the nodes of the model that it computes.
    """

    name: str
    ops: tuple[str, ...]
    flops: int
    moved_bytes: int
    tasks: int | str
    calls: int
    plan: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class UndefinedSymbol:
    """A symbol that the C library, or the process that loads the file, must define.

    is_weak: whether the symbol may be absent.
    """

    name: str
    is_weak: bool


@dataclass(frozen=True)
class SectionReport:
    """The total number of bytes in the sections of one name."""

    name: str
    size_bytes: int


@dataclass(frozen=True)
class WeightsReport:
    """The packed weights of an exported model.

    file: the name of the weight file, or empty.  place: a text that says where the weights are, or
    that the weight file is missing or too short.  sha256: their digest, as the manifest states it.
    """

    file: str
    place: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class FileReport:
    """The contents of an exported file.

    kind: shared object, archive, object, static library or program.  machine: the kind of
    processor. abi: the version of the ABI.  sizes: the names of the symbolic sizes of the inputs.
    bindings: the bound values of each program, if the file has several.  functions: global
    functions that the code calls.  flops: the operations of one call of each program.  undefined:
    symbols that other files must define.  params: the parameters of the model.
    """

    file: str
    kind: str
    file_bytes: int
    machine: str
    name: str
    abi: int
    compiler: str
    target: str
    cpu_flags: tuple[str, ...]
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    sizes: tuple[str, ...]
    bindings: tuple[str, ...]
    states: tuple[Mapping[str, Any], ...]
    functions: tuple[str, ...]
    kernels: tuple[KernelReport, ...]
    flops: int
    arena_bytes: int
    weights: WeightsReport
    params: tuple[ParamSpec, ...]
    undefined: tuple[UndefinedSymbol, ...]
    sections: tuple[SectionReport, ...]


def is_exported(path: str | PathLike[str]) -> bool:
    """Return whether a file has one of the forms that `export_library` writes.

    Errors: OSError.
    """
    with open(path, "rb") as file:
        start = memoryview(file.read(1024))
    kinds = is_elf, is_of_other_system, is_static_library, is_archive
    return any(is_kind(start) for is_kind in kinds)


def inspect_file(path: str | PathLike[str]) -> FileReport:
    """Read an exported file and return a report on its contents.

    Errors: LoadError if the file is no exported file or is damaged; OSError if it cannot be read.
    """
    file = Path(path)
    data = memoryview(file.read_bytes())
    if is_archive(data):
        fields, programs = programs_in(data, str(file), verify=False)
        reports = [_report_on(file, data, p["library"], "archive", p["params"]) for p in programs]
        return _joined(fields, reports) if "programs" in fields else reports[0]
    if is_static_library(data):
        return _report_on(file, data, archived(data, str(file))[-1], "static library")
    return _report_on(file, data, data)


def _joined(fields: Mapping[str, Any], reports: Sequence[FileReport]) -> FileReport:
    declared = DeclaredPrograms.of_fields(fields)
    weights = {each.weights.sha256: each.weights.size_bytes for each in reports}
    params = ParamMaps.joined([ParamMaps({s.name: s for s in r.params}, {}, b"") for r in reports])
    sections = Counter[str]()
    for each in reports:
        sections.update({section.name: section.size_bytes for section in each.sections})
    return replace(
        reports[0],
        name=declared.name,
        inputs=declared.inputs,
        outputs=declared.outputs,
        sizes=_sizes(declared.inputs),
        bindings=tuple(map(binding_text, declared.bindings)),
        cpu_flags=tuple(sorted({flag for each in reports for flag in each.cpu_flags})),
        functions=tuple(dict.fromkeys(name for each in reports for name in each.functions)),
        kernels=tuple(kernel for each in reports for kernel in each.kernels),
        flops=sum(each.flops for each in reports),
        arena_bytes=max(each.arena_bytes for each in reports),
        weights=WeightsReport("", "in the archive", sum(weights.values()), " ".join(weights)),
        params=tuple(params.specs.values()),
        undefined=tuple(dict.fromkeys(symbol for each in reports for symbol in each.undefined)),
        sections=tuple(SectionReport(name, size) for name, size in sections.items()),
    )


def _report_on(
    file: Path,
    data: memoryview,
    code: memoryview,
    kind: str = "",
    params: memoryview | None = None,
) -> FileReport:
    """Return the report on one program of a file.

    file: the path.  data: the bytes of the file.  code: the program's library or object.  kind: the
    kind of the file; empty: it follows from ``code``.  params: the program's weights, in an
    archive.
    """
    found = Sections(code, str(file))
    text = found.text(SYMBOL_MANIFEST)
    if not text:
        raise LoadError(f"{file} has no manifest of an exported model", hint=_HINT)
    fields = fields_of(text)
    manifest = Manifest.of(fields)
    try:
        kernels = tuple(map(_kernel, fields["kernels"]))
        sections: dict[str, int] = {}
        for each in found.shown:
            sections[each.name] = sections.get(each.name, 0) + each.size
        return FileReport(
            file=str(file),
            kind=kind or _kind(found),
            file_bytes=data.nbytes,
            machine=MACHINES.get(found.machine, f"ELF machine {found.machine}"),
            name=manifest.name,
            abi=fields["abi"],
            compiler=manifest.compiler,
            target=manifest.target,
            cpu_flags=manifest.cpu_flags,
            inputs=manifest.inputs,
            outputs=manifest.outputs,
            sizes=_sizes(manifest.inputs),
            bindings=tuple(binding_text(binding_of(row)) for row in fields.get("programs", ())),
            states=tuple(states_of(fields)),
            functions=manifest.externs,
            kernels=kernels,
            flops=sum(kernel.flops * kernel.calls for kernel in kernels),
            arena_bytes=manifest.arena_bytes,
            weights=_weights(file, fields, params),
            params=tuple(ParamMaps.of_fields(fields["params"]).specs.values()),
            undefined=tuple(UndefinedSymbol(each.name, each.is_weak) for each in found.undefined),
            sections=tuple(SectionReport(name, size) for name, size in sections.items()),
        )
    except (KeyError, TypeError, ValueError) as err:
        raise LoadError(
            f"{file} was not made by export_library", got=repr(err), hint=_HINT
        ) from err


def _kind(found: Sections) -> str:
    if found.kind == RELOCATABLE:
        return "object"
    return "program" if found.kind == PROGRAM or found.is_started else "shared object"


def _kernel(row: Mapping[str, Any]) -> KernelReport:
    return KernelReport(
        row["name"], tuple(row["ops"]), row["flops"], row["moved_bytes"], row["tasks"],
        row["calls"], row["plan"], tuple(row["nodes"]),
    )  # fmt: skip


def _sizes(inputs: Sequence[TensorSpec]) -> tuple[str, ...]:
    texts = [size for spec in inputs for size in spec.shape if isinstance(size, str)]
    names = [name for text in texts for name in re.findall(r"[^\W\d]\w*", text)]
    known = dict.fromkeys(name for name in names if name not in ("floordiv", "mod", "ceildiv"))
    return tuple(known)


def _weights(file: Path, fields: Mapping[str, Any], member: memoryview | None) -> WeightsReport:
    name, size_bytes = fields["weights_file"], fields["weights_bytes"]
    place = "in the file" if size_bytes else "none"
    if name and member is not None:
        place = "in the archive"
    elif name:
        place = _place(file.resolve().with_name(name), size_bytes)
    return WeightsReport(name, place, size_bytes, fields["weights_sha256"])


def _place(path: Path, size_bytes: int) -> str:
    if not path.is_file():
        return "missing"
    return "next to the file" if path.stat().st_size >= size_bytes else "too short"


def main(arguments: list[str]) -> int:
    """Print a report on each file as JSON; return the exit code."""
    try:
        for path in arguments:
            sys.stdout.write(json.dumps(asdict(inspect_file(path)), indent=1) + "\n")
    except (LoadError, OSError) as err:
        sys.stderr.write(f"error: {err}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
