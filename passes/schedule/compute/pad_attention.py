"""sched.pad_attention: pad the queries and keys of an attention so that tiles divide them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ....analysis.patterns.attention import Attention
from ....analysis.patterns.attention_mask import visible_end
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import Access, ComputeView
from ....dialects.te.scalars import Scalars
from ....dialects.te.verifier import accumulator_type
from ....support.affine import INFINITY, variable
from ...rewrite.compose import copy_body, finish_body
from ..buffers.clip_stores import clipped
from ..buffers.local_buffers import make_buffer
from ..buffers.pad_einsum import padded_copy, read_zeros
from ..engine.placement import block_of, erase_unused, size_in_kernel
from ..engine.step import Handles, Step
from .online_softmax import attention_of

_SCORES, _OUT = 0, 4


def pad_attention(step: Step) -> Handles:
    """Round the queries and keys of an attention up; read operands through zero-padded copies.

        te.compute @s [m: 50, n: 70, ..] ins(%Q[m, d], %K[n, d]) outs(%s[m, n] add 0.0)
        te.compute @mx .. outs(%m[m])   @e .. outs(%e[m, n])   @l .. outs(%l[m])
        te.compute @o [m: 50, n: 64, k: 70 red] ins(%e[m, k], %V[k, n]) .. outs(%O[m, n] add 0.0)
        %s1, %m1, %e1, %l1, %o1 = sched.pad_attention %s, %mx, %e, %l, %o {m = 32, k = 32}
    ==>
        te.compute @s_in0 [c0: 64, c1: 64] ins(%Q[c0, c1] pad 0.0)   @s_in1, @o_in1 likewise
        te.compute @s [m: 64, n: 96, ..] post(index[n - 70]) .. then { n < 70 ? score : -inf }
        te.compute @mx .. @e .. @l ..
        te.compute @o [m: 64, n: 64, k: 96 red] .. outs(%O[m, n] clip [0 to 50, 0 to 64] add 0.0)

    The axes are named as in the weighted sum @o. The exponential of a padded key is 0, and the
    result of a padded query is not stored.  Where a mask hides the padded keys from all queries
    that are stored, the scores need no comparison.  A symbolic extent is rounded up, too.
    Before: the five computes form an attention in one block, and are not tiled.  The dimension of
    the values (V) that the keys index has exactly as many elements as there are keys.
    Exact: padded keys add zeros to sums.
    Errors: ScheduleError for other computes and axes.
    """
    multiples = step.sizes()
    ops = [step.only_compute(position) for position in range(5)]
    attention = attention_of(step, ops)
    views = [op.view() for op in ops]
    if len({op.parent for op in ops}) > 1 or any(view.tile for view in views):
        raise step.error(
            "the computes are in different blocks, or already vectorized",
            hint="use pad_attention before compute_at and vectorize",
        )
    longer = _longer(step, attention, views, multiples)
    if any(longer):
        _Padding(step, attention, views, longer).apply()
    return [[op] for op in ops]


def _longer(
    step: Step, attention: Attention, views: Sequence[ComputeView], multiples: Mapping[str, int]
) -> list[dict[str, Extent]]:
    """Return for each of the five computes the new extents of its axes that become longer.

    views: the five computes.
    multiples: for each axis to pad, the number to whose multiple its extent is rounded up. The axes
    are those of the weighted sums, the last compute.
    Errors: ScheduleError for an axis that runs over neither queries nor keys.
    """
    keys, shared = attention.keys_of(_OUT), attention.sharing
    legal = [*shared.root_axes, *([] if keys is None else [keys])]
    longer: list[dict[str, Extent]] = [{} for _ in views]
    for axis, multiple in multiples.items():
        if axis not in legal:
            raise step.error(
                f"axis {axis} of @{views[_OUT].name} runs through neither queries nor keys",
                expected=f"one of {', '.join(legal) or 'none'}",
            )
        size = extent_of(Dim.of(views[_OUT].axes[axis]).ceildiv(multiple) * multiple)
        if size == views[_OUT].axes[axis]:
            continue
        for position, found in enumerate(longer):
            own = attention.keys_of(position) if axis == keys else shared.axis_of[position][axis]
            assert own is not None, "all five run through the keys"
            found[own] = size
    return longer


class _Padding:
    """The rewrite that pads the queries and keys of an attention.

    views: the five computes.  longer: the new extents by axis, for each of them.
    """

    def __init__(
        self,
        step: Step,
        attention: Attention,
        views: Sequence[ComputeView],
        longer: Sequence[Mapping[str, Extent]],
    ) -> None:
        self.step, self.attention, self.views, self.longer = step, attention, views, longer
        self.wide = [
            replace(view, axes={**view.axes, **found})
            for view, found in zip(views, longer, strict=True)
        ]

    def apply(self) -> None:
        """Replace the five computes by padded ones; insert the copies of their operands."""
        key = self.attention.keys_of(_SCORES)
        if key in self.longer[_SCORES]:
            self._check_values()
        old = self._widen_buffers()
        copies = [op for n in range(2) for op in self._copy(_SCORES, n)]
        copies += [op for n in range(2) for op in self._copy(_OUT, n)]
        self._clip()
        for position in (_SCORES, _OUT):
            self._read_zeros(position)
        if key is not None and key in self.longer[_SCORES] and not self._is_hidden(key):
            self.wide[_SCORES] = self._hide(key)
        first = self.attention.scores
        for copy in copies:
            copy.location = first.location
        block_of(first).insert_ops_before(copies, first)
        for op, view in zip(self.attention.members, self.wide, strict=True):
            op.become(view)
        erase_unused(old)

    def _check_values(self) -> None:
        keys, out = self.attention.keys_of(_OUT), self.views[_OUT]
        values = next(a for a in out.inputs if a.value not in self.attention.exps.outs)
        sizes = zip(values.indices or (), values.extents, strict=True)
        if not any(e.variable() == keys and n == out.axes[keys or ""] for e, n in sizes):
            raise self.step.error(
                f"@{out.name} reads values beyond its keys",
                expected=f"a dimension of its second operand that ends with axis {keys}",
            )

    def _widen_buffers(self) -> list[SSAValue]:
        """Allocate larger buffers for the intermediate results; return the old buffers."""
        made: dict[SSAValue, SSAValue] = {}
        for view in self.wide[:_OUT]:
            (output,) = view.outputs
            old = output.value
            assert old is not None, "scheduled kernels are in buffer form"
            named = [
                (e.variable(), n) for e, n in zip(output.indices or (), output.extents, strict=True)
            ]
            shape = [view.axes[axis] if isinstance(axis, str) else n for axis, n in named]
            alloc = make_buffer(output.element_type, shape)
            alloc.res.name_hint = old.name_hint
            block_of(self.attention.scores).insert_op_before(alloc, self.attention.scores)
            made[old] = alloc.res
        for view in self.wide:
            for access in view.accesses():
                access.value = made.get(access.value, access.value) if access.value else None
        return list(made)

    def _copy(self, position: int, operand: int) -> list[Operation]:
        view, wide = self.views[position], self.wide[position]
        intermediates = {view.outputs[0].value for view in self.wide[:_OUT]}
        if wide.inputs[operand].value in intermediates:
            return []
        return padded_copy(self.step, view, wide, operand)

    def _read_zeros(self, position: int) -> None:
        """Let the epilogue of a compute read zeros beyond the end of its operands."""
        wide, made = self.wide[position], {view.outputs[0].value for view in self.wide[:_OUT]}
        wide.post = [
            a if a.value in made else read_zeros(a, self.longer[position]) for a in wide.post
        ]

    def _clip(self) -> None:
        longer, axes = self.longer[_OUT], self.views[_OUT].axes
        wide = self.wide[_OUT]
        wide.outputs = [clipped(self.step, out, axes, longer) for out in wide.outputs]

    def _is_hidden(self, key: str) -> bool:
        """Return whether a mask hides the padded keys from all queries that are stored."""
        view = self.views[_SCORES]
        end, extent = visible_end(view, key), view.axes[key]
        if end is None or not isinstance(extent, int):
            return False
        return end.range(view.range_of)[1] <= min(extent, INFINITY // 2)

    def _hide(self, key: str) -> ComputeView:
        """Return the compute of the scores, with -inf for padded keys."""
        view, wide = self.views[_SCORES], self.wide[_SCORES]
        end = size_in_kernel(self.attention.scores, view.axes[key])
        place = Access(None, [variable(key) - end])
        element = view.outputs[0].element_type
        summed = accumulator_type(view.outputs[0])
        types = [summed, *(a.argument_type for a in wide.post), IndexType()]
        then = Block(arg_types=types)
        values = [then.args[0]]
        if wide.then.blocks:
            values = copy_body(then, wide.then.block, then.args[:-1])
        s = Scalars(then)
        is_key = s.compare("lt", then.args[-1], s.constant(0, IndexType()))
        shown = s.select(is_key, values[0], s.constant(-inf, element))
        finish_body(then, [shown])
        return replace(wide, post=[*wide.post, place], then=Region(then))
