"""Memory strides of accesses along axes and vector lanes, in elements.

In: a view in buffer form.  Out: the strides, by which plans choose vector axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import mul

from ..dialects.shape import Dim, Extent, extent_of
from ..dialects.te import Access, ComputeView
from ..dialects.te.view import positions_of
from ..support.affine import Index, Key, Range, constant


@cache
def row_major_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the stride of each dimension of a row-major buffer, in elements."""
    return tuple(accumulate(reversed(shape[1:]), mul, initial=1))[::-1] if shape else ()


def symbolic_strides(shape: Sequence[Extent]) -> tuple[Dim, ...]:
    """Return the stride of each dimension of a row-major buffer of symbolic sizes, in elements."""
    sizes = map(Dim.of, reversed(shape[1:]))
    return tuple(accumulate(sizes, mul, initial=Dim.const(1)))[::-1] if shape else ()


def flat_address(indices: Sequence[Index], shape: tuple[int, ...]) -> Index:
    """Return the offset of an element from the start of a row-major buffer, in elements."""
    total = constant(0)
    for index, stride in zip(indices, row_major_strides(shape), strict=True):
        total = total + index * stride
    return total.merge_atoms()


def lane_stride(view: ComputeView, access: Access, axis: str, lanes: int) -> int | None:
    """Return the distance in elements between the lanes of a vector along an axis.

    access: the read or write of the vector.  lanes: the number of lanes; the vector starts at a
    multiple of it.
    Return None if the lanes are not evenly spaced, because the vector crosses the boundary of a
    block, or if the operand has no index map, so that the body may read any element.
    """
    if access.indices is None:
        return None
    if access.is_index:
        return 0
    if not any(index.is_divided(axis) for index in access.indices):
        return axis_stride(access, axis)
    extent = view.axes[axis]
    tiles = positions_of(-(-extent // lanes))

    def range_of(key: Key) -> Range:
        if key == "@tile":
            return tiles
        return (0, lanes - 1) if key == "@lane" else view.range_of(key)

    split = {axis: Index({"@tile": lanes, "@lane": 1})}
    if access.has_symbolic_sizes:
        moved = [index.substitute(split, range_of) for index in access.indices]
        return _symbolic_stride(moved, access, "@lane")
    # Merge quotients and remainders before the split, so that contiguous axes act as one axis.
    address = flat_address(access.indices, access.shape).substitute(split, range_of)
    return None if address.is_divided("@lane") else address.coefficient("@lane")


def _symbolic_stride(indices: Sequence[Index], access: Access, axis: str) -> int | None:
    """Return the stride along an axis in a buffer of symbolic sizes, in elements.

    Return None if the stride is symbolic or not constant.
    """
    if any(index.is_divided(axis) for index in indices):
        return None
    moves = [index.coefficient(axis) for index in indices]
    if not any(moves[:-1]):
        return moves[-1] if moves else 0
    strides = symbolic_strides([extent_of(dim) for dim in access.dims])
    return sum((s * n for n, s in zip(moves, strides, strict=True)), Dim.const(0)).value


def axis_stride(access: Access, axis: str) -> int | None:
    """Return the distance in elements of one step along an axis; None if it is not constant."""
    if access.is_index or access.indices is None:
        return 0
    if access.has_symbolic_sizes:
        return _symbolic_stride(access.indices, access, axis)
    if not any(index.is_divided(axis) for index in access.indices):
        strides = row_major_strides(access.shape)
        return sum(e.coefficient(axis) * n for e, n in zip(access.indices, strides, strict=True))
    address = flat_address(access.indices, access.shape)
    return None if address.is_divided(axis) else address.coefficient(axis)


def divisors_of_axis(view: ComputeView, axis: str) -> set[int]:
    """Return the divisors of all quotients and remainders of an axis in a compute's indices."""
    return {
        atom.divisor
        for access in view.accesses()
        for index in access.indices or ()
        for atom in index.atoms()
        if axis in set(atom.operand.variables())
    }
