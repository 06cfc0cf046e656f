"""The LLVM IR in codegen/prelude/, generated from runtime/native/ by ``make prelude``.

The C compiler is clang from the ``ziglang`` wheel, pinned in pyproject.toml, whose LLVM has the
major version of llvmlite's. The texts are committed, so neither a build nor an installation needs a
compiler.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path

from tilewright.codegen.prelude import MACHINES

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "runtime" / "native"
TEXTS = ROOT / "codegen" / "prelude"
PARTS = (
    "pool", "entry", "weights", "session", "executor", "python", "bare", "program", "timer",
    "trace", "bindings",
)  # fmt: skip
FLAGS = (
    "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Qunused-arguments",
    # Exported symbols stay replaceable by a slot table; the linker binds them inside the module.
    "-O2", "-fPIC", "-g0", "-fno-ident",
    # A loop stays a loop: no call of memset, memcpy or strlen that the source does not name.
    "-fno-builtin", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-jump-tables",
    # The linker has no thread-local data and no unwind tables.
    "-fno-stack-protector", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
    "-fomit-frame-pointer", "-fno-sanitize=all", "-fno-strict-aliasing",
    # Names of variables make the text readable.
    "-fno-discard-value-names", "-S", "-emit-llvm",
)  # fmt: skip
_HEADER = """; Generated from runtime/native/{part}.c by `make prelude`; do not edit.
; ziglang {version}, {machine}-linux-gnu
"""
_DROPPED_LINES = ("; ModuleID", "; Function Attrs", "source_filename", "target triple", "!")
_ALIAS_SCOPE = "@llvm.experimental.noalias.scope.decl("


def pinned_version() -> str:
    """Return the version of ziglang that pyproject.toml pins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = (each for each in project["optional-dependencies"]["check"] if "ziglang" in each)
    return next(wanted).partition("==")[2]


def texts() -> dict[str, str]:
    """Return the generated texts by file name.

    Errors: PackageNotFoundError without ziglang, CalledProcessError if clang reports anything.
    """
    return {
        f"{part}.{machine}.ll": generated(part, machine) for part in PARTS for machine in MACHINES
    }


def generated(part: str, machine: str) -> str:
    """Return the LLVM IR of one C file for an instruction set."""
    command = (sys.executable, "-m", "ziglang", "cc", "-target", f"{machine}-linux-gnu", *FLAGS)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.ll"
        subprocess.run([*command, "-o", str(made), f"{part}.c"], cwd=SOURCES, check=True)
        text = made.read_text()
    header = _HEADER.format(part=part, version=version("ziglang"), machine=machine)
    return header + portable(text)


def portable(text: str) -> str:
    """Return clang's text without what depends on its own target machine.

    The data layout stays, because clang computed offsets with it. Triple, processor and features
    come from the target of each compilation (codegen/llvm.py). Metadata is dropped, with
    the calls that declare its scopes of aliases.
    """
    lines = (
        line
        for line in text.splitlines()
        if not line.startswith(_DROPPED_LINES) and _ALIAS_SCOPE not in line
    )
    return "\n".join(map(_without_machine, lines)).strip() + "\n"


def _without_machine(line: str) -> str:
    """Return a line without attachments of metadata and without attributes for a back end."""
    if line.startswith("attributes #"):
        return re.sub(r' "(?!no-builtins")[^"]*"(="[^"]*")?', "", line)
    return re.sub(r", ![\w.]+ !\d+", "", line)


def main() -> None:
    """Write the texts."""
    for name, text in texts().items():
        (TEXTS / name).write_text(text)


if __name__ == "__main__":
    main()
