"""Compile one LLVM IR module in a separate process.

A back end of LLVM that lacks an instruction ends its process. In: a text and the options of
worker.py. Out: its code, or a CodegenError with the output of the process before it died.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from typing import BinaryIO, cast

from .llvm import CodegenError
from .worker import COMPILED, CompileOptions, receive, send


def compile_anywhere(text: str, options: CompileOptions) -> bytes:
    """Return the code of an LLVM IR module, compiled in a separate process if that is needed.

    Errors: CodegenError if LLVM refuses the text.
    """
    return compile_isolated(text, options) if options.needs_worker else options.compile(text)


def compile_isolated(text: str, options: CompileOptions) -> bytes:
    """Return the code of an LLVM IR module: an object, or assembly if the options say so.

    Errors: CodegenError if LLVM refuses the text or dies.
    """
    command = [sys.executable, "-m", f"{__package__}.worker"]
    pipe = subprocess.PIPE
    # A file, because a full pipe would stop the process.
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log) as process,
    ):
        texts, answers = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
        answer = b""
        with contextlib.suppress(EOFError, BrokenPipeError):
            send(texts, options.encoded())
            send(texts, text.encode())
            answer = receive(answers)
        process.kill()
        process.wait()
        log.seek(0)
        written = log.read().decode(errors="replace").strip()
    if answer[:1] == COMPILED:
        return answer[1:]
    if answer:
        raise CodegenError(answer[1:].decode())
    raise CodegenError(
        f"LLVM cannot compile a text for {options.machine.triple} (a bug in Tilewright)",
        got=written or "a process that ended",
        hint="print the text with get_source('ll')",
    )
