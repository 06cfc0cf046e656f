"""The files of an exported module as bytes: read, checked, and written again with other weights.

In: the path of a library or of an archive, or bytes. Out: the bytes of the files, mapped into
memory, or read if they must not change after the check of their signature (file_signing.py); and
the image and the weights of the library, after a check that they belong together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ..abi.constants import SYMBOL_IMPORTS, SYMBOL_MANIFEST, SYMBOL_WEIGHTS_HEADER
from ..abi.library import LoadError
from ..file.archive import archived, is_archive, is_static_library
from ..file.elf_reader import Image
from ..file.file_signing import Key, check_file_signature
from ..file.mapping import mapped
from ..file.sections import Sections
from .imported import ImportedFile, decoded_imports

_T = TypeVar("_T")
_HINT = "export the model again, and copy all of its files"


@dataclass(frozen=True)
class Files:
    """The bytes of a library and of its weight file.

    path: the path of the library.  weights: None: they are in the file next to the library
    whose name the library contains.
    is_read: whether to read the weight file instead of mapping it, so that it cannot change.
    find: returns the bytes of the weight file with a name, if the files are not in a folder.
    """

    path: str
    library: memoryview
    weights: memoryview | None
    is_read: bool = False
    find: Callable[[str], memoryview] | None = None

    @cached_property
    def image(self) -> Image:
        """The library, not loaded."""
        return Image(self.library, self.path)

    def weights_file(self, name: str) -> memoryview:
        """Return the bytes of the weight file.

        name: its file name.

        Errors: LoadError if it cannot be read.
        """
        if self.weights is not None:
            return self.weights
        if self.find is not None:
            return self.find(name)
        try:
            path = Path(self.path).resolve().with_name(name)
            return memoryview(path.read_bytes()) if self.is_read else mapped(path)
        except (OSError, ValueError) as err:
            raise self.misfit(name, err) from err

    def misfit(self, name: str, got: object) -> LoadError:
        """Return the error for a weight file that is missing or belongs to another library.

        name: the name of the file.  got: what was found instead, for the message.
        """
        return LoadError(
            f"{self.path}: the weights cannot be loaded",
            expected=f"{name} next to the library, as it was exported with it",
            got=got,
            hint=_HINT,
        )


@dataclass(frozen=True)
class FileBytes:
    """The bytes of the files from which a module was loaded.

    weights_file: empty if the weights are in the library.  weights: the weights, a part of the
    weight file or of the library.
    """

    files: Files
    weights_file: memoryview
    weights: memoryview

    def with_weights(self, weights: memoryview) -> FileBytes:
        """Return copies of the files that contain other weights of the same size."""
        if self.weights_file.nbytes:
            start = self.weights_file[: self.weights_file.nbytes - weights.nbytes]
            return replace(self, weights_file=memoryview(b"".join((start, weights))))
        library = self.files.library
        at = Image(library, self.files.path).apart_at(weights.nbytes)
        parts = library[:at], weights, library[at + weights.nbytes :]
        files = replace(self.files, library=memoryview(b"".join(parts)))
        return replace(self, files=files)

    def saved(self) -> tuple[bytes, bytes]:
        """Return the bytes of the library and of the weight file."""
        return bytes(self.files.library), bytes(self.weights_file)


def contents(path: Path, trusted: Sequence[Key] | None) -> memoryview:
    """Return a file's bytes: mapped, or read if one of the trusted keys must have signed them.

    Errors: LoadError for a file without such a signature; OSError.
    """
    if trusted is None:
        return mapped(path)
    data = path.read_bytes()
    check_file_signature(path, data, trusted)
    return memoryview(data)


def read_whole(path: Path, read: Callable[[], _T]) -> _T:
    """Call a function that reads an export; call it again if the export was replaced meanwhile.

    Another process may replace the export after the function has opened the library, and a later
    export removes the weights of this library.  So if the function fails and the library is no
    longer the same file, the function is called again and reads the new files.

    path: the library.  read: reads the library and the files next to it.
    """
    while True:
        before = _identity(path)
        try:
            return read()
        except LoadError:
            if _identity(path) == before:
                raise


def _identity(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def named_weights_file(path: Path) -> str:
    """Return the name of the weight file that an exported library, object or program needs.

    The name is empty if ``path`` needs no weight file, does not exist, or is no export.
    """
    try:
        data = mapped(path)
        if is_archive(data):
            return ""
        code = archived(data, str(path))[-1] if is_static_library(data) else data
        found: object = json.loads(Sections(code, str(path)).text(SYMBOL_MANIFEST))["weights_file"]
    except (OSError, LoadError, ValueError, KeyError, TypeError, IndexError):
        return ""
    return str(found)


def imports_in(files: Files) -> tuple[Sequence[int], Sequence[ImportedFile]]:
    """Return the modules in an exported library that the module imports, directly or not.

    Return the positions (in the list of modules) of those that the module itself imports, and the
    list.
    """
    image = files.image
    if SYMBOL_IMPORTS not in image.symbols:
        return (), ()
    return decoded_imports(image.bytes_of(SYMBOL_IMPORTS))


def weights_of(files: Files, image: Image, fields: dict[str, Any]) -> tuple[memoryview, memoryview]:
    """Return the bytes of the weight file, and the bytes of the weights.

    The weight file is empty if the weights are inside the library.

    image: the library.  fields: its manifest.

    Errors: LoadError for a weight file that is missing or belongs to another library.
    """
    name, size_bytes = fields["weights_file"], fields["weights_bytes"]
    if not name:
        return memoryview(b""), image.apart(size_bytes)
    start = bytes(image.bytes_of(SYMBOL_WEIGHTS_HEADER))
    data = files.weights_file(name)
    if bytes(data[: len(start)]) != start:
        raise files.misfit(name, "a file of another model or version")
    if data.nbytes != len(start) + size_bytes:
        raise files.misfit(name, f"a file of {data.nbytes} bytes, not {len(start) + size_bytes}")
    return data, data[len(start) :]


def check_weights(files: Files, weights: memoryview, fields: dict[str, Any]) -> None:
    """Check all bytes of the weights.

    fields: the manifest of the library, which contains their digest.

    Errors: LoadError for weights with another digest.
    """
    if hashlib.sha256(weights).hexdigest() != fields["weights_sha256"]:
        name = fields["weights_file"] or "weights in the library"
        raise files.misfit(name, "weights that differ from their digest")
