"""Calls and function values have no te definition: graph-remove-functions removes them first."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.graph import ApplyOp, CallOp, ClosureOp, GraphOp
from ...support.diagnostics import UnsupportedOp
from .builder import Rule, TeBuilder


def refuse(op: GraphOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Refuse an op.

    Errors: UnsupportedOp.
    """
    raise UnsupportedOp(
        "functions and data have no te definition", hint="run graph-remove-functions first"
    ).at(op)


RULES: dict[type, Rule] = dict.fromkeys((ApplyOp, CallOp, ClosureOp), refuse)
