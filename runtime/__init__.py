"""Running compiled models: modules, packed functions, arrays, threads. Needs numpy only.

    from tilewright.runtime import load_module
    module = load_module("m.so")

Names are loaded on first use, so that importing one name loads only the modules that it needs.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .abi import registry
    from .module import graph_executor
    from .module.exported import ExportedModule
    from .module.function_library import load_module
    from .module.graph_executor import GraphModule
    from .module.params import load_param_dict, save_param_dict

_HOMES = {
    "ExportedModule": "module.exported",
    "GraphModule": "module.graph_executor",
    "load_module": "module.function_library",
    "load_param_dict": "module.params",
    "save_param_dict": "module.params",
}
_MODULES = {"graph_executor": "module.graph_executor", "registry": "abi.registry"}
__version__ = "0.1.0"
__all__ = [
    "ExportedModule",
    "GraphModule",
    "__version__",
    "graph_executor",
    "include_dir",
    "load_module",
    "load_param_dict",
    "registry",
    "save_param_dict",
]


def include_dir() -> Path:
    """Return the folder of the C runtime: headers, sources, and files for CMake and pkg-config."""
    return Path(__file__).with_name("native")


def __getattr__(name: str) -> object:
    """Import the module that defines a public name, and return the value of the name."""
    if name not in __all__:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise import_module(".spelling", __name__).unknown_name("tilewright.runtime", name, __all__)
    if name in _MODULES:
        return import_module(f".{_MODULES[name]}", __name__)
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
