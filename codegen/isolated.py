"""Compile one LLVM IR text in a process of its own.

LLVM ends its process where a back end of another machine lacks an instruction. In: a text and the
options of worker.py. Out: its code, or a CodegenError with what the process wrote before it died.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

from .llvm import CodegenError
from .worker import COMPILED, CompileOptions, receive, send


def compile_isolated(text: str, options: CompileOptions) -> bytes:
    """Return the code of a text: an object, or assembly if the options say so.

    Errors: CodegenError if LLVM refuses the text or dies.
    """
    command = [sys.executable, "-m", f"{__package__}.worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin, "a pipe"
        assert process.stdout, "a pipe"
        assert process.stderr, "a pipe"
        answer = b""
        with contextlib.suppress(EOFError, BrokenPipeError):
            send(process.stdin, options.encoded())
            send(process.stdin, text.encode())
            answer = receive(process.stdout)
        process.kill()
        log = process.stderr.read().decode(errors="replace")
    if answer[:1] == COMPILED:
        return answer[1:]
    raise CodegenError(
        f"LLVM cannot compile a text for {options.machine.triple} (a bug in Tilewright)",
        got=log.strip() or "a text that LLVM refuses",
        hint="print the text with get_source('ll')",
    )
