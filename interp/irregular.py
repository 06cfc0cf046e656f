"""Reference semantics of te.scatter and te.sort in numpy.

A scatter evaluates its body at all points at once.  The updates are then applied in rounds: the
first update of each position, then the second, and so on.  So updates of the same position are
applied in row-major order of their points, as in a loop over the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from xdsl.ir import SSAValue

from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import dims_of
from ..dialects.te.scatter import ScatterOp
from ..dialects.te.sort import SortOp
from ..dialects.te.view import ScatterView
from ..support.diagnostics import TilewrightError
from .body import run_region
from .compute import Array, IterationSpace, Value


def run_scatter(op: ScatterOp, values: Mapping[SSAValue, Value]) -> list[Array]:
    """Evaluate a te.scatter; return a changed copy of the base, or change the base buffer in place.

    values: for each SSA value that the op uses, its array, or the number of a loop variable.
    A scatter on tensors returns the copy; a scatter on buffers returns [].
    Errors: TilewrightError if the op is ``unique`` and two points have the same position.
    """
    view = op.view()
    base = cast(Array, values[op.base])
    target = base.copy() if op.res else base
    places, changes = _changes(view, values, target.shape)
    order = np.argsort(places, kind="stable")
    places, changes = places[order], changes[order]
    starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]]) if places.size else places
    ends = np.append(starts[1:], places.size)
    if view.unique and starts.size != places.size:
        raise TilewrightError(
            f"te.scatter @{view.name}: two points write the same position",
            hint="add combine(..), or remove `unique`",
        ).at(op)
    # The flat view also works for a base of rank 0.
    elements = target.reshape(-1)
    for turn in range(int((ends - starts).max(initial=0))):
        now = starts[ends - starts > turn] + turn
        _write(view, elements, places[now], changes[now])
    target[...] = elements.reshape(target.shape)
    return [target] if op.res else []


def _changes(
    view: ScatterView, values: Mapping[SSAValue, Value], shape: tuple[int, ...]
) -> tuple[Array, Array]:
    """Return the flat positions and the values of all updates inside the base, in row-major order.

    values: for each SSA value that the op uses, its array.  shape: the shape of the base.
    """
    space = IterationSpace(view, values, "te.scatter")
    made = run_region(view.body, [space.read(a) for a in view.inputs], f"te.scatter @{view.name}")
    full = [np.broadcast_to(x, space.shape()).reshape(-1) for x in made]
    indices, value = full[:-1], full[-1]
    inside = np.ones(value.shape, bool)
    for index, size in zip(indices, shape, strict=True):
        inside &= (index >= 0) & (index < size)
    places = np.zeros(value.shape, np.int64)
    for index, size in zip(indices, shape, strict=True):
        places = places * size + np.where(inside, index, 0)
    return places[inside], value[inside]


def _write(view: ScatterView, elements: Array, places: Array, changes: Array) -> None:
    """Apply updates at distinct positions, by the scatter's combine region if it has one.

    elements: the flat base, which is changed.  places, changes: the flat positions and the values
    of the updates.
    """
    if view.combine.blocks:
        arguments = [elements[places], changes]
        (changes,) = run_region(view.combine, arguments, f"te.scatter @{view.name}")
    elements[places] = changes


def run_sort(op: SortOp, values: Mapping[SSAValue, Value]) -> list[Array]:
    """Evaluate a sort; return the sorted values and their positions, or write them to buffers."""
    x, axis = cast(Array, values[op.x]), op.axis.data
    value_type, position_type = (v.type for v in op.targets)
    count = dims_of(value_type)[axis].value
    order = stable_order(x, axis, descending=op.descending is not None)
    order = np.take(order, np.arange(x.shape[axis] if count is None else count), axis)
    dtype = numpy_dtype(position_type.get_element_type())  # pyright: ignore
    made = [np.take_along_axis(x, order, axis), order.astype(dtype)]
    for out, array in zip(op.outs, made, strict=False):
        cast(Array, values[out])[...] = array
    return [] if op.outs else made


def stable_order(x: Array, axis: int, *, descending: bool) -> Array:
    """Return the positions that sort an axis stably; NaN is greater than all numbers."""
    # numpy sorts NaN last in its built-in float types only.
    keys = x if x.dtype.kind in "iuf" else x.astype(np.float64)
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return keys.shape[axis] - 1 - np.flip(backwards, axis)
