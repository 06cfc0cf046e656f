"""Tools for tests: reference results, random programs, models, and measures.

`echo` returns its argument through the packed-function ABI.
"""

from __future__ import annotations

from typing import Any

from ..runtime.abi.registry import get_global_func


def echo(value: Any) -> Any:
    """Return ``value`` after a round trip through the packed-function ABI.

    Tests use it to check the conversions of Python values to and from the ABI.
    """
    return get_global_func("testing.echo")(value)


__all__ = ["echo"]
