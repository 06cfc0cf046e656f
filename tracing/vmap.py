"""vmap: a function of arrays as a function of batches of these arrays, as one program.

The function is traced for one element; then its ops are rewritten for the batch (batching/).  So
neither Python nor the program has a loop over the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from xdsl.ir import Block, SSAValue

from ..dialects.shape import Dim, normalize_axis, tensor_type
from ..gradient.builder import GradientBuilder
from ..support.diagnostics import TypeMismatch
from .array import Array, as_array
from .batching.walk import BatchWalk
from .trace import traced_by, user_line
from .transform import Python, trace_on
from .tree import flatten

Axes: TypeAlias = "int | Sequence[int | None] | None"
"""The axis of the batch: one for all arguments, or one per argument; None: the same for all."""


def vmap(function: Python, in_axes: Axes = 0, out_axis: int = 0) -> Python:
    """Return a function of batches, which applies a function to each element.

    in_axes: the axis of the batch in the arrays of each argument; None: all elements take the same
    argument.  out_axis: the axis of the batch in all results.

    Errors: when called, TypeMismatch for arrays without the axis, and for batches of different
    sizes; UnsupportedOp for an op that has no form for a batch.
    """

    def run(*args: Any) -> Any:
        trace = traced_by("a batch")
        leaves, structure = flatten(args)
        axes = _axes(in_axes, [part.leaf_count for part in structure.parts])
        arrays = [_leading(as_array(leaf), axis) for leaf, axis in zip(leaves, axes, strict=True)]
        size = _size([a for a, axis in zip(arrays, axes, strict=True) if axis is not None])
        elements = [
            a if axis is None else _element(a) for a, axis in zip(arrays, axes, strict=True)
        ]
        made = trace_on(function, elements, structure)
        block = made.function.body.block
        given = [*(a.value for a in arrays), *made.captured]
        arguments: Sequence[SSAValue] = block.args
        values: dict[SSAValue, SSAValue] = dict(
            zip(arguments, map(trace.local, given), strict=True)
        )
        having: set[SSAValue] = {
            v for v, axis in zip(arguments, axes, strict=False) if axis is not None
        }
        walk = BatchWalk(GradientBuilder(trace.block), size, values, having)
        results = [walk.batched(v) for v in walk.run(list(block.ops))]
        block.drop_all_references()
        return made.structure.build(_trailing(Array(v), out_axis) for v in results)

    return run


def _axes(in_axes: Axes, counts: Sequence[int]) -> list[int | None]:
    """Return the axis of the batch for each array among the arguments; None: no batch.

    in_axes: the axis for all arguments, or one axis or None per argument.
    counts: the number of arrays of each argument.
    """
    given = [in_axes] * len(counts) if in_axes is None or isinstance(in_axes, int) else [*in_axes]
    if len(given) != len(counts):
        raise TypeMismatch(
            "in_axes has one axis per argument", expected=len(counts), got=len(given)
        ).named(user_line())
    return [axis for axis, count in zip(given, counts, strict=True) for _ in range(count)]


def _leading(array: Array, axis: int | None) -> Array:
    """Return an array with the axis of the batch moved to the front; unchanged for None."""
    if axis is None:
        return array
    if not -array.ndim <= axis < array.ndim:
        raise TypeMismatch("an array has no axis for the batch", expected=f"axis {axis}",
                           got=repr(array)).named(user_line())  # fmt: skip
    place = normalize_axis(axis, array.ndim)
    rest = [n for n in range(array.ndim) if n != place]
    return array if place == 0 else array.transpose([place, *rest])


def _trailing(array: Array, axis: int) -> Array:
    """Return an array whose first axis, the batch, is moved to the position ``axis``."""
    place = normalize_axis(axis, array.ndim)
    if place == 0:
        return array
    order = [*range(1, array.ndim)]
    return array.transpose([*order[:place], 0, *order[place:]])


def _size(arrays: Sequence[Array]) -> Dim:
    sizes = {array.dims[0] for array in arrays}
    if len(sizes) != 1:
        raise TypeMismatch(
            "the arguments have batches of different sizes" if sizes else "no argument has a batch",
            got=", ".join(map(repr, arrays)) or "no arrays",
        ).named(user_line())
    return sizes.pop()


def _element(array: Array) -> Array:
    """Return an array of the type of one element of a batch, for tracing."""
    type_ = tensor_type(array.element_type, array.dims[1:])
    return Array(Block(arg_types=[type_]).args[0], is_weak=array.is_weak)
