"""Fast code of the rows interpreter (sampled.py) for the ops that its inner loops repeat.

In: an op of a block that all rows run.  Out: a function without arguments that runs the op, with
all properties of the op read in advance; None for an op that has no fast code.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..support.affine import Atom, Index, Key
from .lanes import lanes_of
from .memory import Array
from .simt import Memory, Value
from .thread_memory import LocalBuffer

Values: TypeAlias = MutableMapping[SSAValue, Value]
Code: TypeAlias = Callable[[], None]
_Evaluator: TypeAlias = Callable[[], Array]


def fast_code(op: Operation, values: Values, rows: Array, slow: Code) -> Code | None:
    """Return the fast code of an op, or None.

    values: the values of the run.  rows: the numbers of all rows.  slow: the code for accesses
    outside of a buffer, which it reports.
    """
    match op:
        case loop.LoadOp() if op.pad is None and op.rows is None and op.lanes is None:
            return _load(op, values, rows, slow)
        case loop.BroadcastOp():
            return _broadcast(op, values)
        case math.FmaOp():
            return _fma(op, values)
        case loop.PrefetchOp():
            return _nothing
        case _:
            return None


def _nothing() -> None: ...


def _fma(op: math.FmaOp, values: Values) -> Code | None:
    """Return the code of a multiply-add of f32, whose product is exact in f64."""
    type_ = op.results[0].type
    if (type_.element_type if isinstance(type_, VectorType) else type_) != f32:
        return None
    x, y, z, result = op.a, op.b, op.c, op.results[0]

    def run() -> None:
        left, right, addend = (np.asarray(values[v]) for v in (x, y, z))
        total = np.multiply(left, right, dtype=np.float64)
        values[result] = np.asarray(np.add(total, addend, out=_own(total, addend)), np.float32)

    return run


def _own(total: Array, addend: Array) -> Array | None:
    """Return the array in which a sum can be made: the first operand, if it has the sum's shape."""
    is_whole = total.ndim > 0 and np.broadcast_shapes(total.shape, addend.shape) == total.shape
    return total if is_whole else None


def _broadcast(op: loop.BroadcastOp, values: Values) -> Code:
    source, result, width = op.value, op.res, lanes_of(op.res.type)

    def run() -> None:
        value = np.asarray(values[source])
        values[result] = np.broadcast_to(value[..., None], (*value.shape, width))

    return run


def _load(op: loop.LoadOp, values: Values, rows: Array, slow: Code) -> Code:
    symbols, mem, result = list(op.syms), op.mem, op.res
    indices = [_evaluator(e, symbols, values) for e in loop.numbered_indices(op.map.data)]
    stride, is_vector = op.stride.data if op.stride else 1, isinstance(op.res.type, VectorType)
    steps = stride * np.arange(lanes_of(op.res.type))
    column = rows[:, None]

    def run() -> None:
        memory = cast(Memory, values[mem])
        flat: Array = np.zeros((), np.int64)
        for index, size in zip(indices, memory.shape, strict=True):
            at = index()
            if at.min() < 0 or at.max() >= size:
                slow()
                return
            flat = flat * size + at
        places = flat[..., None] + steps if is_vector else flat
        last = memory.elements.shape[-1]
        if places.min() < 0 or places.max() >= last:
            slow()
            return
        if isinstance(memory, LocalBuffer):
            where = (column, places) if is_vector else (rows, places)
            memory.check_read(op, *where)
            values[result] = memory.elements[where]
            return
        memory.check_written(op, places.reshape(-1))
        values[result] = np.asarray(memory.elements[places])

    return run


def _evaluator(index: Index, symbols: Sequence[SSAValue], values: Values) -> _Evaluator:
    const = np.asarray(index.const, np.int64)
    terms = [(factor, _key(key, symbols, values)) for key, factor in index.terms.items()]

    def run() -> Array:
        total = const
        for factor, value in terms:
            total = total + factor * value()
        return total

    return run


def _key(key: Key, symbols: Sequence[SSAValue], values: Values) -> _Evaluator:
    if not isinstance(key, Atom):
        symbol = symbols[cast(int, key)]
        return lambda: cast(Array, values[symbol])
    inner, divisor = _evaluator(key.operand, symbols, values), key.divisor
    return (lambda: inner() // divisor) if key.kind == "floordiv" else (lambda: inner() % divisor)


__all__ = ["fast_code"]
