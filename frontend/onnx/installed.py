"""Find converters of installed packages, for nodes that the project has no converter for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ...support.installed import load_installed
from .node import OpConverter

GROUP = "tilewright.converters"


class InstalledConverters:
    """The converters of an entry-point group, looked up on first use.

    used: whether one was returned; then the result also depends on the installed packages.
    """

    def __init__(self) -> None:
        self.used = False
        self._converters: list[OpConverter] | None = None

    def find(self, domain: str, op_type: str) -> tuple[OpConverter, ...]:
        """Return the converters of an operator.

        Errors: TilewrightError for an entry point that cannot be loaded.
        """
        if self._converters is None:
            groups = cast("Iterable[Iterable[OpConverter]]", load_installed(GROUP))
            self._converters = [converter for converters in groups for converter in converters]
        found = tuple(r for r in self._converters if (r.domain, r.op_type) == (domain, op_type))
        self.used = self.used or bool(found)
        return found
