"""The state of the lowering of a compute: axes, lanes, regions and accesses."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...analysis.patterns.combiners import annihilates, identity, vanishes
from ...dialects import loop
from ...dialects.dtypes import bit_width, is_float
from ...dialects.index_syntax import typed_scalar
from ...dialects.te import Access
from ...dialects.te.view import positions_of
from ...support.affine import ZERO, Index, Key, Range, constant
from ...support.diagnostics import LoweringError
from .access import (
    OUTSIDE,
    Lanes,
    Read,
    Verdict,
    at_lane,
    classify,
    element_type_of,
    load,
    mentions_lane,
    position,
    read_at,
    shape_of,
    store,
)  # fmt: skip
from .body import Body, DeferredProduct, ReadAt
from .emitter import LANE, LoopEmitter, combine, fma_op
from .instruction import LeafInstruction, first_lane
from .outputs import OutputGroup
from .padding import clip_bounds, span_bounds, taps_to_unroll
from .prefetch import Prefetch, PrefetchedBlock, Sharing


@dataclass(frozen=True, slots=True)
class Point:
    """The position of one result vector and one reduction step in the iteration space.

    values: the position along every axis that is fixed so far, as an index expression over loop
    variables and the lane number.
    active: the number of lanes in use.
    inside: (input, dimension) pairs: this index of this input is known to be in bounds.
    ragged: whether the last lanes may lie after the end of an axis of symbolic extent.  Their reads
    outside of a buffer give 0.
    """

    values: Mapping[Key, Index]
    active: int
    inside: frozenset[tuple[int, int]] = frozenset()
    ragged: bool = False

    def moved(self, values: Mapping[Key, Index], inside: frozenset[tuple[int, int]]) -> Point:
        """Return the point with further fixed axes.

        values: the positions along these axes.
        inside: replaces the set of indices that are known to be in bounds.
        """
        return Point({**self.values, **values}, self.active, inside, self.ragged)


class Leaf:
    """An innermost compute, one group of its outputs, or a scatter, during its lowering.

    group: the outputs to compute; all of them have the same axes.
    emitter: appends the ops.
    iterations: how loop iterations share the prefetches; None if they do not.
    op: the compute in its module, in which its intrinsic is looked up.
    vec, lanes: the vector axis, or None, and its number of lanes.
    parallel, reduced: the names of the other axes that are longer than 1.  Outputs depend only on
    the parallel axes.  The scan axis is in neither list; it may be the vector axis.
    """

    def __init__(
        self,
        group: OutputGroup,
        emitter: LoopEmitter,
        iterations: Sharing | None = None,
        op: Operation | None = None,
    ) -> None:
        self.group, self.emitter, self.view, self.op = group, emitter, group.view, op
        view = self.view
        self.axes, self.extents = view.axes, view.extents
        self.outputs = view.outputs
        self.custom = [i for i, o in enumerate(self.outputs) if o.combiner == "by"]
        self._ranges: dict[Key, Range] = {a: positions_of(n) for a, n in view.axes.items()}
        self._lanes: dict[int, Lanes] = {}
        self.vec = self._vector_axis()
        self.lanes = int(view.tile["lanes"]) if self.vec else 1
        stored = view.output_axes()
        rest = [a for a, n in view.axes.items() if n != 1 and a not in (self.vec, view.scan)]
        self.parallel = [a for a in rest if a in stored]
        self.instruction = self._instruction(op)
        self.covered = self.instruction.axes if self.instruction else []
        self.reduced = [a for a in rest if a not in stored and a not in self.covered]
        self.reduces_lanes = self.vec is not None and self.vec not in stored
        self.base: dict[Key, Index] = {
            a: ZERO for a, n in view.axes.items() if n == 1 and a != self.vec
        }
        self._decode_regions()
        self._decode_accesses()
        self.prefetch = Prefetch(view, self.lanes, iterations, self.covered)

    def _vector_axis(self) -> str | None:
        """Return the axis along which the register tile has vectors; None for scalar code."""
        view = self.view
        vec = view.tile.get("vec")
        if not isinstance(vec, str):
            return None
        # An instruction has no scalar form, so one element is computed as a vector with one lane.
        is_single = view.axes.get(vec, 1) == 1 or int(view.tile.get("lanes", 1)) == 1
        if is_single and "intrinsic" not in view.tile:
            return None
        # Lanes of a continued ``by`` would need the neutral value of its combine region, which is
        # unknown.
        continued = any(self.outputs[i].init is None for i in self.custom)
        return None if continued and vec not in view.output_axes() else vec

    def _instruction(self, op: Operation | None) -> LeafInstruction | None:
        """Return the intrinsic that the register tile names; None if the tile names none.

        op: the compute, in whose module the intrinsic is looked up.
        """
        if "intrinsic" not in self.view.tile:
            return None
        assert op is not None, "a compute is lowered in its place"
        if self.vec is None:
            raise LoweringError(
                f"@{self.view.name} has no vectors left for its intrinsic",
                got=f"extent 1 of axis {self.view.tile['vec']}",
            ).at(op)
        return LeafInstruction(self.view, op)

    def _decode_regions(self) -> None:
        group, view = self.group, self.view
        # A scatter has no outputs: the leaf does not combine the values that its body yields.
        pairs = zip(group.positions, self.outputs, strict=bool(self.outputs))
        sums = [p for p, o in pairs if o.combiner == "add"]
        self.body = Body(view.body, self.lanes, group.positions, sums)
        self.combine = Body(view.combine, self.lanes) if self.custom else None
        has_then = bool(view.then.blocks) and bool(group.then_positions())
        self.then = Body(view.then, self.lanes, group.then_positions()) if has_then else None

    def _decode_accesses(self) -> None:
        view = self.view
        self.accesses = view.accesses()
        self.uses = [[a for a in view.axes if a in access.axes()] for access in self.accesses]
        arguments, yielded = view.body.block.args, self.group.yielded()
        self.skippable = [
            bool(self.outputs) and annihilates(access, argument, self.outputs, yielded)
            for access, argument in zip(view.inputs, arguments, strict=True)
        ]
        self.vanishing = [
            access.nonzero is not None
            and bool(self.outputs)
            and vanishes(argument, self.outputs, yielded)
            for access, argument in zip(view.inputs, arguments, strict=True)
        ]
        used = self.body.used_arguments
        # Padded reads first: if one is outside its buffer, the other reads are not needed.
        order = sorted(range(len(view.inputs)), key=lambda j: view.inputs[j].pad is None)
        self.read_order = [j for j in order if used[j]]
        self.unrolls = {a: view.unrolls[a] for a in self.reduced if a in view.unrolls}
        tiled = {*self.parallel, *([self.vec] if self.vec else [])}
        if view.tile:
            for axis in taps_to_unroll(view, tiled, self.range_of):
                self.unrolls[axis] = 0

    # ---- ranges

    def range_of(self, key: Key) -> Range:
        """Return the range of an axis or of a loop variable."""
        known = self._ranges.get(key)
        if known is None:
            known = self.emitter.ranges.get(cast(SSAValue, key)) or self.view.range_of(key)
            self._ranges[key] = known
        return known

    def lanes_of(self, active: int) -> Lanes:
        """Return the lanes of a vector access of which the first ``active`` are in use."""
        lanes = self._lanes.get(active)
        if lanes is None:

            def range_of(key: Key) -> Range:
                return (0, active - 1) if key == LANE else self.range_of(key)

            lanes = self._lanes[active] = Lanes(self.lanes, active, range_of)
        return lanes

    # ---- reads and writes

    def read(self, number: int, point: Point) -> Read:
        """Return the value that an access reads at a point, or ``OUTSIDE`` in the padding.

        An equal read that was emitted before in the same scope is reused.
        number: the number of the access.  Numbers count the inputs, then the operands of ``then``,
        then the outputs.
        """
        access = self.accesses[number]
        if access.indices is None:
            assert access.value is not None, "a whole operand has a buffer"
            return access.value
        reads, near = self.emitter.scope.reads, self._key(number, point)
        found = reads.get(near)
        if found is None:
            range_of = self.lanes_of(point.active).range_of
            indices = [e.substitute(point.values, range_of) for e in access.indices]
            # Unrolled taps of a window read the same element from several positions.
            lanes = self.lanes, point.active, point.ragged
            exact: Hashable = (access.value, access.pad, lanes, tuple(indices))
            found = reads.get(exact)
            if found is None:
                found = reads[exact] = self._load(number, access, indices, point)
            reads[near] = found
        return cast(Read, found)

    def keep_read(self, number: int, point: Point, value: SSAValue) -> None:
        """Record the value that an access reads at a point, for later calls of `read`.

        number: the number of the access, as in `read`.
        """
        self.emitter.scope.reads[self._key(number, point)] = value

    def _key(self, number: int, point: Point) -> Hashable:
        lanes = self.lanes, point.active, point.ragged
        return (number, lanes, *[point.values.get(a) for a in self.uses[number]])

    def _load(self, number: int, access: Access, indices: list[Index], point: Point) -> Read:
        lanes, emitter = self.lanes_of(point.active), self.emitter
        if access.value is None:
            return position(emitter, indices[0], lanes)
        pad = access.pad
        if pad is not None:
            inside = frozenset(d for j, d in point.inside if j == number)
            verdict = classify(indices, shape_of(access.value), lanes.range_of, inside)
            if verdict is OUTSIDE:
                return OUTSIDE
            if verdict is Verdict.INSIDE:
                pad = None
        if point.ragged and pad is None and any(mentions_lane(e) for e in indices):
            pad = typed_scalar(0, element_type_of(access.value))
        loaded = load(emitter, access.value, indices, lanes, pad)
        if self.prefetch.has_loads_of(number) and isinstance(loaded.type, VectorType):
            first = at_lane(indices, 0, lanes.range_of)
            self.prefetch.at_load(emitter, number, access.value, first)
        return loaded

    def prefetch_block(self, values: Mapping[Key, Index], axes: Sequence[str]) -> None:
        """Emit this iteration's share of the prefetches of one block of the prefetched input.

        Loop iterations that read the same elements each prefetch a part of the elements that are
        read next.  The prefetches are emitted before the innermost reduction loop, or inside it;
        the method emits nothing at other points.
        values: the positions along the fixed axes.
        axes: the reduced axes that are not fixed yet.
        """
        prefetch, number = self.prefetch, self.prefetch.operand
        if number is None or prefetch.iterations is None:
            return
        access, innermost = self.view.inputs[number], self.reduced[-1:]
        assert access.value is not None, "checked by sched.vectorize"
        if axes and len(axes) == len(self.reduced):
            prefetch.begin(self.emitter, access.value, innermost)
        if len(axes) > 1 or not prefetch.is_at(access.value, axes, innermost):
            return
        walked = [a for a in self.reduced if a in self.uses[number]]
        block = constant(0)
        for axis in walked:
            if axis not in axes:
                block = block * self.extents[axis] + values[axis]
        inner = [*self.reduced, *self.covered, *([self.vec] if self.vec else [])]
        first = dict.fromkeys(inner, ZERO)
        indices = [e.substitute({**values, **first}, self.range_of) for e in access.indices or ()]
        prefetch.share(self.emitter, access.value, indices, PrefetchedBlock(block, axes, walked))

    def read_value(self, number: int, point: Point) -> SSAValue:
        """Return the value that an access reads at a point, which may be the padding value.

        number: the number of the access, as in `read`.
        """
        value = self.read(number, point)
        if value is OUTSIDE:
            pad = self.accesses[number].pad
            assert pad is not None, "only padded reads are outside"
            return self.emitter.constant(pad)
        return value

    def output_number(self, position: int) -> int:
        """Return the number of the access to an output, as `read` counts accesses.

        position: the position of the output among the outputs of the group.
        """
        return len(self.accesses) - len(self.outputs) + position

    def write(self, position: int, value: SSAValue, point: Point) -> None:
        """Emit the store of a value to an output at a point.

        position: the position of the output among the outputs of the group.
        """
        access = self.outputs[position]
        assert access.value is not None, "outputs are buffers"
        assert access.indices is not None, "outputs have indices"
        lanes = self.lanes_of(point.active)
        indices = [e.substitute(point.values, lanes.range_of) for e in access.indices]
        value = self._as_element(value, element_type_of(access.value))
        store(self.emitter, value, access.value, indices, lanes, access.clip)

    def _as_element(self, value: SSAValue, element: Attribute) -> SSAValue:
        """Emit the conversion of an accumulator to the element type of its output.

        Errors: LoweringError if the types differ and are not floats.
        """
        have = loop.lane_type(value.type)
        if have == element:
            return value
        if not (is_float(have) and is_float(element)):
            raise LoweringError(
                f"@{self.view.name}: accumulator does not fit its output",
                expected=element,
                got=have,
                hint="convert it in the then region",
            )
        kind = arith.TruncFOp if bit_width(have) > bit_width(element) else arith.ExtFOp
        result = loop.like(value.type, element)
        return self.emitter.value(kind.create(operands=[value], result_types=[result]))

    # ---- regions

    def map(self, point: Point) -> list[SSAValue | DeferredProduct] | None:
        """Emit the body at a point; return the values that it yields.

        Returns None if a read is in the padding, so that the term does not change the reduction:
        the caller skips the term.
        """
        arguments = self._arguments(point)
        return None if arguments is None else self._emit(self.body, arguments, point.active)

    def map_together(self, points: Sequence[Point]) -> list[list[SSAValue | DeferredProduct]]:
        """Emit the body at several points, op by op for all points; return the values per point.

        No point may have a term that `map` would skip.
        """
        cells: list[tuple[Sequence[SSAValue | None], ReadAt]] = []
        for point in points:
            arguments = self._arguments(point)
            assert arguments is not None, "only terms of a reduction vanish"
            cells.append((arguments, self._reader(point.active)))
        return self.body.emit_together(self.emitter, cells)

    def _arguments(self, point: Point) -> list[SSAValue | None] | None:
        arguments: list[SSAValue | None] = [None] * len(self.view.inputs)
        for j in self.read_order:
            value = self.read(j, point)
            if value is OUTSIDE and self.skippable[j]:
                return None
            arguments[j] = self.read_value(j, point) if value is OUTSIDE else value
        return arguments

    def _reader(self, active: int) -> ReadAt:
        lanes, emitter = self.lanes_of(active), self.emitter
        return lambda m, at, o: read_at(emitter, m, at, o, lanes)

    def _emit(
        self, body: Body, arguments: Sequence[SSAValue | None], active: int
    ) -> list[SSAValue | DeferredProduct]:
        return body.emit(self.emitter, arguments, self._reader(active))

    def operands(self, point: Point) -> list[SSAValue]:
        """Emit the operands of the intrinsic that computes the tile, at a point; return them."""
        assert self.instruction is not None, "the leaf has an instruction"
        assert self.vec is not None, "an instruction has lanes"
        values = {**point.values, self.vec: first_lane(point.values[self.vec])}
        range_of = self.lanes_of(point.active).range_of
        return self.instruction.operands(
            self.emitter, values, point.active, range_of, self.prefetch
        )

    def fold(
        self, mapped: Sequence[SSAValue | DeferredProduct], accumulators: Sequence[SSAValue | None]
    ) -> list[SSAValue]:
        """Emit the combination of accumulators with the values of one reduction step.

        mapped: the values that the body yields, one per output; a `DeferredProduct` becomes part of
        an FMA.
        accumulators: one per output; None for an output without reduction.
        Returns the new accumulators; for an output without reduction, the yielded value.
        """
        out: list[SSAValue] = []
        for output, value, acc in zip(self.outputs, mapped, accumulators, strict=True):
            if isinstance(value, DeferredProduct):
                assert acc is not None, "a product is combined"
                out.append(self._fma(value, acc))
            elif acc is None or output.combiner == "by":
                out.append(value)
            else:
                value = self.emitter.splat(value, loop.lanes_of(acc.type))
                out.append(combine(self.emitter, output.combiner, acc, value))
        if self.custom:
            merged = self.merge(
                [accumulators[i] for i in self.custom], [out[i] for i in self.custom]
            )
            for i, value in zip(self.custom, merged, strict=True):
                out[i] = value
        return out

    def _fma(self, value: DeferredProduct, acc: SSAValue) -> SSAValue:
        lanes = loop.lanes_of(acc.type)
        lhs, rhs = (self.emitter.splat(v, lanes) for v in (value.lhs, value.rhs))
        return self.emitter.value(fma_op(lhs, rhs, acc))

    def merge(
        self, lhs: Sequence[SSAValue | None], rhs: Sequence[SSAValue | None]
    ) -> list[SSAValue]:
        """Emit the region ``combine``, which combines two sets of accumulators; return the results.

        lhs, rhs: the accumulators of the outputs whose combiner is ``by``, in order.
        """
        assert self.combine is not None, "no 'by' combiner"
        lanes = max(loop.lanes_of(v.type) for v in lhs if v is not None)
        merged = self._emit(self.combine, [*lhs, *rhs], lanes)
        return [self.emitter.splat(cast(SSAValue, v), lanes) for v in merged]

    def finish(self, combined: Sequence[SSAValue], point: Point) -> list[SSAValue]:
        """Emit the region ``then`` at a point; return its results, the values to store.

        combined: the reduced values, one per output; they are returned if there is no ``then``.
        """
        (finished,) = self.finish_together([(combined, point)])
        return finished

    def finish_together(
        self, cells: Sequence[tuple[Sequence[SSAValue], Point]]
    ) -> list[list[SSAValue]]:
        """Emit the region ``then`` for several cells (result vectors), op by op for all cells.

        cells: the reduced values and the point of each cell.
        Returns the values to store per cell: the reduced ones if there is no ``then``.
        """
        then = self.then
        if then is None:
            return [list(combined) for combined, _ in cells]
        results = then.emit_together(
            self.emitter,
            [
                (self._then_arguments(then, combined, point), self._reader(point.active))
                for combined, point in cells
            ],
        )
        return [[cast(SSAValue, v) for v in values] for values in results]

    def _then_arguments(
        self, then: Body, combined: Sequence[SSAValue], point: Point
    ) -> list[SSAValue | None]:
        group, used = self.group, then.used_arguments
        arguments: list[SSAValue | None] = [None] * len(used)
        for slot, value in zip(group.then_positions(), combined, strict=True):
            arguments[slot] = value
        for k in range(len(self.view.post)):
            slot = len(group.combined) + k
            if used[slot]:
                arguments[slot] = self.read_value(len(self.view.inputs) + k, point)
        if any(u and a is None for u, a in zip(used, arguments, strict=True)):
            raise LoweringError(
                f"@{self.view.name}: then mixes outputs with different axes",
                hint="split the compute",
            )
        return arguments

    # ---- accumulators

    def combined(self) -> list[int]:
        """Return the positions of the outputs that are reductions."""
        return [i for i, o in enumerate(self.outputs) if o.reduces]

    def start(self, position: int, point: Point, lanes: int) -> SSAValue:
        """Return the first value of the accumulator of an output, as a vector of ``lanes`` lanes.

        It is the initial value of the reduction, or the old value in memory if the output continues
        a reduction.
        position: the position of the output.
        """
        init = self.outputs[position].init
        if init is not None:
            return self.emitter.constant(init, lanes)
        return self.emitter.splat(self.read_value(self.output_number(position), point), lanes)

    def neutral(self, position: int, lanes: int) -> SSAValue:
        """Return the identity of an output's combiner as a vector of ``lanes`` lanes.

        position: the position of the output, whose combiner must not be ``by``.
        """
        type_ = self.group.yielded()[position].type
        return self.emitter.constant(identity(self.outputs[position].combiner, type_), lanes)

    def adds_to_memory(self, position: int) -> bool:
        """Return whether an output is added to its old value in memory only after the reduction.

        This is so for an output that continues a sum, such as a block of a long sum.  The block is
        then summed from 0, so the error grows only with the square root of the length and the
        number of blocks, and the reduction does not wait for a load.
        position: the position of the output.
        """
        output = self.outputs[position]
        return output.init is None and output.combiner != "by" and self.view.scan is None


def clipped_bounds(
    leaf: Leaf, axis: str, values: Mapping[Key, Index]
) -> tuple[list[Index], list[Index], frozenset[tuple[int, int]]]:
    """Return bounds of a reduction loop that skip iterations whose padded reads are outside.

    Such iterations add nothing to the reduction.
    axis: the reduced axis of the loop.
    values: the positions along the axes that are fixed outside of the loop.
    Returns the lower bounds, the upper bounds, and (input, dimension) pairs whose indices are
    inside of their buffers within the bounds.  The loop begins at the largest lower bound and ends
    at the smallest upper bound.
    """
    lower, upper = [constant(0)], [leaf.emitter.extent(leaf.axes[axis])]
    inside: set[tuple[int, int]] = set()
    for j in leaf.read_order:
        access = leaf.view.inputs[j]
        if not leaf.skippable[j] or access.value is None or access.indices is None:
            continue
        for d, size in enumerate(shape_of(access.value)):
            index = access.indices[d]
            if axis not in index.terms:
                continue
            exact = index.substitute(values, leaf.range_of)
            bounds = clip_bounds(exact, axis, leaf.emitter.extent(size), leaf.range_of)
            if bounds is None or not (bounds[0] or bounds[1]):
                continue
            lower += [e for e in bounds[0] if e not in lower]
            upper += [e for e in bounds[1] if e not in upper]
            inside.add((j, d))
    return lower, upper, frozenset(inside)


def busy_bounds(
    leaf: Leaf, axis: str, values: Mapping[Key, Index]
) -> tuple[list[Index], list[Index]]:
    """Return bounds of a reduction loop that skip iterations in which an input is known to be 0.

    axis: the reduced axis of the loop.
    values: the positions along the axes that are fixed outside of the loop.
    Returns the lower bounds and the upper bounds, which hold for all cells of the tile.
    """
    lower, upper = [constant(0)], [leaf.emitter.extent(leaf.axes[axis])]
    for j in leaf.read_order:
        access = leaf.view.inputs[j]
        if not leaf.vanishing[j] or access.nonzero is None:
            continue
        for index, (first, end) in zip(access.indices or (), access.nonzero, strict=True):
            if axis not in index.terms:
                continue
            exact = index.substitute(values, leaf.range_of)
            ends = leaf.emitter.extent(end)
            bounds = span_bounds(exact, axis, (first, ends), leaf.range_of)
            lower += [e for e in bounds[0] if e not in lower]
            upper += [e for e in bounds[1] if e not in upper]
    return lower, upper
