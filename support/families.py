"""Import all modules of a folder and its subfolders, without a list of their names."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType


def family_modules(package: str, without: str = "") -> tuple[ModuleType, ...]:
    """Import and return the modules of a package and its subpackages, in the order of their names.

    without: the full name of a module to leave out: the calling module, if it is in the package.
    """
    folder = import_module(package).__path__
    names = (found.name for found in walk_packages(folder, f"{package}."))
    return tuple(import_module(name) for name in sorted(names) if name != without)


def family_tables(package: str, table: str, without: str = "") -> tuple[object, ...]:
    """Import the modules of a package; return the variable ``table`` of each that defines it.

    The order is that of `family_modules`.

    table: the name of the variable.  without: the full name of a module to leave out.
    """
    modules = family_modules(package, without)
    return tuple(vars(module)[table] for module in modules if table in vars(module))
