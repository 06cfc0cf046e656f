"""Crash reproducers: after an internal error of a pass, write a file that repeats the error.

    with crash_reproducer(request):
        lower(imported(request), request.watch)

Only an error costs time: the request is then lowered again, with copies of the program before each
pass.  An exception that the input of users can cause (`USER_ERRORS`) has no reproducer, and the
exception that the caller sees is the same; a note of it names the file and the command.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...support.instruments import PassInfo, PassInstrument
from ...support.passes import USER_ERRORS
from ..extension import context_of
from ..lowered import lower
from ..model_import import imported
from ..passes.reproducer import Reproducer, pass_command, smallest_failing, write_reproducer
from ..progress import Stopwatch
from ..request import Request


@contextlib.contextmanager
def crash_reproducer(request: Request) -> Generator[None]:
    """Write a reproducer if an internal error ends the block, which must compile the request."""
    try:
        yield
    except USER_ERRORS:
        raise
    except Exception as err:
        found = _reproduced(request, err)
        if found is not None:
            err.add_note(
                f"reproducer: {found.file}\nreplay: {found.command}\n"
                f"report: tw report-bug {found.file}"
            )
        raise


class _LastPass(PassInstrument):
    """An instrument that remembers the running pass, and the program before this pass."""

    def __init__(self) -> None:
        self.before: ModuleOp | None = None
        self.info: PassInfo | None = None

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self.before, self.info = None, None

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self.before, self.info = module.clone(), info

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self.info = None


def _reproduced(request: Request, error: Exception) -> Reproducer | None:
    """Lower a request again up to its internal error; return a reproducer of the error.

    If lowering succeeds, the error came from a later step, and the reproducer contains the lowered
    module. Return None if another error occurs, or no file can be written.
    error: the exception of the compilation.
    """
    last = _LastPass()
    context = request.settings.context
    watched = replace(context, instruments=(*context.instruments, last))
    again = replace(request.with_settings(context=watched), progress=None)
    try:
        lowered = lower(imported(again), Stopwatch())
    except Exception as err:
        if last.before is None or last.info is None or type(err) is not type(error):
            return None
        return _written(request, last.before, last.info, err)
    where = f"tw compile THIS_FILE --target '{request.settings.machine}' --to ll"
    return _saved("emit", lowered.module, where, error)


def _written(
    request: Request, module: ModuleOp, info: PassInfo, error: Exception
) -> Reproducer | None:
    """Write a reproducer with the smallest part of a program on which a pass fails in the same way.

    Return None if no file can be written.
    module: the program before the pass.  info: the pass.  error: the exception of the pass.
    """

    def fails(copy: ModuleOp) -> bool:
        try:
            info.step.apply(context_of(request.settings.extensions), copy)
        except Exception as err:
            return type(err) is type(error)
        return False

    return _saved("crash", smallest_failing(module, fails), pass_command([info.step]), error)


def _saved(kind: str, module: ModuleOp, command: str, error: Exception) -> Reproducer | None:
    try:
        return write_reproducer(kind, module, command, error)
    except OSError:
        return None  # the error itself matters more than a full disk
