"""Recognition of attention: two matrix products around a softmax, whose scores need not be stored.

    s = sum_d k[j, d] * q[i, d]      m = max_j s      e = exp(s - m)      l = 1 / sum_j e
    o[i, n] = (sum_j e[i, j] * v[j, n]) * l[i]

In: a candidate for the compute ``o``, in value or buffer form.  Out: the five computes, and the
axes that they share.  te-outline puts them into one kernel, which the plans schedule as a unit.

Queries, keys and values may all be f16 or bf16: the products then convert them to f32.  The softmax
is computed in f32; scores and exponentials may be stored in 16 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.blocks import returned
from .bodies import before_rounding, before_widening, is_narrow
from .contraction import sums_products
from .sharing import Sharing, results_of, share_axes


@dataclass(frozen=True)
class Attention:
    """The five computes of an attention, in order, and the axes that they share.

    scores: the products of queries and keys.  largest: the maximum of the scores over keys.  exps:
    the exponentials of scores minus maximum.  total: the sum of the exponentials over keys, or its
    reciprocal.  out: the sum of the values (V), weighted by the exponentials.
    sharing: for each compute, the axes that all five share.  query: the axis of ``out`` that runs
    over queries, which indexes the scores but not the values; None for a single query.
    """

    scores: ComputeOp
    largest: ComputeOp
    exps: ComputeOp
    total: ComputeOp
    out: ComputeOp
    sharing: Sharing
    query: str | None

    @property
    def members(self) -> list[ComputeOp]:
        """The five computes in order: scores, maximum, exponentials, sum, weighted sum."""
        return [self.scores, self.largest, self.exps, self.total, self.out]

    def keys_of(self, position: int) -> str | None:
        """Return the axis of one of the five computes that runs over keys; None for one key.

        position: the number of the compute in ``members``.
        """
        view = self.members[position].view()
        shared = set(self.sharing.axis_of[position].values())
        axes = view.reduced_axes() if position in (1, 3, 4) else view.parallel_axes()
        found = [a for a in axes if view.axes[a] != 1 and a not in shared]
        return found[0] if len(found) == 1 else None


def find_attention(out: ComputeOp) -> Attention | None:
    """Return the attention whose last compute is ``out``; None if there is none."""
    view = out.view()
    if not is_weighted_sum(view, widens=True) or len(view.post) < 1:
        return None
    for weights, values in (view.inputs, view.inputs[::-1]):
        exps = producer_of(weights)
        if exps is None or not is_exponential(exps.view(), widens=True):
            continue
        found = _with_exponential(exps, out)
        if found is not None and _has_one_width(found[0], values):
            scores, largest, total = found
            return _sharing(scores, largest, exps, total, out, values)
    return None


def _has_one_width(scores: ComputeOp, values: Access) -> bool:
    """Return whether queries, keys and values are all 16-bit floats, or all f32 with f32 scores."""
    view = scores.view()
    widths = {is_narrow(access.element_type) for access in (*view.inputs, values)}
    return len(widths) == 1 and (True in widths or not is_narrow(view.outputs[0].element_type))


def _with_exponential(
    exps: ComputeOp, out: ComputeOp
) -> tuple[ComputeOp, ComputeOp, ComputeOp] | None:
    """Return the scores, their maximum and the sum of exponentials of an attention.

    exps: the compute of the exponentials.  out: the last compute.  Return None if the computes have
    another form, or if an op outside of the attention reads one of their results.
    """
    producers = [producer_of(a) for a in exps.view().inputs]
    if len(producers) != 2 or None in producers:
        return None
    scores, largest = (p for p in producers if p is not None)
    others = readers_of(exps) - {out}
    if len(others) != 1 or out not in readers_of(exps):
        return None
    (total,) = others
    if not (isinstance(total, ComputeOp) and folds(total, exps, ("add",), widens=True)):
        return None
    if not folds(largest, scores, ("max", "maxnum"), widens=True):
        return None
    if not is_weighted_sum(scores.view(), widens=True) or readers_of(scores) != {largest, exps}:
        return None
    sole = readers_of(largest) == {exps} and readers_of(total) == {out}
    return (scores, largest, total) if sole else None


def _sharing(
    scores: ComputeOp,
    largest: ComputeOp,
    exps: ComputeOp,
    total: ComputeOp,
    out: ComputeOp,
    values: Access,
) -> Attention | None:
    members = [scores, largest, exps, total, out]
    sharing = share_axes(members)
    # At each point of the shared axes, the intermediates are at most one row of scores.
    for op, axes, most in zip(members, sharing.axis_of, (1, 0, 1, 0), strict=False):
        view = op.view()
        own = set(axes.values())
        free = [a for a in view.parallel_axes() if view.axes[a] != 1 and a not in own]
        if len(free) > most:
            return None
    if not _has_static_features(scores.view(), out.view(), sharing.root_axes):
        return None
    used = values.axes()
    rows = [a for a in sharing.root_axes if a not in used]
    query = rows[-1] if rows else None
    return Attention(scores, largest, exps, total, out, sharing, query)


def _has_static_features(scores: ComputeView, out: ComputeView, shared: Sequence[str]) -> bool:
    """Return whether the head sizes (features) of queries, keys and values are static.

    Register tiles need static extents: otherwise, products and softmax are separate kernels.

    scores, out: the first and the last compute of the attention. shared: the axes of ``out`` that
    all computes share.
    """
    columns = {*out.parallel_axes()} - {*shared}
    features = [scores.axes[a] for a in scores.reduced_axes()] + [out.axes[a] for a in columns]
    return all(isinstance(extent, int) for extent in features)


def producer_of(access: Access) -> ComputeOp | None:
    """Return the compute that writes the value that an access reads, if a single compute does.

    Return None for several producers, for none, and for a padded read.
    """
    value = access.value
    if value is None or access.pad is not None or access.indices is None:
        return None
    if isinstance(value.owner, ComputeOp):
        return value.owner
    writers = [op for op in _users(value) if isinstance(op, ComputeOp) and value in op.outs]
    return writers[0] if len(writers) == 1 else None


def readers_of(op: ComputeOp) -> set[Operation]:
    """Return the ops, other than the compute itself, that use the results of a compute."""
    return {user for value in results_of(op) for user in _users(value) if user is not op}


def _users(value: SSAValue) -> list[Operation]:
    """Return the ops that use a value, except detached ops."""
    return [use.operation for use in value.uses if use.operation.parent is not None]


def is_weighted_sum(view: ComputeView, *, widens: bool = False) -> bool:
    """Return whether a compute sums the products of two reads over more than one point.

    widens: whether the factors may have 16 bits, which the body converts to f32.
    """
    summed = any(view.axes[a] != 1 for a in view.reduced_axes())
    return summed and sums_products(view, widens=widens)


def is_exponential(view: ComputeView, *, widens: bool = False) -> bool:
    """Return whether a compute is ``exp(x - y)``, or ``exp2(x - y)``, at every point.

    widens: whether x and the result may have 16 bits.
    """
    if len(view.outputs) != 1 or view.outputs[0].reduces or view.scan or view.reduced_axes():
        return False
    (value,) = returned(view.body.block)
    exp = (before_rounding(value) if widens else value).owner
    if not isinstance(exp, math.ExpOp | math.Exp2Op) or len(view.inputs) != 2:
        return False
    difference = exp.operands[0].owner
    if not isinstance(difference, arith.SubfOp):
        return False
    x, y = difference.operands
    return [before_widening(x) if widens else x, y] == list(view.body.block.args)


def folds(
    op: ComputeOp, source: ComputeOp, combiners: tuple[str, ...], *, widens: bool = False
) -> bool:
    """Return whether a compute only reduces the result of ``source``, by one of some combiners.

    The body yields the element that it reads, which it may convert from 16 bits to f32 if
    ``widens``.
    combiners: the allowed combiners, such as ``max``.
    """
    view = op.view()
    if len(view.outputs) != 1 or len(view.inputs) != 1 or view.scan:
        return False
    (value,) = returned(view.body.block)
    return (
        view.outputs[0].combiner in combiners
        and (before_widening(value) if widens else value) is view.body.block.args[0]
        and producer_of(view.inputs[0]) is source
    )
