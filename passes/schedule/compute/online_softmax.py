"""sched.online_softmax: FlashAttention over blocks of keys, with a running maximum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from sys import float_info

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....analysis.patterns.attention import Attention, find_attention
from ....analysis.patterns.attention_mask import visible_end
from ....dialects.loop import AllocOp, ForOp
from ....dialects.shape import Dim, Extent, extent_of, memref_type
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....dialects.te.build import make_region
from ....dialects.te.scalars import Scalars
from ....dialects.te.verifier import accumulator_type
from ....dialects.te.view import STORE, loop_variable_range
from ....support.affine import Index, Key, constant, divide, variable
from ....support.names import value_hint
from ...rewrite.compose import finish_body
from ...rewrite.narrow_floats import copy_unrounded, drop_widening
from ..engine.placement import (
    append_to,
    block_of,
    erase_compute,
    erase_unused,
    insert_loop,
    size_in_kernel,
)
from ..engine.step import Handles, Step

LOWEST: dict[Attribute, float] = {f32: -3.4028234663852886e38, f64: -float_info.max}
"""Initial value of a running maximum; -inf would give NaN, because -inf - -inf is NaN."""


def online_softmax(step: Step) -> Handles:
    """Process the keys of an attention once, block by block.

        te.compute @s [m: 64, n: 1024, ..] .. outs(%s[m, n] add 0.0)
        te.compute @mx .. outs(%m[m])   @e .. outs(%e[m, n])    @l .. outs(%l[m])
        te.compute @o [m: 64, n: 64, k: 1024 red] .. post(%l[m]) outs(%o[m, n] add 0.0)
        %s1, %m1, %e1, %l1, %o1, %b, %start, %zero, %factor, %total, %finish =
            sched.online_softmax %s, %mx, %e, %l, %o {k = 128}
    ==>
        @o_start: %before[m] = lowest number, %sum[m] = 0       @o_zero: %acc[m, n] = 0
        loop.for %b = 0 to 8 {
          @s      %s[m, n] of 128 keys
          @mx     %m[m] = max(%before[m], max_n %s[m, n])
          @o_factor  %f[m] = exp(%before[m] - %m[m]),  %before[m] = %m[m]
          @e      %e[m, n] = exp(%s[m, n] - %m[m])
          @l      %sum[m] = %sum[m] * %f[m] + sum_n %e[m, n]
          @o      %acc[m, n] = %acc[m, n] * %f[m] + sum_k %e[m, k] * v[k, n]
        }
        @o_total: %l[m] = (then of @l)(%sum[m])   @o_finish: %o[m, n] = (then of @o)(%acc[m, n])

    A separate loop handles the remainder of the keys. If the number of keys is symbolic, the
    remainder is the first block, before the loop; its computes, the first of each handle,
    initialize the maximum and the sums, so that the handles %start and %zero are empty. The loop
    stops before blocks of keys whose scores are all masked by position
    (analysis/patterns/attention_mask.py).
    k: the number of keys per block; the option is named after the key axis of @o.
    in_place: 1 if a compute @o_rescale multiplies %acc by the factors, and @o adds to %acc, so that
    no other buffer of its size is needed. The handle of @o_rescale is then the last one.
    lanes: the first block computes the exponentials of a multiple of this number of keys, so that
    they fill vectors; the surplus ones are never read.
    Handles: the five computes in the loop, the loop, and the computes that the step adds.
    Before: the five computes form an attention in one block and are not tiled; maxima and sums are
    f32 or f64.
    Error: one rounding per block for the factors. Non-finite values of masked keys do not reach the
    result. A query for which all keys are masked gives NaN, as without blocks.
    Errors: ScheduleError for other computes, for an axis that is not the keys, and for a block of
    all keys.
    """
    axis, size = step.only_size()
    parts = [step.computes(position) for position in range(5)]
    if len({len(ops) for ops in parts}) > 1:
        raise step.error(
            "the handles hold as many computes each",
            expected="five equal numbers",
            got=", ".join(str(len(p)) for p in parts),
        )
    made: list[list[Operation]] = [[] for _ in step.op.res]
    for ops in zip(*parts, strict=True):
        for handle, held in zip(made, _split(step, ops, axis, size), strict=True):
            handle += held
    return made


def attention_of(step: Step, ops: Sequence[ComputeOp]) -> Attention:
    """Return the attention that five computes of a step's handles form, in this order.

    Errors: ScheduleError if they form none.
    """
    attention = find_attention(ops[4])
    if attention is None or attention.members != list(ops):
        raise step.error(
            "the five computes are no attention",
            expected="scores, their maximum, exponentials, their sum, and the weighted sum",
            got=", ".join(f"@{op.label}" for op in ops),
        )
    return attention


def untiled_attention(
    step: Step, ops: Sequence[ComputeOp], axis: str, *, sums: str, hint: str
) -> tuple[Attention, list[ComputeView]]:
    """Return the attention that five computes of a step form, and views of the computes.

    ops: the five computes.  axis: the axis of the weighted sum that the step divides.  sums: the
    name of the step's sums.  hint: what to do if the computes are in different blocks, or tiled.
    Errors: ScheduleError for other computes, for another axis than that of the keys, for computes
    in different blocks or of tiles, and for sums that are neither f32 nor f64.
    """
    attention = attention_of(step, ops)
    views = [op.view() for op in ops]
    keys = attention.keys_of(4)
    if axis != keys:
        raise step.error(
            f"axis {axis} of @{views[4].name} does not run through keys", expected=keys
        )
    if len({op.parent for op in ops}) > 1 or any(view.tile for view in views):
        raise step.error("the computes are in different blocks, or already vectorized", hint=hint)
    types = {accumulator_type(views[position].outputs[0]) for position in (0, 1, 3, 4)}
    if len(types) > 1 or not types <= set(LOWEST):
        raise step.error(
            f"{sums} are f32 or f64", expected="f32 or f64", got=", ".join(map(str, types))
        )
    return attention, views


def _split(step: Step, ops: Sequence[ComputeOp], axis: str, size: int) -> Handles:
    hint = "use online_softmax before vectorize, with all five in the same loop"
    attention, views = untiled_attention(step, ops, axis, sums="running sums", hint=hint)
    extent = views[4].axes[axis]
    if isinstance(extent, int) and size >= extent:
        raise step.error("a block is smaller than all keys", expected=f"below {extent}", got=size)
    lanes = step.number("lanes", 1)
    if size % lanes:
        raise step.error("lanes divide a block", expected=f"a divisor of {size}", got=lanes)
    in_place = step.number("in_place", 0) != 0
    return _OnlineSoftmax(step, attention, views, size, lanes, in_place).apply()


@dataclass
class _QueryBuffers:
    """The buffers that an attention by blocks of keys needs, besides its scores and exponentials.

    before: per query, the maximum of the scores of all earlier blocks.
    factor: per query, the factor that rescales earlier sums to the new maximum.
    sums: per query, the sum of exponentials so far.
    out: the sums of values (V), weighted by exponentials, so far.
    """

    before: SSAValue
    factor: SSAValue
    sums: SSAValue
    out: SSAValue


def first_block(extent: Extent, size: int) -> Extent:
    """Return the number of keys in the block before the loop over blocks of ``size`` keys.

    It is the remainder of a symbolic extent, and 0 if the extent is known. If the remainder is 0 at
    run time, the block only initializes the maximum and the sums.
    """
    return extent_of(extent % size) if isinstance(extent, Dim) else 0


class _OnlineSoftmax:
    """The rewrite of an attention to blocks of keys.

    views: the five computes.  keys: the key axis of each of them.  size: the number of keys per
    block.
    lanes: a divisor of the number of exponentials that the first block computes.  in_place: whether
    a separate compute rescales the weighted sums.
    """

    def __init__(
        self,
        step: Step,
        attention: Attention,
        views: Sequence[ComputeView],
        size: int,
        lanes: int,
        in_place: bool,
    ) -> None:
        self.in_place = in_place
        self.attention, self.size, self.lanes = attention, size, lanes
        self.scores, self.largest, self.exps, self.total, self.out = self.views = list(views)
        found = [attention.keys_of(position) for position in range(5)]
        self.keys = [axis for axis in found if axis is not None]
        assert len(self.keys) == 5, "all five run through the keys"
        self.last = attention.out
        self.element = accumulator_type(self.out.outputs[0])
        self.labels = {
            part: step.fresh_label(f"{self.out.name}_{part}")
            for part in ("start", "zero", "factor", "total", "finish", "rescale")
        }
        self.rows = self._allocate()

    def apply(self) -> Handles:
        """Insert the loops and the ops around them; erase the old computes.

        Returns the ops of the step's result handles.
        """
        length = first_block(self.scores.axes[self.keys[0]], self.size)
        around = self._insert(self._start(), self._zero()) if length == 0 else []
        self._contract()
        first = [] if length == 0 else self._insert(*self._first_block(length))
        made: list[list[ComputeOp]] = []
        loops: list[ForOp] = []
        for loop, offset, length in self._loops():
            block = self._block(offset, length)
            rescale = block[6:]
            for op in [*block[:5], *rescale, block[5]]:
                append_to(loop, op)
            made.append(block)
            loops.append(loop)
        total, finish = self._insert(self._last_total(), self._last_out())
        old = [value for op in self.attention.members[:3:2] for value in op.outs]
        for op in self.attention.members:
            erase_compute(op)
        erase_unused(old)
        parts = [
            [*first[position : position + 1], *(block[number] for block in made)]
            for position, number in enumerate((0, 1, 3, 4, 5))
        ]
        factors = [block[2] for block in made]
        rescales = [[block[6] for block in made]] if self.in_place else []
        return [*parts, loops, around[:1], around[1:], factors, [total], [finish], *rescales]

    def _loops(self) -> Iterator[tuple[ForOp, Index, Extent]]:
        """Insert the loops over blocks of keys, and yield each one.

        Each is yielded with the first key of an iteration and the number of keys per block.
        """
        extent, size = self.scores.axes[self.keys[0]], self.size
        if isinstance(extent, Dim):
            whole = extent // size
            first = size_in_kernel(self.last, extent_of(extent - whole * size))
            ends = self._ends(size_in_kernel(self.last, extent_of(whole)), first)
            loop = insert_loop(self.last, [constant(0)], ends)
            yield loop, Index({loop.variable: size}) + first, size
            return
        whole, rest = divmod(extent, size)
        for low, high, length in ((0, whole, size), (whole, whole + bool(rest), rest)):
            ends = self._ends(constant(high), constant(0))
            if all(low < end.range(loop_variable_range)[1] for end in ends):
                loop = insert_loop(self.last, [constant(low)], ends)
                yield loop, Index({loop.variable: size}), length

    def _insert(self, *views: ComputeView) -> list[ComputeOp]:
        made = [ComputeOp.from_view(view) for view in views]
        for op in made:
            op.location = self.last.location
            block_of(self.last).insert_op_before(op, self.last)
        return made

    def _local(
        self, sizes: Sequence[Extent], name: str, element: Attribute | None = None
    ) -> SSAValue:
        alloc = AllocOp.make(memref_type(element or self.element, sizes))
        alloc.res.name_hint = value_hint(name)
        block_of(self.last).insert_op_before(alloc, self.last)
        return alloc.res

    def _allocate(self) -> _QueryBuffers:
        sizes, name = self.largest.outputs[0].extents, self.out.name
        return _QueryBuffers(
            self._local(sizes, f"{name}_before"),
            self._local(sizes, f"{name}_factor"),
            self._local(self.total.outputs[0].extents, f"{name}_sums"),
            self._local([self.out.axes[a] for a in self.out.parallel_axes()], f"{name}_parts"),
        )

    def _contract(self) -> None:
        """Allocate buffers for the scores and exponentials of one block of keys."""
        self.contracted: dict[SSAValue, tuple[SSAValue, int]] = {}
        for view, key in ((self.scores, self.keys[0]), (self.exps, self.keys[2])):
            output = view.outputs[0]
            assert output.value is not None, "scheduled kernels are in buffer form"
            dimension = next(d for d, e in enumerate(output.indices or ()) if e.variable() == key)
            sizes = list(output.extents)
            sizes[dimension] = self.size
            made = self._local(sizes, view.name, output.element_type)
            self.contracted[output.value] = made, dimension

    def _ends(self, high: Index, first: Index) -> list[Index]:
        """Return the upper bounds of a loop over blocks of keys; the least of them applies.

        One bound is ``high``, the number of all blocks. If a mask hides whole blocks at the end, a
        second bound is the number of blocks up to the last visible key.
        first: the first key of block 0.
        """
        end = visible_end(self.scores, self.keys[0])
        if end is None:
            return [high]
        last = end
        for key in end.variables():
            extent = self.scores.axes.get(str(key))
            if isinstance(key, str) and isinstance(extent, int):
                factor = end.coefficient(key)
                at = extent - 1 if factor > 0 else 0
                last = last.without(key) + factor * at
        if any(isinstance(k, str) for k in last.variables()):
            return [high]
        visible = last - first + self.size - 1
        seen = divide("floordiv", visible, self.size, loop_variable_range)
        is_needless = high.is_constant and seen.range(loop_variable_range)[0] >= high.const
        return [high] if is_needless else [high, seen]

    # ---- around the loop

    def _start(self) -> ComputeView:
        lowest = LOWEST[self.element]
        axes, indices = self._row_axes(self.largest)
        values = make_region([], lambda s: [s.constant(n, self.element) for n in (lowest, 0.0)])
        outputs = [Access(self.rows.before, indices), Access(self.rows.sums, list(indices))]
        return ComputeView(self.labels["start"], axes, [], [], outputs, values)

    def _zero(self) -> ComputeView:
        axes = self._out_axes()
        output = Access(self.rows.out, identity_indices(axes))
        zero = make_region([], lambda s: s.constant(0.0, self.element))
        return ComputeView(self.labels["zero"], axes, [], [], [output], zero)

    def _last_total(self) -> ComputeView:
        axes, indices = self._row_axes(self.total)
        inputs = [Access(self.rows.sums, indices), *self.total.post]
        output = replace(self.total.outputs[0], combiner=STORE, init=None)
        body = _body_of(self.total, self.element)
        return ComputeView(self.labels["total"], axes, inputs, [], [output], body)

    def _last_out(self) -> ComputeView:
        axes = self._out_axes()
        inputs = [Access(self.rows.out, identity_indices(axes)), *self.out.post]
        output = replace(self.out.outputs[0], combiner=STORE, init=None)
        body = _body_of(self.out, self.element)
        return ComputeView(self.labels["finish"], axes, inputs, [], [output], body)

    def _out_axes(self) -> dict[str, Extent]:
        return {a: self.out.axes[a] for a in self.out.parallel_axes()}

    @staticmethod
    def _row_axes(view: ComputeView) -> tuple[dict[str, Extent], list[Index]]:
        axes = {a: view.axes[a] for a in view.parallel_axes()}
        return axes, list(view.outputs[0].indices or ())

    # ---- in the loop

    def _block(self, offset: Index, length: Extent) -> list[ComputeOp]:
        """Return the computes of one block of keys.

        They compute scores, maximum, factors, exponentials, their sums, and the weighted sums.  If
        a separate compute rescales the weighted sums of the blocks before, it is the last one.
        offset: the first key of the block.  length: the number of its keys.
        """
        views = [self._narrow(position, offset, length) for position in range(5)]
        rows = self.rows
        scores, largest, exps, total, out = views
        _, indices = self._row_axes(self.largest)
        larger = make_region([self.element] * 2, lambda s, v, old: s.max(v, old))
        largest = replace(largest, post=[Access(rows.before, indices)], then=larger)
        updated = make_region([self.element] * 3, _update)
        own = replace(total.outputs[0], value=rows.sums)
        earlier = [replace(own, combiner=STORE, init=None), self._factor_in(self.total)]
        total = replace(total, outputs=[own], post=earlier, then=updated)
        places = identity_indices(self._out_axes())
        own = replace(out.outputs[0], value=rows.out, indices=places, clip=None)
        earlier = [Access(rows.out, places), self._factor_in(self.out)]
        updated = make_region([self.element] * 3, _update)
        rescales: list[ComputeView] = []
        if self.in_place:
            scaled = make_region([self.element] * 2, lambda s, value, factor: s.mul(value, factor))
            stored = replace(own, combiner=STORE, init=None)
            axes = self._out_axes()
            rescales = [ComputeView(self.labels["rescale"], axes, earlier, [], [stored], scaled)]
            out = replace(out, outputs=[replace(own, init=None)], post=[], then=Region())
        else:
            out = replace(out, outputs=[own], post=earlier, then=updated)
        views = (scores, largest, self._factors(), exps, total, out, *rescales)
        made = [ComputeOp.from_view(view) for view in views]
        for op in made:
            op.location = self.last.location
        return made

    def _first_block(self, length: Extent) -> list[ComputeView]:
        """Return the five computes of the block of keys before the loop, in program order.

        They compute scores, maximum, exponentials, their sums, and the weighted sums, and so
        initialize the running maximum and the sums.
        length: the number of keys.
        """
        rows, lowest = self.rows, LOWEST[self.element]
        scores, largest, exps, total, out = (
            self._narrow(position, constant(0), length) for position in range(5)
        )
        old = largest.outputs[0].value
        bounded = make_region(
            [self.element], lambda s, value: s.max(value, s.constant(lowest, self.element))
        )
        own = replace(largest.outputs[0], value=rows.before)
        largest = replace(largest, outputs=[own], post=[], then=bounded)
        inputs = [replace(a, value=rows.before) if a.value is old else a for a in exps.inputs]
        wide = extent_of(Dim.of(length).ceildiv(self.lanes) * self.lanes)
        exps = replace(exps, inputs=inputs, axes={**exps.axes, self.keys[2]: wide})
        own = replace(total.outputs[0], value=rows.sums)
        total = replace(total, outputs=[own], post=[], then=Region())
        places = identity_indices(self._out_axes())
        own = replace(out.outputs[0], value=rows.out, indices=places, clip=None)
        out = replace(out, outputs=[own], post=[], then=Region())
        return [scores, largest, exps, total, out]

    def _narrow(self, position: int, offset: Index, length: Extent) -> ComputeView:
        """Return one of the five computes of the attention, restricted to one block of keys.

        The regions are copies.
        position: the number of the compute in program order.  offset: the first key of the block.
        length: the number of keys.
        """
        view, key = self.views[position], self.keys[position]
        regions = {name: getattr(view, name).clone() for name in ("body", "combine", "then")}
        view = replace(view, axes={**view.axes, key: length}, **regions)
        view = view.substitute({key: offset + variable(key)})
        for access in view.accesses():
            if access.value is not None and access.value in self.contracted:
                access.value, dimension = self.contracted[access.value]
                indices = list(access.indices or ())
                indices[dimension] = indices[dimension] - offset
                access.indices = indices
        return view

    def _factors(self) -> ComputeView:
        """Return the compute of the factors by which earlier sums shrink as the maximum grows."""
        axes, indices = self._row_axes(self.largest)
        rows, new = self.rows, self.largest.outputs[0].value
        inputs = [Access(value, list(indices)) for value in (rows.before, new)]
        outputs = [Access(value, list(indices)) for value in (rows.factor, rows.before)]
        body = Block(arg_types=[self.element] * 2)
        (exponential,) = copy_unrounded(body, self.exps.body.block)
        finish_body(body, [exponential, body.args[1]])
        drop_widening(body)
        return ComputeView(self.labels["factor"], axes, inputs, [], outputs, Region(body))

    def _factor_in(self, reader: ComputeView) -> Access:
        """Return a read of the rescaling factor of the query that a point of ``reader`` has.

        reader: a compute that reads exponentials; their indices name the query.
        """
        exps = self.exps.outputs[0]
        largest = next(a for a in self.exps.inputs if a.value is self.largest.outputs[0].value)
        read = next(a for a in reader.inputs if a.value is exps.value)
        values: dict[Key, Index] = {
            own.variable(): index
            for own, index in zip(exps.indices or (), read.indices or (), strict=True)
        }
        indices = [e.substitute(values, reader.range_of) for e in largest.indices or ()]
        return Access(self.rows.factor, indices)


def _update(s: Scalars, value: SSAValue, earlier: SSAValue, factor: SSAValue) -> SSAValue:
    return s.add(s.mul(earlier, factor), value)


def _body_of(view: ComputeView, element: Attribute) -> Region:
    """Return the epilogue of a reduction (region ``then``) as the body of an elementwise compute.

    The first argument of the body is the accumulator; without an epilogue, the body returns it.
    element: the type of the accumulator.
    """
    if not view.then.blocks:
        return make_region([element], lambda _, value: value)
    return view.then.clone()
