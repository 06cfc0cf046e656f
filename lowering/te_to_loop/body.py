"""Regions of a compute, decoded once and emitted many times, on scalars or vectors.

An op with a vector operand becomes a vector op; its scalar operands are broadcast.  Ops that no
yielded value needs are omitted.  The cells (result vectors) of a register tile share ops with equal
operands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, VectorType, f32, f64, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.te import AtOp
from ...support.affine import Index, constant
from ...support.blocks import returned
from ..transcendental import TRANSCENDENTAL_OPS
from .emitter import LANE, LoopEmitter

ReadAt: TypeAlias = Callable[[SSAValue, Sequence[SSAValue], Attribute | None], SSAValue]
"""Reads a whole operand at computed positions, one element per lane."""


@dataclass(frozen=True, slots=True)
class DeferredProduct:
    """A product of floats that is not emitted yet, so that an addition can become an FMA.

    lhs, rhs: the factors.
    """

    lhs: SSAValue
    rhs: SSAValue


@dataclass(frozen=True, slots=True, eq=False)
class RegionOp:
    """An op of a decoded region, in which values are numbered.

    operands: the numbers of its operands.
    result: the number of its result.
    scalar, vector: the type of its result if all operands are scalars, and if one is a vector.
    """

    op: Operation
    operands: tuple[int, ...]
    result: int
    scalar: Attribute
    vector: Attribute


class Body:
    """A region of a compute, decoded to a list of ops with numbered values.

    wanted: the positions of the yielded values that emission returns; None for all.
    contract: the positions of yielded values that the caller adds to an accumulator.  If such a
    value is a product of floats, emission returns a `DeferredProduct`, so that the caller can emit
    an FMA.
    """

    def __init__(
        self,
        region: Region,
        lanes: int,
        wanted: Sequence[int] | None = None,
        contract: Sequence[int] = (),
    ) -> None:
        block = region.block
        yielded = returned(block)
        self.lanes = lanes
        self.wanted = range(len(yielded)) if wanted is None else wanted
        results = [yielded[i] for i in self.wanted]
        self.slots: dict[SSAValue, int] = {arg: i for i, arg in enumerate(block.args)}
        self.constants: list[tuple[int, Attribute]] = []
        self.products = {yielded[i].owner for i in contract if contractible(yielded[i])}
        self.steps = self._decode(block, results)
        self.yields = [self.slots[v] for v in results]
        self.used_arguments = self._used(block)
        self.has_long_chain = any(type(step.op) in TRANSCENDENTAL_OPS for step in self.steps)

    def _decode(self, block: Block, results: Sequence[SSAValue]) -> list[RegionOp]:
        needed: set[SSAValue] = set(results)
        kept: list[Operation] = []
        for op in reversed(list(block.ops)):
            if op.results and op.results[0] in needed:
                needed.update(op.operands)
                kept.append(op)
        steps: list[RegionOp] = []
        for op in reversed(kept):
            slot = self.slots[op.results[0]] = len(self.slots)
            if type(op) is arith.ConstantOp:
                self.constants.append((slot, op.value))
                continue
            operands = tuple(self.slots[v] for v in op.operands)
            type_ = op.results[0].type
            steps.append(RegionOp(op, operands, slot, type_, loop.vector_type(self.lanes, type_)))
        return steps

    def _used(self, block: Block) -> list[bool]:
        slots = {s for step in self.steps for s in step.operands} | set(self.yields)
        return [i in slots for i in range(len(block.args))]

    def emit(
        self, emitter: LoopEmitter, args: Sequence[SSAValue | None], read_at: ReadAt
    ) -> list[SSAValue | DeferredProduct]:
        """Emit the ops of the region; return the yielded values at the positions ``wanted``.

        args: the arguments of the region; None for arguments without uses.
        read_at: the function that emits a te.at.
        """
        (results,) = self.emit_together(emitter, [(args, read_at)])
        return results

    def emit_together(
        self, emitter: LoopEmitter, cells: Sequence[tuple[Sequence[SSAValue | None], ReadAt]]
    ) -> list[list[SSAValue | DeferredProduct]]:
        """Emit the region for several cells (result vectors of a tile), op by op for all cells.

        So the long chains of dependent operations of several cells, such as polynomials, alternate,
        and the processor works on one cell while it waits for another.
        cells: for each cell, the arguments of the region, and the function that emits a te.at.
        Returns the yielded values of each cell.
        """
        tables = [self._table(emitter, args) for args, _ in cells]
        for step in self.steps:
            for values, (_, read_at) in zip(tables, cells, strict=True):
                values[step.result] = self._step_value(emitter, step, values, read_at)
        return [[t[s] for s in self.yields] for t in tables]  # pyright: ignore[reportReturnType]

    def _table(
        self, emitter: LoopEmitter, args: Sequence[SSAValue | None]
    ) -> list[SSAValue | DeferredProduct | None]:
        values: list[SSAValue | DeferredProduct | None] = [*args]
        values += [None] * (len(self.slots) - len(values))
        for slot, value in self.constants:
            values[slot] = emitter.constant(value)
        return values

    def _step_value(
        self,
        emitter: LoopEmitter,
        step: RegionOp,
        values: list[SSAValue | DeferredProduct | None],
        read_at: ReadAt,
    ) -> SSAValue | DeferredProduct:
        operands = [values[s] for s in step.operands]
        if step.op in self.products:
            lhs, rhs = operands
            assert isinstance(lhs, SSAValue)
            assert isinstance(rhs, SSAValue)
            return DeferredProduct(lhs, rhs)
        memo, key = emitter.scope.memo, (step, *operands)
        found = memo.get(key)
        if found is None:
            found = memo[key] = self._emit_step(emitter, step, operands, read_at)  # pyright: ignore
        return found

    def _emit_step(
        self, emitter: LoopEmitter, step: RegionOp, operands: list[SSAValue], read_at: ReadAt
    ) -> SSAValue:
        # Compare exact types: isinstance takes five times as long for other ops and types.
        if type(step.op) is AtOp:
            return read_at(operands[0], operands[1:], step.op.other)
        known = _known_position(emitter, step.op, operands)
        if known is not None:
            return known
        lanes = self.lanes if any(type(v.type) is VectorType for v in operands) else 1
        operands = [emitter.splat(v, lanes) for v in operands]
        type_ = step.scalar if lanes == 1 else step.vector
        special = _SPECIAL.get(type(step.op))
        if special is not None:
            op = special(step.op, operands, type_)
            if op is not None:
                return emitter.value(op) if isinstance(op, Operation) else emitter.constant(op)
        return emitter.value(
            type(step.op).create(
                operands=operands, result_types=[type_], properties=dict(step.op.properties)
            )
        )


def contractible(value: SSAValue) -> bool:
    """Return whether a value is a product of floats with one use, so that an FMA can replace it."""
    return (
        isinstance(value.owner, arith.MulfOp) and value.has_one_use() and value.type in (f32, f64)
    )


def _known_position(
    emitter: LoopEmitter, op: Operation, operands: list[SSAValue]
) -> SSAValue | None:
    """Emit an addition, subtraction or multiplication of index values as a loop.index.

    The index expression of the result is then known, and a te.at at this position has an affine
    address.  Returns None if an operand has no known index expression, if the result would not be
    affine, or for other ops.
    """
    if type(op) not in (arith.AddiOp, arith.SubiOp, arith.MuliOp):
        return None
    known = [position_of(emitter, v) for v in operands]
    lhs, rhs = known
    if lhs is None or rhs is None or (lhs.is_constant and rhs.is_constant):
        return None
    if isinstance(op, arith.MuliOp):
        if not (lhs.is_constant or rhs.is_constant):
            return None
        index = rhs * lhs.const if lhs.is_constant else lhs * rhs.const
    else:
        index = lhs + rhs if isinstance(op, arith.AddiOp) else lhs - rhs
    first, step = index.without(LANE), index.coefficient(LANE)
    if LANE in first.variables():
        return None  # lanes inside floordiv or mod have no common step
    type_ = operands[0].type if isinstance(operands[0].type, VectorType) else operands[1].type
    made = emitter.value(loop.IndexOp.make(first, type_, step=step))
    emitter.positions[made] = index
    return made


def position_of(emitter: LoopEmitter, value: SSAValue) -> Index | None:
    """Return the index expression that computes an index value; None if it is not known.

    For a vector, the expression contains the lane number, `LANE`.
    """
    known = emitter.positions.get(value)
    if known is not None:
        return known
    if isinstance(value.owner, arith.ConstantOp) and value.type == loop.INDEX:
        number = value.owner.value
        assert isinstance(number, IntegerAttr)
        return constant(number.value.data)
    return None


Special: TypeAlias = Callable[[Operation, list[SSAValue], Attribute], Operation | Attribute | None]
"""Returns the loop-level op of a scalar op, a constant, or None to copy the op."""


def _compare(op: Operation, operands: list[SSAValue], _type: Attribute) -> Operation | Attribute:
    assert isinstance(op, arith.CmpiOp | arith.CmpfOp)
    number = op.predicate.value.data
    integer = isinstance(op, arith.CmpiOp)
    names = arith.CMPI_COMPARISON_OPERATIONS if integer else arith.CMPF_COMPARISON_OPERATIONS
    name = names[number]
    if name in ("true", "false"):
        return IntegerAttr(int(name == "true"), i1)
    return loop.CompareOp.make(name, *operands)


def _select(_op: Operation, operands: list[SSAValue], type_: Attribute) -> Operation:
    return loop.SelectOp.create(operands=operands, result_types=[type_])


def _cast(op: Operation, operands: list[SSAValue], type_: Attribute) -> Operation | None:
    if not isinstance(type_, VectorType):
        return None
    return loop.CastOp.create(
        operands=operands,
        result_types=[type_],
        properties={"kind": loop.str_attr(op.name.removeprefix("arith."))},
    )


_SPECIAL: Mapping[type[Operation], Special] = {
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare,
    arith.SelectOp: _select,
    arith.ExtSIOp: _cast,
    arith.ExtUIOp: _cast,
    arith.TruncIOp: _cast,
    arith.SIToFPOp: _cast,
    arith.UIToFPOp: _cast,
    arith.FPToSIOp: _cast,
    arith.FPToUIOp: _cast,
    arith.IndexCastOp: _cast,
}
