"""A worker process that compiles LLVM IR: `python -m tilewright.codegen.worker`.

Frames on standard input: `CompileOptions` (JSON), then one LLVM IR module per frame.  Frames on
standard output, in the same order: ``+`` and an object, or ``-`` and the message for a text that
LLVM refuses.  The worker exits as soon as its input ends, even while LLVM runs, and leaves keyboard
interrupts to the parent.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, BinaryIO

from .llvm import CodegenError, Machine, assembly_of, compile_ir, is_foreign, set_options

if TYPE_CHECKING:
    from ..machines.target import Target

_LENGTH_BYTES = 8
COMPILED, REFUSED = b"+", b"-"
_LLVM_OPTIONS: Mapping[str, tuple[str, ...]] = {"wasm32": ("-pre-RA-sched=source",)}
"""Command-line options of LLVM by instruction set.

For WebAssembly, LLVM's default instruction order computes the columns of a register tile one after
the other, so that the broadcasts of all rows stay live: 19 vectors for a tile of 5 x 2, which an
engine spills to its stack. In source order 15 vectors are live, and a product of 128 x 128 x 128
runs at 35 GFLOP/s in V8 instead of 29.
"""


@dataclass(frozen=True)
class CompileOptions:
    """The options with which LLVM compiles a module.

    passes: the LLVM passes to run, in order.
    opt_level: the level of LLVM's code generator, 0 to 3.
    is_assembly: whether to return assembly instead of an object.
    llvm_options: command-line options of LLVM.  They last as long as the process, so only a worker
    process may set them.
    """

    machine: Machine
    passes: tuple[str, ...] = ("sroa",)
    opt_level: int = 2
    is_assembly: bool = False
    llvm_options: tuple[str, ...] = ()

    @classmethod
    def of(cls, target: Target) -> CompileOptions:
        """Return the options with which a target's kernels are compiled."""
        own = _LLVM_OPTIONS.get(target.architecture, ())
        return cls(Machine.of(target), opt_level=target.opt_level, llvm_options=own)

    @property
    def needs_worker(self) -> bool:
        """Whether a separate process must compile: for a foreign target, or with LLVM options.

        If a back end cannot compile a text, LLVM aborts its process.
        """
        return bool(self.llvm_options) or is_foreign(self.machine)

    def compile(self, text: str) -> bytes:
        """Compile an LLVM IR module to an object, or to assembly if the options say so.

        Errors: CodegenError if LLVM refuses the text.
        """
        make = assembly_of if self.is_assembly else compile_ir
        made = make(text, self.machine, passes=self.passes, opt_level=self.opt_level)
        return made.encode() if isinstance(made, str) else made

    def encoded(self) -> bytes:
        """Serialize the options to bytes, which `decoded` reads."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def decoded(data: bytes) -> CompileOptions:
        """Read the options from the bytes that `encoded` returned."""
        fields = json.loads(data)
        return CompileOptions(
            Machine(**fields["machine"]),
            tuple(fields["passes"]),
            fields["opt_level"],
            fields["is_assembly"],
            tuple(fields["llvm_options"]),
        )


def send(pipe: BinaryIO, data: bytes) -> None:
    """Write a frame (length and data) to a pipe."""
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "little") + data)
    pipe.flush()


def receive(pipe: BinaryIO) -> bytes:
    """Read the next frame from a pipe and return its data.

    Errors: EOFError if the process at the other end of the pipe has ended.
    """
    length = pipe.read(_LENGTH_BYTES)
    size = int.from_bytes(length, "little")
    data = pipe.read(size) if len(length) == _LENGTH_BYTES else b""
    if len(length) < _LENGTH_BYTES or len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Compile the LLVM IR modules that arrive on standard input, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Printed text must not mix with the frames, so standard output goes to standard error.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    texts: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(texts,), daemon=True).start()
    options = CompileOptions.decoded(texts.get())
    set_options(options.llvm_options)
    while True:
        text = texts.get().decode()
        try:
            answer = COMPILED + options.compile(text)
        except CodegenError as err:
            answer = REFUSED + str(err).encode()
        send(answers, answer)


def _read(texts: queue.SimpleQueue[bytes]) -> None:
    """Put the LLVM IR modules that arrive on standard input into a queue.

    At the end of the input, the process exits, even while LLVM runs.
    """
    try:
        while True:
            texts.put(receive(sys.stdin.buffer))
    except EOFError:
        os._exit(0)


if __name__ == "__main__":
    main()
