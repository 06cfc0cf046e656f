"""Compute the times of the products of a model from a profile.

In: a profile, and the nodes of each product.  Out: microseconds for each product.  The time of a
kernel that computes several products is divided equally among them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from ...runtime.measure.profile import Profile

ROUNDS = 10
"""Number of profiled runs; the time of a kernel is the median of these runs."""

K = TypeVar("K", bound=int | str)


def product_times(
    profile: Profile,
    nodes: Mapping[K, Collection[str]],
    around: Mapping[K, Collection[str]] | None = None,
) -> dict[K, float]:
    """Return, by key of ``nodes``, the microseconds of the kernels that compute a product.

    nodes: for each product, the names of its nodes.  around: for each product, the names of nodes
    that only prepare or finish it, such as a quantization. The time of a kernel that contains such
    nodes, but no product, is added to these products.
    """
    products, others = _by_node(nodes), _by_node(around or {})
    times = dict.fromkeys(nodes, 0.0)
    for step in profile.steps:
        found = {key for name in step.nodes for key in products.get(name, ())}
        found = found or {key for name in step.nodes for key in others.get(name, ())}
        for key in found:
            times[key] += 1e6 * step.time_s / len(found)
    return times


def _by_node(nodes: Mapping[K, Collection[str]]) -> dict[str, set[K]]:
    found: dict[str, set[K]] = {}
    for key, names in nodes.items():
        for name in names:
            found.setdefault(name, set()).add(key)
    return found
