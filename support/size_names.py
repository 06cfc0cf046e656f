"""Names of symbolic sizes, which encode the origin of a size.

``u0``: a data-dependent size.  ``v0``: a size that the main function computes.  ``i.0``: an
iteration number.  ``n_from_0``: a size of the signature that may be 0; other names are sizes of at
least 1.
"""

from __future__ import annotations

import re

_COMPUTED_SYMBOL = re.compile(r"v\d+")
_DATA_SYMBOL = re.compile(r"u\d+")
_ITERATION_SYMBOL = re.compile(r"i\.\d+")
FROM_ZERO = "_from_0"
"""The suffix of the symbol of a size that may be 0."""


def depends_on_data(symbol: str) -> bool:
    """Return whether a symbol is a data-dependent size, unknown until the data is computed."""
    return _DATA_SYMBOL.fullmatch(symbol) is not None


def is_computed(symbol: str) -> bool:
    """Return whether a symbol is a size that the main function computes."""
    return _COMPUTED_SYMBOL.fullmatch(symbol) is not None


def is_iteration(symbol: str) -> bool:
    """Return whether a symbol is the iteration number of a loop, as a size in its body."""
    return _ITERATION_SYMBOL.fullmatch(symbol) is not None


def from_zero(name: str) -> str:
    """Return the symbol for a size of a signature that may be 0.

    name: the name of the size, to which the symbol adds a suffix.
    """
    return re.sub(r"[^A-Za-z0-9_]", "_", name).removesuffix(FROM_ZERO) + FROM_ZERO


def shown_size(size: object) -> str:
    """Return a size as users see it: a symbol without the suffix that allows 0."""
    return re.sub(rf"{FROM_ZERO}\b", "", str(size))
