"""sched.split_keys: divide the keys of an attention into parts, whose results are then merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....analysis.patterns.attention import Attention
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....dialects.te.build import make_region
from ....dialects.te.scalars import Scalars
from ....dialects.te.verifier import accumulator_type
from ....dialects.te.view import STORE
from ....support.affine import Index, Key, variable
from ....support.names import Names, value_hint
from ...rewrite.compose import copy_body, finish_body
from ...rewrite.narrow_floats import copy_unrounded, drop_widening
from ..buffers.local_buffers import make_buffer
from ..engine.placement import block_of, erase_compute, erase_unused
from ..engine.step import Handles, Step
from .online_softmax import LOWEST, untiled_attention


def split_keys(step: Step) -> Handles:
    """Divide the keys of an attention into parts; merge the results of all parts (flash-decoding).

        te.compute @s [m: 4, n: 96, ..] .. outs(%s[m, n] add 0.0)
        te.compute @mx .. outs(%m[m])   @e .. outs(%e[m, n])   @l .. outs(%l[m])
        te.compute @o [m: 4, n: 64, k: 96 red] .. post(%l[m]) outs(%o[m, n] add 0.0)
        %s1, %m1, %e1, %l1, %o1, %most, %merge, %finish =
            sched.split_keys %s, %mx, %e, %l, %o {k = 32}
    ==>
        @s   %s[p, m, n]   the scores of the 32 keys of part p
        @mx  %m[p, m] = max(lowest number, max_n %s[p, m, n])
        @e   %e[p, m, n] = exp(%s[p, m, n] - %m[p, m])
        @l   %l[p, m] = sum_n %e[p, m, n]
        @o   %a[p, m, n] = sum_k %e[p, m, k] * v[p * 32 + k, n]
        @o_most   %most[m] = max_p %m[p, m]
        @o_merge  %w[m, n] = sum_p %a[p, m, n] * f,  %t[m, n] = sum_p %l[p, m] * f
                  with f = exp(%m[p, m] - %most[m])
        @o_finish   %o[m, n] = (then of @o)(%w[m, n], (then of @l)(%t[m, n]))

    The parts are independent of each other, and the merge adds them in their order.  @o has %l as
    an operand that it ignores, so that a later step can move @l into a loop of @o.
    k: the number of keys per part; the option is named after the key axis of @o.  p, the axis of
    the parts, is named ``part``.
    Handles: the five computes of the parts, and the three computes that merge them.
    Before: the five computes form an attention in one block and are not tiled; maxima and sums are
    f32 or f64.  Parts divide the keys: sched.pad_attention rounds the keys up.
    Error: one rounding per part for its factor.  A query for which all keys are masked gives NaN,
    as without parts.
    Errors: ScheduleError for other computes, for an axis that is not the keys, and for a number of
    keys that is no multiple of a part.
    """
    axis, size = step.only_size()
    ops = [step.only_compute(position) for position in range(5)]
    hint = "use split_keys before compute_at and vectorize"
    attention, views = untiled_attention(step, ops, axis, sums="sums of parts", hint=hint)
    extent = views[4].axes[axis]
    if extent_of(Dim.of(extent) % size) != 0:
        raise step.error(
            f"parts of {size} do not divide the keys of @{views[4].name}",
            expected=f"a divisor of {extent}",
            hint="round the keys up by pad_attention first",
        )
    return _Parts(step, attention, views, size).apply()


@dataclass(frozen=True)
class _Buffers:
    """The results of the parts: maxima, sums of exponentials, and weighted sums of values."""

    largest: SSAValue
    total: SSAValue
    out: SSAValue


class _Parts:
    """The rewrite of an attention to parts of the keys.

    views: the five computes.  keys: the key axis of each of them.  size: the keys of a part.
    """

    def __init__(
        self, step: Step, attention: Attention, views: Sequence[ComputeView], size: int
    ) -> None:
        self.attention, self.views, self.size = attention, views, size
        self.keys = [attention.keys_of(position) or "" for position in range(5)]
        self.scores, self.largest, self.exps, self.total, self.out = views
        self.element = accumulator_type(self.out.outputs[0])
        self.count = extent_of(Dim.of(self.out.axes[self.keys[4]]) // size)
        self.part = Names([axis for view in views for axis in view.axes]).fresh("part")
        words = ("most", "merge", "finish")
        self.labels = {word: step.fresh_label(f"{self.out.name}_{word}") for word in words}

    def apply(self) -> Handles:
        """Replace the five computes by those of the parts and of the merge; return the handles."""
        buffers = _Buffers(
            self._buffer(self.largest.outputs[0].extents, self.largest.name),
            self._buffer(self.total.outputs[0].extents, self.total.name),
            self._buffer([self.out.axes[a] for a in self.out.parallel_axes()], self.out.name),
        )
        views = [*self._parts(buffers), *self._merge(buffers)]
        made = [ComputeOp.from_view(view) for view in views]
        last = self.attention.out
        for op in made:
            op.location = last.location
            block_of(last).insert_op_before(op, last)
        old = [value for op in self.attention.members[:4] for value in op.outs]
        for op in reversed(self.attention.members):
            erase_compute(op)
        erase_unused(old)
        handles: list[list[Operation]] = [[op] for op in made]
        return handles

    def _buffer(
        self, sizes: Sequence[Extent], name: str, element: Attribute | None = None
    ) -> SSAValue:
        """Allocate a buffer that has the parts as its first dimension."""
        return self._local([self.count, *sizes], f"{name}_parts", element)

    def _local(
        self, sizes: Sequence[Extent], name: str, element: Attribute | None = None
    ) -> SSAValue:
        alloc = make_buffer(element or self.element, sizes)
        alloc.res.name_hint = value_hint(name)
        first = self.attention.scores
        block_of(first).insert_op_before(alloc, first)
        return alloc.res

    # ---- the parts

    def _parts(self, buffers: _Buffers) -> list[ComputeView]:
        """Return the five computes of the parts, which store unnormalized results."""
        made: dict[SSAValue, tuple[SSAValue, int | None]] = {}
        for view, key in ((self.scores, self.keys[0]), (self.exps, self.keys[2])):
            output = view.outputs[0]
            assert output.value is not None, "scheduled kernels are in buffer form"
            at = next(d for d, e in enumerate(output.indices or ()) if e.variable() == key)
            sizes = list(output.extents)
            sizes[at] = self.size
            made[output.value] = self._buffer(sizes, view.name, output.element_type), at
        largest = self.largest.outputs[0].value
        assert largest is not None, "scheduled kernels are in buffer form"
        made[largest] = buffers.largest, None
        scores, largest_view, exps, total, out = (
            self._narrow(position, made) for position in range(5)
        )
        lowest = LOWEST[self.element]
        bounded = make_region(
            [self.element], lambda s, value: s.max(value, s.constant(lowest, self.element))
        )
        largest_view = replace(largest_view, post=[], then=bounded)
        part = variable(self.part)
        own = total.outputs[0]
        own = replace(own, value=buffers.total, indices=[part, *(own.indices or ())])
        total = replace(total, outputs=[own], post=[], then=Region())
        places = [part, *identity_indices(self.out.parallel_axes())]
        own = replace(out.outputs[0], value=buffers.out, indices=places, clip=None)
        post = [a for a in out.post if a.value is self.total.outputs[0].value]
        post = [replace(a, value=buffers.total, indices=[part, *(a.indices or ())]) for a in post]
        unscaled = make_region([self.element] * (1 + len(post)), lambda _, value, *_sums: value)
        out = replace(out, outputs=[own], post=post, then=unscaled)
        return [scores, largest_view, exps, total, out]

    def _narrow(
        self, position: int, made: dict[SSAValue, tuple[SSAValue, int | None]]
    ) -> ComputeView:
        """Return one of the five computes with an axis of parts, each of some keys.

        position: the number of the compute in program order.
        made: the new buffer of each old one, and the dimension of the old one that the keys index.
        """
        view, key = self.views[position], self.keys[position]
        regions = {name: getattr(view, name).clone() for name in ("body", "combine", "then")}
        axes: dict[str, Extent] = {self.part: self.count, **view.axes, key: self.size}
        part, begin = variable(self.part), Index({self.part: self.size})
        view = replace(view, axes=axes, **regions).substitute({key: begin + variable(key)})
        for access in view.accesses():
            if access.value is not None and access.value in made:
                access.value, at = made[access.value]
                indices = list(access.indices or ())
                if at is not None:
                    indices[at] = indices[at] - begin
                access.indices = [part, *indices]
        return view

    # ---- the merge

    def _merge(self, buffers: _Buffers) -> list[ComputeView]:
        """Return the computes of the maximum of all parts, of the sums, and of the results."""
        rows = {a: self.largest.axes[a] for a in self.largest.parallel_axes()}
        output = self.largest.outputs[0]
        most = self._local(output.extents, self.labels["most"])
        places = list(output.indices or ())
        inputs = [Access(buffers.largest, [variable(self.part), *places])]
        own = replace(output, value=most, indices=places)
        identity = make_region([self.element], lambda _, value: value)
        axes: dict[str, Extent] = {**rows, self.part: self.count}
        largest = ComputeView(self.labels["most"], axes, inputs, [], [own], identity)
        (read,) = (a for a in self.out.post if a.value is self.total.outputs[0].value)
        sums = self._sums(buffers, most, list(read.indices or ()))
        return [largest, sums, self._results(sums, read)]

    def _sums(self, buffers: _Buffers, most: SSAValue, query: Sequence[Index]) -> ComputeView:
        """Return the compute of the weighted sums and the sums of exponentials of all parts.

        most: the buffer of the maxima of all parts.  query: the indices of the total in terms of
        the axes of the weighted sums.
        """
        part, row = variable(self.part), self._row()
        columns = {a: self.out.axes[a] for a in self.out.parallel_axes()}
        inputs = [
            Access(buffers.out, [part, *identity_indices(columns)]),
            Access(buffers.total, [part, *query]),
            Access(buffers.largest, [part, *row]),
            Access(most, row),
        ]
        body = make_region([self.element] * 4, self._rescaled)
        name, sizes = self.labels["merge"], list(columns.values())
        outputs = [
            Access(
                self._local(sizes, f"{name}_{word}"),
                identity_indices(columns),
                combiner=view.outputs[0].combiner,
                init=view.outputs[0].init,
            )
            for word, view in (("sums", self.out), ("total", self.total))
        ]
        axes: dict[str, Extent] = {**columns, self.part: self.count}
        return ComputeView(name, axes, inputs, [], outputs, body)

    def _results(self, sums: ComputeView, read: Access) -> ComputeView:
        """Return the compute of the results.

        sums: the compute of the sums of all parts.  read: the read of the total by the weighted
        sums.
        """
        others = [a for a in self.out.post if a is not read]
        inputs = [replace(out, combiner=STORE, init=None) for out in sums.outputs]
        inputs += [*others, *self._moved(read)]
        block = Block(arg_types=[access.argument_type for access in inputs])
        weighted, total, *posts = block.args
        (scale,) = _copied(self.total.then, block, [total, *posts[len(others) :]])
        left = dict(zip(map(id, others), posts, strict=False))
        values = [scale if a is read else left[id(a)] for a in self.out.post]
        finish_body(block, _copied(self.out.then, block, [weighted, *values]))
        own = replace(self.out.outputs[0], combiner=STORE, init=None)
        axes = {a: self.out.axes[a] for a in self.out.parallel_axes()}
        return ComputeView(self.labels["finish"], axes, inputs, [], [own], Region(block))

    def _rescaled(
        self, s: Scalars, weighted: SSAValue, total: SSAValue, largest: SSAValue, most: SSAValue
    ) -> list[SSAValue]:
        """Multiply both sums of a part by the factor of its maximum."""
        inner = Block(arg_types=[self.element] * 2)
        finish_body(inner, copy_unrounded(inner, self.exps.body.block))
        drop_widening(inner)
        (factor,) = copy_body(s.block, inner, [largest, most])
        return [s.mul(weighted, factor), s.mul(total, factor)]

    def _row(self) -> list[Index]:
        """Return the indices of the maxima in terms of the axes of the weighted sums."""
        exps = self.exps.outputs[0]
        largest = next(a for a in self.exps.inputs if a.value is self.largest.outputs[0].value)
        read = next(a for a in self.out.inputs if a.value is exps.value)
        values: dict[Key, Index] = {
            own.variable(): index
            for own, index in zip(exps.indices or (), read.indices or (), strict=True)
        }
        return [e.substitute(values, self.out.range_of) for e in largest.indices or ()]

    def _moved(self, read: Access) -> list[Access]:
        """Return the operands of the total's epilogue in terms of the axes of the weighted sums.

        read: the read of the total by the weighted sums.
        """
        values: dict[Key, Index] = {
            own.variable(): index
            for own, index in zip(
                self.total.outputs[0].indices or (), read.indices or (), strict=True
            )
        }
        return [
            access
            if access.indices is None
            else replace(
                access,
                indices=[e.substitute(values, self.out.range_of) for e in access.indices],
            )
            for access in self.total.post
        ]


def _copied(region: Region, block: Block, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Append a region ``then`` to a block; an absent region returns the sums."""
    return copy_body(block, region.block, values) if region.blocks else list(values[:1])
