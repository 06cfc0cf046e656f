"""Print the IR of a request at any level without machine code, as `tw compile --to` does.

Only the stages up to the level run.  `Module.get_source` of the compiled module returns the same
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from ...analysis.entry import check_entry
from ...dialects.te import kernels_of
from ...passes.schedule.apply_schedule import scripts_of
from ...passes.schedule.match_schedules import schedule_texts
from ...support.collection import paused_collection
from ...support.entry import kernel_functions
from ...support.source_lines import source_lines
from ...targets.backend import EmittedText, LineFile, Variant, unknown_kernel, unknown_text
from ..artifact import program_of
from ..lowered import Lowered, lower
from ..model_import import imported
from ..passes.graph_plans import graph_files
from ..request import ModelOptions, Request, request_for
from ..source import ModelSource
from .crash import crash_reproducer

if TYPE_CHECKING:
    import onnx

LISTED_FILE = "packed.mlir"
"""The file name in the line tables of listings; `get_source("packed")` prints this file."""


def source_at(
    model: str | PathLike[str] | bytes | onnx.ModelProto, kind: str, **options: Unpack[ModelOptions]
) -> str:
    """Return the printed IR of a model at a level, or a listing (``ll``, ``asm``).

    kind: the name of the level or listing.  options: see compile.
    Errors: LookupError for another kind; see compile, and NeedsBinding for sizes and values that
    are not bound.
    """
    request = request_for(ModelSource(model), **(ModelOptions(cache=False) | options))
    return text_of(request, kind)[0]


@paused_collection()
def text_of(request: Request, kind: str, kernel: str | None = None) -> tuple[str, Lowered]:
    """Return the printed IR at a level or a listing (``ll``, ``asm``), and the printed modules.

    The text refers to weights by key, so it parses only while the modules exist.

    kind: the name of the level or listing.  kernel: the name of a kernel, to print it alone.

    Errors: LookupError for any other kind or kernel; see `imported` and `lower`.
    """
    request = replace(request)
    given, backend = imported(request), request.settings.backend
    check_entry(given.module)
    levels = backend.levels_from(given.start)
    if kind not in levels and kind not in backend.listings:
        raise unknown_text(kind, (*levels, *backend.listings))
    with crash_reproducer(request):
        lowered = lower(given, request.watch, kind if kind in levels else None)
    if kind in levels:
        return _level_text(kind, kernel, lowered), lowered
    emitter = request.settings.new_emitter(None)
    lines = LineFile(LISTED_FILE, is_listing=True) if kind in emitter.located else None
    program = program_of(lowered, emitter, Variant(lines=lines))
    return emitter.listing(program, kind, kernel), lowered


def _level_text(kind: str, kernel: str | None, lowered: Lowered) -> str:
    """Return the printed IR of all modules, or of one kernel and its schedule script.

    Errors: LookupError for an unknown kernel.
    """
    if kernel is None:
        return source_lines([(part.label, part.module) for part in lowered.parts]).text
    found = {
        part.kernel(op.sym_name.data): (op, part.module)
        for part in lowered.parts
        for op in kernels_of(part.module) or kernel_functions(part.module)
    }
    if kernel not in found:
        raise unknown_kernel(kind, kernel, list(found))
    op, holder = found[kernel]
    scripts = [script for script, kernel_op in scripts_of(holder) if kernel_op is op]
    return "\n".join(map(str, [op, *scripts]))


def schedules_of(request: Request) -> dict[str, str]:
    """Return the printed schedule of each kernel, by the suggested name of its file.

    For a model with tuned options of passes, also return the file of these options.

    Errors: see `imported` and `lower`.
    """
    texts: dict[str, str] = {}
    if plans := request.settings.graph_plans:
        module = imported(replace(request)).module
        texts |= graph_files(module, plans, request.settings.precision)
    for part in lowered_from(request, "sched").parts:
        for name, text in schedule_texts(part.module).items():
            stem, _, suffix = name.rpartition(".")
            label = re.sub(r"[^A-Za-z0-9]+", "_", part.label)
            texts[f"{stem}_{label}.{suffix}" if label else name] = text
    return texts


def code_of(request: Request) -> Iterator[EmittedText]:
    """Yield the source texts, such as LLVM IR, that the backend compiles to objects.

    Errors: see `imported` and `lower`.
    """
    variant, emitter = request.settings.variant, request.settings.new_emitter(None)
    return program_of(lowered_from(request), emitter, variant).texts()


def lowered_from(request: Request, to: str | None = None) -> Lowered:
    """Import a request, and return its modules at a level, by default the last one.

    Errors: see `imported` and `lower`.
    """
    request = replace(request)
    with crash_reproducer(request):
        return lower(imported(request), request.watch, to)
