"""Compile described tensors for the current sizes, or for any number of rows."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ..frontend.te.program import sizes_of
from ..frontend.te.rows import row_program
from ..support.cache import DiskCache
from .build import Build
from .description import FORM_KERNELS, PLAN_KERNELS, Description
from .index_checks import drop_checks
from .modules import CompiledModule, load_compiled
from .progress import Stopwatch
from .rows import RowsBuild, row_checks
from .settings import Settings


def begin_build(
    described: Description, settings: Settings, disk: DiskCache | None, watch: Stopwatch
) -> Build | None:
    """Return the compilation; None if it needs the sizes of a call."""
    signature = described.signature
    if not sizes_of(signature):
        return build_of_sizes(described, settings, disk, watch)
    # Build for sample sizes, so that errors that do not depend on sizes are raised now.
    sampled, _ = described.program()
    if not settings.backend.divides_rows:
        return None
    rows = row_program(signature, lambda: _of_rows(described))
    if rows is None:
        return None
    start = FORM_KERNELS if described.schedule is None else PLAN_KERNELS
    checks = row_checks(sampled, signature)
    return RowsBuild(settings, disk, watch, rows, signature, start, checks)


def _of_rows(described: Description) -> ModuleOp:
    """Return the program for some rows, without checks, because blocks of rows run as tasks."""
    module, _ = described.program()
    drop_checks(module)
    return module


def build_of_sizes(
    described: Description, settings: Settings, disk: DiskCache | None, watch: Stopwatch
) -> Build:
    """Return the compilation for the current sizes."""
    module, start = described.program()
    return Build(settings, disk, watch, module, start=start)


def load_build(
    build: Build, settings: Settings, threads: int | None, watch: Stopwatch
) -> CompiledModule:
    """Compile and load; the module keeps the build for its sources and schedules."""
    code = build.compiled(keep=True)
    return load_compiled(code, settings, threads, build.source, watch, schedules=build.schedules)
