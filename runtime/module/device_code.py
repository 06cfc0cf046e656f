"""Exported programs for devices: the kind of the target selects the package that loads one.

A package declares its loaders as entry points of the group `tilewright.loaders`. The name of an
entry point is a kind of target; its value is a function that returns a `LoadedCode` for the code
and the weights of a library.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import cast

from ..abi.library import LoadError
from ..file.manifest import Manifest
from .loading import LoadedCode

_GROUP = "tilewright.loaders"


def load_device_code(manifest: Manifest, code: bytes, weights: memoryview) -> LoadedCode:
    """Load an exported program by the loader of the package for its kind of target.

    Errors: LoadError if no package loads programs of its target.
    """
    kind = manifest.target.split()[0]
    found = tuple(entry_points(group=_GROUP, name=kind))
    if not found:
        raise LoadError(
            f"{manifest.name}: no package loads programs of the target",
            expected=f"an entry point {kind} of the group {_GROUP}",
            got=manifest.target,
            hint="pip install tilewright",
        )
    return cast("Callable[[bytes, memoryview], LoadedCode]", found[0].load())(code, weights)


__all__ = ["load_device_code"]
