"""The table of searches by name."""

from __future__ import annotations

from collections.abc import Mapping

from ..support.diagnostics import TilewrightError
from .boosted import BoostedSearch
from .search import (
    AnnealingSearch,
    CoordinateSearch,
    EvolutionarySearch,
    GridSearch,
    RandomSearch,
    Search,
)
from .space import Space

SEARCHES: Mapping[str, type[Search]] = {
    "evolution": EvolutionarySearch,
    "random": RandomSearch,
    "grid": GridSearch,
    "annealing": AnnealingSearch,
    "coordinate": CoordinateSearch,
    "trees": BoostedSearch,
}


def make_search(name: str, space: Space, seed: int = 0) -> Search:
    """Return a new search of a space.

    name: "evolution", "random", "grid", "annealing", "coordinate" or "trees".
    seed: the seed of the random numbers.
    Errors: TilewrightError for an unknown name, or for ``trees`` without LightGBM.
    """
    if name not in SEARCHES:
        raise TilewrightError("unknown search", expected=", ".join(SEARCHES), got=name)
    return SEARCHES[name](space, seed)
