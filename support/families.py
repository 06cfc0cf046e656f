"""Families: all modules of a folder, loaded without a list, so that a new file is found."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def family_modules(package: str, without: str = "") -> tuple[ModuleType, ...]:
    """Import and return the modules of a package in the order of their names.

    without: the full name of a module to leave out: the caller, if it is in the package itself.
    """
    folder = import_module(package).__path__
    names = (f"{package}.{found.name}" for found in iter_modules(folder))
    return tuple(import_module(name) for name in sorted(names) if name != without)


def family_tables(package: str, table: str, without: str = "") -> tuple[object, ...]:
    """Return the variable named ``table`` of each module of a package that defines it."""
    modules = family_modules(package, without)
    return tuple(vars(module)[table] for module in modules if table in vars(module))
