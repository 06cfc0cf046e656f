"""Lower graph.defined: its region takes the place of the op."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.graph import DefinedOp
from ...support.blocks import returned
from .builder import Rule, TeBuilder


def te_defined(op: DefinedOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append copies of the ops of the region; return the copies of the values that it yields."""
    body = op.body.block
    values = [builder.value(x) for x in op.xs]
    known: dict[SSAValue, SSAValue] = dict(zip(body.args, values, strict=True))
    for inner in list(body.ops)[:-1]:
        copy = builder.append(inner.clone(known))
        known.update(zip(inner.results, copy.results, strict=True))
    return [known[v] for v in returned(body)]


RULES: dict[type, Rule] = {DefinedOp: te_defined}
