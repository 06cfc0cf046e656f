"""Check the limits of a GPU after each step of a schedule.

    sched.bind %c {axis = x, thread = threadIdx.x}    error: 2048 threads per block, at most 1024

Input: a kernel that is being scheduled, and the limits of its target. The computes of one outermost
loop share the blocks of one launch: along each thread index, a block has as many threads as the
largest of their loops. No later step makes a bound loop or the number of threads smaller, so an
error names the step that first exceeds a limit.

A buffer in shared memory becomes smaller when compute_at moves its compute into a loop. Its size
counts from that step on, or at the end of the script; the error then names the step that gave the
buffer its size. After lowering, simt-check-threads checks all launches again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.ir import Operation

from ....analysis.threads.fork_join import BLOCK, THREAD
from ....dialects.dtypes import buffer_bytes
from ....dialects.loop import AllocOp, ForOp
from ....dialects.sched import (
    BindOp,
    ComputeAtOp,
    DoubleBufferOp,
    FuseIntoOp,
    ReverseComputeAtOp,
    StepOp,
)
from ....dialects.shape import symbols_of
from ....dialects.te import ComputeOp, KernelOp
from ....dialects.te.loop_nest import BIND
from ....machines.gpu import GpuLimits
from ....support.blocks import enclosing, op_in_block
from ....support.diagnostics import ScheduleError
from .nest import nest_of
from .placement import computes_in, writers
from .step import Handles

_BINDING = (BindOp, ComputeAtOp, ReverseComputeAtOp, FuseIntoOp)
"""Steps after which a block may have more threads: they bind loops, or move computes into one."""


class LaunchLimits:
    """A check of a kernel against the limits of a GPU, called after each step of a schedule.

    Errors: ``after_step`` and ``finish`` raise ScheduleError, which names the responsible step.
    """

    def __init__(self, kernel: KernelOp, limits: GpuLimits) -> None:
        self._kernel, self._limits = kernel, limits
        self._placed: set[str] = set()
        self._sized_by: dict[AllocOp, tuple[int, StepOp]] = {}

    def after_step(self, step: StepOp, results: Handles) -> None:
        """Check the kernel after a step of its schedule.

        results: the ops of each handle that the step returned.
        """
        if isinstance(step, ComputeAtOp | DoubleBufferOp):
            self._placed |= {op.label for op in results[0] if isinstance(op, ComputeOp)}
        shared = self._shared()
        for op in shared:
            size = buffer_bytes(op.res.type)
            if op not in self._sized_by or self._sized_by[op][0] != size:
                self._sized_by[op] = size, step
        if isinstance(step, _BINDING):
            for extents in _extents_by_launch(self._kernel).values():
                self._check_extents(step, extents)
        placed = [op for op in shared if _writers(op) <= self._placed]
        self._check_shared(placed, step)

    def finish(self) -> None:
        """Check the kernel after the last step."""
        self._check_shared(self._shared(), None)

    def _shared(self) -> list[AllocOp]:
        found = [op for op in self._kernel.body.walk() if isinstance(op, AllocOp)]
        return [op for op in found if op.scope.data == "shared" and not symbols_of(op.res.type)]

    def _check_extents(self, step: StepOp, extents: dict[str, int]) -> None:
        for thread, extent in extents.items():
            if extent > (most := self._limits.most(thread)):
                level, dimension = thread.split(".")
                what = (
                    "a grid has too many blocks"
                    if level == BLOCK
                    else "a block has too many threads"
                )
                smaller = "split the loop, and bind a smaller one"
                raise self._error(
                    step,
                    f"{what} along {thread}",
                    f"at most {most}",
                    str(extent),
                    smaller if dimension == "x" else f"{smaller}; {level}.x may have more",
                )
        threads = {name: n for name, n in extents.items() if name.startswith(THREAD)}
        if prod(threads.values()) > self._limits.threads:
            raise self._error(
                step,
                "a block has too many threads",
                f"at most {self._limits.threads}",
                " * ".join(f"{n} ({name})" for name, n in threads.items()),
                "bind loops of fewer iterations to threads",
            )

    def _check_shared(self, buffers: Sequence[AllocOp], step: StepOp | None) -> None:
        """Check the total size of the shared buffers of each launch.

        step: the step that an error names; None for the step that gave the largest buffer its size.
        """
        by_launch: dict[Operation | None, list[AllocOp]] = {}
        for op in buffers:
            by_launch.setdefault(_launch_of(op, self._kernel), []).append(op)
        for together in by_launch.values():
            sizes = [buffer_bytes(op.res.type) for op in together]
            if sum(sizes) > self._limits.most_shared_bytes:
                largest = together[sizes.index(max(sizes))]
                owner = step or self._sized_by[largest][1]
                raise self._error(
                    owner,
                    "a block has too much shared memory",
                    f"at most {self._limits.most_shared_bytes} bytes",
                    f"{sum(sizes)} bytes: {', '.join(map(_described, together))}",
                    "use smaller tiles",
                ).at(owner)

    def _error(self, step: StepOp, rule: str, expected: str, got: str, hint: str) -> ScheduleError:
        where = f"{step.name} in @{self._kernel.label}"
        return ScheduleError(rule, expected=expected, got=got, hint=hint, where=where)


def _extents_by_launch(kernel: KernelOp) -> dict[Operation, dict[str, int]]:
    """Return, for each outermost op with bound loops, the largest known extent per thread index."""
    found: dict[Operation, dict[str, int]] = {}
    for op in computes_in(kernel):
        bound = [*_pending(op), *_made(op)]
        if bound:
            extents = found.setdefault(op_in_block(op, kernel.body.block), {})
            for thread, extent in bound:
                extents[thread] = max(extent, extents.get(thread, 0))
    return found


def _pending(op: ComputeOp) -> Iterator[tuple[str, int]]:
    """Yield, for each bound loop of a pending nest, its thread index and its trip count."""
    bound = [] if op.nest is None else [e for e in op.nest.data.order if e.mark == BIND]
    if not bound:
        return
    view = op.view()
    extents = nest_of(view).extents(view.axes)
    for entry in bound:
        if isinstance(extent := extents[entry.axis], int):
            yield entry.thread, extent


def _made(op: Operation) -> Iterator[tuple[str, int]]:
    """Yield, for each bound loop around an op, its thread index and its largest trip count."""
    for around in enclosing(op):
        if isinstance(around, ForOp) and around.thread is not None:
            ends = [high.const for high in around.bounds()[1] if high.is_constant]
            if ends:
                yield around.thread.data, min(ends)


def _launch_of(op: AllocOp, kernel: KernelOp) -> Operation | None:
    """Return the outermost loop around a buffer, None for a buffer of the whole kernel."""
    outermost = op_in_block(op, kernel.body.block)
    return None if outermost is op else outermost


def _writers(op: AllocOp) -> set[str]:
    return {compute.label for compute in writers(op.res)}


def _described(op: AllocOp) -> str:
    names = ", ".join(f"@{label}" for label in sorted(_writers(op)))
    return f"{op.res.type}{f' of {names}' if names else ''}"
