"""Independence of iterations: the proof that parallel and thread-bound loops are legal.

**Theorem.** No two iterations of a parallel loop, or of a loop that is bound to blocks or threads,
write one element of a buffer, and no iteration reads an element that another iteration writes.

``find_clash`` proves the theorem for one loop, of a scheduled kernel or of a loop program, or
returns two accesses for which it has no proof.  ``verify_independence`` refuses a program with such
a loop.
Schedule steps call ``find_clash`` wherever a loop becomes parallel, and at the end of a script; the
verifier of parsed programs calls ``verify_independence``.  Lowerings rely on the theorem: tasks run
in any order, the threads of a block run one statement of a fork-join kernel together, and the
elements of a thread may move to its registers (``thread_accesses.py``).  The interpreter of loop
programs reports races, and tests compare the proof with it.

Two proofs are tried: ``equal_positions.py`` uses digits and strides; ``conflicts.py`` compares the
bounds of loops, as blocks and remainders of symbolic sizes need.

Accesses to which the theorem does not apply:

- A buffer allocated inside the loop: every iteration has its own instance of the buffer.
- A reduction or a scan inside one iteration: its accesses are made in order.  There are no atomic
  updates, so a reduced loop is never parallel; its parts need elements of their own (rfactor).
- An instruction that the threads of a block execute together exchanges values, not elements.
- A prefetch, and the lanes of a padded load outside of the buffer.

Not proved, so refused: accesses at positions that come from data, unless another dimension
separates the iterations; and iterations that only a condition (loop.if) separates that the proof
does not use.  Run such loops serially.

Cost: about 50 us per pair of accesses to a buffer that the loop writes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ...dialects import loop, simt
from ...dialects.loop.size import size_of_index
from ...dialects.shape import Dim, Extent, dims_of, size_index
from ...dialects.te import Access, ComputeOp, LoopsOp, ScatterOp, SortOp
from ...dialects.te.view import positions_of
from ...support.affine import INFINITY, Index, Key, Range, RangeOf, variable
from ...support.blocks import enclosing
from ...support.diagnostics import TilewrightError
from ..strides import flat_address
from .conflicts import AccessPosition, never_meet
from .equal_positions import Loop, Side, prove_one_iteration
from .loop_ranges import LoopRanges


class DependentIterations(TilewrightError):
    """The error for a parallel or bound loop whose iterations are not proved to be independent."""


@dataclass(frozen=True, eq=False)
class Touch:
    """One access of an iteration to a buffer.

    op, buffer: the op that makes the access, and the buffer.
    indices: the position, an expression per dimension. A variable of an inner loop whose start is
    not constant is written as this start plus a step (see `_Iterations`). None: any element may be
    touched.
    given: the same position without steps, over the variables of the loops.
    ranges: the ranges of the variables that only this access has: axes, lanes and tile rows.
    joined: the number of innermost dimensions that are known only as one linear address, because
    lanes continue in the next row; 1: each index is known.
    sizes: the extents of axes whose extent is symbolic.
    guards: expressions that are at least 0 wherever the access runs, from enclosing conditions.
    """

    op: Operation
    buffer: SSAValue
    indices: tuple[Index, ...] | None
    is_write: bool
    ranges: Mapping[Key, Range]
    joined: int = 1
    given: tuple[Index, ...] = ()
    sizes: Mapping[Key, Dim] = field(default_factory=dict[Key, Dim])
    guards: tuple[Index, ...] = ()

    @property
    def all(self) -> tuple[Index, ...]:
        """The positions in both forms: over steps (``indices``), then over loops (``given``)."""
        return (*(self.indices or ()), *self.given)

    def __str__(self) -> str:
        label = getattr(self.op, "label", None)
        who = self.op.name if label is None else f"@{label}"
        where = ["any element"] if self.indices is None else [e.show(_name) for e in self.indices]
        does = "writes" if self.is_write else "reads"
        return f"{who} {does} {_name(self.buffer)}[{', '.join(where)}]"


@dataclass(frozen=True)
class Clash:
    """Two accesses that different iterations of a loop may make to one element.

    write: an access that writes.  other: any access, possibly the same one.
    """

    loop: loop.ForOp
    write: Touch
    other: Touch

    @property
    def rule(self) -> str:
        """The violated half of the theorem (two writes, or a read and a write), for messages."""
        which = f"iterations of loop {_name(self.loop.variable)}"
        buffer = _name(self.write.buffer)
        if self.other.is_write:
            return f"{which} may write the same elements of {buffer}"
        return f"{which} may read elements of {buffer} that other iterations write"

    @property
    def accesses(self) -> str:
        """Both accesses of the clash, as text for messages."""
        if self.write is self.other:
            return f"{self.write}, in each iteration"
        return f"{self.write}; {self.other}"


def verify_independence(root: Operation) -> None:
    """Prove that the iterations of all parallel and bound loops are independent.

    Errors: DependentIterations for the first loop without a proof, with both accesses.
    """
    for op in root.walk():
        if isinstance(op, loop.ForOp) and is_concurrent(op) and (clash := find_clash(op)):
            raise DependentIterations(
                clash.rule,
                expected="each written element is touched by one iteration only",
                got=clash.accesses,
                hint="make the loop serial, or allocate the buffer inside of the loop",
            ).at(op)


def is_concurrent(op: loop.ForOp) -> bool:
    """Return whether the iterations of a loop may run at the same time.

    They may if the loop is parallel, or bound to blocks or threads.
    """
    return op.is_parallel or op.thread is not None


def find_clash(op: loop.ForOp) -> Clash | None:
    """Return two accesses with which iterations of a loop may violate the module's theorem.

    Return None if the theorem is proved for the loop.
    """
    return None if runs_once(op) else next(_Iterations(op).clashes(), None)


def writes_twice(op: ComputeOp, around: loop.ForOp) -> bool:
    """Return whether two iterations of a loop may write the same element by one compute.

    op: the compute.  around: the loop, which contains it.
    False only if each iteration provably writes other elements.
    """
    if runs_once(around):
        return False
    return any(c.write.op is op is c.other.op for c in _Iterations(around).clashes())


def runs_once(op: loop.ForOp) -> bool:
    """Return whether a loop provably has at most one iteration."""
    lows, highs = op.bounds()
    trips = (size_of_index(high - low) for low in lows for high in highs)
    return any(count is not None and (1 - count).is_at_least(0) for count in trips)


def nest_accesses(op: loop.ForOp) -> tuple[list[Touch], Mapping[Key, Range]]:
    """Return the accesses in a loop nest, and the range of each variable in their positions.

    The variables are those of loops, and steps: a step is the distance of a loop variable from the
    start of its loop, if the start is not constant. Axes and lanes have their ranges in each
    `Touch`.
    """
    found = _Iterations(op)
    return list(found.touches()), found.known_ranges()


class _Iterations:
    """The accesses of a loop's iterations, and the ranges of the variables in their positions.

    A *step* replaces the variable of an inner loop whose start is not constant. In
    ``for i = c * 16 to min(n, c * 16 + 16)``, i is replaced by ``c * 16`` plus a step in 0..15.
    """

    def __init__(self, op: loop.ForOp) -> None:
        self.loop = op
        self._ranges = LoopRanges()
        self._values: dict[Key, Index] = {}
        self._steps: dict[Key, Range] = {}
        self._moving: dict[Key, bool] = {}
        self._loops: dict[Key, loop.ForOp] = {}
        self._patterns: dict[Touch, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._answers: dict[Hashable, bool] = {}
        self._guards: tuple[Index, ...] = ()
        for each in reversed([op, *enclosing(op)]):
            if isinstance(each, loop.ForOp):
                self._ranges.enter(each)
                self._loops[each.variable] = each
        low, high = self._ranges.of(op.variable)
        lows, highs = op.bounds()
        spans = [end - start for start in lows for end in highs]
        counts = [e.const for e in spans if e.is_constant]
        self._shared = Loop(op.variable, max(0, min([high - low, *(n - 1 for n in counts)])))

    def touches(self) -> Iterator[Touch]:
        """Yield all accesses in the loop's body."""
        return self._touches(self.loop.body.block)

    def known_ranges(self) -> Mapping[Key, Range]:
        """Return the ranges of the variables of loops and of steps, after ``touches``."""
        loops: dict[Key, Range] = {
            each.variable: self._ranges.of(each.variable) for each in self._loops.values()
        }
        return {**loops, **self._steps}

    def clashes(self) -> Iterator[Clash]:
        """Yield the pairs of accesses that two iterations may make to one element."""
        found: dict[SSAValue, list[Touch]] = {}
        for touch in self._touches(self.loop.body.block):
            if not self._is_own(touch.buffer):
                found.setdefault(touch.buffer, []).append(touch)
        for touches in found.values():
            joined = max(touch.joined for touch in touches)
            writes = [_join(touch, joined) for touch in touches if touch.is_write]
            reads = [_join(touch, joined) for touch in touches if writes and not touch.is_write]
            for number, write in enumerate(writes):
                for other in (*writes[number:], *reads):
                    if not self._are_apart(write, other):
                        yield Clash(self.loop, write, other)

    def _are_apart(self, one: Touch, other: Touch) -> bool:
        """Return whether two accesses, made by two iterations, provably touch no common element.

        The result is cached. It depends only on the terms of the positions and on the difference of
        their constants, which form the key of the cache.
        """
        if one.indices is None or other.indices is None:
            return False
        pair = one is other, self._pattern(one), self._pattern(other)
        key = pair, tuple(a.const - b.const for a, b in zip(one.all, other.all, strict=False))
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = self._find_apart(one, other)
        return found

    def _pattern(self, touch: Touch) -> int:
        """Return a number that is equal for accesses whose positions differ only by constants."""
        found = self._patterns.get(touch)
        if found is None:
            own = (touch.joined, *touch.ranges.items()), tuple(touch.sizes.items()), touch.guards
            pattern = tuple(Index(e.terms) for e in touch.all), own
            found = self._numbers.setdefault(pattern, len(self._numbers))
            self._patterns[touch] = found
        return found

    def _find_apart(self, one: Touch, other: Touch) -> bool:
        if prove_one_iteration(self._shared, self._side(one), self._side(other)):
            return True
        return never_meet(
            self.loop.variable,
            self._position(one),
            self._position(other),
            self._ends_of,
            self._range_of({}),
        )

    def _position(self, touch: Touch) -> AccessPosition:
        moves = self._side(touch).moves
        return AccessPosition(touch.given, touch.ranges, touch.sizes, moves, touch.guards)

    def _ends_of(self, key: Key) -> tuple[list[Index], list[Index]] | None:
        found = self._loops.get(key)
        if found is None:
            return None
        lows, highs = found.bounds()
        return [self._ranges.expand(e) for e in lows], [self._ranges.expand(e) for e in highs]

    def _side(self, touch: Touch) -> Side:
        assert touch.indices is not None, "an access at known positions"
        return Side(
            touch.indices,
            self._range_of(touch.ranges),
            lambda key: key in touch.ranges or self._moves(key),
        )

    def _range_of(self, own: Mapping[Key, Range]) -> RangeOf:
        def range_of(key: Key) -> Range:
            found = own.get(key) or self._steps.get(key)
            return self._ranges.range_of_index(variable(key)) if found is None else found

        return range_of

    def _moves(self, key: Key) -> bool:
        """Return whether a variable may have different values in two iterations."""
        if key in self._steps:
            return True
        if not isinstance(key, SSAValue):
            return False
        found = self._moving.get(key)
        if found is None:
            owner = key.owner
            block = owner if isinstance(owner, Block) else owner.parent
            found = self._moving[key] = block is not None and self.loop.is_ancestor(block)
        return found

    def _is_own(self, buffer: SSAValue) -> bool:
        """Return whether every iteration of the loop allocates its own instance of a buffer."""
        return isinstance(buffer.owner, loop.AllocOp) and self._moves(buffer)

    # ---- accesses

    def _touches(self, block: Block) -> Iterator[Touch]:
        """Yield the accesses of the ops of a block, in program order."""
        for op in block.ops:
            rule = _RULES.get(type(op))
            if rule is not None:
                yield from rule(self, op)
            elif op.regions:
                for inner in (b for region in op.regions for b in region.blocks):
                    yield from self._touches(inner)
            elif not is_side_effect_free(op):
                yield from _anything(op, op.operands, is_write=True)

    def _loop(self, op: loop.ForOp) -> Iterator[Touch]:
        if not self._ranges.enter(op):
            return
        self._loops[op.variable] = op
        lows, highs = op.bounds()
        if len(lows) == 1 and not lows[0].is_constant:
            sizes = [(high - lows[0]).range(self._range_of({}))[1] for high in highs]
            if (size := min(sizes)) < INFINITY // 2:
                step: Key = ("step", op.variable)
                self._values[op.variable] = self._placed(lows[0], {}) + variable(step)
                self._steps[step] = 0, max(0, size - 1)
        yield from self._touches(op.body.block)

    def _branch(self, op: loop.IfOp) -> Iterator[Touch]:
        outer = self._guards
        with self._ranges.where(op.condition) as facts:
            self._guards = (*outer, *(self._expanded(-fact + high) for fact, high in facts))
            for touch in self._touches(op.body.block):
                yield touch if touch.guards else replace(touch, guards=self._guards)
            self._guards = outer

    def _placed(self, index: Index, own: Mapping[Key, Range]) -> Index:
        """Rewrite an index expression over loop variables and steps (see the class).

        own: the ranges of the variables that only this access has.
        """
        values = {
            key: self._values[key] if key in self._values else self._ranges.expression(key)
            for key in index.variables()
            if isinstance(key, SSAValue)
        }
        return index.substitute(values, self._range_of(own)) if values else index

    def _expanded(self, index: Index) -> Index:
        """Return an index expression in which SSA values are replaced by their definitions.

        Only linear terms are expanded, not the operands of quotients and remainders.
        """
        plain = Index({k: c for k, c in index.terms.items() if isinstance(k, SSAValue)})
        return self._ranges.expand(plain) + (index - plain)

    def _memory(self, op: loop.LoadOp | loop.StoreOp) -> Iterator[Touch]:
        """Yield the access of a load or store; its lanes and tile rows become variables."""
        is_write = isinstance(op, loop.StoreOp)
        lanes, rows = op.active_lanes, op.tile_rows()
        stride = op.step if rows is None else 1
        indices, ranges = list(op.indices()), dict[Key, Range]()
        if lanes > 1:
            indices[-1] = indices[-1] + Index({"lane": stride})
            ranges["lane"] = 0, lanes - 1
        if rows is not None:
            dimension, reach = rows
            indices[dimension] = indices[dimension] + variable("row")
            ranges["row"] = min(reach, 0), max(reach, 0)
        placed = tuple(self._placed(e, ranges) for e in indices)
        is_cut = isinstance(op, loop.LoadOp) and op.pad is not None
        joined = self._joined(op, (lanes - 1) * stride) if ranges and not is_cut else 1
        given = tuple(map(self._expanded, indices))
        yield Touch(op, op.mem, placed, is_write, ranges, joined, given)

    def _joined(self, op: loop.LoadOp | loop.StoreOp, reach: int) -> int:
        """Return in how many innermost dimensions only a common linear address is known.

        The number is 1 if every lane and tile row stays in its row of the buffer. It exceeds the
        rank if even the linear address is unknown.

        reach: the offset of the last lane from the first lane, in elements.
        """
        dims, rows = dims_of(cast(MemRefType, op.mem.type)), op.tile_rows()
        exact = [self._ranges.expand(e) for e in op.indices()]
        flat, size = Index(), Dim.const(1)
        spans = [min(reach, 0), max(reach, 0)]
        for number in reversed(range(len(dims))):
            if size.value is None:
                return len(dims) + 1
            flat = flat + exact[number] * size.value
            if rows is not None and rows[0] == number:
                step = size.value * rows[1]
                rows, spans = None, [spans[0] + min(step, 0), spans[1] + max(step, 0)]
            size = dims[number] * size
            low, above = self._ranges.lower(flat), self._ranges.upper(flat - size_index(size))
            if rows is None and low + spans[0] >= 0 and above + spans[1] < 0:
                return len(dims) - number
        return len(dims)

    def _load_matrix(self, op: simt.LoadMatrixOp) -> Iterator[Touch]:
        yield Touch(op, op.mem, None, False, {})

    def _compute(self, op: ComputeOp) -> Iterator[Touch]:
        view = op.view()
        for accesses, is_write in ((view.reads, False), (view.outputs, True)):
            for access in accesses:
                if access.value is not None:
                    yield self._of_access(op, access, view.axes, is_write=is_write)

    def _of_access(
        self, op: Operation, access: Access, axes: Mapping[str, Extent], *, is_write: bool
    ) -> Touch:
        assert access.value is not None, "a buffer"
        ranges: dict[Key, Range] = {a: positions_of(n) for a, n in axes.items()}
        if access.indices is None:
            return Touch(op, access.value, None, is_write, ranges)
        placed = tuple(self._placed(e, ranges) for e in access.indices)
        given = tuple(map(self._expanded, access.indices))
        sizes: dict[Key, Dim] = {a: n for a, n in axes.items() if isinstance(n, Dim)}
        return Touch(op, access.value, placed, is_write, ranges, given=given, sizes=sizes)

    def _scatter(self, op: ScatterOp) -> Iterator[Touch]:
        """Yield the accesses of a scatter, which writes at positions that come from data."""
        view = op.view()
        ranges: dict[Key, Range] = {a: positions_of(n) for a, n in view.axes.items()}
        for access in view.inputs:
            if access.value is not None:
                yield self._of_access(op, access, view.axes, is_write=False)
        own = {d: e for places in view.own_positions().values() for d, e in places.items()}
        data: dict[Key, Range] = {("data", d): (-INFINITY, INFINITY) for d in range(view.rank)}
        known = {**ranges, **data}
        indices = [own.get(d, variable(("data", d))) for d in range(view.rank)]
        placed = tuple(self._placed(e, known) for e in indices)
        given = tuple(map(self._expanded, indices))
        yield Touch(op, view.base, placed, True, known, given=given)

    def _whole(self, op: SortOp | LoopsOp) -> Iterator[Touch]:
        """Yield accesses of a te.sort or te.loops to any element of the op's buffers."""
        outs = list(op.outs)
        yield from _anything(op, [v for v in op.operands if v not in outs], is_write=False)
        yield from _anything(op, outs, is_write=True)


def _nothing(_iterations: _Iterations, _op: Operation) -> Iterator[Touch]:
    return iter(())


def _anything(op: Operation, values: Iterable[SSAValue], *, is_write: bool) -> Iterator[Touch]:
    """Yield one access for each buffer among the values, which may touch any element of it."""
    for value in values:
        if isinstance(value.type, MemRefType):
            yield Touch(op, value, None, is_write, {})


_Rule: TypeAlias = Callable[[_Iterations, Any], Iterator[Touch]]

_RULES: Mapping[type[Operation], _Rule] = {
    loop.ForOp: _Iterations._loop,  # pyright: ignore[reportPrivateUsage]
    loop.IfOp: _Iterations._branch,  # pyright: ignore[reportPrivateUsage]
    loop.LoadOp: _Iterations._memory,  # pyright: ignore[reportPrivateUsage]
    loop.StoreOp: _Iterations._memory,  # pyright: ignore[reportPrivateUsage]
    loop.AllocOp: _nothing,
    loop.PrefetchOp: _nothing,
    simt.LoadMatrixOp: _Iterations._load_matrix,  # pyright: ignore[reportPrivateUsage]
    ComputeOp: _Iterations._compute,  # pyright: ignore[reportPrivateUsage]
    ScatterOp: _Iterations._scatter,  # pyright: ignore[reportPrivateUsage]
    SortOp: _Iterations._whole,  # pyright: ignore[reportPrivateUsage]
    LoopsOp: _Iterations._whole,  # pyright: ignore[reportPrivateUsage]
}


def _join(touch: Touch, joined: int) -> Touch:
    """Replace the ``joined`` innermost positions of an access by one linear address."""
    shape = cast(MemRefType, touch.buffer.type).get_shape()
    if touch.indices is None or joined == 1:
        return touch
    outer, inner = touch.indices[:-joined], touch.indices[-joined:]
    is_known = joined <= len(shape) and DYNAMIC_INDEX not in shape[len(shape) - joined + 1 :]
    if not is_known:
        return replace(touch, indices=None)
    sizes = 1, *shape[len(shape) - joined + 1 :]
    given = flat_address(touch.given[-joined:], sizes)
    return replace(
        touch,
        indices=(*outer, flat_address(inner, sizes)),
        given=(*touch.given[:-joined], given),
    )


def _name(value: Key) -> str:
    if not isinstance(value, SSAValue):
        return value if isinstance(value, str) else "position"
    return f"%{value.name_hint}" if value.name_hint else "%_"
