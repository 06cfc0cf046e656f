"""Fork-join kernels: loop functions whose loops are bound to the blocks and threads of a GPU.

    loop.for bind blockIdx.x %b = 0 to 8 {              the grid
      %s = loop.alloc "shared" : memref<128xf32>        a buffer of the block
      loop.for %k = 0 to 4 {                            a serial loop of the block
        loop.for bind threadIdx.x %t = 0 to 128 { .. }  a statement
        loop.for bind threadIdx.x %t = 0 to 64 { .. }   a statement of fewer threads
      }
    }

In: a kernel function.  Out: its parts and the extents of its launch.  The kernel's semantics are
those of serial loops; simt-map-threads turns it into one program that all threads run.
``check_form`` refuses functions of any other form, and the other functions here expect a function
that it accepts:

- at most one nest of ``blockIdx`` loops, around everything except pure ops and allocations;
- in it the *block program*: serial loops without carried values around statements;
- a statement is a perfect nest of ``threadIdx`` loops around serial code, or serial code without
  such loops, which one thread runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation
from xdsl.traits import is_side_effect_free

from ...dialects.loop import AllocOp, ForOp, IfOp, YieldOp
from ...dialects.shape import Dim
from ...dialects.simt import BarrierOp
from ...support.blocks import enclosing
from ...support.diagnostics import LoweringError
from .statements import statements_of

BLOCK, THREAD = "blockIdx", "threadIdx"
"""The levels of a launch: the prefixes of the names of block and thread indices."""


def is_bound(op: Operation, level: str) -> bool:
    """Return whether an op is a loop bound to a level of the launch: BLOCK or THREAD."""
    return isinstance(op, ForOp) and op.thread is not None and op.thread.data.startswith(level)


def bound_loops(op: Operation, level: str) -> list[ForOp]:
    """Return the loops in an op that are bound to a level, including the op itself."""
    return [o for o in op.walk() if isinstance(o, ForOp) and is_bound(o, level)]


def bound_loops_around(op: Operation) -> list[ForOp]:
    """Return the loops bound to threads that enclose an op, innermost first."""
    return [o for o in enclosing(op) if isinstance(o, ForOp) and is_bound(o, THREAD)]


def is_block_loop(op: Operation) -> bool:
    """Return whether an op is a serial loop around loops bound to threads."""
    return isinstance(op, ForOp) and op.thread is None and bool(bound_loops(op, THREAD))


def thread_of(op: ForOp) -> str:
    """Return the thread or block index to which a loop is bound."""
    assert op.thread is not None, "a bound loop"
    return op.thread.data


def extent_of_bound(op: ForOp) -> Dim:
    """Return the largest trip count of a bound loop, which is symbolic for some block loops.

    Errors: LoweringError if the loop does not start at 0, or if its end has no upper bound (a
    constant for threads, a constant or a size for blocks).
    """
    lows, highs = op.bounds()
    if [low.is_constant and low.const == 0 for low in lows] == [True]:
        constants = [high.const for high in highs if high.is_constant]
        if is_bound(op, THREAD) and constants:
            return Dim.const(min(constants))
        if is_bound(op, BLOCK) and op.size_bounds is not None:
            return op.size_bounds[1]
    raise LoweringError(
        f"a loop bound to {thread_of(op)} has no extent",
        expected="a loop from 0 to a size, for threads to at most a constant",
        got=f"{[*map(str, lows)]} to {[*map(str, highs)]}",
        hint="split the loop by the number of threads, and bind the inner loop",
    ).at(op)


def launch_extents(function: FuncOp) -> dict[str, Dim]:
    """Return the extent of each thread and block index: the largest extent of its loops."""
    found: dict[str, Dim] = {}
    for level in (BLOCK, THREAD):
        for op in bound_loops(function, level):
            name, extent = thread_of(op), extent_of_bound(op)
            found[name] = found[name].max(extent) if name in found else extent
    return found


def thread_sizes(function: FuncOp) -> dict[str, int]:
    """Return the number of threads of a block along each thread index."""
    found = launch_extents(function)
    return {n: d.value for n, d in found.items() if n.startswith(THREAD) and d.value is not None}


def block_program(function: FuncOp) -> Block:
    """Return the block inside all ``blockIdx`` loops: the block program."""
    block = function.body.block
    while True:
        inner = [op for op in block.ops if is_bound(op, BLOCK)]
        if not inner:
            return block
        block = inner[0].regions[0].block


def parts_of(block: Block) -> Iterator[Sequence[Operation]]:
    """Yield the parts of a block program, or of one of its loops, in order, each as a list of ops.

    A part is a serial loop, a statement, or a barrier.
    """
    for statement in statements_of(block)[1]:
        ops = [op for op in statement.ops if not isinstance(op, BarrierOp)]
        first = statement.ops.index(ops[0]) if ops else len(statement.ops)
        yield from ([op] for op in statement.ops[:first])
        if ops:
            yield ops
        yield from ([op] for op in statement.ops[first:] if isinstance(op, BarrierOp))


def check_form(function: FuncOp) -> None:
    """Refuse a kernel that is not a fork-join program.

    Errors: LoweringError, with the op that does not fit.
    """
    block = function.body.block
    while (loops := [op for op in block.ops if is_bound(op, BLOCK)]) != []:
        others = [op for op in block.ops if not _is_free(op) and op is not loops[0]]
        if others:
            raise _wrong(others[0], "stands next to a loop bound to blocks")
        block = loops[0].regions[0].block
    _check_program(block)


def _check_program(block: Block) -> None:
    for part in parts_of(block):
        first = part[0]
        if len(part) > 1 or not is_block_loop(first):
            _check_statement(part)
            continue
        assert isinstance(first, ForOp), "a serial loop of the block program"
        if first.results:
            raise _wrong(first, "carries values around loops bound to threads")
        _check_program(first.body.block)


def _check_statement(ops: Sequence[Operation]) -> None:
    threads = [op for op in ops if bound_loops(op, THREAD)]
    blocks = [loop for op in ops for loop in bound_loops(op, BLOCK)]
    if blocks:
        raise _wrong(blocks[0], "bound to blocks stands inside of other loops")
    if not threads:
        return
    if len(ops) > 1:
        raise _wrong(threads[0], "shares values with other code")
    _check_nest(threads[0])


def _check_nest(op: Operation) -> None:
    """Refuse thread loops that are not perfectly nested."""
    if not is_bound(op, THREAD):
        raise _wrong(op, "has loops bound to threads inside")
    body = op.regions[0].block
    inner = [each for each in body.ops if bound_loops(each, THREAD)]
    if not inner:
        return
    others = [each for each in body.ops if not _is_free(each) and each is not inner[0]]
    if others or any(isinstance(each, AllocOp) for each in body.ops):
        raise _wrong((others or inner)[0], "stands next to another loop bound to threads")
    _check_nest(inner[0])


def _is_free(op: Operation) -> bool:
    """Return whether all threads may execute an op redundantly, outside of any statement."""
    if isinstance(op, AllocOp | YieldOp | ReturnOp):
        return True
    return not isinstance(op, ForOp | IfOp) and is_side_effect_free(op)


def _wrong(op: Operation, what: str) -> LoweringError:
    return LoweringError(
        f"{op.name} {what}",
        expected="blockIdx loops around serial loops around perfect nests of threadIdx loops",
        hint="reorder the loops, or move the stage with compute_at to the loop that is bound last",
    ).at(op)
