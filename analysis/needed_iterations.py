"""The iterations of a kernel on which chosen elements of its results depend.

In: a kernel of the te or loop level with constant sizes, and the wanted elements of its arguments.
Out: for each loop of which only some iterations are needed, these iterations.  Validation runs only
them: a backward slice of the loop nest.

A loop is *cut*, that is, only some of its iterations run, only if its iterations are proved to be
independent (bounds/independence.py).  Loops that write a buffer of an enclosing loop's body run
completely, because such buffers are small.  Elements of the kernel's other buffers that the needed
iterations read become wanted too, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.te import KernelOp
from ..support.affine import INFINITY, Key
from .bounds.independence import Touch, find_clash, nest_accesses

Array: TypeAlias = NDArray[Any]
Iterations: TypeAlias = Mapping[loop.ForOp, Array]
"""The needed iterations of loops, ascending; other loops run whole."""

_MOST_POSITIONS = 1 << 24
"""Accesses at more positions than this are not enumerated: they count as needed."""
_MOST_ROUNDS = 8


def needed_iterations(kernel: KernelOp | FuncOp, wanted: Mapping[int, Array]) -> Iterations:
    """Return, for each loop that can run only partly, the iterations that the wanted elements need.

    A loop that is not in the result must run completely.
    kernel: the kernel, whose sizes must all be numbers.  wanted: the wanted elements: for the
    number of each argument that the kernel writes, their flat positions.
    Cost: some ms for each access to a written buffer, and a proof for each loop.
    """
    return _BackwardSlice(kernel, wanted).solve()


class _BackwardSlice:
    """The wanted elements of the buffers of a kernel, and the iterations that write them."""

    def __init__(self, kernel: KernelOp | FuncOp, wanted: Mapping[int, Array]) -> None:
        block = kernel.body.block
        self._wanted: dict[SSAValue, Array] = {}
        for number, positions in wanted.items():
            self._mask(block.args[number])[positions] = True
        nests = [op for op in block.ops if isinstance(op, loop.ForOp)]
        self._nests = [_Nest(op) for op in nests]
        for op in block.ops:
            if not isinstance(op, loop.ForOp):
                self._want_all(op)

    def solve(self) -> Iterations:
        """Return, for each loop that needs only some of its iterations, these iterations.

        If the wanted elements still grow after some rounds, return {}: all loops run completely.
        """
        for _ in range(_MOST_ROUNDS):
            kept = {op: at for nest in self._nests for op, at in nest.kept(self._wanted).items()}
            if not self._grow(kept):
                return kept
        return {}

    def _grow(self, kept: Iterations) -> bool:
        """Mark the elements that the kept iterations read as wanted; return whether any is new."""
        grows = False
        written = {touch.buffer for nest in self._nests for touch in nest.writes}
        for nest in self._nests:
            for touch in nest.reads:
                if touch.buffer not in written:
                    continue
                mask = self._mask(touch.buffer)
                places = nest.places(touch, kept)
                before = np.count_nonzero(mask)
                mask[slice(None) if places is None else _inside(places, mask.size)] = True
                grows = grows or int(np.count_nonzero(mask)) > int(before)
        return grows

    def _want_all(self, op: Operation) -> None:
        for value in (v for each in op.walk() for v in each.operands):
            if isinstance(value.type, MemRefType):
                self._mask(value)[...] = True

    def _mask(self, buffer: SSAValue) -> Array:
        found = self._wanted.get(buffer)
        if found is None:
            found = self._wanted[buffer] = np.zeros(prod(_shape(buffer)), bool)
        return found


class _Nest:
    """One loop at the top of a kernel, with its accesses and the loops inside that may run partly.

    writes, reads: the accesses to buffers that are allocated outside of the loop.
    """

    def __init__(self, op: loop.ForOp) -> None:
        self.op = op
        touches, self._ranges = nest_accesses(op)
        shared = [touch for touch in touches if not _is_inside(touch.buffer, op)]
        self.writes = [touch for touch in shared if touch.is_write]
        self.reads = [touch for touch in shared if not touch.is_write]
        private = [t for t in touches if t.is_write and _is_inside(t.buffer, op)]
        self._loops = [each for each in op.walk() if isinstance(each, loop.ForOp)]
        self._loops = [each for each in self._loops if self._may_be_cut(each, private)]

    def _may_be_cut(self, op: loop.ForOp, private: Sequence[Touch]) -> bool:
        is_fixed = not op.syms and not op.inits and op.variable in self._ranges
        feeds = any(op.is_ancestor(t.op) and not _is_inside(t.buffer, op) for t in private)
        return is_fixed and not feeds and find_clash(op) is None

    def kept(self, wanted: Mapping[SSAValue, Array]) -> Iterations:
        """Return, for each loop that needs only some of its iterations, these iterations.

        wanted: for each buffer, an array that says of each of its elements whether it is wanted.
        """
        needed = {op: np.zeros(len(self._span(op.variable)), bool) for op in self._loops}
        for touch in self.writes:
            mask = wanted.get(touch.buffer)
            around = [op for op in self._loops if op.is_ancestor(touch.op)]
            if mask is None or not mask.any() or not around:
                continue
            found = self._enumerated(touch, {})
            if found is None:
                for op in around:
                    needed[op][:] = True
                continue
            keys, flat = found
            hits = _taken(mask, flat)
            for op in around:
                if op.variable in keys:
                    axis = keys.index(op.variable)
                    others = tuple(n for n in range(hits.ndim) if n != axis)
                    needed[op] |= hits.any(axis=others)
                else:
                    needed[op] |= bool(hits.any())
        return {
            op: self._span(op.variable)[chosen] for op, chosen in needed.items() if not chosen.all()
        }

    def places(self, touch: Touch, kept: Iterations) -> Array | None:
        """Return the flat positions that an access touches in the kept iterations.

        kept: for each loop that runs only partly, its iterations.  None: any position may be
        touched.
        """
        given: dict[Key, Array] = {op.variable: at for op, at in kept.items()}
        found = self._enumerated(touch, given)
        return None if found is None else found[1]

    def _enumerated(
        self, touch: Touch, given: Mapping[Key, Array]
    ) -> tuple[list[Key], Array] | None:
        """Return the variables of an access, and its flat positions with an axis for each variable.

        given: values of variables, in place of all values in their ranges.  Return None if the
        positions are unknown or too many.
        """
        if touch.indices is None:
            return None
        keys = list(dict.fromkeys(k for e in touch.indices for k in e.variables()))
        values: dict[Key, Array] = {}
        for number, key in enumerate(keys):
            limits = touch.ranges.get(key) or self._ranges.get(key)
            if limits is None or max(map(abs, limits)) >= INFINITY // 2:
                return None
            shape = [-1 if n == number else 1 for n in range(len(keys))]
            points = given[key] if key in given else np.arange(limits[0], limits[1] + 1)
            values[key] = points.reshape(shape)
        if prod(x.size for x in values.values()) > _MOST_POSITIONS:
            return None
        flat: Array = np.zeros([1] * len(keys), np.int64)
        for index, size in zip(touch.indices, _shape(touch.buffer), strict=True):
            flat = flat * size + index.evaluate(values.__getitem__)
        shape = [values[key].size for key in keys]
        return keys, np.broadcast_to(flat, shape)

    def _span(self, variable: SSAValue) -> Array:
        low, high = self._ranges[variable]
        return np.arange(low, high + 1)


def _taken(mask: Array, flat: Array) -> Array:
    """Return the values of a mask at flat positions; False for positions outside of the mask."""
    inside = (flat >= 0) & (flat < mask.size)
    return mask[np.where(inside, flat, 0)] & inside


def _inside(flat: Array, size: int) -> Array:
    return flat[(flat >= 0) & (flat < size)]


def _shape(buffer: SSAValue) -> tuple[int, ...]:
    assert isinstance(buffer.type, MemRefType), "a buffer"
    return buffer.type.get_shape()


def _is_inside(buffer: SSAValue, op: Operation) -> bool:
    return isinstance(buffer.owner, Operation) and op.is_ancestor(buffer.owner)
