"""Find converters of installed packages, for nodes that the project has no converter for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ...support.installed import load_installed
from .node import Row

GROUP = "tilewright.converters"


class InstalledConverters:
    """The converter rows of an entry-point group, looked up on first use.

    used: whether any row was returned; then the result also depends on the installed packages.
    """

    def __init__(self) -> None:
        self.used = False
        self._rows: list[Row] | None = None

    def find(self, domain: str, op_type: str) -> tuple[Row, ...]:
        """Return the rows of an operator.

        Errors: TilewrightError for an entry point that cannot be loaded.
        """
        if self._rows is None:
            groups = cast("Iterable[Iterable[Row]]", load_installed(GROUP))
            self._rows = [row for rows in groups for row in rows]
        found = tuple(r for r in self._rows if (r.domain, r.op_type) == (domain, op_type))
        self.used = self.used or bool(found)
        return found
