"""The kernel calls of main when te-outline has formed kernels, and why nodes were not fused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.packed import CallOp
from ...passes.te.outline import Outline, group_computes
from ...support.entry import entry_of, find_entry
from ...support.locations import node_names


@dataclass(frozen=True)
class GraphCall:
    """A kernel call of main.

    nodes: the names of the model nodes that the kernel computes.  sources: the indices of the calls
    whose results it reads.
    """

    kernel: str
    nodes: tuple[str, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Remark:
    """The reason why an optimization did not apply.

    kind: ``not fused``, ``not vectorized`` or ``simple plan``.  what: the nodes or the kernel
    concerned.
    """

    kind: str
    what: str
    reason: str


def graph_calls(module: ModuleOp) -> list[GraphCall]:
    """Return the kernel calls of main in order; the module is at level te."""
    made: list[GraphCall] = []
    number_of: dict[SSAValue, int] = {}
    for op in entry_of(module).walk():
        sources = {number_of[v] for v in op.operands if v in number_of}
        if isinstance(op, CallOp):
            number_of |= dict.fromkeys(op.results, len(made))
            nodes = node_names(op.location)
            made.append(GraphCall(op.kernel_name, nodes, tuple(sorted(sources))))
        elif sources:  # an op that passes on a value, such as a view
            number_of |= dict.fromkeys(op.results, max(sources))
    return made


def refusals(module: ModuleOp, step: ModulePass) -> Sequence[Remark]:
    """Return a remark for each op that is not fused into the kernel of its readers.

    The remark gives the reason.
    module: the module before the pass.  step: the pass that will form kernels; any other pass than
    `Outline` has no remarks.
    """
    found: list[Remark] = []

    def note(op: Operation, reason: str) -> None:
        nodes = ", ".join(node_names(op.location)) or op.name
        found.append(Remark("not fused", nodes, reason))

    main = find_entry(module)
    if main is not None and isinstance(step, Outline):
        group_computes(main.body.block, step.budget_bytes, note)
    return found
