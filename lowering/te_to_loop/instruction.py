"""Lower an innermost compute (leaf) whose inner part is an intrinsic, emitted once per cell.

A cell is a result vector.

    te.compute @mm [m: 4, n: 32, ko: 16 red, ki: 4 red]
        ins(%A[m, ko * 4 + ki] : .., %B[n floordiv 16, ko, n mod 16, ki] : ..) ..
        tile(vec = n, lanes = 16, intrinsic = vpdpbusd)
==>  in the loop over ko, for each of 4 x 2 cells
    %b = loop.load %B[0, %ko, 0, 0] : .., vector<64xi8>      (shared by the cells of a column)
    %x = loop.load %A[0, %ko * 4] : .., vector<4xi8>          (shared by the cells of a row)
    %a = loop.repeat %x : vector<4xi8> to vector<64xi8>
    %d = loop.intrinsic @vpdpbusd(%c, %a, %b) : ..
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from ...analysis.patterns.intrinsics import (
    Match,
    has_inner_lanes,
    is_repeated,
    match_intrinsic,
)
from ...dialects import loop
from ...dialects.te import ComputeView, IntrinsicOp, find_intrinsic
from ...support.affine import ZERO, Index, Key, RangeOf
from ...support.diagnostics import LoweringError
from .access import element_type_of
from .emitter import LANE, LoopEmitter
from .intrinsic_leaf import exact
from .prefetch import Prefetch


class LeafInstruction:
    """The intrinsic that computes the inner part of an innermost compute (leaf).

    definition: the compute that defines the intrinsic.
    axes: the reduced axes of the leaf over which the intrinsic sums.
    """

    def __init__(self, view: ComputeView, op: Operation) -> None:
        name = str(view.tile["intrinsic"])
        intrinsic = find_intrinsic(op, name)
        if intrinsic is None:
            raise LoweringError(f"@{view.name}: the module has no intrinsic @{name}").at(op)
        self.view, self.intrinsic = view, intrinsic
        self.definition = intrinsic.row_view()
        self.match = _exact_match(intrinsic, self.definition, view, op)
        self.axes = [self.match.axes[a] for a in self.definition.reduced_axes()]
        self.lanes = intrinsic.lanes

    @property
    def lane_inputs(self) -> list[int]:
        """The positions of the leaf's inputs that have different elements in each lane."""
        return [own for number, own in self.match.inputs.items() if self.has_lanes(number)]

    def has_lanes(self, number: int) -> bool:
        """Return whether an input of the definition has different elements in each lane.

        number: the position of the input.
        """
        (lane,) = self.definition.parallel_axes()
        return lane in self.definition.inputs[number].axes()

    def operands(
        self,
        emitter: LoopEmitter,
        values: dict[Key, Index],
        active: int,
        of: RangeOf,
        prefetch: Prefetch,
    ) -> list[SSAValue]:
        """Emit the operands of the intrinsic for one cell (result vector); return them.

        For an instruction that multiplies matrices, an operand has one row of its matrix.
        values: the position of the cell along the axes of the leaf.
        active: the number of lanes in use.
        of: returns the range of a variable.
        prefetch: emits the prefetches that belong to the loads.
        """
        at = {**values, **dict.fromkeys(self.axes, ZERO)}
        numbers = range(len(self.definition.inputs))
        return [self._vector(emitter, number, at, active, of, prefetch) for number in numbers]

    def use(self, emitter: LoopEmitter, total: SSAValue, operands: Sequence[SSAValue]) -> SSAValue:
        """Emit the intrinsic; return the new accumulators.

        total: the vector of accumulators of one cell.
        """
        vectors: dict[SSAValue, SSAValue] = {self.intrinsic.compute.outs[0]: total}
        for access, operand in zip(self.definition.inputs, operands, strict=True):
            assert access.value is not None, "a definition reads buffers"
            vectors[access.value] = operand
        arguments = [_as_vector(emitter, vectors[a]) for a in self.intrinsic.definition.block.args]
        place = self.intrinsic.position_of(self.intrinsic.compute.outs[0])
        name, type_ = self.intrinsic.label, arguments[place].type
        made = emitter.value(loop.IntrinsicOp.make(name, arguments, type_))
        if isinstance(total.type, VectorType):
            return made
        return emitter.value(loop.ExtractOp.make(made, 0))

    def _vector(
        self,
        emitter: LoopEmitter,
        number: int,
        at: dict[Key, Index],
        active: int,
        of: RangeOf,
        prefetch: Prefetch,
    ) -> SSAValue:
        """Emit the vector for an input of the definition: a load, or a repeated load for all lanes.

        number: the position of the input in the definition.
        at: the position of the cell along the axes of the leaf.
        active, of, prefetch: as in `operands`.
        """
        own = self.view.inputs[self.match.inputs[number]]
        assert own.value is not None, "matched inputs have a buffer"
        indices = [e.substitute(at, of) for e in own.indices or ()]
        key: Hashable = ("instruction", number, active, own.value, tuple(indices))
        found = emitter.scope.reads.get(key)
        if found is None:
            found = self._load(emitter, number, own.value, indices, active)
            emitter.scope.reads[key] = found
            prefetch.at_load(emitter, self.match.inputs[number], own.value, indices)
        return cast(SSAValue, found)

    def _load(
        self, emitter: LoopEmitter, number: int, mem: SSAValue, indices: list[Index], active: int
    ) -> SSAValue:
        element = element_type_of(mem)
        access = self.definition.inputs[number]
        (lane,) = self.definition.parallel_axes()
        per_lane = prod(
            n for a, n in self.definition.extents.items() if a in access.axes() - {lane}
        )
        in_definition = lane in access.axes()
        own = self.view.inputs[self.match.inputs[number]]
        is_wide = in_definition and not is_repeated(own, self.match.axes[lane])
        count = per_lane * (self.lanes if is_wide else 1)
        inner = has_inner_lanes(self.definition, number)
        used = per_lane * active if is_wide and active < self.lanes and not inner else None
        type_ = loop.vector_type(count, element)
        loaded = emitter.value(loop.LoadOp.make(mem, indices, type_, lanes=used))
        if is_wide:
            return loaded
        if not in_definition:
            return loaded if count > 1 else _vector_of_one(emitter, loaded)
        if not isinstance(loaded.type, VectorType):
            return emitter.splat(loaded, self.lanes)
        wide = loop.vector_type(count * self.lanes, element)
        return emitter.value(loop.RepeatOp.create(operands=[loaded], result_types=[wide]))


def _check_whole_vectors(view: ComputeView, definition: ComputeView, match: Match) -> None:
    """Check that the last vector of a packed input does not extend past the end of its block.

    In a packed input, the lanes are an inner dimension, so that each vector is contiguous.
    Errors: LoweringError if the extent of this dimension is no multiple of the number of lanes.
    """
    (lane,) = definition.parallel_axes()
    axis, lanes = match.axes[lane], definition.extents[lane]
    if view.extents[axis] % lanes == 0:
        return
    for number in match.inputs:
        own = view.inputs[match.inputs[number]]
        sizes = [
            dim.value or 0
            for dim, e in zip(own.dims, own.indices or (), strict=True)
            if axis in set(e.variables())
        ]
        if has_inner_lanes(definition, number) and sizes[-1] % lanes:
            raise LoweringError(
                f"@{view.name} reads the lanes of its last vector behind a buffer",
                expected=f"blocks of {lanes} along {axis}",
                got=sizes[-1],
                hint="pack the operand in whole blocks",
            )


def _as_vector(emitter: LoopEmitter, value: SSAValue) -> SSAValue:
    """Return a vector unchanged, and a scalar as a vector of one lane."""
    return value if isinstance(value.type, VectorType) else _vector_of_one(emitter, value)


def _vector_of_one(emitter: LoopEmitter, value: SSAValue) -> SSAValue:
    type_ = VectorType(value.type, [1])
    return emitter.value(loop.BroadcastOp.create(operands=[value], result_types=[type_]))


def _exact_match(
    intrinsic: IntrinsicOp, definition: ComputeView, view: ComputeView, op: Operation
) -> Match:
    """Match an intrinsic with the compute that names it; return the match.

    sched.tensorize matched the two before, but later steps may have changed the compute.
    Errors: LoweringError if the intrinsic no longer matches.
    """
    found = exact(match_intrinsic(definition, view, str(view.tile["vec"])), intrinsic, op)
    reduced = [found.axes[a] for a in definition.reduced_axes()]
    sizes = [definition.axes[a] for a in definition.reduced_axes()]
    if found.misplaced or [view.axes[a] for a in reduced] != sizes:
        raise LoweringError(
            f"@{view.name} was changed after tensorize: @{intrinsic.label} does not fit any more",
            expected=f"extents {sizes} of {', '.join(reduced)}, operands in its order",
            hint="tensorize after the steps that change axes and layouts",
        ).at(op)
    _check_whole_vectors(view, definition, found)
    return found


def first_lane(index: Index) -> Index:
    """Return an index expression with the lane number replaced by 0."""
    return index.without(LANE)
