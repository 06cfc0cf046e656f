"""Symbols of sizes, whose spelling says where a size comes from.

``u0``: data decides the size.  ``v0``: main computes the size.  ``i.0``: an iteration number.
``n_from_0``: a named size of a signature that may be 0; other names are sizes of at least 1.
"""

from __future__ import annotations

import re

_COMPUTED_SYMBOL = re.compile(r"v\d+")
_DATA_SYMBOL = re.compile(r"u\d+")
_ITERATION_SYMBOL = re.compile(r"i\.\d+")
FROM_ZERO = "_from_0"
"""The end of the symbol of a size that may be 0."""


def depends_on_data(symbol: str) -> bool:
    """Return whether a symbol is a size that is known only when its data is computed."""
    return _DATA_SYMBOL.fullmatch(symbol) is not None


def is_computed(symbol: str) -> bool:
    """Return whether an imported model binds a symbol to a value that main computes."""
    return _COMPUTED_SYMBOL.fullmatch(symbol) is not None


def is_iteration(symbol: str) -> bool:
    """Return whether a symbol is the iteration number of a loop, a size in its body."""
    return _ITERATION_SYMBOL.fullmatch(symbol) is not None


def from_zero(name: str) -> str:
    """Return the symbol of a named size of a signature that may be 0."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name).removesuffix(FROM_ZERO) + FROM_ZERO


def shown_size(size: object) -> str:
    """Return the text of a size for users, in which names do not say that they may be 0."""
    return re.sub(rf"{FROM_ZERO}\b", "", str(size))
