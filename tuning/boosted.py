"""A search by boosted trees: LightGBM predicts the costs of points from those measured so far.

Features: the index of each knob's choice, the number itself where choices are numbers, and the
logarithm of the space's prior.  Target: the logarithm of the cost relative to the prior, if the
space has one, so that the trees only learn what the prior does not know.
Needs the package ``lightgbm`` (the extra ``tuning``).
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..support.diagnostics import TilewrightError
from .search import EvolutionarySearch
from .space import Point, Space


class BoostedSearch(EvolutionarySearch):
    """An evolutionary search in which boosted trees rank the new points (children).

    LEAST: the number of measured points before the first model is trained. EVERY: the number of new
    points after which the model is trained again.  BATCH: the number of children that are ranked.

    Errors: TilewrightError without LightGBM.
    """

    LEAST, EVERY, BATCH = 12, 6, 64

    def __init__(self, space: Space, seed: int = 0) -> None:
        super().__init__(space, seed)
        try:
            self._lightgbm: Any = importlib.import_module("lightgbm")
        except ImportError as err:
            raise TilewrightError(
                "the search by boosted trees needs LightGBM",
                hint='pip install "tilewright[tuning]", or choose another search',
            ) from err
        self._model: Any = None
        self._fitted = 0

    def preferred(self, points: Sequence[Point]) -> Point | None:  # pyright: ignore
        fresh = [point for point in dict.fromkeys(points) if point not in self._asked]
        self._fit()
        if self._model is None or not fresh:
            return super().preferred(fresh)
        rows = np.array([self._features(point) for point in fresh])
        predicted = self._model.predict(rows) + [self._offset(point) for point in fresh]
        return fresh[int(np.argmin(predicted))]

    def _fit(self) -> None:
        known = self.best(len(self.costs))
        if len(known) < max(self.LEAST, self._fitted + self.EVERY):
            return
        rows = np.array([self._features(point) for point in known])
        costs = np.array([math.log(self.costs[point]) - self._offset(point) for point in known])
        options = {
            "objective": "regression", "num_leaves": 15, "learning_rate": 0.1, "verbose": -1,
            "min_data_in_leaf": 3, "num_threads": 1, "seed": 0, "deterministic": True,
        }  # fmt: skip
        self._model = self._lightgbm.train(options, self._lightgbm.Dataset(rows, costs), 60)
        self._fitted = len(known)

    def _features(self, point: Point) -> list[float]:
        values = self.space.values(point).values()
        numbers = [float(v) if isinstance(v, int) else -1.0 for v in values]
        return [*map(float, point), *numbers, self._offset(point)]

    def _offset(self, point: Point) -> float:
        prior = self.space.prior(point)
        return math.log(prior) if prior else 0.0
