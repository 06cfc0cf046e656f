"""Arrays as arguments and results of a program: signedness, and actual sizes of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr, TensorType
from xdsl.ir import SSAValue

from ..dialects.dtypes import ATTRIBUTES_BY_NAME, element_type, numpy_dtype
from ..dialects.results import recorded_entries
from ..dialects.te.scalars import signless
from ..support.diagnostics import TilewrightError
from .compute import Array


def valid_parts(function: func.FuncOp, results: Sequence[Array]) -> tuple[Array, ...]:
    """Return results in their actual sizes, without the last result, which contains the sizes.

    If the function records no data-dependent sizes, all results are returned.
    """
    entries = recorded_entries(function)
    if not entries:
        return tuple(results)
    *made, sizes = results
    return tuple(
        x[tuple(slice(None) if entry < 0 else slice(sizes[entry]) for entry in row)]
        for x, row in zip(made, entries, strict=True)
    )


def recorded_dtypes(function: func.FuncOp, attribute: str) -> list[np.dtype[np.generic]] | None:
    """Return the dtypes that graph-to-te recorded in a function's attribute, or None."""
    names = function.attributes.get(attribute)
    if names is None:
        return None
    strings = cast("ArrayAttr[StringAttr]", names)
    return [numpy_dtype(ATTRIBUTES_BY_NAME[name.data]) for name in strings]


def typed_argument(what: str, argument: SSAValue, array: Array) -> Array:
    """Return an array with the dtype of an argument; only its signedness may change.

    what: names the argument in the error.
    Errors: TilewrightError for another dtype or shape.
    """
    type_ = argument.type
    assert isinstance(type_, TensorType | MemRefType), f"{what} is not a tensor: {type_}"
    dtype = numpy_dtype(type_.get_element_type())
    array = np.asarray(array)
    if array.dtype != dtype and numpy_dtype(signless(element_type(array.dtype))) == dtype:
        array = array.view(dtype)
    if array.dtype != dtype or array.shape != type_.get_shape():
        raise TilewrightError(
            f"{what} has the wrong type",
            expected=type_,
            got=f"{array.dtype} {array.shape}",
            hint="convert the array with astype and reshape",
        )
    return array
