"""Run one kernel on given arguments: completely if that is cheap, otherwise for sampled elements.

In: a kernel of the te, loop or simt level whose sizes are numbers, and its arguments before and
after a call.  Out: pairs of computed and expected values, and the fraction of all results that they
cover.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from ...analysis.needed_iterations import Iterations, needed_iterations
from ...dialects import loop
from ...dialects.shape import Dim
from ...dialects.simt import launch_of
from ...dialects.te import KernelOp
from ...interp import packed, simt, te
from ...interp.sampled import run_iterations
from ...interp.sizes import number_of, with_shapes
from ...interp.thread_nests import thread_nest
from ...interp.wide_loops import wide_loop
from ...support.diagnostics import TilewrightError

Array: TypeAlias = NDArray[Any]
Kernel: TypeAlias = KernelOp | FuncOp
Form: TypeAlias = Callable[[Sequence[Array], Mapping[int, Array]], None]
"""Runs a reference on arguments, at least for some elements: see `run_loops`."""

_CHEAP_OPS = 20_000
"""A kernel that executes at most this many ops runs whole."""
_MOST_OPS = 400_000
"""A sample that executes more ops is made smaller, and at last not run."""
_MOST_THREAD_OPS = 100_000
"""As `_MOST_OPS`, for an op of all threads of a GPU's block, which takes longer."""
_THREADS_OF_OP = 32
"""The threads of a compute that take as long as an op, if all of them run at once."""
_WINDOWS = (3, 2, 1, 0)
_EDGE = 32
_MOST_WHOLE = 4096


@dataclass(frozen=True)
class KernelSample:
    """The compared elements of a kernel's results.

    pairs: for each result, the computed and the expected values.  share: the fraction of the
    elements of all results that the pairs contain.
    """

    pairs: Sequence[tuple[Array, Array]]
    share: float


def is_plain(kernel: Kernel) -> bool:
    """Return whether a kernel has only computes and no loops, so numpy runs each op at once."""
    is_te = isinstance(kernel, KernelOp)
    return is_te and not any(isinstance(op, loop.ForOp) for op in kernel.body.block.ops)


def is_cheap(kernel: Kernel) -> bool:
    """Return whether the interpreter runs the complete kernel in less than about a second."""
    if is_plain(kernel):
        return True
    launch = launch_of(kernel)
    blocks = 1 if launch is None else prod(Dim.of(n).value or 1 for n in launch.grid)
    ops = executed_ops(kernel.body.block, {}, rows=launch is not None)
    return ops * blocks <= _CHEAP_OPS


def has_short_blocks(kernel: FuncOp) -> bool:
    """Return whether the interpreter runs one block of a GPU kernel in a few seconds."""
    return executed_ops(kernel.body.block, {}, rows=True) <= _MOST_OPS


def run_sample(kernel: Kernel, before: Sequence[Array], after: Sequence[Array]) -> KernelSample:
    """Run a kernel on copies of arguments; return its results paired with the expected ones.

    before, after: the arguments before and after a call of the correct kernel, from an earlier
    stage. If even the smallest sample takes too long, the sample has no values.

    Errors: TilewrightError if the kernel fails.
    """
    given = [np.array(array, order="C") for array in before]
    bound: Any = with_shapes(kernel, given, None)
    written = [
        n for n, (x, y) in enumerate(zip(before, after, strict=True)) if x.tobytes() != y.tobytes()
    ]
    if is_cheap(bound):
        packed.call_kernel(bound, given)
        return KernelSample([(given[n], after[n]) for n in written], 1.0)
    if isinstance(bound, FuncOp) and launch_of(bound) is not None:
        return _run_blocks(bound, given, before, after, written)
    for runs in _WINDOWS:
        wanted = {n: sampled_positions(after[n].shape, runs) for n in written}
        iterations = needed_iterations(bound, wanted)
        is_te = isinstance(bound, KernelOp)
        most = _MOST_OPS // 8 if is_te else _MOST_OPS  # a compute takes longer than an op
        allowed = most if runs else 2 * most
        if executed_ops(bound.body.block, iterations, rows=not is_te) <= allowed:
            break
    else:
        return KernelSample([], 0.0)
    if isinstance(bound, KernelOp):
        te.run_kernel(bound, *given, iterations=iterations)
    else:
        run_iterations(bound, given, iterations)
    pairs = [(given[n].reshape(-1)[at], after[n].reshape(-1)[at]) for n, at in wanted.items()]
    total = sum(after[n].size for n in written)
    return KernelSample(pairs, sum(at.size for at in wanted.values()) / max(1, total))


def run_against(
    kernel: FuncOp, form: Form, arrays: Sequence[Array], last_blocks: Collection[int] = ()
) -> KernelSample:
    """Run blocks of a GPU kernel, and compare the elements that they write with a reference.

    kernel: the kernel with its launch; its sizes are numbers.  form: runs the reference.
    arrays: the arguments.  last_blocks: the blocks to run if all would take too long; none: a
    sample of all blocks.

    Errors: TilewrightError if the kernel fails.
    """
    given, expected = ([np.array(x, order="C") for x in arrays] for _ in range(2))
    blocks = None if is_cheap(kernel) else _sampled_blocks(kernel)
    if blocks == set():
        return KernelSample([], 0.0)
    if blocks and last_blocks:
        blocks = {(number, 0, 0) for number in last_blocks}
    simt.run_kernel(kernel, *given, blocks=blocks)
    masks = [_differs(x, y) for x, y in zip(given, arrays, strict=True)]
    at = {n: np.flatnonzero(mask) for n, mask in enumerate(masks) if mask.any()}
    form(expected, at)
    pairs = [(given[n].reshape(-1)[p], expected[n].reshape(-1)[p]) for n, p in at.items()]
    total = sum(given[n].size for n in at)
    return KernelSample(pairs, sum(p.size for p in at.values()) / max(1, total))


def run_loops(form: FuncOp, arrays: Sequence[Array], wanted: Mapping[int, Array]) -> None:
    """Run the iterations of a kernel's loops that compute some elements of its arguments.

    form: the kernel as loops; its sizes are numbers.  wanted: by the number of the argument, the
    flat positions of the elements.
    """
    run_iterations(form, arrays, needed_iterations(form, wanted))


def sampled_positions(shape: Sequence[int], windows: int = 3) -> Array:
    """Return the flat positions of the elements to compare in an array of this shape.

    A small array is compared completely.  Otherwise the sample takes up to three places along each
    axis (the last, the first and the middle position) and combines them. Along the last axis, each
    place is a run of adjacent elements, which contains whole vectors and remainders.

    windows: the number of places to take, in this order; 0: only the last element of the array.
    """
    if windows == 0:
        return np.array([prod(shape) - 1]) if prod(shape) else np.zeros(0, np.int64)
    if prod(shape) <= _MOST_WHOLE:
        return np.arange(prod(shape))
    sets = [np.unique([size - 1, 0, size // 2][:windows]) for size in shape]
    last = shape[-1]
    starts = [max(0, last - _EDGE), 0, max(0, last // 2 - _EDGE // 2)][:windows]
    sets[-1] = np.unique([at for s in starts for at in range(s, min(last, s + _EDGE))])
    grid = np.meshgrid(*sets, indexing="ij")
    return np.ravel_multi_index(grid, tuple(shape)).reshape(-1)


def executed_ops(block: Block, iterations: Iterations, *, rows: bool) -> int:
    """Return how many ops a run of a block executes; a loop of unknown length counts once.

    iterations: the sampled iterations of loops that do not run completely.
    rows: whether the interpreter runs all sampled iterations of a loop at once, and the iterations
    of other loops as far as they are independent (interp/wide_loops.py).
    """
    count = 0
    for op in block.ops:
        inner = sum(
            executed_ops(b, iterations, rows=rows) for region in op.regions for b in region.blocks
        )
        if isinstance(op, loop.ForOp):
            lows, highs = op.bounds()
            lengths = [high - low for low in lows for high in highs]
            trips = [each.const for each in lengths if each.is_constant]
            cut = iterations.get(op)
            if not rows and (nest := thread_nest(op)) is not None:
                inner = nest.threads(iterations) // _THREADS_OF_OP
            elif cut is None:
                wide = wide_loop(op) if rows else None
                trips_one_by_one = max(1, min(trips, default=1))
                if wide is None:
                    inner *= trips_one_by_one
                else:
                    inner += len(wide.chain) * trips_one_by_one
            else:
                inner *= min(cut.size, 1) if rows else cut.size
        count += 1 + inner
    return count


def _run_blocks(
    kernel: FuncOp,
    given: list[Array],
    before: Sequence[Array],
    after: Sequence[Array],
    written: Sequence[int],
) -> KernelSample:
    """Run up to three blocks of a GPU kernel, and compare the elements that they write.

    The blocks are the last, the first and a middle one.  A kernel of many ops runs fewer blocks; if
    even one takes too long, the sample is empty.
    given: the arguments on which the kernel runs.  before, after: the arguments before and after a
    call of the correct kernel.  written: the indices of the arguments that a call changes.
    """
    blocks = _sampled_blocks(kernel)
    if not blocks:
        return KernelSample([], 0.0)
    simt.run_kernel(kernel, *given, blocks=blocks)
    pairs: list[tuple[Array, Array]] = []
    for n in written:
        changed = _differs(given[n], before[n])
        pairs.append((given[n][changed], after[n][changed]))
    count = sum(got.size for got, _ in pairs)
    if not count:
        raise TilewrightError("the blocks of the kernel write nothing")
    total = sum(after[n].size for n in written)
    return KernelSample(pairs, count / max(1, total))


def _sampled_blocks(kernel: FuncOp) -> set[tuple[int, int, int]]:
    """Return up to three blocks of a GPU kernel; none if even one takes too long."""
    launch = launch_of(kernel)
    assert launch is not None, "a kernel of a GPU"
    grid = [number_of(n) for n in launch.grid]
    if not has_short_blocks(kernel):
        return set()
    ops = executed_ops(kernel.body.block, {}, rows=True)
    places = [n - 1 for n in grid], [0, 0, 0], [n // 2 for n in grid]
    return {(x, y, z) for x, y, z in places[: max(1, _MOST_THREAD_OPS // ops)]}


def _differs(got: Array, before: Array) -> Array:
    """Return a mask of the elements whose bits differ.  Shapes: both arrays have one shape."""
    unit = np.dtype(f"V{before.dtype.itemsize}")
    return got.view(unit) != np.ascontiguousarray(before).view(unit)
