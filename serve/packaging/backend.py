"""The build backend of tilewright-serve: that of tilewright-runtime, for the same reason.

A source distribution does not contain that file; its backend is setuptools.
"""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

from setuptools import build_meta

_RUNTIME = Path(__file__).parents[2] / "runtime" / "packaging" / "backend.py"


def __getattr__(name: str) -> object:
    """Return a hook of the build by its name."""
    hooks = run_path(str(_RUNTIME)) if _RUNTIME.exists() else {}
    return hooks[name] if name in hooks else getattr(build_meta, name)
