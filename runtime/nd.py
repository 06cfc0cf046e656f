"""`tilewright.nd`: arrays on devices.

x = nd.array([1, 2, 3], device("npu", 0))     a copy on the device
y = nd.empty((3,), "int64").copyfrom(x)       and back
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .abi.device import Device
from .abi.ndarray import CPU, NDArray, SupportsDLPack, elements_of, empty, known_dtype
from .spelling import unknown_name

__all__ = ["NDArray", "array", "empty", "from_dlpack", "zeros"]


def __getattr__(name: str) -> object:
    """Raise an error for an unknown name, with similar names as a hint."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise unknown_name("nd", name, __all__)


def array(source: Any, device: Device = CPU, dtype: str | np.dtype[Any] | None = None) -> NDArray:
    """Copy an array to a device; return the copy.

    source: an NDArray, or what numpy.asarray takes.  dtype: default: the source's.

    Errors: ArgumentError if the device does not exist, and for an integer outside of the dtype;
    TypeError for a dtype that compiled functions do not support.
    """
    data = elements_of(source, None if dtype is None else known_dtype(dtype))
    return empty(data.shape, data.dtype, device).copyfrom(data)


def zeros(
    shape: int | Sequence[int], dtype: str | np.dtype[Any] = "float32", device: Device = CPU
) -> NDArray:
    """Return an array of zeros on a device; see `empty`."""
    made = empty(shape, dtype, device)
    return made.copyfrom(np.zeros(made.shape, made.dtype))


def from_dlpack(source: SupportsDLPack) -> NDArray:
    """Return an array on the memory of another library's tensor, without a copy.

    Errors: any exception of numpy or the producer, for example for memory outside of the host.
    """
    return NDArray.from_dlpack(source)
