"""Dialects, converters and backends that installed packages declare as entry points.

    [project.entry-points."xdsl.universe"]
    acme = "acme.universe:UNIVERSE"
    [project.entry-points."tilewright.converters"]
    acme = "acme.onnx:CONVERTERS"
    [project.entry-points."tilewright.backends"]
    toy = "toy_device:ToyBackend"

Dialects use the entry-point group of xDSL. Entry points are looked up only when a program
uses a dialect, op or target that Tilewright does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from .diagnostics import TilewrightError

if TYPE_CHECKING:
    from xdsl.universe import Universe

UNIVERSES = "xdsl.universe"


def load_installed(group: str) -> Iterable[object]:
    """Yield the objects that installed packages declare as entry points of a group, by name.

    Errors: TilewrightError for an entry point that cannot be imported.
    Cost: 20 to 100 ms, plus the packages' own imports.
    """
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        yield _loaded(point, group)


def find_installed(group: str, name: str) -> object | None:
    """Return the object that an installed package declares as an entry point.

    Return None if no package declares it.

    group: the group of the entry point.  name: its name.

    Errors: TilewrightError for an entry point that cannot be imported.
    """
    return next((_loaded(point, group) for point in entry_points(group=group, name=name)), None)


def _loaded(point: EntryPoint, group: str) -> object:
    try:
        return point.load()
    except (ImportError, AttributeError) as err:
        raise TilewrightError(
            "an installed package cannot be loaded",
            got=f"{type(err).__name__}: {err}",
            hint="upgrade the package, or uninstall it",
            where=f"entry point {point.name} = {point.value} of {group}",
        ) from err


class OpenContext(Context):
    """A context of xDSL that also finds the dialects of installed packages."""

    _is_complete = False

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        self._find(name)
        return super().get_optional_op(name, dialect_stack=dialect_stack)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        self._find(name)
        return super().get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        self._find(name)
        return super().get_optional_attr(name)

    def _find(self, name: str) -> None:
        """Register the dialects of installed packages if the dialect of a name is unknown.

        name: the name of an op, attribute or type, with its dialect.
        """
        if self._is_complete or "." not in name:
            return
        if Dialect.split_name(name)[0] in self.registered_dialect_names:
            return
        self._is_complete = True
        for universe in load_installed(UNIVERSES):
            for key, factory in cast("Universe", universe).all_dialects.items():
                if key not in self.registered_dialect_names:
                    self.register_dialect(key, factory)
