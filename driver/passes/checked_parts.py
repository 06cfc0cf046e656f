"""The table of a validation: one row for each checked part of a program at a stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PROGRAM = "(program)"
"""Stands for the whole program in the column of kernels."""


@dataclass(frozen=True)
class CheckedPart:
    """One row of the table of a validation.

    kernel: the kernel, or PROGRAM, or a result.  error: the largest difference, relative to the
    largest expected value.  bound: the largest accepted relative error; 0 for integers.
    share: the share of the elements of the results that were compared.  verdict: such as ``ok``.
    """

    stage: str
    kernel: str
    error: float
    bound: float
    share: float
    verdict: str


@dataclass(frozen=True)
class ValidationTable:
    """The rows of a validation; as text, a table with a line for each row."""

    rows: Sequence[CheckedPart]

    def __str__(self) -> str:
        lines = [f"{'stage':15}{'kernel':25}{'max error':>10}{'bound':>10}{'part':>7}  verdict"]
        for row in self.rows:
            percent = 100 * row.share
            share = f"{percent:.0f} %" if percent >= 1 else f"{percent:.1g} %"
            numbers = f"{row.error:>10.1e}{row.bound:>10.1e}{share:>7}"
            lines.append(f"{row.stage:15}{row.kernel[:24]:25}{numbers}  {row.verdict}")
        return "\n".join(lines)
