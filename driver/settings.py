"""Settings: everything that determines the code of a model besides the model, sizes and values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from ..runtime.host import MAX_THREADS, available_threads
from ..support.precision import Precision, parse_precision
from ..support.schedule_files import ScheduleFile, read_schedules
from ..support.target import Target
from ..targets.backend import PLAIN, Variant
from .backends import backend_of, target_of

if TYPE_CHECKING:
    from ..runtime.functions import ModuleFunctions
    from ..targets.backend import Backend
    from .extension import Extension

Sizes: TypeAlias = tuple[tuple[str, int], ...]
"""Names of sizes, and their values."""


@dataclass(frozen=True)
class Settings:
    """Choices of the caller and of this process. Every field is part of the key of cached code.

    precision: whether algorithms with a larger error may be chosen.
    max_threads: the number of threads that memory is planned for.  extensions: additions of other
    packages; their changes cannot be detected, so models compiled with them are not cached as a
    whole.  schedules: schedules that replace the plan's for the kernels that they match.
    strict_plan: whether a kernel that cannot be planned is an error.
    unchecked_indices: whether index checks are omitted.
    states: names of inputs, and of the outputs that replace them in the next call.
    versions: the sizes that each version of the model binds, besides the code for all sizes.
    variant: what the code has in addition to that of the module.
    parts: the modules for other targets that main calls, by the name of the function.
    """

    target: Target
    precision: Precision
    max_threads: int
    extensions: tuple[Extension, ...] = ()
    schedules: tuple[ScheduleFile, ...] = ()
    strict_plan: bool = False
    unchecked_indices: bool = False
    states: tuple[tuple[str, str], ...] = ()
    versions: tuple[Sizes, ...] = ()
    variant: Variant = PLAIN
    parts: Mapping[str, ModuleFunctions] = field(default_factory=dict[str, "ModuleFunctions"])

    @property
    def backend(self) -> Backend:
        """The backend of the target.

        Errors: TargetError if there is none.
        """
        return backend_of(self.target, self.extensions)

    @property
    def is_known(self) -> bool:
        """True if equal settings imply equal code."""
        return not self.extensions

    def key_parts(self) -> list[str]:
        """Return a text for each field."""
        return [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self)]


class Choices(TypedDict, total=False):
    """The options of `compile` that determine the code of a model, besides sizes and values."""

    target: str | Target | None
    precision: str
    schedules: str | PathLike[str] | None
    strict_plan: bool
    unchecked_indices: bool


def settings_for(
    target: str | Target | None = None,
    precision: str = Precision.DEFAULT,
    extensions: tuple[Extension, ...] = (),
    schedules: str | PathLike[str] | None = None,
    *,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> Settings:
    """Return the settings for a target (None: this machine) in this process.

    schedules: a schedule file, or a folder of them.  strict_plan: see `Settings`.
    Errors: TargetError for an invalid target text, or one that the precision makes slower;
    TilewrightError for an unknown precision or unreadable schedules.
    """
    chosen, wanted = target_of(target, extensions), parse_precision(precision)
    backend_of(chosen, extensions).check_precision(wanted, chosen)
    most = min(MAX_THREADS, available_threads())
    files = () if schedules is None else read_schedules(schedules)
    return Settings(chosen, wanted, most, extensions, files, strict_plan, unchecked_indices)
