"""Index expressions that contain only sizes."""

from __future__ import annotations

from ...dialects.shape import Dim
from ...support.affine import Atom, Key


def is_of_sizes(key: Key) -> bool:
    """Return whether a variable of index expressions depends on symbolic sizes only.

    It is then a symbolic size, or a quotient or remainder of an expression of symbolic sizes.
    """
    return type(key) is Dim or (type(key) is Atom and all(map(is_of_sizes, key.operand.terms)))
