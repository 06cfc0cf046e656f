"""Write the files of an export under hidden names, then rename them, so none is ever incomplete.

    check_output("m.so")                    before anything is compiled
    write_files("m.so", [weights, library])

In: the path of a library and the files of its export, the library last. Out: the files in the
folder of the path. Processes may load the library at any time, and others may export to the same
path.

**Order.** All files are first written under hidden names. Then they are renamed, the library last:
before the library is renamed, every process finds the replaced deployment, afterwards the new one.
After a failure before that step (a full disk, an exception) this export removes its new files. A
signature file also holds the signature of the replaced library, so it is valid before and after
that step.

**Names.** The name of a weight file contains the digest of the weights
(targets/library/shared_object.py), and the library contains the name of its weight file. So a
weight file never replaces that of another version, and after two exports at once the library still
finds its own weights.

**Removal of old weights.** A process may have opened the replaced library, but not yet its weights:
programs in C map weights in their first call. So an export keeps the weight files of the new and of
the replaced library, and removes all others. Before it writes, it also removes the weight files
that the present library does not name, so that the disk never holds more than two versions of the
weights. A C process that has opened a library can therefore map its weights until the second export
after that. `load_module` has no such limit, because it reads the library again if it was replaced
in the meantime. Exporters remove files under a lock of the folder (flock), because one of them may
remove the weights that another one has just renamed. A file system without such locks keeps all
weights.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path

from ...runtime.errors import ArgumentError
from ...runtime.file.file_signing import Key, replacing_signature, signature_path
from ...runtime.module.exported_files import named_weights_file
from ...targets.backend import ExportedFile

_NO_STEM = r"\.*|\.(so|o|a|tar)"


def check_output(path: str | PathLike[str]) -> None:
    """Check that an export can be written to a path; callers check before they compile.

    Errors: ArgumentError for a name without a stem, such as ``..`` or ``.so``; OSError for a folder
    that is missing or not writable, and for a path that is a folder.
    """
    library = Path(path)
    if re.fullmatch(_NO_STEM, library.name):
        raise ArgumentError(
            f"{os.fspath(path)!r} names no file of an export",
            expected="a name, perhaps with a suffix, such as model.so",
            got=library.name or "no name",
            hint="name the file after the model",
        )
    folder = library.parent
    if not folder.exists():
        raise FileNotFoundError(errno.ENOENT, "the folder of the output is missing", str(folder))
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "the output is in no folder", str(folder))
    if library.is_dir():
        raise IsADirectoryError(errno.EISDIR, "the output is a folder", str(library))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "the folder of the output is read-only", str(folder))


def write_files(
    path: str | PathLike[str], files: Sequence[ExportedFile], sign: Key | None = None
) -> list[Path]:
    """Write the files of an export in place of the previous export; return paths, library first.

    path: the path of the library.  files: the library is the last one.
    sign: a private key, whose signature of the library is written to ``<path>.sig``.
    Errors: OSError from the disk; then the previous export is unchanged, and no new file is left.
    """
    library = Path(path)
    with _locked(library.parent) as is_locked:
        if is_locked:
            _remove_weights(library, {named_weights_file(library)})
    with ExitStack() as hidden:
        pairs = [_write_hidden(file, library.parent, hidden) for file in files]
        with _locked(library.parent) as is_locked:
            if sign is not None:
                # The signature file also holds the signature that is present under the lock.
                place = signature_path(library)
                data = b"".join(map(bytes, files[-1].parts))
                made = ExportedFile(place.name, (replacing_signature(place, data, sign),))
                pairs.insert(-1, _write_hidden(made, library.parent, hidden))
            _rename(pairs, library, is_locked=is_locked)
    others = [library.parent / file.name for file in files[-2::-1]]
    return [library, *others, *([] if sign is None else [signature_path(library)])]


def _write_hidden(file: ExportedFile, folder: Path, hidden: ExitStack) -> tuple[Path, Path]:
    """Write a file under a hidden name; return its hidden and its final path.

    hidden: an exit stack; when it is closed, the file is removed if it still has its hidden name.

    Errors: OSError from the disk.
    """
    aside = folder / f".{file.name}.{secrets.token_hex(8)}"
    hidden.callback(aside.unlink, missing_ok=True)
    with open(aside, "xb", opener=_create_program if file.is_program else None) as stream:
        for part in file.parts:
            stream.write(part)
    return aside, folder / file.name


def _create_program(path: str, flags: int) -> int:
    return os.open(path, flags, 0o777)


def _rename(scratch: Sequence[tuple[Path, Path]], library: Path, *, is_locked: bool) -> None:
    """Rename all files of an export, the library last; then remove unused weight files.

    A weight file is unused if neither the new nor the replaced library names it.
    scratch: the hidden and the final path of each file.  library: the final path of the library.
    is_locked: whether this process holds the lock of the folder, so that no other exporter renames
    or removes its files.
    """
    replaced = named_weights_file(library) if is_locked else ""
    created: list[Path] = []
    try:
        for aside, made in scratch:
            is_new = not os.path.lexists(made)
            os.replace(aside, made)
            if is_new and made != library:
                created.append(made)
    except BaseException:
        for made in created if is_locked else ():
            made.unlink(missing_ok=True)
        raise
    if is_locked:
        _remove_weights(library, {replaced, named_weights_file(library)})


def _remove_weights(library: Path, needed: set[str]) -> None:
    """Remove the weight files of earlier exports to the path of a library.

    needed: the names of the weight files to keep.
    """
    own = re.compile(rf"{re.escape(library.name)}\.[0-9a-f]{{16}}\.safetensors")
    for entry in os.scandir(library.parent):
        if own.fullmatch(entry.name) and entry.name not in needed:
            with suppress(FileNotFoundError):
                os.unlink(entry.path)


@contextmanager
def _locked(folder: Path) -> Generator[bool]:
    """Hold the lock of a folder during a block; yield whether its file system has such locks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)  # also releases the lock
