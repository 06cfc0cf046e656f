"""All pass instruments of this package, for ``from tilewright import instrument``."""

from __future__ import annotations

from ...support.instruments import PassInfo, PassInstrument, PassTimes, PrintDiff, PrintIR
from ...support.ir_dump import IrDump
from .check import Validation

__all__ = [
    "IrDump",
    "PassInfo",
    "PassInstrument",
    "PassTimes",
    "PrintDiff",
    "PrintIR",
    "Validation",
]
