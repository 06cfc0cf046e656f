"""Lower an innermost compute (leaf) whose intrinsic several threads compute together.

    te.compute @mm [m: 32, n: 16, k: 16 red] .. tile(intrinsic = mma)
==>
    loop.for bind threadIdx.x %lane = 0 to 32 {
      %c = loop.load %C[%lane floordiv 4, (%lane mod 4) * 2] ..       the registers of a thread
      %a = loop.load %A[%lane floordiv 4, (%lane mod 4) * 2] ..
      %d = loop.intrinsic @mma(%c, %a, %b) : ..
      loop.store %d, %C[..] }

The result is a loop over these threads.  Each thread loads its fragment of each operand, whose
elements the intrinsic determines, and adds to its fragment of the output.  The leaf is one register
tile, in which the fragments of a row are loaded once for all columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from ...analysis.patterns.collective import match_collective
from ...dialects import loop
from ...dialects.loop import str_attr
from ...dialects.te import Access, ComputeOp, IntrinsicOp
from ...support.affine import Index, Key, constant, from_affine_expr, unknown_range, variable
from ...support.diagnostics import LoweringError
from .access import extract
from .emitter import LoopEmitter
from .intrinsic_leaf import IntrinsicLeaf, exact

THREADS = "threadIdx.x"
"""The threads of a warp are neighbors along this index."""

MOST_USES = 512
"""The most uses of an intrinsic in a leaf, whose code is unrolled."""

_LANE, _REGISTER = "lane", "r"

Position = Mapping[Key, Index]


class CollectiveTile(IntrinsicLeaf):
    """The register tile of a leaf (innermost compute) whose intrinsic a warp executes."""

    def __init__(self, op: ComputeOp, intrinsic: IntrinsicOp, emitter: LoopEmitter) -> None:
        view = op.view()
        match = exact(match_collective(intrinsic, view), intrinsic, op)
        super().__init__(intrinsic, emitter, view, match.inputs, match.axes)
        self._fragments: dict[object, SSAValue] = {}
        self._lane: SSAValue | None = None
        sums = set(self.view.reduced_axes())
        self.cells = list(self._blocks([a for a in self.view.axes if a not in sums]))
        self.steps = list(self._blocks([a for a in self.view.axes if a in sums]))
        if len(self.cells) * len(self.steps) > MOST_USES:
            raise LoweringError(
                f"@{self.view.name} uses @{intrinsic.label} too often in one leaf",
                expected=f"at most {MOST_USES}",
                got=len(self.cells) * len(self.steps),
                hint="split its loops, and tensorize the inner ones",
            ).at(op)

    def _blocks(self, axes: Sequence[str]) -> Iterator[dict[Key, Index]]:
        """Yield the start of each block of the tile: its position along each of the axes.

        A block is the part of the tile that one call of the intrinsic computes.
        """
        sizes = {own: self.definition.extents[name] for name, own in self.axes.items()}
        starts = [range(0, self.view.extents[axis], sizes.get(axis, 1)) for axis in axes]
        for point in product(*starts):
            yield dict(zip(axes, map(constant, point), strict=True))

    def emit(self) -> None:
        """Emit the loop over the threads."""
        count = self.intrinsic.thread_count
        self.emitter.loop(0, count, (0, count - 1), (), self._body)
        made = cast(loop.ForOp, self.emitter.scope.ops[-1])
        made.properties["thread"] = str_attr(THREADS)

    def _body(self, lane: Index, _carried: object) -> tuple[()]:
        self._lane = cast(SSAValue, lane.variable())
        sums = [self._start(cell) for cell in self.cells]
        for step in self.steps:
            for number, cell in enumerate(self.cells):
                at = {**cell, **step}
                fragments = [self._fragment(n, at) for n in range(len(self.definition.inputs))]
                sums[number] = self.use(sums[number], fragments)
        for cell, total in zip(self.cells, sums, strict=True):
            self._store(cell, total)
        return ()

    def _fragment(self, number: int, at: Position) -> SSAValue:
        """Return the fragment of an input that this thread holds; load it at its first use.

        number: the number of the input in the intrinsic's definition.
        at: the start of the block along the axes of the compute.
        """
        access, own = self.definition.inputs[number], self.view.inputs[self.inputs[number]]
        key = number, tuple((a, at[a]) for a in own.axes() if a in at)
        if key not in self._fragments:
            self._fragments[key] = self._load(access, own, at)
        return self._fragments[key]

    def _start(self, cell: Position) -> SSAValue:
        access, own = self.definition.outputs[0], self.view.outputs[0]
        if own.init is not None:
            count = self.vector_of(access).get_shape()[0]
            return self.emitter.constant(own.init, count)
        return self._load(access, own, cell)

    def _load(self, access: Access, own: Access, at: Position) -> SSAValue:
        """Load the fragment of an operand that this thread holds.

        access: the operand in the intrinsic's definition.
        own: the same operand in the compute.
        at: the start of the block along the axes of the compute.
        """
        assert own.value is not None, "matched operands have a buffer"
        type_, lanes = self.vector_of(access), list[SSAValue]()
        for run in _runs(self._places(access, own, at)):
            part = loop.vector_type(len(run), type_.element_type)
            loaded = self.emitter.value(loop.LoadOp.make(own.value, run[0], part))
            lanes += self._lanes(loaded)
        return self.emitter.value(loop.PackOp.make(lanes))

    def _store(self, cell: Position, total: SSAValue) -> None:
        access, own = self.definition.outputs[0], self.view.outputs[0]
        assert own.value is not None, "outputs are buffers"
        places = self._places(access, own, cell)
        for indices, value in zip(places, self._lanes(total), strict=True):
            self.emitter.add(loop.StoreOp.make(value, own.value, indices))

    def _lanes(self, vector: SSAValue) -> list[SSAValue]:
        if not isinstance(vector.type, VectorType):
            return [vector]
        lanes = range(vector.type.get_shape()[0])
        return [extract(self.emitter, vector, lane) for lane in lanes]

    def _places(self, access: Access, own: Access, at: Position) -> list[list[Index]]:
        """Return, for each element of this thread's fragment, its indices in the operand.

        access: the operand in the intrinsic's definition.
        own: the same operand in the compute.
        at: the start of the block along the axes of the compute.
        """
        fragments = self.intrinsic.fragments
        assert fragments is not None, "an intrinsic of several threads"
        assert access.value is not None, "a definition reads buffers"
        assert self._lane is not None, "inside the loop of the threads"
        map_ = fragments.data[self.intrinsic.position_of(access.value)].data
        names = [cast(str, e.variable()) for e in access.indices or ()]
        exprs = [from_affine_expr(e, [_LANE, _REGISTER], (), unknown_range) for e in map_.results]
        places: list[list[Index]] = []
        for register in range(self.vector_of(access).get_shape()[0]):
            thread = {_LANE: variable(self._lane), _REGISTER: constant(register)}
            inner = [e.substitute(thread, self.range_of) for e in exprs]
            moved = dict(at)
            for name, index in zip(names, inner, strict=True):
                moved[self.axes[name]] = moved[self.axes[name]] + index
            places.append([e.substitute(moved, self.range_of) for e in own.indices or ()])
        return places


def _runs(places: Sequence[list[Index]]) -> Iterator[list[list[Index]]]:
    """Divide a list of positions into runs of adjacent elements, each for one vector load.

    The length of each run is a power of 2.
    """
    first = 0
    while first < len(places):
        length = 1
        while _is_row(places[first : first + 2 * length], 2 * length):
            length *= 2
        yield [list(place) for place in places[first : first + length]]
        first += length


def _is_row(places: Sequence[list[Index]], length: int) -> bool:
    """Return whether a list has ``length`` positions, and they are adjacent elements of a row."""
    if len(places) < length:
        return False
    *outer, last = places[0]
    return all(p == [*outer, last + n] for n, p in enumerate(places))
