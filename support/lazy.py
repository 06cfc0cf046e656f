"""Lazy import of objects that are named by ``"package.module:Attribute"``."""

from __future__ import annotations

from importlib import import_module


def load(entry: str) -> object:
    """Import the module of ``"package.module:Attribute"``, and return the attribute."""
    module, _, attribute = entry.partition(":")
    return getattr(import_module(module), attribute)
