"""Find converters in installed packages, for operators without a converter in the project."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ...support.installed import load_installed
from .node import OpConverter

GROUP = "tilewright.converters"


class InstalledConverters:
    """The converters in the entry-point group `GROUP`, loaded on first use.

    used: whether `find` has returned any converter; then the imported model also depends on
    installed packages.
    """

    def __init__(self) -> None:
        self.used = False
        self._converters: list[OpConverter] | None = None

    def find(self, domain: str, op_type: str) -> tuple[OpConverter, ...]:
        """Return the converters of an operator in installed packages; empty if there are none.

        Errors: TilewrightError for an entry point that cannot be loaded.
        """
        if self._converters is None:
            groups = cast("Iterable[Iterable[OpConverter]]", load_installed(GROUP))
            self._converters = [converter for converters in groups for converter in converters]
        found = tuple(r for r in self._converters if (r.domain, r.op_type) == (domain, op_type))
        self.used = self.used or bool(found)
        return found
