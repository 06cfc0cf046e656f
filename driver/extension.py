"""Extension: what another package adds to a compilation; nothing is registered anywhere.

Ops need no mention: they carry ``EvaluatedBy`` (interp/graph/context.py) and ``LoweredBy``
(lowering/graph_to_te/builder.py) as traits; nor do steps of schedules made in Python, which carry
``AppliedBy`` (passes/schedule/primitives.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.passes import ModulePass

from ..frontend.onnx.node import Row
from ..support.registry import new_context


@dataclass(frozen=True)
class Extension:
    """Converters, passes and dialects of another package.

    converters: rows for nodes of ONNX models, asked before those of the project.
    passes: by the name of the pass of the pipeline that they run right before; where that one
    runs twice, so do they.
    dialects: of the ops and steps that texts hold.
    """

    converters: Sequence[Row] = ()
    passes: Mapping[str, Sequence[ModulePass]] = field(default_factory=dict[str, list[ModulePass]])
    dialects: Sequence[Dialect] = ()


def context_of(extensions: Sequence[Extension]) -> Context:
    """Return a Context that also knows the dialects of extensions."""
    context = new_context()
    for dialect in (d for extension in extensions for d in extension.dialects):
        context.register_dialect(dialect.name, lambda dialect=dialect: dialect)
    return context
