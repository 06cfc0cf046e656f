"""Serving exported models over HTTP and gRPC, with the runtime only and no compiler.

    from tilewright.serve import Settings, serve
    serve("models", Settings(port=8000))

A folder of models (repository.py) is served with the Open Inference Protocol, which KServe and
Triton speak. The HTTP stack is starlette on uvicorn, the gRPC stack is grpcio. Names are loaded on
first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .http import create_app
    from .model import Servable
    from .repository import Repository
    from .server import serve
    from .settings import Settings

_HOMES = {
    "Repository": "repository",
    "Servable": "model",
    "Settings": "settings",
    "create_app": "http",
    "serve": "server",
}
__all__ = ["Repository", "Servable", "Settings", "create_app", "serve"]


def __getattr__(name: str) -> object:
    """Import the module that defines a public name, and return the value of the name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
