"""Chains of elementwise ops from bytes to bytes become tables of 256 bytes.

    %x = graph.dequantize %q, %s zero %z
    %y = graph.tanh %x                       ==>   %r = graph.gather %table, (i32 of %q's bits)
    %r = graph.quantize %y, %t zero %u

A chain begins at one tensor of bytes; all its other operands are scalar constants. It may contain
intermediate quantizations, as a GELU of five quantized ops does. The interpreter evaluates the
chain for all 256 bytes, so the table has exactly the results of the chain. Short chains without
functions such as exp stay: they cost less than a table.
Exact: as the graph interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import (
    BitcastOp,
    CastOp,
    ConstantOp,
    ElementwiseOp,
    GatherOp,
    QuantizeOp,
)
from ...dialects.shape import type_of
from ...interp.graph import evaluate_op
from ...support.rewriting import rewrites
from .constant_values import Array, uniform_value
from .inserted_ops import InsertedOps
from .quantized_values import POINTWISE, is_byte
from .simplify import replace_by_value

_CHEAP = frozenset({"add", "sub", "mul", "div", "neg", "abs", "max", "min"})
_LEAST_QUANTIZED = 3
"""Quantizations in a chain of cheap ops that cost more than a table."""

_MOST_OPS = 64
_BYTES = 256
_U8 = IntegerType(8, Signedness.UNSIGNED)


class LookUpBytes(RewritePattern):
    """Replace ``quantize(f(dequantize(x)))`` by ``table[x]``, a lookup of each byte."""

    @rewrites(QuantizeOp)
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        chain = _Chain()
        sources = chain.sources_of(op.out) if is_byte(op.out) else ()
        if len(sources) != 1 or op.out in sources or not chain.is_costly:
            return
        (source,) = sources
        ops = InsertedOps(rewriter, op)
        table = ops.constant(chain.table(op.out, source))
        bits = source if type_of(source).element_type == _U8 else ops.add(BitcastOp(source, _U8))
        replace_by_value(rewriter, op, ops.add(GatherOp(table, ops.cast(bits, i32), 0)))


class _Chain:
    """The elementwise ops that compute a result from one tensor of bytes.

    A lookup in a byte table, which an earlier rewrite made, counts as an elementwise op.
    """

    def __init__(self) -> None:
        self._sources: dict[SSAValue, frozenset[SSAValue]] = {}
        self._visited = 0

    def sources_of(self, value: SSAValue) -> frozenset[SSAValue]:
        """Return the tensors at which the chain of elementwise ops that computes a value begins.

        A scalar constant has none. A tensor of bytes that is computed from one other tensor of
        bytes is not a source itself.
        """
        if value not in self._sources:
            self._sources[value] = self._find_sources(value)
        return self._sources[value]

    def _find_sources(self, value: SSAValue) -> frozenset[SSAValue]:
        if uniform_value(value) is not None:
            return frozenset()
        inputs = _inputs(value.owner)
        self._visited += 1
        if not inputs or self._visited > _MOST_OPS:
            return frozenset([value])
        found = frozenset(source for v in inputs for source in self.sources_of(v))
        if is_byte(value) and not (len(found) == 1 and all(map(is_byte, found))):
            return frozenset([value])
        return found

    @property
    def is_costly(self) -> bool:
        """Whether the ops cost more than a table lookup."""
        owners = [value.owner for value in self._sources]
        quantized = sum(isinstance(op, QuantizeOp) for op in owners)
        heavy = any(isinstance(op, ElementwiseOp) and op.MNEMONIC not in _CHEAP for op in owners)
        return (
            heavy
            or quantized >= _LEAST_QUANTIZED
            or any(_looked_up(op) is not None for op in owners)
        )

    def table(self, result: SSAValue, source: SSAValue) -> Array:
        """Return the results for all 256 bytes of the source, indexed by the unsigned byte."""
        every = np.arange(_BYTES, dtype=np.uint8).view(numpy_dtype(type_of(source).element_type))
        known: dict[SSAValue, Array] = {source: every}

        def evaluated(value: SSAValue) -> Array:
            if value not in known:
                known[value] = _evaluate(value, evaluated)
            return known[value]

        return evaluated(result)


def _evaluate(value: SSAValue, evaluated: Callable[[SSAValue], Array]) -> Array:
    number, op = uniform_value(value), value.owner
    if number is not None:
        return np.full(_BYTES, number)
    assert isinstance(op, Operation), "an argument is a source, or no operand of a chain"
    table = _looked_up(op)
    if table is not None:
        return table[evaluated(_inputs(op)[0]).view(np.uint8)]
    return evaluate_op(op, [evaluated(operand) for operand in op.operands])[0]


def _inputs(op: Operation | Block) -> Sequence[SSAValue]:
    """Return the operands through which a chain reaches earlier ops; () if ``op`` is the first."""
    if isinstance(op, GatherOp) and _looked_up(op) is not None:
        bits = op.indices.owner
        assert isinstance(bits, CastOp), "as LookUpBytes makes it"
        return [bits.x.owner.x if isinstance(bits.x.owner, BitcastOp) else bits.x]
    return op.operands if isinstance(op, POINTWISE) else ()


def _looked_up(op: Operation | Block) -> Array | None:
    if not isinstance(op, GatherOp) or not isinstance(op.x.owner, ConstantOp):
        return None
    index, table = op.indices.owner, op.x.owner.value.stored
    is_bytes = isinstance(index, CastOp) and type_of(index.x).element_type == _U8
    return op.x.owner.array if is_bytes and is_byte(op.x) and table.shape == (_BYTES,) else None
