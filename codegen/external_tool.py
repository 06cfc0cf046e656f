"""Run a program of another package that converts one file to another, such as an assembler.

In: the command, and the bytes of a file. Out: the bytes of the new file, and the printed output.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .elf import LinkError
from .llvm import CodegenError

OLDEST_LLD = 18
"""The major version of the oldest LLD that links version 6 of AMD's code objects."""


def run_tool(
    command: Sequence[str], source: bytes, *, name: str, listing: str
) -> tuple[bytes, str]:
    """Run a command that converts a file with kernels to another file.

    command: the words of the command, without file names.
    source: the bytes of the input file.
    name: the name of the tool, for messages.
    listing: the argument of ``get_source`` that prints these kernels, for the hint of an error.
    Returns the bytes of the output file, and the text that the command printed.
    Errors: CodegenError if the command refuses the file.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "kernels", Path(folder) / "made"
        given.write_bytes(source)
        whole = [*command, str(given), "-o", str(made)]
        done = subprocess.run(whole, capture_output=True, text=True, check=False)
        log = done.stdout + done.stderr
        if done.returncode:
            raise CodegenError(
                f"{name} refuses the kernels (a bug in Tilewright)",
                got=log.strip(),
                hint=f"print the text with get_source({listing!r})",
            )
        return made.read_bytes(), log


def run_linker(command: Sequence[str], folder: Path, name: str) -> None:
    """Run a linker on files of a folder.

    command: the words of the command, with names of files in the folder.  name: the name of the
    linker, for messages.
    Errors: LinkError if the linker fails.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LinkError(f"{name} refuses the objects: {(done.stderr or done.stdout).strip()}")


def missing_linker(files: str, linker: str) -> LinkError:
    """Return the error that reports that a linker is not installed.

    files: the kind of files that cannot be linked.
    linker: the name of the missing linker.
    """
    return LinkError(
        f"{files} cannot be linked", expected=linker, hint="pip install tilewright[cross]"
    )


def write_objects(objects: Sequence[bytes], folder: Path, suffix: str = ".o") -> list[str]:
    """Write object files to a folder; return their file names, which are numbers with a suffix.

    objects: the bytes of the files.
    """
    names = [f"{number}{suffix}" for number in range(len(objects))]
    for name, data in zip(names, objects, strict=True):
        (folder / name).write_bytes(data)
    return names


def find_linker(name: str) -> list[str] | None:
    """Return the command of one of LLD's linkers; None if it is not installed.

    name: the linker's name in LLVM, such as ``ld.lld``.  If no such program is on the path, or if
    it is too old for the objects that LLVM writes, the linker in the package ziglang is used.
    """
    path = shutil.which(name)
    if path is not None and _version_of(path) >= OLDEST_LLD:
        return [path]
    packaged = find_zig()
    return [packaged, name] if packaged else None


@cache
def _version_of(path: str) -> int:
    """Return the major version of LLD; 0 if the program prints no version.

    path: the path of one of LLD's programs.
    """
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"LLD (\d+)\.", done.stdout)
    return int(found[1]) if found else 0


def find_zig() -> str | None:
    """Return the path of zig from the package ziglang; None if it is not installed."""
    return find_packaged("ziglang", "zig")


def find_packaged(package: str, pattern: str) -> str | None:
    """Return the path of a file in an installed Python package; None if there is none.

    pattern: the path of the file in the folder of the package, as a glob pattern.
    """
    found = find_spec(package)
    folders = list(found.submodule_search_locations or ()) if found else []
    return next((str(p) for folder in folders for p in Path(folder).glob(pattern)), None)
