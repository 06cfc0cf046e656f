"""Operators on arrays of a traced function: each appends its graph op to the trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from ..frontend.te.expr import parse_dtype
from ..support.diagnostics import TilewrightError, TypeMismatch
from ..tracing.array import Array, apply, as_array, elementwise
from ..tracing.trace import Trace, current_trace, user_line


def apply_to_arrays(
    op_class: type[Operation],
    arguments: Mapping[str, Any],
    takes: Mapping[str, set[Any]],
    *,
    broadcasts: bool,
) -> Any:
    """Append a graph op to the current trace; return its results.

    arguments: the arguments of the op class by name.  takes: the types that each argument accepts.
    broadcasts: whether the operands are broadcast, and may be numbers.
    Errors: TypeMismatch for arguments that do not fit; the message names the user's line.
    """
    names = [name for name in arguments if SSAValue in takes[name]]
    options = {k: _option(v, takes[k]) for k, v in arguments.items() if k not in names}
    if broadcasts:
        return elementwise(op_class, *(arguments[name] for name in names), **options)
    try:
        return apply(op_class, **options, **{name: _operand(arguments[name]) for name in names})
    except TypeError as err:
        raise TypeMismatch(f"{op_class.name}: {err}").named(user_line()) from err


def _operand(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_operand(each) for each in cast("list[Any]", value)]
    return value if value is None else as_array(value)


def _option(value: Any, takes: set[Any]) -> Any:
    if isinstance(value, Array):
        raise TilewrightError("the option is no array", got=repr(value)).named(user_line())
    if Attribute in takes and isinstance(value, str | type | np.dtype):
        return parse_dtype(value if isinstance(value, str) else np.dtype(cast(Any, value)).name)
    return value


__all__ = ["Array", "Trace", "apply_to_arrays", "current_trace", "user_line"]
