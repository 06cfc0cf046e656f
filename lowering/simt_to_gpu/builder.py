"""The builder of one gpu.func: values of lanes, constants, positions and sizes.

A vector of the loop level becomes a list of lanes, each an SSA value, because a GPU thread has no
vector instructions except memory accesses. Constants and sizes are computed at the start of the
kernel, all other values at the position of the op that they replace.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.shape import Call, Extent, Monomial, extent_of
from ...support.affine import Atom, Index, Key
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.op_emitter import Handlers, IndexRanges

Lanes: TypeAlias = Sequence[SSAValue]
INDEX = IndexType()


class KernelBuilder(IndexRanges):
    """The builder of one gpu.func.

    handlers: the function that appends the ops that replace an op, by the type of the op.
    lanes: the values of the lanes of each value of the simt level.
    sizes: the arguments of the gpu.func with the symbolic sizes, by name.
    head: the ops at the start of the gpu.func.
    """

    def __init__(self, handlers: Handlers, sizes: Mapping[str, SSAValue]) -> None:
        super().__init__()
        self.handlers = handlers
        self.lanes: dict[SSAValue, Lanes] = {}
        self.head: list[Operation] = []
        self._sizes = sizes
        self._ops = self.head
        self._scopes: list[dict[object, SSAValue]] = [{}]

    # ---- ops

    def emit(self, op: Operation) -> None:
        """Append the ops that replace one op of the simt level.

        Errors: LoweringError for an op that MLIR's own dialects cannot express.
        """
        handler = self.handlers.get(type(op))
        if handler is None:
            raise LoweringError(
                "no op of MLIR's own dialects stands for this op",
                got=op.name,
                hint="schedule the kernel without the step that makes the op",
            ).at(op)
        handler(self, op)

    def emit_body(self, block: Block) -> None:
        """Append the ops that replace a block's ops, except the terminator."""
        for op in block.ops:
            if op is not block.last_op:
                self.emit(op)

    def append(self, op: Operation) -> None:
        """Append an op to the current block."""
        self._ops.append(op)

    def add(self, op: Operation) -> SSAValue:
        """Append an op to the current block; return its result."""
        self._ops.append(op)
        return op.results[0]

    def pure(self, op: Operation) -> SSAValue:
        """Append an op without side effects, unless an equal op exists in scope; return its result.

        If an equal op exists, ``op`` is erased and the result of the other op is returned.
        """
        key = (type(op), tuple(op.operands), tuple(op.properties.items()), op.results[0].type)
        for scope in self._scopes:
            if key in scope:
                op.erase()
                return scope[key]
        self._scopes[-1][key] = op.results[0]
        return self.add(op)

    @contextmanager
    def block(self, *types: Attribute) -> Generator[Block]:
        """Open a new block for the ``with`` block, in which all ops are appended to it.

        types: the types of the block's arguments.
        """
        block, outer = Block(arg_types=types), self._ops
        self._ops = []
        self._scopes.append({})
        yield block
        block.add_ops(self._ops)
        self._scopes.pop()
        self._ops = outer

    @contextmanager
    def _at_head(self) -> Generator[None]:
        """Append the ops of the ``with`` block to the start of the kernel."""
        ops, scopes = self._ops, self._scopes
        self._ops, self._scopes = self.head, scopes[:1]
        yield
        self._ops, self._scopes = ops, scopes

    def number(self, type_: Attribute, value: float) -> SSAValue:
        """Return a constant of an integer, float or index type with this value."""
        if isinstance(type_, IntegerType | IndexType):
            attribute = IntegerAttr(int(value), type_, truncate_bits=True)
        else:
            attribute = FloatAttr(value, cast(AnyFloat, type_))
        return self.constant(attribute)

    def constant(self, attribute: Attribute) -> SSAValue:
        """Return the value of a constant, which is defined at the start of the kernel."""
        with self._at_head():
            return self.pure(arith.ConstantOp(cast("IntegerAttr", attribute)))

    def define(self, value: SSAValue, lanes: Lanes) -> None:
        """Record the lanes that replace a value of the simt level."""
        self.lanes[value] = lanes
        for lane in lanes:
            lane.name_hint = lane.name_hint or value.name_hint

    # ---- positions

    def position(self, index: Index) -> SSAValue:
        """Append the ops of an index expression; return its value."""
        terms = [self._product(self._key(key), c) for key, c in index.terms.items()]
        if index.const or not terms:
            terms.append(self.number(INDEX, index.const))
        return reduce(self.sum, terms)

    def sum(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Return the sum of two values of index type."""
        return self.pure(arith.AddiOp(lhs, rhs, INDEX))

    def _product(self, value: SSAValue, factor: int) -> SSAValue:
        if factor == 1:
            return value
        return self.pure(arith.MuliOp(value, self.number(INDEX, factor), INDEX))

    def _key(self, key: Key) -> SSAValue:
        if not isinstance(key, Atom):
            (value,) = self.lanes[cast(SSAValue, key)]
            return value
        is_natural = key.operand.range(self.range_of)[0] >= 0
        divisor = self.number(INDEX, key.divisor)
        return self._divided(key.kind, self.position(key.operand), divisor, is_natural=is_natural)

    def _divided(
        self, kind: str, value: SSAValue, divisor: SSAValue, *, is_natural: bool
    ) -> SSAValue:
        """Append a quotient that is rounded down, or the remainder of this division; return it.

        kind: ``floordiv`` for the quotient, ``mod`` for the remainder.
        is_natural: whether ``value`` is never negative.
        """
        if is_natural:
            made = arith.DivSIOp if kind == "floordiv" else arith.RemSIOp
            return self.pure(made(value, divisor, INDEX))
        quotient = self.pure(arith.FloorDivSIOp(value, divisor, INDEX))
        if kind == "floordiv":
            return quotient
        whole = self.pure(arith.MuliOp(quotient, divisor, INDEX))
        return self.pure(arith.SubiOp(value, whole, INDEX))

    # ---- sizes

    def size(self, extent: Extent) -> SSAValue:
        """Return the value of a size; a symbolic one is computed at the start of the kernel."""
        with self._at_head():
            return self._size(extent)

    def _size(self, extent: Extent) -> SSAValue:
        if isinstance(extent, int):
            return self.number(INDEX, extent)
        terms = [self._product(self._factors(factors), n) for factors, n in extent.terms]
        return reduce(self.sum, terms) if terms else self.number(INDEX, 0)

    def _factors(self, factors: Monomial) -> SSAValue:
        values = [self._call(f) if isinstance(f, Call) else self._sizes[f] for f in factors]
        one = [] if values else [self.number(INDEX, 1)]
        return reduce(lambda a, b: self.pure(arith.MuliOp(a, b, INDEX)), [*values, *one])

    def _call(self, call: Call) -> SSAValue:
        lhs, rhs = (self._size(extent_of(side)) for side in (call.lhs, call.rhs))
        if call.function in ("min", "max"):
            made = arith.MinSIOp if call.function == "min" else arith.MaxSIOp
            return self.pure(made(lhs, rhs, INDEX))
        if call.rhs.value is None:
            rhs = self.pure(arith.MaxSIOp(rhs, self.number(INDEX, 1), INDEX))
        return self._divided(call.function, lhs, rhs, is_natural=call.lhs.is_at_least(0))
