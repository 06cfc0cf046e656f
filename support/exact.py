"""Exact passes: the base class says that results keep every bit.

@dataclass(frozen=True)
class Cse(ExactPass):
name = "graph-cse"
"""

from __future__ import annotations

from abc import ABC

from xdsl.passes import ModulePass


class ExactPass(ModulePass, ABC):
    """A pass after which every element of every result has the same bits as before.

    Validation compares the results before and after such a pass bitwise.
    """
