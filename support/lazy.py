"""Lazy import of objects that are named by ``"package.module:Attribute"``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast


def load(entry: str) -> object:
    """Import the module of ``"package.module:Attribute"``, and return the attribute."""
    module, _, attribute = entry.partition(":")
    return getattr(import_module(module), attribute)


def call(entry: str, *arguments: object) -> Any:
    """Import the function that ``"package.module:function"`` names, call it, return its result."""
    return cast("Callable[..., Any]", load(entry))(*arguments)
