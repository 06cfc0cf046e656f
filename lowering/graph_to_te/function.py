"""Refuse calls and function values, which graph-remove-functions removes before this lowering."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.graph import (
    ApplyOp,
    CallOp,
    ClosureOp,
    ConstructOp,
    DataOp,
    GraphOp,
    MatchOp,
    NodeAtOp,
    NodeNumberOp,
    ReadOp,
    RefOp,
    TableOp,
    WriteOp,
)
from ...support.diagnostics import UnsupportedOp
from .builder import Rule, TeBuilder


def refuse(op: GraphOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Raise UnsupportedOp for an op of functions, which has no te definition."""
    raise UnsupportedOp(
        "functions, data and references have no te definition",
        hint="run graph-remove-functions first",
    ).at(op)


_REMOVED = (
    ApplyOp, CallOp, ClosureOp, ConstructOp, DataOp, MatchOp, NodeAtOp, NodeNumberOp, ReadOp,
    RefOp, TableOp, WriteOp,
)  # fmt: skip

RULES: dict[type, Rule] = dict.fromkeys(_REMOVED, refuse)
