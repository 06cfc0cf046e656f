"""Functions of the host that a program for a GPU calls: parts of the model, and global functions.

In: the manifest of a program, and its parts for other targets as modules. Out: the function that
each `packed.extern` calls, by name; the function of a part writes its outputs to the arrays that
follow its inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...interp.extern import Functions
from ...runtime.file.manifest import Manifest
from ...runtime.module.exported import ExportedModule, load_saved
from ...runtime.module.loading import registered_functions
from ...runtime.module.programs import ProgramSet
from ..backend import SavedModule


def loaded_parts(parts: Mapping[str, SavedModule]) -> Mapping[str, ExportedModule | ProgramSet]:
    """Load the parts of a program for other targets; return their modules by name.

    Errors: LoadError for a part that is damaged.
    """
    return {name: load_saved(*part, None) for name, part in parts.items()}


def host_functions(
    manifest: Manifest, parts: Mapping[str, ExportedModule | ProgramSet]
) -> Functions:
    """Return the functions of the host that a program calls, by name.

    Errors: LoadError for a global function that is not registered.
    """
    own = {name: partial(_filled, module) for name, module in parts.items()}
    return {**registered_functions(manifest, but=own), **own}


def _filled(module: ExportedModule | ProgramSet, *tensors: object) -> None:
    module.fill(tensors)


__all__ = ["host_functions", "loaded_parts"]
