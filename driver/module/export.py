"""Export: write a compiled model to files that other processes load.

The suffix of the path names the format. The backend of the model's target makes the contents
(`Backend.export`), and export_files.py writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ...runtime.errors import ArgumentError
from ...runtime.file.file_signing import Key, private_key, signature_of, signature_path
from ...runtime.module.functions import ModuleFunctions
from ...runtime.module.imported import encoded_imports
from ...targets.backend import (
    Artifact,
    Backend,
    BoundProgram,
    Export,
    ExportedFile,
    Interface,
    LineFile,
)
from ..bindings import check_bindings, check_set_format, programs_file
from .export_files import check_output, write_files


def write_library(
    artifact: Artifact,
    backend: Backend,
    facts: Mapping[str, Any],
    path: str | PathLike[str],
    *,
    is_embedded: bool,
    module: ModuleFunctions,
    sign: Key | None,
) -> list[Path]:
    """Write a compiled model in the format of a path's suffix; return the written paths.

    facts: fields to add to the manifest of the file.  is_embedded: whether the library contains the
    weights.
    module: the module whose imported modules are exported, too.  sign: see `write_files`.

    Errors: ArgumentError for a suffix that the target does not offer, OSError from the disk.
    """
    library = Path(path)
    check_format(library, backend)
    imports = _checked_imports(module, library, backend)
    files = backend.export(artifact, Export(library.name, is_embedded, facts, imports))
    return write_files(library, files, sign)


def write_programs(
    path: str | PathLike[str],
    interface: Interface,
    programs: Sequence[BoundProgram],
    *,
    is_embedded: bool,
    module: ModuleFunctions,
    sign: Key | None,
) -> list[Path]:
    """Write a model's programs, one for each set of bound input values; return the file paths.

    interface: the inputs and outputs that the model declares.
    is_embedded, module, sign: see `write_library`.

    Errors: ArgumentError for several programs if the file format holds only one; see
    `write_library`.
    """
    library, one = Path(path), programs[0]
    if library.suffix == ".tar":
        made = programs_file(library.name, interface, programs, encoded_imports(module))
        return write_files(library, [made], sign)
    if len(programs) == 1:
        made = one.artifact, one.backend, one.facts
        return write_library(*made, path, is_embedded=is_embedded, module=module, sign=sign)
    check_format(library, one.backend)
    check_set_format(library, one.backend)
    imports = _checked_imports(module, library, one.backend)
    export = Export(library.name, is_embedded, {"compiler": compiler_version()}, imports)
    return write_files(library, one.backend.export_programs(interface, programs, export), sign)


def sign_file(path: Path, key: Key) -> Path:
    """Write the signature of a file to ``<path>.sig``; return the path of the signature.

    Errors: ArgumentError if the key is not a private key, OSError from the disk.
    """
    made = signature_path(path)
    contents = signature_of(path.read_bytes(), key)
    return write_files(made, [ExportedFile(made.name, (contents,))])[0]


def library_parts(
    artifact: Artifact, backend: Backend, facts: Mapping[str, Any]
) -> tuple[bytes, bytes]:
    """Return the bytes of a compiled model's shared object, and the bytes of its weight file.

    The second result is empty if the shared object contains all weights.

    facts: fields to add to the manifest.

    Errors: ArgumentError if the target has no shared objects.
    """
    check_format(Path("module.so"), backend)
    *weights, library = backend.export(
        artifact, Export("module.so", is_embedded=False, facts=facts)
    )
    return b"".join(library.parts), b"".join(part for file in weights for part in file.parts)


def compiler_version() -> str:
    """Return the text ``tilewright VERSION``, which manifests contain."""
    from importlib.metadata import version  # late: takes 20 ms, only exports need it

    return f"tilewright {version('tilewright')}"


def line_file(path: str | PathLike[str], bindings: int = 0) -> LineFile:
    """Return the file to which the line tables of an export refer.

    bindings: the number of bindings of values that the export holds.
    Errors: ArgumentError for an archive, whose members are fixed, and for several programs.
    """
    if Path(path).suffix == ".tar" or bindings > 1:
        raise ArgumentError(
            "archives and files of several programs have no line tables",
            expected="debug_info with a file of one program",
            got=f"{bindings} bindings" if bindings > 1 else Path(path).name,
            hint="export a .so with debug_info=True",
        )
    return LineFile(f"{Path(path).stem}.mlir")


def check_profiled(path: str | PathLike[str], *, debug_info: bool) -> None:
    """Check that a file can hold a program that records times.

    Only libraries and archives can, and only without line tables.
    Errors: ArgumentError if the file cannot.
    """
    suffix = Path(path).suffix
    if suffix in (".so", ".tar") and not debug_info:
        return
    raise ArgumentError(
        "profiles are recorded in libraries and archives, without line tables",
        expected="profile=True with a file that ends in .so or .tar",
        got="debug_info=True" if debug_info else Path(path).name,
        hint="export another file for profiling",
    )


def _checked_imports(module: ModuleFunctions, path: Path, backend: Backend) -> bytes:
    """Encode the modules that a module imports, after a check that the file format can hold them.

    Errors: ArgumentError if the format of the path holds no imported modules.
    """
    imports = encoded_imports(module)
    if not imports or path.suffix in backend.import_exports:
        return imports
    raise ArgumentError(
        f"{path.name!r} holds one module, but the module imports others",
        expected=f"a file that ends in {', '.join(backend.import_exports) or 'no suffix'}",
        got=f"the suffix {path.suffix!r}" if path.suffix else "no suffix (a program)",
        hint="export each module to a file of its own, or do not import them",
    )


def check_format(path: Path, backend: Backend) -> None:
    """Check that the suffix of a path names a format of a backend.

    Errors: ArgumentError if it names none.
    """
    if path.suffix in backend.exports:
        return
    offered = ", ".join(suffix for suffix in backend.exports if suffix)
    program = ", or has no suffix (a program)" if "" in backend.exports else ""
    raise ArgumentError(
        f"{path.name!r} names no format of compiled models",
        expected=f"a file that ends in {offered}{program}"
        if offered
        else "a target with such a format",
        got=f"the suffix {path.suffix!r}" if path.suffix else "no suffix",
        hint="" if offered else 'compile for target="native"',
    )


__all__ = [
    "check_bindings", "check_format", "check_output", "check_profiled", "compiler_version",
    "library_parts", "line_file", "private_key", "sign_file", "write_library", "write_programs",
]  # fmt: skip
