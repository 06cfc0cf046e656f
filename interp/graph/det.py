"""Reference semantics of determinants: numpy.linalg.det in f64."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import DetOp
from ..scalar import Array
from .context import Evaluator, Sizes


def det(op: DetOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.det on the arrays of its operands; return the result."""
    (x,) = args
    return (np.asarray(np.linalg.det(x.astype(np.float64))).astype(x.dtype),)


EVALUATORS: dict[type, Evaluator] = {DetOp: det}
