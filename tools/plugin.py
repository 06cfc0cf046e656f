"""Plugins: Python files that add dialects, passes, converters or backends to one run of `tw-opt`.

``--load FILE`` loads a plugin.  It defines ``DIALECTS: list[Dialect]``,
``PASSES: list[type[ModulePass]]``, ``CONVERTERS: list[OpConverter]`` for ONNX nodes, or
``BACKENDS: list[Backend]`` for targets.
Installed packages use entry points instead (support/installed.py).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.ir import Dialect
from xdsl.passes import ModulePass

from ..support.diagnostics import TilewrightError

if TYPE_CHECKING:
    from ..frontend.onnx.node import OpConverter
    from ..targets.backend import Backend


@dataclass(frozen=True)
class Plugin:
    """The dialects, passes, converters and backends that one Python file defines."""

    path: Path
    dialects: Sequence[Dialect]
    passes: Sequence[type[ModulePass]]
    converters: Sequence[OpConverter]
    backends: Sequence[Backend]


def load_plugin(path: Path) -> Plugin:
    """Run a Python file of a plugin, and return its definitions.

    Errors: TilewrightError if the file is missing, fails, or defines none of the lists.
    """
    spec = spec_from_file_location(f"tilewright_plugin_{path.stem}", path)
    if not path.is_file() or spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise TilewrightError("cannot load the plugin", expected="a Python file", got=str(path))
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except Exception as err:
        raise TilewrightError(
            "cannot load the plugin",
            got=f"{type(err).__name__}: {err}",
            hint="--debug shows where",
            where=str(path),
        ) from err
    dialects: Sequence[Dialect] = getattr(module, "DIALECTS", ())
    passes: Sequence[type[ModulePass]] = getattr(module, "PASSES", ())
    converters: Sequence[OpConverter] = getattr(module, "CONVERTERS", ())
    backends: Sequence[Backend] = getattr(module, "BACKENDS", ())
    if not dialects and not passes and not converters and not backends:
        raise TilewrightError(
            "the plugin adds nothing",
            expected="a list DIALECTS, PASSES, CONVERTERS or BACKENDS",
            got=str(path),
        )
    return Plugin(path, dialects, passes, converters, backends)
