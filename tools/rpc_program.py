"""The C server of remote procedure calls as a program: built on demand from runtime/native/rpc/.

In: the sources that are installed with the runtime, and a machine. Out: the path of a program. With
zig (the package ziglang) the program is static, needs no library, and may be for another machine;
the C compiler of this machine makes a program for this machine. Programs are kept in the cache
folder, by the digest of their sources and options. The server for WebAssembly modules is
JavaScript, which node runs, or the page of a browser. The package tilewright-rpc has compiled
programs, which are used if they were made from the same sources.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from ..runtime import include_dir
from ..runtime.errors import ArgumentError
from ..support.config import read_config
from ..support.diagnostics import TilewrightError
from .rpc_build import FLAGS, MACHINES, compile_command, sources_digest, zig_compiler

WEB = "wasm32"
"""The machine whose server is JavaScript."""
_PACKAGE = "tilewright_rpc"


def build_server(path: Path, compiler: Sequence[str], flags: Sequence[str] = FLAGS) -> None:
    """Compile the RPC server in C.

    path: the path of the program to write.  compiler: the words of a command that takes the options
    of GCC.  flags: options of the compiler.

    Errors: TilewrightError if the compiler refuses the sources.
    """
    command = compile_command(include_dir(), path, compiler, flags)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TilewrightError(
            "the C compiler refuses the RPC server", got=done.stderr.strip()[:2000]
        )


def server_program(machine: str = "") -> Path:
    """Return the path of the RPC server in C for a machine; compile it if necessary.

    The package tilewright-rpc and the cache have compiled programs.
    machine: one of `MACHINES`; empty is this machine.
    Errors: ArgumentError for an unknown machine, and without a compiler.
    """
    here = platform.machine()
    machine = machine or here
    if (ready := _installed_program(machine)) is not None:
        return ready
    if machine not in MACHINES:
        raise ArgumentError(
            "there is no RPC server for this machine",
            expected=", ".join(MACHINES),
            got=machine,
            hint="use the Python server: tw rpc-server --python",
        )
    compiler = _compiler(machine, is_own=machine == here)
    words = "\0".join((*compiler, *FLAGS, sources_digest(include_dir()))).encode()
    name = f"tilewright-rpc-{machine}-{hashlib.sha256(words).hexdigest()[:16]}"
    made = read_config().cache_dir / "rpc" / name
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            fresh = Path(folder) / "program"
            build_server(fresh, compiler)
            os.replace(fresh, made)
    return made


def web_command() -> list[str]:
    """Return the command that runs the RPC server in node.

    Errors: ArgumentError if node is not installed.
    """
    node = which("node")
    if node is None:
        raise ArgumentError(
            "the server for WebAssembly needs node",
            expected="node 20 or newer",
            hint="apt-get install nodejs",
        )
    return [node, str(include_dir() / "rpc" / "node.mjs")]


def write_page(folder: Path) -> None:
    """Write the web page that serves RPC clients, with its JavaScript modules, to a folder."""
    sources = include_dir()
    (folder / "rpc").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(sources / "rpc" / "index.html", folder / "index.html")
    for path in (sources / "web.mjs", *sorted((sources / "rpc").glob("*.mjs"))):
        shutil.copyfile(path, folder / path.relative_to(sources))


def _installed_program(machine: str) -> Path | None:
    """Return the program of the package tilewright-rpc; None if its sources differ from ours."""
    if find_spec(_PACKAGE) is None:
        return None
    programs: Any = import_module(_PACKAGE)
    is_same = programs.sources_digest() == sources_digest(include_dir())
    return programs.program_of(machine) if is_same else None


def _compiler(machine: str, *, is_own: bool) -> list[str]:
    """Return the command of an installed C compiler for a machine.

    is_own: whether the machine is this one.
    Errors: ArgumentError if no compiler for the machine is installed.
    """
    if find_spec("ziglang") is not None:
        return zig_compiler(machine)
    if is_own and (found := which("cc")) is not None:
        return [found]
    raise ArgumentError(
        f"no C compiler for {machine} is installed",
        expected="the Python package tilewright-rpc or ziglang" + (", or cc" if is_own else ""),
        hint="pip install tilewright-rpc" + (", or tw rpc-server --python" if is_own else ""),
    )
