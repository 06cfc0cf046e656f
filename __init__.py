"""Tilewright: a deep-learning compiler on xDSL. Start reading at docs/architecture.md.

    import tilewright
    mod = tilewright.compile("model.onnx")
    outputs = mod.run({"x": x})

Every name is loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .driver.compile import CompiledModule, compile
    from .driver.specialize import SpecializingModule
    from .runtime.module import Module
    from .runtime.ndarray import NDArray
    from .support.target import Target

__version__ = "0.1.0"
__all__ = [
    "CompiledModule",
    "Module",
    "NDArray",
    "SpecializingModule",
    "Target",
    "__version__",
    "compile",
]

_HOMES = {
    "CompiledModule": ".driver.compile",
    "SpecializingModule": ".driver.specialize",
    "compile": ".driver.compile",
    "Module": ".runtime.module",
    "NDArray": ".runtime.ndarray",
    "Target": ".support.target",
}


def __getattr__(name: str) -> object:
    """Load a public name from its home."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home, __name__), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
