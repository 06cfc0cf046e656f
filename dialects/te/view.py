"""The decoded form (view) of te.compute and te.scatter: axes, accesses, regions, options.

Schedule primitives and lowerings call ``op.view()``, change the view, and make a new op by
``from_view``.  A view shares the regions of its op; ``from_view`` moves them to the new op.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DictionaryAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ...support.affine import (
    INFINITY,
    Index,
    Key,
    Range,
    RangeOf,
    constant,
    divide,
    unknown_range,
    variable,
)
from ...support.diagnostics import SymbolicSize
from ..index_syntax import INDEX
from ..loop.control import ForOp
from ..loop.size import SizeOp
from ..shape import Dim, Extent, dims_of, element_count, extent_of
from ..spans import Span
from .body import YieldOp
from .loop_nest import LoopNest
from .role import Role

PREFETCH_OPTIONS = ("prefetch_operand", "prefetch", "prefetch_level", "prefetch_spread")
"""The prefetch options of a tile; all other options describe the register tile."""

TILE_OPTIONS = ("vec", "lanes", "together", "intrinsic", "parallel", "chunk", *PREFETCH_OPTIONS)
"""The options of a tile; unroll factors are stored separately, by axis."""

COMBINERS = ("add", "mul", "max", "min", "maxnum", "umax", "umin", "and", "or", "xor", "by")
"""The names of combiners; ``maxnum`` ignores NaN, ``by`` is the combine region."""

STORE = "store"
"""The combiner name of an output that is stored without a reduction."""


@dataclass
class Access:
    """One read or write of a compute.

    value: the tensor or memref; None for an index input (``index[e]``).  Before bufferization an
        output has no buffer: value is None, and ``result_type`` is set.
    indices: one expression per dimension; None: the whole operand is an argument of the body.
    pad: the value of reads outside the operand; None if there are no such reads (inputs only).
    combiner, init: the reduction of an output; init None continues from memory (``acc``).
    layout: the storage layout that bufferization gives to an output.
    clip: the positions (first, end) per dimension that an output buffer writes; an end may be a
        symbolic size.
    border: a buffer, and the range of positions outside of which the buffer is 0; see ``nonzero``
    (inputs only).
    """

    value: SSAValue | None
    indices: list[Index] | None
    pad: Attribute | None = None
    combiner: str = STORE
    init: Attribute | None = None
    result_type: Attribute | None = None
    layout: AffineMapAttr | None = None
    clip: tuple[Span, ...] | None = None
    border: tuple[SSAValue, tuple[Span, ...]] | None = None

    @property
    def nonzero(self) -> tuple[Span, ...] | None:
        """The positions (first, end) per dimension outside of which the buffer is 0, if known.

        ``border`` names the buffer, so that an access to another buffer does not inherit it.
        """
        if self.border is None or self.border[0] is not self.value:
            return None
        return self.border[1]

    @property
    def type(self) -> Attribute:
        """The type of the accessed tensor or memref."""
        if self.value is not None:
            return self.value.type
        assert self.result_type is not None, "an index input has no buffer type"
        return self.result_type

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the accessed tensor or memref, as integers.

        Errors: SymbolicSize if a size is known only at run time.
        """
        assert isinstance(self.type, TensorType | MemRefType)
        shape = self.type.get_shape()
        if DYNAMIC_INDEX in shape:
            symbolic = next(dim for dim in self.dims if dim.value is None)
            raise SymbolicSize(
                "a buffer has a size that is known only at run time",
                expected="integers as sizes",
                got=f"{symbolic} in {self.type}",
                hint="bind the size to a number",
            )
        return shape

    @property
    def has_symbolic_sizes(self) -> bool:
        """Whether a size of the accessed tensor or memref is known only at run time."""
        assert isinstance(self.type, TensorType | MemRefType)
        return DYNAMIC_INDEX in self.type.get_shape()

    @property
    def extents(self) -> tuple[Extent, ...]:
        """The sizes of the accessed tensor or memref: integers, and symbolic sizes as Dim."""
        return tuple(map(extent_of, self.dims))

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The sizes of the accessed tensor or memref, each as a Dim."""
        assert isinstance(self.type, TensorType | MemRefType)
        return dims_of(self.type)

    @property
    def element_type(self) -> Attribute:
        """The element type of the accessed tensor or memref."""
        assert isinstance(self.type, TensorType | MemRefType)
        return self.type.get_element_type()

    @property
    def argument_type(self) -> Attribute:
        """The type of the region argument of an input: element, index, or whole operand."""
        if self.is_index:
            return INDEX
        return self.type if self.is_whole else self.element_type

    @property
    def is_index(self) -> bool:
        """Whether this is an index input, which passes a position and reads no operand."""
        return self.value is None and self.result_type is None

    @property
    def is_whole(self) -> bool:
        """Whether the argument of the body is the operand itself, for te.at."""
        return self.indices is None

    @property
    def reduces(self) -> bool:
        """Whether this is an output with a combiner."""
        return self.combiner != STORE

    def axes(self) -> set[Key]:
        """Return the axes and SSA values in the index expressions."""
        return {k for e in self.indices or () for k in e.variables()}


@dataclass(frozen=True)
class StaticExtents(Mapping[str, int]):
    """A mapping from axes to integer extents; looking up a symbolic extent raises SymbolicSize."""

    name: str
    axes: Mapping[str, Extent]

    def __getitem__(self, axis: str) -> int:
        extent = self.axes[axis]
        if isinstance(extent, Dim):
            raise SymbolicSize(
                f"@{self.name}: the extent of axis {axis} is known only at run time",
                expected="an integer",
                got=extent,
                hint="leave the axis out of this step, or bind its size",
            )
        return extent

    def __contains__(self, axis: object) -> bool:
        return axis in self.axes

    def __iter__(self) -> Iterator[str]:
        return iter(self.axes)

    def __len__(self) -> int:
        return len(self.axes)


@dataclass
class ComputeView:
    """The decoded parts of a te.compute; ``ComputeOp.from_view`` makes an op from them.

    axes: the extent of each axis, in loop order; an extent known only at run time is a Dim.
    inputs, post, outputs: the reads of ``body``, the reads of ``then``, and the writes.
    body, combine, then: the regions: the values at each point, the combiner of outputs with the
    combiner ``by``, and the epilogue, which is empty if there is none.
    scan: the axis along which outputs contain each partial result; None if there is none.
    tile: the register tile, empty until sched.vectorize.  unrolls: the unroll factor of each
    unrolled reduction axis (0: all iterations).
    nest: the pending loop nest.  role: the purpose of the op for passes.  annotations: values by
    key, set by sched.annotate.
    """

    name: str
    axes: Mapping[str, Extent]
    inputs: list[Access]
    post: list[Access]
    outputs: list[Access]
    body: Region
    combine: Region = field(default_factory=Region)
    then: Region = field(default_factory=Region)
    tile: dict[str, int | str] = field(default_factory=dict)
    scan: str | None = None
    nest: LoopNest | None = None
    role: Role | None = None
    annotations: DictionaryAttr | None = None
    unrolls: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def register_tile(self) -> dict[str, int | str]:
        """The tile without its prefetch options; empty until sched.vectorize."""
        return {k: v for k, v in self.tile.items() if k not in PREFETCH_OPTIONS}

    @property
    def prefetch(self) -> dict[str, int | str]:
        """The prefetch options of the tile."""
        return {k: v for k, v in self.tile.items() if k in PREFETCH_OPTIONS}

    @property
    def extents(self) -> Mapping[str, int]:
        """The extents of the axes as integers; looking up a symbolic extent raises SymbolicSize."""
        if any(isinstance(extent, Dim) for extent in self.axes.values()):
            return StaticExtents(self.name, self.axes)
        return cast("Mapping[str, int]", self.axes)

    def extent_of(self, key: Key) -> Extent | None:
        """Return the extent of an axis; None for other keys of index expressions."""
        return self.axes.get(key) if isinstance(key, str) else None

    def range_of(self, key: Key) -> Range:
        """Return the range of an axis, or of an SSA value that is the variable of a static loop."""
        return positions_of(self.axes[key]) if isinstance(key, str) else loop_variable_range(key)

    def accesses(self) -> list[Access]:
        """Return inputs, post operands and outputs, in the order of the maps of the op."""
        return [*self.inputs, *self.post, *self.outputs]

    @property
    def reads(self) -> list[Access]:
        """The inputs, followed by the post operands."""
        return [*self.inputs, *self.post]

    def output_axes(self) -> set[Key]:
        """Return the axes that index an output."""
        return {k for out in self.outputs for k in out.axes() if isinstance(k, str)}

    def parallel_axes(self) -> list[str]:
        """Return the axes that index an output, in loop order; the scan axis is one of them."""
        stored = self.output_axes()
        return [a for a in self.axes if a in stored]

    def reduced_axes(self) -> list[str]:
        """Return the axes that do not index an output, in loop order."""
        stored = self.output_axes()
        return [a for a in self.axes if a not in stored]

    def axes_behind(self, value: SSAValue) -> set[Key]:
        """Return the axes from which a value of the body is computed."""
        if isinstance(value.owner, Operation):
            return {a for v in value.owner.operands for a in self.axes_behind(v)}
        return self.inputs[list(self.body.block.args).index(value)].axes()  # pyright: ignore

    def substitute(self, values: Mapping[Key, Index]) -> ComputeView:
        """Return a view in whose index expressions ``values`` replace axes and SSA values."""

        def rebuild(access: Access) -> Access:
            if access.indices is None:
                return access
            return replace(
                access, indices=[e.substitute(values, self.range_of) for e in access.indices]
            )

        return replace(
            self,
            inputs=[rebuild(a) for a in self.inputs],
            post=[rebuild(a) for a in self.post],
            outputs=[rebuild(a) for a in self.outputs],
        )

    def split(self, axis: str, size: int, outer: str, inner: str) -> ComputeView:
        """Split an axis into ``outer``, and ``inner`` of extent ``size``; return the new view."""
        parts = {outer: extent_of(Dim.of(self.axes[axis]) // size), inner: size}
        both = replace(self, axes={**self.axes, **parts})
        split = both.substitute({axis: Index({outer: size, inner: 1})})
        order: dict[str, Extent] = {}
        for name, extent in self.axes.items():
            order |= parts if name == axis else {name: extent}
        return replace(split, axes=order)

    def fuse(self, axes: Sequence[str], into: str) -> ComputeView:
        """Fuse axes into one axis, in which the last of them varies fastest; return the new view.

        Before: all extents but the first are integers.
        """
        points = extent_of(element_count(Dim.of(self.axes[a]) for a in axes))
        both = replace(self, axes={**self.axes, into: points})
        parts: dict[Key, Index] = {}
        left = variable(into)
        for axis in reversed(axes[1:]):
            parts[axis] = divide("mod", left, self.extents[axis], both.range_of)
            left = divide("floordiv", left, self.extents[axis], both.range_of)
        parts[axes[0]] = left
        fused = both.substitute(parts)
        order: dict[str, Extent] = {}
        for name, extent in self.axes.items():
            if name == axes[0]:
                order[into] = points
            elif name not in axes:
                order[name] = extent
        return replace(fused, axes=order)


@dataclass
class ScatterView(ComputeView):
    """The decoded parts of a te.scatter: a compute without outputs, whose points run in order.

    base: the tensor or buffer that is updated.  unique: no two points have the same position.
    """

    base: SSAValue = field(kw_only=True)
    unique: bool = field(kw_only=True)

    def output_axes(self) -> set[Key]:
        """Return all axes, because no axis is reduced."""
        return set(self.axes)

    @property
    def rank(self) -> int:
        """The number of dimensions of the base."""
        return len(self.base_shape)

    @property
    def base_shape(self) -> tuple[Extent, ...]:
        """The sizes of the base: integers, and symbolic sizes as Dim."""
        return tuple(map(extent_of, dims_of(cast("TensorType | MemRefType", self.base.type))))

    @property
    def element_type(self) -> Attribute:
        """The element type of the base."""
        return cast("TensorType | MemRefType", self.base.type).get_element_type()

    def own_positions(self) -> dict[str, dict[int, Index]]:
        """Return the axes that are determined by the position of a written element.

        Points that differ in such an axis write different elements. The body yields the axis
        unchanged as an index of the base, or for a merged axis its quotients and remainder. The
        result maps each such axis to these indices, by dimension of the base.
        """
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "a body ends with te.yield"
        places = {
            argument: access.indices[0]
            for argument, access in zip(self.body.block.args, self.inputs, strict=True)
            if access.is_index and access.indices
        }
        found: dict[str, dict[int, Index]] = {}
        for dimension, value in enumerate(last.values[: self.rank]):
            index = places.get(value)  # pyright: ignore[reportArgumentType, reportCallIssue]
            axes = set() if index is None else set(index.variables())
            if index is not None and len(axes) == 1:
                found.setdefault(str(axes.pop()), {})[dimension] = index
        return {a: own for a, own in found.items() if self._determines(own, a)}

    def _determines(self, positions: Mapping[int, Index], axis: str) -> bool:
        number = constant(0)
        for place, (dimension, index) in enumerate(positions.items()):
            size = self.base_shape[dimension]
            if place and not isinstance(size, int):
                return False
            number = number * (size if isinstance(size, int) else 1) + index
        return number.merge_atoms() == variable(axis)

    def independent_axes(self) -> list[str]:
        """Return the axes along which no two points write the same element, in loop order."""
        own = self.own_positions()
        return [a for a in self.axes if self.unique or a in own]

    def vector_axes(self) -> list[str]:
        """Return the axes that may be vector lanes.

        Such an axis determines an index of the base, no other index depends on it, and every
        position along it is inside the base.
        """
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "a body ends with te.yield"
        found: list[str] = []
        for axis, own in self.own_positions().items():
            others = [v for d, v in enumerate(last.values[: self.rank]) if d not in own]
            moves = any(axis in self.axes_behind(v) for v in others)
            if not moves and all(self._is_inside(d, index) for d, index in own.items()):
                found.append(axis)
        return found

    def _is_inside(self, dimension: int, index: Index) -> bool:
        low, high = index.range(self.range_of)
        size = self.base_shape[dimension]
        return low >= 0 and isinstance(size, int) and high < size


def positions_of(extent: Extent) -> Range:
    """Return the first and the last position of an axis; INFINITY as last if it is symbolic."""
    return (0, extent - 1) if isinstance(extent, int) else (0, INFINITY)


def axis_ranges(axes: Mapping[str, Extent]) -> RangeOf:
    """Return a function that maps an axis, or the variable of a static loop, to its range."""
    return lambda key: positions_of(axes[key]) if isinstance(key, str) else loop_variable_range(key)


def has_dynamic_end(value: Key) -> bool:
    """Return whether a value is the variable of a loop whose bounds are not integers."""
    if not isinstance(value, SSAValue) or not isinstance(value.owner, Block):
        return False
    parent = value.owner.parent_op()
    return isinstance(parent, ForOp) and parent.static_bounds is None


def loop_variable_range(value: Key) -> Range:
    """Return the range of a loop variable, or of the result of a loop.size.

    The range is unknown unless the loop starts at an integer and has an integer upper bound.
    """
    if isinstance(value, OpResult) and isinstance(value.op, SizeOp):
        return value.op.dim.range(INFINITY)
    if not isinstance(value, SSAValue) or not isinstance(value.owner, Block):
        return unknown_range(value)
    parent = value.owner.parent_op()
    bounds = parent.enclosing_bounds if isinstance(parent, ForOp) else None
    if bounds is None or value is not value.owner.args[0]:
        return unknown_range(value)
    low, high = bounds
    return low, high - 1


def identity_indices(names: Iterable[str]) -> list[Index]:
    """Return one index expression per name; each consists of the axis of this name."""
    return [variable(n) for n in names]
