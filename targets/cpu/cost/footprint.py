"""The bytes of buffers, and of the parts of them that accesses touch, in whole cache lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TypeAlias, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import element_bytes
from ....dialects.shape import dims_of, extent_of, likely
from ....dialects.te import Access
from ....support.affine import Atom, Index, Key
from .cycles import LINE_BYTES, crowding

Varying: TypeAlias = Mapping[Key, float]
"""The number of values that each axis or loop variable takes."""


@dataclass(frozen=True)
class BufferAccess:
    """An access of an innermost compute to a buffer.

    buffer: the buffer.  indices: an index expression per dimension, of axes and loop variables.
    """

    buffer: SSAValue
    indices: tuple[Index, ...]

    @cached_property
    def _stored(self) -> tuple[tuple[int, ...], int, bool]:
        """The (likely) shape of the buffer, the bytes of an element, and whether sizes are known.

        Likely sizes are powers of two, so distances between rows that follow from them mean
        nothing.
        """
        type_ = cast("MemRefType", self.buffer.type)
        shape = _likely_shape(self.buffer)
        return shape, element_bytes(type_), shape == type_.get_shape()

    def bytes_in(self, varying: Varying, way: int = 0) -> float:
        """Return the bytes that the access touches in whole cache lines, while some variables vary.

        varying: the number of different values of each varying axis or loop variable; all others
        are constant.  way: the bytes of one way of a cache, for the bytes of the cache that the
        access fills: rows whose distance is a multiple of a large power of two share sets.
        """
        shape, item, is_known = self._stored
        widths = [min(_width(e, varying), n) for e, n in zip(self.indices, shape, strict=True)]
        row, at = float(item), len(widths)
        while at:  # rows that fill their dimension continue in memory
            at -= 1
            row *= widths[at]
            if widths[at] != shape[at]:
                break
        rows, size = prod(widths[:at]), max(row, LINE_BYTES)
        outer = next((d for d in reversed(range(at)) if widths[d] > 1), None)
        pitch = 0 if outer is None else item * prod(shape[outer + 1 :])
        return rows * size * (crowding(rows, row, pitch, way) if way and is_known else 1)


def _width(index: Index, varying: Varying) -> float:
    total = 1.0
    for key, coefficient in index.terms.items():
        if isinstance(key, Atom):
            inside = _width(key.operand, varying)
            is_rest = key.kind == "mod"
            width = min(key.divisor, inside) if is_rest else (inside - 1) // key.divisor + 1
        else:
            width = varying.get(key, 1)
        total += abs(coefficient) * (width - 1)
    return total


def buffer_bytes(buffer: SSAValue) -> int:
    """Return the (likely) size of a buffer in bytes, at least that of a cache line."""
    return max(LINE_BYTES, prod(_likely_shape(buffer)) * element_bytes(buffer.type))


def _likely_shape(buffer: SSAValue) -> tuple[int, ...]:
    return tuple(likely(extent_of(dim)) for dim in dims_of(cast("MemRefType", buffer.type)))


def loaded_vectors(operands: Sequence[Access], tile: Mapping[str, int]) -> int:
    """Return the vectors of some operands that one step of a sum over lanes loads.

    tile: the results of the register tile along each of its axes.
    """
    return sum(prod(n for a, n in tile.items() if a in x.axes()) for x in operands)
