"""Operators on te tensors: ``from tilewright import ops``.

    y = ops.softmax(ops.matmul(q, k, transpose_rhs=True), axis=-1)

Every graph op whose result sizes do not depend on data is an operator of the same name, defined by
its lowering to te (lowering/graph_to_te); `MODULES` add composite operators.  A name that is a
Python keyword ends in ``_``.  ``help(ops.matmul)`` shows types and shapes.  In a function traced by
``tilewright.function``, the operators take and return the arrays of the trace.
"""

from __future__ import annotations

from typing import Any

from ..runtime.spelling import unknown_name
from . import (
    activations,
    arrangement,
    boxes,
    composed,
    layout,
    positions,
    quantized,
    random,
    signal,
    sparse,
    statistics,
    windows,
)
from .table import by_name, names

MODULES = (
    activations, arrangement, boxes, composed, layout, positions, quantized, random, signal,
    sparse, statistics, windows,
)  # fmt: skip
"""The modules of operators that are compositions of graph ops; ``__all__`` lists them."""


def __getattr__(name: str) -> Any:
    """Return the operator with this name: a graph op or a composition of graph ops."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for module in MODULES:
        if name in module.__all__:
            return getattr(module, name)
    if name not in names():
        raise unknown_name("tilewright.ops", name, __dir__())
    return by_name(name)


def __dir__() -> list[str]:
    """List the operators."""
    return sorted({*names(), *(name for module in MODULES for name in module.__all__)})
