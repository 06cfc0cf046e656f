"""Reproducers: one file with a program, the versions, and the command that repeats a failure.

In: a program before the pass that fails, and the passes.  Out: a temporary file that tw-opt reads;
its first comment is the command.  The failing exception gets the command as a note.
"""

from __future__ import annotations

import platform
import shlex
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.sched import ScriptOp
from ...dialects.te import IntrinsicOp
from ...dialects.weights import save_weights, weights_of
from ...runtime import __version__
from ...support.passes import shared_target

_SHRINK_SECONDS = 5.0
_THIS_FILE = "THIS_FILE"


@dataclass(frozen=True)
class Reproducer:
    """A file that repeats a failure, and the command that runs it."""

    file: Path
    command: str


def write_reproducer(kind: str, module: ModuleOp, command: str, error: Exception) -> Reproducer:
    """Write a program, the command that makes it fail, and the error to a new temporary file.

    kind: a word for the name of the file, such as ``crash``.
    command: the command, with THIS_FILE for the file.
    Weights of more than a few elements are written to a second file, which the command then names.

    Errors: OSError if the file cannot be written.
    """
    with tempfile.NamedTemporaryFile(
        "w", prefix=f"tilewright-{kind}-", suffix=".mlir", delete=False, encoding="utf-8"
    ) as file:
        path = Path(file.name)
        if weights_of(module):
            weights = path.with_suffix(".safetensors")
            save_weights(module, weights)
            if command.startswith("tw-opt "):  # `tw fuzz` reads the file next to the program
                command += f" --weights {shlex.quote(str(weights))}"
        trace = "".join(traceback.format_exception(error)).splitlines()
        lines = [command, _versions(), *trace]
        file.writelines(f"// {line}\n" for line in lines)
        file.write(f"{module!s}\n")
    return Reproducer(path, command.replace(_THIS_FILE, shlex.quote(str(path))))


def pass_command(passes: Sequence[ModulePass]) -> str:
    """Return the tw-opt command that runs passes on THIS_FILE."""
    machine, specs = shared_target(passes)
    where = f" --for {shlex.quote(machine)}" if machine else ""
    return f"tw-opt {_THIS_FILE}{where} -p {shlex.quote(','.join(map(str, specs)))}"


def smallest_failing(module: ModuleOp, fails: Callable[[ModuleOp], bool]) -> ModuleOp:
    """Return a copy of a module with only one of its functions or kernels, if the copy fails.

    Schedules and definitions of instructions stay in the copy. If no such copy fails, return the
    module.

    fails: returns whether a program fails; it may change its argument.

    Cost: one call of ``fails`` for each function, for at most five seconds.
    """
    until = time.monotonic() + _SHRINK_SECONDS
    ops = list(module.ops)
    alone = [n for n, op in enumerate(ops) if not isinstance(op, ScriptOp | IntrinsicOp)]
    for kept in alone if len(alone) > 1 else ():
        if time.monotonic() > until:
            break
        copy = module.clone()
        for n, op in enumerate(list(copy.ops)):
            if n != kept and n in alone:
                copy.body.block.erase_op(op, safe_erase=False)
        if fails(copy.clone()):
            return copy
    return module


def _versions() -> str:
    return f"tilewright {__version__}, xdsl {version('xdsl')}, Python {platform.python_version()}"
