"""Fragments of matrix instructions that threads load element by element.

In: a vector packed from loaded elements, an operand of simt.mma.  Out: the positions in the buffer
that the threads of a warp load, from which passes choose instructions that load, or read, the same
elements together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import ExtractOp, LoadOp, PackOp, StoreOp
from ...dialects.simt import ROW, WARP, BarrierOp
from ...support.affine import Atom, Index, Key, constant, divide, variable

Place: TypeAlias = tuple[int, ...]
"""A position in a buffer, without the part that all threads share."""


def element_of(value: SSAValue) -> tuple[LoadOp, int] | None:
    """Return the load from which a scalar comes, and the lane of the scalar in the loaded vector.

    None for other scalars, and for loads with options such as padding or a stride.
    """
    owner, lane = value.owner, 0
    if isinstance(owner, ExtractOp):
        owner, lane = owner.value.owner, owner.lane.data
    plain = isinstance(owner, LoadOp) and len(owner.properties) == 1
    return (owner, lane) if plain and isinstance(owner, LoadOp) else None


def is_undisturbed(pack: PackOp, loads: Sequence[LoadOp]) -> bool:
    """Return whether no store or barrier stands between loads and the vector packed from them.

    Loads in another block than the vector count as disturbed.
    """
    waiting, op = set(loads), pack.prev_op
    while waiting and op is not None:
        if isinstance(op, StoreOp | BarrierOp) or op.regions:
            return False
        if isinstance(op, LoadOp):
            waiting.discard(op)
        op = op.prev_op
    return not waiting


def replace_pack(pack: PackOp, made: Operation) -> None:
    """Replace a vector by the result of ``made``; erase the ops that only computed the vector."""
    made.location = pack.location
    Rewriter.insert_op(made, InsertPoint.before(pack))
    pack.res.replace_all_uses_with(made.results[0])
    erase_unused(pack)


def erase_unused(pack: PackOp) -> None:
    """Erase a vector that no op uses, and the loads that only the vector used."""
    waiting: list[Operation] = [pack]
    while waiting:
        op = waiting.pop()
        if any(result.first_use is not None for result in op.results):
            continue
        owners = [v.owner for v in dict.fromkeys(op.operands)]
        Rewriter.erase_op(op)
        waiting += [o for o in dict.fromkeys(owners) if isinstance(o, ExtractOp | LoadOp)]


@dataclass(frozen=True)
class LoadedFragment:
    """The elements of a buffer that the threads of a warp load into registers, by position.

    The position of an element is the sum of two parts: ``places`` depends on the thread, ``rest``
    is the same for all threads.
    mem: the buffer.
    lane: the number of a thread in its warp.
    places: for each thread, and for each of its registers, the first part.
    rest: the second part, an index expression per dimension.
    """

    mem: SSAValue
    lane: SSAValue
    places: Sequence[Sequence[Place]]
    rest: Sequence[Index]

    @staticmethod
    def of(pack: PackOp, lane: SSAValue) -> LoadedFragment | None:
        """Return the fragment that the threads of a warp load and pack into vectors.

        pack: the vector of a thread.  lane: the number of a thread in its warp.
        Returns None unless all elements are loaded from one buffer, without a store between the
        loads and ``pack``, and the terms of the indices that do not depend on the lane are the same
        in all loads.
        """
        elements = [each for each in map(element_of, pack.values) if each is not None]
        loads = [load for load, _ in elements]
        if len(elements) < len(pack.values) or len({load.mem for load in loads}) != 1:
            return None
        if not is_undisturbed(pack, loads):
            return None
        parts = [[_split(index, lane) for index in load.indices()] for load, _ in elements]
        if any(part is None for each in parts for part in each):
            return None
        known = [[part for part in each if part is not None] for each in parts]
        rest = [Index(r.terms) for _, r in known[0]]
        if any([Index(r.terms) for _, r in each] != rest for each in known):
            return None
        places: list[list[Place]] = []
        for thread in range(WARP):
            row: list[Place] = []
            for each, (_, offset) in zip(known, elements, strict=True):
                *outer, last = (value_at(own, thread) + r.const for own, r in each)
                row.append((*outer, last + offset))
            places.append(row)
        return LoadedFragment(loads[0].mem, lane, places, rest)

    def rows(self, *, transposed: bool) -> list[Place] | None:
        """Return the position of the first element of each row of the fragment's 8 x 8 matrices.

        transposed: whether columns are taken instead of rows.
        Returns None if the eight elements of a row (column) are not adjacent in the buffer.
        """
        held = self.places
        rows: list[Place] = []
        for matrix in range(len(held[0]) // 2):

            def at(row: int, column: int, matrix: int = matrix) -> Place:
                return held[ROW // 2 * row + column // 2][2 * matrix + column % 2]

            for row in range(ROW):
                along: Callable[[int], Place] = (
                    (lambda n, row=row, at=at: at(n, row))
                    if transposed
                    else (lambda n, row=row, at=at: at(row, n))
                )
                *outer, last = along(0)
                if any(along(n) != (*outer, last + n) for n in range(ROW)):
                    return None
                rows.append(along(0))
        return rows

    def indices(self, rows: Sequence[Place]) -> list[Index] | None:
        """Return the indices, per dimension, at which each thread addresses its matrix row.

        Thread t of the warp addresses row t of the matrices in sequence.
        rows: the position of the first element of each matrix row.
        Returns None unless the positions are linear in the number of a row within its matrix and in
        the bits of the matrix's number.
        """
        made: list[Index] = []
        for dimension, rest in enumerate(self.rest):
            index = self._index([row[dimension] for row in rows])
            if index is None:
                return None
            made.append(index + rest)
        return made

    def _index(self, positions: Sequence[int]) -> Index | None:
        count, first = len(positions), positions[0]
        index, weight = constant(first), 1
        while weight < count:
            # The digits of a row index: first the row within its matrix, then the matrix.
            size = ROW if weight == 1 else 2
            factor = positions[weight] - first
            digit = divide("floordiv", variable(self.lane), weight, self._range_of)
            index += divide("mod", digit, size, self._range_of) * factor
            weight *= size
        values = [value_at(index, thread) for thread in range(count)]
        return index if values == list(positions) else None

    def _range_of(self, _key: Key) -> tuple[int, int]:
        return 0, WARP - 1


def _split(index: Index, lane: SSAValue) -> tuple[Index, Index] | None:
    """Split an index into the terms that contain the lane and the other terms.

    None if a quotient or remainder contains both.
    """
    own: dict[Key, int] = {}
    rest: dict[Key, int] = {}
    for key, factor in index.terms.items():
        keys = {*key.operand.variables()} if isinstance(key, Atom) else {key}
        if lane in keys and len(keys) > 1:
            return None
        (own if lane in keys else rest)[key] = factor
    return Index(own), Index(rest, index.const)


def value_at(index: Index, lane: int) -> int:
    """Return the value of an index whose only variable is the lane."""
    return index.evaluate(lambda _: lane)
