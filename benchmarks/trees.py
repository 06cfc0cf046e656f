"""Time models of scikit-learn compared with onnxruntime: 1 and 1,000 rows, one thread each.

    python benchmarks/trees.py

Needs scikit-learn, skl2onnx and onnxruntime. Prints the microseconds of both systems per call, the
ratio of onnxruntime's time to ours, and whether the labels or values agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import exp, log

import numpy as np
import onnxruntime as ort
from skl2onnx import to_onnx
from sklearn import ensemble, linear_model, tree

import tilewright

ROWS, COLUMNS, WINDOWS = 400, 10, 7
MODELS = (
    (tree.DecisionTreeClassifier(max_depth=5), 2),
    (tree.DecisionTreeClassifier(max_depth=5), 3),
    (ensemble.RandomForestClassifier(20, max_depth=6), 2),
    (ensemble.RandomForestClassifier(20, max_depth=6), 3),
    (ensemble.RandomForestRegressor(20, max_depth=6), 0),
    (ensemble.ExtraTreesClassifier(20, max_depth=6), 3),
    (ensemble.GradientBoostingClassifier(n_estimators=20), 2),
    (ensemble.GradientBoostingClassifier(n_estimators=20), 3),
    (ensemble.GradientBoostingRegressor(n_estimators=20), 0),
    (linear_model.LogisticRegression(), 2),
    (linear_model.LogisticRegression(), 3),
    (linear_model.LinearRegression(), 0),
)
"""Models, and their numbers of classes; 0 for a regression."""


def seconds(call: Callable[[], object], repeats: int) -> float:
    """Return the smallest time of a call among several windows."""
    call()
    best = float("inf")
    for _ in range(WINDOWS):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best


def main() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    score = x[:, 0] + x[:, 1] ** 2
    targets = {0: score, 2: score > 0.5, 3: (score > 0.5) + 1 * (x[:, 2] > 0)}
    ratios: dict[int, list[float]] = {1: [], 1000: []}
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    for model, classes in MODELS:
        model.fit(x, np.asarray(targets[classes], np.int64 if classes else np.float32))
        settings = {id(model): {"zipmap": False}} if classes else None
        opsets = {"": 18, "ai.onnx.ml": 3}
        proto = to_onnx(model, x[:1], options=settings, target_opset=opsets)
        mod = tilewright.compile(proto, threads=1)
        session = ort.InferenceSession(proto.SerializeToString(), options)
        name = session.get_inputs()[0].name
        first = mod(x)[0] if classes else mod(x)
        agrees = np.allclose(first.numpy().ravel(), model.predict(x), rtol=1e-5, atol=1e-5)
        line = f"{type(model).__name__:28} {classes}  {'equal' if agrees else 'DIFFERENT'}"
        for rows in ratios:
            given = np.resize(x, (rows, COLUMNS))
            repeats = max(3, 100 // rows)
            ours = seconds(partial(mod, given), repeats)
            theirs = seconds(partial(session.run, None, {name: given}), repeats)
            ratios[rows].append(theirs / ours)
            line += f"  {rows}: {1e6 * ours:.1f} / {1e6 * theirs:.1f} us = {theirs / ours:.2f}"
        print(line, flush=True)
    for rows, found in ratios.items():
        print(f"geometric mean at {rows}: {exp(sum(map(log, found)) / len(found)):.2f}")


if __name__ == "__main__":
    main()
