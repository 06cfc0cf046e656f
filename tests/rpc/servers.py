"""Servers of remote procedure calls, and files that they load."""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

import tilewright
from tilewright import rpc
from tilewright.runtime.file.elf_reader import BUILD_ID_BYTES, Image, image_digest
from tilewright.testing.models import ffn_model
from tilewright.tools.rpc_program import build_server

needs_c = pytest.mark.skipif(
    which("cc") is None or sys.platform != "linux", reason="needs a C compiler, and Linux"
)
needs_qemu = pytest.mark.skipif(
    which("qemu-aarch64") is None or find_spec("ziglang") is None,
    reason="needs qemu-aarch64 and ziglang",
)
needs_x86 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="needs an x86-64 processor for machine code by hand"
)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def c_server() -> Path:
    """Return the path of the server in C."""
    path = Path(_folder().name) / "server"
    build_server(path, ["cc"], ("-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror"))
    return path


TOOL = (sys.executable, "-m", "tilewright")
PYTHON_SERVER = (sys.executable, "-m", "tilewright.rpc_server")


def commands(kind: str) -> list[str]:
    """Return the command of a server."""
    return [str(c_server())] if kind == "c" else [*PYTHON_SERVER]


@contextmanager
def serving(command: Sequence[str], *options: str) -> Iterator[tuple[int, str]]:
    """Yield the port of a new server, and what its sandbox lacks."""
    process = subprocess.Popen(
        [*command, "--port", "0", *options], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        place, lacks = (process.stdout.readline().partition(": ") for _ in range(2))
        yield int(place[0].rsplit(":", 1)[1]), lacks[2].strip()
    finally:
        process.kill()
        process.communicate()


@contextmanager
def session(kind: str) -> Iterator[rpc.RPCSession]:
    """Yield a session with a host of a kind: local, popen, or a server: c, python."""
    if kind in ("local", "popen", "pipe"):
        made = {
            "local": rpc.LocalSession,
            "popen": rpc.PopenSession,
            "pipe": lambda: rpc.PopenSession([str(c_server()), "--stdio"]),
        }[kind]()
        with made:
            yield made
        return
    with serving(commands(kind)) as (port, _), rpc.connect("127.0.0.1", port) as made:
        yield made


@cache
def exported() -> Path:
    """Return a folder with an exported model: m.so with its weights, and m.tar."""
    folder = Path(_folder().name) / "export"
    folder.mkdir()
    module = tilewright.compile(ffn_model(m=4, k=8, n=8))
    module.export_library(folder / "m.so")
    module.export_library(folder / "m.tar")
    return folder


@cache
def recording_library() -> bytes:
    """Return an exported library that holds its weights, and records the times of kernels."""
    path = Path(_folder().name) / "p.so"
    module = tilewright.compile(ffn_model(m=4, k=8, n=8))
    module.export_library(path, embed=True, profile=True)
    return path.read_bytes()


def library_with(code: bytes, entry: str = "__tvm_ffi_main") -> bytes:
    """Return the exported library with other machine code of a function, and a fitting build ID."""
    data = bytearray((exported() / "m.so").read_bytes())
    at = Image(bytes(data)).offset_of(entry)
    data[at : at + len(code)] = code
    at = Image(bytes(data)).build_id_at
    data[at : at + BUILD_ID_BYTES] = image_digest(Image(bytes(data)))
    return bytes(data)
