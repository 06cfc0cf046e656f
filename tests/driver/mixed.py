"""The worker process of test_mixed.py: compile a model, run it on guarded memory, compare."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import onnx

import tilewright
from tilewright.testing.guard import guarded


def differences(
    text: str, inputs: Sequence[np.ndarray], expected: Sequence[np.ndarray]
) -> list[int]:
    """Return the outputs of a model in onnx's text form that are not close to the expected ones."""
    warnings.simplefilter("ignore")
    module = tilewright.compile(onnx.parser.parse_model(text), threads=1)
    wrong: set[int] = set()
    for at_start in (True, False):
        got = module.run([guarded(array, at_start=at_start) for array in inputs])
        for index, (out, wanted) in enumerate(zip(got, expected, strict=True)):
            array = out.numpy()
            same = array.shape == wanted.shape and array.dtype == wanted.dtype
            if not same or not np.allclose(array, wanted, rtol=1e-5, atol=1e-5, equal_nan=True):
                wrong.add(index)
    return sorted(wrong)
