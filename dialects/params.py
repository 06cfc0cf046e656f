"""Parameters of a model: initializers whose values may be replaced in the compiled module.

In: the initializers, as the importer uses them. Out: one `Param` per initializer; if its values
cannot be replaced, the `Param` records the reason. A weight that is computed from parameters refers
to them and to its recipe (weights.py). A pass that computes a weight by a step of a recipe records
the step; a pass whose code depends on the values, or that computes with them in another way,
records a reason instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from .dtypes import element_type, is_float
from .weights import Array, WeightAttr

_DIGESTED_BYTES = 1 << 16
NO_TENSOR = "it is a single number or an integer, which the code contains"


class Param:
    """An initializer of a model, whose values may be replaceable in the compiled module.

    name: the name of the initializer.  digest: the SHA-256 of its bytes; empty for a large
    initializer.
    reason: why other values require a new compilation; empty if the values can be replaced.
    """

    def __init__(self, name: str, array: Array) -> None:
        self.name, self.dtype, self.shape = name, array.dtype.name, tuple(array.shape)
        self.digest = _digest(array)
        self.reason = "" if _is_replaceable(array) else NO_TENSOR

    def refuse(self, reason: str) -> None:
        """Record the reason why the values cannot be replaced; keep an earlier reason."""
        self.reason = self.reason or reason


class ParamTable:
    """The parameters of a model by name, shared by all imports of the model."""

    def __init__(self) -> None:
        self._params: dict[str, Param] = {}

    def __iter__(self) -> Iterator[Param]:
        return iter(self._params.values())

    def weight(self, name: str, array: Array) -> WeightAttr | None:
        """Return the weight of an initializer, and add the initializer to the table if it is new.

        None for a scalar, and for integers other than 8-bit ones: they become a part of the code.
        name: the name of the initializer.  array: its values.
        """
        if name not in self._params:
            self._params[name] = Param(name, array)
        param = self._params[name]
        return None if param.reason == NO_TENSOR else WeightAttr.of_param(array, param)


def _is_replaceable(array: Array) -> bool:
    is_weight = is_float(element_type(array.dtype)) or array.dtype.name in ("int8", "uint8")
    return array.ndim > 0 and is_weight


def _digest(array: Array) -> str:
    if array.nbytes > _DIGESTED_BYTES:
        return ""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
