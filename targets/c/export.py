"""Exported C source: the file and its header, alone or in an archive.

In: an artifact of C source.  Out: files named like the exported file, whose stem is also the name
of the model in the code.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Sequence
from pathlib import PurePath

from ...lowering.loop_to_c import LANGUAGES, Language, c_name
from ..backend import Artifact, Export, ExportedFile
from .source import named


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an export: the header and the source, or an archive of both."""
    stem, suffix = PurePath(export.file).stem, PurePath(export.file).suffix
    source, header = texts_of(artifact, c_name(stem))
    files = [
        ExportedFile(f"{c_name(stem)}.h", (header.encode(),)),
        ExportedFile(f"{stem}{language_of(artifact).suffix}", (source.encode(),)),
    ]
    if suffix == ".tar":
        return [ExportedFile(export.file, (_archive(files),))]
    return files


def language_of(artifact: Artifact) -> Language:
    """Return the language of an artifact's source: C or C++."""
    return LANGUAGES[json.loads(bytes(artifact.code))["language"]]


def texts_of(artifact: Artifact, name: str = "") -> tuple[str, str]:
    """Return the source and the header of an artifact.

    name: the name of the model in the code; by default its own name.
    """
    parts = json.loads(bytes(artifact.code))
    chosen = name or c_name(parts["name"])
    return named(parts["c"], chosen), named(parts["h"], chosen)


def _archive(files: Sequence[ExportedFile]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for file in files:
            data = b"".join(bytes(part) for part in file.parts)
            member = tarfile.TarInfo(file.name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()
