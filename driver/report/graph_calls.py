"""The graph of kernel calls as te-outline forms it, and why it left nodes apart."""

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
    """A call of a kernel in the graph of kernels.

    nodes: the nodes that it computes.  sources: the numbers of the calls whose results it reads.
    """

    kernel: str
    nodes: tuple[str, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Remark:
    """Something that the compiler did not do, and why.

    kind: not fused, not vectorized, or simple plan.  what: the nodes or the kernel.
    """

    kind: str
    what: str
    reason: str


def graph_calls(module: ModuleOp) -> list[GraphCall]:
    """Return the calls of main, at the level of tensor expressions."""
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
    """Return why ops do not join the kernels of their readers.

    step: the pass that will form kernels; any other pass than `Outline` has no remarks.
    """
    found: list[Remark] = []

    def note(op: Operation, reason: str) -> None:
        nodes = ", ".join(node_names(op.location)) or op.name
        found.append(Remark("not fused", nodes, reason))

    main = find_entry(module)
    if main is not None and isinstance(step, Outline):
        group_computes(main.body.block, step.budget_bytes, note)
    return found


__all__ = ["GraphCall", "Remark", "graph_calls", "refusals"]
