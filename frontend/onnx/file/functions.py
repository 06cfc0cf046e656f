"""Check the limits of function calls: no recursion, bounded depth, bounded number of nodes.

The call graph shows all three before any call is expanded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ....support.diagnostics import ModelError
from .definitions import FunctionDef, FunctionKey, NodeDef, all_nodes, shown

MAX_CALL_DEPTH = 64
"""Maximum nesting depth of function calls."""
MAX_EXPANDED_NODES = 200_000
"""Maximum number of nodes after all calls of a model are expanded."""


def check_calls(nodes: Iterable[NodeDef], functions: Mapping[FunctionKey, FunctionDef]) -> None:
    """Check that all function calls of a model can be expanded.

    Errors: ModelError for recursion and for a call graph beyond the limits.
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
    left = {key: set(_calls(f.nodes, functions)) for key, f in functions.items()}
    callers: dict[FunctionKey, list[FunctionKey]] = {key: [] for key in functions}
    for caller, callees in left.items():
        for callee in callees:
            callers[callee].append(caller)
    order = [key for key, callees in left.items() if not callees]
    for callee in order:
        for caller in callers[callee]:
            left[caller].discard(callee)
            if not left[caller]:
                order.append(caller)
    if len(order) < len(functions):
        stuck = ", ".join(shown(key) for key, callees in left.items() if callees)
        raise ModelError(
            "functions call themselves",
            got=stuck,
            hint="ONNX functions must not be recursive; use a Loop",
        )
    return order
