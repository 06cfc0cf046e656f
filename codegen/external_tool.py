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

from .llvm import CodegenError

OLDEST_LLD = 18
"""The major version of the oldest LLD that links version 6 of AMD's code objects."""


def run_tool(
    command: Sequence[str], source: bytes, *, name: str, listing: str
) -> tuple[bytes, str]:
    """Run a command on a file that contains kernels; return its output file and printed text.

    command: the words of the command, without file names.  name: the name of the tool, for
    messages.  listing: the argument of ``get_source`` that prints these kernels, for the hint of an
    error.
    Errors: CodegenError if the program refuses the file.
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
    """Return the major version of the LLD that a program belongs to; 0 if it prints none."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"LLD (\d+)\.", done.stdout)
    return int(found[1]) if found else 0


def find_zig() -> str | None:
    """Return the path of zig from the package ziglang; None if it is not installed."""
    found = find_spec("ziglang")
    folders = list(found.submodule_search_locations or ()) if found else []
    packaged = next((p for folder in folders if (p := Path(folder) / "zig").exists()), None)
    return str(packaged) if packaged else None


__all__ = ["OLDEST_LLD", "find_linker", "find_zig", "run_tool"]
