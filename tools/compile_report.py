"""Write the compile report of a model for ``tw compile --report``."""

from __future__ import annotations

from pathlib import Path

import click

from ..driver.backends import backend_of, target_of
from ..driver.module.compiled_module import CompiledModule
from .compilation import compile_request
from .loading import ready_model
from .options import CommandRequest, Feed


def write_report(request: CommandRequest, file: Path) -> None:
    """Write the report of a model to a file, with times on random inputs.

    A target that this machine cannot run has no times.
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


__all__ = ["write_report"]
