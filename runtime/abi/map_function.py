"""`tilewright.call_each`: a global function that calls a function for each element of tensors.

    call_each("demo.show", x, 2.5, out)        out[i] = demo.show(x[i], 2.5), row by row

Compiled code calls it for a te.compute that calls a packed function per element
(frontend/te/element_call.py), for debugging: a call takes microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .ndarray import NDArray

NAME = "tilewright.call_each"


def call_each(function: Callable[..., Any], *given: Any) -> None:
    """Call a function for each element of some tensors, and write its results to the last tensor.

    given: the arguments of the function, then the tensor to fill. An argument is a tensor of the
    shape of the last one, of which each call gets one element, or a number or string, which each
    call gets unchanged. A result of None is stored as 0.
    """
    *arguments, out = given
    results = out.numpy()
    tensors = [x.numpy() if isinstance(x, NDArray) else None for x in arguments]
    for position in np.ndindex(results.shape):
        values = [
            each if tensor is None else tensor[position].item()
            for each, tensor in zip(arguments, tensors, strict=True)
        ]
        result = function(*values)
        results[position] = 0 if result is None else result
