"""Issue slots: the instructions that a warp issues at least for an op of a GPU kernel.

A warp issues an instruction for all its threads at once. Ops that only name registers or constants
are free, and so are integers of addresses, which the assembler keeps in registers or folds into
offsets where it can. So the count is a lower bound: the assembler adds instructions of addresses,
of loops and of divisions of special numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

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

_FREE = (
    "arith.constant",
    "arith.extf",
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
"""Ops without an instruction of their own. A conversion from f16 may be part of its reader; the
access of a copy counts as the copy."""

_ACCESS_BYTES, _REGISTER_BITS, _ROUND_BF16 = 16, 32, 4
"""Bytes of a thread that one instruction moves; bits that one computes; a rounding to bf16."""


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
    type_ = op.results[0].type
    return _per_lane(op) * -(-_lanes(type_) * _bits(type_) // _REGISTER_BITS)


def _per_lane(op: Operation) -> int:
    if op.name == "arith.truncf":
        return _ROUND_BF16 if str(op.results[0].type).endswith("bf16") else 0
    return MATH.get(op.name, 1)


def access_slots(lanes: int, size: int, step: int) -> int:
    """Return how many instructions an access of each thread takes.

    lanes: the number of elements that a thread accesses.  size: the bytes of an element.  step: the
    bytes from one element to the next.
    """
    return -(-lanes * size // _ACCESS_BYTES) if step == size else lanes


def _lanes(type_: Attribute) -> int:
    return type_.get_shape()[-1] if isinstance(type_, VectorType) else 1


def _bits(type_: Attribute) -> int:
    """Return the number of bits in which an instruction computes an element.

    A predicate counts as one slot.
    """
    element = type_.get_element_type() if isinstance(type_, VectorType) else type_
    width = bit_width(element)
    return _REGISTER_BITS if width < 16 else min(width, _REGISTER_BITS)


__all__ = ["MATH", "access_slots", "issue_slots"]
