"""The nodes of a model that each kernel computes.

In: a main function that calls kernels. Out: names of nodes, by kernel: the locations of its calls,
which name all fused nodes (support/locations.py).
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ..dialects.packed import CallOp
from ..support.locations import node_names


def nodes_of_kernels(main: FuncOp) -> dict[str, tuple[str, ...]]:
    """Return the nodes of all calls of each kernel, each once, in order."""
    found: dict[str, dict[str, None]] = {}
    for op in main.walk():
        if isinstance(op, CallOp):
            names = dict.fromkeys(node_names(op.location))
            found.setdefault(op.kernel_name, {}).update(names)
    return {kernel: tuple(names) for kernel, names in found.items()}
