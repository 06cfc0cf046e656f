"""Fast code of the interpreters of rows (sampled.py) and threads (simt.py) for frequent ops.

In: an op of a block that all rows run.  Out: a function without arguments that runs the op, with
all properties of the op read in advance; None for an op that has no fast code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, cast

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.loop import lanes_of
from ..support.affine import Atom, Index, Key
from .body import scalar_value
from .memory import Array
from .thread_memory import Memory, Value

Values: TypeAlias = dict[SSAValue, Value]
Code: TypeAlias = Callable[[], None]
_Evaluator: TypeAlias = Callable[[], Array]


class RunState(Protocol):
    """The interface of the run of a block for all rows, which the fast code of an op uses.

    size: the number of rows.
    """

    size: int

    @property
    def values(self) -> Values:
        """The SSA values of the run."""
        ...

    def read(self, op: Operation, memory: Memory, places: Array) -> Array:
        """Return the elements that a load reads; check the access, and record it to detect races.

        op: the load, for errors.  memory: the buffer.  places: the offsets of the elements in the
        buffer, as an array (rows, lanes); (lanes) if all rows read the same elements.  The axes of
        loops whose iterations run at once come first.
        """
        ...

    def is_constant(self, memory: Memory) -> bool:
        """Return whether loads from a buffer need neither checks nor records."""
        ...

    def write(self, op: Operation, memory: Memory, places: Array, values: Array) -> None:
        """Write the elements of a store; check the access, and record it to detect races.

        op: the store, for errors.  memory: the buffer.
        places, values: the offsets of the elements in the buffer, and their values, as arrays
        (rows, lanes).
        """
        ...


def fast_code(op: Operation, run: RunState, slow: Code) -> Code | None:
    """Return a function without arguments that runs an op for all rows; None if there is none.

    run: the run in whose values the function finds operands and stores results.
    slow: a function that runs the op in the general way. The fast code calls it if an access is
    outside of its buffer, so that it raises the error.
    """
    match op:
        case loop.LoadOp() if op.rows is None and op.lanes is None:
            return _load(op, run, slow)
        case loop.StoreOp() if not op.clip_ranges() and op.rows is None and op.lanes is None:
            return _store(op, run, slow)
        case loop.BroadcastOp():
            return _broadcast(op, run.values)
        case math.FmaOp():
            return _fma(op, run.values)
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
    """Return the operand of an addition whose array the sum may overwrite, or None.

    It is ``total``, if it has the shape of the sum.
    """
    is_whole = total.ndim > 0 and np.broadcast_shapes(total.shape, addend.shape) == total.shape
    return total if is_whole else None


def _broadcast(op: loop.BroadcastOp, values: Values) -> Code:
    source, result, width = op.value, op.res, lanes_of(op.res.type)

    def run() -> None:
        value = np.asarray(values[source])
        values[result] = np.broadcast_to(value[..., None], (*value.shape, width))

    return run


def _load(op: loop.LoadOp, run: RunState, slow: Code) -> Code:
    """Return the code of a load of consecutive or equally spaced elements.

    slow: runs the load if an access is outside of its buffer, to raise the error, or if elements
    outside of the buffer are padded and accesses to the buffer are recorded.
    """
    values, mem, result = run.values, op.mem, op.res
    is_vector, width = isinstance(op.res.type, VectorType), lanes_of(op.res.type)
    places_in, pad = _places(op, width, values), op.pad
    padded_in = None if pad is None else _padded_places(op, width, values)

    def code() -> None:
        memory = cast(Memory, values[mem])
        places = places_in(memory, within_rows=pad is not None)
        if places is not None:
            read = run.read(op, memory, places)
        elif (
            padded_in is not None
            and pad is not None
            and memory.elements.size
            and run.is_constant(memory)
        ):
            places, inside = padded_in(memory)
            read = np.where(inside, memory.elements[np.where(inside, places, 0)], scalar_value(pad))
            read = read.astype(memory.elements.dtype)
        else:
            slow()
            return
        values[result] = read if is_vector else read[..., 0]

    return code


def _store(op: loop.StoreOp, run: RunState, slow: Code) -> Code:
    """Return the code of a store of consecutive or equally spaced elements.

    slow: runs the store if an access is outside of its buffer, to raise the error.
    """
    values, mem, value = run.values, op.mem, op.value
    is_vector, width = isinstance(op.value.type, VectorType), lanes_of(op.value.type)
    places_in = _places(op, width, values)

    def code() -> None:
        memory = cast(Memory, values[mem])
        places = places_in(memory)
        if places is None:
            slow()
            return
        stored = np.asarray(values[value])
        lanes = stored if is_vector else stored[..., None]
        shape = np.broadcast_shapes(places.shape, lanes.shape, (run.size, width))
        run.write(op, memory, np.broadcast_to(places, shape), np.broadcast_to(lanes, shape))

    return code


def _places(
    op: loop.LoadOp | loop.StoreOp, lanes: int, values: Values
) -> Callable[..., Array | None]:
    """Return a function that computes the element offsets of an access in a buffer.

    The function returns an array (rows, lanes), or (lanes) if the offsets of all rows are equal;
    None if an offset is outside of the buffer. Its option ``within_rows`` says whether all lanes
    must be in one row of the buffer.
    lanes: the number of lanes of the access.
    values: the values of the SSA values.
    """
    symbols = list(op.syms)
    indices = [_evaluator(e, symbols, values) for e in loop.numbered_indices(op.map.data)]
    steps = op.step * np.arange(lanes)

    def places_in(memory: Memory, *, within_rows: bool = False) -> Array | None:
        flat: Array = np.zeros((), np.int64)
        reach = int(steps[-1]) if within_rows else 0
        for number, (index, size) in enumerate(zip(indices, memory.shape, strict=True)):
            at = index()
            is_last = number == len(indices) - 1
            if not _are_below(at, size - reach * is_last):
                return None
            flat = flat * size + at
        places = flat[..., None] + steps
        return places if _are_below(places, memory.elements.shape[-1]) else None

    return places_in


def _padded_places(
    op: loop.LoadOp, lanes: int, values: Values
) -> Callable[[Memory], tuple[Array, Array]]:
    """Return a function that computes element offsets, and which of them are inside the buffer.

    lanes: the number of lanes of the access.  values: the values of the SSA values.
    """
    symbols = list(op.syms)
    indices = [_evaluator(e, symbols, values) for e in loop.numbered_indices(op.map.data)]
    steps = op.step * np.arange(lanes)

    def places_in(memory: Memory) -> tuple[Array, Array]:
        flat, inside = np.zeros(1, np.int64), np.ones(1, bool)
        for number, (index, size) in enumerate(zip(indices, memory.shape, strict=True)):
            column = index()[..., None] + (steps if number == len(indices) - 1 else 0)
            inside = inside & (column >= 0) & (column < size)
            flat = flat * size + column
        return flat, inside

    return places_in


def _are_below(numbers: Array, limit: int) -> bool:
    """Return whether integers of 64 bits are at least 0 and below a limit."""
    if limit <= 0:
        return False
    return int(numbers.view(np.uint64).max()) < limit  # a negative number is a large unsigned one


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
