"""Reference semantics of packed.extern: calls of packed functions on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, StringAttr, TensorType, i1
from xdsl.ir import Attribute

from ..dialects.dtypes import ATTRIBUTES_BY_NAME, numpy_dtype
from ..dialects.packed import ExternOp
from ..dialects.shape import DimsAttr
from ..support.diagnostics import TilewrightError
from .compute import Array

Functions: TypeAlias = Mapping[str, Callable[..., object]]
"""The packed functions that packed.extern may call, by name."""


def run_extern(op: ExternOp, arrays: Sequence[Array], functions: Functions) -> list[Array]:
    """Call the packed function of a packed.extern.

    arrays: the operands.  functions: the packed functions by name.
    Return new arrays, which the function has filled, if the op has tensor results; [] if its
    outputs are operands.
    Errors: TilewrightError if ``functions`` does not contain the function.
    """
    function = functions.get(op.function_name)
    if function is None:
        raise TilewrightError(
            "the interpreter was not given a function",
            expected=op.function_name,
            got=", ".join(functions) or "none",
            hint="pass it to the interpreter, or use tilewright.register_func",
        ).at(op)
    dtypes = [numpy_dtype(ATTRIBUTES_BY_NAME[name]) for name in op.dtype_names]
    fresh: list[Array] = []
    for value, dtype in zip(op.res, dtypes[len(arrays) :], strict=True):
        assert isinstance(value.type, TensorType), f"not a tensor: {value.type}"
        fresh.append(np.zeros(value.type.get_shape(), dtype))
    given = [x.view(dtype) for x, dtype in zip(arrays, dtypes, strict=False)]
    tensors = [*given, *fresh]
    function(*(_argument(each, tensors) for each in op.pattern))
    return [x.view(_signless(x.dtype)) for x in fresh]


def _argument(attribute: Attribute, tensors: Sequence[Array]) -> Any:
    match attribute:
        case IntAttr():
            return tensors[attribute.data]
        case DimsAttr():
            return attribute.data[0].evaluate({})
        case IntegerAttr():
            number = attribute.value.data
            return bool(number) if attribute.type == i1 else number
        case FloatAttr() | StringAttr():
            return attribute.value.data if isinstance(attribute, FloatAttr) else attribute.data
        case _:
            raise TilewrightError(
                "an external function cannot take this argument",
                got=attribute,
                hint="pass tensors and numbers",
            )


def _signless(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"i{dtype.itemsize}") if dtype.kind == "u" else dtype
