"""Buffers of the scope ``warp``: each thread has an element, which threads of its warp read.

    %w = loop.alloc "warp" : memref<4x32xf32>        %w = loop.alloc "local" : memref<4x32xf32>
    loop.store %v, %w[%ty, %tx]                      loop.store %v, %w[%ty, %tx]
    %a = loop.load %w[%ty, %tx xor 16]        ==>    %b = loop.load %w[%ty, %tx]
                                                     %a = simt.shuffle xor 16 %b : f32

Thread ``t`` along x stores element ``t`` of the last dimension, and loads element ``t`` or ``t xor
mask`` for a mask below 32.  An exchange needs no barrier: the threads of a warp reach it together.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import loop
from ...dialects.simt import WARP, ShuffleOp
from ...support.affine import AtomKind, Index, divide, variable
from ...support.diagnostics import LoweringError

SCOPE = "warp"
"""The scope of such buffers."""


def exchanged(thread: SSAValue, mask: int, threads: int) -> Index:
    """Return ``thread xor mask`` as an index expression, for a mask that is a power of 2.

    The terms of the expression are binary digits of ``thread``, so that their ranges prove that the
    position is inside of a buffer.
    thread: the thread index along x.  threads: the number of threads along x.
    """
    own = variable(thread)

    def digit(kind: AtomKind, index: Index, divisor: int) -> Index:
        return divide(kind, index, divisor, lambda _: (0, threads - 1))

    bit = digit("mod", digit("floordiv", own, mask), 2)
    higher = digit("floordiv", own, 2 * mask) * (2 * mask)
    return higher - bit * mask + digit("mod", own, mask) + mask


def exchange_values(function: FuncOp, thread: SSAValue, threads: int) -> None:
    """Turn the loads of other threads' elements into shuffles, and make the buffers local.

    thread: the thread index along x.  threads: the number of threads along x.
    Errors: LoweringError for an access to other elements.
    """
    for op in [op for op in function.walk() if isinstance(op, loop.AllocOp)]:
        if op.scope.data == SCOPE:
            for user in [use.operation for use in op.res.uses]:
                _exchange(user, thread, threads)
            op.properties["scope"] = loop.str_attr("local")


def _exchange(op: Operation, thread: SSAValue, threads: int) -> None:
    assert isinstance(op, loop.LoadOp | loop.StoreOp), "a buffer is loaded and stored"
    *outer, last = op.indices()
    lanes = [_value(last, thread, t) for t in range(threads)]
    mask = lanes[0]
    is_exchange = mask is not None and mask < WARP and lanes == [t ^ mask for t in range(threads)]
    if not is_exchange or (mask and isinstance(op, loop.StoreOp)):
        raise LoweringError(
            "a thread uses an element of another thread of its block",
            expected="its own element, or a load from lane xor mask of its warp",
            got=", ".join(map(str, op.indices())),
            hint="set_scope to shared",
        ).at(op)
    if not mask or not isinstance(op, loop.LoadOp):
        return
    own = loop.LoadOp.make(op.mem, [*outer, variable(thread)], op.res.type)
    made = ShuffleOp(own.res, mask)
    Rewriter.insert_op([own, made], InsertPoint.before(op))
    op.res.replace_all_uses_with(made.res)
    Rewriter.erase_op(op)


def _value(index: Index, thread: SSAValue, number: int) -> int | None:
    """Return the value of an index for thread ``number``; None if it has another variable.

    thread: the thread index along x.
    """
    if any(key is not thread for key in index.variables()):
        return None
    return index.evaluate(lambda _: number)
