"""Remove the checks of indices for the option ``unchecked_indices`` of `compile`."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects import graph
from ...dialects.packed import CheckIndicesOp


def drop_checks(module: ModuleOp) -> None:
    """Erase the index checks of a program at any level."""
    for op in list(module.walk()):
        if isinstance(op, CheckIndicesOp | graph.CheckIndicesOp):
            op.detach()
            op.erase()
