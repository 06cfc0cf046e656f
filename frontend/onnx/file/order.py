"""Check and sort the nodes of a graph or function: each value is defined once, before its uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from ....support.diagnostics import ModelError
from .definitions import NodeDef


def check_unique(known: Iterable[str], nodes: Iterable[NodeDef]) -> None:
    """Check that no name is defined twice.

    known: the names of inputs and initializers; the other names are results of nodes.
    Errors: ModelError for a name that is defined twice.
    """
    producers: dict[str, str] = {}
    definitions = [(name, "the inputs") for name in known]
    definitions += [(out, f"node {n.name!r}") for n in nodes for out in n.outputs if out]
    for name, producer in definitions:
        if name in producers:
            raise ModelError(
                f"value {name!r} is defined twice",
                got=f"{producers[name]} and {producer}",
                hint="give one of the two another name",
            )
        producers[name] = producer


def in_order(
    nodes: Sequence[NodeDef], known: set[str], outputs: Sequence[str]
) -> tuple[NodeDef, ...]:
    """Sort nodes in dependency order; independent nodes keep the order of the file.

    known: the names that are defined outside of the nodes.  outputs: the names of the results.
    Errors: ModelError for an undefined name, and for a cycle.
    """
    _check_defined(nodes, known, outputs)
    waits_for = [{name for name in node.reads if name not in known} for node in nodes]
    readers_of: defaultdict[str, list[int]] = defaultdict(list)
    for index, names in enumerate(waits_for):
        for name in names:
            readers_of[name].append(index)
    ready = [index for index, names in enumerate(waits_for) if not names]
    heapify(ready)
    ordered: list[NodeDef] = []
    while ready:
        node = nodes[heappop(ready)]
        ordered.append(node)
        for name in filter(None, node.outputs):
            for reader in readers_of[name]:
                waits_for[reader].discard(name)
                if not waits_for[reader]:
                    heappush(ready, reader)
    if len(ordered) < len(nodes):
        stuck = [node.name for node, names in zip(nodes, waits_for, strict=True) if names]
        raise ModelError(
            "nodes form a cycle, or depend on one",
            got=", ".join(stuck[:8]) + (", …" if len(stuck) > 8 else ""),
            hint="make one of them read a value that does not depend on it",
        )
    return tuple(ordered)


def _check_defined(nodes: Sequence[NodeDef], known: set[str], outputs: Sequence[str]) -> None:
    defined = known | {out for node in nodes for out in node.outputs}
    for node in nodes:
        for name in node.reads:
            if name not in defined:
                raise _undefined(f"node {node.name!r} reads", name)
    for name in outputs:
        if name not in defined:
            raise _undefined("an output is", name)


def _undefined(reader: str, name: str) -> ModelError:
    return ModelError(
        f"{reader} the undefined value {name!r}",
        hint="no input, initializer or node has this name: correct it or add its producer",
    )
