"""simt-repeat-results: let each thread compute the reduction results that it reads.

                                                 loop.for bind threadIdx.x %t = 0 to 64 {
    %v = loop.load %part[0] : .., vector<8xf32>    %v = loop.load %part[0] : .., vector<8xf32>
    %r = loop.reduce "add" %v : ..                 %r = loop.reduce "add" %v : ..
    loop.store %r, %sum[0]                   ==>   loop.store %r, %sums[%t, 0] }
    loop.for bind threadIdx.x %t = 0 to 64 {     loop.for bind threadIdx.x %t = 0 to 64 {
      .. loop.load %sum[0] .. }                    .. loop.load %sums[%t, 0] .. }

Otherwise all threads would wait for the one thread that computes the result. The repetition costs
no time and saves a barrier.  Only statements that reduce a vector are repeated: they have no loops.

Before: kernels with loops bound to threads that simt-check-threads accepted.  After:
simt-check-threads still accepts them.
Exact: each thread computes the same value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.threads.fork_join import bound_loops_around, thread_of, thread_sizes
from ...analysis.threads.thread_accesses import Accesses, by_buffer
from ...dialects.loop import AllocOp, LoadOp, StoreOp, str_attr
from ...dialects.shape import static_shape
from ...support.affine import constant, variable
from ...support.passes import ExactPass
from ..rewrite.loops import set_indices
from .kernels import fork_join_kernels
from .statements import ThreadStatement, statements_of, wrap


@dataclass(frozen=True)
class RepeatResults(ExactPass):
    """Repeat the reductions in all kernels of a module with loops bound to threads."""

    name = "simt-repeat-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in fork_join_kernels(op):
            repeat_results(function)


def repeat_results(function: FuncOp) -> None:
    """Let each thread of one kernel repeat the reductions whose results it reads.

    Statements are visited from last to first. One is repeated if the threads that read its results
    are known; later statements may read them.
    """
    sizes = {name: size for name, size in thread_sizes(function).items() if size > 1}
    for statement in reversed(statements_of(function)):
        missing = [name for name in sizes if name not in statement.names]
        if statement.reductions and missing:
            _repeat(function, statement, sizes, missing)


def _repeat(
    function: FuncOp, statement: ThreadStatement, sizes: Mapping[str, int], missing: Sequence[str]
) -> None:
    """Let all threads along some dimensions run a statement, each for its own copy of the results.

    The statement does not change if a thread could then read the result of another thread.
    sizes: the number of threads per thread index.
    missing: the thread indices of these dimensions, to which no loop of the statement is bound.
    """
    buffers = dict.fromkeys(op.mem for op in statement.stores)
    if any(op.mem in buffers for op in statement.loads):
        return
    if not all(_is_own(function, each, statement, sizes, missing) for each in buffers):
        return
    ops = list(statement.ops)
    for name in reversed(missing):
        ops = [wrap(ops, name, [constant(sizes[name])])]
    for buffer in buffers:
        _spread(buffer, [sizes[name] for name in missing], missing)


def _is_own(
    function: FuncOp,
    buffer: SSAValue,
    statement: ThreadStatement,
    sizes: Mapping[str, int],
    missing: Sequence[str],
) -> bool:
    """Return whether each thread along ``missing`` may have its own copy of a buffer of results.

    This requires that no other statement stores the results, that loops along these dimensions are
    around all reads of them, and that threads along the other dimensions use different elements.
    statement: the statement that stores the results.
    sizes: the number of threads per thread index.
    missing: the thread indices to which no loop of the statement is bound.
    """
    if not isinstance(buffer.owner, AllocOp) or buffer.owner.scope.data != "shared":
        return False
    for op in (use.operation for use in buffer.uses):
        if isinstance(op, StoreOp):
            is_plain = op in statement.ops and list(op.properties) == ["map"]
        else:
            around = {thread_of(each) for each in bound_loops_around(op)}
            is_plain = isinstance(op, LoadOp) and op.pad is None and around >= {*missing}
        if not is_plain:
            return False
    others = Accesses({name: size for name, size in sizes.items() if name not in missing})
    found = by_buffer(others.of(function.body.block.ops, {}))[buffer]
    keys = {key for access in found for e in access.indices for key in e.variables()}
    return keys.isdisjoint(missing) and others.shares(found) is not None


def _spread(buffer: SSAValue, extents: Sequence[int], missing: Sequence[str]) -> None:
    """Give each thread along the dimensions ``missing`` its own copy of a buffer.

    extents: the number of threads along each of these dimensions.
    """
    old = cast(AllocOp, buffer.owner)
    new = old.resized([*extents, *static_shape(cast(MemRefType, buffer.type))])
    new.properties["scope"] = str_attr("local")
    Rewriter.insert_op(new, InsertPoint.before(old))
    for op in [use.operation for use in buffer.uses]:
        loops = {thread_of(each): each for each in bound_loops_around(op)}
        own = [variable(loops[name].variable) for name in missing]
        assert isinstance(op, LoadOp | StoreOp), "a result is stored and loaded"
        set_indices(op, [*own, *op.indices()], new.res)
    Rewriter.erase_op(old)
