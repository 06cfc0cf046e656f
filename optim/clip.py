"""Limits of gradients: of their norm, and of their elements."""

from __future__ import annotations

from typing import Any

from ..tracing.array import Array, elementwise
from ..tracing.transform import inner
from ..tracing.tree import map_trees


def clip_norm(gradients: Any, most: float) -> Any:
    """Scale a tree of gradients so that the norm of all its elements together is at most ``most``.

    If the norm is smaller, no element changes.
    Source: the factor is that of torch.nn.utils.clip_grad_norm_, ``most / (norm + 1e-6)``.
    """
    norm = elementwise("sqrt", inner(gradients, gradients))
    factor = elementwise("min", most / (norm + 1e-6), 1.0)
    return map_trees(lambda g: g * Array(factor.value, is_weak=True), gradients)


def clip_value(gradients: Any, most: float) -> Any:
    """Limit each element of a tree of gradients to ``-most .. most``."""
    return map_trees(lambda g: elementwise("min", elementwise("max", g, -most), most), gradients)
