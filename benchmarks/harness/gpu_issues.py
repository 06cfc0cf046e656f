"""Issue slots: the instructions that a warp issues at least for an op of a GPU kernel.

A warp issues an instruction for all its threads at once. Ops that only name registers or constants
are free, and so are integers of addresses, which the assembler keeps in registers or folds into
offsets where it can. Instructions of addresses, of loops and of divisions of special numbers are
not counted. tests/tools/test_gpu_counts.py compares the counts with the code of ten kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from xdsl.dialects.arith import (
    AddfOp,
    ConstantOp,
    DivfOp,
    ExtFOp,
    FastMathFlagsAttr,
    MulfOp,
    SubfOp,
    TruncFOp,
)
from xdsl.dialects.builtin import VectorType, f16
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.dialects import loop, simt
from tilewright.dialects.dtypes import bit_width

_ROOT = 8
"""A root with a correction, rounded exactly. Source: SASS of sqrt.rn for sm_80, the path without
special numbers."""

MATH: Mapping[str, int] = {
    "math.exp": 11,
    "math.erf": 22,
    "math.tanh": 32,
    "math.log": 36,
    "math.sin": 28,
    "math.cos": 28,
    "math.sqrt": _ROOT,
    "math.rsqrt": 2 * _ROOT,
    "arith.divf": 13,
}
"""Instructions of functions that are expanded into several, for a lane of 32 bits.

Source: PTX of a kernel with the function; tests/tools/test_gpu_issues.py counts it."""

_APPROXIMATE: Mapping[str, int] = {"math.exp": 8}
"""Instructions of functions that use an approximation of the GPU, where the precision allows it.

Source: SASS of a softmax for sm_80."""

_FREE = (
    "arith.constant",
    "arith.index_cast",
    "func.return",
    "loop.alloc",
    "loop.broadcast",
    "loop.extract",
    "loop.for",
    "loop.index",
    "loop.join",
    "loop.pack",
    "loop.size",
    "loop.slice",
    "loop.yield",
    "simt.async_copy",
    "te.yield",
)
"""Ops without an instruction of their own. The access of a copy counts as the copy."""

_ACCESS_BYTES, _REGISTER_BITS = 16, 32
"""Bytes of a thread that one instruction moves; bits that one computes."""


MULTIPLY, MATRIX_LOAD, COPY, BARRIER, SHUFFLE = "multiply", "ldmatrix", "copy", "barrier", "shuffle"
"""Classes of instructions: of matrices, asynchronous copies, and of the threads of a block."""

_CLASSES: Mapping[type[Operation], str] = {
    simt.MmaOp: MULTIPLY,
    simt.LoadMatrixOp: MATRIX_LOAD,
    simt.BarrierOp: BARRIER,
    simt.ShuffleOp: SHUFFLE,
}


def issue_slots(op: Operation) -> int:
    """Return how many instructions a warp issues for an op, without the ops in its regions.

    Loads and stores are counted by `access_slots`, except those of private buffers, which are
    registers.
    """
    if op.name in _FREE or isinstance(op, loop.LoadOp | loop.StoreOp):
        return 0
    if isinstance(op, loop.ReduceOp):
        return _lanes(op.operands[0].type) - 1
    if isinstance(op, simt.MmaOp | simt.LoadMatrixOp | simt.ShuffleOp | simt.WarpgroupWaitOp):
        return 1
    if isinstance(op, simt.WarpgroupMmaOp):
        return len(op.lhs) + 2  # with the fence and the commit
    if not op.results:
        return 1
    if _is_free_conversion(op):
        return 0
    bits = _bits(f16 if _is_of_halves(op) else op.results[0].type)
    return _per_lane(op) * -(-_lanes(op.results[0].type) * bits // _REGISTER_BITS)


def _is_free_conversion(op: Operation) -> bool:
    """Return whether only ops of halves use the result of an extension, or make a rounded value."""
    if isinstance(op, ExtFOp):
        return all(_is_of_halves(use.operation) for use in op.results[0].uses)
    maker = op.operands[0].owner if isinstance(op, TruncFOp) else None
    return isinstance(maker, Operation) and _is_of_halves(maker)


def _is_of_halves(op: Operation) -> bool:
    """Return whether an op computes a f16 from f16, in f32 by its text and in f16 by its code."""
    if not isinstance(op, AddfOp | SubfOp | MulfOp):
        return False
    uses = [use.operation for use in op.results[0].uses]
    values = [use.results[0] for use in uses if isinstance(use, TruncFOp)]
    values += [v.owner.operands[0] for v in op.operands if isinstance(v.owner, ExtFOp)]
    count = len(op.operands) + 1
    return len(uses) == 1 and len(values) == count and all(_is_half(v.type) for v in values)


def _is_half(type_: Attribute) -> bool:
    return (type_.get_element_type() if isinstance(type_, VectorType) else type_) == f16


def _per_lane(op: Operation) -> int:
    if isinstance(op, DivfOp) and _is_constant(op.rhs):
        return 1  # a multiplication by the reciprocal
    flags = getattr(op, "fastmath", None)
    if isinstance(flags, FastMathFlagsAttr) and FastMathFlag.APPROX_FUNC in flags.data:
        return _APPROXIMATE.get(op.name, MATH.get(op.name, 1))
    return MATH.get(op.name, 1)


def _is_constant(value: SSAValue) -> bool:
    if isinstance(value.owner, loop.BroadcastOp):
        value = value.owner.operands[0]
    return isinstance(value.owner, ConstantOp)


def class_of(op: Operation) -> str:
    """Return the class of the instructions of an op: those of `_CLASSES`, or the op's name."""
    return _CLASSES.get(type(op), op.name)


def class_of_access(op: loop.LoadOp | loop.StoreOp) -> str:
    """Return the class of an access: a copy, or a load or store of global or shared memory."""
    if isinstance(op.parent_op(), simt.AsyncCopyOp):
        return COPY
    space = "shared" if isinstance(op.mem.owner, loop.AllocOp) else "global"
    return f"{space} {'load' if isinstance(op, loop.LoadOp) else 'store'}"


def access_slots(lanes: int, size: int, step: int, alignment: int) -> int:
    """Return how many instructions an access of each thread takes.

    lanes: the number of elements that a thread accesses.  size: the bytes of an element.  step: the
    bytes from one element to the next.  alignment: a divisor of the addresses of all threads.
    """
    widest = max(size, gcd(alignment, _ACCESS_BYTES))
    return -(-lanes * size // widest) if step == size else lanes


def _lanes(type_: Attribute) -> int:
    return type_.get_shape()[-1] if isinstance(type_, VectorType) else 1


def _bits(type_: Attribute) -> int:
    """Return the number of bits in which an instruction computes an element.

    A predicate counts as one slot.
    """
    element = type_.get_element_type() if isinstance(type_, VectorType) else type_
    width = bit_width(element)
    return _REGISTER_BITS if width < 16 else min(width, _REGISTER_BITS)


__all__ = [
    "BARRIER", "COPY", "MATH", "MATRIX_LOAD", "MULTIPLY", "SHUFFLE", "access_slots", "class_of",
    "class_of_access", "issue_slots",
]  # fmt: skip
