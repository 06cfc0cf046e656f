"""Compare models of scikit-learn, XGBoost and LightGBM with onnxruntime and with the libraries.

    python benchmarks/trees.py

Needs scikit-learn, xgboost, lightgbm, skl2onnx, onnxmltools and onnxruntime. The converters of
the libraries write each model. Prints, for 1 and 1,000 rows that no model was trained on, the
least microseconds of a call of both systems with one thread, in interleaved windows, and the ratio
of onnxruntime's time to ours; then the number of labels that differ from the library, and the
largest error of scores or values, relative to the largest value, of both systems.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import exp, log

import lightgbm
import numpy as np
import onnx
import onnxmltools
import onnxruntime as ort
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn import ensemble, linear_model, tree

import tilewright

ROWS, COLUMNS, WINDOWS = 2000, 10, 15
WINDOW_S = 0.004
"""Least seconds of a window."""
FOREST = {"n_jobs": 1, "random_state": 0}
BOOSTED = {"n_estimators": 20, "random_state": 0}
LIGHT = {"n_jobs": 1, "verbose": -1, "random_state": 0}
MODELS = (
    (tree.DecisionTreeClassifier(max_depth=5), 2),
    (tree.DecisionTreeClassifier(random_state=0), 3),
    (ensemble.RandomForestClassifier(20, max_depth=6, **FOREST), 2),
    (ensemble.RandomForestClassifier(20, max_depth=6, **FOREST), 3),
    (ensemble.RandomForestRegressor(20, max_depth=6, **FOREST), 0),
    (ensemble.RandomForestClassifier(100, **FOREST), 2),
    (ensemble.RandomForestRegressor(100, **FOREST), 0),
    (ensemble.ExtraTreesClassifier(20, max_depth=6, **FOREST), 3),
    (ensemble.GradientBoostingClassifier(**BOOSTED), 2),
    (ensemble.GradientBoostingClassifier(**BOOSTED), 3),
    (ensemble.GradientBoostingRegressor(**BOOSTED), 0),
    (xgboost.XGBClassifier(n_jobs=1), 2),
    (xgboost.XGBClassifier(n_jobs=1), 3),
    (xgboost.XGBRegressor(n_jobs=1), 0),
    (lightgbm.LGBMClassifier(**LIGHT), 2),
    (lightgbm.LGBMClassifier(**LIGHT), 3),
    (lightgbm.LGBMRegressor(**LIGHT), 0),
    (lightgbm.LGBMRegressor(num_leaves=127, **LIGHT), 0),
    (linear_model.LogisticRegression(), 2),
    (linear_model.LogisticRegression(), 3),
    (linear_model.LinearRegression(), 0),
)
"""Models, and their numbers of classes; 0 for a regression."""


def converted(model: object, x: np.ndarray, *, is_classifier: bool) -> onnx.ModelProto:
    """Return the ONNX model that the converter of a library writes."""
    types = [("x", FloatTensorType([None, COLUMNS]))]
    if isinstance(model, xgboost.XGBModel):
        return onnxmltools.convert_xgboost(model, initial_types=types, target_opset=15)
    if isinstance(model, lightgbm.LGBMModel):
        return onnxmltools.convert_lightgbm(
            model, initial_types=types, target_opset=15, zipmap=False
        )
    settings = {id(model): {"zipmap": False}} if is_classifier else None
    return to_onnx(model, x[:1], options=settings, target_opset={"": 18, "ai.onnx.ml": 3})


def interleaved(calls: list[Callable[[], object]]) -> list[float]:
    """Return the least seconds of each call; the calls take turns in windows."""
    repeats: list[int] = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        repeats.append(max(1, int(WINDOW_S / (time.perf_counter() - start))))
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(WINDOWS):
        for n, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(repeats[n]):
                call()
            found[n].append((time.perf_counter() - start) / repeats[n])
    return [min(times) for times in found]


def errors(model: object, x: np.ndarray, results: list[np.ndarray], *, is_classifier: bool) -> str:
    """Return the largest error of results, compared with the library that trained the model.

    For a classifier, the text also has the number of wrong labels.
    """
    value = results[-1].astype(np.float64)
    if not is_classifier:
        expected = np.asarray(model.predict(x), np.float64)
        return f"{abs(value.ravel() - expected).max() / abs(expected).max():.1e}"
    wrong = int((results[0] != model.predict(x)).sum())
    return f"{wrong} labels, {abs(value - model.predict_proba(x)).max():.1e}"


def main() -> None:
    rng = np.random.default_rng(0)
    data = rng.standard_normal((ROWS + 1000, COLUMNS)).astype(np.float32)
    score = data[:, 0] + data[:, 1] ** 2 + rng.standard_normal(len(data)) / 4
    targets = {0: score, 2: score > 0.5, 3: (score > 0.5) + 1 * (data[:, 2] > 0)}
    ratios: dict[int, list[float]] = {1: [], 1000: []}
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    x, unseen = data[:ROWS], data[ROWS:]
    for model, classes in MODELS:
        is_classifier = bool(classes)
        wanted = np.asarray(targets[classes], np.int64 if classes else np.float32)
        model.fit(x, wanted[:ROWS])
        proto = converted(model, x, is_classifier=is_classifier)
        mod = tilewright.compile(proto, threads=1)
        session = ort.InferenceSession(proto.SerializeToString(), options)
        name = session.get_inputs()[0].name
        line = f"{type(model).__name__:26} {classes}"
        for rows in ratios:
            given = unseen[:rows].copy()
            ours, theirs = interleaved(
                [partial(mod, given), partial(session.run, None, {name: given})]
            )
            ratios[rows].append(theirs / ours)
            line += f"  {rows}: {1e6 * ours:.1f} / {1e6 * theirs:.1f} us = {theirs / ours:.2f}"
        results = mod(unseen)
        results = results if isinstance(results, tuple) else (results,)
        made = [[r.numpy() for r in results], session.run(None, {name: unseen})]
        print(
            line,
            *(errors(model, unseen, r, is_classifier=is_classifier) for r in made),
            sep="  ",
            flush=True,
        )
    for rows, found in ratios.items():
        print(f"geometric mean at {rows}: {exp(sum(map(log, found)) / len(found)):.2f}")


if __name__ == "__main__":
    main()
