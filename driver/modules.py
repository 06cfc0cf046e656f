"""CompiledModule: a loaded module that also shows its kernels and the text of every level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from ..runtime.exported import Reduced, reduced
from ..runtime.module import Module, Sources
from ..support.schedule_files import write_schedules
from ..targets.backend import Artifact, Backend, KernelRecord
from .export import library_parts, write_library
from .progress import Stopwatch
from .settings import Settings

Schedules: TypeAlias = Callable[[], Mapping[str, str]]
"""A function that returns the schedules of all kernels by suggested file name."""


class CompiledModule(Module):
    """A compiled model with facts about its kernels and the text of every level.

    code: the shared object, without the weights.  times: seconds per stage of the compilation, in
    order; a model from the cache has only the stages ``look-up`` and ``load``.
    """

    kernels: tuple[KernelRecord, ...] = ()
    code: bytes = b""
    times: Mapping[str, float] = MappingProxyType({})
    _schedules: Schedules | None = None
    _made: tuple[Artifact, Backend] | None = None

    def dump_schedules(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the schedule of each kernel to a file in a folder; return the files.

        ``compile(model, schedules=folder)`` uses these files, edited or not.
        Errors: LookupError if the module was loaded without its sources.
        """
        if self._schedules is None:
            raise LookupError(f"module {self.name} was loaded without its sources")
        return write_schedules(self._schedules(), folder)

    def export_library(self, path: str | PathLike[str], *, embed: bool = False) -> list[Path]:
        """Write the module to a file that other processes load; return the files, it first.

        The suffix names the format: ``.so`` is a shared object; ``.o`` an object, and ``.a`` an
        archive, to link with programs, and a C header.  The weights are in the file
        ``<stem>.safetensors`` next to it, or inside with ``embed``.
        Errors: ArgumentError for a suffix that is not offered, OSError from the disk.
        """
        return write_library(*self._exported(), path, is_embedded=embed)

    def _exported(self) -> tuple[Artifact, Backend, Mapping[str, Any]]:
        """Return what an export needs: artifact, backend, and additions to the manifest."""
        assert self._made is not None, "made by load_compiled"
        return *self._made, {"states": [asdict(state) for state in self.states]}

    def __reduce__(self) -> Reduced:
        """Return how pickle and copy make the module again: from the bytes of its export.

        Errors: ArgumentError for a target without exported libraries.
        """
        return reduced(*library_parts(*self._exported()), self.threads)


def load_compiled(
    made: Artifact,
    settings: Settings,
    threads: int | None,
    sources: Sources,
    watch: Stopwatch,
    *,
    schedules: Schedules | None = None,
) -> CompiledModule:
    """Load a compiled model, new or from the cache."""
    code = bytes(made.code)
    with watch.stage("load"):
        loaded = settings.backend.load(replace(made, code=code), threads)
        compiled = CompiledModule.of(loaded, sources)
    compiled._schedules = schedules  # pyright: ignore[reportPrivateUsage]
    compiled._made = (made, settings.backend)  # pyright: ignore[reportPrivateUsage]
    compiled.kernels, compiled.code, compiled.times = made.kernels, code, dict(watch.times)
    return compiled
