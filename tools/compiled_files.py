"""The files that ``tw compile`` writes about a compilation: report, schedules, IR after passes."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..driver.backends import backend_of, target_of
from ..driver.module.compiled_module import CompiledModule
from ..driver.passes.pass_context import PassContext
from ..support.collection import paused_collection
from ..support.ir_dump import INDEX, IrDump
from ..support.schedule_files import write_schedules
from .compilation import compile_request, shown_progress, uncompiled_request
from .loading import ready_model
from .options import CommandRequest, Feed
from .tables import counted

if TYPE_CHECKING:
    from ..driver.request import Request as UncompiledRequest


def write_report(request: CommandRequest, file: Path) -> None:
    """Write the report of a model as HTML, with times that are measured on random inputs.

    request: the model and the options.  file: the page to write.  If this machine cannot run the
    target, the report has no times.

    Errors: NeedsBinding for sizes or values of inputs that the request leaves open.
    """
    target = target_of(request.target)
    if backend_of(target).abilities(target).runs.is_there:
        ready = ready_model(request, Feed({}, seed=0))
        assert isinstance(ready.module, CompiledModule), "an exported file has no levels"
        report = ready.module.report(ready.inputs, threads=request.threads)
    else:
        report = compile_request(request).report()
    report.save(file)
    click.echo(f"{file}: {file.stat().st_size} bytes", err=True)


@contextlib.contextmanager
def uncompiled(request: CommandRequest) -> Generator[UncompiledRequest]:
    """Yield the driver's request for a model; show the progress inside the ``with`` block."""
    with shown_progress(request.model.name) as watcher, paused_collection():
        yield uncompiled_request(request, watcher)


def write_dumps(request: CommandRequest, schedules: Path | None, passes: Path | None) -> None:
    """Compile a model; write the schedules of its kernels, and its IR after each pass.

    request: the model and the options.  schedules: the folder for the schedules.  passes: the
    folder for the IR.  None writes no such files.
    """
    from ..driver.report.texts import lowered_from, schedules_of  # imports all of the compiler

    if schedules is not None:
        with uncompiled(request) as made:
            files = write_schedules(schedules_of(made), schedules)
            click.echo(f"{counted(len(files), 'schedule')} in {schedules}", err=True)
    if passes is not None:
        dump = IrDump(passes)
        with replace(PassContext.current(), instruments=[dump]), uncompiled(request) as made:
            lowered_from(made)
            written = counted(len(dump.files), "file")
            click.echo(f"{written} in {passes}, listed in {INDEX}", err=True)
