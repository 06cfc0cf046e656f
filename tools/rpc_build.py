"""How the C server of remote procedure calls is compiled, and from which sources.

In: the folder runtime/native/ and a machine. Out: the words of a compiler's command. The build of
the distribution tilewright-rpc loads this file by its path, without the package, so that it imports
the standard library only.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

MACHINES = ("x86_64", "aarch64", "riscv64")
"""The machines whose libraries the server can load."""
FLAGS = ("-std=gnu99", "-Os", "-s", "-ffunction-sections", "-Wl,--gc-sections")


def zig_compiler(machine: str) -> list[str]:
    """Return the command of zig that compiles static programs for a machine.

    machine: the instruction set, such as ``aarch64``; the programs run on Linux.
    """
    zig = [sys.executable, "-m", "ziglang", "cc"]
    return [*zig, "-target", f"{machine}-linux-musl", "-static"]


def compile_command(
    sources: Path, program: Path, compiler: Sequence[str], flags: Sequence[str] = FLAGS
) -> list[str]:
    """Return the command, as a list of words, that compiles the RPC server.

    sources: the folder runtime/native/.  program: the path of the program to write.  compiler: the
    words of a command that takes the options of GCC.  flags: options of the compiler.
    """
    server = str(sources / "rpc" / "server.c")
    return [*compiler, *flags, "-o", str(program), server, "-lpthread"]


def sources_digest(sources: Path) -> str:
    """Return a digest of all C sources of a folder, such as runtime/native/, in hex digits."""
    digest = hashlib.sha256()
    for source in sorted(sources.rglob("*.[ch]")):
        digest.update(source.read_bytes())
    return digest.hexdigest()
