"""Running compiled models: modules, packed functions, arrays, threads. Needs numpy only.

    from tilewright.runtime import load_module
    module = load_module("m.so")

Names are loaded on first use, so that importing a part of the package costs that part only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .exported import ExportedModule, load_module

__all__ = ["ExportedModule", "load_module"]


def __getattr__(name: str) -> object:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import exported

    return getattr(exported, name)
