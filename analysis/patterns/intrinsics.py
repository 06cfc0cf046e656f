"""Matching of a te.compute against the definition of an intrinsic.

In: the view of the definition, and the view of a compute.  Out: a match, or the first difference.
Bodies are compared as expressions: operands of commutative ops may be swapped, and inputs may be in
another order.  Accesses are compared by their strides in memory: the elements of an instruction's
vector are contiguous, or they are a few elements that all lanes share.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ...dialects.te import Access, ComputeView
from ...dialects.te.verifier import accumulator_type
from ...support.blocks import returned
from ..strides import axis_stride, lane_stride

_COMMUTATIVE = (
    arith.AddiOp, arith.MuliOp, arith.AddfOp, arith.MulfOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp,
    arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.MaximumfOp, arith.MinimumfOp,
)  # fmt: skip

Inputs: TypeAlias = dict[int, int]
"""For each input number of an intrinsic's definition, the number of the matching compute input."""


@dataclass(frozen=True)
class PatternMismatch:
    """The first difference between the definition of an intrinsic and a compute.

    rule: the violated condition, as a sentence.  expected, got: what it requires, and what was
    found.
    """

    rule: str
    expected: object
    got: object


@dataclass(frozen=True)
class Misplaced:
    """An input whose layout in memory does not suit an instruction.

    number: the input number of the compute.  expected, got: the required and the actual stride in
    elements, by axis of the compute; None if it is not constant.  layout: a blocked layout of the
    operand that suits the instruction; None if there is none.
    """

    number: int
    expected: Mapping[str, int]
    got: Mapping[str, int | None]
    layout: AffineMapAttr | None


@dataclass(frozen=True)
class Match:
    """The mapping of an intrinsic's definition to a compute.

    inputs: for each input number of the definition, the input number of the compute.  axes: for
    each axis of the definition, the axis of the compute.  misplaced: inputs that must get another
    layout before the compute can use the intrinsic; empty if the layouts suit it.
    """

    inputs: Inputs
    axes: Mapping[str, str]
    misplaced: tuple[Misplaced, ...] = ()


def match_intrinsic(
    definition: ComputeView, view: ComputeView, lane_axis: str | None = None
) -> Match | PatternMismatch:
    """Match a definition to a compute in buffer form; return a match or the first difference.

    A reduction axis of the compute may be longer than in the definition, by a whole factor.  Of
    several matches, return one with the fewest misplaced inputs.

    lane_axis: the axis of the compute along which the lanes must run; None for any axis.
    """
    found = match_bodies(definition, view)
    if isinstance(found, PatternMismatch):
        return found
    choices = list(_axis_choices(definition, view, lane_axis))
    if not choices:
        return _no_axes(definition, view, lane_axis)
    matches = [
        Match(inputs, axes, _misplaced(definition, view, inputs, axes))
        for axes in choices
        for inputs in bindings(definition, view)
        if inputs == found or not _varies(definition, view, inputs, axes)
    ]
    return min(
        matches,
        key=lambda m: (_varies(definition, view, m.inputs, m.axes), len(m.misplaced)),
    )


def match_bodies(definition: ComputeView, view: ComputeView) -> Inputs | PatternMismatch:
    """Match the body of a definition to the body of a compute.

    Return, for each input number of the definition, the number of the matching input of the
    compute; or the first difference.
    """
    output = definition.outputs[0]
    if len(view.outputs) != 1:
        return PatternMismatch("the compute has one output", 1, len(view.outputs))
    (own,) = view.outputs
    if own.combiner != output.combiner:
        return PatternMismatch("outputs are combined alike", output.combiner, own.combiner)
    if accumulator_type(own) != accumulator_type(output):
        expected, got = accumulator_type(output), accumulator_type(own)
        return PatternMismatch("accumulators have one type", expected, got)
    if view.scan is not None:
        return PatternMismatch("the compute scans no axis", "none", view.scan)
    if len(view.inputs) != len(definition.inputs):
        expected, got = len(definition.inputs), len(view.inputs)
        return PatternMismatch("bodies take as many inputs", expected, got)
    for number, access in enumerate(view.inputs):
        if access.is_index or access.indices is None or access.pad is not None:
            return PatternMismatch(f"input {number} is read plainly", "an element", _kind(access))
    bound = _same(returned(definition.body.block)[0], returned(view.body.block)[0], {})
    if isinstance(bound, PatternMismatch):
        return bound
    return {d.index: v.index for d, v in bound.items()}


def bindings(definition: ComputeView, view: ComputeView) -> Iterator[Inputs]:
    """Yield all ways to map the inputs of a definition to inputs of a compute with the same body.

    There are several if the body is symmetric, as x * y is. Each maps an input number of the
    definition to an input number of the compute.
    """
    found = match_bodies(definition, view)
    if isinstance(found, PatternMismatch):
        return
    yield found
    first = definition.body.block.args[0]
    for argument in view.body.block.args:
        bound = _same(
            returned(definition.body.block)[0], returned(view.body.block)[0], {first: argument}
        )
        if argument.index != found.get(0) and not isinstance(bound, PatternMismatch):
            yield {d.index: v.index for d, v in bound.items()}


def _varies(
    definition: ComputeView, view: ComputeView, inputs: Inputs, axes: Mapping[str, str]
) -> bool:
    """Return whether lanes read different elements of an input that the definition's lanes share.

    inputs, axes: the mapping of the definition's inputs and axes to those of the compute.
    """
    (lane,) = definition.parallel_axes()
    return any(
        lane not in access.axes() and axes[lane] in view.inputs[inputs[number]].axes()
        for number, access in enumerate(definition.inputs)
    )


def match_sums(definition: ComputeView, view: ComputeView) -> Inputs | PatternMismatch:
    """Match a definition to a compute that only stores its sums.

    The compute must have no epilogue (``then``) and no clip, and static extents. The result is that
    of `match_bodies`: for each input number of the definition, the matching input number of the
    compute; or the first difference.
    """
    inputs, own = match_bodies(definition, view), view.outputs[0]
    if isinstance(inputs, PatternMismatch):
        return inputs
    if view.then.blocks or view.post or own.clip is not None:
        return PatternMismatch(
            "the leaf stores its sums", "nothing behind the sums", "then, or clip"
        )
    if any(not isinstance(n, int) for n in view.axes.values()):
        return PatternMismatch("the leaf has integers as extents", "integers", dict(view.axes))
    return inputs


def users_of(view: ComputeView, axis: str, inputs: Inputs) -> frozenset[int]:
    """Return which operands of an intrinsic an axis of the compute indexes.

    The result contains numbers of the definition's inputs, and -1 for the output.
    axis: an axis of the compute.  inputs: for each input number of the definition, the number of
    the matching input of the compute.
    """
    used = {n for n, own in inputs.items() if axis in view.inputs[own].axes()}
    return frozenset(used | ({-1} if axis in view.outputs[0].axes() else set()))


def _kind(access: Access) -> str:
    if access.is_index:
        return "a position"
    return "the whole operand" if access.indices is None else "an element with a pad value"


_Bound: TypeAlias = "dict[BlockArgument, BlockArgument]"


def _same(d: SSAValue, v: SSAValue, bound: _Bound) -> _Bound | PatternMismatch:
    """Match two expressions; extend the mapping of arguments, or return the first difference.

    d: the value in the definition.  v: the value in the compute.  bound: the compute's argument for
    each argument of the definition that is mapped so far.
    """
    if isinstance(d, BlockArgument):
        return _same_argument(d, v, bound)
    expected, got = cast(Operation, d.owner), v.owner
    if not isinstance(got, Operation) or type(got) is not type(expected) or d.type != v.type:
        name = got.name if isinstance(got, Operation) else "an input"
        return PatternMismatch("bodies are the same", _text(expected.name, d), _text(name, v))
    if got.properties != expected.properties:
        return PatternMismatch("bodies are the same", str(expected), str(got))
    orders = [list(got.operands)]
    if isinstance(got, _COMMUTATIVE):
        orders.append(orders[0][::-1])
    results = [_same_all(expected.operands, order, bound) for order in orders]
    return next((r for r in results if not isinstance(r, PatternMismatch)), results[0])


def _same_argument(d: BlockArgument, v: SSAValue, bound: _Bound) -> _Bound | PatternMismatch:
    if not isinstance(v, BlockArgument):
        name = cast(Operation, v.owner).name
        return PatternMismatch("bodies are the same", _text("an input", d), _text(name, v))
    if d.type != v.type:
        return PatternMismatch("inputs have the same element types", d.type, v.type)
    if bound.get(d, v) is not v or (d not in bound and v in bound.values()):
        return PatternMismatch(
            "bodies use their inputs alike", f"input {d.index}", f"input {v.index}"
        )
    return {**bound, d: v}


def _same_all(
    expected: Sequence[SSAValue], got: Sequence[SSAValue], bound: _Bound
) -> _Bound | PatternMismatch:
    for d, v in zip(expected, got, strict=True):
        result = _same(d, v, bound)
        if isinstance(result, PatternMismatch):
            return result
        bound = result
    return bound


def _text(what: str, value: SSAValue) -> str:
    return f"{what} : {value.type}"


def _axis_choices(
    definition: ComputeView, view: ComputeView, lane_axis: str | None
) -> Iterator[dict[str, str]]:
    """Yield the possible mappings from axes of a definition to axes of a compute.

    Mappings with contiguous stores come first.

    lane_axis: the axis of the compute along which the lanes must run; None for any axis.
    """
    (lane,) = definition.parallel_axes()
    reduced = definition.reduced_axes()
    output = view.outputs[0]
    parallel = view.parallel_axes()
    # A chosen axis may have a single element, as the last panel of 49 columns has.
    lanes = [a for a in parallel if (view.axes[a] != 1 if lane_axis is None else a == lane_axis)]
    lanes.sort(key=lambda a: axis_stride(output, a) != 1)
    for own in lanes:
        for order in permutations(view.reduced_axes(), len(reduced)):
            pairs = list(zip(reduced, order, strict=True))
            if all(view.extents[a] % definition.extents[r] == 0 for r, a in pairs):
                yield {lane: own, **dict(pairs)}


def _no_axes(definition: ComputeView, view: ComputeView, lane_axis: str | None) -> PatternMismatch:
    def shown(view: ComputeView, axes: Sequence[str]) -> str:
        return ", ".join(f"{a}: {view.extents[a]}" for a in axes) or "none"

    parallel, reduced = view.parallel_axes(), view.reduced_axes()
    if lane_axis is not None and lane_axis not in parallel:
        return PatternMismatch(
            f"{lane_axis} is an axis of the output", f"one of {', '.join(parallel)}", lane_axis
        )
    if not any(view.axes[a] != 1 for a in parallel):
        return PatternMismatch(
            "an axis runs along the lanes", "one of the output", shown(view, parallel)
        )
    return PatternMismatch(
        "reduced axes are multiples of the definition's",
        shown(definition, definition.reduced_axes()),
        shown(view, reduced),
    )


def split_reduced(
    definition: ComputeView, view: ComputeView, axes: Mapping[str, str]
) -> tuple[ComputeView, dict[str, str]]:
    """Split reduction axes of a compute, so that the inner parts have the definition's lengths.

    axes: for each axis of the definition, the matched axis of the compute.
    Return the view of the compute after the splits, and a copy of ``axes`` in which the inner part
    replaces each axis that was split.
    """
    matched = dict(axes)
    for name in definition.reduced_axes():
        axis, size = axes[name], definition.extents[name]
        if view.extents[axis] != size:
            outer, inner = steps_axis(view.extents, axis), _free(view.extents, axis + "i")
            view, matched[name] = view.split(axis, size, outer, inner), inner
    return view, matched


def steps_axis(taken: Container[str], axis: str) -> str:
    """Return an unused name for the outer part of an axis that `split_reduced` splits.

    taken: the names in use.
    """
    return _free(taken, axis + "o")


def _free(taken: Container[str], name: str) -> str:
    while name in taken:
        name += "_"
    return name


def _misplaced(
    definition: ComputeView, view: ComputeView, inputs: Inputs, axes: Mapping[str, str]
) -> tuple[Misplaced, ...]:
    parts, matched = split_reduced(definition, view, axes)
    found: list[Misplaced] = []
    for number, access in enumerate(definition.inputs):
        own = parts.inputs[inputs[number]]
        expected, got = _strides(definition, access, parts, own, matched)
        if got != expected:
            layout = _layout(definition, access, own, matched)
            found.append(Misplaced(inputs[number], expected, got, layout))
    return tuple(found)


def _strides(
    definition: ComputeView,
    access: Access,
    view: ComputeView,
    own: Access,
    axes: Mapping[str, str],
) -> tuple[dict[str, int], dict[str, int | None]]:
    """Return the strides of an input that the definition requires, and its actual strides.

    Strides are in elements, by axis of the compute.  access: the input in the definition.  own: the
    input in the compute.  axes: for each axis of the definition, the axis of the compute.
    """
    (lane,) = definition.parallel_axes()
    expected: dict[str, int] = {}
    got: dict[str, int | None] = {}
    for name, axis in axes.items():
        is_lane = name == lane
        if is_lane and definition.extents[lane] == 1:
            # A single lane has no distance to the next one.
            continue
        stride = axis_stride(access, name)
        assert stride is not None, "buffers of a definition are plain"
        lanes = definition.extents[lane]
        found = lane_stride(view, own, axis, lanes) if is_lane else axis_stride(own, axis)
        # An input that is the same for all lanes is loaded once and broadcast.
        expected[axis] = 0 if is_lane and is_repeated(own, axis) else stride
        got[axis] = found
    return expected, got


def has_inner_lanes(definition: ComputeView, number: int) -> bool:
    """Return whether the lane axis indexes an input of a definition, but not as its outermost axis.

    A subset of the lanes is then not contiguous in memory, so the input is always loaded whole.

    number: the input number.
    """
    (lane,) = definition.parallel_axes()
    first = next((a for a in definition.axes if a in definition.inputs[number].axes()), lane)
    return lane in definition.inputs[number].axes() and first != lane


def is_repeated(access: Access, lane_axis: str) -> bool:
    """Return whether all lanes read the same element of an input."""
    return lane_axis not in access.axes()


def _layout(
    definition: ComputeView, access: Access, own: Access, axes: Mapping[str, str]
) -> AffineMapAttr | None:
    """Return the blocked layout that gives an input the definition's strides; None if none does."""
    (lane,) = definition.parallel_axes()
    moved = [n for n in definition.axes if n in access.axes() and axes[n] in own.axes()]
    dims = {name: _dimension(own, axes[name]) for name in moved}
    if None in dims.values() or len(set(dims.values())) < len(dims):
        return None
    exprs = [AffineExpr.dimension(d) for d in range(len(own.dims))]
    blocks = {cast(int, dims[name]): definition.extents[name] for name in moved}
    first = [d for d in (dims.get(lane),) if d is not None]
    order = [*first, *(d for d in range(len(exprs)) if d not in first)]
    outer = [exprs[d] // blocks[d] if d in blocks else exprs[d] for d in order]
    inner = [exprs[cast(int, dims[n])] % definition.extents[n] for n in moved]
    return AffineMapAttr(AffineMap(len(exprs), 0, (*outer, *inner)))


def _dimension(access: Access, axis: str) -> int | None:
    """Return the only dimension that an axis indexes, with coefficient 1; None if there is none."""
    found = [d for d, e in enumerate(access.indices or ()) if axis in set(e.variables())]
    if len(found) != 1:
        return None
    index = (access.indices or [])[found[0]]
    return found[0] if index.coefficient(axis) == 1 and axis in index.terms else None
