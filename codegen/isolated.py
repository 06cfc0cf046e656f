"""Compile one LLVM IR module in a separate process.

An LLVM back end that cannot select an instruction aborts its process. In: an LLVM IR text and the
options of worker.py. Out: the compiled code, or a CodegenError with the output that the process
printed before it died.
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
    """Compile an LLVM IR module, in a separate process if its options or its processor require one.

    Errors: CodegenError if LLVM refuses the text.
    """
    return compile_isolated(text, options) if options.needs_worker else options.compile(text)


def compile_isolated(text: str, options: CompileOptions) -> bytes:
    """Compile an LLVM IR module in a separate process; return an object, or assembly if requested.

    Errors: CodegenError if LLVM refuses the text or its process dies.
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
