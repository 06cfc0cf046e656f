"""Turn a pending nest into loop.for ops: all loops, or the loops from the outermost to one axis.

    te.compute @mm [m: 20, n: 32, k: 8 red] .. outs(%C[m, n] add 0.0 : ..)
        nest [mo parallel, no, k, mi unroll, ni vector 16]
            with (m = mo * 6 + mi, n = no * 16 + ni)
==>
    loop.for parallel %mo = 0 to 3 { loop.for %no = 0 to 2 {
      te.compute @mm [k: 8 red, mi: 6, ni: 16] .. outs(%C[%mo * 6 + mi, %no * 16 + ni] ..)
          tile(vec = ni, lanes = 16)
    } }
    loop.for parallel %mo = 0 to 1 { .. te.compute @mm [k: 8 red, mi: 2, ni: 16] .. }

The innermost compute (leaf) takes the longest suffix of the loop order in which every loop is
reduced, unrolled or a vector.  Its accumulators are in registers; its unrolled loops and its vector
are the register tile.  Without a register tile the leaf also takes the unmarked independent loops
around it, because the lowering of a compute makes the same loops.  The other loops become loop.for
ops, outermost first.  A vector is always in the leaf.

- A factor that does not divide its axis makes two pieces: full blocks and a remainder.  A guarded
  split makes one: the loop of the inner part ends where the axis does, so it is never in the leaf.
- A reduced loop around independent loops accumulates in memory.  Its first iteration is peeled to
  initialize, its last one to run ``then``, if the compute has an initial value or a ``then``.
- An inner part outside of its outer part, or a fused loop, needs an exact split: the remainder is
  a separate piece, in front of those loops.
- In the leaf, the two parts of an axis are joined again if they run in their natural order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from ....dialects.annotations import ORIGIN
from ....dialects.loop import ForOp, int_attr, str_attr
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import ComputeOp, ComputeView, KernelOp
from ....dialects.te.loop_nest import (
    BIND,
    PARALLEL,
    UNROLL,
    VECTOR,
    Fuse,
    Guard,
    LoopNest,
    NestLoop,
    Relation,
    Split,
)
from ....support.affine import Index, constant, variable
from ....support.blocks import enclosing
from ....support.diagnostics import SymbolicSize
from ....support.names import Names, value_hint
from ...rewrite.sections import Run, disjoint_sections, sections
from .axes import sliceable_axes
from .pieces import Piece, copies, fix, in_order, narrow
from .placement import append_to, computes_in, insert_loop, is_inside, loops_in, size_in_kernel

MOST_COPIES = 16
"""Largest number of copies of the body of an unrolled loop outside of the leaf."""

MOST_STEPS = 512
"""Limit for the cells of a register tile times the unrolled steps of its reduction."""

_MOST_CELLS = 64
_REDUCED = "reduced"


@dataclass
class LoweredNest:
    """The loops that were made from a compute's pending nest, and the computes inside of them.

    leaves: the computes.  loops: the loop.for ops of the innermost axis for which a loop was
    requested (``until`` in `make_nest`); empty if all loops of the nest were made.
    """

    leaves: list[ComputeOp] = field(default_factory=list[ComputeOp])
    loops: list[ForOp] = field(default_factory=list[ForOp])


def make_nests(kernel: KernelOp) -> None:
    """Make all loops of every pending nest in a kernel."""
    for op in computes_in(kernel):
        if op.nest is not None:
            make_nest(op)


def make_nest(op: ComputeOp, until: str | None = None) -> LoweredNest:
    """Make loop.for ops of a compute's nest: all loops, or ``until`` and the loops outside of it.

    With ``until``, the loops inside of it stay pending in the resulting computes.
    Before: ``until`` is a loop of the nest, not a vector.
    """
    made = LoweredNest()
    view = op.view()
    _descend((op, replace(view, nest=_with_whole_vectors(view))), until, made)
    return made


def _with_whole_vectors(view: ComputeView) -> LoopNest:
    """Return the nest; split a vector loop of symbolic extent into full vectors and a remainder."""
    nest = nest_of(view)
    entry = next((e for e in nest.order if e.mark == VECTOR), None)
    if entry is None or isinstance(nest.extents(view.axes)[entry.axis], int):
        return nest
    names = Names([*nest.names(view.axes)])
    outer, inner = names.fresh(f"{entry.axis}o"), names.fresh(f"{entry.axis}i")
    order: list[NestLoop] = []
    for each in nest.order:
        order += [NestLoop(outer), replace(each, axis=inner)] if each is entry else [each]
    split = Split(entry.axis, outer, inner, entry.number)
    return replace(nest, order=tuple(order), relations=(*nest.relations, split))


def nest_of(view: ComputeView) -> LoopNest:
    """Return the pending nest of a compute; by default, the nest with one loop per axis."""
    return view.nest or LoopNest.of(view.axes)


def made_loops(kernel: KernelOp, compute: str) -> dict[str, list[ForOp]]:
    """Return the loop.for ops made from the nest of the compute ``compute``, by loop name.

    Loops of one name are in the order outermost first.
    """
    found: dict[str, list[ForOp]] = {}
    for op in loops_in(kernel):
        owner, axis, _ = _label(op)
        if owner == compute:
            found.setdefault(axis, []).append(op)
    return found


def loops_around(kernel: KernelOp, computes: Sequence[ComputeOp], axis: str) -> list[ForOp]:
    """Return the loop.for ops that were made from loop ``axis`` and that contain given computes.

    computes: innermost computes (leaves) that were made from one compute, the owner of the loop.
    Each returned loop contains at least one of them.
    """
    found = made_loops(kernel, computes[0].label).get(axis, [])
    return [loop for loop in found if any(is_inside(op, loop) for op in computes)]


def is_reduced_loop(loop: ForOp, compute: str) -> bool:
    """Return whether a loop.for was made from a reduced loop of the compute labeled ``compute``."""
    owner, _, kind = _label(loop)
    return owner == compute and kind == _REDUCED


def _label(loop: ForOp) -> tuple[str, str, str]:
    """Return from which compute and loop of its nest a loop.for was made.

    The strings are the label of the compute, the name of the loop, and ``reduced`` or
    ``independent``; all are empty if the loop.for was not made from a nest.
    """
    if loop.origin is None:
        return "", "", ""
    owner, axis, kind = (word.data for word in loop.origin)
    return owner, axis, kind


def forget_names(kernel: KernelOp) -> None:
    """Remove the attributes by which schedule steps find the loops made from a nest."""
    for op in loops_in(kernel):
        op.properties.pop(ORIGIN, None)


# ---- loops


def _descend(piece: Piece, until: str | None, made: LoweredNest) -> None:
    """Make the pending loops of a compute, recursively from the outermost to the innermost.

    piece: the compute and its view.
    until: the name of the last loop to make; None: all loops.
    made: the result; gets the loops named ``until`` and the innermost computes.
    """
    op, view = piece
    entry = _next_loop(view, until)
    if entry is None:
        made.leaves += [_finish(p) for p in _leaf_pieces(piece)]
        return
    for exposed in expose(piece, entry.axis):
        for inner, loop in _looped(exposed, entry):
            if entry.axis == until:
                op, view = inner
                pending = nest_of(view) if nest_of(view).order else None
                op.update(replace(view, nest=pending))
                made.leaves.append(op)
                made.loops.append(loop)
            else:
                _descend(inner, until, made)


def _next_loop(view: ComputeView, until: str | None) -> NestLoop | None:
    """Return the outermost pending loop that is to become a loop.for; None if there is none.

    The loops of the innermost compute (leaf) do not become loop.for ops.
    until: the name of a loop, or None. If the loop is pending, all loops down to it become loop.for
    ops, also those of the innermost compute, but never a vector loop.
    """
    nest = nest_of(view)
    start = len(nest.order) if until in nest.axes else leaf_start(view)
    return next((e for e in nest.order[:start] if e.mark != VECTOR), None)


def leaf_start(view: ComputeView) -> int:
    """Return the number of loops of a pending nest that become loop.for ops.

    The loops from this position of the loop order on belong to the innermost compute (leaf).
    """
    nest = nest_of(view)
    whole = [i for i, e in enumerate(nest.order) if is_whole(view, e)]
    guarded = [i + 1 for i, e in enumerate(nest.order) if nest.is_guarded(e.axis)]
    start, least = min(whole, default=len(nest.order)), max(guarded, default=0)
    while start > least and _in_registers(view, nest.order[start - 1]):
        start -= 1
    vectors = any(e.mark == VECTOR for e in nest.order)
    if not (vectors or view.tile or any(e.mark for e in nest.order[start:])):
        while start > least and _is_plain(view, nest.order[start - 1]):
            start -= 1
    return start


def _is_plain(view: ComputeView, entry: NestLoop) -> bool:
    return not entry.mark and not is_reduced(view, entry.axis)


def is_whole(view: ComputeView, entry: NestLoop) -> bool:
    """Return whether a loop of a nest must run as a whole, undivided, in the innermost compute.

    This is so for the loop of a parallel axis that is scanned, or that indexes only some outputs.
    entry: the loop.
    """
    return entry.axis in view.axes and entry.axis not in (
        *sliceable_axes(view),
        *view.reduced_axes(),
    )


def is_reduced(view: ComputeView, axis: str) -> bool:
    """Return whether loop ``axis`` of a pending nest runs over reduced axes only."""
    return set(nest_of(view).roots(axis)) <= set(view.reduced_axes())


def _in_registers(view: ComputeView, entry: NestLoop) -> bool:
    if entry.mark in (UNROLL, VECTOR):
        return True
    return not entry.mark and is_reduced(view, entry.axis)


def _looped(piece: Piece, entry: NestLoop) -> list[tuple[Piece, ForOp]]:
    """Put a compute into a loop over one of its axes; return the computes with their loops.

    If the axis is reduced, and the compute initializes its outputs or has a region ``then``, the
    result is several computes: the first iteration, which initializes, or the last one, which runs
    ``then``, has its own loop.
    piece: the compute and its view.
    entry: the loop of the nest.
    """
    op, view = piece
    if not is_reduced(view, entry.axis):
        return [_into_loop(piece, entry, 0, view.axes[entry.axis])]
    starts = any(o.reduces and o.init is not None for o in view.outputs)
    if isinstance(view.axes[entry.axis], Dim) and not (starts or view.then.blocks):
        return [_into_loop(piece, entry, 0, view.axes[entry.axis])]
    count = view.extents[entry.axis]
    inner = ([1] if starts else []) + ([count - 1] if view.then.blocks else [])
    cuts: list[int] = sorted({0, count, *inner})
    parts = zip(in_order(op, view, len(cuts) - 1), cuts, cuts[1:], strict=False)
    return [_into_loop(part, entry, low, high) for part, low, high in parts]


def _into_loop(piece: Piece, entry: NestLoop, low: int, high: Extent) -> tuple[Piece, ForOp]:
    op, view = piece
    limits = [_limit(piece, guard) for guard in nest_of(view).guards if guard.inner == entry.axis]
    if isinstance(high, int) and not limits:
        loop = insert_loop(op, low, high)
    else:
        loop = insert_loop(op, [constant(low)], [size_in_kernel(op, high), *limits])
    append_to(loop, op)
    mark_loop(loop, entry)
    loop.variable.name_hint = value_hint(entry.axis)
    kind = _REDUCED if is_reduced(view, entry.axis) else "independent"
    words = (view.name, entry.axis, kind)
    loop.properties[ORIGIN] = ArrayAttr([StringAttr(w) for w in words])
    inside = fix(view, entry.axis, variable(loop.variable))
    return (op, replace(inside, nest=nest_of(view).without(entry.axis))), loop


def _limit(piece: Piece, guard: Guard) -> Index:
    """Return the upper bound of a guarded split's inner loop: the rest of the axis.

    This is the extent of the split axis minus the outer loop's variable times the block size. The
    outer loop of the split must exist already.
    piece: the compute and its view.
    guard: the record of the split in the nest.
    """
    op, view = piece
    loops = [each for each in enclosing(op) if isinstance(each, ForOp)]
    outer = next(loop for loop in loops if _label(loop)[:2] == (view.name, guard.outer))
    return size_in_kernel(op, guard.extent) - Index({outer.variable: guard.factor})


def mark_loop(loop: ForOp, entry: NestLoop) -> None:
    """Give a loop.for the mark of a loop of a nest: parallel, unrolled, or bound to a thread index.

    entry: the loop of the nest.
    """
    bounds = loop.static_bounds
    if entry.mark == PARALLEL:
        loop.properties["kind"] = str_attr("parallel")
    elif entry.mark == BIND:
        loop.properties["thread"] = str_attr(entry.thread)
    elif entry.mark == UNROLL and bounds is not None:
        trips = bounds[1] - bounds[0]
        most = min(entry.number or MOST_COPIES, MOST_COPIES)
        made = max(d for d in range(1, most + 1) if trips % d == 0)
        if made > 1:
            loop.properties["unroll"] = int_attr(made)


# ---- split and fused axes


def expose(piece: Piece, axis: str) -> list[Piece]:
    """Apply the splits and fusions of a nest until loop ``axis`` is an axis of the compute.

    piece: the compute and its view.
    Returns several computes with their views if a split has a remainder.
    """
    relation = nest_of(piece[1]).maker(axis)
    if relation is None:
        return [piece]
    if isinstance(relation, Fuse):
        pieces = [piece]
        for part in relation.parts:
            pieces = [p for q in pieces for p in expose(q, part)]
        return [_fuse(p, relation) for p in pieces]
    piece, relation = _lifted(piece, relation, axis)
    return [p for q in expose(piece, relation.axis) for p in _cut(q, relation)]


def _lifted(piece: Piece, split: Split, axis: str) -> tuple[Piece, Split]:
    """Rewrite nested splits so that the outermost part is split from the axis first.

    ``x = a * f + b, a = axis * g + c`` becomes ``x = axis * (f * g) + a, a = c * f + b``. Returns
    the compute with the rewritten nest, and the split that has ``axis`` as outer part.
    """
    op, view = piece
    nest = nest_of(view)
    parent = nest.maker(split.axis)
    while axis == split.outer and isinstance(parent, Split) and split.axis == parent.outer:
        whole = Split(parent.axis, axis, split.axis, split.factor * parent.factor)
        rest = Split(split.axis, split.inner, parent.inner, parent.factor)
        nest = nest.without_relation(split).without_relation(parent)
        nest = replace(nest, relations=(*nest.relations, whole, rest))
        split, parent = whole, nest.maker(whole.axis)
    return (op, replace(view, nest=nest)), split


def _cut(piece: Piece, split: Split) -> list[Piece]:
    """Apply a split: divide an axis into full blocks and a remainder, one compute for each.

    The remainder of a symbolic extent is computed at single positions; if the inner part is a
    vector, first in full vectors.
    piece: the compute and its view.
    """
    op, view = piece
    if split.guarded:
        return [_guarded(piece, split)]
    runs = _runs(view, split)
    parts: Iterable[Piece]
    if is_reduced(view, split.axis):
        parts = in_order(op, view, len(runs))
    else:
        parts = ((copy, view) for copy in copies(op, len(runs)))
    pieces: list[Piece] = []
    for run, (part, seen) in zip(runs, parts, strict=True):
        extent = extent_of(Dim.of(run.count) * run.size)
        whole = narrow(seen, split.axis, size_in_kernel(op, run.first), extent)
        assert isinstance(run.size, int), "blocks without whole have constant sizes"
        exact = whole.split(split.axis, run.size, split.outer, split.inner)
        nest = nest_of(view).without_relation(split)
        pieces.append((part, replace(exact, nest=nest)))
    return pieces


def _guarded(piece: Piece, split: Split) -> Piece:
    """Apply a guarded split: divide an axis into blocks of one size, the last of which is partial.

    The nest records the end of the last block.
    piece: the compute and its view.
    """
    op, view = piece
    extent = view.axes[split.axis]
    blocks = Dim.of(extent).ceildiv(split.factor)
    longer = replace(view, axes={**view.axes, split.axis: extent_of(blocks * split.factor)})
    nest = nest_of(view).without_relation(split)
    guard = Guard(split.outer, split.inner, split.factor, extent)
    made = longer.split(split.axis, split.factor, split.outer, split.inner)
    return op, replace(made, nest=replace(nest, guards=(*nest.guards, guard)))


def _runs(view: ComputeView, split: Split) -> list[Run]:
    extent = view.axes[split.axis]
    if isinstance(extent, int):
        return sections(extent, split.factor)
    if is_reduced(view, split.axis):
        runs = sections(extent, split.factor)
        if len(runs) == 1:
            return runs
        raise SymbolicSize(
            f"@{view.name}: the parts of reduced axis {split.axis} are not in one leaf",
            expected="an extent that is an integer, or the parts as neighbours inside",
            got=extent,
        )
    vector = next((e for e in nest_of(view).order if e.axis == split.inner), None)
    lanes = vector.number if vector is not None and vector.mark == VECTOR else 1
    if 1 < lanes < split.factor and split.factor % lanes == 0:
        return disjoint_sections(extent, split.factor, lanes)
    return sections(extent, split.factor)


def _fuse(piece: Piece, relation: Fuse) -> Piece:
    op, view = piece
    nest = nest_of(view).without_relation(relation)
    outer, *inner = relation.parts
    for part in inner:
        view = view.fuse([outer, part], relation.into)
        outer = relation.into
    return op, replace(view, nest=nest)


# ---- the leaf


def _leaf_pieces(piece: Piece) -> list[Piece]:
    op, view = piece
    pieces = [(op, replace(view, nest=merged(view)))]
    while pending := next((r for _, v in pieces for r in nest_of(v).relations), None):
        name = pending.results()[0]
        pieces = [p for q in pieces for p in expose(q, name)]
    return pieces


def merged(view: ComputeView) -> LoopNest:
    """Return the nest with both loops of a split axis joined into one, where this is equivalent.

    Only loops of the innermost compute (leaf) are joined: there, one loop over the whole axis
    visits the same points in the same order.
    """
    nest = nest_of(view)
    start = leaf_start(view)
    while joined := next((j for r in nest.relations if (j := _join(view, nest, r, start))), None):
        nest = joined
    return nest


def _join(view: ComputeView, nest: LoopNest, relation: Relation, start: int) -> LoopNest | None:
    leaf = nest.order[start:]
    found = [e for e in leaf if e.axis in relation.results()]
    if len(found) != len(relation.results()):
        return None
    if isinstance(relation, Fuse):
        (entry,) = found
        if entry.mark == VECTOR:
            return None
        parts = [replace(entry, axis=p) for p in relation.parts]
    else:
        entry = _joined_entry(view, relation, found, leaf)
        if entry is None:
            return None
        parts = [entry]
    order: list[NestLoop] = []
    for e in nest.order:
        if e is found[-1]:
            order += parts
        elif e not in found:
            order.append(e)
    return nest.without_relation(relation).with_entries(order)


def _joined_entry(
    view: ComputeView, split: Split, found: Sequence[NestLoop], leaf: Sequence[NestLoop]
) -> NestLoop | None:
    """Return the loop over a whole axis that can replace the loops over both parts of a split.

    view: the compute.
    split: the split.
    found: the two loops, which are in the innermost compute (leaf).
    leaf: all loops of the innermost compute.
    Returns None if the parts cannot be joined.
    """
    outer, inner = (next(e for e in found if e.axis == name) for name in split.results())
    reduced, marks = is_reduced(view, split.axis), (outer.mark, inner.mark)
    if reduced or marks == ("", ""):
        swept = [e.axis for e in leaf if is_reduced(view, e.axis) == reduced]
        if swept.index(inner.axis) != swept.index(outer.axis) + 1:
            return None
    if inner.mark == VECTOR and outer.mark in ("", UNROLL):
        return NestLoop(split.axis, VECTOR, inner.number)
    if marks == ("", UNROLL) and reduced:
        return NestLoop(split.axis, UNROLL, inner.number or split.factor)
    if marks in (("", ""), (UNROLL, UNROLL)):
        return NestLoop(split.axis, outer.mark)
    return None


def _finish(piece: Piece) -> ComputeOp:
    """Declare the register tile of an innermost compute (leaf); put its axes in loop order.

    piece: the compute and its view.
    """
    op, view = piece
    order = nest_of(view).order
    axes = {e.axis: view.axes[e.axis] for e in order}
    tile, unrolls = _register_tile(view, order)
    op.update(replace(view, axes=axes, tile={**tile, **view.prefetch}, unrolls=unrolls, nest=None))
    return op


def _register_tile(
    view: ComputeView, order: Sequence[NestLoop]
) -> tuple[dict[str, int | str], dict[str, int]]:
    """Return the register tile of an innermost compute (leaf), and its unroll factors by axis.

    The unroll factor of a reduction axis is its number of unrolled steps; 0 means the whole axis.
    order: the loops of the compute, outermost first.
    """
    marked = [e for e in order if e.mark in (UNROLL, VECTOR)]
    tile: dict[str, int | str] = {"lanes": 1} if marked else {}
    unrolls: dict[str, int] = {}
    cells = 1
    for e in marked:
        if e.mark == VECTOR:
            tile = {"vec": e.axis, "lanes": e.number}
            cells *= -(-view.extents[e.axis] // e.number)
        elif not is_reduced(view, e.axis):
            cells *= view.extents[e.axis]
    steps = max(1, MOST_STEPS // min(cells, _MOST_CELLS))
    for e in marked:
        if e.mark == UNROLL and is_reduced(view, e.axis):
            copies_wanted = e.number or view.extents[e.axis]
            copies_made = min(copies_wanted, steps)
            steps = max(1, steps // copies_made)
            whole = copies_made >= view.extents[e.axis]
            unrolls[e.axis] = 0 if whole else copies_made
    return tile, unrolls
