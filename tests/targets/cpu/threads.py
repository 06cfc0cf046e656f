"""Check that a model of one input is right with every number of threads."""

from __future__ import annotations

import numpy as np
import onnx

import tilewright

from ...peer import peer_results


def check_threads(model: onnx.ModelProto, shape: tuple[int, ...], error: float = 1e-4) -> None:
    """Check that the model is right, and every number of threads gives the same bits.

    error: the relative error, and the absolute error as a fraction of the largest value.
    """
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    expected = peer_results(model, {"x": x})[0]
    module = tilewright.compile(model, threads=3, strict_plan=True)
    results = [np.array(module.run([x], threads=threads)[0].numpy()) for threads in (1, 2, 3)]
    np.testing.assert_allclose(results[0], expected, rtol=error, atol=error * abs(expected).max())
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"
