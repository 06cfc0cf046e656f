"""Check the limits of function calls: no recursion, bounded depth, bounded number of nodes.

The call graph shows all three before any call is expanded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from ....support.diagnostics import ModelError
from .definitions import FunctionDef, FunctionKey, NodeDef, all_nodes, shown

MAX_CALL_DEPTH = 64
"""Maximum nesting depth of function calls."""
MAX_EXPANDED_NODES = 200_000
"""Maximum number of nodes after all calls of a model are expanded."""


def check_calls(nodes: Iterable[NodeDef], functions: Mapping[FunctionKey, FunctionDef]) -> None:
    """Check that all function calls of a model can be expanded.

    nodes: the nodes of the model's graph.
    Errors: ModelError for recursion, too deep calls, or too many expanded nodes.
    """
    size: dict[FunctionKey, int] = {}
    depth: dict[FunctionKey, int] = {}
    for key in _callees_first(functions):
        calls = _calls(functions[key].nodes, functions)
        depth[key] = 1 + max((depth[callee] for callee in calls), default=0)
        size[key] = sum(1 for _ in all_nodes(functions[key].nodes)) + _total(calls, size)
    deepest = max(depth, key=lambda key: depth[key], default=None)
    if deepest is not None and depth[deepest] > MAX_CALL_DEPTH:
        raise ModelError(
            f"function {shown(deepest)} nests calls too deeply",
            expected=f"at most {MAX_CALL_DEPTH} calls inside each other",
            got=depth[deepest],
            hint="inline the inner functions before exporting the model",
        )
    called = _calls(nodes, functions)
    if _total(called, size) > MAX_EXPANDED_NODES:
        worst = max(called, key=lambda key: called[key] * size[key])
        raise ModelError(
            f"calls of function {shown(worst)} expand to too many nodes",
            expected=f"at most {MAX_EXPANDED_NODES} nodes from all functions",
            got=f"at least {_total(called, size)}",
            hint="replace repeated calls by a Loop, or split the model",
        )


def _calls(
    nodes: Iterable[NodeDef], functions: Mapping[FunctionKey, FunctionDef]
) -> Counter[FunctionKey]:
    return Counter(node.key for node in all_nodes(nodes) if node.key in functions)


def _total(calls: Counter[FunctionKey], size: Mapping[FunctionKey, int]) -> int:
    # Cap the numbers: sizes can double with every level of a malicious model.
    return min(sum(count * size[callee] for callee, count in calls.items()), 10**12)


def _callees_first(functions: Mapping[FunctionKey, FunctionDef]) -> list[FunctionKey]:
    """Return all functions, each after the functions that it calls.

    Errors: ModelError for recursion.
    """
    calls = {key: _calls(function.nodes, functions) for key, function in functions.items()}
    try:
        return list(TopologicalSorter(calls).static_order())
    except CycleError as err:
        raise ModelError(
            "functions call themselves",
            got=", ".join(shown(key) for key in functions if key in err.args[1]),
            hint="ONNX functions must not be recursive; use a Loop",
        ) from None
