"""Compile LLVM IR modules in a separate process.

An LLVM back end that cannot select an instruction aborts its process. In: an LLVM IR text and the
options of worker.py. Out: the compiled code, or a CodegenError with the output that the process
printed before it died.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import tempfile
from typing import IO, BinaryIO, cast

from .llvm import CodegenError
from .worker import COMPILED, CompileOptions, receive, send

_LOG = logging.getLogger(__name__)


class CompileProcess:
    """A worker process that compiles LLVM IR modules one after the other.

    options: how to compile them.
    log: the file for the errors that the process prints; None discards them.
    Errors: OSError if the process cannot be started.
    """

    def __init__(self, options: CompileOptions, log: IO[bytes] | None = None) -> None:
        self._unsent = [options.encoded()]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if log is None else log,
        )

    def ask(self, text: str) -> bytes:
        """Send an LLVM IR module to the process; return its answer, or b"" if the process dies.

        The answer is a frame of worker.py: ``+`` and an object, or ``-`` and a message.
        """
        self._unsent.append(text.encode())
        try:
            while self._unsent:
                send(cast(BinaryIO, self._process.stdin), self._unsent.pop(0))
            return receive(cast(BinaryIO, self._process.stdout))
        except (OSError, EOFError, ValueError) as err:  # ValueError: the pipe was closed here
            _LOG.info("a worker process ended: %r", err)
            return b""

    def kill(self) -> None:
        """Kill the process, and wait until it has ended."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes to a process that has ended."""
        for pipe in (self._process.stdin, self._process.stdout):
            # Closing flushes; bytes that the dead process did not read are lost.
            with contextlib.suppress(OSError):
                cast(BinaryIO, pipe).close()


def compile_anywhere(text: str, options: CompileOptions) -> bytes:
    """Compile an LLVM IR module, in a separate process if the options require one.

    They do for foreign processors and for options of LLVM.  Returns an object, or assembly if
    requested.
    Errors: CodegenError if LLVM refuses the text.
    """
    return compile_isolated(text, options) if options.needs_worker else options.compile(text)


def compile_isolated(text: str, options: CompileOptions) -> bytes:
    """Compile an LLVM IR module in a separate process; return an object, or assembly if requested.

    Errors: CodegenError if LLVM refuses the text or its process dies.
    """
    with tempfile.TemporaryFile() as log:  # a file, because a full pipe would stop the process
        process = CompileProcess(options, log)
        answer = process.ask(text)
        process.kill()
        process.close()
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
