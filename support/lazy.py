"""Import of modules and of their objects by name, when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, cast


def load(entry: str) -> object:
    """Import the module of ``"package.module:Attribute"``, and return the attribute."""
    module, _, attribute = entry.partition(":")
    return getattr(import_module(module), attribute)


def call(entry: str, *arguments: object) -> Any:
    """Import the function that ``"package.module:function"`` names, call it, return its result."""
    return cast("Callable[..., Any]", load(entry))(*arguments)


def family_modules(package: str, without: str = "") -> tuple[ModuleType, ...]:
    """Import and return the modules of a package and its subpackages, in the order of their names.

    without: the full name of a module to leave out: the calling module, if it is in the package.
    """
    folder = import_module(package).__path__
    names = (found.name for found in walk_packages(folder, f"{package}."))
    return tuple(import_module(name) for name in sorted(names) if name != without)


def family_tables(package: str, table: str, without: str = "") -> tuple[object, ...]:
    """Return the variable ``table`` of each module of a package that defines such a variable.

    without: the full name of a module to leave out.
    """
    modules = family_modules(package, without)
    return tuple(vars(module)[table] for module in modules if table in vars(module))
