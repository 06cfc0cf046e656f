"""The RPC server of Tilewright as static programs, which need no Python and no libraries.

    tilewright-rpc --host 0.0.0.0 --token-file secret

In: the name of a machine, such as ``aarch64``. Out: the path of a program. `tw rpc-server` uses the
programs of this package, so that it needs no compiler.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
"""A program for each machine, and the digest of the sources of all of them."""


def program_of(machine: str) -> Path | None:
    """Return the path of the program for a machine, or None if there is none."""
    path = PROGRAMS / f"tilewright-rpc-{machine}"
    return path if path.exists() else None


def sources_digest() -> str:
    """Return the digest of the C sources from which the programs were compiled."""
    return (PROGRAMS / "sources.sha256").read_text().strip()


def main() -> int:
    """Run the program of this machine with the words of the command line."""
    program = program_of(platform.machine())
    if program is None:
        sys.stderr.write(f"tilewright-rpc: no program for {platform.machine()}\n")
        return 2
    os.execv(program, [str(program), *sys.argv[1:]])
