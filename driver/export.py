"""Export: a compiled model as files that other processes load.

The suffix of the path names the format. The backend of the model's target makes the files
(`Backend.export`), and this module writes each under another name and renames it, the library last,
so that no process finds a library without its weights.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..runtime.errors import ArgumentError
from ..targets.backend import Artifact, Backend, Export, ExportedFile


def write_library(
    artifact: Artifact,
    backend: Backend,
    facts: Mapping[str, Any],
    path: str | PathLike[str],
    *,
    is_embedded: bool,
) -> list[Path]:
    """Write a compiled model in the format that the suffix of a path names; return the files.

    facts: additions to the manifest.
    Errors: ArgumentError for a suffix that the target does not offer, OSError from the disk.
    """
    library = Path(path)
    check_format(library, backend)
    files = backend.export(artifact, Export(library.name, is_embedded, facts))
    return [_written(library.parent, file) for file in files][::-1]


def library_parts(
    artifact: Artifact, backend: Backend, facts: Mapping[str, Any]
) -> tuple[bytes, bytes]:
    """Return the bytes of a compiled model's shared object and of its weight file, maybe empty.

    Errors: ArgumentError if the target has no shared objects.
    """
    check_format(Path("module.so"), backend)
    *weights, library = backend.export(
        artifact, Export("module.so", is_embedded=False, facts=facts)
    )
    return b"".join(library.parts), b"".join(part for file in weights for part in file.parts)


def compiler_version() -> str:
    """Return this compiler's name and version."""
    from importlib.metadata import version  # late: takes 20 ms, needed to export only

    return f"tilewright {version('tilewright')}"


def check_format(path: Path, backend: Backend) -> None:
    """Refuse a path whose suffix names no format of a backend.

    Errors: ArgumentError.
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


def _written(folder: Path, file: ExportedFile) -> Path:
    path = folder / file.name
    scratch = folder / f".{file.name}.{secrets.token_hex(8)}"
    try:
        with open(scratch, "xb", opener=_create_program if file.is_program else None) as stream:
            for part in file.parts:
                stream.write(part)
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return path


def _create_program(path: str, flags: int) -> int:
    return os.open(path, flags, 0o777)
