"""Lengths of time as text, such as ``5m``."""

from __future__ import annotations

import re

from .diagnostics import TilewrightError

_UNITS_S = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


def parse_duration(text: str, where: str) -> float:
    """Return a length of time such as ``30d``, ``12h``, ``45m`` or ``90s`` in seconds.

    where: the option or argument, for the message.
    Errors: TilewrightError for a text that is not a number with one of these units.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([dhms])", text, re.ASCII)
    if match is None:
        raise TilewrightError(
            "malformed length of time",
            expected="such as 30d, 12h, 45m or 90s",
            got=text,
            where=where,
        )
    return float(match[1]) * _UNITS_S[match[2]]
